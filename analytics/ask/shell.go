package ask

import (
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

// A Shell answers the statements of a person by one reader. It keeps the form and the file of the rows.
type Shell struct {
	*Reader
	Options
	file string // that gets the rows of the next statements; empty for the screen
}

// Answer answers a statement, or carries out a command: .mode, .read or .output. The screen gets the rows, unless there
// is a file for them, and their number. The screen is so many columns wide.
func (s *Shell) Answer(ctx context.Context, statement string, screen io.Writer, width int) (err error) {
	name, value, _ := strings.Cut(strings.TrimSuffix(statement, ";"), " ")
	value = strings.TrimSpace(value)
	switch {
	case !strings.HasPrefix(statement, "."):
	case name == ".mode":
		if s.Format, err = value, known(value); err == nil && IsBytes(value) && s.file == "" {
			fmt.Fprintln(screen, "Name a file with .output: this form is bytes that a terminal cannot show.")
		}
		return err
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
	began, o, rows := time.Now(), s.Options, int64(0)
	ask := func(w io.Writer) (err error) {
		rows, err = s.Query(ctx, statement, o, w)
		return err
	}
	if s.file != "" {
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

// Complete completes the name of a table, mart, shortcut or of their columns before the cursor.
func (s *Shell) Complete(line string, cursor int) (head string, names []string, tail string) {
	before := string([]rune(line)[:cursor])
	tail = string([]rune(line)[cursor:])
	start := strings.LastIndexAny(before, " \t(),.;=<>'\"") + 1
	word := strings.ToLower(before[start:])
	docs, err := LakeDocs(s.lake)
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

// known refuses an unknown form of rows.
func known(format string) error {
	if slices.Contains(Formats(), format) {
		return nil
	}
	return data.Errorf(spelling.Meant("choose one of: "+strings.Join(Formats(), ", "), Formats(), format),
		"there is no output format %q", format)
}

// IsBytes reports whether a form is bytes that a terminal cannot show.
func IsBytes(format string) bool {
	return slices.Contains([]string{"parquet", "arrow", "pdf", "png"}, format)
}
