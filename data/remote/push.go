package remote

import (
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/captionlake/captionlake/data"
)

// PushOptions say how a lake is pushed.
type PushOptions struct {
	Remove []string // units that the lake in storage should no longer have
	// whether the lake's marts are up to date with its tables, so that the marts may be pushed
	Marts    bool
	Progress func(what string, done, total int) // bytes of files; may be nil
}

// A PushReport counts what a push has done with the units of the lake.
type PushReport struct {
	Remote   string `json:"remote"`
	Commit   int64  `json:"commit"`   // number of the current commit
	Added    int    `json:"added"`    // units that storage did not have
	Replaced int    `json:"replaced"` // units that replaced an earlier unit in storage
	Same     int    `json:"same"`     // units with equal rows in storage and in the lake
	Kept     int    `json:"kept"`     // units in storage that stay, because they are later than the lake's
	Others   int    `json:"others"`   // units in storage that the lake does not have
	Removed  int    `json:"removed"`
	Marts    int    `json:"marts"` // marts of the commit that come from the lake
	Transfers
}

const (
	mostTries  = 100 // commits of other pushes after which a push gives up
	mostFaults = 5   // differing units that an error names
	// grace is the age from which a sweep deletes an object that the list does not name. A push uses
	// an object that it finds in storage only if the object is younger than half of grace, and a push
	// that takes longer than the other half gives up. So no sweep deletes an object that a push is
	// about to commit.
	grace = 7 * 24 * time.Hour
)

// Push copies whatever the lake at the address does not have, and commits it atomically: readers
// see the whole former state or the whole new state. Only PushOptions.Remove removes a unit there.
// A unit of the lake replaces the unit in storage if the lake's unit is later, that is, if it was
// made from the unit in storage. If the rows of two units differ and neither unit is later,
// nothing is pushed; the error wraps data.ErrUnitsDiffer and says that a pull joins the units.
// Marts are pushed if the lake has the rows of every unit in storage. Calling Push again continues
// an interrupted push.
func Push(ctx context.Context, lake *data.Lake, a Address, o PushOptions) (PushReport, error) {
	b, err := open(a)
	if err != nil {
		return PushReport{}, err
	}
	return b.push(ctx, lake, o)
}

// push is Push to an open bucket. It tries again whenever another push was faster.
func (b *bucket) push(ctx context.Context, lake *data.Lake, o PushOptions) (PushReport, error) {
	p := &pusher{bucket: b, lake: lake, options: o, began: time.Now()}
	for try := range mostTries {
		done, err := p.try(ctx)
		if !errors.Is(err, errChanged) {
			done.Remote, done.Transfers = b.Address.String(), p.sent
			return done, err
		}
		// The push that was faster has ended, so this push need not wait for it. The pause only brings
		// several pushes out of step, so it stays short.
		if err := b.wait(ctx, try%3); err != nil {
			return PushReport{}, err
		}
	}
	return PushReport{}, data.Errorf("run the same command again later",
		"%s: others push faster than this push can follow", b.Address)
}

// A pusher is one push with all its tries.
type pusher struct {
	*bucket
	lake    *data.Lake
	options PushOptions
	began   time.Time
	sent    Transfers
}

// try combines the lake with the current state in storage, sends the files that are missing there,
// and commits the new list. The error wraps errChanged if another push has committed meanwhile.
func (p *pusher) try(ctx context.Context) (done PushReport, err error) {
	before, err := p.head(ctx)
	if err != nil {
		return done, err
	}
	if before.number == 0 { // It is the first push to the address, so nobody has tested the server.
		if err := p.honoursConditions(ctx); err != nil {
			return done, err
		}
	}
	after, done, err := p.combine(before)
	if err != nil {
		return done, err
	}
	done.Commit = before.number
	// The first push writes a list even if the lake has no units.
	if same, err := after.same(before); err != nil || same && before.number > 0 {
		return done, err
	}
	known := map[string]bool{}
	for _, f := range before.files() {
		known[f.Name] = true
	}
	missing := slices.DeleteFunc(after.files(), func(f File) bool { return known[f.Name] })
	if err := p.carry(ctx, "push", missing, p.options.Progress, &p.sent, p.send); err != nil {
		return done, err
	}
	after.number++
	done.Commit = after.number
	content, err := after.encode()
	if err != nil {
		return done, err
	}
	if time.Since(p.began) > grace/2 {
		return done, data.Errorf("run the same command again",
			"%s: the push took longer than %v, and a sweep may soon delete its files", p.Address, grace/2)
	}
	return done, p.swap(ctx, listName, content, before.version)
}

