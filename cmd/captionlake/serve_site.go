package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/captionlake/captionlake/analytics/ask"
	"github.com/captionlake/captionlake/analytics/build"
	"github.com/captionlake/captionlake/analytics/engine"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/plots/report"
	"github.com/captionlake/captionlake/plots/site"
)

// lookEvery is how often the lake is looked at, at most, while pages are asked for.
const lookEvery = 2 * time.Second

// A liveSite serves the site of a lake and makes it anew when the marts change. Until it is made, the one before is served.
type liveSite struct {
	app     *app
	ctx     context.Context // of the server
	lake    *data.Lake
	o       serveOptions
	said    atomic.Pointer[string] // what is to be known of the lake
	mu      sync.Mutex             // of now
	now     *builtSite
	looking sync.Mutex // by one request at a time
	looked  time.Time
	tables  string // state of the tables when the note was made
	making  bool
	made    sync.WaitGroup
}

// A builtSite is the site of some marts. Samples and rows are read when they are asked for.
type builtSite struct {
	pages  *site.Site
	reader *ask.Reader
	marts  string // their state before the pages were made
	users  sync.WaitGroup
}

func (a *app) openLiveSite(ctx context.Context, lake *data.Lake, o serveOptions) (*liveSite, error) {
	l := &liveSite{app: a, ctx: ctx, lake: lake, o: o}
	bar := a.progress()
	l.o.report.Progress = bar.told()
	b, err := l.build()
	bar.done()
	l.o.report.Progress = nil
	if err != nil {
		return nil, err
	}
	l.now = b
	return l, l.look()
}

func (l *liveSite) close() error {
	l.made.Wait()
	return l.now.reader.Close()
}

// note is what is to be known of the lake now; empty when nothing is.
func (l *liveSite) note() string {
	if said := l.said.Load(); said != nil {
		return *said
	}
	return ""
}

// build makes the site of the marts as they are.
func (l *liveSite) build() (b *builtSite, err error) {
	b = &builtSite{}
	if b.marts, err = stamp(l.lake, "marts"); err != nil {
		return nil, err
	}
	if err := mustBeWhole(l.lake); err != nil {
		return nil, err
	}
	if b.reader, err = ask.OpenReader(l.ctx, l.lake, engine.Options{}); err != nil {
		return nil, err
	}
	r, err := report.Build(l.ctx, b.reader, l.o.report)
	if err == nil {
		b.pages, err = site.Build(l.ctx, b.reader, r, site.Options{Links: siteLinks, Note: l.note})
	}
	if err != nil {
		return nil, errors.Join(err, b.reader.Close())
	}
	return b, nil
}

// look compares the lake with what is served.
func (l *liveSite) look() error {
	l.looking.Lock()
	defer l.looking.Unlock()
	if time.Since(l.looked) < lookEvery {
		return nil
	}
	l.looked = time.Now()
	marts, err := stamp(l.lake, "marts")
	if err != nil {
		return err
	}
	var folders []string
	for _, t := range data.Tables() {
		folders = append(folders, t.Name())
	}
	tables, err := stamp(l.lake, folders...)
	if err != nil {
		return err
	}
	now := l.use()
	defer now.users.Done()
	if marts != now.marts && !l.making {
		l.making = true
		l.made.Go(l.rebuild)
	}
	if tables+marts == l.tables {
		return nil
	}
	behind, err := build.Behind(l.lake)
	if err != nil {
		return nil // Marts are being written; the next look tells.
	}
	said := staleNote(l.lake)
	if len(behind) > 0 {
		said = fmt.Sprintf("The results are older than the tables %s: captionlake analyze makes them anew.", strings.Join(behind, ", "))
	}
	l.tables = tables + marts
	l.said.Store(&said)
	return nil
}

// rebuild makes the site anew and serves it from then on. Marts that are being written are tried again at the next look.
func (l *liveSite) rebuild() {
	b, err := l.build()
	if err == nil {
		l.mu.Lock()
		old := l.now
		l.now = b
		l.mu.Unlock()
		old.users.Wait()
		err = old.reader.Close()
	}
	if err != nil && l.ctx.Err() == nil {
		fmt.Fprintf(l.app.stderr, "Note: the pages were not made anew: %s\n", shown(err.Error()))
	}
	l.looking.Lock()
	l.making, l.looked = false, time.Now()
	l.looking.Unlock()
}

func (l *liveSite) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := l.look(); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	now := l.use()
	defer now.users.Done()
	now.pages.ServeHTTP(w, r)
}

// use is the site that is served now, which stays open until its users are done.
func (l *liveSite) use() *builtSite {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.now.users.Add(1)
	return l.now
}

// stamp is a digest of the names, sizes and times of change of the files in some of the lake's folders. It changes when files are written
// or removed, and opens none of them.
func stamp(l *data.Lake, folders ...string) (string, error) {
	var parts []string
	for _, folder := range folders {
		entries, err := os.ReadDir(l.Path(folder))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		for _, e := range entries {
			info, err := e.Info()
			if errors.Is(err, fs.ErrNotExist) {
				continue // It was replaced meanwhile; so is the stamp.
			}
			if err != nil {
				return "", err
			}
			parts = append(parts, folder, e.Name(), fmt.Sprint(info.Size(), info.ModTime().UnixNano()))
		}
	}
	return data.Fingerprint(parts...), nil
}
