package batch

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	json "github.com/go-json-experiment/json/v1"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/llm"
)

// A replyFile answers requests from a file of replies as a server would, so that an import is a run
// like any other. Memory holds the offsets of the replies, but not the replies.
type replyFile struct {
	path     string
	file     *os.File
	lines    map[string]*replyLine // by custom_id
	probe    *batchLine            // reply to the constraint probe; nil without one
	faults   *Faults
	recorded int    // replies that are not better than the lake's
	model    string // the model's name in the requests
	strict   bool   // a reply with another model's name is an error

	refused     int   // lines that failed because of the batch's configuration; they are not replies
	firstLine   int   // number of the first refused line that Has found
	firstReason error // error of the first refused line
}

// A replyLine is the place of a reply in the file, and its use.
type replyLine struct {
	number  int   // of the line, from 1
	at      int64 // offset in the file
	length  int   // in bytes
	planned bool  // the unit has the request
	refused bool  // the line is not a reply
}

// readReplies finds the replies of a file, and the faults of its lines.
func readReplies(path string) (*replyFile, error) {
	f := &replyFile{path: path, lines: map[string]*replyLine{}, faults: &Faults{path: path}}
	for line, err := range batchLines(path) {
		switch {
		case err != nil:
			return nil, err
		case line.fault != "":
			f.faults.add(line.place.number, "%s", line.fault)
			continue
		case line.CustomID == probeID:
			f.probe = cmp.Or(f.probe, &line.batchLine) // the first one counts, as for other replies
			continue
		}
		place := line.place
		if !customIDs.MatchString(line.CustomID) {
			f.faults.add(place.number, "%.80q: no export wrote this custom_id", line.CustomID)
			continue
		}
		if first, twice := f.lines[line.CustomID]; twice {
			f.faults.add(place.number,
				"%s: line %d has a reply to the same request; that one counts", line.CustomID, first.number)
			continue
		}
		f.lines[line.CustomID] = &place
	}
	var err error
	f.file, err = os.Open(path)
	return f, err
}

func (f *replyFile) close() { _ = f.file.Close() } // It was only read.

// ignored says how vLLM broke the constraint of the probe; empty if vLLM kept the constraint.
func (f *replyFile) ignored() string {
	if f.probe == nil {
		return "the file has no reply to the constraint probe"
	}
	probe := llm.ProbeRequest("", nil) // Reading the reply needs no name of the model and no flags.
	reply, err := f.probe.reply(probe)
	switch {
	case llm.ClassOf(err).OfTheRun(): // All lines have the same error, which is reported for them together.
	case err != nil:
		return "the constraint probe failed: " + err.Error()
	case !slices.Contains(probe.Choice, strings.TrimSpace(reply.Text)):
		return fmt.Sprintf("the engine ignored the constraint and said %.60q", reply.Text)
	}
	return ""
}

// Has reports whether the file has a reply to a planned request that is better than the recorded
// reply. Has also notes which lines answer requests of the unit, and which lines are refused.
func (f *replyFile) Has(hash string, q llm.Request, better func(llm.Reply) bool) bool {
	line, ok := f.lines[customID(hash, q.Repeat)]
	if !ok {
		return false
	}
	line.planned = true
	reply, err := f.reply(line, q)
	if llm.ClassOf(err).OfTheRun() {
		line.refused = true
		if f.refused == 0 {
			f.firstLine, f.firstReason = line.number, err
		}
		f.refused++
		return false
	}
	if err != nil {
		reply.State = llm.StateFailed
	}
	if !better(reply) {
		f.recorded++
		return false
	}
	return true
}

// reply reads the reply of a line to a request. A reply by a model that was not asked is an error.
func (f *replyFile) reply(place *replyLine, q llm.Request) (llm.Reply, error) {
	content := make([]byte, place.length)
	if _, err := f.file.ReadAt(content, place.at); err != nil {
		return llm.Reply{}, fmt.Errorf("%s:%d: %w", f.path, place.number, err)
	}
	var line batchLine
	if err := json.Unmarshal(content, &line); err != nil {
		return llm.Reply{}, err
	}
	reply, err := line.reply(q)
	if err == nil && f.strict && reply.Model != "" && reply.Model != f.model {
		err = &llm.CallError{Class: llm.ClassOtherModel,
			Message: fmt.Sprintf("the reply is of the model %.80q", reply.Model)}
	}
	return reply, err
}

// Ask returns the file's reply to a request.
func (f *replyFile) Ask(_ context.Context, q llm.Request, _ string) (llm.Reply, error) {
	reply, err := f.reply(f.lines[customID(q.Hash(), q.Repeat)], q) // Has has found the line.
	reply.Endpoint = "batch " + filepath.Base(f.path)
	return reply, err
}

// ours is the number of replies to requests of the unit.
func (f *replyFile) ours() int {
	replies := 0
	for _, line := range f.lines {
		if line.planned && !line.refused {
			replies++
		}
	}
	return replies
}

// strangers adds a fault for each reply that answers no request of the unit.
func (f *replyFile) strangers(m Manifest) {
	for id, line := range f.lines {
		if !line.planned {
			f.faults.add(line.number,
				"%s: no request of %s %s: the line belongs to another batch, or the item has changed since the export",
				id, m.Stage, m.Unit)
		}
	}
}

// fault is the error of a file with faults, and says what to do about it; nil without faults.
func (f *replyFile) fault(m Manifest, dialect llm.Dialect) error {
	switch {
	case f.refused > 0:
		f.faults.add(f.firstLine, "%s; this and %d other lines are not replies, and nothing is recorded of them",
			f.firstReason, f.refused-1)
		hint := "run the batch again with --served-model-name " + m.Model +
			", and with the key if one is needed, and import the result"
		if advised := new(data.HintError); errors.As(config.Advise(f.firstReason, dialect), &advised) {
			hint = advised.Hint + "; then export again"
		}
		return data.WithHint(f.faults, "%s", hint)
	case len(f.faults.All) > 0:
		return data.WithHint(f.faults,
			"every sound reply was recorded; for the others export again, or ask live with: captionlake run")
	}
	return nil
}
