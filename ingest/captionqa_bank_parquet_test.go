package ingest

import (
	"bytes"
	"errors"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/ingest/file"
	"github.com/captionlake/captionlake/ingest/shape"
	"github.com/captionlake/captionlake/ingest/tabular"
)

// hfImage, hfQuestion and hfRow have the shape of the distributed bank: every field optional, lists of three levels.
type hfImage struct {
	Bytes []byte  `parquet:"bytes,optional"`
	Path  *string `parquet:"path,optional"`
}

type hfQuestion struct {
	Question *string  `parquet:"question,optional"`
	Choices  []string `parquet:"choices,list"`
	Answer   *string  `parquet:"answer,optional"`
	Category *string  `parquet:"category,optional"`
}

type hfRow struct {
	ID        *string      `parquet:"id,optional"`
	Images    []hfImage    `parquet:"images,list"`
	Questions []hfQuestion `parquet:"questions,list"`
}

func ptr[T any](v T) *T { return &v }

func testPNG(t testing.TB, c color.Color) []byte {
	t.Helper()
	m := image.NewRGBA(image.Rect(0, 0, 8, 6))
	for i := range 48 {
		m.Set(i%8, i/8, c)
	}
	var b bytes.Buffer
	must.Succeed(t, png.Encode(&b, m))
	return b.Bytes()
}

func testJPEG(t testing.TB) []byte {
	t.Helper()
	var b bytes.Buffer
	must.Succeed(t, jpeg.Encode(&b, image.NewGray(image.Rect(0, 0, 5, 4)), nil))
	return b.Bytes()
}

func writeParquet[T any](t testing.TB, rows []T, options ...parquet.WriterOption) []byte {
	t.Helper()
	var b bytes.Buffer
	w := parquet.NewGenericWriter[T](&b, options...)
	must.Get(w.Write(rows))(t)
	must.Succeed(t, w.Close())
	return b.Bytes()
}

func parquetSource[T any](t testing.TB, name string, rows []T, options ...parquet.WriterOption) file.Source {
	t.Helper()
	return textSource(t, name, string(writeParquet(t, rows, options...)))
}

func hfRows(t testing.TB) []hfRow {
	red, green := testPNG(t, color.RGBA{255, 0, 0, 255}), testPNG(t, color.RGBA{0, 255, 0, 255})
	return []hfRow{
		{ptr("nat_001"), []hfImage{{red, ptr("nat_001.png")}}, []hfQuestion{
			{ptr("What colour is the cat?"), []string{"Grey", "Black", "White"}, ptr("Grey"), ptr("Attribute - Color")},
			{ptr("Is it day?"), []string{"Yes", "No"}, ptr("No"), nil},
		}},
		{ptr("emb_001"), []hfImage{{green, ptr("a.png")}, {testJPEG(t), nil}, {red, nil}}, []hfQuestion{
			{ptr("What is held?"), []string{"Cup", "Pen", "Box", "Can"}, ptr("D"), ptr("Perception - Object")},
		}},
		{ptr("doc_001"), []hfImage{{nil, ptr("gone.png")}}, nil},
	}
}

func TestBankParquet(t *testing.T) {
	t.Parallel()
	l := laketest.New(t)
	s := parquetSource(t, "bank.parquet", hfRows(t), parquet.MaxRowsPerRowGroup(2))
	result := mustLoad(t, l, s, Options{})
	if result.Format != "captionqa-bank-parquet" || result.Rows["questions"] != 3 || result.Rows["images"] != 5 {
		t.Fatalf("got %+v", result)
	}
	images := laketest.All(t, l, data.Images)
	if m := images[0]; m.ImageID != "doc_001" || m.Path != "" || m.SHA256 != "" || m.Source != "gone.png" ||
		m.Domain != "Document" {
		t.Errorf("got %+v", m)
	}
	if m := images[2]; m.ImageID != "emb_001" || m.Frame != 1 || m.Format != "jpeg" || m.Width != 5 || m.Height != 4 ||
		m.Source != "bank.parquet" {
		t.Errorf("got %+v", m)
	}
	if images[3].Path != images[4].Path || images[3].Path != "pictures/"+images[3].SHA256+".png" ||
		images[4].Width != 8 || images[4].Height != 6 {
		t.Errorf("one picture in two places became %+v and %+v", images[3], images[4])
	}
	expect.Equal(t, len(lakePictures(t, l)), 3)
	questions := inOrder(t, l)
	stream := captionqa.NewOrderStream(captionqa.OrderSeed)
	for i, n := range []int{4, 2, 5} {
		expect.Equal(t, questions[i].OptionOrder, stream.Next(n), i)
	}
	if q := questions[2]; q.AnswerIndex != 3 || q.Domain != "Embodied AI" || q.Category != "Perception" ||
		q.Subcategory != "Object" || q.Source != "bank.parquet" {
		t.Errorf("got %+v", q)
	}
	if questions[0].QuestionID != "nat_001/c78dee78eb" || questions[1].AnswerIndex != 1 || !questions[1].YesNo {
		t.Errorf("got %+v", questions[:2])
	}
	if again := mustLoad(t, l, s, Options{}); again.Changed {
		t.Error("loading the same file again changed something")
	}
}

