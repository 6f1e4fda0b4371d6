package remote

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"math"
	"slices"
	"time"

	"github.com/captionlake/captionlake/data"
)

const (
	commitName  = "captionlake.json"
	manifests   = "manifests"
	layout      = 1
	mostFormer  = 20        // commits that are remembered, so that readers of a former one finish
	mostCommit  = 1 << 20   // bytes
	mostListing = 256 << 20 // bytes of a manifest: some million files
)

// A pointer names the manifest of one commit.
type pointer struct {
	Number   int64           `json:"number"` // 1 for the first
	Manifest data.FileDigest `json:"manifest"`
	At       time.Time       `json:"at"`
}

// A commit says which state of the lake counts. It is the one object that is ever replaced.
type commit struct {
	Layout int `json:"layout"`
	pointer
	Tool   string    `json:"tool"`   // version of captionlake
	Former []pointer `json:"former"` // commits before this one, the last one first
}

func manifestName(sum data.FileDigest) string { return manifests + "/" + sum.SHA256 + ".json" }

func digestOf(content []byte) data.FileDigest {
	sum := sha256.Sum256(content)
	return data.FileDigest{Bytes: int64(len(content)), SHA256: hex.EncodeToString(sum[:])}
}

func (p pointer) is(other pointer) bool {
	return p.Number == other.Number && p.Manifest == other.Manifest
}

func (p pointer) check() error {
	switch {
	case p.Number < 1:
		return fmt.Errorf("the commit number %d is invalid", p.Number)
	case !digestPattern.MatchString(p.Manifest.SHA256):
		return fmt.Errorf("the digest %.80q is not one", p.Manifest.SHA256)
	case p.Manifest.Bytes < 1 || p.Manifest.Bytes > mostListing:
		return fmt.Errorf("the size of the manifest is invalid: %d bytes", p.Manifest.Bytes)
	}
	return nil
}

// decodeCommit reads a commit. What it returns without an error names manifests only.
func decodeCommit(content []byte) (c commit, err error) {
	if err := decode(content, &c); err != nil {
		return c, err
	}
	if len(c.Former) > mostFormer {
		return c, errors.New("it has too many former commits")
	}
	after := int64(math.MaxInt64)
	for _, p := range append([]pointer{c.pointer}, c.Former...) {
		if err := p.check(); err != nil {
			return c, err
		}
		if p.Number >= after {
			return c, errors.New("former commits are not in order")
		}
		after = p.Number
	}
	return c, nil
}

// decode reads one JSON value of a layout that this version knows. Its error of another layout wraps ErrNewer.
func decode(content []byte, into any) error {
	var form struct {
		Layout int `json:"layout"`
	}
	if err := json.Unmarshal(content, &form); err != nil {
		return err
	}
	if form.Layout != layout {
		return fmt.Errorf("%w: its layout is %d, this version knows %d", ErrNewer, form.Layout, layout)
	}
	d := json.NewDecoder(bytes.NewReader(content))
	d.DisallowUnknownFields() // A later release might mean more by it.
	return d.Decode(into)
}

func (c commit) encode() ([]byte, error) {
	content, err := json.MarshalIndent(c, "", " ")
	return append(content, '\n'), err
}

// next is the commit that follows one, with another manifest.
func (c commit) next(manifest data.FileDigest, now time.Time) commit {
	n := commit{Layout: layout, pointer: pointer{c.Number + 1, manifest, now.UTC().Truncate(time.Second)}, Tool: data.Version, Former: []pointer{}}
	if c.Number > 0 {
		n.Former = append(append(n.Former, c.pointer), c.Former...)
		n.Former = n.Former[:min(len(n.Former), mostFormer)]
	}
	return n
}

// A manifest lists the files of one state of a lake. Its order is fixed, so that equal states have equal manifests.
type manifest struct {
	Layout  int       `json:"layout"`
	Units   []history `json:"units"`
	Files   []File    `json:"files"`
	MartsOf string    `json:"marts_of"` // digest of the units that the marts were computed from; empty without marts
}

// A history says which executions a unit has had.
type history struct {
	Unit       string   `json:"unit"`
	Executions []string `json:"executions"`
}

// A state is what a manifest says, by unit and by mart.
type state struct {
	units   map[string]data.UnitFiles
	marts   map[string]data.FileDigest
	martsOf string
}

func newState() state {
	return state{units: map[string]data.UnitFiles{}, marts: map[string]data.FileDigest{}}
}

