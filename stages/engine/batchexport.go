package engine

import (
	"bufio"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
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

// DefaultBatchRequests is the number of requests to a file unless told otherwise: the most that OpenAI's batch
// interface takes.
const DefaultBatchRequests = 50_000

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
}

// Export writes the pending requests of the run as batch files, one or more for each unit, and returns their manifests. A
// request is exactly what the client would send. Units of which the folder has a batch already are refused, because its
// replies may be under way.
func (r *Runner) Export(o BatchOptions) ([]BatchManifest, error) {
	if o.MaxRequests == 0 {
		o.MaxRequests = DefaultBatchRequests
	}
	if o.MaxRequests < 0 {
		return nil, fmt.Errorf("%d requests to a file are too few", o.MaxRequests)
	}
	if err := os.MkdirAll(o.Dir, 0o777); err != nil {
		return nil, err
	}
	var all []BatchManifest
	err := r.each(false, func(u *unit, s *Scope) error {
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
	x := &batchWriter{
		dir: o.Dir, stem: u.calls().FileStem(), most: o.MaxRequests, media: &llm.Media{}, flags: u.Model.Flags,
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
	if !r.Replace {
		w.others, w.refuse = &comparison{}, true
	}
	err = w.all(func(group []*task) error {
		for _, t := range group {
			if err := x.add(t); err != nil {
				return data.WithHint(fmt.Errorf("%s %s: %s: %w", u.stage, u.Name, t.subject, err),
					"fix what it names and export again; captionlake run records such requests as failed and goes on")
			}
		}
		return nil
	})
	if w.refuse && w.others.found.Requests > 0 {
		err = fmt.Errorf("%s %s: %w", u.stage, u.Name, err)
	}
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

// batchWriter writes the requests of one unit into files of at most so many. The files get their names when all are
// written.
type batchWriter struct {
	dir, stem string
	most      int
	dialect   llm.Dialect
	media     *llm.Media
	flags     map[string]bool // of the model's chat template
	manifest  BatchManifest   // what the files have in common

	file  *os.File
	sum   interface{ Sum([]byte) []byte }
	out   *bufio.Writer
	bytes int64
	count int
	done  []finishedBatch
}

type finishedBatch struct {
	temp     string
	manifest BatchManifest
}

func (x *batchWriter) add(t *task) error {
	if x.file == nil {
		if err := x.start(); err != nil {
			return err
		}
	}
	if err := x.line(batchID(t.hash, t.request.Repeat), *t.request); err != nil {
		return err
	}
	if x.count++; x.count == x.most {
		return x.finish()
	}
	return nil
}

func (x *batchWriter) start() error {
	name := x.name(len(x.done) + 1)
	for _, taken := range []string{name + requestsSuffix, name + manifestSuffix, name + repliesSuffix} {
		if _, err := os.Lstat(filepath.Join(x.dir, taken)); err == nil {
			return data.WithHint(fmt.Errorf("%s is there already: its replies may be under way", filepath.Join(x.dir, taken)),
				"import its replies with: captionlake batch import FILE, or export into another folder")
		} else if !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	file, err := os.CreateTemp(x.dir, ".export-*")
	if err != nil {
		return err
	}
	sum := sha256.New()
	x.file, x.sum, x.out, x.bytes, x.count = file, sum, bufio.NewWriterSize(io.MultiWriter(file, sum), 1<<20), 0, 0
	if x.manifest.Protocol == captionqa.ProtocolConstrained {
		return x.line(probeID, llm.ProbeRequest(x.manifest.Model, x.flags))
	}
	return nil
}

// name is what the files of one batch share. It begins with that of the unit's own file in the lake.
func (x *batchWriter) name(part int) string { return fmt.Sprintf("%s-%03d", x.stem, part) }

func (x *batchWriter) line(id string, r llm.Request) error {
	body, err := r.Body(x.dialect, x.media)
	if err != nil {
		return err
	}
	// The body goes in byte for byte, as the client sends it; an id needs no quoting.
	for _, piece := range []string{`{"custom_id":"`, id, `","method":"POST","url":"`, r.Path(), `","body":`, string(body), "}\n"} {
		n, err := x.out.WriteString(piece)
		x.bytes += int64(n)
		if err != nil {
			return err
		}
	}
	return nil
}

// finish ends the current file, if there is one.
func (x *batchWriter) finish() error {
	if x.file == nil {
		return nil
	}
	file := x.file
	x.file = nil
	m := x.manifest
	m.Part = len(x.done) + 1
	x.done = append(x.done, finishedBatch{file.Name(), m})
	if err := errors.Join(x.out.Flush(), file.Chmod(0o644), file.Sync(), file.Close()); err != nil {
		return data.WithHint(err, "free some room and run the same command again")
	}
	name := x.name(m.Part)
	m.Requests, m.Bytes, m.SHA256 = x.count, x.bytes, hex.EncodeToString(x.sum.Sum(nil))
	m.File, m.Replies = name+requestsSuffix, name+repliesSuffix
	// The same flags as for a server: what is not given comes from the model's own generation_config.json, and without
	// prompt token details nothing tells how much came from the prefix cache.
	m.Command = []string{"vllm", "run-batch", "-i", m.File, "-o", m.Replies, "--model", m.Model, "--served-model-name", m.Model,
		"--generation-config", "vllm", "--enable-prefix-caching", "--enable-prompt-tokens-details"}
	x.done[len(x.done)-1].manifest = m
	return nil
}

// publish gives the files their names, each manifest after its requests.
func (x *batchWriter) publish() ([]BatchManifest, error) {
	var manifests []BatchManifest
	for len(x.done) > 0 {
		d := x.done[0]
		if err := os.Rename(d.temp, filepath.Join(x.dir, d.manifest.File)); err != nil {
			return manifests, err
		}
		x.done = x.done[1:]
		content, err := json.MarshalIndent(d.manifest, "", "  ")
		if err != nil {
			return manifests, err
		}
		path := filepath.Join(x.dir, strings.TrimSuffix(d.manifest.File, requestsSuffix)+manifestSuffix)
		if err := os.WriteFile(path, append(content, '\n'), 0o666); err != nil {
			return manifests, err
		}
		manifests = append(manifests, d.manifest)
	}
	return manifests, nil
}

// abort deletes what has no name yet.
func (x *batchWriter) abort() {
	if x.file != nil {
		_ = x.file.Close() // It is deleted next.
		_ = os.Remove(x.file.Name())
	}
	for _, d := range x.done {
		_ = os.Remove(d.temp) // A hidden file that stays is of no consequence.
	}
}
