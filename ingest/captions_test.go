package ingest

import (
	"fmt"
	"image/color"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

// captionsOf are the captions of a lake, one line each.
func captionsOf(t testing.TB, l *data.Lake) (lines []string) {
	t.Helper()
	for _, c := range laketest.All(t, l, data.Captions) {
		lines = append(lines, strings.Join([]string{c.ImageID, c.Captioner, c.Prompt, c.Domain, c.Caption}, "|"))
	}
	slices.Sort(lines)
	return lines
}

// Texts beside pictures of their names are one unit; other texts of the folder are none.
func TestCaptionTexts(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, content := range map[string]string{
		"kitchen.txt": "A red kettle.\n", "street.txt": "Two lines.\nOf one caption.", "notes.txt": "No picture is called so.", "README.md": "…",
	} {
		must.Succeed(t, os.WriteFile(filepath.Join(dir, name), []byte(content), 0o666))
	}
	for _, name := range []string{"kitchen.png", "street.png"} {
		must.Succeed(t, os.WriteFile(filepath.Join(dir, name), drawn(t, "png", 8, 8, color.White), 0o666))
	}
	l := laketest.New(t)
	results, skipped, err := LoadPaths(t.Context(), l, []string{dir}, Options{Captioner: "m", Prompt: "Simple", Domain: "Photos"})
	must.Succeed(t, err)
	if len(results) != 2 || len(results[1].Files) != 1 || len(skipped) != 2 {
		t.Errorf("got %+v, skipped %q", results, skipped)
	}
	want := []string{"kitchen|m|Simple|Photos|A red kettle.", "street|m|Simple|Photos|Two lines.\nOf one caption."}
	if got := captionsOf(t, l); !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
}

func FuzzCaptionRecords(f *testing.F) {
	fuzzFormat(f, "captions", Options{Captioner: "m", Prompt: "Simple"}, "", `[{"image_id": 42, "caption": "A bed."}]`, `{"file_name":"kitchen.png","text":"A red kettle."}`+"\n{}",
		"image,caption\nkitchen,a\n", "image\tcaption\nkitchen\ta\n", `{"captions": {"a": "b"}, "annotations": [{"id": 1, "text": ""}]}`, fmt.Sprintf("image,caption\n%s", "\"a"))
}
