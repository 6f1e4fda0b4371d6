package sample

import (
	"fmt"
	"hash/fnv"
	"math/rand/v2"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// note is a fact together with the question that is asked about it.
type note struct {
	fact    Fact
	ask     string   // text of the question
	choices int      // number of options; 2 with yesNo set is a yes/no question
	pool    []string // values that are false of the subject, from which distractors are drawn
	yesNo   string   // the key, Yes or No, of a yes/no question; empty for others
}

// notes collects what is to be said and asked about one picture.
type notes struct{ list []note }

// say describes a fact: the taxonomy node as "category > subcategory > aspect", the salience 1 to 4, subject, attribute
// and value, and the caption sentence in which {v} stands for the value.
type say struct {
	node                 string
	salience             int
	subject, attr, value string
	text                 string
}

// four asks for the value among four options, three distractors being drawn from pool.
func (n *notes) four(s say, ask string, pool ...string) { n.add(s, 4, ask, "", pool) }

// three asks for the value among three options.
func (n *notes) three(s say, ask string, pool ...string) { n.add(s, 3, ask, "", pool) }

// two asks for the value among two options.
func (n *notes) two(s say, ask string, pool ...string) { n.add(s, 2, ask, "", pool) }

// yes asks for the confirmation of the fact.
func (n *notes) yes(s say, ask string) { n.add(s, 2, ask, "Yes", nil) }

// no asks whether something holds that the fact denies.
func (n *notes) no(s say, ask string) { n.add(s, 2, ask, "No", nil) }

func (n *notes) add(s say, choices int, ask, yesNo string, pool []string) {
	path := append(strings.Split(s.node, " > "), "", "")
	text := strings.ReplaceAll(s.text, "{v}", s.value)
	n.list = append(n.list, note{
		fact: Fact{Category: path[0], Subcategory: path[1], Aspect: path[2], Subject: s.subject, Attribute: s.attr,
			Value: s.value, Text: capital(text), Salience: s.salience},
		ask: ask, choices: choices, pool: pool, yesNo: yesNo,
	})
}

// questions returns the facts and one question for each. Distractors and the position of the key are drawn by a
// generator that is seeded with the image and the question, so that editing one question moves no other.
func (n *notes) questions(imageID string) ([]Fact, []Question, error) {
	var facts []Fact
	var out []Question
	for i, note := range n.list {
		options, key, err := note.options(imageID)
		if err != nil {
			return nil, nil, err
		}
		facts = append(facts, note.fact)
		out = append(out, Question{
			Question: note.ask, Options: options, AnswerIndex: key, FactIndex: i,
			Category: note.fact.Category, Subcategory: note.fact.Subcategory, Aspect: note.fact.Aspect,
		})
	}
	return facts, out, nil
}

// options returns the options of a question and the position of the key among them.
func (t note) options(imageID string) ([]string, int, error) {
	if t.yesNo != "" {
		options := []string{"Yes", "No"}
		return options, slices.Index(options, t.yesNo), nil
	}
	var wrong []string
	for _, v := range t.pool {
		if !strings.EqualFold(v, t.fact.Value) && !slices.Contains(wrong, v) {
			wrong = append(wrong, v)
		}
	}
	if len(wrong) < t.choices-1 {
		return nil, 0, fmt.Errorf("question %q has %d distractors and needs %d: add false values to its pool", t.ask, len(wrong), t.choices-1)
	}
	h := fnv.New64a()
	fmt.Fprintf(h, "%s\x00%s", imageID, t.ask) // a hash never returns an error
	r := rand.New(rand.NewPCG(h.Sum64(), 1))
	r.Shuffle(len(wrong), func(i, j int) { wrong[i], wrong[j] = wrong[j], wrong[i] })
	options := append([]string{t.fact.Value}, wrong[:t.choices-1]...)
	r.Shuffle(len(options), func(i, j int) { options[i], options[j] = options[j], options[i] })
	key := slices.Index(options, t.fact.Value)
	for i, o := range options {
		options[i] = capital(o)
	}
	return options, key, nil
}

// capital returns s with its first letter in upper case.
func capital(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	if size == 0 {
		return s
	}
	return string(unicode.ToUpper(r)) + s[size:]
}

var numberWords = []string{"zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"}

// word spells a count between 0 and 12.
func word(n int) string { return numberWords[n] }

// near returns the counts from one to twelve that lie within three of n, without n: the plausible miscounts.
func near(n int) []string {
	var out []string
	for k := max(1, n-3); k <= min(12, n+3); k++ {
		if k != n {
			out = append(out, word(k))
		}
	}
	return out
}

// but returns the values without the given ones.
func but(values []string, drop ...string) []string {
	var out []string
	for _, v := range values {
		if !slices.Contains(drop, v) {
			out = append(out, v)
		}
	}
	return out
}

// with puts the value of another property of the scene model into the sentence, so that the sentence follows the model.
func (s say) with(placeholder, value string) say {
	s.text = strings.ReplaceAll(s.text, placeholder, value)
	return s
}