// inOrder are the questions in the order of the bank.
func inOrder(t testing.TB, l *data.Lake) []data.Question {
	t.Helper()
	questions := laketest.All(t, l, data.Questions)
	slices.SortFunc(questions, func(a, b data.Question) int { return int(a.Ordinal - b.Ordinal) })
	return questions
}

func lakePictures(t testing.TB, l *data.Lake) []string {
	t.Helper()
	return must.Get(l.Store().List("pictures"))(t)
}

// The same bank in other dress: other field order, required fields, two-level lists, categories as lists, more columns.
func TestBankParquetOtherWriters(t *testing.T) {
	t.Parallel()
	type question struct {
		Category []string `parquet:"category"`
		Answer   string   `parquet:"answer,dict"`
		Extra    int64    `parquet:"extra"`
		Choices  []string `parquet:"choices"`
		Question string   `parquet:"question"`
	}
	type row struct {
		Questions []question `parquet:"questions"`
		Split     string     `parquet:"split"`
		Images    []hfImage  `parquet:"images"`
		ID        string     `parquet:"id"`
	}
	var rows []row
	for _, r := range hfRows(t) {
		var questions []question
		for _, q := range r.Questions {
			out := question{Answer: *q.Answer, Choices: q.Choices, Question: *q.Question}
			if q.Category != nil {
				out.Category = []string{*q.Category, "ignored"}
			}
			questions = append(questions, out)
		}
		rows = append(rows, row{questions, "all", r.Images, *r.ID})
	}
	want, got := laketest.New(t), laketest.New(t)
	mustLoad(t, want, parquetSource(t, "bank.parquet", hfRows(t)), Options{})
	mustLoad(t, got, parquetSource(t, "bank.parquet", rows), Options{})
	expect.Equal(t, fmt.Sprint(laketest.All(t, got, data.Questions)), fmt.Sprint(laketest.All(t, want, data.Questions)))
	expect.Equal(t, fmt.Sprint(laketest.All(t, got, data.Images)), fmt.Sprint(laketest.All(t, want, data.Images)))
}

// The shards of a bank are one bank, whichever is named.
func TestBankParquetShards(t *testing.T) {
	t.Parallel()
	rows := hfRows(t)
	dir := folderOf(t,
		map[string][]byte{"all-00000-of-00002.parquet": writeParquet(t, rows[:1]),
			"all-00001-of-00002.parquet": writeParquet(t, rows[1:])})
	shard := func(n int) file.Source {
		return pathSource(filepath.Join(dir, fmt.Sprintf("all-%05d-of-00002.parquet", n)))
	}
	whole, sharded := laketest.New(t), laketest.New(t)
	mustLoad(t, whole, parquetSource(t, "all.parquet", rows), Options{})
	result := mustLoad(t, sharded, shard(1), Options{})
	if result.Rows["questions"] != 3 || result.Rows["images"] != 5 {
		t.Fatalf("got %+v", result)
	}
	a, b := laketest.All(t, whole, data.Questions), laketest.All(t, sharded, data.Questions)
	for i := range a {
		a[i].Source, b[i].Source = "", ""
	}
	expect.Equal(t, fmt.Sprint(a), fmt.Sprint(b))
	if again := mustLoad(t, sharded, shard(0), Options{}); again.Changed {
		t.Error("naming another shard of the same bank changed something")
	}
	must.Succeed(t, os.Remove(filepath.Join(dir, "all-00000-of-00002.parquet")))
	_, err := load(t.Context(), sharded, shard(1), Options{})
	laketest.Hint(t, err, "all 2 shards")
}

