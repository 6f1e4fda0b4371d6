package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/peterh/liner"
	"golang.org/x/term"

	"github.com/captionlake/captionlake/analytics"
	"github.com/captionlake/captionlake/analytics/shell"
	"github.com/captionlake/captionlake/data"
)

// isShell reports whether the program talks to a person: standard input and output are terminals.
func (a *app) isShell() bool {
	in, isIn := a.stdin.(*os.File)
	out, isOut := a.stdoutFile()
	return isIn && isOut && isTerminal(in) && isTerminal(out)
}

// screen is the size of the terminal that standard output is; zeros when it is none.
func (a *app) screen() (width, height int) {
	f, ok := a.stdoutFile()
	if !ok {
		return 0, 0
	}
	width, height, err := term.GetSize(int(f.Fd()))
	if err != nil {
		return 0, 0
	}
	return width, height
}

// sqlShell asks a person for statements until the person leaves.
func (a *app) sqlShell(ctx context.Context, lake *data.Lake, options analytics.QueryOptions) (err error) {
	session, err := analytics.OpenSession(ctx, lake, options.Engine, options.AllowOutside)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, session.Close()) }()
	asked := &shellLake{app: a, session: session, options: options}

	editor := liner.NewLiner()
	defer func() { err = errors.Join(err, editor.Close()) }()
	editor.SetCtrlCAborts(true)
	editor.SetTabCompletionStyle(liner.TabPrints)
	editor.SetWordCompleter(shell.Completer{Lake: asked, Folder: lake.Dir(), Outside: options.AllowOutside}.Complete)
	history, err := openHistory(editor)
	if err != nil {
		fmt.Fprintf(a.stderr, "Note: what you ask is not kept for later: %v\n", err)
	}
	defer func() { err = errors.Join(err, history.save(editor)) }()

	// An interrupt ends a statement and not the shell. That it is listened to all the time keeps it from ending the program.
	interrupts := make(chan os.Signal, 1)
	signal.Notify(interrupts, os.Interrupt)
	defer signal.Stop(interrupts)
	s := &shell.Shell{
		Lake: asked, Editor: editor, Show: a.page, Fail: func(err error) { printError(a.stderr, err) },
		During: func() (context.Context, func()) {
			select {
			case <-interrupts:
			default:
			}
			during, cancel := context.WithCancel(context.WithoutCancel(ctx))
			go func() {
				select {
				case <-interrupts:
					cancel()
				case <-during.Done():
				}
			}()
			return during, cancel
		},
	}
	fmt.Fprintf(a.stdout, "captionlake %s, lake %s. Statements end with ; and .help lists commands.\n", data.Version, lake.Dir())
	return s.Run()
}

// shellLake is a lake as the shell asks it.
type shellLake struct {
	app     *app
	session *analytics.Session
	options analytics.QueryOptions

	relations []shell.Relation
	read      time.Time
}

func (l *shellLake) Ask(ctx context.Context, statement, format string, out io.Writer) (int64, error) {
	o := l.options
	if format != "" {
		o.Format = format
	}
	o.Width, _ = l.app.screen()
	report, err := l.session.Query(ctx, statement, o, out)
	return report.Rows, err
}

// Relations are read again when they are older than a few seconds: completion asks at every tab.
func (l *shellLake) Relations() ([]shell.Relation, error) {
	if time.Since(l.read) < 5*time.Second {
		return l.relations, nil
	}
	docs, err := l.session.Docs()
	if err != nil {
		return nil, err
	}
	l.relations, l.read = nil, time.Now()
	for _, d := range docs {
		r := shell.Relation{Name: d.Name, Macro: d.Use != ""}
		for _, c := range d.Columns {
			r.Columns = append(r.Columns, c.Name)
		}
		l.relations = append(l.relations, r)
	}
	return l.relations, nil
}

func (l *shellLake) Describe(name string, out io.Writer) error {
	docs, err := l.session.Docs()
	if err != nil {
		return err
	}
	chosen, err := chooseDocs(docs, []string{name})
	if err != nil {
		return err
	}
	width, _ := l.app.screen()
	printDoc(out, chosen[0], width)
	return nil
}

