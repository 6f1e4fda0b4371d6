package main

import (
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
)

// proseSources are the texts that people read. They keep the rule of CONTRIBUTING.md.
var proseSources = []struct {
	name string
	read func(*testing.T) []passage
}{
	{"documents", documentPassages},
	{"the README", readmePassages},
	{"Go comments", commentPassages},
	{"help texts", helpPassages},
	{"SQL headers and comments", sqlPassages},
}

// clumsy are phrases that make a reader go back, with the advice against each. A space stands for
// any white space.
var clumsy = []struct {
	phrase *regexp.Regexp
	advice string
}{
	{spaced(`(?i), whose\b`), "begin a sentence with the noun"},
	{spaced(`(?i)\b(those|that) of\b`), "say the noun again"},
	{spaced(`(?i)\bthose (that|which|who|in|on|with|from)\b`), "say the noun again"},
	{spaced(`(?i)\bof (which|whom)\b`), "begin a sentence with the noun"},
	{spaced(`(?i)\b(is|are|was|were) none\b`), "say what happens instead, such as: it is skipped, missing, not found"},
	{spaced(`(?i)\b(of|for|from|by|with|than|beside|into|without|except) what\b`), "name the thing"},
	{spaced(`(^|[.;:|] )What (is|are|was|were|has|have|had|it|they|no|only)\b[^?]*?[.;:|]`), "name the thing"},
}

func spaced(pattern string) *regexp.Regexp {
	return regexp.MustCompile(strings.ReplaceAll(pattern, " ", `\s+`))
}

// rightAsItIs are clumsy phrases that are right, each with the words around it and its reason.
var rightAsItIs = map[string]string{
	"lacks; is none of; at hand": "CONTRIBUTING.md lists words to avoid",
}

// A passage is a paragraph, a row of a table or a comment that begins at a line of a file.
type passage struct {
	path string
	line int
	text string
}

// othersWords are code, quotations and the addresses of links, which the rule does not hold.
var othersWords = regexp.MustCompile("`[^`]*`|\"[^\"]*\"|\\]\\([^)]*\\)")

// TestProse holds what people read to plain sentences.
func TestProse(t *testing.T) {
	used := map[string]bool{}
	for _, source := range proseSources {
		passages := source.read(t)
		for _, p := range passages {
			plain := othersWords.ReplaceAllStringFunc(p.text, func(s string) string {
				return strings.Repeat("\n", strings.Count(s, "\n")) + "…"
			})
			for exception := range rightAsItIs {
				if strings.Contains(plain, exception) {
					plain, used[exception] = strings.ReplaceAll(plain, exception, "…"), true
				}
			}
			for _, c := range clumsy {
				for _, at := range c.phrase.FindAllStringIndex(plain, -1) {
					t.Errorf("%s:%d: %q: %s", p.path, p.line+strings.Count(plain[:at[0]], "\n"),
						plain[at[0]:at[1]], c.advice)
				}
			}
		}
		if len(passages) == 0 {
			t.Errorf("%s: found no text", source.name)
		}
	}
	for exception := range rightAsItIs {
		if !used[exception] {
			t.Errorf("no text has %q any more; remove the exception", exception)
		}
	}
}

// The test finds each of its phrases, also over the end of a line, and leaves questions, code and
// quotations alone.
func TestProseFindsWhatItShould(t *testing.T) {
	for text, want := range map[string]int{
		"A file, whose lines are long.":                1,
		"The scores and those\nof others.":             1,
		"A record that was completed is none.":         1,
		"Runs of what is missing. What is left waits.": 2,
		"Files, of which one is empty":                 1,
		"What is in the folder?":                       0,
		"It says what is wrong.":                       0,
		"Do not write `those of` or \"is none\".":      0,
	} {
		got, plain := 0, othersWords.ReplaceAllString(text, "…")
		for _, c := range clumsy {
			got += len(c.phrase.FindAllString(plain, -1))
		}
		expect.Equal(t, got, want, text)
	}
}

