package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/plots"
)

// A Slice is the part of a lake that tables and figures of one kind of rows show: what one reader answered under one protocol, and one
// question bank. What compares readers, protocols or banks shows all of them.
type Slice struct {
	Kind     string   `json:"provenance"`
	Protocol string   `json:"protocol,omitempty"`
	Reader   string   `json:"reader,omitempty"`
	Bank     string   `json:"bank,omitempty"`
	Others   []string `json:"not_shown,omitempty"` // other pairs "protocol, reader" that have a main table, and other banks
}

// upstream is the protocol of the published scores, which comes first where it is present.
const upstream = captionqa.ProtocolUpstream

// chooseSlice picks protocol and reader of one kind of rows from the main table: those asked for, else the published protocol before
// others, and the reader with most rows. Ties go to the name that sorts first. Without a main table there is nothing to choose.
func chooseSlice(kind string, ts plots.Tables, o Options) (Slice, error) {
	s := Slice{Kind: kind}
	if err := s.chooseBank(ts); err != nil {
		return s, err
	}
	t, err := ts.Get(mainTable)
	if err != nil {
		return s, nil // no answers and no printed scores of this kind: what there is does not come from readers
	}
	from := plots.Read(t)
	protocols, readers := from.TextOrNone("protocol"), from.TextOrNone("reader")
	if from.Err != nil {
		return s, from.Err
	}
	type pair struct{ protocol, reader string }
	count := map[pair]int{}
	var pairs []pair
	for i := range protocols {
		p := pair{protocols[i], readers[i]}
		if count[p]++; count[p] == 1 {
			pairs = append(pairs, p)
		}
	}
	asked := func(p pair) bool {
		return (o.Protocol == "" || p.protocol == o.Protocol) && (o.Reader == "" || p.reader == o.Reader)
	}
	slices.SortFunc(pairs, func(a, b pair) int {
		return cmp.Or(first(asked(a), asked(b)), first(a.protocol == upstream, b.protocol == upstream), cmp.Compare(count[b], count[a]),
			strings.Compare(a.protocol, b.protocol), strings.Compare(a.reader, b.reader))
	})
	s.Protocol, s.Reader = pairs[0].protocol, pairs[0].reader
	for _, p := range pairs[1:] {
		s.Others = append(s.Others, p.protocol+", "+p.reader)
	}
	// Published rows have one reader, which need not be the one asked for.
	if !asked(pairs[0]) && kind != data.ProvenancePublished {
		return s, fmt.Errorf("no %s answers of protocol %q and reader %q; the lake has %s", kind, o.Protocol, o.Reader,
			strings.Join(append([]string{s.Protocol + ", " + s.Reader}, s.Others...), "; "))
	}
	return s, nil
}

// chooseBank picks the bank with the most questions.
func (s *Slice) chooseBank(ts plots.Tables) error {
	t, err := ts.Get(bankTable)
	if err != nil {
		return nil // no question is counted
	}
	from := plots.Read(t)
	banks, counts := from.Text("bank"), from.Floats("questions")
	if from.Err != nil {
		return from.Err
	}
	most := map[string]float64{}
	for i, b := range banks {
		most[b] = max(most[b], counts[i])
	}
	found := slices.SortedFunc(maps.Keys(most), func(a, b string) int { return cmp.Or(cmp.Compare(most[b], most[a]), strings.Compare(a, b)) })
	s.Bank = found[0]
	for _, b := range found[1:] {
		s.Others = append(s.Others, "question bank "+b)
	}
	return nil
}

// bankTable is the mart that tells which question banks there are.
const bankTable = "dataset_statistics"

// first compares truth values, true before false.
func first(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

// tables returns the rows of the slice. Rows without a reader or protocol belong to every slice, and so do answers from the picture,
// whose reader is the model that looked.
func (s Slice) tables(ts plots.Tables) (plots.Tables, error) {
	out := plots.Tables{}
	for name, t := range ts {
		from := plots.Read(t)
		protocols, readers, evidence, banks := from.TextIf("protocol"), from.TextIf("reader"), from.TextIf("evidence"), from.TextIf("bank")
		if from.Err != nil {
			return nil, from.Err
		}
		t = t.Pick(func(i int) bool {
			return (s.Bank == "" || banks[i] == "" || banks[i] == s.Bank) &&
				(s.Protocol == "" || protocols[i] == "" || protocols[i] == s.Protocol) &&
				(s.Reader == "" || readers[i] == "" || readers[i] == s.Reader || evidence[i] == captionqa.EvidenceImage)
		})
		if t.Len() > 0 {
			out[name] = t
		}
	}
	return out, nil
}

// kindOf returns a mart's rows with a column provenance, for marts that count questions and have none: printed counts are published,
// and counts of a bank are what the table of banks says of it. Of a bank that it does not know nothing can be said, which is an error.
func kindOf(t *plots.Table, kinds map[string]string) (*plots.Table, error) {
	if t.Has("provenance") || !t.Has("bank") {
		return t, nil
	}
	from := plots.Read(t)
	banks := from.TextIf("bank")
	if from.Err != nil {
		return nil, from.Err
	}
	for _, b := range banks {
		if kinds[b] == "" {
			return nil, fmt.Errorf("mart %s counts the question bank %q, which mart %s does not know; run analyze", t.Name(), b, bankTable)
		}
	}
	return t.With("provenance", func(i int) any { return kinds[banks[i]] })
}

// bankKinds returns what the rows of each question bank are.
func bankKinds(ts plots.Tables) (map[string]string, error) {
	t := ts[bankTable]
	if t == nil || t.Len() == 0 {
		return nil, nil
	}
	from := plots.Read(t)
	banks, kinds := from.Text("bank"), from.Text("provenance")
	if from.Err != nil {
		return nil, from.Err
	}
	out := map[string]string{}
	for i, b := range banks {
		out[b] = kinds[i]
	}
	return out, nil
}
