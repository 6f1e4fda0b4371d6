package stages

import (
	"encoding/json"
	"errors"
	"iter"
	"time"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/stages/llm"
)

// A callLog takes the calls of one unit in, whether they were asked live or come from an offline batch: first into the
// journal, and at the end into the unit's file.
type callLog struct {
	engine  *Engine
	work    Work
	journal *data.Journal[data.Call]
}

// open opens the log of a unit with what an earlier run left in its journal. The caller closes the journal.
func (e *Engine) open(w Work) (*callLog, error) {
	journal, err := data.OpenJournal[data.Call](e.Lake, w.Unit().FileStem())
	if err != nil {
		return nil, err
	}
	if err := takeShared(e.Lake, w, journal); err != nil {
		return nil, errors.Join(err, journal.Close())
	}
	return &callLog{engine: e, work: w, journal: journal}, nil
}

// takeShared takes calls over from a journal that an earlier release kept for several units whose names begin alike: those
// that the work plans. The others wait there for their own unit.
func takeShared(l *data.Lake, w Work, into *data.Journal[data.Call]) error {
	planned := map[callKey]bool{}
	for call, err := range data.SharedJournalRows[data.Call](l, w.Unit().FileStem()) {
		if err != nil {
			return err
		}
		k, err := keyOf(call.RequestHash, call.Repeat)
		if err != nil {
			return err
		}
		planned[k] = false
	}
	if len(planned) == 0 {
		return nil
	}
	for group, err := range w.Groups() {
		if err != nil {
			return err
		}
		for _, t := range group.Tasks {
			k, err := keyOf(t.Request.Hash(), int32(t.Request.Repeat))
			if err != nil {
				return err
			}
			if _, held := planned[k]; held {
				planned[k] = true
			}
		}
	}
	return data.TakeShared(l, into, w.Unit().FileStem(), func(c data.Call) bool {
		k, err := keyOf(c.RequestHash, c.Repeat)
		return err == nil && planned[k]
	})
}

func (e *Engine) now() time.Time {
	if e.Now == nil {
		return time.Now()
	}
	return e.Now()
}

// empty reports whether the journal has no calls.
func (g *callLog) empty() (bool, error) {
	for _, err := range g.journal.Rows() {
		return false, err
	}
	return true, nil
}

// record is the row of a task's reply, or of the failure of its call.
func (g *callLog) record(t Task, reply llm.Reply, callErr error) (data.Call, error) {
	settings, err := settingsOf(g.work.Stage, t)
	if err != nil {
		return data.Call{}, err
	}
	logprobs, err := reply.LogprobsJSON()
	if err != nil {
		return data.Call{}, err
	}
	c := data.Call{
		RequestHash: t.hash, Repeat: int32(t.Request.Repeat), Stage: g.work.Stage, Protocol: t.Request.Protocol,
		Model: g.work.Model, Subject: t.Subject, State: reply.State, Reply: reply.Text, FinishReason: reply.FinishReason,
		PromptTokens: int64(reply.PromptTokens), CachedTokens: int64(reply.CachedTokens), CompletionTokens: int64(reply.CompletionTokens),
		LatencyMS: float64(reply.Latency) / float64(time.Millisecond), Attempts: int32(reply.Attempts), Endpoint: reply.Endpoint,
		Sampling: settings, Logprobs: logprobs, FinishedAt: g.engine.now().UTC().Truncate(time.Microsecond),
		Provenance: g.work.Provenance, Reasoning: reply.Reasoning,
	}
	if callErr != nil {
		c.State, c.Error = llm.StateFailed, callErr.Error()
	}
	return c, nil
}

// compact records the calls of the journal in the unit's file, with those that it already holds, and deletes the
// journal. A call that was asked again replaces its earlier record.
func (g *callLog) compact() error {
	empty, err := g.empty()
	if err != nil {
		return err
	}
	if empty {
		return g.journal.Delete()
	}
	e, l := g.engine, g.engine.Lake
	unit := g.work.Unit()
	if e.Detail != nil {
		detail, err := json.Marshal(e.Detail())
		if err != nil {
			return err
		}
		unit.Detail = string(detail)
	}
	// No fingerprint stands for replies that are still to come: the plan is compared with the calls instead.
	unit.Fingerprint = data.Fingerprint(unit.Stage, unit.Name, e.now().String())
	tx, err := l.Begin(unit)
	if err != nil {
		return err
	}
	defer tx.Abort()
	out, err := data.NewRowWriter(tx, data.Calls)
	if err != nil {
		return err
	}
	out.KeepLast()
	for _, calls := range []iter.Seq2[data.Call, error]{data.UnitRows(l, data.Calls, unit), g.journal.Rows()} {
		for call, err := range calls {
			if err != nil {
				return err
			}
			if err := out.Write(call); err != nil {
				return err
			}
		}
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	return g.journal.Delete()
}
