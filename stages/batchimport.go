package stages

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/stages/llm"
)

// longestReply is the longest line of a replies file in bytes.
const longestReply = 64 << 20

// maxBatchFaults is how many faults of a file are listed; the rest are counted.
const maxBatchFaults = 100

// A BatchReport is the end of an import.
type BatchReport struct {
	Stage     string `json:"stage"`
	Unit      string `json:"unit"`
	File      string `json:"file"`
	Requests  int    `json:"requests"`  // of the batch
	Taken     int    `json:"taken"`     // replies recorded now, failed and truncated ones included
	Failed    int    `json:"failed"`    // of those taken
	Truncated int    `json:"truncated"` // of those taken
	Recorded  int    `json:"recorded"`  // replies that the lake had already
	Missing   int    `json:"missing"`   // requests without a reply in the file: they stay pending
	Rows      int    `json:"rows"`      // rows of captions or answers that the unit now has
}

// BatchFaults are the faults of a replies file. What is sound in the file was taken.
type BatchFaults struct {
	All     []string // path:line: message
	Dropped int      // faults beyond the first hundred
}

func (f *BatchFaults) add(path string, line int, format string, args ...any) {
	if len(f.All) >= maxBatchFaults {
		f.Dropped++
		return
	}
	place := path
	if line > 0 {
		place = fmt.Sprintf("%s:%d", path, line)
	}
	f.All = append(f.All, place+": "+fmt.Sprintf(format, args...))
}

// Error lists the faults, one to a line.
func (f *BatchFaults) Error() string {
	lines := f.All
	if f.Dropped > 0 {
		lines = append(lines[:len(lines):len(lines)], fmt.Sprintf("and %d more", f.Dropped))
	}
	return strings.Join(lines, "\n")
}

// ImportBatch records the replies of an offline batch as if they had been asked for live, and reads them into captions
// or answers. manifest is the path of the batch's manifest; empty finds it beside the file. Importing a file again
// changes nothing.
//
// Sound replies are taken even when others are not; the faults of the others are then the error, a *BatchFaults. Replies
// that are missing stay pending, for another batch or for a live run.
func ImportBatch(l *data.Lake, c *Config, path, manifest string, now func() time.Time) (BatchReport, error) {
	m, err := readManifest(path, manifest)
	if err != nil {
		return BatchReport{}, err
	}
	report := BatchReport{Stage: m.Stage, Unit: m.Unit, File: path, Requests: m.Requests}
	step, err := m.step(l, c)
	if err != nil {
		return report, err
	}
	if m.Protocol == captionqa.ProtocolConstrained {
		if err := probeReplied(path); err != nil {
			return report, err
		}
	}
	plan, err := planOf(l, step)
	if err != nil {
		return report, err
	}
	source := "batch " + filepath.Base(path)
	e := &Engine{Lake: l, Now: now, Detail: func() any { return map[string]string{"batch": m.File, "batch_sha256": m.SHA256} }}
	log, err := e.open(plan.work)
	if err != nil {
		return report, err
	}
	defer log.journal.Close()
	x := &batchImport{log: log, plan: plan.tasks, path: path, source: source, report: &report, faults: &BatchFaults{}, lines: map[callKey]int{},
		model: m.Model, strict: llm.Dialect(step.Endpoint.Dialect) != llm.DialectOpenAI}
	if x.known, err = standingOf(l, plan.work, plan.whole); err != nil {
		return report, err
	}
	if err := x.read(); err != nil {
		return report, err
	}
	if err := log.compact(); err != nil {
		return report, err
	}
	if report.Rows, err = step.Read(l); err != nil {
		return report, err
	}
	if report.Missing = min(max(m.Requests-len(x.lines), 0), x.pending()); report.Missing > 0 {
		x.faults.add(path, 0, "%d of %d requests have no reply and stay pending", report.Missing, m.Requests)
	}
	if x.refused > 0 {
		x.faults.add(path, x.firstLine, "%s; this and %d other lines are no replies, and nothing is recorded of them", x.firstReason, x.refused-1)
		return report, data.WithHint(x.faults, "run the batch again with --served-model-name %s, and with the key where one is wanted, and import what that writes", m.Model)
	}
	if len(x.faults.All) > 0 {
		return report, data.WithHint(x.faults, "every sound reply was taken; for the others export again, or ask live with: captionlake run")
	}
	return report, nil
}

