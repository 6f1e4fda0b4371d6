package engine

import (
	"encoding/json"
	"iter"
	"time"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/stages/llm"
)

// A callLog takes the calls of one unit in, whether they were asked live or come from an offline batch: first into the
// journal, and at the end into the unit's file.
type callLog struct {
	lake    *data.Lake
	unit    *unit
	now     func() time.Time
	detail  func() any // what is recorded of the servers, as JSON; nil for none
	journal *data.Journal[data.Call]
}

// openLog opens the log of a unit with what an earlier run left in its journal. The caller closes the journal.
func openLog(l *data.Lake, u *unit, now func() time.Time, detail func() any) (*callLog, error) {
	journal, err := data.OpenJournal[data.Call](l, u.calls().FileStem())
	if err != nil {
		return nil, err
	}
	return &callLog{l, u, now, detail, journal}, nil
}

// record is the row of a call's reply, or of the failure of its call. Vectors are recorded as JSON, a list for each text.
func (g *callLog) record(t *plannedCall, reply llm.Reply, callErr error) (c data.Call, err error) {
	c = data.Call{
		RequestHash: t.hash, Repeat: int32(t.request.Repeat), Stage: g.unit.stage, Protocol: g.unit.Protocol,
		Model: g.unit.Model.ID, Subject: t.subject, State: reply.State, Reply: reply.Text, FinishReason: reply.FinishReason,
		PromptTokens: int64(reply.PromptTokens), CachedTokens: int64(reply.CachedTokens), CompletionTokens: int64(reply.CompletionTokens),
		LatencyMS: float64(reply.Latency) / float64(time.Millisecond), Attempts: int32(reply.Attempts), Endpoint: reply.Endpoint,
		FinishedAt: g.now().UTC().Truncate(time.Microsecond), Provenance: g.unit.provenance(), Reasoning: reply.Reasoning,
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

// takeShared takes calls over from a journal that an earlier release kept for several units whose names begin alike: those
// that the unit has planned. The others wait there for their own unit.
func (g *callLog) takeShared(planned map[callKey]bool) error {
	if len(planned) == 0 {
		return nil
	}
	return data.TakeShared(g.lake, g.journal, g.unit.calls().FileStem(), func(c data.Call) bool {
		k, err := keyOf(c.RequestHash, c.Repeat)
		return err == nil && planned[k]
	})
}

// compact records the calls of the journal in the unit's file, with those that it already holds, and deletes the
// journal. A call that was asked again replaces its earlier record.
func (g *callLog) compact() error {
	empty := true
	for _, err := range g.journal.Rows() {
		if err != nil {
			return err
		}
		empty = false
		break
	}
	if empty {
		return g.journal.Delete()
	}
	unit := g.unit.calls()
	if g.detail != nil {
		detail, err := json.Marshal(g.detail())
		if err != nil {
			return err
		}
		unit.Detail = string(detail)
	}
	// No fingerprint can tell replies that are still to come: the plan is compared with the calls instead.
	unit.Fingerprint = data.Fingerprint(unit.Stage, unit.Name, g.now().String())
	tx, err := g.lake.Begin(unit)
	if err != nil {
		return err
	}
	defer tx.Abort()
	out, err := data.NewRowWriter(tx, data.Calls)
	if err != nil {
		return err
	}
	out.KeepLast()
	for _, calls := range []iter.Seq2[data.Call, error]{data.UnitRows(g.lake, data.Calls, unit), g.journal.Rows()} {
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
