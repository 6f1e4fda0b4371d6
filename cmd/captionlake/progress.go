package main

import (
	"context"
	"fmt"
	"os"
	"strings"
	"time"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"

	"github.com/captionlake/captionlake/analytics"
	"github.com/captionlake/captionlake/data"
)

// A progress is a bar on standard error with how much is done of how much, the rate and the time left. It shows nothing unless standard
// error is a terminal and people, rather than programs, read the result.
type progress struct{ bar *progressbar.ProgressBar }

func isTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }

// progress starts a bar, of bytes or of whatever the command counts.
func (a *app) progress(of ...progressbar.Option) progress {
	f, ok := a.stderr.(*os.File)
	if !ok || a.quiet || a.asJSON || !isTerminal(f) {
		return progress{}
	}
	return progress{progressbar.NewOptions64(-1, append([]progressbar.Option{
		progressbar.OptionSetWriter(f), progressbar.OptionShowCount(), progressbar.OptionShowIts(), progressbar.OptionSetPredictTime(true),
		progressbar.OptionSetElapsedTime(true), progressbar.OptionClearOnFinish(), progressbar.OptionThrottle(100_000_000),
	}, of...)...)}
}

// inBytes makes a bar count bytes.
func inBytes() progressbar.Option { return progressbar.OptionShowBytes(true) }

// at says what is worked on and how far it is; total is 0 when it is not known. The bar's only errors come from its writer, and a bar that
// cannot be drawn is no reason to stop.
func (p progress) at(what string, done, total int) {
	if p.bar == nil {
		return
	}
	if total == 0 {
		total = -1
	}
	if p.bar.GetMax() != total {
		p.bar.ChangeMax(total)
	}
	p.bar.Describe(what)
	_ = p.bar.Set(done)
}

// told is what is called for the bar; nil where none is shown, so that nothing is counted for it.
func (p progress) told() func(what string, done, total int) {
	if p.bar == nil {
		return nil
	}
	return p.at
}

func (p progress) done() {
	if p.bar != nil {
		_ = p.bar.Finish()
	}
}

// compute builds every SQL model whose inputs have changed, with a bar.
func (a *app) compute(ctx context.Context, lake *data.Lake, o analytics.RunOptions) ([]analytics.ModelReport, error) {
	bar := a.progress()
	defer bar.done()
	o.Progress = bar.told()
	return analytics.Analyze(ctx, lake, o)
}

// next says which command comes next, or which ones may: && leads from one to the next. On a terminal it says how long this one took.
func (a *app) next(commands ...string) {
	if a.quiet || a.asJSON {
		return
	}
	name := "captionlake "
	if a.lakeDir != defaultLake {
		name += "--lake " + a.lakeDir + " "
	}
	for i, c := range commands {
		commands[i] = name + strings.ReplaceAll(c, "&& ", "&& "+name)
	}
	fmt.Fprintf(a.stdout, "\nNext: %s\n", strings.Join(commands, ", or "))
	if f, ok := a.stderr.(*os.File); ok && isTerminal(f) {
		fmt.Fprintf(f, "Done in %v.\n", time.Since(a.began).Round(time.Second/10))
	}
}
