package engine

import (
	"encoding/json"
	"iter"
	"sync"
	"time"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/stages/llm"
)

// A callIndex has the keys of one model's recorded calls, those of other processes included. It is read once in a run and kept up to date.
type callIndex struct {
	lake  *data.Lake
	model string

	looking sync.Mutex        // guards what follows
	read    map[string]*int64 // how much of each journal is known
	seen    int               // units committed by other processes that are known

	mu    sync.Mutex // guards what follows
	keys  map[callKey]int
	notes int
}

func openIndex(l *data.Lake, model string) (*callIndex, error) {
	before, err := l.Elsewhere(0)
	if err != nil {
		return nil, err
	}
	x := &callIndex{lake: l, model: model, read: map[string]*int64{}, seen: len(before), keys: map[callKey]int{}}
	return x, x.add(data.Project[callRef](l, data.Calls, data.Where{"model": model}))
}

// noted is when a call was last noted: a later time is a larger number, and 0 is never.
func (x *callIndex) noted(key callKey) int {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.keys[key]
}

func (x *callIndex) note(key callKey) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.notes++
	x.keys[key] = x.notes
}

// look notes what was recorded since the last look, and counts the units that other processes have committed since. The journal of own is not
// read, in which this process records. Journals are read before the files that they end in.
func (x *callIndex) look(own string) (committed int, err error) {
	x.looking.Lock()
	defer x.looking.Unlock()
	units, err := x.lake.Journals()
	for _, unit := range units {
		if x.read[unit] == nil {
			x.read[unit] = new(int64)
		}
		if err == nil && unit != own {
			err = x.add(data.JournalRowsFrom[callRef](x.lake, unit, x.read[unit]))
		}
	}
	if err == nil {
		units, err = x.lake.Elsewhere(x.seen)
	}
	for _, stem := range units {
		if err == nil {
			err = x.add(data.ProjectUnit[callRef](x.lake, data.Calls, stem))
		}
	}
	x.seen += len(units)
	return len(units), err
}

// callRef is what tells calls apart.
type callRef struct {
	RequestHash string `json:"request_hash" parquet:"request_hash"`
	Repeat      int32  `json:"repeat" parquet:"repeat"`
	Stage       string `json:"stage" parquet:"stage"`
	Model       string `json:"model" parquet:"model"`
}

// add notes recorded calls. Those that were loaded from files are left out: nobody asked them. Nor are decisions of people, which lie in
// journals, too.
func (x *callIndex) add(calls iter.Seq2[callRef, error]) error {
	for c, err := range calls {
		if err != nil {
			return err
		}
		if c.Stage != "ingest" && c.Model == x.model && c.RequestHash != "" {
			x.note(keyOf(c.RequestHash, c.Repeat))
		}
	}
	return nil
}

// journaled are the calls in journals, of units that are under way in other processes or in which a run was interrupted.
func journaled[T any](l *data.Lake) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		units, err := l.Journals()
		if err != nil {
			yield(*new(T), err)
			return
		}
		for _, unit := range units {
			for c, err := range data.JournalRows[T](l, unit) {
				if !yield(c, err) {
					return
				}
			}
		}
	}
}

// ownCalls are the calls that are recorded of a unit, in its file and then in what an interrupted run left in its journal.
func (u *unit) ownCalls(l *data.Lake) iter.Seq2[data.Call, error] {
	return func(yield func(data.Call, error) bool) {
		for _, calls := range []iter.Seq2[data.Call, error]{data.UnitRows(l, data.Calls, u.calls()), data.JournalRows[data.Call](l, u.calls().FileStem())} {
			for c, err := range calls {
				if !yield(c, err) {
					return
				}
			}
		}
	}
}

// A callLog takes the calls of one unit in, whether they were asked live or come from an offline batch: into the journal, where they are safe
// at once, and at the end from there into the unit's file.
type callLog struct {
	lake    *data.Lake
	unit    *unit
	detail  func() any // what is recorded of the servers, as JSON; nil for none
	journal *data.Journal[data.Call]
	tx      *data.Tx // of the unit's file; nil until it is written, and without a call
}

// openLog opens the log of a unit with what an earlier run left in its journal. The caller closes it.
func openLog(l *data.Lake, u *unit, detail func() any) (*callLog, error) {
	journal, err := data.OpenJournal[data.Call](l, u.calls().FileStem())
	return &callLog{lake: l, unit: u, detail: detail, journal: journal}, err
}

// close ends the log. What was kept and not committed stays in the journal.
func (g *callLog) close() {
	if g.tx != nil {
		g.tx.Abort()
	}
	_ = g.journal.Close() // Each call that counts has been synced.
}

// row makes a reply, or the failure of its call, the row of calls that it is.
func (g *callLog) row(q *request, body *llm.Request, c llm.Reply, failure error) (_ data.Call, err error) {
	c.RequestHash, c.Repeat, c.Stage, c.Protocol = q.hash, int32(body.Repeat), g.unit.stage, g.unit.Protocol
	c.Model, c.Subject, c.Provenance = g.unit.Model.ID, g.unit.Subject(q.item), g.unit.provenance()
	c.FinishedAt = time.Now().UTC().Truncate(time.Microsecond)
	if failure != nil {
		c.State, c.Error = llm.StateFailed, failure.Error()
	}
	c.Sampling, err = body.Settings(g.unit.TextIsSetting)
	return c, err
}

// write writes the unit's file, if there are any calls to record, for commit to publish: the calls that it had and those of the journal. A
// later call of the same request replaces an earlier one.
func (g *callLog) write() (err error) {
	unit := g.unit.calls()
	for _, err := range data.JournalRows[data.Call](g.lake, unit.FileStem()) { // of this run, or of one that was interrupted
		if err != nil {
			return err
		}
		g.tx, err = g.lake.Begin(unit)
		if err != nil {
			return err
		}
		break
	}
	if g.tx == nil {
		return nil
	}
	out, err := data.NewRowWriter(g.tx, data.Calls)
	if err != nil {
		return err
	}
	out.KeepLast()
	for call, err := range g.unit.ownCalls(g.lake) {
		if err == nil {
			err = out.Write(call)
		}
		if err != nil {
			return err
		}
	}
	if g.detail != nil {
		detail, err := json.Marshal(g.detail())
		if err != nil {
			return err
		}
		g.tx.SetDetail(string(detail))
	}
	// No fingerprint can tell replies that are still to come: the plan is compared with the calls instead.
	g.tx.SetFingerprint(data.Fingerprint(unit.Stage, unit.Name, time.Now().String()))
	return g.tx.WriteOut()
}

// commit publishes the unit's file and deletes the journal.
func (g *callLog) commit() error {
	if g.tx != nil {
		if err := g.tx.Commit(); err != nil {
			return err
		}
	}
	return g.journal.Delete()
}
