package engine

import (
	"encoding/json"
	"fmt"
	"runtime/debug"
	"slices"
	"sync"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/files"
)

// memoryFile is the file of the memory. Without this file a run gives the same results but takes
// longer.
const memoryFile = "cache/stages.json"

// A memory is what runs remember of earlier runs. It also has the digests of tables, which are
// computed once as long as nobody writes to the tables.
type memory struct {
	Units map[string]unitMemory `json:"units"` // by the stem of the unit's file

	lake    *data.Lake
	tables  map[string]string // digests, by table name
	changed bool
}

// A unitMemory says in which state of the lake a unit had nothing left to ask.
type unitMemory struct {
	State   string `json:"state"`
	Planned int    `json:"planned"`
	Failed  int    `json:"failed"` // requests with recorded calls that failed or were truncated
	Rows    int    `json:"rows"`
}

// openMemory reads the memory of a lake. An unreadable memory counts as empty.
func openMemory(l *data.Lake) *memory {
	m := &memory{}
	content, err := files.Read(l.Store(), memoryFile)
	if err != nil || json.Unmarshal(content, m) != nil || m.Units == nil {
		m.Units = map[string]unitMemory{}
	}
	m.lake, m.tables = l, map[string]string{}
	return m
}

// build describes the program, so that the memory of another build does not count.
var build = sync.OnceValue(func() string {
	info, _ := debug.ReadBuildInfo()
	return fmt.Sprint(data.Version, info)
})

// table is the digest of a table. It is computed once, and anew after this run or another process
// has committed something.
func (m *memory) table(table data.AnyTable) (state string, err error) {
	state, known := m.tables[table.Name()]
	if !known {
		if state, err = m.lake.State(table); err == nil {
			m.tables[table.Name()] = state
		}
	}
	return state, err
}

// inputs is a digest of everything that a unit's plan depends on; empty for a unit that is always
// planned.
func (m *memory) inputs(u *unit) (string, error) {
	if u.Reads == nil {
		return "", nil
	}
	parts := []string{build(), u.settings()}
	for _, t := range u.Reads {
		state, err := m.table(t)
		if err != nil {
			return "", err
		}
		parts = append(parts, state)
	}
	return data.Fingerprint(parts...), nil
}

// state is a digest of the inputs of a unit and of its files; empty if the unit is always planned
// or has no file of rows. failed is the number of the unit's requests that failed. Another unit may
// have repeated a failed request, so with failures the rows depend on the calls of all units.
func (m *memory) state(u *unit, inputs string, failed int) (string, error) {
	rows, err := m.lake.UnitState(u.rows.table, u.results())
	if err != nil || rows == "" || inputs == "" {
		return "", err
	}
	calls, err := m.lake.UnitState(data.Calls, u.calls())
	if failed > 0 {
		calls, err = m.table(data.Calls)
	}
	return data.Fingerprint(inputs, calls, rows), err
}

// recalled returns the memory of a unit that has nothing left to ask and still has the same rows;
// false if the unit has to be planned.
func (m *memory) recalled(u *unit, retryFailed bool) (known unitMemory, ok bool, err error) {
	stem := u.calls().FileStem()
	known, ok = m.Units[stem]
	if !ok || retryFailed && known.Failed > 0 {
		return known, false, nil
	}
	inputs, err := m.inputs(u)
	if err != nil {
		return known, false, err
	}
	state, err := m.state(u, inputs, known.Failed)
	if err != nil || state == "" || state != known.State {
		return known, false, err
	}
	// A unit with a journal has replies that are not in its rows yet.
	journals, err := m.lake.Journals()
	return known, err == nil && !slices.Contains(journals, stem), err
}

// complete remembers a unit if it has nothing left to ask. With failures, the rows of the unit
// depend on the calls of all units. So complete does not remember a unit with failures if another
// process has committed calls that this run has not seen. seen is the number of bytes that this run
// has read of the list of commits. inputs are from before the run: if a table has changed since
// then, a later run plans the unit again.
func (m *memory) complete(u *unit, inputs string, done Report, seen int64) error {
	clear(m.tables) // The unit has committed calls and rows.
	failed := done.RecordedFailed + done.Failed + done.Truncated
	others, _, err := m.lake.CommittedByOthers(seen)
	if err != nil || done.Pending > 0 || failed > 0 && len(others) > 0 {
		return err
	}
	state, err := m.state(u, inputs, failed)
	if state != "" {
		m.Units[u.calls().FileStem()], m.changed = unitMemory{state, done.Planned, failed, done.Rows}, true
	}
	return err
}

// save keeps the memory for later runs.
func (m *memory) save() error {
	if !m.changed {
		return nil
	}
	content, _ := json.Marshal(m) // Texts and numbers can always be marshalled.
	return m.lake.PutFile(memoryFile, content)
}
