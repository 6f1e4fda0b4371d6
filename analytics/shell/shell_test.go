package shell

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/peterh/liner"

	"github.com/captionlake/captionlake/data/must"
)

// A script is an editor whose person has decided beforehand. The line ^C gives up.
type script struct {
	lines, prompts, history []string
}

func (s *script) Prompt(prompt string) (string, error) {
	s.prompts = append(s.prompts, prompt)
	if len(s.lines) == 0 {
		return "", io.EOF
	}
	line := s.lines[0]
	s.lines = s.lines[1:]
	if line == "^C" {
		return "", liner.ErrPromptAborted
	}
	return line, nil
}

func (s *script) AppendHistory(line string) { s.history = append(s.history, line) }

// A parrot is a lake that answers with what it was asked.
type parrot struct{}

func (parrot) Ask(_ context.Context, statement, format string, out io.Writer) (int64, error) {
	if strings.Contains(statement, "fault") {
		return 0, errors.New("no such thing")
	}
	fmt.Fprintf(out, "%s[%s]\n", format, statement)
	return 2, nil
}

func (parrot) Relations() ([]Relation, error) {
	return []Relation{
		{Name: "answers", Columns: []string{"question_id", "outcome"}},
		{Name: "leaderboard", Columns: []string{"captioner", "overall"}},
		{Name: "versus", Macro: true, Columns: []string{"winner"}},
	}, nil
}

func (parrot) Describe(name string, out io.Writer) error {
	fmt.Fprintf(out, "about %s\n", name)
	return nil
}

func (parrot) List(part string, out io.Writer) error {
	fmt.Fprintf(out, "list %q\n", part)
	return nil
}

func (parrot) Formats() []string { return []string{"table", "records", "markdown"} }

// talk has a conversation and returns what was shown, without the times, and what the editor remembers.
func talk(t *testing.T, lines ...string) (string, *script) {
	t.Helper()
	person := &script{lines: lines}
	var shown strings.Builder
	s := &Shell{
		Lake: parrot{}, Editor: person,
		Show: func(b []byte) error { _, err := shown.Write(b); return err },
		Fail: func(err error) { fmt.Fprintf(&shown, "Error: %v\n", err) },
		During: func() (context.Context, func()) {
			ctx, cancel := context.WithCancel(t.Context())
			return ctx, cancel
		},
	}
	must.Succeed(t, s.Run())
	var kept []string
	for _, line := range strings.Split(strings.TrimSuffix(shown.String(), "\n"), "\n") {
		line, _, _ = strings.Cut(line, " in 0.")
		kept = append(kept, line)
	}
	return strings.Join(kept, "\n"), person
}

func TestConversation(t *testing.T) {
	for _, c := range []struct {
		name    string
		lines   []string
		want    string
		history []string
	}{
		{"several lines until a semicolon", []string{"select 1", "from answers;"}, "[select 1\nfrom answers]\n2 rows", []string{"select 1 from answers;"}},
		{"two statements on a line", []string{"from a; from b;"}, "[from a]\n2 rows\n[from b]\n2 rows", []string{"from a;", "from b;"}},
		{"records", []string{`from a\G`}, "records[from a]\n2 rows", []string{`from a\G`}},
		{"a quoted end is none", []string{`select ';', "\G" -- ;`, "; -- more", ";"}, "[select ';', \"\\G\" -- ;]\n2 rows\n[-- more]\n2 rows",
			[]string{`select ';', "\G" -- ;`, ";", "-- more", ";"}},
		{"lines of a text stay lines", []string{"select 'a", "b';"}, "[select 'a\nb']\n2 rows", []string{"select 'a", "b';"}},
		{"given up", []string{"select 1", "^C", "from a;"}, "[from a]\n2 rows", []string{"from a;"}},
		{"an error ends the statement alone", []string{"fault;", "from a;"}, "Error: no such thing\n[from a]\n2 rows", []string{"fault;", "from a;"}},
		{"commands", []string{".tables ans", ".describe answers;", ".format markdown", "from a;", ".format arrow", ".nonsense"},
			"list \"ans\"\nabout answers\nmarkdown[from a]\n2 rows\nError: choose one of: table, records, markdown\nError: there is no command .nonsense; .help lists them",
			[]string{".tables ans", ".describe answers;", ".format markdown", "from a;", ".format arrow", ".nonsense"}},
		{"a number after a line break is no command", []string{"select 1 +", ".5;"}, "[select 1 +\n.5]\n2 rows", []string{"select 1 + .5;"}},
		{"leaving", []string{".quit", "from a;"}, "", []string{".quit"}},
		{"nothing asked", []string{"", ";", " ; ;"}, "", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			shown, person := talk(t, c.lines...)
			if diff := cmp.Diff(c.want, shown); diff != "" {
				t.Errorf("shown (-want +got):\n%s", diff)
			}
			if diff := cmp.Diff(c.history, person.history); diff != "" {
				t.Errorf("history (-want +got):\n%s", diff)
			}
		})
	}
}

