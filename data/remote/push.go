package remote

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path"
	"path/filepath"
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

// A Pushed says what became of the units of a lake that was pushed.
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
	Files    int    `json:"files"` // files that travelled
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

// Push brings what the lake has and the lake at the address does not have there, and commits it in one step: before it readers see the
// former state, after it the whole new one. Nothing there is lost but what PushOptions name: units are joined as data's Merge joins
// them, also with those of another push that commits meanwhile. Marts are pushed when the lake has every unit of the commit.
// A push that was interrupted is carried on by the same call. Units that differ are an error that wraps data.ErrUnitsDiffer.
func Push(ctx context.Context, lake *data.Lake, a Address, o PushOptions) (Pushed, error) {
	b, err := open(ctx, a)
	if err != nil {
		return Pushed{}, err
	}
	return b.push(ctx, lake, o)
}

func (b *bucket) push(ctx context.Context, lake *data.Lake, o PushOptions) (done Pushed, err error) {
	if p, err := lake.Partial(); err != nil || p != nil {
		if p != nil {
			err = data.WithHint(fmt.Errorf("%s: %w", lake.Dir(), data.ErrPartial), "push the lake that it is a part of")
		}
		return done, err
	}
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
	if err := p.put(ctx, manifestName(next.Manifest), bytes.NewReader(content), next.Manifest, func(int64) {}); err != nil {
		return err
	}
	if time.Since(p.began) > grace/2 {
		return data.WithHint(fmt.Errorf("%s: the push has taken longer than %v, after which others may delete what it has brought", p.Address, grace/2), "run the same command again")
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

// join makes the state of the lake and of storage together, and says where the files are that it adds.
func (p *pusher) join(ctx context.Context, before state) (after state, sources []source, done Pushed, err error) {
	ours, err := p.lake.Inventory()
	if err != nil {
		return after, nil, done, err
	}
	after = state{maps.Clone(before.units), before.marts, before.martsOf}
	take := func(u data.UnitFiles, lake *data.Lake) {
		u.Pictures = union(u.Pictures, before.units[u.Unit].Pictures)
		after.units[u.Unit] = u
		for _, f := range filesOf(u) {
			sources = append(sources, source{f, lake})
		}
	}
	ours, theirs, err := p.without(ours, after.units, &done)
	if err != nil {
		return after, nil, done, err
	}
	complete := true // The lake has every row of the commit, so that marts of the one are marts of the other.
	var differ []data.UnitFiles
	for _, u := range ours {
		there, known := after.units[u.Unit]
		delete(theirs, u.Unit)
		switch {
		case !known:
			done.Added++
			take(u, p.lake)
		case u.SameRows(there):
			done.Same++
			if !data.Later(u.Executions, there.Executions) {
				u.Executions, u.Tables = there.Executions, there.Tables
			}
			take(u, p.lake)
		case p.options.Prefer == "" && data.Later(u.Executions, there.Executions):
			done.Replaced++
			take(u, p.lake)
		case p.options.Prefer == "" && data.Later(there.Executions, u.Executions):
			done.Kept++
			complete = false
		default:
			differ = append(differ, u)
		}
	}
	done.Others = len(theirs)
	whole, err := p.reconcile(ctx, differ, before.units, take, &done)
	if err != nil {
		return after, nil, done, err
	}
	record, err := p.lake.FolderRecord(marts)
	if err != nil {
		return after, nil, done, err
	}
	if complete && whole && len(theirs) == 0 && p.options.Marts && len(record) > 0 {
		after.marts, after.martsOf = map[string]data.FileDigest{}, after.rows()
		for name, sum := range record {
			f := martFile(trimmed(name), sum)
			after.marts[f.Unit] = sum
			sources = append(sources, source{f, p.lake})
		}
		done.Marts = len(record)
	}
	return after, sources, done, nil
}

// union has the pictures of both.
func union(a, b map[string]int64) map[string]int64 {
	if len(b) == 0 {
		return a
	}
	all := maps.Clone(b)
	maps.Copy(all, a)
	return all
}

// trimmed is the model or the unit of a file of a lake.
func trimmed(name string) string {
	base := path.Base(name)
	return base[:len(base)-len(path.Ext(base))]
}

// without takes the units that are to be removed out of both lists.
func (p *pusher) without(ours []data.UnitFiles, theirs map[string]data.UnitFiles, done *Pushed) ([]data.UnitFiles, map[string]bool, error) {
	for _, unit := range p.options.Remove {
		if _, there := theirs[unit]; there {
			delete(theirs, unit)
			done.Removed++
		} else if !slices.ContainsFunc(ours, func(u data.UnitFiles) bool { return u.Unit == unit }) {
			return nil, nil, data.WithHint(fmt.Errorf("%s: there is no unit %q to remove", p.Address, unit), "list the units with: captionlake sql \"select distinct unit from runs\"")
		}
	}
	ours = slices.DeleteFunc(ours, func(u data.UnitFiles) bool { return slices.Contains(p.options.Remove, u.Unit) })
	others := map[string]bool{}
	for unit := range theirs {
		others[unit] = true
	}
	return ours, others, nil
}

// reconcile decides about units of different bytes, of which neither is known to be the later: their rows are compared. whole says that
// storage has no row of them afterwards that the lake does not have.
func (p *pusher) reconcile(ctx context.Context, differ []data.UnitFiles, there map[string]data.UnitFiles, take func(data.UnitFiles, *data.Lake), done *Pushed) (whole bool, err error) {
	if len(differ) == 0 {
		return true, nil
	}
	theirs, err := p.scratchLake("theirs-*")
	if err != nil {
		return false, err
	}
	var files []File
	for _, u := range differ {
		files = append(files, filesOf(data.UnitFiles{Unit: u.Unit, Tables: there[u.Unit].Tables})...) // Their pictures are not looked at.
	}
	reader := &puller{bucket: p.bucket}
	if err := reader.fetchAll(ctx, theirs.Store(), files, File.inLake, p.options.Progress); err != nil {
		return false, errors.Join(err, theirs.Close())
	}
	if err := theirs.Close(); err != nil {
		return false, err
	}
	if theirs, err = data.Open(theirs.Dir()); err != nil {
		return false, err
	}
	theirs.Call(p.Address.String())
	var faults []error
	var joined []data.UnitFiles
	whole = true
	for _, u := range differ {
		d, err := p.lake.Compare(theirs, u.Unit)
		if err != nil {
			return false, err
		}
		more := d.Theirs+d.Both > 0 // rows there that the lake does not have as they are
		switch {
		case d.Ours+d.Theirs+d.Both == 0:
			done.Same++
			continue
		case d.Joins && !more, !d.Joins && p.options.Prefer == data.PreferOurs:
			done.Replaced++
			take(u, p.lake)
			continue
		case d.Joins && d.Ours+d.Both == 0, !d.Joins && p.options.Prefer == data.PreferTheirs:
			done.Kept++
		case d.Joins && (d.Both == 0 || p.options.Prefer != ""):
			joined = append(joined, u)
		default:
			faults = append(faults, fmt.Errorf("%w: %s in %s (%s) and in %s (%s): %s", data.ErrUnitsDiffer, u.Unit, p.lake.Dir(), brief(u), p.Address, brief(there[u.Unit]), d.Text))
		}
		whole = false
	}
	if len(faults) > 0 {
		return false, data.WithHint(errors.Join(faults[:min(len(faults), mostFaults)]...),
			"%d units differ: say which rows count with --prefer ours or --prefer theirs, or remove those there with --remove; nothing was pushed", len(faults))
	}
	return whole, p.merge(theirs, joined, take, done)
}

// mostFaults is how many units that differ an error names.
const mostFaults = 5

// merge joins the rows of units that both have, in a lake of the push's own, as a merge would in the lake.
func (p *pusher) merge(theirs *data.Lake, units []data.UnitFiles, take func(data.UnitFiles, *data.Lake), done *Pushed) error {
	if len(units) == 0 {
		return nil
	}
	ours, err := p.scratchLake("ours-*")
	if err != nil {
		return err
	}
	adopted := map[string]string{}
	for _, u := range units {
		for table := range u.Tables {
			name := table + "/" + u.Unit + ".parquet"
			temp := stageFolder + "/" + table + "." + u.Unit
			if err := copyFile(ours.Store(), temp, p.lake.Store(), name); err != nil {
				return errors.Join(err, ours.Close())
			}
			adopted[temp] = name
		}
	}
	err = ours.Adopt(adopted, nil)
	if err == nil {
		_, err = ours.Merge(theirs, data.MergeOptions{Prefer: p.options.Prefer})
	}
	if err != nil {
		return errors.Join(err, ours.Close())
	}
	all, err := ours.Inventory()
	if err := errors.Join(err, ours.Close()); err != nil {
		return err
	}
	for _, u := range all {
		i := slices.IndexFunc(units, func(own data.UnitFiles) bool { return own.Unit == u.Unit })
		if i < 0 {
			continue // It was compared, and was not to be joined.
		}
		u.Pictures = units[i].Pictures
		done.Joined++
		take(u, ours)
	}
	return nil
}

// scratchLake makes an empty lake of the push's own.
func (p *pusher) scratchLake(pattern string) (*data.Lake, error) {
	if p.scratch == "" {
		var err error
		if p.scratch, err = os.MkdirTemp("", "captionlake-push-"); err != nil {
			return nil, err
		}
	}
	dir, err := os.MkdirTemp(p.scratch, pattern)
	if err != nil {
		return nil, err
	}
	return data.Create(filepath.Clean(dir), "push")
}

func copyFile(to data.Store, name string, from data.Store, source string) error {
	f, err := from.Open(source)
	if err != nil {
		return err
	}
	w, err := to.Create(name)
	if err != nil {
		return errors.Join(err, f.Close())
	}
	_, err = io.Copy(w, io.NewSectionReader(f, 0, f.Size()))
	return errors.Join(err, w.Close(), f.Close())
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
	size, age, err := p.age(ctx, s.Name)
	switch {
	case err == nil && size == s.Bytes && age < grace/2:
		told(s.Bytes)
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	default:
		if err := p.bringBytes(ctx, s, told); err != nil {
			return err
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.there[s.Name] = true
	return nil
}

func (p *pusher) bringBytes(ctx context.Context, s source, told func(int64)) (err error) {
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
	if err := p.put(ctx, s.Name, f, s.FileDigest, told); err != nil {
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
