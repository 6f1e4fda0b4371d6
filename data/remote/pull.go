package remote

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/captionlake/captionlake/data"
)

// PullOptions say what is pulled.
type PullOptions struct {
	Prefer   string                             // data.PreferOurs or data.PreferTheirs; empty is an error where units differ
	Tables   []string                           // tables that are taken alone, marts for the marts; none for the whole lake
	Progress func(what string, done, total int) // bytes of files; nil for none
}

// A Pulled says what a pull has done.
type Pulled struct {
	Remote   string     `json:"remote"`
	Commit   int64      `json:"commit"` // number of the commit that was taken
	Units    data.Merge `json:"units"`  // what became of the units that were transferred; all zero for a lake that stays partial
	Same     int        `json:"same"`   // units that were not transferred, because the lake has their rows, or later ones
	Marts    int        `json:"marts"`  // marts that the lake has from there
	Behind   bool       `json:"marts_behind"`
	Files    int        `json:"files"` // files that were transferred
	Bytes    int64      `json:"bytes"` // of these
	Requests int64      `json:"requests"`
}

// stageFolder is where files are until all of them have arrived.
const stageFolder = "cache/pull"

// AllTables is the name in PullOptions.Tables that makes a partial lake a whole one.
const AllTables = "all"

// Tables are the names that PullOptions.Tables may have.
func Tables() []string {
	names := []string{AllTables, marts}
	for _, t := range data.Tables() {
		names = append(names, t.Name())
	}
	return names
}

// Pull copies into a lake what the lake at the address has and it does not have. The lake must have been opened by data.CreatePartial.
//
// A whole lake takes units as data's Merge does, all or, where units differ, none, with an error that wraps data.ErrUnitsDiffer; marts
// when they were computed from just the units that the lake then has. With tables, or into a partial lake, the lake becomes a copy of
// these tables and those that it has already, in the state of one commit.
//
// Every file is compared with its digest before the lake has it. What has arrived when a pull is interrupted does not travel again.
func Pull(ctx context.Context, lake *data.Lake, a Address, o PullOptions) (Pulled, error) {
	b, err := open(ctx, a)
	if err != nil {
		return Pulled{}, err
	}
	return b.pull(ctx, lake, o)
}

func (b *bucket) pull(ctx context.Context, lake *data.Lake, o PullOptions) (done Pulled, err error) {
	defer func() { done.Remote, done.Requests = b.Address.String(), b.requests.Load() }()
	partial, err := lake.Partial()
	if err != nil {
		return done, err
	}
	if err := b.mayPull(lake, partial, o); err != nil {
		return done, err
	}
	err = b.follow(ctx, func(h head) (err error) {
		done, err = (&puller{bucket: b, lake: lake, options: o}).take(ctx, h, partial)
		return err
	})
	return done, err
}

// Check returns the error that any pull with these options would end with, before a folder is made for it: an unknown table, for which no
// server is asked, or an address to which no lake was pushed, which wraps ErrNoLake.
func Check(ctx context.Context, a Address, o PullOptions) error {
	if err := o.check(); err != nil {
		return err
	}
	b, err := open(ctx, a)
	if err != nil {
		return err
	}
	return b.follow(ctx, func(head) error { return nil })
}

func (o PullOptions) check() error {
	for _, name := range o.Tables {
		if !slices.Contains(Tables(), name) {
			return data.WithHint(fmt.Errorf("there is no table %q", name), "tables are listed by captionlake tables; %s are the marts", marts)
		}
	}
	return nil
}

// mayPull reports what keeps the lake from being pulled into, before anything travels.
func (b *bucket) mayPull(lake *data.Lake, partial *data.Partial, o PullOptions) error {
	if err := o.check(); err != nil {
		return err
	}
	if partial != nil && partial.From != b.Address.String() {
		return data.WithHint(fmt.Errorf("%s: %w, of %s", lake.Dir(), data.ErrPartial, partial.From), "pull from there, or into another folder with --lake")
	}
	if partial != nil || len(o.Tables) == 0 || slices.Contains(o.Tables, AllTables) {
		return nil
	}
	units, err := lake.Files(data.Runs)
	if err != nil {
		return err
	}
	made, err := lake.FolderRecord(marts)
	if err != nil {
		return err
	}
	if len(units)+len(made) > 0 {
		return data.WithHint(fmt.Errorf("%s: the lake has units of its own, and takes no single tables of another lake", lake.Dir()), "name a new folder with --lake, or leave --tables out")
	}
	return nil
}

// A puller is one try of a pull: that of one commit.
type puller struct {
	*bucket
	lake    *data.Lake
	options PullOptions
	files   atomic.Int64
	bytes   atomic.Int64
}

