package stages

import (
	"math"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/stages/config"
	rehearsalserver "github.com/captionlake/captionlake/stages/rehearsal/server"
)

// counting counts the model requests that reach a server.
func counting(n *atomic.Int64) func(http.Handler) http.Handler {
	return func(h http.Handler) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPost {
				n.Add(1)
			}
			h.ServeHTTP(w, r)
		})
	}
}

// sampleSize counts the items and the questions of the sample set.
func sampleSize(t testing.TB) (items, questions int) {
	t.Helper()
	set := must.Get(sampleImages())(t)
	for _, item := range set {
		questions += len(item.Questions)
	}
	return len(set), questions
}

func TestCaptionsUnderTheFourPrompts(t *testing.T) {
	l := sampleLake(t)
	items, _ := sampleSize(t)
	c := rehearsal(serve(t, l))
	c.Captions.Captioners = []string{"rehearsal/captioner-large", "rehearsal/captioner-small"}
	c.Captions.Prompts = captionqa.CaptionPrompts()
	reports := mustRun(t, l, c, captioning)
	must.Equal(t, len(reports), 8, "2 captioners times 4 prompts")
	words := map[string]int32{}
	for _, row := range laketest.All(t, l, data.Captions) {
		if row.Caption == "" || row.Provenance != data.ProvenanceSimulated || row.RequestHash == "" {
			t.Fatalf("%+v", row)
		}
		words[row.Captioner+" "+row.Prompt] += row.Words
	}
	for _, r := range reports {
		if r.Answered != items || r.Rows != items || r.Failed != 0 {
			t.Errorf("%+v", r)
		}
	}
	large := must.Get(data.ModelIDFor("rehearsal/captioner-large"))(t)
	if !(words[large+" "+captionqa.PromptLong] > words[large+" "+captionqa.PromptShort]) {
		t.Errorf("long captions have %d words, short ones %d", words[large+" "+captionqa.PromptLong],
			words[large+" "+captionqa.PromptShort])
	}
}

func TestAnswersUnderEveryEvidence(t *testing.T) {
	l := sampleLake(t)
	_, questions := sampleSize(t)
	c := rehearsal(serve(t, l))
	c.Answers.Evidence = []string{captionqa.EvidenceCaption, captionqa.EvidenceImage, captionqa.EvidenceNone}
	mustRun(t, l, c, config.Choice{})
	correct := map[string]float64{}
	total := map[string]int{}
	for _, a := range laketest.All(t, l, data.Answers) {
		if a.Protocol != captionqa.ProtocolUpstream {
			continue
		}
		total[a.Evidence]++
		if a.Outcome == string(captionqa.Correct) {
			correct[a.Evidence]++
		}
		if a.Evidence == captionqa.EvidenceImage && a.OffersCannot {
			t.Fatalf("%s: QA-on-image offers the cannot option", a.QuestionID)
		}
		if a.Evidence == captionqa.EvidenceImage && a.Captioner != a.Reader {
			t.Fatalf("QA-on-image by %s is recorded for the captioner %s", a.Reader, a.Captioner)
		}
	}
	for _, e := range c.Answers.Evidence {
		expect.Equal(t, total[e], questions, e)
	}
	// A captioner that misses a fifth of the facts loses against its own eyes, and a careful reader
	// knows nothing blind.
	if !(correct[captionqa.EvidenceImage] > correct[captionqa.EvidenceCaption] &&
		correct[captionqa.EvidenceCaption] > correct[captionqa.EvidenceNone]) {
		t.Errorf("correct answers: %v", correct)
	}
	// Who only has captions of a model cannot ask it about the pictures.
	refused(t, l, c, config.Choice{Stage: "answer", Captioners: []string{"my-model"}}, "--evidence caption")
}

func TestProbabilitiesAddUp(t *testing.T) {
	l := sampleLake(t)
	c := rehearsal(serve(t, l))
	mustRun(t, l, c, config.Choice{Protocol: captionqa.ProtocolProbabilities})
	answers := laketest.All(t, l, data.Answers)
	if len(answers) == 0 {
		t.Fatal("no answers")
	}
	for _, a := range answers {
		sum, top := 0.0, 0
		for i, p := range a.Probabilities {
			sum += p
			if p > a.Probabilities[top] {
				top = i
			}
		}
		if a.Outcome == string(captionqa.Unparsed) || sum > 1+1e-9 || sum < 0.5 || math.IsNaN(sum) {
			t.Fatalf("%s: %s with probabilities %v", a.QuestionID, a.Outcome, a.Probabilities)
		}
	}
}

