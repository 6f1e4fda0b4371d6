package simulate

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"reflect"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

func commit[T any](t *testing.T, lake *data.Lake, u data.Unit, table data.Table[T], row T) {
	t.Helper()
	if _, _, err := write(lake, u, table, func(yield func(T) error) error { return yield(row) }); err != nil {
		t.Fatal(err)
	}
}

// files maps the files of a lake to their contents.
func files(t *testing.T, lake *data.Lake) map[string]string {
	t.Helper()
	found := map[string]string{}
	if err := filepath.WalkDir(lake.Dir(), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		content, err := os.ReadFile(path)
		found[path] = string(content)
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return found
}

// Made-up answers go into a lake of their own: one that holds anything else is refused before a byte of it changes.
func TestOtherDataAreRefused(t *testing.T) {
	measured := data.Unit{Stage: "ingest/captions", Name: "mine", Fingerprint: "f", Provenance: data.ProvenanceMeasured}
	rehearsed := data.Unit{Stage: "answer", Name: "rehearsed", Fingerprint: "f", Provenance: data.ProvenanceSimulated}
	published := data.Unit{Stage: "ingest/published", Name: "figures", Fingerprint: "f", Provenance: data.ProvenancePublished}
	options := Options{Seed: 1, Scale: 0.01, Prompts: []string{captionqa.PromptShort}}
	for name, fill := range map[string]func(t *testing.T, lake *data.Lake){
		"captions": func(t *testing.T, l *data.Lake) { commit(t, l, measured, data.Captions, data.Caption{ImageID: "a"}) },
		"questions": func(t *testing.T, l *data.Lake) {
			commit(t, l, published, data.Questions, data.Question{QuestionID: "a"})
		},
		"rehearsed answers":   func(t *testing.T, l *data.Lake) { commit(t, l, rehearsed, data.Answers, data.Answer{QuestionID: "a"}) },
		"figures of your own": func(t *testing.T, l *data.Lake) { commit(t, l, measured, data.PublishedFigures, data.Published{}) },
		"a file of no unit": func(t *testing.T, l *data.Lake) {
			must.Succeed(t, l.PutFile("answers/mine.parquet", []byte("rows")))
		},
		"work in flight": func(t *testing.T, l *data.Lake) {
			j, err := data.OpenJournal[data.Call](l, rehearsed.FileStem())
			must.Succeed(t, err)
			must.Succeed(t, errors.Join(j.Append(data.Call{}), j.Close()))
		},
	} {
		t.Run(name, func(t *testing.T) {
			lake := laketest.New(t)
			fill(t, lake)
			before := files(t, lake)
			var hint *data.HintError
			if _, err := Run(t.Context(), lake, options); !errors.Is(err, ErrHoldsData) || !errors.As(err, &hint) {
				t.Errorf("got %v", err)
			}
			if after := files(t, lake); !reflect.DeepEqual(before, after) {
				t.Error("the lake has changed")
			}
		})
	}
	lake := laketest.New(t)
	commit(t, lake, published, data.PublishedFigures, data.Published{})
	for range 2 { // What the program carries and an earlier simulation are no hindrance.
		if _, err := Run(t.Context(), lake, options); err != nil {
			t.Fatal(err)
		}
	}
}
