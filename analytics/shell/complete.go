package shell

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// keywords are the words of SQL that questions are made of.
var keywords = strings.Fields(`select from where group by order limit having join left inner cross using on as with distinct and or not in is null
	like ilike between case when then else end union all except intersect asc desc nulls first last over partition qualify filter values
	describe summarize explain pivot unpivot show tables count sum avg min max median quantile_cont coalesce cast round
	read_parquet read_csv read_json`)

var commands = []string{".describe", ".format", ".help", ".quit", ".tables"}

// A Completer completes what a person has begun to write.
type Completer struct {
	Lake    Lake
	Folder  string // whose files SQL reads
	Outside bool   // whether SQL reads other files too
}

// Complete is for liner: what may stand at a place of a line.
func (c Completer) Complete(line string, place int) (head string, found []string, tail string) {
	runes := []rune(line)
	before, tail := string(runes[:place]), string(runes[place:])
	if strings.HasPrefix(before, ".") && !strings.Contains(before, " ") {
		return "", starting(before, commands), tail
	}
	if open := openQuote(before); open >= 0 {
		return before[:open+1], c.files(before[open+1:]), tail
	}
	start := len(before)
	for start > 0 && wordByte(before[start-1]) {
		start--
	}
	word := before[start:]
	head = before[:start]
	if strings.HasPrefix(line, ".format ") {
		return head, starting(word, c.Lake.Formats()), tail
	}
	relations, err := c.Lake.Relations()
	if err != nil {
		return head, nil, tail
	}
	var names []string
	for _, r := range relations {
		name := r.Name
		if r.Macro && !strings.HasPrefix(line, ".") {
			name += "("
		}
		names = append(names, name)
	}
	previous := lastWord(head)
	switch {
	case strings.HasPrefix(line, "."), slices.Contains([]string{"from", "join", "describe", "summarize", "table"}, previous):
		return head, starting(word, names), tail
	case strings.HasSuffix(head, "."):
		return head, starting(word, columnsOf(relations, lastWord(strings.TrimSuffix(head, ".")), line)), tail
	case word == "":
		return head, nil, tail
	}
	return head, starting(word, columnsOf(relations, "", line), names, keywords), tail
}

// openQuote is the place of a quote that is open at the end of a text; -1 when there is none.
func openQuote(text string) int {
	for i := 0; i < len(text); {
		n := token(text, i)
		if text[i] == '\'' && (n == 1 || i+n == len(text) && text[len(text)-1] != '\'') {
			return i
		}
		i += n
	}
	return -1
}

// columnsOf are the columns of a relation, or of those that the line names, or of all.
func columnsOf(relations []Relation, name, line string) []string {
	of := func(match func(Relation) bool) (columns []string) {
		for _, r := range relations {
			if match(r) {
				columns = append(columns, r.Columns...)
			}
		}
		return columns
	}
	words := strings.FieldsFunc(strings.ToLower(line), func(r rune) bool { return r < 0x80 && !wordByte(byte(r)) })
	for _, match := range []func(Relation) bool{
		func(r Relation) bool { return r.Name == name },
		func(r Relation) bool { return slices.Contains(words, r.Name) },
	} {
		if columns := of(match); len(columns) > 0 {
			return columns
		}
	}
	return of(func(Relation) bool { return true })
}

// lastWord is the word that a text ends with, in lower case, blanks aside.
func lastWord(text string) string {
	text = strings.TrimRight(text, " \t\n")
	start := len(text)
	for start > 0 && wordByte(text[start-1]) {
		start--
	}
	return strings.ToLower(text[start:])
}

// starting are the words that begin with what is written, each once: those of one list by name, after those of the list before.
func starting(begun string, lists ...[]string) (found []string) {
	for _, list := range lists {
		var here []string
		for _, word := range list {
			if strings.HasPrefix(word, strings.ToLower(begun)) && !slices.Contains(found, word) {
				here = append(here, word)
			}
		}
		slices.Sort(here)
		found = append(found, slices.Compact(here)...)
	}
	return found
}

// files are the files and folders whose paths begin with what is written, of those that SQL may read.
func (c Completer) files(begun string) (found []string) {
	folder, name := filepath.Split(begun)
	entries, err := os.ReadDir(filepath.Join(".", folder))
	if filepath.IsAbs(begun) {
		entries, err = os.ReadDir(folder)
	}
	if err != nil {
		return nil
	}
	for _, e := range entries {
		path := folder + e.Name()
		if e.IsDir() {
			path += "/"
		}
		hidden := strings.HasPrefix(e.Name(), ".") && !strings.HasPrefix(name, ".")
		if strings.HasPrefix(e.Name(), name) && !hidden && (c.Outside || c.leads(path)) {
			found = append(found, strings.ReplaceAll(path, "'", "''"))
		}
	}
	return found
}

// leads reports whether a path is in the lake's folder, or on the way to it.
func (c Completer) leads(path string) bool {
	lake, err := filepath.Abs(c.Folder)
	there, err2 := filepath.Abs(path)
	if err != nil || err2 != nil {
		return false
	}
	within := func(outer, inner string) bool {
		return inner == outer || strings.HasPrefix(inner, strings.TrimSuffix(outer, string(filepath.Separator))+string(filepath.Separator))
	}
	return within(lake, there) || strings.HasSuffix(path, "/") && within(there, lake)
}
