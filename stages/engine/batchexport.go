package engine

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/llm"
)

// Offline batches are files of requests in the form of OpenAI's batch interface, which vLLM runs without a server
// (vllm run-batch), for machines that cannot reach the lake. A batch is three files that share a name:
//
//	NAME.requests.jsonl  one request to a line, those that share a prefix next to each other
//	NAME.manifest.json   what the requests are for
//	NAME.replies.jsonl   what vLLM writes, and Import reads
const (
	requestsSuffix = ".requests.jsonl"
	manifestSuffix = ".manifest.json"
	repliesSuffix  = ".replies.jsonl"
	batchFormat    = "captionlake/batch/1"
	// probeID names the line that asks whether the engine honours constraints; see llm.ProbeRequest.
	probeID = "constraint-probe"
)

// DefaultBatchRequests and defaultBatchBytes bound a file unless told otherwise: the most that OpenAI's batch interface takes. vLLM reads
// a file whole, and a picture is in each of its questions.
const (
	DefaultBatchRequests = 50_000
	defaultBatchBytes    = 200_000_000
)

// maxManifestBytes bounds a manifest, which is parsed whole.
const maxManifestBytes = 16 << 20

// A BatchManifest says what the requests of one batch file are for.
type BatchManifest struct {
	Format      string        `json:"format"`
	Stage       string        `json:"stage"`
	Unit        string        `json:"unit"`     // name of the unit within the stage
	Model       string        `json:"model"`    // name that the requests call the model by
	ModelID     string        `json:"model_id"` // name that the lake knows it by
	Protocol    string        `json:"protocol"`
	Provenance  string        `json:"provenance"`
	Selection   config.Choice `json:"selection"` // of the export, to find the unit in the configuration again
	Part        int           `json:"part"`      // number of the file among those of the unit, from 1
	Requests    int           `json:"requests"`  // requests in the file, the constraint probe left out
	Bytes       int64         `json:"bytes"`     // length of the requests file
	SHA256      string        `json:"sha256"`    // digest of the requests file
	File        string        `json:"requests_file"`
	Replies     string        `json:"replies_file"` // name that the import expects the replies under
	Command     []string      `json:"command"`      // how vLLM runs the file, paths and tuning aside
	ToolVersion string        `json:"tool_version"`
}

// BatchOptions say where and how requests are exported.
type BatchOptions struct {
	Dir         string // folder of the files; made when absent
	MaxRequests int    // requests to a file; 0 is DefaultBatchRequests
	MaxBytes    int64  // bytes of a file that has more than one request; 0 is 200 MB
}

// Export writes the pending requests of the run as batch files, one or more for each unit, and returns their manifests. A
// request is exactly what the client would send. Units of which the folder has a batch already are refused, because its
// replies may be under way.
func (r *Runner) Export(o BatchOptions) ([]BatchManifest, error) {
	if o.MaxRequests == 0 {
		o.MaxRequests = DefaultBatchRequests
	}
	if o.MaxBytes == 0 {
		o.MaxBytes = defaultBatchBytes
	}
	if o.MaxRequests < 0 {
		return nil, fmt.Errorf("%d requests to a file are too few", o.MaxRequests)
	}
	if err := os.MkdirAll(o.Dir, 0o777); err != nil {
		return nil, err
	}
	var all []BatchManifest
	err := r.each(false, func(u *unit, s *Scope, _ bool) error {
		manifests, err := r.export(u, s, o)
		all = append(all, manifests...)
		return err
	})
	return all, errors.Join(err, r.remember())
}

func (r *Runner) export(u *unit, s *Scope, o BatchOptions) ([]BatchManifest, error) {
	if _, ok, err := r.recalled(u); err != nil || ok {
		return nil, err
	}
	// What another process asks now is not to be asked in a batch, too.
	release, err := r.Lake.Hold(u.calls().FileStem())
	if err != nil {
		return nil, err
	}
	defer release()
	x := &batchWriter{
		stem: u.calls().FileStem(), options: o, flags: u.Model.Flags,
		manifest: BatchManifest{
			Format: batchFormat, Stage: u.stage, Unit: u.Name, Model: u.Model.Served, ModelID: u.Model.ID, Protocol: u.Protocol,
			Provenance: u.provenance(), Selection: r.Choice, ToolVersion: data.Version,
		},
	}
	defer x.abort()
	if u.Model.ID != "" {
		endpoint, err := r.Config.Endpoint(u.Model.Endpoint)
		if err != nil {
			return nil, err
		}
		x.dialect = llm.Dialect(endpoint.Dialect)
	}
	w, err := r.walk(u, s, r.pendingOnly)
	if err != nil {
		return nil, err
	}
	defer r.ended(w)
	if w.report, err = r.reporting(u, s); err != nil {
		return nil, err
	}
	allowed := r.Replace // Only a unit that has something to ask is looked through for other settings.
	err = w.all(func(group []*plannedCall) error {
		if !allowed {
			if err := w.refusal(r.pendingOnly); err != nil {
				return fmt.Errorf("%s %s: %w", u.stage, u.Name, err)
			}
			allowed = true
		}
		for _, t := range group {
			if err := x.add(t); err != nil {
				err = fmt.Errorf("%s %s: %s: %w", u.stage, u.Name, t.subject, err)
				if hinted := new(data.HintError); errors.As(err, &hinted) {
					return err
				}
				return data.WithHint(err,
					"fix what it names and export again; captionlake run records such requests as failed and goes on")
			}
		}
		return nil
	})
	if err != nil {
		return nil, err
	}
	if err := x.finish(); err != nil {
		return nil, err
	}
	return x.publish()
}

