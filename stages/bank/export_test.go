package bank

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/png"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/parquet-go/parquet-go"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/construct"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/ingest"
)

func testPNG(t testing.TB, shade uint8) []byte {
	t.Helper()
	m := image.NewGray(image.Rect(0, 0, 9, 7))
	for i := range m.Pix {
		m.Pix[i] = shade + uint8(i)
	}
	m.SetGray(0, 0, color.Gray{Y: 255})
	var b bytes.Buffer
	must.Succeed(t, png.Encode(&b, m))
	return b.Bytes()
}

// load reads files into a lake as captionlake ingest does.
func load(t testing.TB, l *data.Lake, o ingest.Options, paths ...string) {
	t.Helper()
	if _, skipped, err := ingest.LoadPaths(context.Background(), l, paths, o); err != nil || len(skipped) > 0 {
		t.Fatalf("skipped %v: %v", skipped, err)
	}
}

// published is a lake with a bank that was made of pictures: one item of one picture, one of two frames.
func published(t testing.TB, b *testBank) *data.Lake {
	t.Helper()
	l := laketest.New(t)
	path := func(name string) string { return filepath.Join(t.TempDir(), name) }
	pan, pot := path("pan.png"), path("pot.parquet")
	must.Succeed(t, os.WriteFile(pan, testPNG(t, 0), 0o666))
	if err := writeWhole(pot, func(w io.Writer) error {
		frames := []exportedImage{{testPNG(t, 20), "pot-1.png"}, {testPNG(t, 40), "pot-2.png"}, {nil, "pot-3.png"}}
		return parquet.Write(w, []exportedItem{{ID: "pot", Images: frames}})
	}); err != nil {
		t.Fatal(err)
	}
	load(t, l, ingest.Options{Domain: "Kitchen"}, pan)
	load(t, l, ingest.Options{Domain: "Kitchen"}, pot)
	b.images = nil
	b.fill(t, l)
	// Another bank of the domain does not mix with the one that is made.
	put(t, l, data.Questions, []data.Question{{QuestionID: "pan/x", ImageID: "pan", Domain: "Kitchen", Question: "Loaded?", Options: []string{"x", "y"}, OptionOrder: []int32{1, 0}, Source: "other.json"}})
	if _, err := Publish(l, PublishOptions{Domain: "Kitchen", Partial: true}); err != nil {
		t.Fatal(err)
	}
	return l
}

// The files of a bank give the same rows in another lake, in every column.
func TestExportIsReadBack(t *testing.T) {
	t.Parallel()
	l := published(t, kitchen())
	dir := filepath.Join(t.TempDir(), "made", "on the way")
	e, err := Export(l, ExportOptions{Domains: []string{"kitchen"}, Dir: dir})
	must.Succeed(t, err)
	if want := []string{filepath.Join(dir, "kitchen.parquet"), filepath.Join(dir, "kitchen.json")}; !slices.Equal(e.Files, want) || e.Questions != 6 || e.Images != 2 || e.NoPicture != 1 || !e.Default {
		t.Errorf("%+v", e)
	}
	questions, images := madeHere(rowsOf(t, l, data.Questions)), rowsOf(t, l, data.Images)
	if len(images) != 4 {
		t.Fatalf("%d images", len(images))
	}

	for i := range images { // Files do not tell where on somebody's disk a picture was.
		images[i].Source = filepath.Base(images[i].Source)
	}
	shipped := laketest.New(t)
	load(t, shipped, ingest.Options{}, e.Files[0]) // The file names its domain.
	if diff := cmp.Diff(questions, rowsOf(t, shipped, data.Questions)); diff != "" {
		t.Errorf("questions of the Parquet file (-want +got):\n%s", diff)
	}
	if diff := cmp.Diff(images, rowsOf(t, shipped, data.Images)); diff != "" {
		t.Errorf("images of the Parquet file (-want +got):\n%s", diff)
	}
	for _, i := range images[:3] {
		want, err := os.ReadFile(l.Path(i.Path))
		must.Succeed(t, err)
		if got, err := os.ReadFile(shipped.Path(i.Path)); err != nil || !bytes.Equal(got, want) {
			t.Errorf("the picture of %s is another one: %v", i.ImageID, err)
		}
	}
	text := laketest.New(t)
	load(t, text, ingest.Options{Domain: "Kitchen"}, e.Files[1])
	if diff := cmp.Diff(questions, rowsOf(t, text, data.Questions)); diff != "" {
		t.Errorf("questions of the JSON file (-want +got):\n%s", diff)
	}

	// What was read back is exported to the same bytes.
	again, err := Export(shipped, ExportOptions{Domains: []string{"Kitchen"}, Dir: t.TempDir()})
	must.Succeed(t, err)
	for i := range e.Files {
		first, err1 := os.ReadFile(e.Files[i])
		second, err2 := os.ReadFile(again.Files[i])
		if err1 != nil || err2 != nil || !bytes.Equal(first, second) {
			t.Errorf("%s differs when it is exported again: %v, %v", e.Files[i], err1, err2)
		}
	}
}

