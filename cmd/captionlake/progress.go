package main

import (
	"context"
	"fmt"
	"os"
	"strconv"
	"strings"
	"time"

	"github.com/jedib0t/go-pretty/v6/text"
	"golang.org/x/term"

	"github.com/captionlake/captionlake/analytics/build"
	"github.com/captionlake/captionlake/data"
)

// A progress is a line on standard error. It says what is worked on, how much of it is done, how
// fast, and the time left. It shows nothing in the first half second. It also shows nothing unless
// standard error is a terminal and people, rather than programs, read the result.
type progress struct {
	to     *os.File // nil to show nothing
	count  func(n int) string
	began  time.Time
	latest time.Time // when the line was last drawn
}

func isTerminal(f *os.File) bool { return term.IsTerminal(int(f.Fd())) }

// progress starts a line about whatever the command counts.
func (a *app) progress() *progress {
	p := &progress{count: strconv.Itoa, began: time.Now()}
	if !a.quiet && !a.asJSON {
		p.to = terminalOf(a.stderr)
	}
	return p
}

// inBytes makes it count bytes.
func (p *progress) inBytes() *progress {
	p.count = func(n int) string { return size(int64(n)) }
	return p
}

// at says what is worked on and how far it is; total is 0 when it is not known. The work goes on if
// the line cannot be drawn.
func (p *progress) at(what string, done, total int) {
	now := time.Now()
	if p.to == nil || now.Sub(p.began) < time.Second/2 || now.Sub(p.latest) < time.Second/10 {
		return
	}
	p.latest = now
	line := what + "  " + p.count(done)
	if total > 0 && done > 0 {
		each := now.Sub(p.began) / time.Duration(done)
		line += " of " + p.count(total)
		if each < time.Second {
			line += ", " + p.count(int(time.Second/max(each, 1))) + "/s"
		}
		if done > total/50 { // The first of many says little: it may have waited for a resource that all need.
			line += ", " + (each * time.Duration(total-done)).Round(time.Second).String() + " left"
		}
	}
	if width, _, err := term.GetSize(int(p.to.Fd())); err == nil && width > 0 {
		line = text.Trim(line, width-1)
	}
	fmt.Fprint(p.to, "\r\x1b[K", line)
}

// told returns the function that reports progress on the line. It returns nil where no line is
// shown, so that nothing is counted for the line.
func (p *progress) told() func(what string, done, total int) {
	if p.to == nil {
		return nil
	}
	return p.at
}

func (p *progress) done() {
	if p.to != nil {
		fmt.Fprint(p.to, "\r\x1b[K")
	}
}

// compute builds every SQL model whose inputs have changed, with a bar.
func (a *app) compute(ctx context.Context, lake *data.Lake, o build.Options) ([]build.Report, error) {
	bar := a.progress()
	defer bar.done()
	o.Progress = bar.told()
	return build.Analyze(ctx, lake, o)
}

// next says which command comes next, or which ones may: && leads from one to the next. On a
// terminal it says how long this one took.
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
	a.say("\nNext: %s\n", strings.Join(commands, ", or "))
	a.tellTime()
}

// tellTime says on a terminal how long the command took.
func (a *app) tellTime() {
	if terminalOf(a.stderr) != nil && !a.quiet {
		fmt.Fprintf(a.stderr, "Done in %v.\n", time.Since(a.began).Round(time.Second/10))
	}
}
