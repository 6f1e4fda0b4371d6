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

// banked has questions about pictures whose names are words and numbers.
const banked = `{"kitchen.png": [{"question": "Is it red?", "choices": ["yes", "no"], "answer": "yes", "category": "Color"}],
"000000000042.jpg": [{"question": "Is it red?", "choices": ["yes", "no"], "answer": "yes", "category": "Color"}],
"COCO_val2014_000000000043.jpg": [{"question": "Is it red?", "choices": ["yes", "no"], "answer": "yes", "category": "Color"}]}`

// Captions come in the shapes that people have them in, and mean the same in each.
func TestCaptionShapes(t *testing.T) {
	t.Parallel()
	const kettle = "kitchen|m|Simple|Photos|A red kettle."
	bed := "000000000042|m|Simple|Photos|A bed."
	for name, c := range map[string]struct {
		file, content string
		want          []string
	}{
		"an object":                {"x.json", `{"kitchen.png": "A red kettle.", "42": "A bed."}`, []string{bed, kettle}},
		"one JSON line":            {"x.jsonl", `{"file_name":"kitchen.png","text":"A red kettle."}` + "\n", []string{kettle}},
		"one record, over lines":   {"x.json", "{\n\"image\": \"kitchen\",\n\"caption\": \"A red kettle.\"\n}", []string{kettle}},
		"JSON lines":               {"x.jsonl", `{"image": "photos/kitchen.png", "pred": "A red kettle.", "seed": 1, "tags": ["a"]}` + "\n\n" + `{"image": 42, "pred": "A bed."}`, []string{bed, kettle}},
		"COCO's results":           {"x.json", `[{"image_id": 42, "caption": "A bed."}, {"image_id": 43, "caption": "A cat."}]`, []string{bed, "COCO_val2014_000000000043|m|Simple|Photos|A cat."}},
		"COCO's annotations":       {"x.json", `{"info": {"year": 2014}, "images": [{"id": 42, "file_name": "a.jpg"}], "annotations": [{"id": 7, "image_id": 42, "caption": "A bed."}]}`, []string{bed}},
		"an object within":         {"x.json", `{"model": "x", "captions": {"kitchen": "A red kettle."}}`, []string{kettle}},
		"records within":           {"x.json", `{"captions": [{"filename": "kitchen.png", "description": "A red kettle."}]}`, []string{kettle}},
		"CSV":                      {"x.csv", "File_Name,Text\nkitchen.png,A red kettle.\n42,\"A bed.\"\n", []string{bed, kettle}},
		"TSV":                      {"x.tsv", "image\tcaption\nkitchen.png\tA \"red\" kettle, 2\n", []string{`kitchen|m|Simple|Photos|A "red" kettle, 2`}},
		"semicolons":               {"x.csv", "image;caption\nkitchen.png;A red kettle.\n", []string{kettle}},
		"a byte order mark":        {"x.csv", "\ufeffimage,caption\r\nkitchen.png,A red kettle.\r\n", []string{kettle}},
		"the empty caption":        {"x.csv", "image,caption\nkitchen,\n", []string{"kitchen|m|Simple|Photos|"}},
		"a picture called caption": {"x.json", `{"caption": "A red kettle."}`, []string{"caption|m|Simple|Photos|A red kettle."}},
		"what records say": {"x.jsonl", `{"image": "kitchen", "caption": "A.", "model": "GPT-4o", "prompt": "Describe this image in detail.", "domain": "ecommerce"}` + "\n" +
			`{"image": "kitchen", "caption": "B.", "captioner": "my model", "prompt": "Mine"}`,
			[]string{"kitchen|gpt-4o|Simple|E-commerce|A.", "kitchen|my-model|Mine|Photos|B."}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := laketest.New(t)
			mustLoad(t, l, textSource("bank.json", banked), Options{Domain: "Photos"})
			o := Options{Captioner: "m", Prompt: "Simple", Domain: "Photos"}
			if strings.Contains(name, "say") {
				o = Options{}
			}
			r := mustLoad(t, l, textSource(c.file, c.content), o)
			slices.Sort(c.want)
			if got := captionsOf(t, l); r.Format != "captions" || !slices.Equal(got, c.want) {
				t.Errorf("as %s: got %q, want %q", r.Format, got, c.want)
			}
		})
	}
}

