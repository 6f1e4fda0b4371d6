package sample

import (
	"bytes"
	"encoding/json"
	"image"
	"image/png"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
)

func set(t *testing.T) []Image {
	t.Helper()
	return must.Get(Images())(t)
}

func pixels(t *testing.T, f Frame) image.Image {
	t.Helper()
	return must.Get(png.Decode(bytes.NewReader(f.PNG)))(t)
}

func TestSetIsAsLargeAsPromised(t *testing.T) {
	t.Parallel()
	prefix := map[string]string{Natural: "nat_s", Document: "doc_s", ECommerce: "ecom_s", EmbodiedAI: "emb_s"}
	id := regexp.MustCompile(`^[a-z]+_s\d\d$`)
	images, frames, pictures := map[string]int{}, map[string]int{}, 0
	seen := map[string]bool{}
	for _, m := range set(t) {
		images[m.Domain]++
		if seen[m.ID] || !id.MatchString(m.ID) || prefix[m.Domain] == "" || !strings.HasPrefix(m.ID, prefix[m.Domain]) {
			t.Errorf("image id %q of domain %q is repeated or malformed", m.ID, m.Domain)
		}
		seen[m.ID] = true
		if len(m.Frames) == 2 {
			frames[m.Domain]++
		}
		pictures += len(m.Frames)
		if len(m.Questions) < 10 {
			t.Errorf("%s has %d questions, fewer than 10", m.ID, len(m.Questions))
		}
		for i, f := range m.Frames {
			b := pixels(t, f).Bounds()
			if b.Dx() != f.Width || b.Dy() != f.Height {
				t.Errorf("%s frame %d is %v, said to be %d×%d", m.ID, i, b, f.Width, f.Height)
			}
			if len(f.PNG) > 96<<10 {
				t.Errorf("%s frame %d takes %d bytes, more than 96 KiB", m.ID, i, len(f.PNG))
			}
		}
		if len(m.Frames) == 2 && bytes.Equal(m.Frames[0].PNG, m.Frames[1].PNG) {
			t.Errorf("%s: both frames are the same picture", m.ID)
		}
	}
	for domain := range prefix {
		if images[domain] < 6 {
			t.Errorf("%s has %d images, fewer than 6", domain, images[domain])
		}
	}
	listed, err := files.ReadDir("pictures")
	if err != nil || len(listed) != pictures {
		t.Errorf("%d picture files for %d frames, error %v", len(listed), pictures, err)
	}
	if frames[EmbodiedAI] < 2 {
		t.Errorf("%d Embodied AI images have two frames, fewer than 2", frames[EmbodiedAI])
	}
}

// Paper section 8: 87–92 % of the questions have four options; in Natural about 30 % are yes/no
// questions.
func TestOptionMixFollowsThePaper(t *testing.T) {
	t.Parallel()
	total, four, yesNo, yes := map[string]int{}, map[string]int{}, map[string]int{}, 0
	three, two := 0, 0
	for _, m := range set(t) {
		for _, q := range m.Questions {
			total[m.Domain]++
			switch {
			case len(q.Options) == 4:
				four[m.Domain]++
			case len(q.Options) == 3:
				three++
			case slices.Equal(q.Options, []string{"Yes", "No"}):
				yesNo[m.Domain]++
				if q.AnswerIndex == 0 {
					yes++
				}
			case len(q.Options) == 2:
				two++
			default:
				t.Errorf("%s: %q has %d options", m.ID, q.Question, len(q.Options))
			}
		}
	}
	share := func(n, of int) float64 { return 100 * float64(n) / float64(of) }
	for _, d := range []string{Document, ECommerce, EmbodiedAI} {
		expect.Between(t, share(four[d], total[d]), 87, 92, d, total[d])
	}
	expect.Between(t, share(yesNo[Natural], total[Natural]), 28, 33, "yes/no questions of Natural")
	expect.Between(t, share(four[Natural], total[Natural]), 60, 100, "questions of Natural with four options")
	all := yesNo[Natural] + yesNo[Document] + yesNo[ECommerce] + yesNo[EmbodiedAI]
	expect.Between(t, share(yes, all), 40, 60, all)
	if three == 0 || two == 0 {
		t.Errorf("%d three-option and %d two-option questions beside yes/no; want some of each", three, two)
	}
}

func TestQuestionsAreSound(t *testing.T) {
	t.Parallel()
	for _, m := range set(t) {
		asked := map[string]bool{}
		for _, q := range m.Questions {
			if asked[q.Question] {
				t.Errorf("%s asks twice: %q", m.ID, q.Question)
			}
			asked[q.Question] = true
			if q.AnswerIndex < 0 || q.AnswerIndex >= len(q.Options) || q.FactIndex < 0 || q.FactIndex >= len(m.Facts) {
				t.Fatalf("%s: %q: key %d or fact %d out of range", m.ID, q.Question, q.AnswerIndex, q.FactIndex)
			}
			distinct := map[string]bool{}
			for _, o := range q.Options {
				distinct[strings.ToLower(o)] = true
			}
			expect.Equal(t, len(distinct), len(q.Options), m.ID, q.Question, q.Options)
			f, key := m.Facts[q.FactIndex], q.Options[q.AnswerIndex]
			if q.Category != f.Category || q.Subcategory != f.Subcategory || q.Aspect != f.Aspect {
				t.Errorf("%s: %q and its fact have different taxonomy nodes", m.ID, q.Question)
			}
			if key == "Yes" || key == "No" {
				continue
			}
			if !strings.EqualFold(key, f.Value) {
				t.Errorf("%s: the key of %q is %q, its fact's value %q", m.ID, q.Question, key, f.Value)
			}
			expect.Lacks(t, strings.ToLower(q.Question), strings.ToLower(key))
			// A reader that only knows the sentence must not find a distractor stated in it.
			for i, o := range q.Options {
				if i != q.AnswerIndex && words(f.Text, o) && !words(key, o) && !contrast[m.ID+": "+q.Question] {
					t.Errorf("%s: the fact %q also states the wrong option %q of %q", m.ID, f.Text, o, q.Question)
				}
			}
		}
	}
}