func TestBankParquetRefused(t *testing.T) {
	t.Parallel()
	rows := hfRows(t)
	rows[0].ID = nil
	rows[1].Questions[0].Answer = ptr("Plate")
	rows[1].Images[0].Bytes = []byte("no picture")
	rows[1].Images[2].Bytes = nil
	rows[2].Questions = []hfQuestion{
		{nil, []string{"a"}, ptr("a"), nil},
		{ptr("q"), []string{"a"}, ptr("a"), nil},
	}
	rows = append(rows, hfRow{ID: ptr("doc_001"), Images: []hfImage{{testPNG(t, color.Black)[:60], nil}}},
		hfRow{ID: ptr("")})
	l := laketest.New(t)
	mustLoad(t, l, parquetSource(t, "good.parquet", hfRows(t)), Options{})
	faults := mustRefuse(t, l, parquetSource(t, "bad.parquet", rows), Options{})
	want := []string{
		`bad.parquet: row 1: the id is null: write the image_id, such as nat_001`,
		`bad.parquet: row 2: the picture cannot be used: the content is not png, jpeg, webp, gif, bmp or tiff, whatever the name says; put a whole picture there`,
		`bad.parquet: row 2: the picture has neither bytes nor a path: give it one of them`,
		`bad.parquet: row 2: the answer "Plate" is not the text of an option: write the right option's text, or its capital letter`,
		`bad.parquet: row 3: there is no "question": add it`,
		`bad.parquet: row 3: 1 options where at least 2 belong: add options or remove the question`,
		`bad.parquet: row 4: the picture cannot be used: the png is damaged (it ends too early); put a whole picture there`,
		`bad.parquet: row 5: the picture has no name: write the image_id, such as nat_001`,
	}
	expect.Equal(t, regexp.MustCompile(`(?m)^.*/`).ReplaceAllString(faults.Error(), ""), strings.Join(want, "\n"))
	mustRefuse(t, l,
		parquetSource(t, "bad.parquet", []hfRow{{ID: ptr("nat_001"),
			Questions: []hfQuestion{{ptr("q\xff"), []string{"a", "b"}, ptr("a"), nil}}}}), Options{},
		`bad.parquet: a text has bytes that are not UTF-8: write the file again in UTF-8`)
}

func TestBankParquetWrongColumns(t *testing.T) {
	t.Parallel()
	type question struct {
		Question string   `parquet:"question"`
		Choices  []string `parquet:"choices,list"`
		Answer   int64    `parquet:"answer"`
	}
	type row struct {
		ID        string     `parquet:"id"`
		Questions []question `parquet:"questions,list"`
	}
	l := laketest.New(t)
	_, err := load(t.Context(), l,
		parquetSource(t, "bad.parquet", []row{{"nat_001", []question{{"q", []string{"a", "b"}, 1}}}}), Options{})
	expect.Failure(t, err, tabular.ErrUnknown,
		"bad.parquet: Parquet file with columns id, questions: of no known format")
	type picture struct {
		Bytes []byte `parquet:"bytes"`
	}
	type whole struct {
		row
		Images []picture `parquet:"images,list"`
	}
	mustRefuse(t, l,
		parquetSource(t, "bad.parquet", []whole{{row: row{"nat_001", []question{{"q", []string{"a", "b"}, 1}}}}}),
		Options{},
		`bad.parquet: row 1: the answer is a number, which may count from 0 or from 1: write the right option's text`)
}

// Whatever byte of the file is flipped and wherever it is cut: it is refused with a message that names it, and the lake
// stays as it was, or it has as many rows as before.
func TestBankParquetDamaged(t *testing.T) {
	must.Slow(t)
	t.Parallel()
	good := writeParquet(t, hfRows(t))
	witness := laketest.New(t)
	mustLoad(t, witness, textSource(t, "bank.parquet", string(good)), Options{})
	want := fmt.Sprint(len(laketest.All(t, witness, data.Questions)), len(laketest.All(t, witness, data.Images)))

	fresh := func() (*data.Lake, map[string]string) {
		l := laketest.New(t)
		mustLoad(t, l, textSource(t, "captions.json", example(t, "captions", "captions.json")),
			Options{Captioner: "gpt-5", Prompt: "Simple"})
		return l, lakeFiles(t, l)
	}
	l, before := fresh()
	for _, size := range []int{4, 100, len(good) / 2, len(good) - 1} {
		mustRefuse(t, l, textSource(t, "bank.parquet", string(good[:size])), Options{})
	}
	refused, same := 0, 0
	for i := 0; i < len(good); i += 211 {
		bad := slices.Clone(good)
		bad[i] ^= 0x55
		target := l
		s := textSource(t, "bank.parquet", string(bad))
		_, err := load(t.Context(), target, s, Options{Format: "captionqa-bank-parquet"})
		if err != nil {
			refused++
			expect.Contains(t, err.Error(), "bank.parquet")
			must.Equal(t, before, lakeFiles(t, l), i)
			continue
		}
		same++
		expect.Equal(t, fmt.Sprint(len(laketest.All(t, l, data.Questions)),
			len(laketest.All(t, l, data.Images))), want, i, len(good))
		l, before = fresh()
	}
	t.Logf("%d flips refused, %d taken", refused, same)
	if refused == 0 {
		t.Error("no flip was refused")
	}
	var faults *Faults
	if _, err := load(t.Context(), l, textSource(t, "bank.parquet", "PAR1 nonsense PAR1"),
		Options{}); !errors.As(err, &faults) {
		t.Errorf("got %v, want faults", err)
	}
}