func (p *puller) take(ctx context.Context, h head, partial *data.Partial) (done Pulled, err error) {
	there, err := p.state(ctx, h.pointer)
	if err != nil {
		return done, err
	}
	if partial != nil || len(p.options.Tables) > 0 && !slices.Contains(p.options.Tables, AllTables) {
		done, err = p.copy(ctx, there, partial)
	} else {
		done, err = p.merge(ctx, there)
	}
	done.Commit, done.Files, done.Bytes = h.Number, int(p.files.Load()), p.bytes.Load()
	if err == nil { // What has arrived stays for the next try otherwise.
		err = os.RemoveAll(p.lake.Path(stageFolder))
	}
	return done, err
}

// merge takes the units into a whole lake.
func (p *puller) merge(ctx context.Context, there state) (done Pulled, err error) {
	ours, err := p.lake.Inventory()
	if err != nil {
		return done, err
	}
	held := map[string]data.UnitFiles{}
	for _, u := range ours {
		held[u.Unit] = u
	}
	alike := true // The lake will have the rows of the commit, and no others.
	for unit := range held {
		_, known := there.units[unit]
		alike = alike && known
	}
	var files []File
	for unit, u := range there.units {
		own, known := held[unit]
		switch {
		case known && own.SameRows(u):
			done.Same++
		case known && p.options.Prefer == "" && data.Later(own.Executions, u.Executions):
			done.Same++
			alike = false
		default:
			for _, f := range filesOf(u) {
				if _, here := own.Pictures[f.Name]; !here {
					files = append(files, f)
				}
			}
		}
	}
	if len(files) > 0 {
		if done.Units, err = p.mergeFiles(ctx, files); err != nil {
			return done, err
		}
	}
	if alike = alike && done.Units.Joined+done.Units.Kept == 0; !alike || there.martsOf != there.rows() {
		done.Behind = len(there.marts) > 0
		return done, nil
	}
	done.Marts = len(there.marts)
	return done, p.takeMarts(ctx, there)
}

// mergeFiles brings units into a lake of their own, and merges that.
func (p *puller) mergeFiles(ctx context.Context, files []File) (m data.Merge, err error) {
	dir := p.lake.Path(stageFolder)
	if err := p.insideLake(); err != nil {
		return m, err
	}
	stage, err := data.Create(dir, "pull")
	if errors.Is(err, data.ErrNotALake) {
		// A pull of some tables was interrupted here.
		if err := os.RemoveAll(dir); err != nil {
			return m, err
		}
		stage, err = data.Create(dir, "pull")
	}
	if err != nil {
		return m, err
	}
	err = p.fetchAll(ctx, stage.Store(), files, File.inLake, p.options.Progress)
	if err == nil {
		err = onlyThese(stage, files)
	}
	if err := errors.Join(err, stage.Close()); err != nil {
		return m, err
	}
	other, err := data.Open(dir)
	if err != nil {
		return m, err
	}
	other.Call(p.Address.String())
	if err := p.meet(other); err != nil {
		return m, err
	}
	if m, err = p.lake.Merge(other, data.MergeOptions{Prefer: p.options.Prefer}); err != nil {
		return m, err
	}
	m.Lake = p.Address.String()
	return m, nil
}

// meet reports units that repeat one another's keys: those of different lakes, which meet here for the first time.
func (p *puller) meet(lake *data.Lake) error {
	if err := lake.CheckKeys(); err != nil {
		return data.WithHint(fmt.Errorf("%s: %w", p.Address, err), "two lakes that were pushed there have the same rows in units of different names; take one away with: captionlake push --remove UNIT %s", p.Address)
	}
	return nil
}

// insideLake makes the folder of the stage, and refuses one that a link leads elsewhere.
func (p *puller) insideLake() error {
	root, err := os.OpenRoot(p.lake.Dir())
	if err != nil {
		return err
	}
	err = root.MkdirAll(filepath.FromSlash(stageFolder), 0o777)
	return errors.Join(err, root.Close())
}

// onlyThese removes what an earlier pull of another commit has left.
func onlyThese(stage *data.Lake, files []File) error {
	wanted := map[string]bool{}
	for _, f := range files {
		wanted[f.inLake()] = true
	}
	folders := []string{pictures}
	for _, t := range data.Tables() {
		folders = append(folders, t.Name())
	}
	for _, folder := range folders {
		names, err := stage.Store().List(folder)
		if err != nil {
			return err
		}
		for _, name := range names {
			if wanted[name] {
				continue
			}
			if err := stage.Store().Remove(name); err != nil {
				return err
			}
		}
	}
	return nil
}

// fetchAll brings files under names that they are given, each whole or not at all. Those that are there as they should be do not travel again.
func (p *puller) fetchAll(ctx context.Context, into data.Store, files []File, name func(File) string, told func(string, int, int)) error {
	files = slices.SortedFunc(slices.Values(files), byName)
	files = slices.CompactFunc(files, func(a, b File) bool { return name(a) == name(b) })
	var total, done atomic.Int64
	for _, f := range files {
		total.Add(f.Bytes)
	}
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for i, f := range files {
		group.Go(func() error {
			if err := p.fetchFile(ctx, into, f, name(f), fmt.Sprintf("%s/part-%d", stageFolder, i)); err != nil {
				return err
			}
			if now := done.Add(f.Bytes); told != nil {
				told("pull "+p.Address.String(), int(now), int(total.Load()))
			}
			return nil
		})
	}
	return group.Wait()
}

