package main

import (
	"embed"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/sample"
)

// exampleFolder is where the example project is written unless another folder is named.
const exampleFolder = "first-pictures"

//go:embed example
var exampleFiles embed.FS

// An exampleQuestion is a question as a user's own bank has it.
type exampleQuestion struct {
	Question string   `json:"question"`
	Choices  []string `json:"choices"`
	Answer   string   `json:"answer"`
	Category string   `json:"category"`
}

// writeExample writes a small project: pictures, questions, captions, a configuration and a
// walkthrough. A folder that holds anything is left as it is.
func (a *app) writeExample(dir string) error {
	if entries, err := os.ReadDir(dir); err == nil && len(entries) > 0 {
		return data.WithHint(fmt.Errorf("%s holds files already", dir),
			"name a new folder: captionlake init --example=FOLDER")
	}
	files, err := exampleProject()
	if err != nil {
		return err
	}
	texts, err := fs.Sub(exampleFiles, "example")
	if err := errors.Join(err, os.CopyFS(dir, texts), os.Mkdir(filepath.Join(dir, "pictures"), 0o777)); err != nil {
		return err
	}
	for name, content := range files {
		if err := os.WriteFile(filepath.Join(dir, filepath.FromSlash(name)), content, 0o666); err != nil {
			return err
		}
	}
	return show(a, map[string]string{"example": dir}, nil, func(map[string]string) {
		a.say("The example is in %s. Next: go there, and follow its README.md.\n", dir)
	})
}

// examplePictures is how many pictures the example has.
const examplePictures = 20

// exampleProject is the pictures, questions and captions of the example by the names of their
// files. The pictures are the first of the sample set that are single ones; a caption says what a hurried person would.
func exampleProject() (map[string][]byte, error) {
	files := map[string][]byte{}
	images, err := sample.Images()
	if err != nil {
		return nil, err
	}
	questions, captions := map[string][]exampleQuestion{}, map[string]string{}
	for _, image := range images {
		if len(image.Frames) > 1 || len(captions) == examplePictures {
			continue
		}
		name := strings.Join(strings.FieldsFunc(strings.ToLower(image.Title),
			func(r rune) bool { return r < 'a' || r > 'z' }), "-") + ".png"
		files["pictures/"+name] = image.Frames[0].PNG
		for _, q := range image.Questions {
			questions[name] = append(questions[name],
				exampleQuestion{q.Question, q.Options, q.Options[q.AnswerIndex], q.Category})
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