func TestConstrainedIsRefusedWhereTheConstraintIsIgnored(t *testing.T) {
	l := sampleLake(t)
	ignores, err := rehearsalserver.ParseFaults("ignore-choice=100%")
	must.Succeed(t, err)
	honest, deaf := serve(t, l), serveAs(t, l, rehearsalserver.Options{Faults: ignores})
	mustRun(t, l, rehearsal(honest), captioning)
	before := callsIn(t, l)
	_, err = runAll(t.Context(), l, rehearsal(deaf),
		config.Choice{Stage: "answer", Protocol: captionqa.ProtocolConstrained})
	expect.Failure(t, err, "is refused")
	// One deaf replica among several is enough.
	if _, err = runAll(t.Context(), l, rehearsal(honest, deaf),
		config.Choice{Stage: "answer", Protocol: captionqa.ProtocolConstrained}); err == nil {
		t.Fatal("a deaf replica is accepted")
	}
	must.Equal(t, callsIn(t, l), before)
	mustRun(t, l, rehearsal(honest), config.Choice{Stage: "answer", Protocol: captionqa.ProtocolConstrained})
	for _, a := range laketest.All(t, l, data.Answers) {
		if a.Outcome == string(captionqa.Unparsed) {
			t.Fatalf("a constrained reply is unparsed: %+v", a)
		}
	}
}

// A unit that is missing is scored again from the calls that there are, and it alone.
func TestScoringWritesWhatIsMissing(t *testing.T) {
	l := sampleLake(t)
	c := rehearsal(serve(t, l))
	mustRun(t, l, c, config.Choice{})
	first := answerLines(t, l)
	if _, questions := sampleSize(t); len(first) != questions {
		t.Fatalf("%d answers to %d questions", len(first), questions)
	}
	executions := map[string]string{}
	missing := ""
	for _, r := range laketest.All(t, l, data.Runs) {
		executions[r.Unit] = r.RunID
		if r.Stage == "score" {
			missing = r.Unit
		}
	}
	must.Succeed(t, l.Remove(missing))
	if n := len(answerLines(t, l)); n == len(first) {
		t.Fatalf("without %s there are %d answers", missing, n)
	}
	mustRun(t, l, c, config.Choice{})
	expect.Equal(t, first, answerLines(t, l), "the answers that were missing came back different")
	for _, r := range laketest.All(t, l, data.Runs) {
		expect.Equal(t, executions[r.Unit] != r.RunID, (r.Unit == missing), r.Unit)
	}
}

// Scoring again changes nothing; a corrected key changes answers; neither asks anything.
func TestScoringAgainAsksNothing(t *testing.T) {
	l := sampleLake(t)
	var asked atomic.Int64
	c := rehearsal(serve(t, l, counting(&asked)))
	mustRun(t, l, c, config.Choice{})
	first, runs, n := answerLines(t, l), len(laketest.All(t, l, data.Runs)), asked.Load()
	reports := mustRun(t, l, c, config.Choice{})
	for _, r := range reports {
		if r.Answered != 0 || r.Rows == 0 {
			t.Errorf("%+v", r)
		}
	}
	if !slices.Equal(first, answerLines(t, l)) || len(laketest.All(t, l, data.Runs)) != runs {
		t.Fatal("running again with nothing to do has changed the lake")
	}
	must.Succeed(t, fillBank(l, 1))
	mustRun(t, l, c, config.Choice{})
	must.Equal(t, asked.Load(), n)
	corrected := answerLines(t, l)
	changed := 0
	for i := range first {
		if first[i] != corrected[i] {
			changed++
		}
	}
	if len(first) != len(corrected) || changed == 0 || changed == len(first) {
		t.Fatalf("%d of %d answers changed with the key of every other question", changed, len(first))
	}
}

// A run says how far it is, and how far it has to go: of every unit all items are done with in the
// end, also when most of them are recorded.
func TestProgressHasATotal(t *testing.T) {
	l := sampleLake(t)
	c := rehearsal(serve(t, l))
	for _, stage := range []string{"caption", "answer"} {
		last, of := 0, 0
		r := New(l, c, config.Choice{Stage: stage})
		r.Progress = func(unit string, done, total int) {
			if !strings.HasPrefix(unit, stage+" ") || done != last+1 || done > total {
				t.Errorf("after %d of %d: %s, %d of %d", last, of, unit, done, total)
			}
			last, of = done, total
		}
		reports, err := r.Run(t.Context())
		if err != nil || len(reports) != 1 || of == 0 || last != of {
			t.Errorf("%s: %d of %d, %+v, %v", stage, last, of, reports, err)
		}
	}
}
