package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/stages/web/webtest"
)

// The sites of the demo's lake and of a simulated lake open from a disk. No page writes an error to
// the browser's console, loads anything from outside the site, or is wider than a phone. axe-core
// finds no serious fault on the pages that people open first.
func TestSitesOpenInABrowser(t *testing.T) {
	laketest.Slow(t, "drives a browser over a hundred pages of each site")
	simulated := filepath.Join(t.TempDir(), "lake")
	command(t, "--lake", simulated, "simulate", "--scale", "0.02")
	command(t, "--lake", simulated, "analyze")
	for name, lake := range map[string]string{"demo": demoLake(t), "simulated": simulated} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "report")
			command(t, "--lake", lake, "report", "--out", dir)
			var pages []string
			must.Succeed(t, filepath.WalkDir(dir, func(path string, _ fs.DirEntry, err error) error {
				if strings.HasSuffix(path, ".html") {
					pages = append(pages, path)
				}
				return err
			}))
			expect.Equal(t, len(pages) >= 100, true, "pages of the site")
			at := "file://" + filepath.ToSlash(dir) + "/"
			wide := webtest.Open(t, at+"index.html", webtest.Options{})
			for _, p := range []string{"index", "benchmarks/captionqa", "benchmarks/caparena", "agreement", "models",
				"models/gpt-4o", "figures", "audit", "provenance", "marts/captionqa_ranks",
				"tables/table_03_main_published"} {
				wide.Goto(at + p + ".html")
				wide.Axe(p)
				wide.Picture("site-" + name + "-" + filepath.Base(p))
			}
			phone := webtest.Open(t, at+"index.html", webtest.Windows()["phone"])
			for _, p := range pages {
				phone.Goto("file://" + filepath.ToSlash(p))
				expect.Equal(t,
					phone.Script(`document.documentElement.scrollWidth - document.documentElement.clientWidth`), "0", p)
			}
		})
	}
}

// pageServer is a command while it serves a page.
type pageServer struct {
	*exec.Cmd
	t       *testing.T
	address string
	said    string // before the address
	stdout  bytes.Buffer
}

// startPage starts a command that serves a page, on a free port, and waits for its address.
func startPage(t *testing.T, args ...string) *pageServer {
	t.Helper()
	s := &pageServer{t: t, Cmd: exec.Command(program(t), append(args, "--port", "0", "--json")...)}
	s.Stdout = &s.stdout
	printed := must.Get(s.StderrPipe())(t)
	must.Succeed(t, s.Start())
	t.Cleanup(func() { _ = s.Process.Kill() }) // A test that failed has left it.
	lines := bufio.NewReader(printed)
	for s.address == "" {
		line, err := lines.ReadString('\n')
		if err != nil {
			t.Fatalf("no address: %v: %s%s", err, s.said, line)
		}
		s.said += line
		if at, found := strings.CutPrefix(line, "Open "); found {
			s.address = strings.TrimSpace(at)
		}
	}
	return s
}

// visitor opens the page.
func (s *pageServer) visitor(name string) *webtest.Visitor {
	s.t.Helper()
	base, token, _ := strings.Cut(s.address, "/?token=")
	return webtest.NewVisitor(s.t, base, token, name)
}

// stop ends the command as a service manager or Ctrl-C would, and reads its result.
func (s *pageServer) stop(signal os.Signal, result any) {
	s.t.Helper()
	must.Succeed(s.t, s.Process.Signal(signal))
	must.Succeed(s.t, s.Wait())
	must.Succeed(s.t, json.Unmarshal(s.stdout.Bytes(), result))
}