// Simulated questions say so in the files.
func TestExportSaysSimulated(t *testing.T) {
	t.Parallel()
	b := kitchen()
	b.candidates[0].Provenance = data.ProvenanceSimulated
	l := published(t, b)
	e, err := Export(l, ExportOptions{Domains: []string{"Kitchen"}, Dir: t.TempDir()})
	if err != nil || !e.Simulated {
		t.Fatalf("%+v, %v", e, err)
	}
	for _, file := range e.Files {
		content, err := os.ReadFile(file)
		if err != nil || strings.HasSuffix(file, ".json") && !bytes.Contains(content, []byte(`"bank":"SIMULATED candidates of Kitchen"`)) {
			t.Errorf("%s: %v", file, err)
		}
	}
}

func TestExportRefuses(t *testing.T) {
	t.Parallel()
	l := published(t, kitchen())
	_, err := Export(l, ExportOptions{Domains: []string{"Garden"}, Dir: t.TempDir()})
	hinted(t, err, "the lake has no questions of Garden", "bank publish")
	questions := madeHere(rowsOf(t, l, data.Questions))
	for name, c := range map[string]struct {
		change func(q *data.Question)
		want   string
	}{
		"a part of a bank": {func(q *data.Question) { q.Ordinal += 3 }, "are not one whole bank"},
		"as given":         {func(q *data.Question) { q.OrderRule = "as-given" }, "are not one whole bank"},
		"an ending":        {func(q *data.Question) { q.ImageID = "a.png" }, `readers would take its name for "a"`},
		"not UTF-8":        {func(q *data.Question) { q.Question = "\xff" }, "text that is not UTF-8"},
		"a key twice":      {func(q *data.Question) { q.Options[0], q.Options[1], q.AnswerIndex = "x", "x", 1 }, "its key has the text of another option"},
		"a category":       {func(q *data.Question) { q.Category = "A->B" }, "cannot be written in one text"},
	} {
		l := laketest.New(t)
		var rows []data.Question
		for i, q := range questions[:1] {
			q.Ordinal, q.Options = int32(i), slices.Clone(q.Options)
			c.change(&q)
			rows = append(rows, q)
		}
		fixOrders(rows)
		put(t, l, data.Questions, rows)
		if _, err := Export(l, ExportOptions{Domains: []string{"Kitchen"}, Dir: t.TempDir()}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v", name, err)
		}
	}
	// A picture that is another one now is not given out under the old name.
	picture := rowsOf(t, l, data.Images)[0].Path
	must.Succeed(t, os.WriteFile(l.Path(picture), []byte("no picture"), 0o666))
	dir := t.TempDir()
	_, err = Export(l, ExportOptions{Domains: []string{"Kitchen"}, Dir: dir})
	hinted(t, err, "is not the one that was loaded", "load the pictures again")
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("a failed export leaves %v, %v", entries, err)
	}
}

// FuzzExportIsReadBack: whatever the texts of a candidate, what is published is read back to the same rows.
func FuzzExportIsReadBack(f *testing.F) {
	f.Add("What is held?", "spoon", "knife", "Tools", "sub - one")
	f.Add("Is it\nhot?", "yes", " no ", "A - B", "")
	f.Add("<b>\"Which\"</b> \\ letter?", "B", "A)", "a->b", "c")
	f.Add("Null\x00?", "\u2028", "é", "", " x")
	f.Fuzz(func(t *testing.T, question, first, second, category, subcategory string) {
		if len(question)+len(first)+len(second)+len(category)+len(subcategory) > 1000 || construct.Malformed(question, []string{first, second}, 1) != "" {
			return
		}
		l := laketest.New(t)
		b := &testBank{images: []data.Image{{ImageID: "pan", Domain: "Kitchen", Source: "pan.png"}}}
		b.add("pan/1", category, question, "accept", 1, first, second)
		b.candidates[0].Subcategory = subcategory
		b.fill(t, l)
		if _, err := Publish(l, PublishOptions{Domain: "Kitchen"}); err != nil {
			return
		}
		e, err := Export(l, ExportOptions{Domains: []string{"Kitchen"}, Dir: t.TempDir()})
		if err != nil {
			return // Refused with its reason.
		}
		for i, o := range []ingest.Options{{}, {Domain: "Kitchen"}} {
			back := laketest.New(t)
			load(t, back, o, e.Files[i])
			if diff := cmp.Diff(rowsOf(t, l, data.Questions), rowsOf(t, back, data.Questions)); diff != "" {
				t.Errorf("%s (-want +got):\n%s", e.Files[i], diff)
			}
		}
	})
}

// fixOrders deals the option orders of rows anew.
func fixOrders(rows []data.Question) {
	orders := captionqa.NewBankOrders(rows[0].OrderRule)
	for i := range rows {
		rows[i].OptionOrder = orders.Next(rows[i].Domain, rows[i].Question, rows[i].Options)
	}
}
