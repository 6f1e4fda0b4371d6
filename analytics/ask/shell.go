package ask

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/files"
	"github.com/captionlake/captionlake/data/spelling"
)

// LongestFile is the greatest length of a file of statements, in bytes. A file is read whole.
const LongestFile = 16 << 20

// A Shell answers the statements that a person types, one after another, with one reader. Commands
// of the person choose the form of the rows and the file that gets them.
type Shell struct {
	*Reader
	Options
	file string // gets the rows of the next statements; empty for the screen
}

// Answer answers a statement, or carries out a command: .mode, .read or .output. The rows go to the
// file of .output, or else to the screen, which is width columns wide. The number of rows always
// goes to the screen.
func (s *Shell) Answer(ctx context.Context, statement string, screen io.Writer, width int) (err error) {
	name, value, _ := strings.Cut(strings.TrimSuffix(statement, ";"), " ")
	value = strings.TrimSpace(value)
	switch {
	case !strings.HasPrefix(statement, "."): // It is SQL, which is answered below.
	case name == ".mode":
		if err := checkFormat(value); err != nil {
			return err
		}
		s.Format = value
		if IsBytes(value) && s.file == "" {
			fmt.Fprintln(screen, "Name a file with .output: this form is bytes that a terminal cannot show.")
		}
		return nil
	case name == ".output":
		s.file = value
		return nil
	case name == ".read" && value != "":
		content, err := data.ReadInput(value, LongestFile)
		if err != nil {
			return err
		}
		statement = string(content)
	default:
		return data.Errorf("list the commands with: .help", "there is no command %s", name)
	}
	began, o := time.Now(), s.Options
	var rows int64
	ask := func(w io.Writer) (err error) {
		rows, err = s.Query(ctx, statement, o, w)
		return err
	}
	if s.file != "" {
		o.Width, o.Rows = 0, cmp.Or(o.Rows, -1) // A file has all rows and columns.
		err = files.WriteWhole(s.file, 0o644, ask)
	} else {
		o.Width = width
		err = ask(screen)
	}
	switch {
	case ctx.Err() != nil:
		return errors.New("interrupted")
	case err == nil:
		_, err = fmt.Fprintf(screen, "%d rows in %.2f s\n", rows, time.Since(began).Seconds())
	}
	return err
}

// Complete finds the names of tables, marts, shortcuts and their columns that begin with the word
// before the cursor, which is a position in characters. head is the line before the word, and tail
// the line after the cursor.
func (s *Shell) Complete(line string, cursor int) (head string, names []string, tail string) {
	before := string([]rune(line)[:cursor])
	tail = string([]rune(line)[cursor:])
	start := strings.LastIndexAny(before, " \t(),.;=<>'\"") + 1
	word := strings.ToLower(before[start:])
	docs, err := LakeDocs(s.lake)
	if err != nil || word == "" { // Without names the person types on, so err is not reported.
		return before, nil, tail
	}
	for _, d := range docs {
		names = append(names, d.Name)
		for _, c := range d.Columns {
			names = append(names, c.Name)
		}
	}
	slices.Sort(names)
	names = slices.DeleteFunc(slices.Compact(names),
		func(name string) bool { return !strings.HasPrefix(name, word) })
	return before[:start], names, tail
}

// checkFormat refuses an unknown form of rows.
func checkFormat(format string) error {
	if slices.Contains(Formats(), format) {
		return nil
	}
	return data.Errorf(spelling.Meant("choose one of: "+strings.Join(Formats(), ", "), Formats(), format),
		"there is no output format %q", format)
}

// IsBytes reports whether a form is bytes that a terminal cannot show. pdf and png are forms of
// figures.
func IsBytes(format string) bool {
	return slices.Contains([]string{"parquet", "arrow", "pdf", "png"}, format)
}
