package engine

import (
	"encoding/json"
	"errors"
	"io/fs"
	"maps"
	"os"
	"runtime/debug"
	"slices"

	"github.com/captionlake/captionlake/data"
)

// memoryFile is where the lake keeps what saves a run from doing things again. Without it a run takes longer and does the
// same.
const memoryFile = "cache/stages.json"

// A memory is what runs remember of each other.
type memory struct {
	Units map[string]unitMemory `json:"units"` // by the stem of the unit's file
	Media map[string]mediaFile  `json:"media"` // by path

	unitsChanged bool
}

// A unitMemory says under which state of the lake a unit had nothing left to ask.
type unitMemory struct {
	Plan    string   `json:"plan"`  // digest of the settings and of the tables that the unit reads
	Calls   string   `json:"calls"` // the execution that wrote its calls, or the state of the whole table if it reads those of others
	Foreign bool     `json:"foreign,omitempty"`
	Results []string `json:"results"` // the executions that wrote its rows
	Planned int      `json:"planned"`
	Failed  int      `json:"failed"` // requests of which the recorded calls failed or were truncated
	Rows    int      `json:"rows"`

	current bool // found out in this run
}

// readMemory reads what earlier runs remember. What cannot be read is forgotten.
func readMemory(l *data.Lake) (*memory, error) {
	m := &memory{}
	content, err := os.ReadFile(l.Path(memoryFile))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if json.Unmarshal(content, m) != nil {
		m = &memory{}
	}
	if m.Units == nil {
		m.Units = map[string]unitMemory{}
	}
	if m.Media == nil {
		m.Media = map[string]mediaFile{}
	}
	return m, nil
}

// write keeps the memory for later runs.
func (m *memory) write(l *data.Lake, media *Media) error {
	if !m.unitsChanged && (media == nil || media.read == 0) {
		return nil
	}
	maps.DeleteFunc(m.Media, func(path string, _ mediaFile) bool {
		_, err := os.Stat(path)
		return errors.Is(err, fs.ErrNotExist)
	})
	content, err := json.Marshal(m)
	if err != nil {
		return err
	}
	return l.PutFile(memoryFile, content)
}

// build names the program, so that what another one remembers does not count.
func build() string {
	name := data.Version
	if info, ok := debug.ReadBuildInfo(); ok {
		for _, s := range info.Settings {
			if s.Key == "vcs.revision" || s.Key == "vcs.time" {
				name += " " + s.Value
			}
		}
	}
	return name
}

// states are the digests of tables, read once as long as nothing is written.
type states struct {
	lake  *data.Lake
	known map[string]string
}

func (s *states) of(table data.AnyTable) (string, error) {
	if state, ok := s.known[table.Name()]; ok {
		return state, nil
	}
	state, err := s.lake.State(table)
	if err != nil {
		return "", err
	}
	if s.known == nil {
		s.known = map[string]string{}
	}
	s.known[table.Name()] = state
	return state, nil
}

func (s *states) all(tables []data.AnyTable) ([]string, error) {
	var all []string
	for _, t := range tables {
		state, err := s.of(t)
		if err != nil {
			return nil, err
		}
		all = append(all, state)
	}
	return all, nil
}

// plan digests what a unit's plan depends on; empty for a unit that is always planned.
func (s *states) plan(u *unit) (string, error) {
	if u.Reads == nil {
		return "", nil
	}
	settings, err := u.settings()
	if err != nil {
		return "", err
	}
	tables, err := s.all(u.Reads)
	return data.Fingerprint(append(tables, build(), settings)...), err
}

// recall returns what is remembered of a unit if it still has nothing left to ask and its rows are those of the memory.
func (s *states) recall(m *memory, u *unit) (unitMemory, bool, error) {
	known, ok := m.Units[u.calls().FileStem()]
	if !ok {
		return known, false, nil
	}
	plan, err := s.plan(u)
	if err != nil || plan == "" || plan != known.Plan {
		return known, false, err
	}
	now, err := s.written(u, known.Foreign)
	return known, err == nil && now.Calls == known.Calls && len(now.Results) == len(known.Results) && equal(now.Results, known.Results), err
}

// written is what a unit's files are now.
func (s *states) written(u *unit, foreign bool) (now unitMemory, err error) {
	now.Foreign = foreign
	if foreign {
		now.Calls, err = s.of(data.Calls)
	} else {
		now.Calls, err = s.lake.UnitState(data.Calls, u.calls())
	}
	if err != nil {
		return now, err
	}
	for i, result := range u.resultUnits() {
		for _, rows := range u.Results[i].Tables {
			state, err := s.lake.UnitState(rows.table, result)
			if err != nil {
				return now, err
			}
			now.Results = append(now.Results, state)
		}
	}
	return now, nil
}

func equal(a, b []string) bool {
	for i := range a {
		if a[i] == "" || a[i] != b[i] {
			return false
		}
	}
	return true
}

// recalled returns what is remembered of a unit that has nothing left to ask; false when it is to be planned.
func (r *Runner) recalled(u *unit) (unitMemory, bool, error) {
	if r.memory == nil {
		m, err := readMemory(r.Lake)
		if err != nil {
			return unitMemory{}, false, err
		}
		r.memory, r.states.lake = m, r.Lake
	}
	known, ok, err := r.states.recall(r.memory, u)
	if err != nil || !ok || r.RetryFailed && known.Failed > 0 {
		return known, false, err
	}
	journals, err := r.Lake.Journals()
	return known, err == nil && !slices.Contains(journals, u.calls().FileStem()), err
}

// complete remembers a unit that has nothing left to ask.
func (r *Runner) complete(u *unit, w *walk, plan string, done completed) error {
	if plan == "" || done.Pending > 0 || r.memory == nil {
		return nil
	}
	failed := done.RecordedFailed + done.Failed + done.Truncated
	now, err := r.states.written(u, w.foreign || failed > 0)
	if err != nil {
		return err
	}
	now.Plan, now.Planned, now.Failed, now.Rows = plan, done.Planned, failed, done.Rows
	now.current = true
	r.memory.Units[u.calls().FileStem()] = now
	r.memory.unitsChanged = true
	return nil
}

// remember keeps for later runs what this one found out.
func (r *Runner) remember() error {
	if r.memory == nil {
		return nil
	}
	for stem, known := range r.memory.Units {
		// What the run has recorded since for other units changes nothing for one whose replies are all whole.
		if known.current && known.Foreign && known.Failed == 0 {
			state, err := r.states.of(data.Calls)
			if err != nil {
				return err
			}
			known.Calls = state
			r.memory.Units[stem] = known
		}
	}
	return r.memory.write(r.Lake, r.media)
}
