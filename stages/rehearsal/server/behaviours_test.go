package server

import (
	"crypto/sha256"
	"encoding/hex"
	"strings"
	"sync"
	"testing"

	"github.com/captionlake/captionlake/data/arena"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/construct"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/data/sample"
)

// tally counts outcomes over the sample set's questions.
type tally struct{ correct, cannot, all int }

func (y tally) share() float64 { return float64(y.correct) / float64(y.all) }

func sampleWorld(t testing.TB) (*World, []sample.Image) {
	t.Helper()
	return must.Get(SampleWorld())(t), must.Get(sampleImages())(t)
}

// sampleImages draws the set once for all tests.
var sampleImages = sync.OnceValues(sample.Images)

func digest(b []byte) string {
	sum := sha256.Sum256(b)
	return hex.EncodeToString(sum[:])
}

func reply(t testing.TB, w *World, a Ask) Say {
	t.Helper()
	return w.Reply(a)
}

// ask puts every question of an image to a model.
func (y *tally) ask(t testing.TB, w *World, model, caption string, m sample.Image, pictures []string) {
	t.Helper()
	for _, q := range m.Questions {
		offered := captionqa.WithCannot(q.Question, q.Options)
		user := must.Get(captionqa.UserPrompt(caption, q.Question, offered))(t)
		say := reply(t, w,
			Ask{Model: model, System: captionqa.SystemMessage, User: user, Images: pictures,
				MaxTokens: captionqa.MaxTokens})
		i, ok := captionqa.ParseStrict(say.Text, offered)
		if !ok {
			t.Fatalf("%s said %q, which names no option", model, say.Text)
		}
		y.all++
		switch captionqa.Decide(offered, i, q.AnswerIndex) {
		case captionqa.Correct:
			y.correct++
		case captionqa.Cannot:
			y.cannot++
		}
	}
}

// The rehearsal must show a user what a real run shows: better captioners score higher, prompts
// rank as in the paper's Table 3, pictures beat captions, and an empty caption makes a careful
// reader say that it cannot answer.
func TestRehearsalRanksAsMeant(t *testing.T) {
	w, images := sampleWorld(t)
	var blind, eagerBlind, facts tally
	scores := map[string]*tally{}
	looks := map[string]*tally{}
	add := func(m map[string]*tally, key string) *tally {
		if m[key] == nil {
			m[key] = &tally{}
		}
		return m[key]
	}
	for _, m := range images {
		var all []string
		for _, f := range m.Facts {
			all = append(all, f.Text)
		}
		var pictures []string
		for _, f := range m.Frames {
			pictures = append(pictures, digest(f.PNG))
		}
		facts.ask(t, w, "rehearsal/reader-careful", strings.Join(all, " "), m, nil)
		blind.ask(t, w, "rehearsal/reader-careful", "", m, nil)
		eagerBlind.ask(t, w, "rehearsal/reader-eager", "", m, nil)
		for _, c := range []string{"rehearsal/captioner-large", "rehearsal/captioner-medium",
			"rehearsal/captioner-small"} {
			add(looks, c).ask(t, w, c, "", m, pictures)
			for _, name := range captionqa.CaptionPrompts() {
				text, ok := captionqa.PromptText(name)
				if !ok {
					text = captionqa.TaxonomyHintedText([]captionqa.Hint{{Category: "Attribute"}})
				}
				caption := reply(t, w, Ask{Model: c, User: text, Images: pictures}).Text
				add(scores, c+" "+name).ask(t, w, "rehearsal/reader-careful", caption, m, nil)
			}
		}
	}
	t.Logf("all facts %.3f, blind %.3f (cannot %.3f), eager blind %.3f (cannot %.3f)", facts.share(), blind.share(),
		float64(blind.cannot)/float64(blind.all), eagerBlind.share(),
		float64(eagerBlind.cannot)/float64(eagerBlind.all))
	for k, v := range scores {
		t.Logf("%s: correct %.3f, cannot %.3f", k, v.share(), float64(v.cannot)/float64(v.all))
	}
	if facts.share() < 0.75 {
		t.Errorf("the reader answers only %.2f of the questions from all facts", facts.share())
	}
	if blind.share() > 0.3 || eagerBlind.cannot >= blind.cannot {
		t.Errorf("blind: careful %.2f correct with %d cannot, eager %d cannot", blind.share(), blind.cannot,
			eagerBlind.cannot)
	}
	order := []string{"rehearsal/captioner-large", "rehearsal/captioner-medium", "rehearsal/captioner-small"}
	for i, c := range order {
		t.Logf("%s: picture %.3f", c, looks[c].share())
		if i > 0 && scores[c+" Simple"].share() >= scores[order[i-1]+" Simple"].share() {
			t.Errorf("%s captions are not worse than %s's", c, order[i-1])
		}
		if looks[c].share() <= scores[c+" Simple"].share() {
			t.Errorf("%s answers no better from the picture (%.3f) than from its caption (%.3f)", c, looks[c].share(),
				scores[c+" Simple"].share())
		}
		if !(scores[c+" Short"].share() < scores[c+" Simple"].share() &&
			scores[c+" Simple"].share() <= scores[c+" Long"].share() &&
			scores[c+" Taxonomy-Hinted"].share() < scores[c+" Long"].share()) {
			t.Errorf("%s: the prompts do not rank as in the paper", c)
		}
	}
}

