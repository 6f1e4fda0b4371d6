// Package webtest drives a headless Chromium in tests of pages for people: it opens a page as a
// person would, presses keys, reads the page and takes pictures of it. A test fails if the page
// wrote an error to the console, threw an exception, or sent a request to another server.
//
// For tests that need no browser the package has a visitor without scripts, a lake with pictures,
// and a server.
//
// Only tests import the package. The package knows nothing of the pages that it opens.
package webtest

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"path"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/input"
	"github.com/chromedp/cdproto/log"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

// programs are the names under which Chromium's program may be installed.
var programs = []string{"chromium-headless-shell", "headless_shell", "chromium", "chromium-browser", "google-chrome"}

// patience is how long a page may take to show something.
const patience = 20 * time.Second

// Options are a reader's window and settings.
type Options struct {
	Width, Height int64 // of the window, in pixels
	Dark          bool
	Phone         bool // touch, no mouse
	FontSize      int  // the reader's own font size, in pixels; 0 for the browser's
}

// Windows are the settings of readers with small windows or large fonts.
func Windows() map[string]Options {
	return map[string]Options{
		"phone":       {Width: 390, Height: 844, Phone: true},
		"phone-dark":  {Width: 390, Height: 844, Phone: true, Dark: true},
		"phone-large": {Width: 390, Height: 844, Phone: true, FontSize: 32},
		"tablet":      {Width: 820, Height: 1180},
		"large":       {Width: 1440, Height: 900, FontSize: 32},
		"low":         {Width: 1280, Height: 600},
	}
}

// A Tab is one window of a separate browser.
type Tab struct {
	t      *testing.T
	ctx    context.Context
	origin string // beginning of the addresses that the page may request

	mu     sync.Mutex
	faults []string // the events that no page may cause
}

// Open starts a browser at an address. The test is skipped if no Chromium is installed. Because a
// browser takes seconds to start, the test is also skipped without CAPTIONLAKE_SLOW=1.
func Open(t *testing.T, address string, o Options) *Tab {
	t.Helper()
	laketest.Slow(t, "drives a browser")
	program := ""
	for i := 0; i < len(programs) && program == ""; i++ {
		program, _ = exec.LookPath(programs[i])
	}
	if program == "" {
		t.Skip("no Chromium is installed; Debian's package is chromium-headless-shell")
	}
	if o.Width == 0 {
		o.Width, o.Height = 1440, 900
	}
	options := append(chromedp.DefaultExecAllocatorOptions[:], chromedp.ExecPath(program), chromedp.NoSandbox,
		chromedp.WindowSize(int(o.Width), int(o.Height)), chromedp.Flag("hide-scrollbars", false))
	if o.FontSize > 0 {
		options = append(options, chromedp.Flag("blink-settings", "defaultFontSize="+strconv.Itoa(o.FontSize)))
	}
	allocated, stop := chromedp.NewExecAllocator(context.Background(), options...)
	t.Cleanup(stop)
	ctx, cancel := chromedp.NewContext(allocated)
	t.Cleanup(cancel)
	at := must.Get(url.Parse(address))(t)
	tab := &Tab{t: t, ctx: ctx, origin: at.Scheme + "://" + at.Host}
	if at.Scheme == "file" { // The page may request nothing outside the folder of its file.
		tab.origin += path.Dir(at.Path)
	}
	must.Succeed(t, chromedp.Listen(ctx, tab.listen)) // This starts the browser, which lives as long as ctx.
	t.Cleanup(func() {
		tab.mu.Lock()
		defer tab.mu.Unlock()
		for _, fault := range tab.faults {
			t.Error(fault)
		}
	})
	scheme := "light"
	if o.Dark {
		scheme = "dark"
	}
	features := []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}}
	var viewport []chromedp.EmulateViewportOption
	if o.Phone {
		features = append(features, &emulation.MediaFeature{Name: "hover", Value: "none"},
			&emulation.MediaFeature{Name: "pointer", Value: "coarse"})
		viewport = append(viewport, chromedp.EmulateMobile, chromedp.EmulateTouch, chromedp.EmulateScale(2))
	}
	must.Get(chromedp.Call(ctx, emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{Features: features}))(t)
	must.Get(chromedp.Call(ctx, log.Enable, cdp.Empty{}))(t)
	tab.do(chromedp.EmulateViewport(o.Width, o.Height, viewport...), chromedp.Navigate(address))
	return tab
}

// listen records events that no page may cause.
func (b *Tab) listen(event any) {
	fault := ""
	switch e := event.(type) {
	case *runtime.EventExceptionThrown:
		x := e.ExceptionDetails
		fault = fmt.Sprint("exception: ", x.Text, x.URL, ":", x.LineNumber, " ", x.Exception)
	case *runtime.EventConsoleAPICalled:
		if e.Type == runtime.ConsoleAPICalledTypeError || e.Type == runtime.ConsoleAPICalledTypeWarning {
			fault = "console: " + fmt.Sprint(e.Args)
		}
	case *log.EventEntryAdded:
		if e.Entry.Level == log.EntryLevelError || e.Entry.Level == log.EntryLevelWarning {
			fault = "log: " + e.Entry.Text + " " + e.Entry.URL
		}
	case *network.EventRequestWillBeSent:
		if !strings.HasPrefix(e.Request.URL, b.origin+"/") {
			fault = "request to elsewhere: " + e.Request.URL
		}
	case *page.EventJavascriptDialogOpening:
		fault = "the page opened a dialog: " + e.Message
	}
	if fault != "" {
		b.mu.Lock()
		defer b.mu.Unlock()
		b.faults = append(b.faults, fault)
	}
}

