package remote

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path"
	"path/filepath"
	"slices"

	"github.com/captionlake/captionlake/data"
)

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
			if err := data.CopyFile(ours.Store(), temp, p.lake.Store(), name); err != nil {
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
