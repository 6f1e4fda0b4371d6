package config

import (
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/rubric"
)

// answerTemplate is the name of the template by which open answers to questions are judged.
const answerTemplate = "answer"

// Places of the answer template beside rubric.ElementPlace.
const (
	questionPlace = "{question}"
	answerPlace   = "{answer}"
)

// answerPrompt asks a judge about an open answer. The papers print no prompt for it; this one is in the manner of their
// judge prompts (CAPability Figure A3), so that its replies are read as those are.
const answerPrompt = `Given a question, the correct answer, and the answer of a model as follows:
Question: {question}
Correct Answer: {element}
Model Answer: {answer}
Please compare the model's answer with the correct answer, and explain why they agree or not. Other words for the same thing agree; upper and lower case, blanks and punctuation do not matter.
Give score of 1 if the model's answer agrees with the correct answer. Give score of 0 if the model does not answer the question. Give score of -1 if the model's answer differs from the correct answer.
Output a JSON formed as:
{"score": "put your score here", "reason": "give your reason here"}
DO NOT PROVIDE ANY OTHER OUTPUT TEXT OR EXPLANATION. Only output the JSON. Do not add Markdown syntax. Output:`

// JudgePrompts are the templates by which a judge is asked: one for each dimension, and one for answers to questions.
type JudgePrompts struct {
	templates map[string]string
}

// LoadJudgePrompts reads the templates: DIMENSION.txt or answer.txt from a folder where it has them, and the built-in
// ones for the rest. An empty folder name takes the built-in ones. A template has to have the places that are filled in;
// one for a closed set must not show the annotated category, to which it would lead the judge. Any other text file in the
// folder is an error, because a misspelt name would be passed over.
func LoadJudgePrompts(dir string) (*JudgePrompts, error) {
	p := &JudgePrompts{templates: map[string]string{answerTemplate: answerPrompt}}
	places := map[string][]string{answerTemplate: {questionPlace, rubric.ElementPlace, answerPlace}}
	names := []string{answerTemplate}
	for _, d := range rubric.Dimensions() {
		p.templates[d.ID] = d.JudgeTemplate()
		places[d.ID] = []string{rubric.CaptionPlace, rubric.ElementPlace}
		if d.Closed() {
			places[d.ID] = places[d.ID][:1]
		}
		names = append(names, d.ID)
	}
	if dir == "" {
		return p, nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, data.WithHint(fmt.Errorf("templates of the judges: %w", err), "correct judges.templates in %s", File)
	}
	var faults []error
	for _, e := range entries {
		if name, is := strings.CutSuffix(e.Name(), ".txt"); is && !slices.Contains(names, name) {
			faults = append(faults, fmt.Errorf("%s: there is no template %q; there are: %s", filepath.Join(dir, e.Name()), name, strings.Join(names, ", ")))
		}
	}
	for _, name := range names {
		path := filepath.Join(dir, name+".txt")
		own, err := data.ReadInput(path, maxBytes)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		p.templates[name] = strings.TrimRight(string(own), "\n")
		for _, place := range []string{rubric.CaptionPlace, rubric.ElementPlace, questionPlace, answerPlace} {
			switch has, wanted := strings.Contains(p.templates[name], place), slices.Contains(places[name], place); {
			case wanted && !has:
				faults = append(faults, fmt.Errorf("%s: the template has no place %s", path, place))
			case has && !wanted:
				faults = append(faults, fmt.Errorf("%s: the template has a place %s, for which there is nothing in it", path, place))
			}
		}
	}
	if err := errors.Join(faults...); err != nil {
		return nil, data.WithHint(err, "correct the templates, or leave judges.templates out of %s for the built-in ones", File)
	}
	return p, nil
}

// Caption is the prompt about one element and one caption.
func (p *JudgePrompts) Caption(d *rubric.Dimension, e rubric.Element, caption string) string {
	return rubric.FillTemplate(p.templates[d.ID], caption, e)
}

// Answer is the prompt about one open answer. What is filled in is not looked at for places.
func (p *JudgePrompts) Answer(e rubric.Element, question, answer string) string {
	return strings.NewReplacer(questionPlace, question, rubric.ElementPlace, e.Text(), answerPlace, answer).Replace(p.templates[answerTemplate])
}

// Digest tells two sets of templates apart.
func (p *JudgePrompts) Digest() string {
	var parts []string
	for _, name := range slices.Sorted(maps.Keys(p.templates)) {
		parts = append(parts, name, p.templates[name])
	}
	return data.Fingerprint(parts...)
}
