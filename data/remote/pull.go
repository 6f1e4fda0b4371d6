package remote

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"github.com/captionlake/captionlake/data"
)

// PullOptions say what is pulled.
type PullOptions struct {
	Prefer   string                             // data.PreferOurs or data.PreferTheirs; empty is an error where units differ
	Progress func(what string, done, total int) // bytes of files; nil for none
}

// A Pulled says what a pull has done.
type Pulled struct {
	Remote   string     `json:"remote"`
	Commit   int64      `json:"commit"` // number of the commit that was taken
	Units    data.Merge `json:"units"`  // what became of the units that were transferred
	Same     int        `json:"same"`   // units that were not transferred, because the lake has their rows, or later ones
	Marts    int        `json:"marts"`  // marts that the lake has from there
	Behind   bool       `json:"marts_behind"`
	Files    int        `json:"files"` // files that were transferred
	Bytes    int64      `json:"bytes"` // of these
	Requests int64      `json:"requests"`
}

// stageFolder is where files are until all of them have arrived.
const stageFolder = "cache/pull"

// Pull copies into a lake what the lake at the address has and it does not have: units as data's Merge does, all or, where units differ,
// none, with an error that wraps data.ErrUnitsDiffer; marts when they were computed from just the units that the lake then has.
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
	release, err := lake.Hold("pull", marts)
	if err != nil {
		return done, err
	}
	defer release()
	err = b.follow(ctx, func(h head) (err error) {
		done, err = (&puller{bucket: b, lake: lake, options: o}).take(ctx, h)
		return err
	})
	return done, err
}

// Check returns the error that any pull would end with, before a folder is made for it: that of an address to which no lake was pushed
// wraps ErrNoLake.
func Check(ctx context.Context, a Address) error {
	b, err := open(ctx, a)
	if err != nil {
		return err
	}
	return b.follow(ctx, func(head) error { return nil })
}

// A puller is one try of a pull: that of one commit.
type puller struct {
	*bucket
	lake    *data.Lake
	options PullOptions
	files   atomic.Int64
	bytes   atomic.Int64
}

func (p *puller) take(ctx context.Context, h head) (done Pulled, err error) {
	there, err := p.state(ctx, h.pointer)
	if err != nil {
		return done, err
	}
	done, err = p.merge(ctx, there)
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

func digestAll(f data.File) (sum data.FileDigest, err error) {
	h := sha256.New()
	sum.Bytes, err = io.Copy(h, io.NewSectionReader(f, 0, f.Size()))
	sum.SHA256 = hex.EncodeToString(h.Sum(nil))
	return sum, err
}
