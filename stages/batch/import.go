package batch

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"
	"strings"

	json "github.com/go-json-experiment/json/v1"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/engine"
	"github.com/captionlake/captionlake/stages/llm"
)

// maxFaults is how many faults of a file are listed; the rest are only counted.
const maxFaults = 100

// A Report counts the replies of an import.
type Report struct {
	Stage     string `json:"stage"`
	Unit      string `json:"unit"`
	File      string `json:"file"`
	Requests  int    `json:"requests"`  // of the batch
	Taken     int    `json:"taken"`     // replies recorded now, including failed and truncated ones
	Failed    int    `json:"failed"`    // failed replies recorded now
	Truncated int    `json:"truncated"` // truncated replies recorded now
	Recorded  int    `json:"recorded"`  // replies that the lake had already
	Missing   int    `json:"missing"`   // requests without a reply in the file: they stay pending
	Rows      int    `json:"rows"`      // rows that the unit now has
	Note      string `json:"note,omitempty"`
}

// Faults are the faults of a replies file. The sound replies of the file were recorded.
type Faults struct {
	All  []fault
	path string
}

// A fault belongs to a line, or to the file as a whole.
type fault struct {
	line int
	text string
}

// wholeFile is the line number of a fault of the whole file. A fault of the whole
// file comes last.
const wholeFile = math.MaxInt

// add adds a fault of a line.
func (f *Faults) add(line int, format string, args ...any) {
	f.All = append(f.All, fault{line, fmt.Sprintf(format, args...)})
}

// Error lists the faults in the order of the lines, as path:line: message.
func (f *Faults) Error() string {
	slices.SortStableFunc(f.All, func(a, b fault) int { return cmp.Compare(a.line, b.line) })
	var all []string
	for i, fault := range f.All {
		if i == maxFaults {
			all = append(all, fmt.Sprintf("and %d more", len(f.All)-i))
			break
		}
		place := fmt.Sprintf("%s:%d", f.path, fault.line)
		if fault.line == wholeFile {
			place = f.path
		}
		all = append(all, place+": "+fault.text)
	}
	return strings.Join(all, "\n")
}

// Import records the replies of an offline batch as if a server had sent them, and makes their
// rows. The batch's manifest lies beside the file. Importing a file again changes nothing. The
// run's own choice is ignored: the manifest has the choice of the export.
//
// Sound replies are recorded even if others have faults. The faults are then the error, a *Faults.
// Requests with missing replies stay pending, for another batch or for a live run.
func Import(ctx context.Context, r *engine.Runner, path string) (Report, error) {
	m, err := readManifest(path)
	if err != nil {
		return Report{}, err
	}
	report := Report{Stage: m.Stage, Unit: m.Unit, File: path, Requests: m.Requests}
	u, err := r.Offline(m.Stage, m.Unit, m.Selection)
	if err != nil {
		return report, err
	}
	file, err := readReplies(path)
	if err != nil {
		return report, err
	}
	defer file.close()
	if m.Protocol == captionqa.ProtocolConstrained {
		if why := file.ignored(); why != "" {
			return report, data.WithHint(fmt.Errorf("%s: protocol %s is refused: %s", path,
				captionqa.ProtocolConstrained, why),
				"use a vLLM release that honours structured_outputs (0.12 or later), or the protocol %s",
				captionqa.ProtocolUpstream)
		}
	}
	endpoint, err := r.Config.Endpoint(u.Model.Endpoint)
	if err != nil {
		return report, err
	}
	// As for live requests, a server of the dialect openai may use a name of its own for the model.
	file.model, file.strict = m.Model, endpoint.Dialect != llm.DialectOpenAI
	detail := func() any {
		return struct {
			Batch  string       `json:"batch"`
			Digest string       `json:"batch_sha256"`
			Price  config.Price `json:"price,omitzero"`
		}{m.File, m.SHA256, r.Config.Settings(u.Model.Served).Price}
	}
	done, err := u.Take(ctx, file, detail)
	if err != nil {
		return report, err
	}
	file.strangers(m) // Take has called file.Has for all requests of the unit.
	report.Taken, report.Failed, report.Truncated = done.Answered, done.Failed, done.Truncated
	report.Recorded, report.Rows, report.Note = file.recorded, done.Rows, done.Note
	// The file may also have replies of other batches of the unit, and other runs may have asked the
	// missing requests.
	report.Missing = min(max(m.Requests-file.ours(), 0), done.Pending)
	if report.Missing > 0 {
		file.faults.add(wholeFile, "%d of %d requests have no reply and stay pending", report.Missing, m.Requests)
	}
	return report, file.fault(m, endpoint.Dialect)
}

// readManifest reads the manifest of a replies file.
func readManifest(path string) (Manifest, error) {
	var m Manifest
	if strings.HasSuffix(path, requestsSuffix) {
		return m, data.WithHint(fmt.Errorf("%s: the file holds requests, not replies", path),
			"run it with vllm run-batch, and import its output: %s",
			strings.TrimSuffix(path, requestsSuffix)+repliesSuffix)
	}
	name, ok := strings.CutSuffix(path, repliesSuffix)
	if !ok {
		return m, data.Errorf("give the file the name that the manifest has for it",
			"%s: the batch is unknown, because the name does not end in %s", path, repliesSuffix)
	}
	manifest := name + manifestSuffix
	content, err := data.ReadInput(manifest, maxManifestBytes)
	if err != nil {
		return m, data.Errorf("put it beside the file; run --export wrote it beside the requests",
			"the manifest of %s: %w", path, err)
	}
	if err := json.Unmarshal(content, &m); err != nil {
		return m, fmt.Errorf("%s is not the manifest of a batch: %w", manifest, err)
	}
	if m.Format != format {
		return m, fmt.Errorf("%s is not the manifest of a batch that this version can read: its format is %q, not %q",
			manifest, m.Format, format)
	}
	return m, nil
}