// readManifest reads the manifest of a replies file.
func readManifest(path, manifest string) (BatchManifest, error) {
	var m BatchManifest
	if strings.HasSuffix(path, requestsSuffix) {
		return m, data.WithHint(fmt.Errorf("%s: the file holds requests, not replies", path),
			"run it with vllm run-batch, and import what that writes: %s", strings.TrimSuffix(path, requestsSuffix)+repliesSuffix)
	}
	if manifest == "" {
		name, ok := strings.CutSuffix(path, repliesSuffix)
		if !ok {
			return m, data.WithHint(fmt.Errorf("%s: which batch is it? Its name does not end in %s", path, repliesSuffix),
				"give the file the name that the manifest has for it, or name the manifest with --manifest")
		}
		manifest = name + manifestSuffix
	}
	content, err := os.ReadFile(manifest)
	if err != nil {
		return m, data.WithHint(fmt.Errorf("the manifest of %s: %w", path, err), "name it with --manifest; the export wrote it beside the requests")
	}
	if err := json.Unmarshal(content, &m); err != nil {
		return m, fmt.Errorf("%s is no manifest of a batch: %w", manifest, err)
	}
	if m.Format != batchFormat {
		return m, fmt.Errorf("%s is no manifest of a batch that this version can read: its format is %q, not %q", manifest, m.Format, batchFormat)
	}
	return m, nil
}

// step finds the unit of a batch in the configuration.
func (m BatchManifest) step(l *data.Lake, c *Config) (Step, error) {
	var found Step
	selection := m.Selection
	selection.Stage = m.Stage
	narrowed := c.Narrow(selection)
	stop := errors.New("found")
	err := EachStep(l, &narrowed, selection, func(s Step) error {
		if s.Stage != m.Stage || s.Name != m.Unit {
			return nil
		}
		found = s
		return stop
	})
	switch {
	case errors.Is(err, stop):
		return found, nil
	case err != nil && !errors.Is(err, ErrNothingToAsk):
		return found, err
	}
	return found, data.WithHint(fmt.Errorf("the configuration and the lake no longer have the unit %s %s of the batch", m.Stage, m.Unit),
		"use the configuration and the lake that the batch was exported from")
}

// unitPlan is the plan of a unit without the texts of its requests.
type unitPlan struct {
	work  Work
	tasks map[callKey]Task
	whole *part
}

// planOf is the plan of a step's unit, the tries in the place of recorded unreadable replies included.
func planOf(l *data.Lake, s Step) (*unitPlan, error) {
	u := &unitPlan{tasks: map[callKey]Task{}, whole: newPart(nil)}
	for work, err := range s.tries(l) {
		if err != nil {
			return nil, err
		}
		u.work = work
		for group, err := range work.Groups() {
			if err == nil {
				err = u.whole.add(group)
			}
			if err != nil {
				return nil, err
			}
			planned := u.whole.tasks[len(u.whole.tasks)-len(group.Tasks):]
			for i, t := range group.Tasks {
				t.hash, t.Request.Messages = planned[i].hash, nil
				u.tasks[planned[i].key] = t
			}
		}
	}
	return u, nil
}

// batchLine is one line of a replies file, as vLLM and OpenAI write it.
type batchLine struct {
	CustomID string          `json:"custom_id"`
	Body     json.RawMessage `json:"body"` // only requests have one
	Response *struct {
		StatusCode int             `json:"status_code"`
		Body       json.RawMessage `json:"body"`
	} `json:"response"`
	Error json.RawMessage `json:"error"`
}