// batchID is the custom_id of a request: its hash and its repeat number.
func batchID(hash string, repeat int) string { return hash + "-r" + strconv.Itoa(repeat) }

// parseBatchID takes a custom_id apart.
func parseBatchID(id string) (callKey, error) {
	hash, repeat, found := strings.Cut(id, "-r")
	n, err := strconv.ParseInt(repeat, 10, 32)
	if !found || err != nil || n < 0 || len(hash) != 64 {
		return callKey{}, errors.New("its custom_id is not one that an export wrote")
	}
	return keyOf(hash, int32(n))
}

// batchWriter writes the requests of one unit into files of at most so many. They are written in a folder of their own and
// get their places when all are whole.
type batchWriter struct {
	stem     string
	temp     string // where the files are written; empty before the first
	options  BatchOptions
	dialect  llm.Dialect
	media    llm.Media
	flags    map[string]bool // of the model's chat template
	manifest BatchManifest   // what the files have in common
	done     []BatchManifest

	file  *os.File // nil between files
	sum   hash.Hash
	out   *bufio.Writer
	bytes int64
	count int
}

func (x *batchWriter) add(t *plannedCall) error {
	text, err := x.line(batchID(t.hash, t.request.Repeat), *t.request)
	if err != nil {
		return err
	}
	if x.count == x.options.MaxRequests || x.count > 0 && x.bytes+int64(len(text)) > x.options.MaxBytes {
		if err := x.finish(); err != nil {
			return err
		}
	}
	if x.file == nil {
		if err := x.start(); err != nil {
			return err
		}
	}
	x.count++
	return x.write(text)
}

func (x *batchWriter) start() (err error) {
	name := x.name(len(x.done) + 1)
	for _, suffix := range []string{requestsSuffix, manifestSuffix, repliesSuffix} {
		path := filepath.Join(x.options.Dir, name+suffix)
		if _, err := os.Lstat(path); err == nil {
			return data.WithHint(fmt.Errorf("%s is there already: its replies may be under way", path),
				"take its replies in with: captionlake batch FILE, or export into another folder")
		} else if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	if x.temp == "" {
		if x.temp, err = os.MkdirTemp(x.options.Dir, ".export-*"); err != nil {
			return err
		}
	}
	if x.file, err = os.Create(filepath.Join(x.temp, name+requestsSuffix)); err != nil {
		return err
	}
	x.sum, x.bytes, x.count = sha256.New(), 0, 0
	x.out = bufio.NewWriterSize(io.MultiWriter(x.file, x.sum), 1<<20)
	if x.manifest.Protocol == captionqa.ProtocolConstrained {
		text, err := x.line(probeID, llm.ProbeRequest(x.manifest.Model, x.flags))
		if err != nil {
			return err
		}
		return x.write(text)
	}
	return nil
}

// name is what the files of one batch share. It begins with that of the unit's own file in the lake.
func (x *batchWriter) name(part int) string { return fmt.Sprintf("%s-%03d", x.stem, part) }

// line is the line of a request. The body goes in byte for byte, as the client sends it; an id needs no quoting.
func (x *batchWriter) line(id string, r llm.Request) ([]byte, error) {
	body, err := r.Body(x.dialect, &x.media)
	if err != nil {
		return nil, err
	}
	return slices.Concat([]byte(`{"custom_id":"`+id+`","method":"POST","url":"`+r.Path()+`","body":`), body, []byte("}\n")), nil
}

func (x *batchWriter) write(text []byte) error {
	x.bytes += int64(len(text))
	_, err := x.out.Write(text)
	return err
}

// finish ends the current file, if there is one.
func (x *batchWriter) finish() error {
	if x.file == nil {
		return nil
	}
	file := x.file
	x.file = nil
	if err := errors.Join(x.out.Flush(), file.Sync(), file.Close()); err != nil {
		return data.WithHint(err, "free some room and run the same command again")
	}
	m := x.manifest
	m.Part = len(x.done) + 1
	name := x.name(m.Part)
	m.Requests, m.Bytes, m.SHA256 = x.count, x.bytes, hex.EncodeToString(x.sum.Sum(nil))
	m.File, m.Replies = name+requestsSuffix, name+repliesSuffix
	// The same flags as for a server: what is not given comes from the model's own generation_config.json, and without
	// prompt token details nothing tells how much came from the prefix cache.
	m.Command = []string{"vllm", "run-batch", "-i", m.File, "-o", m.Replies, "--model", m.Model, "--served-model-name", m.Model,
		"--generation-config", "vllm", "--enable-prefix-caching", "--enable-prompt-tokens-details"}
	x.done = append(x.done, m)
	return nil
}

// publish puts the files in their places, each manifest after its requests.
func (x *batchWriter) publish() (published []BatchManifest, err error) {
	for _, m := range x.done {
		if err := os.Rename(filepath.Join(x.temp, m.File), filepath.Join(x.options.Dir, m.File)); err != nil {
			return published, err
		}
		content, err := json.MarshalIndent(m, "", "  ")
		if err != nil {
			return published, err
		}
		if err := os.WriteFile(filepath.Join(x.options.Dir, x.name(m.Part)+manifestSuffix), append(content, '\n'), 0o666); err != nil {
			return published, err
		}
		published = append(published, m)
	}
	return published, nil
}

// abort deletes what has no place yet. A hidden folder that stays is of no consequence.
func (x *batchWriter) abort() {
	if x.file != nil {
		_ = x.file.Close() // It is deleted next.
	}
	if x.temp != "" {
		_ = os.RemoveAll(x.temp)
	}
}
