package bank

import (
	"bytes"
	"context"
	"image"
	"image/color"
	"image/png"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/captionlake/captionlake/analytics/ask"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/construct"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/files"
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
	o.Query = ask.ReadFiles
	if _, skipped, err := ingest.LoadPaths(context.Background(), l, paths, o); err != nil || len(skipped) > 0 {
		t.Fatalf("skipped %v: %v", skipped, err)
	}
}

// published is a lake with a bank that was made of pictures: one item of one picture, one of two
// frames.
func published(t testing.TB, b *testBank) *data.Lake {
	t.Helper()
	l := laketest.New(t)
	path := func(name string) string { return filepath.Join(t.TempDir(), name) }
	pan, pot := path("pan.png"), path("pot.parquet")
	must.Write(t, pan, testPNG(t, 0))
	must.Succeed(t, files.WriteWhole(pot, 0o644, func(w io.Writer) error {
		frames := []*exportedImage{{testPNG(t, 20), new("pot-1.png")}, {testPNG(t, 40), new("pot-2.png")},
			{nil, new("pot-3.png")}}
		return parquet.Write(w, []exportedItem{{ID: new("pot"), Images: frames}})
	}))
	load(t, l, ingest.Options{Domain: "Kitchen"}, pan)
	load(t, l, ingest.Options{Domain: "Kitchen"}, pot)
	b.images = nil
	b.fill(t, l)
	// Another bank of the domain does not mix with the one that is made.
	put(t, l, data.Questions,
		[]data.Question{{QuestionID: "pan/x", ImageID: "pan", Domain: "Kitchen", Question: "Loaded?",
			Options: []string{"x", "y"}, OptionOrder: []int32{1, 0}, Source: "other.json"}})
	must.Get(Publish(l, PublishOptions{Domain: "Kitchen", Partial: true}))(t)
	return l
}

// The files of a bank give the same rows in another lake, in every column.
func TestExportIsReadBack(t *testing.T) {
	t.Parallel()
	l := published(t, kitchen())
	dir := filepath.Join(t.TempDir(), "made", "on the way")
	e := must.Get(Export(l, into(dir)))(t)
	var want []string
	for _, name := range []string{"kitchen.parquet", "kitchen.json", "Kitchen-taxonomy.yaml", "kitchen-merged.jsonl",
		"README.md"} {
		want = append(want, filepath.Join(dir, name))
	}
	if !slices.Equal(e.Files, want) || e.Questions != 6 || e.Images != 2 || e.NoPicture != 1 || !e.Default {
		t.Errorf("%+v", e)
	}
	questions, images := madeHere(rowsOf(t, l, data.Questions)), rowsOf(t, l, data.Images)
	must.Equal(t, len(images), 4)

	for i := range images { // Files do not tell where on somebody's disk a picture was.
		images[i].Source = filepath.Base(images[i].Source)
	}
	shipped := laketest.New(t)
	load(t, shipped, ingest.Options{}, e.Files[0]) // The file names its domain.
	expect.Equal(t, rowsOf(t, shipped, data.Questions), questions, "questions of the Parquet file")
	expect.Equal(t, rowsOf(t, shipped, data.Images), images, "images of the Parquet file")
	for _, i := range images[:3] {
		want := must.Read(t, l.Path(i.Path))
		expect.Equal(t, must.Read(t, shipped.Path(i.Path)), want, i.ImageID)
	}
	text := laketest.New(t)
	load(t, text, ingest.Options{Domain: "Kitchen"}, e.Files[1])
	expect.Equal(t, rowsOf(t, text, data.Questions), questions, "questions of the JSON file")

	nodes := laketest.New(t)
	load(t, nodes, ingest.Options{}, e.Files[2]) // The file's name names the domain.
	expect.Equal(t, rowsOf(t, nodes, data.Taxonomy), rowsOf(t, l, data.Taxonomy))

	// A bank that was read back is exported to the same bytes.
	again := must.Get(Export(shipped, into(t.TempDir())))(t)
	for i := range 2 {
		first, err1 := os.ReadFile(e.Files[i])
		second, err2 := os.ReadFile(again.Files[i])
		if err1 != nil || err2 != nil || !bytes.Equal(first, second) {
			t.Errorf("%s differs when it is exported again: %v, %v", e.Files[i], err1, err2)
		}
	}
}