// What cannot be read one way alone, or not at all, is said where it is, all of it at once.
func TestCaptionShapesRefused(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		file, content string
		want          []string
	}{
		"one record or pictures": {"x.jsonl", `{"file_name": "kitchen.png", "text": "A red kettle.", "source": "web"}`, []string{
			`x.jsonl:1:1: this is one record, with the caption "A red kettle." of the picture "kitchen.png", or else the captions of pictures that are called "file_name", "text", "source": write [ and ] around a record, or write the names of pictures with their endings`}},
		"one number of two pictures": {"x.json", `{"042": "A bed."}`, []string{`x.json:1:2: "042" may be any of "000000000042", "COCO_val2017_000000000042": write the image_id`}},
		"one picture twice": {"x.jsonl", `{"image": "kitchen", "caption": "a"}` + "\n" + `{"image": "x/kitchen.png", "caption": "b"}`, []string{
			`x.jsonl:2:11: a caption of "x/kitchen.png" was given on line 1 already: keep one of the two`}},
		"lines": {"x.jsonl", `{"image": "kitchen", "caption": null}` + "\n" + `{"image": "a"` + "\n" + `{"image": ["a"], "caption": 7}` + "\n" + `{"caption": "b"}` + "\n7", []string{
			`x.jsonl:1:33: the caption of "kitchen" is null: write "" if the model said nothing, or take the image out`,
			"x.jsonl:2:14: the text ends in the middle of a value: it was cut off; fetch or write it again",
			"x.jsonl:3:11: the picture is a list where its name or number belongs: correct it",
			"x.jsonl:4:1: the record does not say which picture it is about: name it under one of image_id, image, img_path, image_path, file_name, filename, id",
			"x.jsonl:5:1: this is a number where an object belongs: correct it"}},
		"another captioner": {"x.csv", "image,caption,model\nkitchen,a,gpt-4o\n", []string{"x.csv:2:11: the record is of gpt-4o, and the command or the path says m: leave one of the two out"}},
		"other columns": {"x.csv", "picture,words\nkitchen,a\n", []string{
			"x.csv:1:1: no column says which picture a row is about: call one of image_id, image, img_path, image_path, file_name, filename, id",
			"x.csv:1:1: no column holds the captions: call one of caption, text, prediction, pred, answer, description"}},
		"cells":             {"x.csv", "image,caption\nkitchen,a,b\n,c\n", []string{"x.csv:2:1: the row has another number of fields than the header; quote fields that hold a comma", `x.csv:3:1: the key "" names no image: write the image_id, such as nat_001`}},
		"nothing":           {"x.json", " \n", []string{"x.json:1:1: the file is empty: get the whole file"}},
		"an empty object":   {"x.json", "{}", []string{"x.json:1:1: the file holds no captions: get the whole file"}},
		"an empty list":     {"x.json", "[]", []string{"x.json:1:1: the file holds no captions: get the whole file"}},
		"cut off":           {"x.json", `{"kitchen": "A red`, []string{"x.json:1:19: the text ends in the middle of a value: it was cut off; fetch or write it again"}},
		"null":              {"x.json", `{"kitchen": null}`, []string{`x.json:1:13: the caption of "kitchen" is null: write "" if the model said nothing, or take the image out`}},
		"a list of strings": {"x.json", `["A red kettle."]`, []string{"x.json:1:2: this is a string where an object belongs: correct it"}},
		"a misspelt bank": {"x.json", `{"kitchen": [{"quesiton": "Is it?", "choices": ["yes", "no"], "answer": "yes"}]}`, []string{
			`x.json:1:14: the question has no "question": add it`}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := laketest.New(t)
			mustLoad(t, l, textSource("bank.json", banked), Options{Domain: "Photos"})
			if strings.Contains(name, "two pictures") {
				more := strings.NewReplacer("kitchen", "hall", "000000000042", "000000000044", "COCO_val2014_000000000043", "COCO_val2017_000000000042")
				mustLoad(t, l, textSource("more.json", more.Replace(banked)), Options{Domain: "More"})
			}
			mustRefuse(t, l, textSource(c.file, c.content), Options{Captioner: "m", Prompt: "Simple", Domain: "Photos"}, c.want...)
		})
	}
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
