package stages

import (
	"encoding/json"
	"errors"
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
	return &callLog{engine: e, work: w, journal: journal}, nil
}

func (e *Engine) now() time.Time {
	if e.Now == nil {
		return time.Now()
	}
	return e.Now()
}

// each visits the calls of the journal in the order of their coming.
func (g *callLog) each(visit func(callKey, data.Call)) error {
	for call, err := range g.journal.Rows() {
		if err != nil {
			return err
		}
		k, err := keyOf(call.RequestHash, call.Repeat)
		if err != nil {
			return err
		}
		visit(k, call)
	}
	return nil
}

// known collects the calls that need not be asked again, those of the journal included.
func (g *callLog) known(retryFailed bool) (*recorded, error) {
	known, err := recordedCalls(g.engine.Lake, g.work.Model, retryFailed)
	if err != nil {
		return nil, err
	}
	return known, g.each(func(k callKey, call data.Call) {
		if settled(call.State, retryFailed) {
			known.add(k)
		}
	})
}

// record is the row of a task's reply, or of the failure of its call.
func (g *callLog) record(t Task, reply llm.Reply, callErr error) (data.Call, error) {
	sampling, err := json.Marshal(t.Request.Sampling)
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
		Sampling: string(sampling), Logprobs: logprobs, FinishedAt: g.engine.now().UTC().Truncate(time.Microsecond),
		Provenance: g.work.Provenance,
	}
	if callErr != nil {
		c.State, c.Error = llm.StateFailed, callErr.Error()
	}
	return c, nil
}

// compact records the calls of the journal in the unit's file, with those that it already holds, and deletes the
// journal. A call that was asked again replaces its earlier record.
func (g *callLog) compact() error {
	e, l, journal := g.engine, g.engine.Lake, g.journal
	last := map[callKey]int{} // position of the last record of each call in the journal
	n := 0
	if err := g.each(func(k callKey, _ data.Call) {
		last[k] = n
		n++
	}); err != nil {
		return err
	}
	if n == 0 {
		return journal.Delete()
	}
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
	for call, err := range data.UnitRows(l, data.Calls, unit) {
		if err != nil {
			return err
		}
		k, err := keyOf(call.RequestHash, call.Repeat)
		if err != nil {
			return err
		}
		if _, again := last[k]; again {
			continue
		}
		if err := out.Write(call); err != nil {
			return err
		}
	}
	i := 0
	for call, err := range journal.Rows() {
		if err != nil {
			return err
		}
		k, err := keyOf(call.RequestHash, call.Repeat)
		if err != nil {
			return err
		}
		if last[k] == i {
			if err := out.Write(call); err != nil {
				return err
			}
		}
		i++
	}
	if err := tx.Commit(); err != nil {
		return err
	}
	return journal.Delete()
}

// leave closes the log of a unit that nothing was added to.
func (g *callLog) leave() error {
	empty := true
	if err := g.each(func(callKey, data.Call) { empty = false }); err != nil {
		return errors.Join(err, g.journal.Close())
	}
	if empty {
		return g.journal.Delete()
	}
	return g.journal.Close()
}