// do takes steps in the browser. If a step fails or takes too long, the test stops and shows the
// text of the page.
func (b *Tab) do(steps ...chromedp.Action[chromedp.Void]) {
	b.t.Helper()
	ctx, cancel := context.WithTimeout(b.ctx, patience)
	defer cancel()
	if err := chromedp.Do(ctx, steps...); err != nil {
		shown, _ := chromedp.Run(b.ctx, chromedp.Text(chromedp.CSS("body")))
		b.t.Fatalf("%v; the page shows: %s", err, shown)
	}
}

// Goto opens another address.
func (b *Tab) Goto(address string) { b.t.Helper(); b.do(chromedp.Navigate(address)) }

// Fits fails the test if the page is wider than the window.
func (b *Tab) Fits(what string) {
	b.t.Helper()
	width := b.Script(`document.documentElement.scrollWidth + " in " + innerWidth`)
	if b.Script(`document.documentElement.scrollWidth > innerWidth`) != "false" {
		b.t.Errorf("%s: the page is wider than the window: %s", what, width)
	}
}

// Reload loads the page again.
func (b *Tab) Reload() { b.t.Helper(); b.do(chromedp.Reload()) }

// Press presses a key wherever the focus is, as a person would.
func (b *Tab) Press(key string) { b.t.Helper(); b.do(chromedp.KeyEvent(key, asKeyboard)) }

// Chord presses a key together with Ctrl.
func (b *Tab) Chord(key string) {
	b.t.Helper()
	b.do(chromedp.KeyEvent(key, asKeyboard, chromedp.KeyModifiers(chromedp.ModifierCtrl)))
}

// asKeyboard presses a key as a keyboard does: a key that the page handles gives no character.
func asKeyboard(p *input.DispatchKeyEventParams) {
	if p.Type == input.DispatchKeyEventTypeKeyDown {
		p.Type = input.DispatchKeyEventTypeRawKeyDown
	}
}

// Insert writes a text where the focus is.
func (b *Tab) Insert(text string) {
	b.t.Helper()
	must.Get(chromedp.Call(b.ctx, input.InsertText, input.InsertTextParams{Text: text}))(b.t)
}

// Type writes into a field and sends its form.
func (b *Tab) Type(selector, text string) {
	b.t.Helper()
	b.do(chromedp.SendKeys(chromedp.CSS(selector), text+"\r"))
}

// Click clicks an element.
func (b *Tab) Click(selector string) { b.t.Helper(); b.do(chromedp.Click(chromedp.CSS(selector))) }

// Await waits until an element's text contains another text.
func (b *Tab) Await(selector, text string) {
	b.t.Helper()
	b.await(fmt.Sprintf("document.querySelector(%q)?.innerText ?? ''", selector), selector, text, strings.Contains)
}

// AwaitValue waits until an expression's value equals a text.
func (b *Tab) AwaitValue(expression, want string) {
	b.t.Helper()
	b.await("String("+expression+")", expression, want, func(got, want string) bool { return got == want })
}

// await waits until a page is loaded and the value of an expression matches want. The message of a
// failure calls the value by the name what.
func (b *Tab) await(expression, what, want string, matches func(got, want string) bool) {
	b.t.Helper()
	script := "document.readyState === 'complete' ? " + expression + " : ''"
	last := ""
	for end := time.Now().Add(patience); time.Now().Before(end); time.Sleep(20 * time.Millisecond) {
		shown, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](script))
		if err == nil && matches(shown, want) {
			return
		}
		last = shown // After an error it is empty: the browser is just leaving a page.
	}
	b.t.Fatalf("%s is not %q but %q", what, want, last)
}

// Script evaluates an expression in the page and returns its value as text.
func (b *Tab) Script(expression string) string {
	b.t.Helper()
	value, err := chromedp.Run(b.ctx, chromedp.Evaluate[string]("String("+expression+")"))
	if err != nil {
		b.t.Fatalf("%s: %v", expression, err)
	}
	return value
}

// Picture writes a picture of the window, for people to look at, into the folder that
// CAPTIONLAKE_SCREENSHOTS names. Without this variable, Picture does nothing.
func (b *Tab) Picture(name string) {
	b.t.Helper()
	folder := os.Getenv("CAPTIONLAKE_SCREENSHOTS")
	if folder == "" {
		return
	}
	content := must.Get(chromedp.Run(b.ctx, chromedp.CaptureScreenshot()))(b.t)
	must.Succeed(b.t, os.WriteFile(filepath.Join(folder, name+".png"), content, 0o666))
}
