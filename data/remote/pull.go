package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"os"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
)

// PullOptions say what is pulled.
type PullOptions struct {
	// data.PreferOurs or data.PreferTheirs; if empty, units that differ are an error
	Prefer   string
	Progress func(what string, done, total int) // bytes of files; may be nil
}

// A PullReport says what a pull has done.
type PullReport struct {
	Remote string     `json:"remote"`
	Commit int64      `json:"commit"`       // number of the commit that was pulled
	Units  data.Merge `json:"units"`        // what the merge did with the units that were transferred
	Same   int        `json:"same"`         // units not transferred, because the lake has their rows or later ones
	Marts  int        `json:"marts"`        // marts that the lake now has from storage
	Behind bool       `json:"marts_behind"` // storage has marts, but from other units than the lake has
	Transfers
}

// stageFolder is a temporary lake within the lake. It has the pulled files until all have arrived.
const stageFolder = "cache/pull"

// Pull copies into a lake whatever the lake at the address has and this lake does not. Units are
// merged as data's Merge does. If units differ, no unit is merged, and the error wraps
// data.ErrUnitsDiffer. Marts are copied if they were computed from exactly the units that the lake
// has after the merge.
//
// Every file is compared with its digest before the lake gets it. Files that arrived before an
// interrupted pull are not transferred again.
func Pull(ctx context.Context, lake *data.Lake, a Address, o PullOptions) (PullReport, error) {
	b, err := open(a)
	if err != nil {
		return PullReport{}, err
	}
	return b.pull(ctx, lake, o)
}

// pull is Pull from an open bucket.
func (b *bucket) pull(ctx context.Context, lake *data.Lake, o PullOptions) (done PullReport, err error) {
	// The name pull keeps other pulls away from the stageFolder.
	release, err := lake.Hold("pull", marts)
	if err != nil {
		return done, err
	}
	defer release()
	p := &puller{bucket: b, lake: lake, options: o}
	err = b.follow(ctx, func(there state) error {
		// Each try counts anew, but the files that earlier tries transferred stay in the report.
		p.done = PullReport{Remote: b.Address.String(), Commit: there.number, Transfers: p.done.Transfers}
		return p.take(ctx, there)
	})
	if err == nil { // After an error, the files that have arrived stay for the next pull.
		err = os.RemoveAll(lake.Path(stageFolder))
	}
	return p.done, err
}

// Check reads the list at the address. If Check fails, every pull from the address would fail. So
// callers call Check before they make a folder for the pull. If no lake was pushed to the address,
// the error wraps ErrNoLake.
func Check(ctx context.Context, a Address) error {
	b, err := open(a)
	if err != nil {
		return err
	}
	return b.follow(ctx, func(state) error { return nil })
}

// A puller is one pull with all its tries.
type puller struct {
	*bucket
	lake    *data.Lake
	options PullOptions
	done    PullReport
}

// take merges the units with rows that the lake does not have. Then it copies the marts if they
// were computed from the units that the lake now has.
func (p *puller) take(ctx context.Context, there state) error {
	ours, err := p.units()
	if err != nil {
		return err
	}
	var files []File
	for unit, theirs := range there.units {
		own := ours[unit]
		// The files of a diverged unit are fetched too: merge joins the rows of both lakes or fails.
		if r := data.Reconcile(own, theirs, p.options.Prefer); r == data.EqualRows || r == data.OursLater {
			p.done.Same++
			continue
		}
		for _, f := range filesOf(theirs) {
			if _, isHere := own.Pictures[f.Name]; !isHere {
				files = append(files, f)
			}
		}
	}
	if len(files) > 0 {
		if err := p.merge(ctx, files); err != nil {
			return err
		}
		if ours, err = p.units(); err != nil {
			return err
		}
	}
	if there.martsOf != rowsOf(ours) {
		p.done.Behind = len(there.marts) > 0
		return nil
	}
	p.done.Marts = len(there.marts)
	return p.takeMarts(ctx, there)
}

// units are the lake's units by name.
func (p *puller) units() (map[string]data.UnitFiles, error) {
	all, err := data.Inventory(p.lake)
	units := map[string]data.UnitFiles{}
	for _, u := range all {
		units[u.Unit] = u
	}
	return units, err
}

