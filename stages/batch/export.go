// Package batch asks models through files, for machines that cannot reach the lake.
package batch

import (
	"bufio"
	"cmp"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"

	json "github.com/go-json-experiment/json/v1"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/engine"
	"github.com/captionlake/captionlake/stages/llm"
)

// Offline batches are files of requests in the form of OpenAI's batch interface, for machines that
// cannot reach the lake. vLLM runs them without a server (vllm run-batch). A batch is three files
// with a common name:
//
//	NAME.requests.jsonl  one request a line; requests with a common prefix are next to each other
//	NAME.manifest.json   what the requests are for
//	NAME.replies.jsonl   vLLM writes it, and Import reads it
const (
	requestsSuffix = ".requests.jsonl"
	manifestSuffix = ".manifest.json"
	repliesSuffix  = ".replies.jsonl"
	format         = "captionlake/batch/1"
	// probeID names the line that tests whether vLLM honours constraints; see llm.ProbeRequest.
	probeID = "constraint-probe"
)

// defaultRequests and defaultBytes bound a file by default: the most that OpenAI's batch interface
// accepts. vLLM reads a file whole, and each question about a picture contains the picture.
const (
	defaultRequests = 50_000
	defaultBytes    = 200_000_000
)

// maxManifestBytes bounds a manifest, which is parsed whole.
const maxManifestBytes = 16 << 20

// A Manifest says what the requests of one batch file are for.
type Manifest struct {
	Format      string        `json:"format"`
	Stage       string        `json:"stage"`
	Unit        string        `json:"unit"`     // name of the unit within the stage
	Model       string        `json:"model"`    // the model's name in the requests
	ModelID     string        `json:"model_id"` // the model's name in the lake
	Protocol    string        `json:"protocol"`
	Provenance  string        `json:"provenance"`
	Selection   config.Choice `json:"selection"` // choice of the export, to find the unit in the configuration again
	Part        int           `json:"part"`      // number of the file among the unit's files, from 1
	Requests    int           `json:"requests"`  // requests in the file, without the constraint probe
	Bytes       int64         `json:"bytes"`     // length of the requests file
	SHA256      string        `json:"sha256"`    // digest of the requests file
	File        string        `json:"requests_file"`
	Replies     string        `json:"replies_file"` // name under which the import expects the replies
	Command     []string      `json:"command"`      // command by which vLLM runs the file, without paths and tuning
	ToolVersion string        `json:"tool_version"`
}

// Options say where and how requests are exported.
type Options struct {
	Dir         string // folder of the files; made if it is missing
	MaxRequests int    // requests to a file; 0 is defaultRequests
	MaxBytes    int64  // bytes of a file with more than one request; 0 is 200 MB
}

// Export writes the pending requests of the run as batch files, one or more for each unit, and
// returns their manifests. A request is exactly what the client would send. A unit with a batch in
// the folder is an error, because the replies may be on their way.
func Export(r *engine.Runner, o Options) ([]Manifest, error) {
	o.MaxRequests, o.MaxBytes = cmp.Or(o.MaxRequests, defaultRequests), cmp.Or(o.MaxBytes, defaultBytes)
	if err := os.MkdirAll(o.Dir, 0o777); err != nil {
		return nil, err
	}
	var all []Manifest
	err := r.EachOffline(func(u *engine.Offline) error {
		manifests, err := export(r, u, o)
		all = append(all, manifests...)
		return err
	})
	return all, err
}

// export exports the requests of one unit.
func export(r *engine.Runner, u *engine.Offline, o Options) ([]Manifest, error) {
	x := &writer{
		stem: u.Unit.FileStem(), options: o, flags: u.Model.Flags,
		manifest: Manifest{
			Format: format, Stage: u.Unit.Stage, Unit: u.Unit.Name, Model: u.Model.Served, ModelID: u.Model.ID,
			Protocol: u.Unit.Protocol, Provenance: u.Unit.Provenance, Selection: r.Choice, ToolVersion: data.Version,
		},
	}
	defer x.abort()
	if u.Model.ID != "" { // A unit that only computes has no model and no requests.
		endpoint, err := r.Config.Endpoint(u.Model.Endpoint)
		if err != nil {
			return nil, err
		}
		x.dialect = endpoint.Dialect
	}
	if err := u.Pending(x.add); err != nil {
		err = fmt.Errorf("%s %s: %w", u.Unit.Stage, u.Unit.Name, err)
		// Only the error of a request that cannot be sent gets the hint below, if it has none yet.
		if hinted := new(data.HintError); errors.As(err, &hinted) || x.unsound == nil {
			return nil, err
		}
		return nil, data.WithHint(err,
			"fix the named request and export again; captionlake run records such requests as failed and continues")
	}
	if err := x.close(); err != nil {
		return nil, err
	}
	return x.publish()
}