func (l *shellLake) List(part string, out io.Writer) error {
	docs, err := l.session.Docs()
	if err != nil {
		return err
	}
	docs = slices.DeleteFunc(docs, func(d analytics.Doc) bool { return !strings.Contains(d.Name, strings.ToLower(part)) })
	if len(docs) == 0 {
		return data.WithHint(fmt.Errorf("no name has %q in it", part), "list all of them with: .tables")
	}
	width, _ := l.app.screen()
	listDocs(out, docs, width)
	return nil
}

func (l *shellLake) Formats() []string {
	return slices.DeleteFunc(analytics.Formats(), analytics.IsBinary)
}

// page shows a text through $PAGER, or else less, when it is longer than the screen and there is such a program.
func (a *app) page(content []byte) error {
	_, height := a.screen()
	pager, chosen := os.LookupEnv("PAGER")
	if !chosen {
		if _, err := exec.LookPath("less"); err == nil {
			pager = "less"
		}
	}
	if words := strings.Fields(pager); len(words) > 0 && height > 0 && bytes.Count(content, []byte("\n")) >= height {
		c := exec.Command(words[0], words[1:]...)
		c.Stdin, c.Stderr = bytes.NewReader(content), a.stderr
		c.Stdout, _ = a.stdoutFile() // The pager asks it for its size.
		c.Env = os.Environ()
		if os.Getenv("LESS") == "" {
			c.Env = append(c.Env, "LESS=FSX", "LESSCHARSET=utf-8") // lines are not folded; nothing is obeyed that looks like a command to the terminal
		}
		err := c.Run()
		var ended *exec.ExitError
		if err == nil || errors.As(err, &ended) {
			return nil // What a person does with a pager is no failure.
		}
		fmt.Fprintf(a.stderr, "Note: %v; set PAGER to a program that shows a text page by page, or to nothing\n", err)
	}
	_, err := a.stdout.Write(content)
	return err
}

// A history is the file of what was asked before.
type history struct{ file string }

// historyFile is where it is: in the folder for the state of the user's programs.
func historyFile() (string, error) {
	folder := os.Getenv("XDG_STATE_HOME")
	if !filepath.IsAbs(folder) {
		home, err := os.UserHomeDir()
		if err != nil {
			return "", err
		}
		folder = filepath.Join(home, ".local", "state")
	}
	return filepath.Join(folder, "captionlake", "sql_history"), nil
}

// openHistory reads what was asked before. Without a place for it, nothing is kept.
func openHistory(editor *liner.State) (h history, err error) {
	file, err := historyFile()
	if err != nil {
		return h, err
	}
	if err := os.MkdirAll(filepath.Dir(file), 0o700); err != nil {
		return h, err
	}
	f, err := os.OpenFile(file, os.O_RDONLY|os.O_CREATE, 0o600)
	if err != nil {
		return h, err
	}
	_, err = editor.ReadHistory(f)
	return history{file}, errors.Join(err, f.Close())
}

// save replaces the file: only its owner can read it, as a question may hold what others should not see.
func (h history) save(editor *liner.State) error {
	if h.file == "" {
		return nil
	}
	return writeFile(h.file, 0o600, func(w io.Writer) error {
		_, err := editor.WriteHistory(w)
		return err
	})
}

// writeFile writes a file anew and puts it into its place when it is whole.
func writeFile(name string, mode os.FileMode, write func(io.Writer) error) (err error) {
	f, err := os.CreateTemp(filepath.Dir(name), "."+filepath.Base(name)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(f.Name()))
		}
	}()
	err = write(f)
	if err == nil {
		err = f.Chmod(mode)
	}
	if err == nil {
		err = f.Sync()
	}
	if err = errors.Join(err, f.Close()); err != nil {
		return err
	}
	return os.Rename(f.Name(), name)
}

// listDocs writes a line for each table, mart and shortcut.
func listDocs(out io.Writer, docs []analytics.Doc, width int) {
	var rows []table.Row
	for _, d := range docs {
		grain := d.Grain
		if d.Kind == analytics.KindTable {
			grain = "one row: " + d.What + "; key: " + strings.Join(d.Key, ", ")
		}
		if grain == "" {
			grain = d.Use
		}
		what := d.What
		if d.Kind == analytics.KindTable {
			what = ""
		}
		rows = append(rows, table.Row{d.Kind, d.Name, strings.TrimPrefix(what+"; "+grain, "; ")})
	}
	printTable(out, table.Row{"kind", "name", "what it is; what a row is"}, fitRows(rows, width))
}
