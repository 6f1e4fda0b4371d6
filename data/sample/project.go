package sample

import (
	"encoding/json"
	"strings"
)

// projectPictures is how many pictures a project has.
const projectPictures = 20

// Project is a part of the sample set as a user has it: pictures, questions.json and captions.json, by the names of the
// files. The pictures are the first that are single ones; a caption says what a hurried person would.
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
		name := strings.Join(strings.FieldsFunc(strings.ToLower(image.Title),
			func(r rune) bool { return r < 'a' || r > 'z' }), "-") + ".png"
		files["pictures/"+name] = image.Frames[0].PNG
		for _, q := range image.Questions {
			questions[name] = append(questions[name], question{q.Question, q.Options, q.Options[q.AnswerIndex], q.Category})
		}
		var said []string
		for _, fact := range image.Facts {
			if fact.Salience == 1 {
				said = append(said, fact.Text)
			}
		}
		captions[name] = strings.Join(said, " ")
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