// decodeManifest reads a manifest. What it returns without an error names units, tables, marts and pictures of a lake only.
func decodeManifest(content []byte) (state, error) {
	s := newState()
	var m manifest
	if err := decode(content, &m); err != nil {
		return s, err
	}
	for _, u := range m.Units {
		if _, twice := s.units[u.Unit]; twice || !data.IsUnit(u.Unit) {
			return s, fmt.Errorf("%.100q is not the name of a unit, or a duplicate", u.Unit)
		}
		for _, id := range u.Executions {
			if !idPattern.MatchString(id) {
				return s, fmt.Errorf("%.80q is not the id of an execution", id)
			}
		}
		s.units[u.Unit] = data.UnitFiles{Unit: u.Unit, Executions: u.Executions, Tables: map[string]data.FileDigest{}}
	}
	for _, f := range m.Files {
		if err := f.check(); err != nil {
			return s, err
		}
		if f.Table == marts {
			if _, twice := s.marts[f.Unit]; twice {
				return s, fmt.Errorf("the mart %s is a duplicate", f.Unit)
			}
			s.marts[f.Unit] = f.FileDigest
			continue
		}
		u, known := s.units[f.Unit]
		if _, twice := u.Tables[f.Table]; twice || !known {
			return s, fmt.Errorf("%s is of an unknown unit, or a duplicate", f.Name)
		}
		if f.Table != pictures {
			u.Tables[f.Table] = f.FileDigest
			continue
		}
		if u.Pictures == nil {
			u.Pictures = map[string]int64{}
		}
		u.Pictures[f.Name] = f.Bytes
		s.units[f.Unit] = u
	}
	for unit, u := range s.units {
		if _, ok := u.Tables[data.Runs.Name()]; !ok {
			return s, fmt.Errorf("the unit %s has no record of its executions", unit)
		}
	}
	s.martsOf = m.MartsOf
	return s, nil
}

// files lists the files of a unit.
func filesOf(u data.UnitFiles) (files []File) {
	for table, sum := range u.Tables {
		files = append(files, tableFile(table, u.Unit, sum))
	}
	for name, bytes := range u.Pictures {
		files = append(files, pictureFile(u.Unit, name, bytes))
	}
	return files
}

// files lists every file of the state, in the order of their names.
func (s state) files() []File {
	files := []File{}
	for _, u := range s.units {
		files = append(files, filesOf(u)...)
	}
	for model, sum := range s.marts {
		files = append(files, martFile(model, sum))
	}
	slices.SortFunc(files, byName)
	return files
}

func (s state) encode() ([]byte, error) {
	m := manifest{Layout: layout, Units: []history{}, Files: s.files(), MartsOf: s.martsOf}
	for _, unit := range slices.Sorted(maps.Keys(s.units)) {
		m.Units = append(m.Units, history{unit, s.units[unit].Executions})
	}
	content, err := json.MarshalIndent(m, "", " ")
	return append(content, '\n'), err
}

// rows digests what the units hold, their executions aside.
func (s state) rows() string {
	var parts []string
	for _, unit := range slices.Sorted(maps.Keys(s.units)) {
		for _, table := range slices.Sorted(maps.Keys(s.units[unit].Tables)) {
			if table != data.Runs.Name() {
				parts = append(parts, unit, table, s.units[unit].Tables[table].SHA256)
			}
		}
	}
	return data.Fingerprint(parts...)
}

// A head is the commit that counts, with what it was read by.
type head struct {
	commit
	version string // of the object; empty when there is none
}

// head reads the commit. Where there is none its number is 0.
func (b *bucket) head(ctx context.Context) (h head, err error) {
	content, version, err := b.small(ctx, commitName, mostCommit)
	if errors.Is(err, fs.ErrNotExist) {
		return head{}, nil
	}
	if err != nil {
		return h, err
	}
	h.version = version
	if h.commit, err = decodeCommit(content); err != nil {
		return h, b.damaged(commitName, err)
	}
	return h, nil
}

// follow has the last commit read, and the one after it when what it names was swept meanwhile, because there are many later ones by now.
func (b *bucket) follow(ctx context.Context, read func(head) error) error {
	for last := int64(-1); ; {
		h, err := b.head(ctx)
		if err != nil {
			return err
		}
		if h.Number == 0 {
			return data.WithHint(fmt.Errorf("%s: %w", b.Address, ErrNoLake), "check the address, or push a lake there with: captionlake push %s", b.Address)
		}
		if err := read(h); !errors.Is(err, fs.ErrNotExist) || h.Number == last {
			return err
		}
		last = h.Number
	}
}

// state reads what a commit names. Its error of a manifest that is gone satisfies errors.Is(err, fs.ErrNotExist).
func (b *bucket) state(ctx context.Context, p pointer) (s state, err error) {
	if p.Number == 0 {
		return newState(), nil
	}
	name := manifestName(p.Manifest)
	var content bytes.Buffer
	if err := b.fetch(ctx, name, p.Manifest, &content); err != nil {
		return s, err
	}
	if s, err = decodeManifest(content.Bytes()); err != nil {
		return s, b.damaged(name, err)
	}
	return s, nil
}

// damaged is the error of an object that is not what captionlake writes.
func (b *bucket) damaged(name string, err error) error {
	if errors.Is(err, ErrNewer) {
		return data.WithHint(fmt.Errorf("%s: %w", b.url(name), err), "use the captionlake that pushed it, or a newer one; this is %s", data.Version)
	}
	return data.WithHint(fmt.Errorf("%s: %w: %w", b.url(name), ErrDamaged, err),
		"nothing of it was taken; push the lake that it came from to another prefix, or restore the object from a version that the bucket keeps")
}

// brief is the digest of a unit's rows as an error shows it.
func brief(u data.UnitFiles) string {
	var parts []string
	for _, table := range slices.Sorted(maps.Keys(u.Tables)) {
		if table != data.Runs.Name() {
			parts = append(parts, u.Tables[table].SHA256)
		}
	}
	whole := data.Fingerprint(parts...)
	if len(parts) == 1 {
		whole = parts[0]
	}
	return whole[:min(len(whole), 12)]
}
