package webtest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"

	"github.com/captionlake/captionlake/data/must"
)

// axePackage is the accessibility checker, in the version for which the tests were written.
const axePackage = "axe-core@4.14.1"

// axeScript is the script of axe-core, which npm installs into a temporary folder.
var axeScript = sync.OnceValues(func() (script string, err error) {
	dir, err := os.MkdirTemp("", "captionlake-axe-")
	if err != nil {
		return "", err
	}
	defer func() { _ = os.RemoveAll(dir) }()
	if out, err := exec.Command("npm", "install", "--prefix", dir,
		"--no-save", "--no-audit", "--no-fund", "--ignore-scripts", axePackage).CombinedOutput(); err != nil {
		return "", fmt.Errorf("npm cannot install %s: %w: %s", axePackage, err, out)
	}
	content, err := os.ReadFile(filepath.Join(dir, "node_modules", "axe-core", "axe.min.js"))
	return string(content), err
})

// askAxe is an expression in JavaScript: the serious and critical faults of the page in words.
const askAxe = `axe.run(document, {resultTypes: ["violations"], preload: false}).then((r) =>
	r.violations.filter((v) => v.impact === "serious" || v.impact === "critical").map((v) =>
		v.id + " (" + v.impact + "): " + v.help + "\n" + v.nodes.slice(0, 3).map((n) => n.html.slice(0, 200) + " " +
			(n.any[0]?.message ?? n.all[0]?.message ?? n.none[0]?.message ?? "")).join("\n")).join("\n"))`

// Axe fails the test for each serious or critical accessibility fault that axe-core finds on the
// page. It skips the test if axe-core is not available.
func (b *Tab) Axe(what string) {
	b.t.Helper()
	script, err := axeScript()
	if err != nil {
		b.t.Skip(err)
	}
	faults, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](script+"\n;"+askAxe, chromedp.EvalAwaitPromise))
	if err != nil || faults != "" {
		b.t.Errorf("%s: %s %v", what, faults, err)
	}
}

// Printed is the page as PDF.
func (b *Tab) Printed() []byte {
	b.t.Helper()
	return must.Get(chromedp.Call(b.ctx, page.PrintToPDF, page.PrintToPDFParams{}))(b.t).Data
}