// splitFiles writes the sample set's bank as one Parquet file for each split, and the split all.
func splitFiles(t testing.TB) map[string][]byte {
	t.Helper()
	l := laketest.New(t)
	must.Get(LoadSample(t.Context(), l))(t)
	rows := inOrder(t, l)
	splits := map[string][]hfRow{}
	for _, q := range rows {
		for _, split := range []string{"all",
			shape.PublishedDomains[slices.IndexFunc(shape.PublishedDomains,
				func(d data.Domain) bool { return d.Name == q.Domain })].Split} {
			items := splits[split]
			if len(items) == 0 || *items[len(items)-1].ID != q.ImageID {
				items = append(items, hfRow{ID: ptr(q.ImageID), Images: []hfImage{{Path: ptr(q.ImageID + ".png")}}})
			}
			last := &items[len(items)-1]
			last.Questions = append(last.Questions,
				hfQuestion{Question: ptr(q.Question), Choices: q.Options, Answer: ptr(q.Options[q.AnswerIndex]),
					Category: ptr(q.Category + " - " + q.Subcategory)})
			splits[split] = items
		}
	}
	files := map[string][]byte{}
	for split, items := range splits {
		files[split+"-00000-of-00001.parquet"] = writeParquet(t, items)
	}
	return files
}

// A bank in one file for each split has the orders of each split evaluated alone, under that name;
// the full bank has the orders of the split all. 87 of the 317 orders happen to agree.
func TestBankParquetSplits(t *testing.T) {
	must.Slow(t)
	t.Parallel()
	files := splitFiles(t)
	write := func(leave ...string) string {
		dir := t.TempDir()
		for name, content := range files {
			if slices.ContainsFunc(leave, func(split string) bool { return strings.HasPrefix(name, split) }) {
				continue
			}
			must.Write(t, filepath.Join(dir, name), content)
		}
		return dir
	}
	load := func(o Options, path string) (map[string]data.Question, []Result) {
		l := laketest.New(t)
		results := loadFolder(t, l, o, path)
		rows := map[string]data.Question{}
		for _, q := range laketest.All(t, l, data.Questions) {
			rows[q.QuestionID] = q
		}
		return rows, results
	}
	all, results := load(Options{}, write())
	if len(results) != 1+4 || results[4].State != StateLeftOut || len(results[1].Notes) != 1 ||
		!strings.Contains(results[1].Notes[0],
			"document-00000-of-00001.parquet: left out, for all-00000-of-00001.parquet beside it has its questions, too") {
		t.Errorf("the folder of all splits gave %+v", results)
	}
	splits, results := load(Options{}, write("all"))
	dealt, _ := load(Options{Order: "per-split"}, write("natural", "document", "ecommerce", "embodiedai"))
	if len(results) != 4 || len(all) != 317 || len(splits) != 317 || len(dealt) != 317 {
		t.Fatalf("%d units and %d, %d, %d questions", len(results), len(all), len(splits), len(dealt))
	}
	agree := 0
	for id, q := range all {
		if q.OrderRule != captionqa.OrderFullBank || splits[id].OrderRule != captionqa.OrderPerSplit ||
			dealt[id].OrderRule != captionqa.OrderPerSplit {
			t.Fatalf("%s: rules %s, %s, %s", id, q.OrderRule, splits[id].OrderRule, dealt[id].OrderRule)
		}
		expect.Equal(t, splits[id].OptionOrder, dealt[id].OptionOrder, id)
		if slices.Equal(q.OptionOrder, splits[id].OptionOrder) {
			agree++
		}
	}
	expect.Equal(t, agree, 87, "orders of the splits agree with orders of the full bank")
}