// combine merges the lake into the state in storage. The report counts what becomes of the units.
func (p *pusher) combine(before state) (after state, done PushReport, err error) {
	ours, err := data.Inventory(p.lake)
	if err != nil {
		return after, done, err
	}
	after = before
	after.units = map[string]data.UnitFiles{} // a copy, because try still needs the units of before
	maps.Copy(after.units, before.units)
	// If only the lake has a unit to remove, there is no error: below, the unit is left out of ours.
	for _, unit := range p.options.Remove {
		if _, there := after.units[unit]; there {
			delete(after.units, unit)
			done.Removed++
		} else if !slices.ContainsFunc(ours, func(u data.UnitFiles) bool { return u.Unit == unit }) {
			return after, done, data.Errorf("list the units with: captionlake sql \"select distinct unit from runs\"",
				"%s: there is no unit %q to remove", p.Address, unit)
		}
	}
	inLake := len(ours)
	ours = slices.DeleteFunc(ours, func(u data.UnitFiles) bool { return slices.Contains(p.options.Remove, u.Unit) })
	var diverged []string
	for _, u := range ours {
		there := after.units[u.Unit]
		// For Reconcile, the unit in storage is ours and the lake's unit is theirs. The empty text
		// prefers neither of them.
		switch data.Reconcile(there, u, "") {
		case data.OnlyTheirs:
			done.Added++
		case data.EqualRows:
			done.Same++
			// The rows are equal, but the executions may differ. The executions in storage stay, unless the
			// lake has all of them and more.
			if !u.Continues(there) {
				u.Executions, u.Tables = there.Executions, there.Tables
			}
		case data.TheirsLater:
			done.Replaced++
		case data.OursLater:
			done.Kept++
			continue
		case data.Diverged:
			diverged = append(diverged, u.Unit)
		}
		// Storage may have pictures of the unit that are missing in the lake.
		pictures := map[string]int64{}
		maps.Copy(pictures, u.Pictures)
		maps.Copy(pictures, there.Pictures)
		u.Pictures = pictures
		after.units[u.Unit] = u
	}
	if len(diverged) > 0 {
		return after, done, data.WithHint(fmt.Errorf("%w: %d in %s and in %s: %s", data.ErrUnitsDiffer, len(diverged),
			p.lake.Dir(), p.Address, strings.Join(diverged[:min(len(diverged), mostFaults)], ", ")),
			"pull first, which joins them, then push again: captionlake --lake %s pull %s; nothing was pushed",
			p.lake.Dir(), p.Address)
	}
	done.Others = len(after.units) - len(ours) // All units of ours are in after.units.
	record, err := data.MartRecord(p.lake)
	sameUnits := done.Others+done.Kept == 0 && len(ours) == inLake
	if err != nil || !sameUnits || !p.options.Marts || len(record) == 0 {
		return after, done, err // The marts in storage stay.
	}
	after.marts, after.martsOf, done.Marts = map[string]data.FileDigest{}, rowsOf(after.units), len(record)
	for name, sum := range record {
		after.marts[martOf(name)] = sum
	}
	return after, done, nil
}

// send transfers a file, unless it has arrived already.
func (p *pusher) send(ctx context.Context, f File) (sent bool, err error) {
	const look = "look at the lake with: captionlake status --verify --lake %s; " +
		"if a command writes to it, push when that has ended"
	path := p.lake.Path(f.inLake())
	if err := f.check(); err != nil {
		return false, data.WithHint(fmt.Errorf("%s: %w", path, err), look, p.lake.Dir())
	}
	if p.arrived(ctx, f) {
		return false, nil
	}
	from, err := p.lake.Store().Open(f.inLake())
	if err != nil {
		return false, err
	}
	defer func() { err = errors.Join(err, from.Close()) }()
	// If somebody replaces the file now, the open file still has the old bytes.
	sum, err := data.Digest(from)
	if err != nil {
		return false, err
	}
	if sum != f.FileDigest {
		return false, data.WithHint(fmt.Errorf("%s is not the committed file: its digest is %s instead of %s", path,
			sum.SHA256, f.SHA256), look, p.lake.Dir())
	}
	err = p.put(ctx, f.Name, io.NewSectionReader(from, 0, f.Bytes), f.Bytes)
	if err != nil && p.arrived(ctx, f) {
		err = nil // The file has arrived, and only the answer of the server was lost.
	}
	return true, err
}