// contrast lists the questions whose fact names a second value on purpose, to tell the subject from
// its neighbour.
var contrast = map[string]bool{
	"nat_s04: What colour is the apple on top of the other two?":                true,
	"doc_s01: What colour has the bar of July?":                                 true,
	"emb_s06: In which state is the door at the right end in the second frame?": true,
	"ecom_s02: What colour is the bottle?":                                      true,
}

// words tells whether s occurs in text as whole words, in any case.
func words(text, s string) bool {
	return regexp.MustCompile(`(?i)(^|\W)` + regexp.QuoteMeta(s) + `(\W|$)`).MatchString(text)
}

func TestFactsStateTheirValues(t *testing.T) {
	t.Parallel()
	for _, m := range set(t) {
		for _, f := range m.Facts {
			if !strings.Contains(strings.ToLower(f.Text), strings.ToLower(f.Value)) || f.Value == "" {
				t.Errorf("%s: fact %q does not contain its value %q", m.ID, f.Text, f.Value)
			}
			if strings.ContainsAny(f.Text, "{}") || !strings.HasSuffix(f.Text, ".") {
				t.Errorf("%s: fact %q is not a whole sentence", m.ID, f.Text)
			}
			if f.Subject == "" || f.Attribute == "" || f.Salience < 1 || f.Salience > 4 {
				t.Errorf("%s: fact %q needs a subject, an attribute and a salience of 1 to 4", m.ID, f.Text)
			}
		}
	}
}

// With four options a fair shuffle puts the key on each place in about a quarter of the cases.
func TestKeysAreSpreadOverThePlaces(t *testing.T) {
	t.Parallel()
	var place [4]int
	total := 0
	for _, m := range set(t) {
		for _, q := range m.Questions {
			if len(q.Options) == 4 {
				place[q.AnswerIndex]++
				total++
			}
		}
	}
	for i, n := range place {
		expect.Between(t, float64(n)/float64(total), 0.17, 0.33, i)
	}
}

func TestRows(t *testing.T) {
	t.Parallel()
	m := set(t)[len(set(t))-1]
	rows := must.Get(m.Rows())(t)
	must.Equal(t, len(rows), len(m.Frames), "rows of frames")
	for i, r := range rows {
		var facts []Fact
		if err := json.Unmarshal([]byte(r.Facts), &facts); err != nil || !slices.Equal(facts, m.Facts) {
			t.Errorf("row %d: facts do not survive as JSON: %v", i, err)
		}
		if r.ImageID != m.ID || r.Frame != int32(i) || r.Domain != m.Domain || r.Bytes != int64(len(m.Frames[i].PNG)) ||
			len(r.SHA256) != 64 || r.Format != "png" {
			t.Errorf("row %d is %+v", i, r)
		}
	}
	questions := m.QuestionRows()
	must.Equal(t, len(questions), len(m.Questions), "question rows for questions")
	for i, q := range questions {
		if q.Options[q.AnswerIndex] != m.Questions[i].Options[m.Questions[i].AnswerIndex] || q.ImageID != m.ID ||
			q.Category == "" {
			t.Errorf("question row %d is %+v", i, q)
		}
	}
	// The rows own their options: shuffling a row must not disturb the image.
	questions[0].Options[0] = "changed"
	if m.Questions[0].Options[0] == "changed" {
		t.Error("a question row shares its options with the image")
	}
}

// The tags must be nodes of the taxonomies that the binary carries.
func TestTagsAreTaxonomyNodes(t *testing.T) {
	t.Parallel()
	files := map[string]string{Natural: "natural.json", Document: "document.json", ECommerce: "ecommerce.json",
		EmbodiedAI: "embodiedai.json"}
	nodes := map[string]map[string]bool{}
	for domain, file := range files {
		b := must.Read(t, filepath.Join("..", "taxonomies", file))
		var top map[string]map[string]any
		must.Succeed(t, json.Unmarshal(b, &top))
		nodes[domain] = map[string]bool{}
		for category, subs := range top {
			for sub, below := range subs {
				aspects, ok := below.(map[string]any)
				if !ok {
					nodes[domain][category+" > "+sub+" > "] = true
				}
				for aspect := range aspects {
					nodes[domain][category+" > "+sub+" > "+aspect] = true
				}
			}
		}
	}
	for _, m := range set(t) {
		for _, q := range m.Questions {
			if n := q.Category + " > " + q.Subcategory + " > " + q.Aspect; !nodes[m.Domain][n] {
				t.Errorf("%s: %q is no leaf of the %s taxonomy", m.ID, n, m.Domain)
			}
		}
	}
}