func TestPromptsTellFurtherLines(t *testing.T) {
	_, person := talk(t, "select 1", "from a;", "")
	if want := []string{first, further, first, first}; !slices.Equal(person.prompts, want) {
		t.Errorf("prompts %q, want %q", person.prompts, want)
	}
}

func TestHelpNamesEveryCommand(t *testing.T) {
	shown, _ := talk(t, ".help")
	for _, c := range commands {
		if !strings.Contains(shown, c) {
			t.Errorf("help says nothing of %s:\n%s", c, shown)
		}
	}
}

func TestCut(t *testing.T) {
	for text, want := range map[string]string{
		`select 'it''s;'; rest`:       `select 'it''s;'| rest`,
		`select e'a\';b'; x`:          `select e'a\';b'| x`,
		`select $$ ; $$; x`:           `select $$ ; $$| x`,
		`select $q$ $$ ; $q$; x`:      `select $q$ $$ ; $q$| x`,
		`select /* ; */ 1; x`:         `select /* ; */ 1| x`,
		"select 1 -- it's;\n; x":      "select 1 -- it's;| x",
		`select 'open;`:               `|select 'open;`,
		`select price$1, tag$x$ ; y`:  `select price$1, tag$x$| y`,
		`select "a;b" from "x""y;"; `: `select "a;b" from "x""y;"| `,
	} {
		statements, rest := cut(text)
		got := ""
		for _, s := range statements {
			got += s.text
		}
		if got+"|"+rest != want {
			t.Errorf("cut(%q) = %q, want %q", text, got+"|"+rest, want)
		}
	}
}

func TestComplete(t *testing.T) {
	folder := t.TempDir()
	t.Chdir(folder)
	for _, name := range []string{"lake/names.csv", "lake/more/x.csv", "secret.csv", "lake/.hidden"} {
		must.Succeed(t, errors.Join(os.MkdirAll(filepath.Dir(name), 0o777), os.WriteFile(name, nil, 0o666)))
	}
	c := Completer{Lake: parrot{}, Folder: "lake"}
	for begun, want := range map[string]string{
		"select * from l":              "leaderboard",
		"from v":                       "versus(",
		"from answers join ":           "answers leaderboard versus(",
		"SELECT o":                     "outcome overall on or order over",
		"select outc":                  "outcome",
		"from answers where o":         "outcome on or order over",
		"select answers.":              "outcome question_id",
		".d":                           ".describe",
		".describe le":                 "leaderboard",
		".format m":                    "markdown",
		"from '":                       "lake/",
		"from 'lake/n":                 "lake/names.csv",
		"from 'lake/names.csv' where ": "",
		"from 's":                      "",
	} {
		_, found, _ := c.Complete(begun, len(begun))
		if got := strings.Join(found, " "); got != want {
			t.Errorf("Complete(%q) = %q, want %q", begun, got, want)
		}
	}
	c.Outside = true
	if _, found, _ := c.Complete("from 's", 7); !slices.Equal(found, []string{"secret.csv"}) {
		t.Errorf("with outside access: %q", found)
	}
	if head, found, tail := c.Complete("select outc from answers", 11); head != "select " || tail != " from answers" || !slices.Equal(found, []string{"outcome"}) {
		t.Errorf("in the middle of a line: %q %q %q", head, found, tail)
	}
}

func FuzzCut(f *testing.F) {
	f.Add("select ';' -- x\n; $a$ ; $a$; e'\\'")
	f.Fuzz(func(t *testing.T, text string) {
		statements, rest := cut(text)
		for _, s := range statements {
			if !strings.Contains(text, s.text) || s.text == "" {
				t.Errorf("cut(%q) made the statement %q", text, s.text)
			}
		}
		if !strings.HasSuffix(text, rest) {
			t.Errorf("cut(%q) left %q", text, rest)
		}
	})
}