// customID is the custom_id of a request: its hash and its repeat number.
func customID(hash string, repeat int) string { return hash + "-r" + strconv.Itoa(repeat) }

// customIDs matches the custom_ids of an export.
var customIDs = regexp.MustCompile(`^[0-9a-f]{64}-r[0-9]{1,9}$`)

// writer writes the requests of one unit into files with at most MaxRequests requests each. It
// writes the files in a temporary folder and moves them when all files are whole.
type writer struct {
	stem     string
	temp     string // where the files are written; empty before the first
	options  Options
	dialect  llm.Dialect
	media    llm.Media
	flags    map[string]any // of the model's chat template
	manifest Manifest       // what the files have in common
	done     []Manifest
	unsound  error // why a request cannot be sent

	file  *os.File // nil between files
	sum   hash.Hash
	out   *bufio.Writer
	bytes int64
	count int
}

// add writes a request, into the next file if the current file is full.
func (x *writer) add(hash string, body llm.Request) error {
	text, err := x.line(customID(hash, body.Repeat), body)
	if err != nil {
		x.unsound = config.Advise(err, x.dialect)
		return x.unsound
	}
	full := x.count == x.options.MaxRequests || x.count > 0 && x.bytes+int64(len(text)) > x.options.MaxBytes
	if full {
		if err := x.close(); err != nil {
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

// start begins the next file. Under the constrained protocol the first line of the file is the
// constraint probe.
func (x *writer) start() (err error) {
	name := x.name(len(x.done) + 1)
	for _, suffix := range []string{requestsSuffix, manifestSuffix, repliesSuffix} {
		path := filepath.Join(x.options.Dir, name+suffix)
		if _, err := os.Lstat(path); err == nil {
			return data.Errorf("import its replies with: captionlake batch FILE, or export into another folder",
				"%s exists already: its replies may be on their way", path)
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

// name is the common name of the files of one batch. It begins with the stem of the unit's files in
// the lake.
func (x *writer) name(part int) string { return fmt.Sprintf("%s-%03d", x.stem, part) }

// line is the line of a request. It contains the body byte for byte, as the client sends it. No id
// has a character that JSON writes in another way.
func (x *writer) line(id string, r llm.Request) ([]byte, error) {
	body, err := r.Body(x.dialect, &x.media)
	if err != nil {
		return nil, err
	}
	return slices.Concat([]byte(`{"custom_id":"`+id+`","method":"POST","url":"`+r.Path()+`","body":`), body,
		[]byte("}\n")), nil
}

// write adds a line to the current file.
func (x *writer) write(text []byte) error {
	x.bytes += int64(len(text))
	_, err := x.out.Write(text)
	return err
}

// close ends the current file, if there is one.
func (x *writer) close() error {
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
	// A server gets the same flags. Without --generation-config a missing parameter would
	// come from the model's own generation_config.json. Without --enable-prompt-tokens-details the
	// replies would not say how many tokens came from the prefix cache.
	m.Command = []string{"vllm", "run-batch", "-i", m.File, "-o", m.Replies, "--model", m.Model,
		"--served-model-name", m.Model,
		"--generation-config", "vllm", "--enable-prefix-caching", "--enable-prompt-tokens-details"}
	x.done = append(x.done, m)
	return nil
}

// publish moves the files to their folder, each manifest after its requests, so that no manifest
// names a missing file.
func (x *writer) publish() (published []Manifest, err error) {
	for _, m := range x.done {
		if err := os.Rename(filepath.Join(x.temp, m.File), filepath.Join(x.options.Dir, m.File)); err != nil {
			return published, err
		}
		content, err := json.MarshalIndent(m, "", "  ")
		if err != nil {
			return published, err
		}
		if err := os.WriteFile(filepath.Join(x.options.Dir, x.name(m.Part)+manifestSuffix), append(content, '\n'),
			0o666); err != nil {
			return published, err
		}
		published = append(published, m)
	}
	return published, nil
}

// abort deletes the temporary folder, with files that were not published.
func (x *writer) abort() {
	if x.file != nil {
		_ = x.file.Close() // It is deleted next.
	}
	if x.temp != "" {
		_ = os.RemoveAll(x.temp) // If the hidden folder stays, it does no harm.
	}
}
