package remote

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"sync"
	"time"

	"golang.org/x/sync/errgroup"

	"github.com/captionlake/captionlake/data"
)

// PushOptions say how a lake is pushed.
type PushOptions struct {
	Prefer   string                             // data.PreferOurs or data.PreferTheirs; empty is an error where units differ
	Remove   []string                           // units that the lake in storage shall not have any more
	Marts    bool                               // the lake's marts are those of its tables, so that they may be pushed
	Progress func(what string, done, total int) // bytes of files; nil for none
}

// A Pushed says what a push has done with the units of the lake.
type Pushed struct {
	Remote   string `json:"remote"`
	Commit   int64  `json:"commit"`   // number of the commit that counts now
	Added    int    `json:"added"`    // units that were not there
	Replaced int    `json:"replaced"` // units that are later than those there, or preferred
	Joined   int    `json:"joined"`   // units that have the rows of both now
	Same     int    `json:"same"`     // units of equal rows
	Kept     int    `json:"kept"`     // units of which those there are later, or preferred
	Others   int    `json:"others"`   // units there that the lake does not have
	Removed  int    `json:"removed"`
	Marts    int    `json:"marts"` // marts of the commit that are the lake's
	Files    int    `json:"files"` // files that were transferred
	Bytes    int64  `json:"bytes"` // of these
	Requests int64  `json:"requests"`
}

const (
	mostTries = 100 // commits of others that a push meets before it gives up
	mostGone  = 5   // tries that end because a file has gone
	// grace is how old what no commit names must be before it is swept. A push uses what it finds there only while it is younger than half of
	// that, and gives up when it takes longer than the other half: so no sweep takes what a push is about to commit.
	grace = 7 * 24 * time.Hour
)

// Push copies what the lake at the address does not have, and commits it in one step: before it readers see the former state, after it
// the whole new one. Nothing but PushOptions.Remove removes a unit there: units are joined by the rules of data.Lake.Merge, also with
// those of another push that commits meanwhile. Marts are pushed when the lake has every unit of the commit. The same call carries on a
// push that was interrupted. Units that differ are an error that wraps data.ErrUnitsDiffer.
func Push(ctx context.Context, lake *data.Lake, a Address, o PushOptions) (Pushed, error) {
	b, err := open(ctx, a)
	if err != nil {
		return Pushed{}, err
	}
	return b.push(ctx, lake, o)
}

func (b *bucket) push(ctx context.Context, lake *data.Lake, o PushOptions) (done Pushed, err error) {
	defer func() { done.Remote, done.Requests = b.Address.String(), b.requests.Load() }()
	p := &pusher{bucket: b, lake: lake, options: o, began: time.Now(), there: map[string]bool{}}
	defer func() { err = errors.Join(err, p.clear()) }()
	gone := 0
	for try := range mostTries {
		done, err = p.try(ctx)
		if errors.Is(err, fs.ErrNotExist) && gone < mostGone {
			gone++
		} else if !errors.Is(err, errChanged) {
			return done, err
		}
		if err := b.wait(ctx, try%3); err != nil {
			return done, err
		}
	}
	return done, data.WithHint(fmt.Errorf("%s: others push faster than this push can follow: %w", b.Address, err), "run the same command again later")
}

// A pusher is one push, over all its tries.
type pusher struct {
	*bucket
	lake     *data.Lake
	options  PushOptions
	began    time.Time
	honoured bool   // conditions, by the server
	scratch  string // folder of lakes that are compared and joined; empty until there is need

	mu    sync.Mutex
	there map[string]bool // objects that this push has brought, or found to be young
	files int
	bytes int64
}

func (p *pusher) clear() error {
	if p.scratch == "" {
		return nil
	}
	return os.RemoveAll(p.scratch)
}

// A source is a file that is to travel, and the lake that has it.
type source struct {
	File
	lake *data.Lake
}