func TestRepliesAreDeterministic(t *testing.T) {
	w, images := sampleWorld(t)
	a := Ask{Model: "rehearsal/captioner-small", User: captionqa.LongText,
		Images: []string{digest(images[0].Frames[0].PNG)}}
	first := reply(t, w, a)
	expect.Equal(t, reply(t, w, a).Text, first.Text, "the same request")
	a.MaxTokens = 3
	if cut := reply(t, w, a); cut.FinishReason != "length" || len(cut.Text) > 12 {
		t.Errorf("three tokens of four bytes: got %q (%s)", cut.Text, cut.FinishReason)
	}
}

func TestTakeApartUndoesUserPrompt(t *testing.T) {
	caption, question := "A cat.\nQuestion:\nnot this\nOptions:\nA. nor this", "What colour?"
	options := []string{"Red", "Blue\nC green", "Cannot answer from the caption"}
	user := must.Get(captionqa.UserPrompt(caption, question, options))(t)
	c, q, o := takeApart(user)
	if c != caption || q != question || strings.Join(o, "|") != strings.Join(options, "|") {
		t.Errorf("got %q, %q, %q", c, q, o)
	}
}

func TestConstraintWins(t *testing.T) {
	user := must.Get(captionqa.UserPrompt("The bench is blue.", "What colour is the bench?",
		[]string{"Red", "Blue"}))(t)
	a := Ask{Model: "rehearsal/reader-careful", User: user}
	if say := reply(t, nil, a); say.Text != "B" || len(say.Candidates) != 2 || say.Candidates[0].Token != "B" {
		t.Errorf("free: %+v", say)
	}
	a.Choice = []string{"A", "C"}
	if say := reply(t, nil, a); say.Text != "A" || len(say.Candidates) != 1 || say.Candidates[0].Probability != 1 {
		t.Errorf("constrained: %+v", say)
	}
	a.Choice = []string{"quartz"}
	expect.Equal(t, reply(t, nil, a).Text, "quartz")
}

func TestPairwiseJudge(t *testing.T) {
	w, images := sampleWorld(t)
	captions := func(m sample.Image) (picture []string, long, short string) {
		a := Ask{Model: "rehearsal/captioner-large", User: captionqa.LongText, Images: []string{digest(m.Frames[0].PNG)}}
		long = reply(t, w, a).Text
		a.User = captionqa.ShortText
		return a.Images, long, reply(t, w, a).Text
	}
	picture, long, short := captions(images[0])
	pair := func(x, y string) string {
		said := reply(t, w,
			Ask{Model: "rehearsal/judge", System: arena.JudgeSystem(true),
				User: arena.JudgeUser(x, y, "A person's caption."), Images: picture}).Text
		if _, _, err := arena.ReadReply(said); err != nil {
			t.Errorf("%q cannot be read: %v", said, err)
		}
		_, verdict, _ := strings.Cut(said, "\nJudgment: ")
		return verdict
	}
	if a, b, c := pair(long, short), pair(short, long), pair(long, long); a != verdictFirst || b != verdictSecond ||
		c != verdictTie {
		t.Errorf("verdicts %q, %q, %q", a, b, c)
	}
	// Of a picture that it does not know it counts the words of the captions, and not the
	// words of the question.
	for want, second := range map[string]string{verdictTie: "A table.", verdictSecond: "A wooden table.",
		verdictFirst: "It."} {
		said := reply(t, w,
			Ask{Model: "rehearsal/judge", System: arena.JudgeSystem(false),
				User: arena.JudgeUser("A chair.", second, ""), Images: []string{"unknown"}}).Text
		if !strings.HasSuffix(said, "\nJudgment: "+want) {
			t.Errorf("%q beside a chair: %q, want %s", second, said, want)
		}
	}
	// A hasty judge takes the better caption less often when it is shown second: it has a position
	// bias.
	first, second := 0, 0
	for _, m := range images {
		picture, long, short := captions(m)
		hasty := func(x, y string) string {
			return reply(t, w,
				Ask{Model: "rehearsal/judge-hasty", System: arena.JudgeSystem(false), User: arena.JudgeUser(x, y, ""),
					Images: picture}).Text
		}
		if strings.HasSuffix(hasty(long, short), verdictFirst+".") {
			first++
		}
		if strings.HasSuffix(hasty(short, long), verdictSecond+".") {
			second++
		}
	}
	if first < len(images)*9/10 || second >= first || second < len(images)/2 {
		t.Errorf("of %d pictures the better caption wins %d times when it is shown first, and %d times when second",
			len(images), first, second)
	}
}

