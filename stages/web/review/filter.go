package review

import (
	"net/url"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/construct"
	"github.com/captionlake/captionlake/stages/web"
)

// filter says which questions a person wants to see. What is empty lets all through.
type filter struct {
	Text     string // words, each of which the question, an option or an id contains, in any letter case
	Domain   string
	Category string // of the domain
	Flag     string // a choice of a validator
	Route    string
	State    string // of the list
}

// flags are the choices of a validator that can be filtered by.
var flags = []struct{ Name, Text string }{
	{flagOther, "another option than the key"},
	{construct.ChoiceAmbiguous, "ambiguous"},
	{construct.ChoiceUnanswerable, "unanswerable"},
	{construct.ChoiceUnsuitable, "unsuitable"},
	{construct.ChoiceNone, "none of the options"},
	{flagUnread, "no reply that can be read"},
}

const (
	flagOther  = "other"
	flagUnread = "unread"
)

// States of the list.
const (
	stateOpen     = "" // nobody has decided
	stateReviewed = "reviewed"
	stateMine     = "mine"
	stateAll      = "all"
)

// fields are a filter's, by their names in forms and addresses.
func (f *filter) fields() map[string]*string {
	return map[string]*string{"q": &f.Text, "domain": &f.Domain, "category": &f.Category, "flag": &f.Flag, "route": &f.Route, "state": &f.State}
}

// categorySeparator divides a domain from its category in a choice of the form, which has both in one list.
const categorySeparator = " › "

func filterOf(query url.Values) (f filter) {
	for name, field := range f.fields() {
		*field = query.Get(name)
	}
	f.Text = strings.Join(strings.Fields(f.Text), " ")
	if query.Has("where") {
		f.Domain, f.Category, _ = strings.Cut(query.Get("where"), categorySeparator)
	}
	return f
}

// values is the filter as an address has it.
func (f filter) values() url.Values {
	v := url.Values{}
	for name, field := range f.fields() {
		if *field != "" {
			v.Set(name, *field)
		}
	}
	return v
}

// Narrow reports whether the filter keeps anything from a reviewer's way.
func (f filter) Narrow() bool { f.State = ""; return f != filter{} }

// Words says what the filter lets through.
func (f filter) Words() string {
	var parts []string
	for _, part := range []string{f.Domain, f.Category} {
		if part != "" {
			parts = append(parts, part)
		}
	}
	for _, known := range flags {
		if known.Name == f.Flag {
			parts = append(parts, "a validator chose "+known.Text)
		}
	}
	if f.Route != "" {
		parts = append(parts, "route "+f.Route)
	}
	if f.Text != "" {
		parts = append(parts, "with “"+data.Plain(f.Text)+"”")
	}
	return strings.Join(parts, ", ")
}

// Where is the filter's choice of domain and category.
func (f filter) Where() string {
	if f.Category == "" {
		return f.Domain
	}
	return f.Domain + categorySeparator + f.Category
}

// passes reports whether an item is let through, whatever its words and its state.
func (f filter) passes(it *item) bool {
	return (f.Domain == "" || it.domain == f.Domain) &&
		(f.Category == "" || len(it.node) > 0 && it.node[0] == f.Category) &&
		(f.Route == "" || it.route == f.Route) &&
		(f.Flag == "" || slices.ContainsFunc(it.verdicts, func(v verdict) bool { return it.flagged(v, f.Flag) }))
}

// finder returns what tells whether texts in lower case have all the filter's words.
func (f filter) finder() func(texts ...string) bool {
	words := strings.Fields(strings.ToLower(f.Text))
	return func(texts ...string) bool {
		for _, word := range words {
			if !slices.ContainsFunc(texts, func(text string) bool { return strings.Contains(text, word) }) {
				return false
			}
		}
		return true
	}
}

// flagged reports whether a verdict is what a filter's flag asks for.
func (it *item) flagged(v verdict, flag string) bool {
	switch flag {
	case flagOther:
		return v.Choice == construct.ChoiceOption && v.Option != it.written.Answer
	case flagUnread:
		return v.Choice == construct.ChoiceUnparsed || v.Choice == construct.ChoiceFailed
	}
	return v.Choice == flag
}

// inState reports whether a standing is what the list asks for.
func (f filter) inState(s web.Standing) bool {
	switch f.State {
	case stateReviewed:
		return s.Decided > 0
	case stateMine:
		return s.Mine
	case stateAll:
		return true
	}
	return s.Decided == 0
}
