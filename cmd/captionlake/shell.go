package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/peterh/liner"
	"golang.org/x/term"

	"github.com/captionlake/captionlake/analytics/ask"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/files"
)

// screenWidth returns the number of columns of the terminal behind standard output. It returns 0
// without a terminal.
func screenWidth(w io.Writer) (width int) {
	if f := terminalOf(w); f != nil {
		width, _, _ = term.GetSize(int(f.Fd())) // 0 if the terminal does not say it
	}
	return width
}

const shellHelp = `A statement goes on until a line that ends with ;

  .tables [TEXT]    list tables, marts and shortcuts, or describe the one with this name
  .mode FORM        form of the rows: %s
  .read FILE        run the statements in a file
  .output [FILE]    write the rows of further statements to a file, or to the screen again
  .help             print this
  .quit             leave, as Ctrl-D does

Tab completes names, Ctrl-R searches earlier statements, Ctrl-C cancels the line or the running statement.
For more, open the lake's own database: duckdb %s
`

// textOrComment matches a quoted text, or a comment with the end of its line. The history keeps a
// statement in one line, where a comment would hide what follows it.
var textOrComment = regexp.MustCompile(`('[^']*'|"[^"]*")|--.*(\n)`)

// runShell reads statements from the terminal and answers them until the person leaves. An
// interrupt ends the running statement and not the shell.
func (a *app) runShell(lake *data.Lake, options ask.Options) (err error) {
	reader, err := ask.OpenReader(a.context, lake, options.Engine)
	if err != nil {
		return err
	}
	shell := ask.Shell{Reader: reader, Options: options}
	editor := liner.NewLiner()
	defer func() { err = errors.Join(err, editor.Close(), shell.Close()) }()
	editor.SetCtrlCAborts(true)
	editor.SetTabCompletionStyle(liner.TabPrints)
	editor.SetWordCompleter(shell.Complete)
	if file, failed := historyFile(); failed != nil {
		a.warn(fmt.Sprintf("the statements are not kept for later: %v", failed))
	} else {
		if f, err := os.Open(file); err == nil {
			_, _ = editor.ReadHistory(f) // The history ends at a line that cannot be read.
			_ = f.Close()
		}
		write := func(w io.Writer) error { _, err := editor.WriteHistory(w); return err }
		defer func() { err = errors.Join(err, files.WriteWhole(file, 0o600, write)) }()
	}
	a.say("captionlake %s, lake %s. Statements end with ; and .help lists commands.\n", data.Version, lake.Dir())
	for statement := ""; ; {
		prompt := "lake> "
		if statement != "" {
			prompt = "  ...> "
		}
		line, err := editor.Prompt(prompt)
		switch {
		case errors.Is(err, liner.ErrPromptAborted):
			statement = ""
			continue
		case errors.Is(err, io.EOF):
			return nil
		case err != nil:
			return err
		}
		statement = strings.TrimSpace(statement + "\n" + line)
		whole := strings.HasPrefix(statement, ".") || strings.HasSuffix(statement, ";")
		if !whole {
			continue
		}
		editor.AppendHistory(strings.ReplaceAll(textOrComment.ReplaceAllString(statement, "$1$2"), "\n", " "))
		name, value, _ := strings.Cut(strings.TrimSuffix(statement, ";"), " ")
		switch name {
		case ".quit":
			return nil
		case ".help":
			a.say(shellHelp, strings.Join(ask.Formats(), ", "), lake.Path("captionlake.duckdb"))
		case ".tables":
			err = a.listTables(lake, strings.TrimSpace(value))
		default:
			// An earlier interrupt may have ended a.context, and the shell goes on.
			ctx, stop := signal.NotifyContext(context.WithoutCancel(a.context), os.Interrupt)
			err = shell.Answer(ctx, statement, a.stdout, screenWidth(a.stdout))
			stop()
		}
		if err != nil {
			printError(a.stderr, err)
		}
		statement = ""
	}
}

// listTables describes the table, mart or shortcut with the name text. If no name equals the text,
// listTables lists all names that contain the text.
func (a *app) listTables(lake *data.Lake, text string) error {
	docs, err := ask.LakeDocs(lake)
	if err != nil {
		return err
	}
	if i := slices.IndexFunc(docs, func(d ask.Doc) bool { return d.Name == text }); i >= 0 {
		a.printDoc(docs[i])
		return nil
	}
	docs = slices.DeleteFunc(docs, func(d ask.Doc) bool { return !strings.Contains(d.Name, strings.ToLower(text)) })
	if len(docs) == 0 {
		return data.Errorf("list all names with: .tables", "no name has %q in it", text)
	}
	a.listDocs(docs)
	return nil
}

// historyFile returns the path of the file with earlier statements, and makes its folder. Only the
// user can read the folder.
func historyFile() (string, error) {
	folder := os.Getenv("XDG_STATE_HOME")
	if !filepath.IsAbs(folder) { // The variable is not set, or relative, which the XDG specification forbids.
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
func (a *app) listDocs(docs []ask.Doc) {
	t := newTable("kind | name | what it is")
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
		t.add(d.Kind, d.Name, what)
	}
	a.print(t)
}
