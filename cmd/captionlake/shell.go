package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/peterh/liner"
	"golang.org/x/term"

	"github.com/captionlake/captionlake/analytics/ask"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/files"
)

// isShell reports whether the program talks to a person: standard input and output are terminals.
func (a *app) isShell() bool {
	in, isFile := a.stdin.(*os.File)
	return isFile && isTerminal(in) && terminalOf(a.stdout) != nil
}

// screenWidth returns the number of columns of the terminal behind standard output. It returns 0
// without a terminal.
func screenWidth(w io.Writer) int {
	f := terminalOf(w)
	if f == nil {
		return 0
	}
	width, _, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0
	}
	return width
}

// A sqlShell asks a person for statements and answers them.
type sqlShell struct {
	app     *app
	session *ask.Session
	lake    *data.Lake
	options ask.Options
	editor  *liner.State
	out     string // file that gets the rows of the next statements; empty for the screen
}

const shellHelp = `A statement goes on until a line that ends with ;

  .tables [TEXT]    list tables, marts and shortcuts, or say what the one with this name is
  .mode FORM        form of the rows: %s
  .read FILE        run the statements in a file
  .output [FILE]    write the rows of further statements to a file, or to the screen again
  .help             print this
  .quit             leave, as Ctrl-D does

Tab completes names, Ctrl-R searches what was asked before, Ctrl-C gives up the line or the statement under way. For more, open the
lake's own database: duckdb %s
`

// runShell asks a person for statements until the person leaves.
func (a *app) runShell(ctx context.Context, lake *data.Lake, options ask.Options) (err error) {
	session, err := ask.Open(ctx, lake, options.Engine, options.AllowOutside)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, session.Close()) }()
	s := &sqlShell{app: a, session: session, lake: lake, options: options, editor: liner.NewLiner()}
	defer func() { err = errors.Join(err, s.editor.Close()) }()
	s.editor.SetCtrlCAborts(true)
	s.editor.SetTabCompletionStyle(liner.TabPrints)
	s.editor.SetWordCompleter(s.complete)
	if file, err := historyFile(); err != nil {
		fmt.Fprintf(a.stderr, "Note: what you ask is not kept for later: %v\n", err)
	} else {
		if f, err := os.Open(file); err == nil {
			_, _ = s.editor.ReadHistory(f) // What cannot be read is not offered.
			_ = f.Close()
		}
		defer func() {
			err = errors.Join(err, files.WriteWhole(file, 0o600, func(w io.Writer) error { _, err := s.editor.WriteHistory(w); return err }))
		}()
	}
	fmt.Fprintf(a.stdout, "captionlake %s, lake %s. Statements end with ; and .help lists commands.\n", data.Version, lake.Dir())
	for statement := ""; ; {
		prompt := "lake> "
		if statement != "" {
			prompt = "  ...> "
		}
		line, err := s.editor.Prompt(prompt)
		switch {
		case errors.Is(err, liner.ErrPromptAborted):
			statement = ""
			continue
		case errors.Is(err, io.EOF), statement == "" && strings.TrimSpace(line) == ".quit":
			return nil
		case err != nil:
			return err
		}
		statement = strings.TrimSpace(statement + "\n" + line)
		command := strings.HasPrefix(statement, ".")
		if statement == "" || !command && !strings.HasSuffix(statement, ";") {
			continue
		}
		s.editor.AppendHistory(strings.Join(strings.Fields(statement), " "))
		if command {
			err = s.command(ctx, strings.TrimSuffix(statement, ";"), lake.Dir())
		} else {
			err = s.answer(ctx, statement)
		}
		if err != nil {
			printError(a.stderr, err)
		}
		statement = ""
	}
}

// answer answers a statement. An interrupt ends it and not the shell.
func (s *sqlShell) answer(ctx context.Context, statement string) error {
	ctx, stop := signal.NotifyContext(context.WithoutCancel(ctx), os.Interrupt)
	defer stop()
	start := time.Now()
	options, file := s.options, s.out
	rows := int64(0)
	ask := func(w io.Writer) error {
		report, err := s.session.Query(ctx, statement, options, w)
		rows = report.Rows
		return err
	}
	var err error
	if file == "" {
		options.Width = screenWidth(s.app.stdout)
		err = ask(s.app.stdout)
	} else {
		err = files.WriteWhole(file, 0o644, ask)
	}
	switch {
	case ctx.Err() != nil:
		return errors.New("interrupted")
	case err != nil:
		return err
	}
	fmt.Fprintf(s.app.stdout, "%s rows in %.2f s\n", count(rows), time.Since(start).Seconds())
	return nil
}

