package stages

import (
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"slices"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/captionlake/captionlake/analytics/ask"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/data/sample"
	"github.com/captionlake/captionlake/stages/batch"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/doctor"
	"github.com/captionlake/captionlake/stages/engine"
	"github.com/captionlake/captionlake/stages/llm"
	rehearsalserver "github.com/captionlake/captionlake/stages/rehearsal/server"
)

func init() { laketest.Reader = ask.Read }

// sampleImages reads the sample set once for all tests.
var sampleImages = sync.OnceValues(sample.Images)

// fillSample loads the sample set and a small taxonomy for each of its domains.
func fillSample(l *data.Lake) error {
	items, err := sampleImages()
	if err != nil {
		return err
	}
	tx, err := l.Begin(data.Unit{Stage: "test", Name: "sample", Provenance: data.ProvenanceSimulated})
	if err != nil {
		return err
	}
	defer tx.Abort()
	var images []data.Image
	var taxonomy []data.TaxonomyNode
	domains := map[string]bool{}
	for _, item := range items {
		rows, err := item.Rows()
		if err != nil {
			return err
		}
		for i, frame := range item.Frames {
			if rows[i].Path, err = tx.AddPicture(frame.PNG, "png"); err != nil {
				return err
			}
		}
		images = append(images, rows...)
		if !domains[item.Domain] {
			domains[item.Domain] = true
			taxonomy = append(taxonomy, data.TaxonomyNode{Domain: item.Domain, Category: "Object Attributes",
				Subcategory: "Colour", Level: 2, Examples: []string{}})
		}
	}
	if err := errors.Join(write(tx, data.Images, images), write(tx, data.Taxonomy, taxonomy), tx.Commit()); err != nil {
		return err
	}
	return fillBank(l, 0)
}

// write writes rows of a table, once in a transaction.
func write[T any](tx *data.Tx, table data.Table[T], rows []T) error {
	w, err := data.NewRowWriter(tx, table)
	if err == nil {
		err = w.Write(rows...)
	}
	return err
}

// fillBank writes the sample's questions. Every other question of the bank gets its answer key
// moved on by shift, as a corrected bank would.
func fillBank(l *data.Lake, shift int32) error {
	items, err := sampleImages()
	if err != nil {
		return err
	}
	tx, err := l.Begin(data.Unit{Stage: "test", Name: "bank", Fingerprint: fmt.Sprint(shift),
		Provenance: data.ProvenanceSimulated})
	if err != nil {
		return err
	}
	defer tx.Abort()
	var bank []data.Question
	orders := captionqa.NewOrderStream(0)
	n := int32(0)
	for _, item := range items {
		for i, q := range item.QuestionRows() {
			q.QuestionID = fmt.Sprintf("%s/%03d", q.ImageID, i)
			q.YesNo = captionqa.IsYesNo(q.Question, q.Options)
			q.Ordinal, q.OptionOrder, q.OrderRule = n, orders.Next(len(captionqa.WithCannot(q.Question, q.Options))),
				"upstream-full-bank"
			if n%2 == 0 {
				q.AnswerIndex = (q.AnswerIndex + shift) % int32(len(q.Options))
			}
			n++
			bank = append(bank, q)
		}
	}
	return errors.Join(write(tx, data.Questions, bank), tx.Commit())
}

// sampleLake is a new lake with the sample set.
func sampleLake(t testing.TB) *data.Lake {
	t.Helper()
	l := laketest.New(t)
	must.Succeed(t, fillSample(l))
	return l
}

// serve starts a rehearsal server that knows the lake's pictures, with the handlers of wrap before
// it. It returns the server's address.
func serve(t testing.TB, l *data.Lake, wrap ...func(http.Handler) http.Handler) string {
	t.Helper()
	return serveAs(t, l, rehearsalserver.Options{}, wrap...)
}

// serveAs is serve with options.
func serveAs(t testing.TB, l *data.Lake, o rehearsalserver.Options, wrap ...func(http.Handler) http.Handler) string {
	t.Helper()
	if o.World == nil && l != nil {
		o.World = must.Get(rehearsalserver.LakeWorld(l))(t)
	}
	var h http.Handler = rehearsalserver.New(o)
	for _, wrap := range wrap {
		h = wrap(h)
	}
	server := httptest.NewServer(h)
	t.Cleanup(server.Close)
	return server.URL + "/v1"
}

// An ailing server takes part, cuts its connections, or takes requests and never answers, as its
// state says.
type ailing struct {
	http.Handler
	state atomic.Int32
}

const (
	up int32 = iota
	down
	hung
)

func (a *ailing) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	switch a.state.Load() {
	case up:
		a.Handler.ServeHTTP(w, r)
		return
	case hung:
		_, _ = io.Copy(io.Discard, r.Body) // Only a request whose body is read notices that the client has gone.
		<-r.Context().Done()
	}
	panic(http.ErrAbortHandler)
}

// wanting is a server that wants a key.
func wanting(key string) func(http.Handler) http.Handler {
	return func(next http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Header.Get("Authorization") != "Bearer "+key {
				w.WriteHeader(http.StatusUnauthorized)
				fmt.Fprint(w, `{"error":"Unauthorized"}`)
				return
			}
			next.ServeHTTP(w, r)
		})
	}
}

