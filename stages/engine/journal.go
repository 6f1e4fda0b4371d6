package engine

import (
	"encoding/json"
	"iter"
	"sync"
	"time"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/stages/llm"
)

// A callLog takes the calls of one unit in, whether they were asked live or come from an offline batch: into the journal, where
// they are safe at once, and from there into the unit's file, which is written while others are still asked for.
type callLog struct {
	lake    *data.Lake
	unit    *unit
	now     func() time.Time
	detail  func() any // what is recorded of the servers, as JSON; nil for none
	journal *data.Journal[data.Call]

	mu  sync.Mutex
	tx  *data.Tx // of the unit's file; nil before the first call
	out *data.RowWriter[data.Call]
}

// openLog opens the log of a unit with what an earlier run left in its journal. The caller closes it.
func openLog(l *data.Lake, u *unit, now func() time.Time, detail func() any) (*callLog, error) {
	journal, err := data.OpenJournal[data.Call](l, u.calls().FileStem())
	if err != nil {
		return nil, err
	}
	return &callLog{lake: l, unit: u, now: now, detail: detail, journal: journal}, nil
}

// close ends the log. What was kept and not committed stays in the journal.
func (g *callLog) close() {
	if g.tx != nil {
		g.tx.Abort()
	}
	_ = g.journal.Close() // Each call that counts has been synced.
}

// record is the row of a call's reply, or of the failure of its call. Vectors are recorded as JSON, a list for each text.
func (g *callLog) record(t *plannedCall, reply llm.Reply, callErr error) (c data.Call, err error) {
	c = data.Call{
		RequestHash: t.hash, Repeat: int32(t.request.Repeat), Stage: g.unit.stage, Protocol: g.unit.Protocol,
		Model: g.unit.Model.ID, Subject: t.subject, State: reply.State, Reply: reply.Text, FinishReason: reply.FinishReason,
		PromptTokens: int64(reply.PromptTokens), CachedTokens: int64(reply.CachedTokens), CompletionTokens: int64(reply.CompletionTokens),
		Attempts: int32(reply.Attempts), Endpoint: reply.Endpoint,
		FinishedAt: g.now().UTC().Truncate(time.Microsecond), Provenance: g.unit.provenance(), Reasoning: reply.Reasoning,
	}
	if reply.Latency > 0 { // An offline batch has none.
		took := float64(reply.Latency) / float64(time.Millisecond)
		c.LatencyMS = &took
	}
	if c.Sampling, err = g.unit.settingsOf(t.request); err != nil {
		return c, err
	}
	if t.embeds && callErr == nil {
		vectors, err := json.Marshal(reply.Vectors)
		if err != nil {
			return c, err
		}
		c.Reply, c.State = string(vectors), llm.StateOK
	}
	if c.Logprobs, err = reply.LogprobsJSON(); err != nil {
		return c, err
	}
	if callErr != nil {
		c.State, c.Error = llm.StateFailed, callErr.Error()
	}
	return c, nil
}

// keep returns once calls are in the journal, on disk.
func (g *callLog) keep(calls ...data.Call) error {
	if err := g.journal.Append(calls...); err != nil {
		return err
	}
	g.mu.Lock()
	defer g.mu.Unlock()
	if err := g.begin(); err != nil {
		return err
	}
	return g.out.Write(calls...)
}

// begin begins the unit's file with the calls that it holds and those of the journal. A later call of the same request replaces them.
func (g *callLog) begin() (err error) {
	if g.tx != nil {
		return nil
	}
	unit := g.unit.calls()
	if g.tx, err = g.lake.Begin(unit); err != nil {
		return err
	}
	if g.out, err = data.NewRowWriter(g.tx, data.Calls); err != nil {
		return err
	}
	g.out.KeepLast()
	for _, calls := range []iter.Seq2[data.Call, error]{data.UnitRows(g.lake, data.Calls, unit), g.journal.Rows()} {
		for call, err := range calls {
			if err != nil {
				return err
			}
			if err := g.out.Write(call); err != nil {
				return err
			}
		}
	}
	return nil
}

// write completes the unit's file, if there are any calls to record, for commit to publish.
func (g *callLog) write() error {
	if g.tx == nil {
		for _, err := range g.journal.Rows() { // of a run that was interrupted
			if err == nil {
				err = g.begin()
			}
			if err != nil {
				return err
			}
			break
		}
		if g.tx == nil {
			return nil
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
	unit := g.unit.calls()
	g.tx.SetFingerprint(data.Fingerprint(unit.Stage, unit.Name, g.now().String()))
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