// TestLinesAreShort holds lines of Go and SQL to 120 characters, and lines of comments to 100.
func TestLinesAreShort(t *testing.T) {
	for _, ending := range []string{".go", ".sql"} {
		eachFile(t, ending, func(path string) {
			for i, line := range strings.Split(string(must.Read(t, path)), "\n") {
				limit := 120
				if strings.HasPrefix(strings.TrimSpace(line), "//") {
					limit = 100
				}
				if n := utf8.RuneCountInString(line); n > limit {
					t.Errorf("%s:%d: the line has %d characters, and not at most %d", path, i+1, n, limit)
				}
			}
		})
	}
}

const topReadme = "../../README.md"

func documentPassages(t *testing.T) (all []passage) {
	for _, path := range documents(t) {
		if filepath.ToSlash(path) != topReadme {
			all = append(all, markdownPassages(t, path)...)
		}
	}
	return all
}

func readmePassages(t *testing.T) []passage { return markdownPassages(t, topReadme) }

// markdownPassages are the paragraphs and rows of a document without code, headings and parts that
// come from code.
func markdownPassages(t *testing.T, path string) (all []passage) {
	t.Helper()
	var open passage
	fenced, made := false, false
	end := func() {
		if open.text != "" {
			all = append(all, open)
		}
		open = passage{}
	}
	for i, line := range strings.Split(string(must.Read(t, path)), "\n") {
		trimmed := strings.TrimSpace(line)
		switch {
		case strings.HasPrefix(trimmed, "```"):
			fenced = !fenced
			end()
		case strings.HasPrefix(trimmed, "<!--"):
			made = strings.Contains(trimmed, "generated by")
			end()
		case fenced || made:
		case trimmed == "" || strings.HasPrefix(trimmed, "#"):
			end()
		default:
			if strings.HasPrefix(trimmed, "|") || strings.HasPrefix(trimmed, "- ") {
				end()
			}
			if open.text == "" {
				open = passage{path: path, line: i + 1}
			}
			open.text += line + "\n"
		}
	}
	end()
	return all
}

// commentPassages are the comments of Go files.
func commentPassages(t *testing.T) (all []passage) {
	eachFile(t, ".go", func(path string) {
		files := token.NewFileSet()
		file := must.Get(parser.ParseFile(files, path, nil, parser.ParseComments|parser.SkipObjectResolution))(t)
		for _, group := range file.Comments {
			all = append(all, passage{path, files.Position(group.Pos()).Line, textOf(group)})
		}
	})
	return all
}

// textOf is the text of comments, line by line as in the file.
func textOf(group *ast.CommentGroup) string {
	var b strings.Builder
	for _, c := range group.List {
		b.WriteString(strings.TrimPrefix(c.Text, "//") + "\n")
	}
	return b.String()
}

// helpPassages are the texts of all commands and of their flags.
func helpPassages(*testing.T) (all []passage) {
	for _, c := range everyCommand(new(app).root()) {
		all = append(all,
			passage{c.CommandPath(), 1, c.Short + ".\n" + c.Long + "\n" + c.NonInheritedFlags().FlagUsages()})
	}
	return all
}

// sqlPassages are the headers and comments of SQL files.
func sqlPassages(t *testing.T) (all []passage) {
	eachFile(t, ".sql", func(path string) {
		for i, line := range strings.Split(string(must.Read(t, path)), "\n") {
			if comment, found := strings.CutPrefix(strings.TrimSpace(line), "--"); found {
				all = append(all, passage{path, i + 1, comment})
			}
		}
	})
	return all
}

// eachFile visits the files with an ending, except data of tests.
func eachFile(t *testing.T, ending string, visit func(path string)) {
	t.Helper()
	root := filepath.Join("..", "..")
	must.Succeed(t, filepath.WalkDir(root, func(path string, d fs.DirEntry, err error) error {
		switch {
		case err != nil:
			return err
		case d.IsDir() && (d.Name() == "testdata" || path != root && strings.HasPrefix(d.Name(), ".")):
			return filepath.SkipDir
		case !d.IsDir() && filepath.Ext(path) == ending:
			visit(path)
		}
		return nil
	}))
}