// Every column may be null, because the datasets library takes the features of a file only then.
func TestExportedColumnsMayBeNull(t *testing.T) {
	var look func(path string, n parquet.Node)
	look = func(path string, n parquet.Node) {
		if n.Required() {
			t.Errorf("%s may not be null", path)
		}
		for _, f := range n.Fields() {
			look(path+"/"+f.Name(), f)
		}
	}
	for _, f := range parquet.SchemaOf(exportedItem{}).Fields() {
		look(f.Name(), f)
	}
}

// The datasets library itself reads an export by its card, and decodes its pictures.
func TestExportIsADataset(t *testing.T) {
	laketest.Slow(t, "installs the datasets library from PyPI")
	dir, env := t.TempDir(), t.TempDir()
	must.Get(Export(published(t, kitchen()),
		ExportOptions{Domains: []string{"kitchen"}, Dir: dir, Licence: "cc-by-4.0"}))(t)
	python := filepath.Join(env, "bin", "python")
	for _, command := range [][]string{{"python3", "-m", "venv", env},
		{python, "-m", "pip", "install", "-q", "datasets==5.2.0", "pillow==13.0.0"}} {
		if out, err := exec.Command(command[0], command[1:]...).CombinedOutput(); err != nil {
			t.Skipf("the datasets library cannot be had: %v\n%s", err, out)
		}
	}
	read := exec.Command(python, "-c", `
import sys, datasets
rows = datasets.load_dataset(sys.argv[1], split="train", cache_dir=sys.argv[2])
print(len(rows), sorted(rows.features))
row = rows[0]  # The other item has a frame without a picture, whose name the library takes for a file.
print(row["id"], [p.size for p in row["images"]], row["questions"][0]["question"])
`, dir, t.TempDir())
	read.Env = append(os.Environ(), "HF_HUB_OFFLINE=1", "HF_HOME="+t.TempDir())
	out, err := read.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, err.(*exec.ExitError).Stderr)
	}
	want := "2 ['domain', 'id', 'images', 'questions']\npan [(9, 7)] What is held?\n"
	expect.Equal(t, string(out), want)
}

// The card says how the bank was made: what each step of the construction left of eleven
// candidates, and the models of this bank alone.
func TestExportHasACard(t *testing.T) {
	t.Parallel()
	l, dir := published(t, kitchen()), t.TempDir()
	o := ExportOptions{Domains: []string{"kitchen"}, Dir: dir, Licence: "cc-by-4.0"}
	must.Get(Export(l, o))(t)
	card := must.Read(t, filepath.Join(dir, "README.md"))
	expect.Contains(t, string(card),
		"license: cc-by-4.0\n", "path: kitchen.parquet\n", "num_examples: 2\n", "# Questions about pictures: Kitchen\n",
		"| written by generators | 11 |\n| well formed | 10 |\n| not answered without the picture | 9 |\n"+
			"| one for each group of near-duplicates | 8 |\n"+
			"| in the bank | 6 |\n| of them, accepted by all validators | 4 |\n| of them, corrected by a person | 1 |\n| of "+
			"them, kept by a person | 1 |\n",
		"| generate | g | construct/generate/1 | measured |\n", "| `kitchen-merged.jsonl` |",
	)
	if strings.Contains(string(card), "other") || strings.Contains(string(card), "SIMULATED") {
		t.Errorf("the card tells of another bank:\n%s", card)
	}
	links, err := os.ReadFile(filepath.Join(dir, "kitchen-merged.jsonl"))
	if want := `{"candidate_id":"pan/2","merged_candidate_id":"pan/8","similarity":1,"generator":"g",` +
		`"question":"Duplicate?","choices":["red","blue"],"answer_index":0,` +
		`"provenance":"measured"}` + "\n"; err != nil || string(links) != want {
		t.Errorf("links %s, %v", links, err)
	}
	// The same again is fine; a card that somebody changed stays.
	must.Get(Export(l, o))(t)
	must.Write(t, filepath.Join(dir, "README.md"), append(card, "My words.\n"...))
	_, err = Export(l, o)
	laketest.Hint(t, err, "remove it", "README.md exists already, and may have changes of yours")
	o.Licence = "Creative Commons"
	_, err = Export(l, o)
	laketest.Hint(t, err, "cc-by-4.0", `the licence "Creative Commons"`)
}

