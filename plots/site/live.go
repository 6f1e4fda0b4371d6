package site

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/http"
	"os"
	"sync"
	"sync/atomic"
	"time"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/plots/report"
)

// LookEvery is how often the lake is looked at, at most, while pages are asked for.
const LookEvery = 2 * time.Second

// LiveOptions say what a live site is made from.
type LiveOptions struct {
	Report report.Options
	Links  []Link                                        // as for a site
	Open   func(ctx context.Context) (LiveSource, error) // opens the marts as they are
	Know   func() (string, error)                        // a note about the lake; empty without a note
	Failed func(error)                                   // told why the pages were not made anew
}

// A LiveSource is closed when its pages are not served any more.
type LiveSource interface {
	Source
	io.Closer
}

// A Live serves the site of a lake, and makes the site anew when the marts change. Until the new
// site is made, the earlier site is served.
type Live struct {
	ctx context.Context // of the server
	LiveOptions
	lake    *data.Lake
	note    atomic.Value // the text of Note
	mu      sync.Mutex   // guards served
	served  *builtSite
	looking sync.Mutex // guards looked, noted and making
	looked  time.Time  // when the lake was looked at last
	noted   string     // state of the tables and the marts when the note was made
	making  bool       // a new site is being made
	made    sync.WaitGroup
}

// A builtSite is the site of some marts. Samples and rows are read when they are asked for.
type builtSite struct {
	pages  *Site
	source LiveSource
	marts  string // state of the marts before the pages were made
	users  sync.WaitGroup
}

// OpenLive makes the site of a lake. The Live serves the site until the Live is closed. After an
// error of look the source of the site stays open, because a program that cannot serve ends.
func OpenLive(ctx context.Context, lake *data.Lake, o LiveOptions) (*Live, error) {
	l := &Live{ctx: ctx, lake: lake, LiveOptions: o}
	b, err := l.build()
	if err != nil {
		return nil, err
	}
	l.served, l.Report.Progress = b, nil // Sites that are made anew show no progress.
	return l, l.look()
}

// Close waits for pages that are being made, and closes the source of the pages that are served.
func (l *Live) Close() error {
	l.made.Wait()
	return l.served.source.Close()
}

// Note returns the note about the lake now. The text is empty without a note.
func (l *Live) Note() string {
	note, _ := l.note.Load().(string)
	return note
}

// build makes the site of the marts as they are.
func (l *Live) build() (b *builtSite, err error) {
	b = &builtSite{}
	if b.marts, err = stateOf(l.lake, "marts"); err != nil {
		return nil, err
	}
	if b.source, err = l.Open(l.ctx); err != nil {
		return nil, err
	}
	r, err := report.Build(l.ctx, b.source, l.Report)
	if err == nil {
		b.pages, err = Build(l.ctx, b.source, r, Options{Links: l.Links, Note: l.Note})
	}
	if err != nil {
		return nil, errors.Join(err, b.source.Close())
	}
	return b, nil
}

// look compares the lake with the site that is served. If the marts have changed, look starts to
// make the site anew. If the tables or the marts have changed, look asks Know for the note again.
func (l *Live) look() error {
	l.looking.Lock()
	defer l.looking.Unlock()
	if time.Since(l.looked) < LookEvery {
		return nil
	}
	l.looked = time.Now()
	marts, err := stateOf(l.lake, "marts")
	if err != nil {
		return err
	}
	var folders []string
	for _, t := range data.Tables() {
		folders = append(folders, t.Name())
	}
	tables, err := stateOf(l.lake, folders...)
	if err != nil {
		return err
	}
	served := l.use()
	defer served.users.Done()
	if marts != served.marts && !l.making {
		l.making = true
		l.made.Go(l.rebuild)
	}
	if tables+marts == l.noted {
		return nil
	}
	note, err := l.Know()
	if err != nil {
		return nil // Marts are being written. The next look asks Know again.
	}
	l.noted = tables + marts
	l.note.Store(note)
	return nil
}

// rebuild makes a new site and serves the new site from then on. If the marts are being written,
// rebuild fails, and a later look starts rebuild again.
func (l *Live) rebuild() {
	b, err := l.build()
	if err == nil {
		l.mu.Lock()
		old := l.served
		l.served = b
		l.mu.Unlock()
		old.users.Wait()
		err = old.source.Close()
	}
	if err != nil && l.ctx.Err() == nil {
		l.Failed(err)
	}
	l.looking.Lock()
	l.making, l.looked = false, time.Now() // A site that failed is tried again after LookEvery.
	l.looking.Unlock()
}

// ServeHTTP answers with the files of the site that is served now, after a look at the lake.
func (l *Live) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if err := l.look(); err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	served := l.use()
	defer served.users.Done()
	served.pages.ServeHTTP(w, r)
}

// use returns the site that is served now. The site stays open until the caller calls users.Done.
func (l *Live) use() *builtSite {
	l.mu.Lock()
	defer l.mu.Unlock()
	l.served.users.Add(1)
	return l.served
}

// stateOf returns a digest of the names, sizes and times of change of the files in some of the
// lake's folders. The digest changes when files are written or removed. No file is opened for it.
func stateOf(l *data.Lake, folders ...string) (string, error) {
	var parts []string
	for _, folder := range folders {
		entries, err := os.ReadDir(l.Path(folder))
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return "", err
		}
		for _, e := range entries {
			info, err := e.Info()
			if errors.Is(err, fs.ErrNotExist) {
				continue // The file was replaced meanwhile, so the digest changes in any case.
			}
			if err != nil {
				return "", err
			}
			parts = append(parts, folder, e.Name(), fmt.Sprint(info.Size(), info.ModTime().UnixNano()))
		}
	}
	return data.Fingerprint(parts...), nil
}
