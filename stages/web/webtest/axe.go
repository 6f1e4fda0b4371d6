package webtest

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/cdproto/runtime"
	"github.com/chromedp/chromedp"

	"github.com/captionlake/captionlake/data/must"
)

// axePackage is the accessibility checker, in the version for which the tests were written.
const axePackage = "axe-core@4.14.1"

// axeScript is the script of axe-core, which npm installs into a temporary folder; without it, the
// reason.
var axeScript = sync.OnceValues(func() (script, reason string) {
	dir, err := os.MkdirTemp("", "captionlake-axe-")
	if err != nil {
		return "", err.Error()
	}
	defer func() { _ = os.RemoveAll(dir) }()
	npm, err := exec.LookPath("npm")
	if err != nil {
		return "", "npm is not installed, which brings axe-core"
	}
	out, err := exec.Command(npm, "install", "--prefix", dir,
		"--no-save", "--no-audit", "--no-fund", "--ignore-scripts", axePackage).CombinedOutput()
	if err != nil {
		return "", "npm cannot install " + axePackage + ": " + strings.TrimSpace(string(out))
	}
	content, err := os.ReadFile(filepath.Join(dir, "node_modules", "axe-core", "axe.min.js"))
	if err != nil {
		return "", err.Error()
	}
	return string(content), ""
})

// NeedAxe skips the test if axe-core is not available.
func NeedAxe(t *testing.T) {
	t.Helper()
	if _, reason := axeScript(); reason != "" {
		t.Skip(reason)
	}
}

// Axe fails the test for each serious or critical accessibility fault that axe-core finds on the
// page.
func (b *Tab) Axe(what string) {
	b.t.Helper()
	script, reason := axeScript()
	if reason != "" {
		b.t.Skip(reason)
	}
	if _, err := chromedp.Call(b.ctx, runtime.Evaluate, runtime.EvaluateParams{Expression: script}); err != nil {
		b.t.Fatal("axe-core does not start")
	}
	const ask = `axe.run(document, {resultTypes: ["violations"], preload: false}).then((r) => JSON.stringify(r.violations.map((v) =>
		({id: v.id, impact: v.impact, help: v.help, nodes: v.nodes.slice(0, 3).map((n) => n.html.slice(0, 200) + " " + (n.any[0]?.message ?? n.all[0]?.message ?? n.none[0]?.message ?? "")) }))))`
	given, err := chromedp.Call(b.ctx, runtime.Evaluate,
		runtime.EvaluateParams{Expression: ask, AwaitPromise: ptr(true), ReturnByValue: ptr(true)})
	must.Succeed(b.t, err)
	var text string
	if err := json.Unmarshal(given.Result.Value, &text); err != nil {
		b.t.Fatalf("%s: axe says %s: %v", what, given.Result.Value, err)
	}
	var violations []struct {
		ID, Impact, Help string
		Nodes            []string
	}
	must.Succeed(b.t, json.Unmarshal([]byte(text), &violations))
	for _, v := range violations {
		if v.Impact == "serious" || v.Impact == "critical" {
			b.t.Errorf("%s: %s (%s): %s\n%s", what, v.ID, v.Impact, v.Help, strings.Join(v.Nodes, "\n"))
		}
	}
}

// Printed is the page as PDF.
func (b *Tab) Printed() []byte {
	b.t.Helper()
	given, err := chromedp.Call(b.ctx, page.PrintToPDF, page.PrintToPDFParams{})
	must.Succeed(b.t, err)
	return given.Data
}

func ptr[T any](v T) *T { return &v }
