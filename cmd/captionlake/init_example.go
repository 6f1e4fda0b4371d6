package main

import (
	"embed"
	"errors"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/sample"
)

// exampleFolder is the folder of the example project unless the user names another.
const exampleFolder = "first-pictures"

//go:embed example
var exampleFiles embed.FS

// writeExample writes a small project: pictures, questions, captions, a configuration and a
// walkthrough. It refuses a folder that is not empty.
func (a *app) writeExample(dir string) error {
	// A folder that is missing is made by CopyFS, which also reports a folder that cannot be used.
	if entries, err := os.ReadDir(dir); err == nil && len(entries) > 0 {
		return data.Errorf("name a new folder: captionlake init --example=FOLDER", "%s holds files already", dir)
	}
	files, err := sample.Project()
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
