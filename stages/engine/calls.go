package engine

import (
	"encoding/json"
	"iter"
	"sync"
	"time"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/stages/llm"
)

// A callIndex has the keys of one model's recorded calls, including calls of other processes. A run
// reads the recorded calls once, and then notes each new call.
type callIndex struct {
	lake  *data.Lake
	model string

	looking sync.Mutex        // guards read and seen
	read    map[string]*int64 // by the stem of a unit: bytes of its journal that are read already
	seen    int64             // bytes of the list of commits that are read already

	mu    sync.Mutex // guards keys and notes
	keys  map[callKey]int
	notes int // number of notes so far
}

// openIndex reads the keys of a model's calls in the files of the lake.
func openIndex(l *data.Lake, model string) (*callIndex, error) {
	// The list of commits is read before the files, so that look finds every commit in between. Only
	// the offset of its end is needed here.
	_, seen, err := l.CommittedByOthers(0)
	if err != nil {
		return nil, err
	}
	x := &callIndex{lake: l, model: model, read: map[string]*int64{}, seen: seen, keys: map[callKey]int{}}
	return x, x.add(data.Project[callRef](l, data.Calls, data.Where{"model": model}))
}

// noted is the number of the last note of a call; 0 if the call has no note. A later note has a
// larger number.
func (x *callIndex) noted(key callKey) int {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.keys[key]
}

// note notes that a call is recorded.
func (x *callIndex) note(key callKey) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.notes++
	x.keys[key] = x.notes
}

// look notes the calls that other processes have recorded since the last look, and counts the units
// that these processes have committed. own is the stem of the unit that this process records. The
// journal of own is skipped, because this process notes its own calls itself. Journals are read
// before files, because a commit moves the calls of a journal to a file: read in this order, no
// call is missed.
func (x *callIndex) look(own string) (committed int, err error) {
	x.looking.Lock()
	defer x.looking.Unlock()
	units, err := x.lake.Journals() // units with a journal
	for _, unit := range units {
		if x.read[unit] == nil {
			x.read[unit] = new(int64)
		}
		if err == nil && unit != own {
			err = x.add(data.JournalRowsFrom[callRef](x.lake, unit, x.read[unit]))
		}
	}
	if err == nil {
		// From here on, units has the units that other processes have committed.
		units, x.seen, err = x.lake.CommittedByOthers(x.seen)
	}
	for _, stem := range units {
		if err == nil {
			err = x.add(data.ProjectUnit[callRef](x.lake, data.Calls, stem))
		}
	}
	return len(units), err
}

// callRef identifies a call.
type callRef struct {
	RequestHash string `json:"request_hash" parquet:"request_hash"`
	Repeat      int32  `json:"repeat" parquet:"repeat"`
	Stage       string `json:"stage" parquet:"stage"`
	Model       string `json:"model" parquet:"model"`
}

// add notes recorded calls. It skips calls loaded from files, which have the stage ingest, and
// people's decisions, which come from journals and have no hash: neither was sent by a run.
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

// ownCalls are the recorded calls of a unit: first in its file, then in the journal of an
// interrupted run.
func (u *unit) ownCalls(l *data.Lake) iter.Seq2[data.Call, error] {
	return func(yield func(data.Call, error) bool) {
		for _, calls := range []iter.Seq2[data.Call, error]{data.UnitRows(l, data.Calls, u.calls()),
			data.JournalRows[data.Call](l, u.calls().FileStem())} {
			for c, err := range calls {
				if !yield(c, err) {
					return
				}
			}
		}
	}
}

// A callLog records the calls of one unit, whether live or from an offline batch. It writes them to
// the journal, where they are safe at once, and at the end copies them to the unit's file.
type callLog struct {
	lake    *data.Lake
	unit    *unit
	detail  func() any // record about the servers, as JSON; nil for none
	journal *data.Journal[data.Call]
	tx      *data.Tx // of the unit's file; nil before it is written, and without calls
}

// openLog opens the log of a unit, including the journal of an earlier run. The caller closes it.
func openLog(l *data.Lake, u *unit, detail func() any) (*callLog, error) {
	journal, err := data.OpenJournal[data.Call](l, u.calls().FileStem())
	return &callLog{lake: l, unit: u, detail: detail, journal: journal}, err
}

// close ends the log. Recorded calls that are not committed stay in the journal.
func (g *callLog) close() {
	if g.tx != nil {
		g.tx.Abort()
	}
	_ = g.journal.Close() // Every call that counts has been synced.
}

// row completes a reply, or the trace of a failed call, to a row of calls: a Reply is a data.Call.
func (g *callLog) row(q *request, body *llm.Request, c llm.Reply, failure error) data.Call {
	c.RequestHash, c.Repeat, c.Stage, c.Protocol = q.hash, int32(body.Repeat), g.unit.stage, g.unit.Protocol
	c.Model, c.Subject, c.Provenance = g.unit.Model.ID, q.item.Subject, g.unit.provenance()
	c.FinishedAt = time.Now().UTC().Truncate(time.Microsecond) // the precision of the column
	if failure != nil {
		c.State, c.Error = llm.StateFailed, failure.Error()
	}
	c.Sampling = body.Settings(g.unit.TextIsSetting)
	return c
}

// write writes the unit's file for commit to publish: its former calls and the calls of the
// journal. It does nothing if the journal is empty. A later call of the same request replaces an
// earlier call.
func (g *callLog) write() (err error) {
	unit := g.unit.calls()
	// The first row of the journal, if there is any, begins the transaction.
	for _, err := range data.JournalRows[data.Call](g.lake, unit.FileStem()) {
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
	// A fingerprint cannot describe replies that are still to come, so the time makes each
	// fingerprint a new one. A later run compares its plan with the calls instead.
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