// batchLines streams the lines of a replies file with their numbers, from 1. A line that is no reply comes with a fault;
// the last pair of a file that cannot be read has an error.
func batchLines(path string) iter.Seq2[numberedLine, error] {
	return func(yield func(numberedLine, error) bool) {
		file, err := os.Open(path)
		if err != nil {
			yield(numberedLine{}, err)
			return
		}
		defer file.Close()
		lines := bufio.NewReaderSize(file, 1<<16)
		for n := 1; ; n++ {
			text, long, err := nextLine(lines, longestReply)
			if err != nil {
				if !errors.Is(err, io.EOF) {
					yield(numberedLine{}, fmt.Errorf("%s:%d: %w", path, n, err))
				}
				return
			}
			if text = bytes.TrimSpace(text); len(text) == 0 && !long {
				continue
			}
			line := numberedLine{number: n}
			if long {
				line.fault = fmt.Sprintf("the line has more than %d MiB, which no reply has", longestReply>>20)
				if !yield(line, nil) {
					return
				}
				continue
			}
			var syntax *json.SyntaxError
			switch err := json.Unmarshal(text, &line.batchLine); {
			case errors.As(err, &syntax) && syntax.Offset >= int64(len(text)):
				line.fault = "the line is cut off"
			case err != nil:
				line.fault = "the line is no reply of a batch: " + err.Error()
			case line.Response == nil && len(line.Body) > 0:
				line.fault = "the line is a request, not a reply: import the file that vllm run-batch wrote"
			case line.CustomID == "":
				line.fault = "the line has no custom_id"
			}
			if !yield(line, nil) {
				return
			}
		}
	}
}

// nextLine reads one line. Of a line that is longer than most bytes it keeps nothing and says so; the next call reads the
// line after it. At the end of the file the error is io.EOF.
func nextLine(r *bufio.Reader, most int) (text []byte, long bool, err error) {
	read := 0
	for {
		piece, err := r.ReadSlice('\n')
		read += len(piece)
		if long = read > most; long {
			text = nil
		} else {
			text = append(text, piece...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF) && read > 0, err == nil:
			return text, long, nil
		default:
			return nil, false, err
		}
	}
}

type numberedLine struct {
	batchLine
	number int
	fault  string // why the line is no reply
}

// reply turns a line into what the client would have returned.
func (b batchLine) reply(r llm.Request) (llm.Reply, error) {
	failed := llm.Reply{State: llm.StateFailed, Attempts: 1}
	said := b.Error
	if string(said) == "null" {
		said = nil
	}
	switch {
	case b.Response == nil && said == nil:
		return failed, &llm.CallError{Class: llm.ClassServer, Message: "the batch has no response for the request"}
	case b.Response == nil:
		return failed, llm.StatusError(http.StatusInternalServerError, said)
	case b.Response.StatusCode != http.StatusOK && said == nil:
		return failed, llm.StatusError(b.Response.StatusCode, b.Response.Body)
	case b.Response.StatusCode != http.StatusOK:
		return failed, llm.StatusError(b.Response.StatusCode, said)
	case said != nil:
		return failed, llm.StatusError(http.StatusBadRequest, said)
	}
	reply, err := llm.ParseReply(r, b.Response.Body)
	reply.Attempts = 1
	return reply, err
}

// probeReplied refuses the replies of an engine that ignored the constraint.
func probeReplied(path string) error {
	refuse := func(why string) error {
		return data.WithHint(fmt.Errorf("%s: protocol %s is refused: %s", path, captionqa.ProtocolConstrained, why),
			"use a vLLM release that honours structured_outputs (0.12 or later), or the protocol %s", captionqa.ProtocolUpstream)
	}
	for line, err := range batchLines(path) {
		if err != nil {
			return err
		}
		if line.fault != "" || line.CustomID != probeID {
			continue
		}
		reply, err := line.reply(llm.ProbeRequest("", nil))
		if ofTheRun(err) {
			return nil // It is that of all lines, and named with them.
		}
		if err != nil {
			return refuse("the constraint probe failed: " + err.Error())
		}
		for _, word := range llm.ProbeRequest("", nil).Choice {
			if strings.TrimSpace(reply.Text) == word {
				return nil
			}
		}
		return refuse(fmt.Sprintf("the engine ignored the constraint and said %.60q", reply.Text))
	}
	return refuse("the file has no reply to the constraint probe")
}

