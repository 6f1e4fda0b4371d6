package captionqa

// Agreement says how the two parsers stand to each other on one reply.
type Agreement string

// The five ways in which ParseUpstream and ParseStrict can stand to each other. The comparison is ours.
const (
	AgreeChoice   Agreement = "agree"         // both name the same option
	AgreeUnparsed Agreement = "unparsed"      // neither names an option
	UpstreamOnly  Agreement = "upstream-only" // only the published parser names an option
	StrictOnly    Agreement = "strict-only"   // only the strict parser names an option
	Differ        Agreement = "differ"        // they name different options
)

// Comparison is what the two parsers make of one reply.
type Comparison struct {
	Upstream  int       // presented position, from 0, that ParseUpstream names; −1 when unparsed
	Strict    int       // presented position, from 0, that ParseStrict names; −1 when unparsed
	Agreement Agreement // how the two stand to each other
}

// Agreements returns the values of Agreement in the order in which a report lists them.
func Agreements() []Agreement {
	return []Agreement{AgreeChoice, AgreeUnparsed, UpstreamOnly, StrictOnly, Differ}
}

// Compare reads one raw reply with both parsers, so that a report can say how much the published parser's leniency
// matters; presented are the options in presented order, the cannot option included.
func Compare(reply string, presented []string) Comparison {
	c := Comparison{Upstream: -1, Strict: -1}
	if i, ok := ParseUpstream(reply, len(presented)); ok {
		c.Upstream = i
	}
	if i, ok := ParseStrict(reply, presented); ok {
		c.Strict = i
	}
	switch {
	case c.Upstream == c.Strict && c.Upstream < 0:
		c.Agreement = AgreeUnparsed
	case c.Upstream == c.Strict:
		c.Agreement = AgreeChoice
	case c.Strict < 0:
		c.Agreement = UpstreamOnly
	case c.Upstream < 0:
		c.Agreement = StrictOnly
	default:
		c.Agreement = Differ
	}
	return c
}