// merge brings files of units into a temporary lake, and merges that lake.
func (p *puller) merge(ctx context.Context, files []File) error {
	if err := p.clear(files); err != nil {
		return err
	}
	stage, err := data.Create(p.lake.Path(stageFolder), "pull")
	if err != nil {
		return err
	}
	err = p.fetchAll(ctx, stage, files, File.inLake)
	if err := errors.Join(err, stage.Close()); err != nil {
		return err
	}
	// Merge refuses a lake that this process has open for writing, so the stage was closed and is now
	// only read.
	other, err := data.Open(stage.Dir())
	if err != nil {
		return err
	}
	data.NameLake(other, p.Address.String())
	if err := data.CheckKeys(other); err != nil { // The units may come from different lakes.
		return data.WithHint(fmt.Errorf("%s: %w", p.Address, err),
			"two lakes pushed there have the same rows in units with different names; "+
				"remove one with: captionlake push --remove UNIT %s", p.Address)
	}
	p.done.Units, err = p.lake.Merge(other, data.MergeOptions{Prefer: p.options.Prefer})
	p.done.Units.Lake = p.Address.String()
	return err
}

// clear makes the stageFolder, and removes the files of earlier pulls from the stageFolder unless
// they are among the given files. A stageFolder that is a link is an error: the link may lead to
// the lake's own files.
func (p *puller) clear(files []File) error {
	wanted := map[string]bool{}
	for _, f := range files {
		wanted[stageFolder+"/"+f.inLake()] = true
	}
	root, err := os.OpenRoot(p.lake.Dir())
	if err != nil {
		return err
	}
	defer func() { _ = root.Close() }()
	if err := root.MkdirAll(stageFolder, 0o777); err != nil {
		return err
	}
	if info, err := root.Lstat(stageFolder); err != nil || !info.IsDir() {
		return errors.Join(err, data.Errorf("delete it", "%s is not a folder", p.lake.Path(stageFolder)))
	}
	names, err := fs.Glob(root.FS(), stageFolder+"/*/*") // all files in the folders of the stage
	for _, name := range names {
		if !wanted[name] {
			err = errors.Join(err, root.RemoveAll(name))
		}
	}
	return err
}

// fetchAll brings files into a lake, under the names that name gives. Each file comes whole or not
// at all.
func (p *puller) fetchAll(ctx context.Context, into *data.Lake, files []File, name func(File) string) error {
	return p.carry(ctx, "pull", files, p.options.Progress, &p.done.Transfers,
		func(ctx context.Context, f File) (bool, error) { return p.fetch(ctx, into, f, name(f)) })
}

// fetch brings a file into a lake under a name, unless it is there with the right digest.
func (p *puller) fetch(ctx context.Context, into *data.Lake, f File, name string) (fetched bool, err error) {
	if sum, err := data.DigestOf(into, name); err == nil && sum == f.FileDigest {
		return false, nil
	}
	from, err := p.read(ctx, f.Name)
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	temp := name + ".part"
	to, err := into.Store().Create(temp)
	if err != nil {
		return false, err
	}
	// One byte more than expected is enough to change the digest.
	sum, err := data.Digest(io.TeeReader(io.LimitReader(from, f.Bytes+1), to))
	err = errors.Join(err, to.Close())
	if err == nil && sum.SHA256 != f.SHA256 {
		err = p.damaged(f.Name, fmt.Errorf("its digest is %s", sum.SHA256))
	}
	if err != nil {
		return false, errors.Join(err, into.Store().Remove(temp))
	}
	return true, into.Store().Move(temp, name)
}

// takeMarts fetches the files of marts that differ from the lake's, publishes them, and removes all
// other marts of the lake.
func (p *puller) takeMarts(ctx context.Context, there state) error {
	record, err := data.MartRecord(p.lake)
	if err != nil {
		return err
	}
	var files []File
	for model, sum := range there.marts {
		f := fileOf(marts, model, sum)
		present, err := data.DigestOf(p.lake, f.inLake())
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
		// A file with the right bytes is fetched too if the record of marts does not name it.
		if present != sum || record[f.inLake()] != sum {
			files = append(files, f)
		}
	}
	// The names of marts have no dash, so each mart has a temporary file of its own.
	temp := func(f File) string { return p.lake.Temp("mart." + strings.ReplaceAll(f.Unit, "/", "-")) }
	if err := p.fetchAll(ctx, p.lake, files, temp); err != nil {
		return err
	}
	fetched := map[string]string{} // the marts' new files, by the names of the temporary files
	for _, f := range files {
		fetched[temp(f)] = f.inLake()
	}
	// Marts that storage does not have are removed. A bucket of a fold that stayed would add its rows
	// to the fold.
	gone := slices.DeleteFunc(slices.Collect(maps.Keys(record)), func(name string) bool {
		_, isThere := there.marts[martOf(name)]
		return isThere
	})
	if len(fetched)+len(gone) == 0 {
		return nil
	}
	return p.lake.Publish(fetched, gone...)
}

// martOf is the name by which a list calls a mart's file: the model, and for a bucket of a fold
// also /NN.
func martOf(name string) string {
	return strings.TrimSuffix(strings.TrimPrefix(name, marts+"/"), ".parquet")
}