// batchImport takes the lines of one replies file in.
type batchImport struct {
	log    *callLog
	plan   map[callKey]Task
	path   string
	source string
	known  standing
	report *BatchReport
	faults *BatchFaults
	lines  map[callKey]int // line on which the reply to a request stands
	model  string          // name that the requests call the model by
	strict bool            // the engine answers by that name

	refused     int   // lines that failed for the batch's configuration, which are no replies
	firstLine   int   // of them
	firstReason error // of them

	waiting []data.Call
}

// importBatch is how many calls share one write of the journal.
const importBatch = 512

func (x *batchImport) read() error {
	for line, err := range batchLines(x.path) {
		switch {
		case err != nil:
			return err
		case line.fault != "":
			x.faults.add(x.path, line.number, "%s", line.fault)
			continue
		case line.CustomID == probeID:
			continue
		}
		if err := x.take(line); err != nil {
			return err
		}
		if len(x.waiting) >= importBatch {
			if err := x.flush(); err != nil {
				return err
			}
		}
	}
	return x.flush()
}

func (x *batchImport) take(line numberedLine) error {
	k, err := parseBatchID(line.CustomID)
	if err != nil {
		x.faults.add(x.path, line.number, "%.80q: %s", line.CustomID, err)
		return nil
	}
	task, ok := x.plan[k]
	if !ok || batchID(task.hash, task.Request.Repeat) != line.CustomID {
		x.faults.add(x.path, line.number, "%s: no request of %s %s: the line is of another batch, or what it asked about has changed since the export",
			line.CustomID, x.report.Stage, x.report.Unit)
		return nil
	}
	if first, twice := x.lines[k]; twice {
		x.faults.add(x.path, line.number, "%s: line %d has a reply to the same request; that one counts", line.CustomID, first)
		return nil
	}
	reply, callErr := line.reply(task.Request)
	if callErr == nil && x.strict && reply.Model != "" && reply.Model != x.model {
		callErr = &llm.CallError{Class: llm.ClassOtherModel, Message: fmt.Sprintf("the reply is of the model %.80q", reply.Model)}
	}
	if ofTheRun(callErr) {
		x.refuse(line.number, callErr)
		return nil
	}
	x.lines[k] = line.number
	reply.Endpoint = x.source
	call, err := x.log.record(task, reply, callErr)
	if err != nil {
		return err
	}
	if _, q, err := rank(task.Request, call); err != nil || q <= x.known[k] {
		x.report.Recorded++ // What is better replaces what is worse, and nothing else replaces anything.
		return err
	}
	x.report.Taken++
	switch call.State {
	case llm.StateFailed:
		x.report.Failed++
	case llm.StateTruncated:
		x.report.Truncated++
	}
	x.waiting = append(x.waiting, call)
	return nil
}

// refuse takes in a line that failed as all lines of the batch would: nothing is recorded of it.
func (x *batchImport) refuse(line int, why error) {
	if x.refused++; x.refused == 1 {
		x.firstLine, x.firstReason = line, why
	}
}

// pending is the number of the unit's requests that have no record, neither from this file nor from elsewhere.
func (x *batchImport) pending() int {
	n := 0
	for k := range x.plan {
		if _, here := x.lines[k]; !here && !x.known.settled(k, false) {
			n++
		}
	}
	return n
}

func (x *batchImport) flush() error {
	if len(x.waiting) == 0 {
		return nil
	}
	err := x.log.journal.Append(x.waiting...)
	x.waiting = x.waiting[:0]
	return err
}