var testModels = []string{"rehearsal/captioner-large", "rehearsal/captioner-medium", "rehearsal/captioner-small",
	"rehearsal/reader-careful", "rehearsal/reader-eager"}

// rehearsal is a configuration of one captioner and one reader at the given replicas.
func rehearsal(replicas ...string) *config.Config {
	c := config.Default()
	c.Endpoints = []config.Endpoint{{Name: "rehearsal", Replicas: replicas, Models: testModels,
		Concurrency: llm.Concurrency{Max: 32}}}
	c.Captions = config.Captions{Captioners: []string{"rehearsal/captioner-medium"},
		Prompts: []string{captionqa.PromptSimple}, MaxTokens: 2048}
	c.Answers.Readers, c.Answers.Evidence = []string{"rehearsal/reader-careful"}, []string{captionqa.EvidenceCaption}
	c.Judges.Benchmarks = data.AnnotatedBenchmarks()[:1]
	return &c
}

// The stages that most tests run.
var (
	captioning = config.Choice{Stage: "caption"}
	answering  = config.Choice{Stage: "answer"}
	judging    = config.Choice{Stage: "judge"}
)

// callsIn is the number of recorded calls.
func callsIn(t testing.TB, l *data.Lake) int { t.Helper(); return len(laketest.All(t, l, data.Calls)) }

// runAll carries out what a choice wants of a configuration.
func runAll(ctx context.Context, l *data.Lake, c *config.Config, o config.Choice) ([]engine.Report, error) {
	return New(l, c, o).Run(ctx)
}

// refused fails the test unless a run ends with an error that says want, and with the hint next.
func refused(t testing.TB, l *data.Lake, c *config.Config, o config.Choice, next string, want ...any) {
	t.Helper()
	_, err := runAll(t.Context(), l, c, o)
	laketest.Hint(t, err, next, want...)
}

// examined are the doctor's results of a check, or of all checks.
func examined(t testing.TB, c *config.Config, check string) (of []doctor.Result) {
	t.Helper()
	for _, r := range doctor.Doctor(t.Context(), c, Asks(c, "")) {
		if check == "" || r.Check == check {
			of = append(of, r)
		}
	}
	return of
}

// healthy fails the test if the doctor finds a fault.
func healthy(t testing.TB, c *config.Config) {
	t.Helper()
	for _, r := range examined(t, c, "") {
		if r.Verdict == doctor.Fail {
			t.Errorf("%+v", r)
		}
	}
}

// retryFailed is runAll, and failed requests are asked again.
func retryFailed(t testing.TB, l *data.Lake, c *config.Config, o config.Choice) {
	t.Helper()
	r := New(l, c, o)
	r.RetryFailed = true
	must.Get(r.Run(t.Context()))(t)
}

func exportBatches(l *data.Lake, c *config.Config, o config.Choice, b batch.Options) ([]batch.Manifest, error) {
	return batch.Export(New(l, c, o), b)
}

// exportFailed exports what failed or was truncated, too.
func exportFailed(l *data.Lake, c *config.Config, o config.Choice, b batch.Options) ([]batch.Manifest, error) {
	r := New(l, c, o)
	r.RetryFailed = true
	return batch.Export(r, b)
}

func importBatch(l *data.Lake, c *config.Config, path string) (batch.Report, error) {
	return batch.Import(context.Background(), New(l, c, config.Choice{}), path)
}

func mustRun(t testing.TB, l *data.Lake, c *config.Config, o config.Choice) []engine.Report {
	t.Helper()
	return must.Get(runAll(context.Background(), l, c, o))(t)
}

// answerLines is the table answers as sorted text, to compare lakes by.
func answerLines(t testing.TB, l *data.Lake) []string {
	t.Helper()
	var lines []string
	for _, a := range laketest.All(t, l, data.Answers) {
		choice := int32(-1)
		if a.ChoiceIndex != nil {
			choice = *a.ChoiceIndex
		}
		lines = append(lines,
			fmt.Sprintf("%s %s %s %s %s %s r%d: %d %s %v %v %s", a.Protocol, a.Reader, a.Evidence,
				a.Captioner, a.Prompt,
				a.QuestionID, a.Repeat, choice, a.Outcome, a.Score, a.Probabilities, a.RequestHash))
	}
	slices.Sort(lines)
	return lines
}

// noDoubleCalls fails when a call is recorded twice.
func noDoubleCalls(t testing.TB, l *data.Lake) {
	t.Helper()
	seen := map[string]string{}
	for _, c := range laketest.All(t, l, data.Calls) {
		k := fmt.Sprint(c.RequestHash, " ", c.Repeat)
		if other, twice := seen[k]; twice {
			t.Fatalf("the call about %s is recorded twice, also as that about %s", c.Subject, other)
		}
		seen[k] = c.Subject
	}
}

// inLake is the path of a file beside the lake.
func inLake(l *data.Lake, name string) string { return filepath.Join(filepath.Dir(l.Dir()), name) }
