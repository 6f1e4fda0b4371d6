package main

import (
	"bytes"
	"cmp"
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"golang.org/x/sync/errgroup"

	"github.com/captionlake/captionlake/analytics/ask"
	"github.com/captionlake/captionlake/analytics/build"
	"github.com/captionlake/captionlake/analytics/engine"
	"github.com/captionlake/captionlake/analytics/sqlmodel"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/files"
)

func (a *app) sqlCommand() *cobra.Command {
	var options ask.Options
	var file, out string
	c := &cobra.Command{
		Use:   "sql [QUERY]",
		Short: "Ask the lake a question in SQL",
		Long: `Ask the lake a question in SQL. A query names tables and marts by their names. It has one select or
several, and is the argument, the file that --file names, or standard input. On a terminal without a query the
command is a shell with line editing, a history and completion of names; .help lists the shell's commands. For
more, use DuckDB's own shell: duckdb LAKE/captionlake.duckdb.

Shortcuts answer frequent questions; the lake's DuckDB file has them, too:
` + shortcutHelp() + `

A query can read only the lake's files. It cannot write, and functions that do more than read are
refused. --allow-outside removes these limits.

Marts and small tables that a query names are compared with their recorded digests, big tables (answers,
calls, captions, judgments, element_answers, battles, votes, embeddings) with their sizes alone. Files that a
query reads by their own names are not compared: status --verify compares every byte.

The form arrow is a file of Arrow's IPC format with its footer, also in a pipe: a reader of streams skips its
first 8 bytes. Its types are the types of the form parquet, except that UUID and JSON are text and intervals
are exact. The forms csv and json print numbers exactly. A spreadsheet takes a CSV field that begins with =
+ - or @ for a formula: import such columns as text.`,
		Example: `  captionlake sql "from leaderboard('Simple')"
  captionlake sql "select question, winner from versus('gpt-5', 'gpt-4o')"
  captionlake sql --file query.sql --out result.parquet
  captionlake sql --format arrow "from leaderboard" > leaderboard.arrow
  captionlake sql --format markdown "from gap('gpt-5')"
  echo "describe answers" | captionlake sql`,
		Args: cobra.MaximumNArgs(1),
		RunE: func(_ *cobra.Command, args []string) error {
			if err := a.chooseFormat(&options, out); err != nil {
				return err
			}
			if len(args) == 0 && file == "" && out == "" && isTerminal(a.stdin) && terminalOf(a.stdout) != nil {
				lake, err := a.readLake()
				if err != nil {
					return err
				}
				a.noteBehind(build.Behind(lake))
				return a.runShell(lake, options)
			}
			query, err := a.queryText(args, file)
			if err != nil {
				return err
			}
			lake, err := a.readLake()
			if err != nil {
				return err
			}
			return a.answerQuery(lake, query, options, out)
		},
	}
	flags(c,
		&file, "file", "file that holds the query",
		&options.Engine.Unlocked, "allow-outside", "let SQL write, and reach other files and extensions",
		&options.Format, "format, f",
		"form of the rows: "+strings.Join(ask.Formats(), ", ")+" (default: the ending of --out, or table)",
		&out, "out, o", "file that gets the rows once all are there, instead of standard output",
	)
	memoryFlag(c, &options.Engine)
	return c
}

// chooseFormat completes the options with the form of the rows and the terminal's width. The first
// of these that is given decides the form: --format, the ending of the file, --json. A binary form
// is refused for a terminal.
func (a *app) chooseFormat(options *ask.Options, out string) error {
	ending := strings.TrimPrefix(strings.ToLower(filepath.Ext(out)), ".")
	known := append(ask.Formats(), "md")
	switch {
	case options.Format != "":
		// --format has decided.
	case slices.Contains(known, ending):
		options.Format = ending
	case a.asJSON:
		options.Format = "json"
	default:
		options.Format = "table"
	}
	if options.Format == "md" {
		options.Format = "markdown"
	}
	options.Width = screenWidth(a.stdout)
	if out == "" && options.Width > 0 && ask.IsBytes(options.Format) {
		return a.usage(data.WithHint(fmt.Errorf("the format %s is bytes that a terminal cannot show", options.Format),
			"write it to a file: --out result.%s", options.Format))
	}
	return nil
}

// answerQuery writes the rows of a query to a file, or to standard output if no file is named. It
// also warns if marts that the query names are older than the tables.
func (a *app) answerQuery(lake *data.Lake, query string, options ask.Options, out string) error {
	var behind []string
	var comparing errgroup.Group // The comparison reads tables, so it runs beside the query.
	comparing.Go(func() (err error) { behind, err = build.Behind(lake, ask.MartsIn(query)...); return err })
	defer func() {
		err := comparing.Wait()
		a.noteBehind(behind, err)
	}()
	removeLimit, err := engine.LimitMemory(options.Engine, 2, 2<<30) // twice DuckDB's memory and 2 GB
	if err != nil {
		return err
	}
	defer removeLimit()
	if out != "" {
		options.Width, options.Rows = 0, cmp.Or(options.Rows, -1) // A file has no terminal, and all rows.
	}
	return a.writeTo(out, func(w io.Writer) error {
		_, err := ask.Query(a.context, lake, query, options, w)
		return err
	})
}

// writeTo writes to a file, which appears when it is whole. Without a name it writes to standard
// output.
func (a *app) writeTo(file string, write func(io.Writer) error) error {
	if file == "" {
		return write(a.stdout)
	}
	return files.WriteWhole(file, 0o644, write)
}

// withComments returns the arguments with a blank before a query that begins with an SQL comment,
// because the query would be read as a flag otherwise.
func withComments(args []string) []string {
	args = slices.Clone(args)
	for i, arg := range args {
		if comment.MatchString(arg) && slices.Contains(args[:i], "sql") {
			args[i] = " " + arg
		}
	}
	return args
}

// comment matches an argument that begins with an SQL comment. A flag does not match: it has no
// blank, or has blanks only after =.
var comment = regexp.MustCompile(`^--[^=\s]*\s`)

// shortcutHelp describes the shortcuts for the help text, a line for each.
func shortcutHelp() string {
	var lines []string
	for _, s := range sqlmodel.Shortcuts() {
		lines = append(lines, fmt.Sprintf("- %s: %s", s.Use(), s.What))
	}
	return strings.Join(lines, "\n")
}

// queryText takes the query from the argument, the file or standard input.
func (a *app) queryText(args []string, file string) (string, error) {
	var query []byte
	var err error
	switch {
	case len(args) > 0 && file != "":
		return "", a.usage(errors.New("give the query as an argument or with --file, not both"))
	case len(args) > 0:
		query = []byte(args[0])
	case file != "":
		query, err = data.ReadInput(file, ask.LongestFile)
	case !isTerminal(a.stdin): // On a terminal nobody would know that a query is expected.
		query, err = io.ReadAll(io.LimitReader(a.stdin, ask.LongestFile+1))
		if len(query) > ask.LongestFile {
			err = fmt.Errorf("the query has more than %d bytes", ask.LongestFile)
		}
	}
	if err == nil && len(bytes.TrimSpace(query)) == 0 {
		err = a.usage(data.Errorf("give one as an argument: captionlake sql \"from leaderboard\"", "there is no query"))
	}
	return string(query), err
}
