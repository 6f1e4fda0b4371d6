package analytics

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/duckdb/duckdb-go/v2"
	"github.com/jedib0t/go-pretty/v6/text"
)

// inQuestion makes of an error in the statement that runs a question the error in the question: DuckDB shows the line of what it was given,
// which the asker did not write. Planned alone, the question has the same error with its own line. An error that only running it gives
// has no place that could be shown.
func (e *engine) inQuestion(ctx context.Context, err error, question string) error {
	var failed *duckdb.Error
	if !errors.As(err, &failed) || !strings.Contains(failed.Msg, "create temp table "+resultTable) {
		return err
	}
	planned, cause := e.conn.PrepareContext(ctx, question)
	if cause == nil {
		cause = planned.Close()
	}
	var own *duckdb.Error
	if errors.As(cause, &own) {
		return own
	}
	message, _, _ := strings.Cut(failed.Msg, "\n\nLINE ")
	return &duckdb.Error{Type: failed.Type, Msg: message}
}

// pointerWidth is how much of a long line is shown before and after the place of an error.
const pointerWidth = 50

// pointAt shows the line of a byte offset with a caret under its place, as DuckDB does.
func pointAt(question string, offset int) string {
	start := strings.LastIndexByte(question[:offset], '\n') + 1
	line, _, _ := strings.Cut(question[offset:], "\n")
	before, after := []rune(oneLine(question[start:offset])), []rune(oneLine(line))
	lead, tail := "", ""
	if len(before) > pointerWidth {
		lead, before = "…", before[len(before)-pointerWidth:]
	}
	if len(after) > pointerWidth {
		tail, after = "…", after[:pointerWidth]
	}
	label := fmt.Sprintf("LINE %d: %s%s", strings.Count(question[:start], "\n")+1, lead, string(before))
	return label + string(after) + tail + "\n" + strings.Repeat(" ", text.StringWidthWithoutEscSequences(label)) + "^"
}
