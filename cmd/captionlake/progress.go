package main

import (
	"io"
	"os"

	"github.com/schollz/progressbar/v3"
	"golang.org/x/term"
)

// A progress is a bar on standard error. It shows nothing unless that is a terminal.
type progress struct{ bar *progressbar.ProgressBar }

func isTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }

// progress starts a bar. total is -1 when it is not known.
func (a *app) progress(what string, total int64) progress {
	var w io.Writer = io.Discard
	if f, ok := a.stderr.(*os.File); ok && isTerminal(f) && !a.quiet {
		w = f
	}
	return progress{progressbar.NewOptions64(total,
		progressbar.OptionSetWriter(w), progressbar.OptionSetDescription(what), progressbar.OptionShowCount(),
		progressbar.OptionShowIts(), progressbar.OptionSetPredictTime(true), progressbar.OptionClearOnFinish(), progressbar.OptionThrottle(100_000_000))}
}

// step counts one and says what it was.
func (p progress) step(what string) {
	p.bar.Describe(what)
	p.add(1)
}

// at says what is worked on and how far it is; total is 0 when it is not known.
func (p progress) at(what string, done, total int) {
	if total == 0 {
		total = -1
	}
	if p.bar.GetMax() != total {
		p.bar.ChangeMax(total)
	}
	p.bar.Describe(what)
	_ = p.bar.Set(done)
}

// add counts. The bar's only errors come from its writer, and a progress bar that cannot be drawn is no reason to stop.
func (p progress) add(n int64) { _ = p.bar.Add64(n) }

func (p progress) done() { _ = p.bar.Finish() }