// try is one try of the push: its error wraps errChanged when another push has committed meanwhile, and fs.ErrNotExist when a file of the
// lake or in storage has gone since it was listed.
func (p *pusher) try(ctx context.Context) (done Pushed, err error) {
	h, err := p.head(ctx)
	if err != nil {
		return done, err
	}
	if h.Number == 0 && !p.honoured {
		if err := p.honours(ctx); err != nil {
			return done, err
		}
		p.honoured = true
	}
	before, err := p.state(ctx, h.pointer)
	if err != nil {
		return done, err
	}
	after, sources, done, err := p.join(ctx, before)
	if err != nil {
		return done, err
	}
	known := map[string]bool{}
	for _, f := range before.files() {
		known[f.Name] = true
	}
	sources = slices.DeleteFunc(sources, func(s source) bool { return known[s.Name] })
	if err := p.bring(ctx, sources); err != nil {
		return done, err
	}
	done.Files, done.Bytes, done.Commit = p.files, p.bytes, h.Number
	old, err := before.encode()
	if err != nil {
		return done, err
	}
	content, err := after.encode()
	if err != nil || h.Number > 0 && string(content) == string(old) {
		return done, err
	}
	next := h.next(digestOf(content), time.Now())
	done.Commit = next.Number
	return done, p.commit(ctx, h, next, content)
}

// commit makes the state of a manifest the one that counts.
func (p *pusher) commit(ctx context.Context, h head, next commit, content []byte) error {
	if err := p.put(ctx, manifestName(next.Manifest), bytes.NewReader(content), next.Manifest); err != nil {
		return err
	}
	if time.Since(p.began) > grace/2 {
		return data.WithHint(fmt.Errorf("%s: the push took longer than %v, and a sweep may soon delete its files", p.Address, grace/2), "run the same command again")
	}
	written, err := next.encode()
	if err != nil {
		return err
	}
	failed := p.swap(ctx, commitName, written, h.version)
	if failed == nil {
		return nil
	}
	// The answer to a request that was carried out can be lost, and the request sent again.
	ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), lastWords)
	defer stop()
	now, err := p.head(ctx)
	if err == nil && slices.ContainsFunc(append(now.Former, now.pointer), next.is) {
		return nil
	}
	return failed
}

// bring has files travel that storage does not have.
func (p *pusher) bring(ctx context.Context, sources []source) error {
	var total, done int64
	sources = slices.DeleteFunc(sources, func(s source) bool { return p.has(s.Name) })
	slices.SortFunc(sources, func(a, b source) int { return byName(a.File, b.File) })
	sources = slices.CompactFunc(sources, func(a, b source) bool { return a.Name == b.Name })
	for _, s := range sources {
		total += s.Bytes
	}
	told := func(n int64) {
		p.mu.Lock()
		defer p.mu.Unlock()
		if done += n; p.options.Progress != nil {
			p.options.Progress("push "+p.Address.String(), int(done), int(total))
		}
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for _, s := range sources {
		group.Go(func() error { return p.bringFile(ctx, s, told) })
	}
	return group.Wait()
}

func (p *pusher) has(name string) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.there[name]
}

// bringFile has a file travel, unless an earlier push that was interrupted has brought it already.
func (p *pusher) bringFile(ctx context.Context, s source, told func(int64)) (err error) {
	if err := s.check(); err != nil {
		return data.WithHint(fmt.Errorf("%s: %w", s.lake.Path(s.inLake()), err), "look at the lake with: captionlake status --verify --lake %s", s.lake.Dir())
	}
	size, age, err := p.stat(ctx, s.Name)
	switch {
	case err == nil && size == s.Bytes && age < grace/2:
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	default:
		if err := p.bringBytes(ctx, s); err != nil {
			return err
		}
	}
	told(s.Bytes)
	p.mu.Lock()
	defer p.mu.Unlock()
	p.there[s.Name] = true
	return nil
}

func (p *pusher) bringBytes(ctx context.Context, s source) (err error) {
	f, err := s.lake.Store().Open(s.inLake())
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	// The bytes that are open stay as they are, whoever replaces the file.
	sum, err := digestAll(f)
	if err != nil {
		return err
	}
	if sum != s.FileDigest {
		if now, err := s.lake.Inventory(); err == nil && !listed(now, s.File) && s.Table != marts {
			return fmt.Errorf("%s: the unit was written anew: %w", s.lake.Path(s.inLake()), errChanged)
		}
		return data.WithHint(fmt.Errorf("%s is not the file that was committed: its digest is %s, and not %s", s.lake.Path(s.inLake()), sum.SHA256, s.SHA256),
			"look at the lake with: captionlake status --verify --lake %s", s.lake.Dir())
	}
	if err := p.put(ctx, s.Name, f, s.FileDigest); err != nil {
		return err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.files++
	p.bytes += s.Bytes
	return nil
}

// listed reports whether a lake has a file as it was listed before.
func listed(units []data.UnitFiles, f File) bool {
	return slices.ContainsFunc(units, func(u data.UnitFiles) bool {
		return slices.ContainsFunc(filesOf(u), func(o File) bool { return o.Name == f.Name })
	})
}
