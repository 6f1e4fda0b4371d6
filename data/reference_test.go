package data

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/captionlake/captionlake/data/must"
)

// TestReferenceMatchesSources compares the embedded tables and taxonomies with the files that they were copied from,
// where they are found: tables byte for byte but for line ends, taxonomies as JSON. What is in the
// text or a drawing of a paper is in no table, so those files are ours alone.
func TestReferenceMatchesSources(t *testing.T) {
	t.Parallel()
	shared := os.Getenv("CAPTIONLAKE_SHARED")
	if shared == "" {
		shared = filepath.Join("..", "..", "shared")
	}
	for _, c := range []struct{ pattern, folder string }{
		{"published/*.csv", "published"}, {"taxonomies/*.json", "captionqa/taxonomy"},
	} {
		t.Run(c.folder, func(t *testing.T) {
			sources, err := os.ReadDir(filepath.Join(shared, filepath.FromSlash(c.folder)))
			if errors.Is(err, fs.ErrNotExist) {
				t.Skipf("%s is not beside the repository; set CAPTIONLAKE_SHARED to the folder that holds it", c.folder)
			}
			must.Succeed(t, err)
			names, err := fs.Glob(Reference(), c.pattern)
			must.Succeed(t, err)
			names = slices.DeleteFunc(names, func(name string) bool {
				return slices.Contains([]string{"captionqa_text_figures.csv", "caparena_figure1_ranking.csv", "statements.csv"}, path.Base(name))
			})
			if len(names) != len(sources) {
				t.Errorf("%d files are embedded, %d are the source", len(names), len(sources))
			}
			for _, name := range names {
				got, err := fs.ReadFile(Reference(), name)
				must.Succeed(t, err)
				want, err := os.ReadFile(filepath.Join(shared, filepath.FromSlash(c.folder), filepath.Base(name)))
				must.Succeed(t, err)
				if filepath.Ext(name) == ".json" {
					var a, b any
					must.Succeed(t, errors.Join(json.Unmarshal(got, &a), json.Unmarshal(want, &b)))
					if diff := cmp.Diff(b, a); diff != "" {
						t.Errorf("%s differs from its source (-source +copy):\n%s", name, diff)
					}
				} else if !bytes.Equal(bytes.ReplaceAll(got, []byte("\r\n"), []byte("\n")), bytes.ReplaceAll(want, []byte("\r\n"), []byte("\n"))) {
					t.Errorf("%s differs from its source", name)
				}
			}
		})
	}
}
