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
	strict   bool   // the engine answers under that name

	refused     int   // lines that failed because of the batch's configuration; they are not replies
	firstLine   int   // first of these lines
	firstReason error // and its error
}

// A replyLine is the place of a reply in the file.
type replyLine struct {
	number  int
	at      int64
	length  int
	planned bool // the unit has such a request
	refused bool // the line is not a reply
}

// readReplies finds the replies of a file, and the faults of its lines.
func readReplies(path string) (*replyFile, error) {
	f := &replyFile{path: path, lines: map[string]*replyLine{}, faults: &Faults{path: path}}
	for line, err := range batchLines(path) {
		switch {
		case err != nil:
			return nil, err
		case line.fault != "":
			f.faults.add(line.number, "%s", line.fault)
			continue
		case line.CustomID == probeID:
			f.probe = cmp.Or(f.probe, &line.batchLine)
			continue
		}
		if !customIDs.MatchString(line.CustomID) {
			f.faults.add(line.number, "%.80q: no export wrote this custom_id", line.CustomID)
			continue
		}
		if first, twice := f.lines[line.CustomID]; twice {
			f.faults.add(line.number,
				"%s: line %d has a reply to the same request; that one counts", line.CustomID, first.number)
			continue
		}
		f.lines[line.CustomID] = &replyLine{number: line.number, at: line.at, length: line.length}
	}
	var err error
	f.file, err = os.Open(path)
	return f, err
}

func (f *replyFile) close() { _ = f.file.Close() } // It was only read.

// ignored says how the engine broke the constraint of the probe; empty if it kept to it.
func (f *replyFile) ignored() string {
	if f.probe == nil {
		return "the file has no reply to the constraint probe"
	}
	probe := llm.ProbeRequest("", nil)
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
// one.
func (f *replyFile) Has(hash string, q llm.Request, better func(llm.Reply) bool) bool {
	r, ok := f.lines[customID(hash, q.Repeat)]
	if !ok {
		return false
	}
	r.planned = true
	reply, err := f.reply(r, q)
	if llm.ClassOf(err).OfTheRun() {
		r.refused = true
		if f.refused++; f.refused == 1 {
			f.firstLine, f.firstReason = r.number, err
		}
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

// reply is the reply of a line to a request. A reply by another model than the one asked is an
// error.
func (f *replyFile) reply(r *replyLine, q llm.Request) (llm.Reply, error) {
	content := make([]byte, r.length)
	if _, err := f.file.ReadAt(content, r.at); err != nil {
		return llm.Reply{}, fmt.Errorf("%s:%d: %w", f.path, r.number, err)
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
	r, ok := f.lines[customID(q.Hash(), q.Repeat)]
	if !ok {
		return llm.Reply{}, errors.New("the file has no reply to a request that was found in it")
	}
	reply, err := f.reply(r, q)
	reply.Endpoint = "batch " + filepath.Base(f.path)
	return reply, err
}

// ours is the number of replies to requests of the unit.
func (f *replyFile) ours() int {
	n := 0
	for _, r := range f.lines {
		if r.planned && !r.refused {
			n++
		}
	}
	return n
}

// strangers reports replies to requests that the unit does not have.
func (f *replyFile) strangers(m Manifest) {
	for id, r := range f.lines {
		if !r.planned {
			f.faults.add(r.number,
				"%s: no request of %s %s: the line belongs to another batch, or the item has changed since the export",
				id, m.Stage, m.Unit)
		}
	}
}
