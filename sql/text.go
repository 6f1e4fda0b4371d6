package sql

import (
	"slices"
	"strings"
	"sync"
)

// Code is SQL without its comments, in one line.
func Code(text string) string { return strings.Join(tokens(text), " ") }

// tokens are the words, quoted texts and single characters of SQL without its comments. A text with
// a doubled quote becomes two texts. A quote that is not closed is a single character.
func tokens(text string) (all []string) {
	for text != "" {
		n := 1
		switch {
		case text[0] == '\'' || text[0] == '"':
			n = 2 + strings.IndexByte(text[1:], text[0])
		case strings.HasPrefix(text, "--"):
			line, _, _ := strings.Cut(text, "\n")
			text = text[len(line):]
			continue
		case isLetter(text[0]):
			for n < len(text) && isLetter(text[n]) {
				n++
			}
		}
		if text[0] > ' ' {
			all = append(all, text[:n])
		}
		text = text[n:]
	}
	return all
}

// macros are the tables and models that the macros of Macros read, by the name of the macro. A
// table macro reads the tables and models in its text. Any macro reads the tables and models that
// are defaults of its parameters.
var macros = sync.OnceValue(func() map[string][]string {
	all := map[string][]string{}
	// The first piece is the text before the first macro.
	for _, macro := range strings.Split(Macros, "\ncreate or replace temp macro ")[1:] {
		name, text, _ := strings.Cut(macro, "(")
		parameters, query, _ := strings.Cut(text, ") as")
		words := tokens(parameters)
		for i, w := range words {
			// A default is a text after =, such as models := 'models'. The empty text '' names nothing.
			if len(w) > 2 && w[0] == '\'' && words[i-1] == "=" {
				all[name] = append(all[name], strings.Trim(w, "'"))
			}
		}
		if strings.HasPrefix(query, " table") {
			all[name] = append(all[name], reads(query, all)...)
		}
	}
	return all
})

// isLetter reports whether a byte can be part of a name or a number. c|' ' makes a capital letter
// small.
func isLetter(c byte) bool { return c == '_' || '0' <= c && c <= '9' || 'a' <= c|' ' && c|' ' <= 'z' }

// Reads are the tables and models that SQL reads, sorted: the names after from and join, without
// the names that the SQL gives itself. counted_TABLE() reads TABLE and stale_TABLE, merged_FOLD()
// reads FOLD, and a macro of Macros reads its own tables and models, also through macros before it.
func Reads(text string) []string { return reads(text, macros()) }

// Marts are the models that SQL reads, itself or through shortcuts.
func Marts(text string) (names []string) {
	for _, name := range Reads(Filled(text)) {
		if slices.Contains(Names(), name) {
			names = append(names, name)
		} else if i := slices.IndexFunc(Files("shortcuts"), func(f File) bool { return f.Name == name }); i >= 0 {
			names = append(names, Marts(Files("shortcuts")[i].Text)...)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// reads is Reads, which describes counted_ and merged_, with the given macros. The name of a table
// begins with a letter: a number, a subquery or a quoted file after from is no table. A word after
// "is distinct from" is no table either.
func reads(text string, macros map[string][]string) (names []string) {
	words := tokens(text)
	at := func(i int) string {
		if i < 0 || i >= len(words) {
			return ""
		}
		return strings.ToLower(words[i])
	}
	named := map[string]bool{} // the names that the SQL gives itself: with NAME as (
	for i, w := range words {
		named[w] = named[w] || at(i+1) == "as" && slices.Contains([]string{"(", "materialized", "not"}, at(i+2))
	}
	for i, w := range words {
		kind, of, _ := strings.Cut(w, "_")
		switch calls := at(i+1) == "("; {
		case calls && macros[w] != nil:
			names = append(names, macros[w]...)
		case calls && kind == "counted":
			names = append(names, of, "stale_"+of)
		case calls && kind == "merged":
			names = append(names, of)
		case !calls && (at(i-1) == "from" && at(i-2) != "distinct" || at(i-1) == "join") && w[0] > '9' &&
			isLetter(w[0]) && !named[w]:
			names = append(names, w)
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}
