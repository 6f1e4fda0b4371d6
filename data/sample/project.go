package sample

import (
	"encoding/json"
	"strings"
)

// projectPictures is how many pictures a project has.
const projectPictures = 20

// Project returns the files of an example project, by name: pictures of the sample set, with
// questions.json and captions.json as a user would write them. It takes the first items that have a
// single picture. A caption has the facts that a short caption would say.
func Project() (map[string][]byte, error) {
	images, err := Images()
	if err != nil {
		return nil, err
	}
	type question struct {
		Question string   `json:"question"`
		Choices  []string `json:"choices"`
		Answer   string   `json:"answer"`
		Category string   `json:"category"`
	}
	files, questions, captions := map[string][]byte{}, map[string][]question{}, map[string]string{}
	for _, image := range images {
		if len(image.Frames) > 1 || len(captions) == projectPictures {
			continue
		}
		// The words of the title in small letters, without digits and signs, joined by dashes.
		name := strings.Join(strings.FieldsFunc(strings.ToLower(image.Title),
			func(r rune) bool { return r < 'a' || r > 'z' }), "-") + ".png"
		files["pictures/"+name] = image.Frames[0].PNG
		for _, q := range image.Questions {
			answer := q.Options[q.AnswerIndex]
			questions[name] = append(questions[name], question{q.Question, q.Options, answer, q.Category})
		}
		var sentences []string
		for _, fact := range image.Facts {
			if fact.Salience == 1 { // A short caption would say the fact.
				sentences = append(sentences, fact.Text)
			}
		}
		captions[name] = strings.Join(sentences, " ")
	}
	for name, value := range map[string]any{"questions.json": questions, "captions.json": captions} {
		content, err := json.MarshalIndent(value, "", "  ")
		if err != nil {
			return nil, err
		}
		files[name] = append(content, '\n')
	}
	return files, nil
}