func (p *puller) fetchFile(ctx context.Context, into data.Store, f File, name, temp string) error {
	if there, err := into.Open(name); err == nil {
		sum, err := digestAll(there)
		if err := errors.Join(err, there.Close()); err != nil {
			return err
		}
		if sum == f.FileDigest {
			return nil
		}
	}
	w, err := into.Create(temp)
	if err != nil {
		return err
	}
	err = p.fetch(ctx, f.Name, f.FileDigest, w)
	if err := errors.Join(err, w.Close()); err != nil {
		return errors.Join(err, into.Remove(temp))
	}
	p.files.Add(1)
	p.bytes.Add(f.Bytes)
	return into.Move(temp, name)
}

// takeMarts publishes the marts that the lake does not have as they are there.
func (p *puller) takeMarts(ctx context.Context, there state) error {
	record, err := p.lake.FolderRecord(marts)
	if err != nil {
		return err
	}
	var files []File
	for model, sum := range there.marts {
		f := martFile(model, sum)
		if now, err := p.lake.Digest(f.inLake()); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		} else if now != sum || record[f.inLake()] != sum {
			files = append(files, f)
		}
	}
	temp := func(f File) string { return stageFolder + "/mart." + f.Unit }
	if err := p.fetchAll(ctx, p.lake.Store(), files, temp, p.options.Progress); err != nil {
		return err
	}
	for _, f := range files {
		if err := p.lake.Publish(temp(f), f.inLake()); err != nil {
			return err
		}
	}
	return nil
}

// copy makes the lake a copy of the wanted tables, or of all.
func (p *puller) copy(ctx context.Context, there state, partial *data.Partial) (done Pulled, err error) {
	wanted := map[string]bool{}
	for _, name := range p.options.Tables {
		wanted[name] = true
	}
	if partial != nil {
		for _, name := range partial.Tables {
			wanted[name] = true
		}
	}
	all := wanted[AllTables]
	note := &data.Partial{From: p.Address.String(), Tables: slices.Sorted(maps.Keys(wanted))}
	if !all {
		// Before the first file: a lake with some of them must never pass for a whole one.
		if err := p.lake.SetPartial(note); err != nil {
			return done, err
		}
	}
	var missing []File
	keep, incomplete := map[string]bool{}, map[string]bool{} // names of files, and units of which some were missing
	for _, f := range there.files() {
		if f.Table == marts || !all && !wanted[f.Table] && !(f.Table == pictures && wanted[data.Images.Name()]) {
			continue
		}
		keep[f.inLake()] = true
		if now, err := p.lake.Digest(f.inLake()); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return done, err
		} else if now != f.FileDigest {
			missing = append(missing, f)
			incomplete[f.Unit] = true
		}
	}
	staged := func(f File) string { return stageFolder + "/" + strings.ReplaceAll(f.inLake(), "/", ".") }
	if err := p.fetchAll(ctx, p.lake.Store(), missing, staged, p.options.Progress); err != nil {
		return done, err
	}
	files := map[string]string{}
	for _, f := range missing {
		files[staged(f)] = f.inLake()
	}
	removed, err := others(p.lake, keep)
	if err != nil {
		return done, err
	}
	if err := p.lake.Adopt(files, removed); err != nil {
		return done, err
	}
	if all || wanted[marts] {
		done.Marts, done.Behind = len(there.marts), len(there.marts) > 0 && there.martsOf != there.rows()
		if err := p.takeMarts(ctx, there); err != nil {
			return done, err
		}
	}
	if all {
		if err := p.meet(p.lake); err != nil {
			return done, err
		}
		for unit := range there.units {
			if incomplete[unit] {
				done.Units.Taken++
			} else {
				done.Same++
			}
		}
		return done, p.lake.SetPartial(nil)
	}
	return done, nil
}

// others lists the files of units that are not to be kept.
func others(lake *data.Lake, keep map[string]bool) (names []string, err error) {
	for _, t := range data.Tables() {
		files, err := lake.Files(t)
		if err != nil {
			return nil, err
		}
		for _, name := range files {
			if !keep[name] {
				names = append(names, name)
			}
		}
	}
	return names, nil
}

func digestAll(f data.File) (sum data.FileDigest, err error) {
	h := sha256.New()
	sum.Bytes, err = io.Copy(h, io.NewSectionReader(f, 0, f.Size()))
	sum.SHA256 = hex.EncodeToString(h.Sum(nil))
	return sum, err
}