// Simulated questions say so in the files.
func TestExportSaysSimulated(t *testing.T) {
	t.Parallel()
	b := kitchen()
	b.candidates[0].Provenance = data.ProvenanceSimulated
	l := published(t, b)
	e, err := Export(l, into(t.TempDir()))
	if err != nil || !e.Simulated {
		t.Fatalf("%+v, %v", e, err)
	}
	for _, file := range e.Files {
		content, err := os.ReadFile(file)
		mark := map[string]string{".json": `"bank":"SIMULATED candidates of Kitchen"`,
			".md": "**SIMULATED**"}[filepath.Ext(file)]
		if err != nil || !bytes.Contains(content, []byte(mark)) {
			t.Errorf("%s: %v", file, err)
		}
	}
}

func TestExportRefuses(t *testing.T) {
	t.Parallel()
	l := published(t, kitchen())
	_, err := Export(l, ExportOptions{Domains: []string{"Garden"}, Dir: t.TempDir()})
	laketest.Hint(t, err, "bank publish", "the lake has no questions of Garden")
	questions := madeHere(rowsOf(t, l, data.Questions))
	for _, c := range map[string]struct {
		change func(q *data.Question)
		want   string
	}{
		"a part of a bank": {func(q *data.Question) { q.Ordinal += 3 }, "are not one whole bank"},
		"as given":         {func(q *data.Question) { q.OrderRule = "as-given" }, "are not one whole bank"},
		"an ending":        {func(q *data.Question) { q.ImageID = "a.png" }, `readers would take its name for "a"`},
		"not UTF-8":        {func(q *data.Question) { q.Question = "\xff" }, "text that is not UTF-8"},
		"a key twice": {func(q *data.Question) { q.Options[0], q.Options[1], q.AnswerIndex = "x", "x", 1 },
			"its key has the text of another option"},
		"a category": {func(q *data.Question) { q.Category = "A->B" }, "cannot be written in one text"},
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
		expect.Refusal(Export(l, into(t.TempDir())))(t, c.want)
	}
	// A picture that is another one now is not given out under the old name.
	picture := rowsOf(t, l, data.Images)[0].Path
	must.Write(t, l.Path(picture), "no picture")
	dir := t.TempDir()
	_, err = Export(l, into(dir))
	laketest.Hint(t, err, "load the pictures again", "is not the one that was loaded")
	if entries, err := os.ReadDir(dir); err != nil || len(entries) > 0 {
		t.Errorf("a failed export leaves %v, %v", entries, err)
	}
}

// FuzzExportIsReadBack: whatever the texts of a candidate, what is published is read back to the
// same rows.
func FuzzExportIsReadBack(f *testing.F) {
	f.Add("What is held?", "spoon", "knife", "Tools", "sub - one")
	f.Add("Is <b>\"it\"</b>\nhot\\ \x00?", "\u2028é A)", " no ", "a->b", " x")
	f.Fuzz(func(t *testing.T, question, first, second, category, subcategory string) {
		if len(question)+len(first)+len(second)+len(category)+len(subcategory) > 1000 ||
			construct.Malformed(question, []string{first, second}, 1) != "" {
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
		e, err := Export(l, into(t.TempDir()))
		if err != nil {
			return // Refused with its reason.
		}
		for i, o := range []ingest.Options{{}, {Domain: "Kitchen"}} {
			back := laketest.New(t)
			load(t, back, o, e.Files[i])
			expect.Equal(t, rowsOf(t, back, data.Questions), rowsOf(t, l, data.Questions), e.Files[i])
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
