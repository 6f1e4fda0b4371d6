package rubric

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"maps"
	"path/filepath"
	"slices"
	"strings"
)

// answerTemplate is the name of the template for judging open answers to questions.
const answerTemplate = "answer"

// Places of the answer template, besides ElementPlace. A place is a word in braces that a text
// replaces.
const (
	questionPlace = "{question}"
	answerPlace   = "{answer}"
)

// JudgePrompts are the templates of a judge's prompts: one for each dimension, and one for answers
// to questions.
type JudgePrompts struct {
	templates map[string]string
}

// NewJudgePrompts takes a user's own templates by file name, DIMENSION.txt or answer.txt in any
// folder. The program's templates stay for dimensions without a file. A template must have all
// places of its dimension and no other places. A template of a closed set must not show the
// annotated category, because that would lead the judge to this category. The error names every
// fault with its file.
func NewJudgePrompts(own map[string]string) (*JudgePrompts, error) {
	p := &JudgePrompts{templates: map[string]string{answerTemplate: prompts().Answer}}
	places := map[string][]string{answerTemplate: {questionPlace, ElementPlace, answerPlace}}
	names := []string{answerTemplate}
	for _, d := range dimensions {
		names = append(names, d.ID)
		p.templates[d.ID] = d.JudgeTemplate()
		places[d.ID] = []string{CaptionPlace}
		if !d.Closed() {
			places[d.ID] = []string{CaptionPlace, ElementPlace}
		}
	}
	var faults []error
	for _, file := range slices.Sorted(maps.Keys(own)) {
		name := strings.TrimSuffix(filepath.Base(file), ".txt")
		if !slices.Contains(names, name) {
			faults = append(faults, fmt.Errorf("%s: there is no template %q; there are: %s", file, name,
				strings.Join(names, ", ")))
			continue
		}
		template := strings.TrimRight(own[file], "\n") // Editors end a file with a line feed.
		p.templates[name] = template
		for _, place := range []string{CaptionPlace, ElementPlace, questionPlace, answerPlace} {
			switch has, wanted := strings.Contains(template, place), slices.Contains(places[name], place); {
			case wanted && !has:
				faults = append(faults, fmt.Errorf("%s: the template has no place %s", file, place))
			case has && !wanted:
				faults = append(faults, fmt.Errorf("%s: the template has a place %s, for which there is nothing in it",
					file, place))
			}
		}
	}
	return p, errors.Join(faults...)
}

// Caption is the prompt about one element and one caption.
func (p *JudgePrompts) Caption(d *Dimension, e Element, caption string) string {
	return FillTemplate(p.templates[d.ID], caption, e)
}

// Answer is the prompt about one open answer. If the text of a question or an answer contains the
// name of a place, the place there is not replaced.
func (p *JudgePrompts) Answer(e Element, question, answer string) string {
	return strings.NewReplacer(questionPlace, question, ElementPlace, e.Text(), answerPlace,
		answer).Replace(p.templates[answerTemplate])
}

// Digest digests all templates: different templates have different digests.
func (p *JudgePrompts) Digest() string {
	hash := sha256.New()
	for _, name := range slices.Sorted(maps.Keys(p.templates)) {
		fmt.Fprintf(hash, "%q %q\n", name, p.templates[name])
	}
	return hex.EncodeToString(hash.Sum(nil))
}

// Instruction is the system message for a question about a medium. The paper shows its questions
// but no instructions. Our instructions follow the system message of CaptionQA's QA-on-image.
func (q Question) Instruction(medium string) string {
	article := "a"
	if medium == MediaImage {
		article = "an"
	}
	answer := "Answer with a SINGLE LETTER (A, B, C, ...), no explanation."
	if q.Open() {
		answer = "Answer with the name, the words or the short phrase that is asked for, no explanation."
	}
	return fmt.Sprintf("You are given %s %s, and a question about the %s. %s", article, medium, medium, answer)
}
