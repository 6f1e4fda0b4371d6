package plots

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/must"
)

// column is a column of a paper of two columns.
var column = Page{Width: 237.6, Bare: true} // 3.3 inches

// checkPages checks the text of a drawing of a figure and of the same figure in a column of a paper. With PLOTS_OUT set the latter is kept
// there, to be looked at.
func checkPages(f Figure, ts Tables, d *Drawing) error {
	narrow, err := f.Draw(ts, column)
	if err != nil && strings.Contains(err.Error(), "make it wider") {
		return d.Check()
	}
	if err != nil {
		return err
	}
	faults := d.Check()
	if err := narrow.Check(); err != nil {
		faults = errors.Join(faults, fmt.Errorf("in a column: %w", err))
	}
	if err := narrow.keep(f.Name + "_column"); err != nil {
		return err
	}
	return faults
}

// A bare page is as wide as asked for, says neither title nor source, and still says that rows are simulated.
func TestBarePage(t *testing.T) {
	ts := smallTables(t)
	whole, err := leaderboard.Draw(ts, Page{})
	must.Succeed(t, err)
	d, err := leaderboard.Draw(ts, column)
	must.Succeed(t, err)
	if w, h := d.Size(); w != column.Width || h <= d.Height {
		t.Errorf("the page measures %v by %v, the body is %v high", w, h, d.Height)
	}
	labels, err := d.Labels()
	must.Succeed(t, err)
	var text strings.Builder
	for _, l := range labels {
		text.WriteString(l.Text + "\n")
	}
	for _, s := range []string{"What captions let", "Source", "Score: 1 for"} {
		if strings.Contains(text.String(), s) {
			t.Errorf("%q is on the page", s)
		}
	}
	if !strings.Contains(text.String(), "SIMULATED") {
		t.Error("the page does not say that its rows are simulated")
	}
	title, caption := d.Caption()
	if wholeTitle, _ := whole.Caption(); title != wholeTitle || !strings.Contains(caption, "Source: mart captionqa_main") || !strings.Contains(caption, "SIMULATED") {
		t.Errorf("the caption is %q, %q", title, caption)
	}
}

// Type that is too small for print is found.
func TestSmallType(t *testing.T) {
	faults := checkLabels([]Label{{Text: "tiny", Size: 5}}, 100, 100)
	if err := errors.Join(faults...); err == nil || !strings.Contains(err.Error(), `"tiny" is set in 5.0 points; 6 are the least`) {
		t.Errorf("faults: %v", faults)
	}
}
