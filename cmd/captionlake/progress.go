package main

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/jedib0t/go-pretty/v6/text"
	"golang.org/x/term"

	"github.com/captionlake/captionlake/analytics/build"
	"github.com/captionlake/captionlake/data"
)

// A bar is a line that shows progress on the terminal behind standard error. The next write to
// standard output or standard error erases the line.
type bar struct {
	to    *os.File // the terminal; nil to show nothing
	drawn atomic.Bool
}

func (b *bar) erase() {
	if b != nil && b.drawn.Swap(false) {
		fmt.Fprint(b.to, eraseLine)
	}
}

const eraseLine = "\r\x1b[K"

func isTerminal(stream any) bool {
	f, ok := stream.(*os.File)
	return ok && term.IsTerminal(int(f.Fd()))
}

// progress returns the function that draws the bar, with plain numbers.
func (a *app) progress() func(what string, done, total int) { return a.progressIn(strconv.Itoa) }

// progressIn returns the function that draws the bar, with numbers as count writes them. The bar
// shows the task, how much is done, how fast, and the time left; an unknown total is 0. The
// function draws nothing in the first half second, and then ten times a second at most. If nobody
// would see the bar, progressIn returns nil, and the callers count nothing.
func (a *app) progressIn(count func(n int) string) func(what string, done, total int) {
	a.bar.to = terminalOf(a.stderr)
	if a.bar.to == nil || a.quiet || a.asJSON {
		return nil
	}
	began, drawn := time.Now(), time.Time{}
	return func(what string, done, total int) {
		now := time.Now()
		if now.Sub(began) < time.Second/2 || now.Sub(drawn) < time.Second/10 {
			return
		}
		drawn = now
		line := what + "  " + count(done)
		if total > 0 && done > 0 {
			each := now.Sub(began) / time.Duration(done)
			line += " of " + count(total)
			if each < time.Second {
				line += ", " + count(int(time.Second/max(each, 1))) + "/s"
			}
			// The first 2% of the items say little about the rest, because they may have waited for a server
			// to start.
			if done > total/50 {
				line += ", " + (each * time.Duration(total-done)).Round(time.Second).String() + " left"
			}
		}
		if width := screenWidth(a.stderr); width > 0 { // eraseLine would not erase a line that wraps.
			line = text.Trim(line, width-1)
		}
		fmt.Fprint(a.bar.to, eraseLine, line)
		a.bar.drawn.Store(true)
	}
}

// compute builds every SQL model with changed inputs, with a bar.
func (a *app) compute(lake *data.Lake, o build.Options) ([]build.Report, error) {
	o.Progress = a.progress()
	return build.Analyze(a.context, lake, o)
}

// next prints the commands that may come next. A text may have several commands, with "&& " between
// them. On a terminal next also prints how long this command took.
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