func TestConstructionBehaviours(t *testing.T) {
	w, images := sampleWorld(t)
	written, wrong := 0, 0
	for _, m := range images {
		picture := []string{digest(m.Frames[0].PNG)}
		asked := map[string]bool{}
		for _, f := range m.Facts {
			node := "Category: " + f.Category + "\nSubcategory: " + f.Subcategory
			if asked[node] {
				continue
			}
			asked[node] = true
			text := reply(t, w,
				Ask{Model: "rehearsal/writer-a", System: construct.GenerateSystem, User: node, Images: picture,
					MaxTokens: 4096}).Text
			list, err := construct.ReadDrafts(text)
			if err != nil {
				t.Fatalf("%s: %v in %q", m.ID, err, text)
			}
			for _, q := range list {
				written++
				p := must.Get(construct.PresentValidation(q.Question, q.Options))(t)
				say := reply(t, w,
					Ask{Model: "rehearsal/validator-a", System: construct.ValidateSystem, User: p.User,
						Images: picture})
				choice, option, err := construct.ReadValidation(p, say.Text)
				must.Succeed(t, err)
				if choice != construct.ChoiceOption || q.Options[option] != q.Answer {
					wrong++
				}
			}
		}
	}
	t.Logf("%d questions written, the validator disagrees with %d", written, wrong)
	if written < 50 || wrong == 0 || wrong > written/2 {
		t.Errorf("%d questions written, the validator disagrees with %d", written, wrong)
	}
	expect.Equal(t, reply(t, w,
		Ask{Model: "rehearsal/writer-a", System: markWrite, User: "Category: None such",
			Images: nil}).Text, `{"questions":[]}`, "nothing to ask about")
}

func TestEmbeddings(t *testing.T) {
	cosine := func(a, b string) float64 {
		sum := 0.0
		x, y := Embed(a), Embed(b)
		for i := range x {
			sum += float64(x[i]) * float64(y[i])
		}
		return sum
	}
	same := cosine("What is the colour of the bench?", "What colour is the bench?")
	other := cosine("What is the colour of the bench?", "How many kites are flying?")
	if same < 0.7 || other > 0.4 || cosine("", "") != 1 {
		t.Errorf("near %v, far %v, empty %v", same, other, cosine("", ""))
	}
}

// Every behaviour of the list answers something, and the last one takes what no other does.
func TestBehavioursAreReached(t *testing.T) {
	w, images := sampleWorld(t)
	picture := []string{digest(images[0].Frames[0].PNG)}
	options := "Question:\nWhat?\n\nOptions:\nA. x\nB. y\n\nAnswer:"
	reached := map[string]bool{}
	for _, a := range []Ask{
		{System: markWrite}, {System: markValidate, User: options, Images: picture}, {System: markPairwise},
		{User: "Caption:\nx\n\n" + options}, {User: options, Images: picture}, {User: "Describe", Images: picture},
		{User: "Say the word apple."},
		{User: "Given an image caption\nOutput a JSON formed as:\n"},
	} {
		a.Model = "rehearsal/judge"
		reached[reply(t, w, a).Behaviour] = true
	}
	for _, b := range behaviours {
		if !reached[b.name] {
			t.Errorf("no request reaches %q", b.name)
		}
	}
}
