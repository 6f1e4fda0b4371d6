// Package shell is the conversation of captionlake sql: it reads statements and commands from a person, asks a lake, and shows what comes
// back. It knows neither DuckDB nor the lake's files: what it asks is a Lake, what it reads from an Editor.
package shell

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/peterh/liner"
)

// A Lake answers statements.
type Lake interface {
	// Ask answers one statement, without its closing semicolon, and returns the number of rows. An empty format is the one that was chosen
	// on the command line.
	Ask(ctx context.Context, statement, format string, out io.Writer) (rows int64, err error)
	// Relations lists what a statement can name, by reading the lake anew.
	Relations() ([]Relation, error)
	// Describe writes what is known of a relation. One that is not there is an error.
	Describe(name string, out io.Writer) error
	// List writes the relations whose names contain a text.
	List(part string, out io.Writer) error
	// Formats lists the forms of the rows that a terminal can show.
	Formats() []string
}

// A Relation is a table, a mart, a view or a macro.
type Relation struct {
	Name    string
	Macro   bool // called with values in parentheses
	Columns []string
}

// An Editor reads lines. liner.State is one.
type Editor interface {
	// Prompt returns a line without its end, io.EOF at the end of input, and liner.ErrPromptAborted when the person gave up the line.
	Prompt(prompt string) (string, error)
	AppendHistory(line string)
}

// A Shell is one conversation.
type Shell struct {
	Lake   Lake
	Editor Editor
	// Show shows a result, page by page when it is longer than the screen.
	Show func(result []byte) error
	// Fail tells the person of an error.
	Fail func(error)
	// During returns the context of one statement, which an interrupt cancels, and what ends it.
	During func() (context.Context, func())

	format string // of the rows; empty for that of the command line
}

// Prompts of a statement's first and further lines.
const (
	first   = "lake> "
	further = "  ...> "
)

const help = `Write a statement and end it with ;  or with \G to see each row as lines of column and value.

  .tables [TEXT]     list tables, marts and shortcuts, or those with TEXT in their names
  .describe NAME     say what a table, mart or shortcut is, and its columns
  .format [FORMAT]   choose the form of the rows: %s
  .help              print this
  .quit              leave, as Ctrl-D does

Tab completes names, Ctrl-R searches what was asked before, Ctrl-C gives up the line or the statement under way.
`

// Run reads and answers until the person leaves.
func (s *Shell) Run() error {
	var pending string
	for {
		prompt := first
		if pending != "" {
			prompt = further
		}
		line, err := s.Editor.Prompt(prompt)
		switch {
		case errors.Is(err, liner.ErrPromptAborted):
			pending = ""
			continue
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		if pending == "" {
			if strings.TrimSpace(line) == "" {
				continue
			}
			if command, ok := strings.CutPrefix(strings.TrimSpace(line), "."); ok {
				s.Editor.AppendHistory(strings.TrimSpace(line))
				if s.command(strings.Fields(command)) {
					return nil
				}
				continue
			}
		} else {
			pending += "\n"
		}
		statements, rest := cut(pending + line)
		for _, statement := range statements {
			s.remember(statement)
			s.answer(statement)
		}
		pending = rest
		if strings.TrimSpace(rest) == "" {
			pending = ""
		}
	}
}

// remember keeps a statement for another day: as one line where that says the same.
func (s *Shell) remember(statement statement) {
	text := statement.text
	if strings.Contains(text[strings.LastIndexByte(text, '\n')+1:], "--") {
		text += "\n" // The end may not become a part of the comment.
	}
	lines := strings.Split(text+statement.end, "\n")
	if statement.joinable {
		for i := range lines {
			lines[i] = strings.TrimSpace(lines[i])
		}
		lines = []string{strings.TrimSpace(strings.Join(lines, " "))}
	}
	for _, line := range lines {
		if strings.TrimSpace(line) != "" {
			s.Editor.AppendHistory(line)
		}
	}
}

func (s *Shell) answer(statement statement) {
	format := s.format
	if statement.end == asRecords {
		format = "records"
	}
	ctx, done := s.During()
	defer done()
	var out bytes.Buffer
	start := time.Now()
	rows, err := s.Lake.Ask(ctx, statement.text, format, &out)
	if err != nil {
		if ctx.Err() != nil {
			err = errors.New("interrupted")
		}
		s.Fail(err)
		return
	}
	fmt.Fprintf(&out, "%s in %.2f s\n", plural(rows, "row"), time.Since(start).Seconds())
	s.show(out.Bytes())
}

func (s *Shell) show(result []byte) {
	if err := s.Show(result); err != nil {
		s.Fail(err)
	}
}

func plural(n int64, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// command carries out a command, given without its dot, and reports whether it ends the conversation.
func (s *Shell) command(words []string) bool {
	var out bytes.Buffer
	var err error
	name, rest := "", ""
	if len(words) > 0 {
		name, rest = words[0], strings.TrimSuffix(strings.Join(words[1:], " "), ";")
	}
	switch strings.TrimSuffix(name, ";") {
	case "quit", "exit", "q":
		return true
	case "help":
		fmt.Fprintf(&out, help, strings.Join(s.Lake.Formats(), ", "))
	case "tables":
		err = s.Lake.List(rest, &out)
	case "describe":
		if rest == "" {
			err = errors.New("name what is to be described: .describe NAME")
		} else {
			err = s.Lake.Describe(rest, &out)
		}
	case "format":
		err = s.choose(rest)
	default:
		err = fmt.Errorf("there is no command .%s; .help lists them", name)
	}
	if err != nil {
		s.Fail(err)
		return false
	}
	s.show(out.Bytes())
	return false
}

// choose sets the form of the rows.
func (s *Shell) choose(format string) error {
	for _, f := range s.Lake.Formats() {
		if f == format {
			s.format = format
			return nil
		}
	}
	return fmt.Errorf("choose one of: %s", strings.Join(s.Lake.Formats(), ", "))
}