// command carries out a command.
func (s *sqlShell) command(ctx context.Context, line, lake string) error {
	name, value, _ := strings.Cut(line, " ")
	value = strings.TrimSpace(value)
	switch {
	case name == ".help":
		fmt.Fprintf(s.app.stdout, shellHelp, strings.Join(ask.Formats(), ", "), filepath.Join(lake, "captionlake.duckdb"))
	case name == ".tables":
		return s.tables(value)
	case name == ".mode" && slices.Contains(ask.Formats(), value):
		if s.options.Format = value; isBytes(value) && s.out == "" {
			fmt.Fprintln(s.app.stdout, "Name a file with .output: this form is bytes that a terminal cannot show.")
		}
	case name == ".mode":
		return fmt.Errorf("choose one of: %s", strings.Join(ask.Formats(), ", "))
	case name == ".read" && value != "":
		content, err := data.ReadInput(value, maxQueryBytes)
		if err != nil {
			return err
		}
		return s.answer(ctx, string(content))
	case name == ".output":
		s.out = value
	default:
		return fmt.Errorf("there is no command %s; .help lists them", line)
	}
	return nil
}

func (s *sqlShell) tables(part string) error {
	docs, err := ask.LakeDocs(s.lake)
	if err != nil {
		return err
	}
	if i := slices.IndexFunc(docs, func(d ask.Doc) bool { return d.Name == part }); i >= 0 {
		printDoc(s.app.stdout, docs[i])
		return nil
	}
	docs = slices.DeleteFunc(docs, func(d ask.Doc) bool { return !strings.Contains(d.Name, strings.ToLower(part)) })
	if len(docs) == 0 {
		return data.WithHint(fmt.Errorf("no name has %q in it", part), "list all of them with: .tables")
	}
	listDocs(s.app.stdout, docs)
	return nil
}

// complete completes the name of a table, mart, shortcut or of their columns before the cursor.
func (s *sqlShell) complete(line string, cursor int) (head string, names []string, tail string) {
	before := string([]rune(line)[:cursor])
	tail = string([]rune(line)[cursor:])
	start := strings.LastIndexAny(before, " \t(),.;=<>'\"") + 1
	word := strings.ToLower(before[start:])
	docs, err := ask.LakeDocs(s.lake)
	if err != nil || word == "" {
		return before, nil, tail
	}
	for _, d := range docs {
		names = append(names, d.Name)
		for _, c := range d.Columns {
			names = append(names, c.Name)
		}
	}
	slices.Sort(names)
	names = slices.DeleteFunc(slices.Compact(names), func(n string) bool { return !strings.HasPrefix(n, word) })
	return before[:start], names, tail
}

// historyFile is the file of the earlier statements. It is in the folder for the state of the
// user's programs, which only the owner can read.
func historyFile() (string, error) {
	folder := os.Getenv("XDG_STATE_HOME")
	if !filepath.IsAbs(folder) {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", err
		}
		folder = filepath.Join(home, ".local", "state")
	}
	folder = filepath.Join(folder, "captionlake")
	return filepath.Join(folder, "sql_history"), os.MkdirAll(folder, 0o700)
}

// listDocs writes a line for each table, mart and shortcut.
func listDocs(out io.Writer, docs []ask.Doc) {
	var rows []table.Row
	for _, d := range docs {
		what := d.What
		if d.Kind == ask.KindTable {
			what = "one row: " + what
		}
		if len(d.Key) > 0 {
			what += "; key: " + strings.Join(d.Key, ", ")
		} else if d.Use != "" {
			what += "; " + d.Use
		}
		rows = append(rows, table.Row{d.Kind, d.Name, what})
	}
	printTable(out, table.Row{"kind", "name", "what it is"}, rows)
}
