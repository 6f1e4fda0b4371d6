package remote

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"maps"
	"slices"

	"github.com/captionlake/captionlake/data"
)

const (
	listName = "captionlake.json"
	layout   = 1        // version of the format of a list
	mostList = 64 << 20 // longest list in bytes: some 400,000 files
)

// A list names the files of the lake in storage. Its order is fixed, so that equal states have
// equal lists.
type list struct {
	Layout  int       `json:"layout"`
	Number  int64     `json:"number"` // number of the commit, 1 for the first
	Units   []history `json:"units"`
	Files   []File    `json:"files"`
	MartsOf string    `json:"marts_of"` // what rowsOf gave for the units behind the marts; empty without marts
}

// A history names the executions that a unit has had.
type history struct {
	Unit       string   `json:"unit"`
	Executions []string `json:"executions"`
}

// A state is the content of a list, by unit and by mart.
type state struct {
	number  int64  // 0 if nothing was pushed
	version string // version of the list's object, for swap
	units   map[string]data.UnitFiles
	marts   map[string]data.FileDigest // by the name that martOf gives
	martsOf string                     // as in the list
}

// decodeList reads and checks a list. If it returns no error, all names are valid names of units,
// tables, marts and pictures.
func decodeList(content []byte) (s state, err error) {
	var l list
	if err := json.Unmarshal(content, &l); err != nil {
		return s, err
	}
	if l.Layout != layout {
		return s, fmt.Errorf("%w: its layout is %d, this version knows %d", ErrNewer, l.Layout, layout)
	}
	if l.Number < 1 {
		return s, fmt.Errorf("the number %d is invalid", l.Number)
	}
	s = state{number: l.Number, units: map[string]data.UnitFiles{}, marts: map[string]data.FileDigest{},
		martsOf: l.MartsOf}
	for _, u := range l.Units {
		if _, twice := s.units[u.Unit]; twice || !data.IsUnit(u.Unit) {
			return s, fmt.Errorf("%.100q is not the name of a unit, or a duplicate", u.Unit)
		}
		for _, id := range u.Executions {
			if !idPattern.MatchString(id) {
				return s, fmt.Errorf("%.80q is not the id of an execution", id)
			}
		}
		s.units[u.Unit] = data.UnitFiles{Unit: u.Unit, Executions: u.Executions, Tables: map[string]data.FileDigest{},
			Pictures: map[string]int64{}}
	}
	for _, f := range l.Files {
		if err := f.check(); err != nil {
			return s, err
		}
		if err := s.add(f); err != nil {
			return s, err
		}
	}
	for unit, u := range s.units {
		if _, ok := u.Tables[data.Runs.Name()]; !ok {
			return s, fmt.Errorf("the unit %s has no record of its executions", unit)
		}
	}
	return s, nil
}

// add adds a file of a mart, or a file of a unit. The unit must be in the state already.
func (s state) add(f File) error {
	u, known := s.units[f.Unit]
	digests, key := u.Tables, f.Table
	switch {
	case f.Table == pictures && known:
		u.Pictures[f.Name] = f.Bytes
		return nil
	case f.Table == marts:
		digests, key, known = s.marts, f.Unit, true
	}
	if _, twice := digests[key]; twice || !known {
		return fmt.Errorf("%s is of an unknown unit, or a duplicate", f.Name)
	}
	digests[key] = f.FileDigest
	return nil
}

// filesOf lists the files of a unit.
func filesOf(u data.UnitFiles) (files []File) {
	for table, sum := range u.Tables {
		files = append(files, fileOf(table, u.Unit, sum))
	}
	for name, bytes := range u.Pictures {
		files = append(files, pictureOf(u.Unit, name, bytes))
	}
	return files
}

// files lists every file of the state, ordered by name.
func (s state) files() []File {
	files := []File{}
	for _, u := range s.units {
		files = append(files, filesOf(u)...)
	}
	for model, sum := range s.marts {
		files = append(files, fileOf(marts, model, sum))
	}
	slices.SortFunc(files, byName)
	return files
}

// encode writes the list of the state.
func (s state) encode() ([]byte, error) {
	l := list{Layout: layout, Number: s.number, Units: []history{}, Files: s.files(), MartsOf: s.martsOf}
	for _, unit := range slices.Sorted(maps.Keys(s.units)) {
		l.Units = append(l.Units, history{unit, s.units[unit].Executions})
	}
	content, err := json.MarshalIndent(l, "", " ")
	return append(content, '\n'), err
}

// rowsOf digests the rows of units. Executions are left out, because they do not change marts.
func rowsOf(units map[string]data.UnitFiles) string {
	var parts []string
	for _, unit := range slices.Sorted(maps.Keys(units)) {
		for _, table := range slices.Sorted(maps.Keys(units[unit].Tables)) {
			if table != data.Runs.Name() {
				parts = append(parts, unit, table, units[unit].Tables[table].SHA256)
			}
		}
	}
	return data.Fingerprint(parts...)
}

// head reads the current list. If there is no list, the number of the state is 0.
func (b *bucket) head(ctx context.Context) (s state, err error) {
	from, err := b.read(ctx, listName)
	if errors.Is(err, fs.ErrNotExist) {
		return state{}, nil
	}
	if err != nil {
		return s, err
	}
	// A longer list is cut here, and decodeList refuses the cut list as invalid JSON.
	content, err := io.ReadAll(io.LimitReader(from, mostList))
	if err := errors.Join(err, from.Close()); err != nil {
		return s, err
	}
	if s, err = decodeList(content); err != nil {
		return s, b.damaged(listName, err)
	}
	s.version = from.version
	return s, nil
}

// same reports whether two states have equal lists, ignoring their numbers.
func (s state) same(other state) (bool, error) {
	other.number = s.number
	list, err := s.encode()
	if err != nil {
		return false, err
	}
	otherList, err := other.encode()
	return bytes.Equal(list, otherList), err
}

// follow passes the state of the current list to read. If read misses a file, a sweep may have
// deleted the file after a push replaced the list. So follow repeats read with the new list, and
// returns the error of read if the list has not changed since the last try.
func (b *bucket) follow(ctx context.Context, read func(state) error) error {
	for last := int64(0); ; {
		s, err := b.head(ctx)
		if err != nil {
			return err
		}
		if s.number == 0 {
			return data.WithHint(fmt.Errorf("%s: %w", b.Address, ErrNoLake),
				"check the address, or push a lake there with: captionlake push %s", b.Address)
		}
		if err := read(s); !errors.Is(err, fs.ErrNotExist) || s.number == last {
			return err
		}
		last = s.number
	}
}

// damaged is the error of an object that captionlake would not write.
func (b *bucket) damaged(name string, err error) error {
	if errors.Is(err, ErrNewer) {
		return data.WithHint(fmt.Errorf("%s: %w", b.url(name), err),
			"use the captionlake that pushed it, or a newer one; this is %s", data.Version)
	}
	return data.Errorf("push the original lake to another prefix, or restore the object from a version "+
		"that the bucket keeps", "%s: %w: %w", b.url(name), ErrDamaged, err)
}
