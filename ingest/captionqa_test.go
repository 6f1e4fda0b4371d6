package ingest

import (
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/laketest"
)

func TestKeyOf(t *testing.T) {
	t.Parallel()
	colours := []string{"Red", " Blue ", "Red"}
	letters := []string{"C", "A", "B"}
	for _, c := range []struct {
		options []string
		answer  string
		key     int
		ok      bool
	}{
		{colours, "Red", 0, true},  // the first of equal options, as published
		{colours, "Blue", 1, true}, // white space at the ends aside
		{colours, "B", 1, true},
		{colours, "(C)", 2, true},
		{colours, "C.", 2, true},
		{colours, "D", 0, false}, // names no place
		{colours, "b", 0, false},
		{colours, "1", 0, false}, // from 0 or from 1?
		{colours, "", 0, false},
		{colours, "Green", 0, false},
		{letters, "A", 1, true},  // text goes before place, as published
		{letters, "D", 0, false}, // an option's text or a place: two readings
	} {
		key, reason := keyOf(c.options, c.answer)
		if (reason == "") != c.ok || c.ok && key != c.key {
			t.Errorf("keyOf(%q, %q) = %d, %q; want %d, taken %t", c.options, c.answer, key, reason, c.key, c.ok)
		}
	}
}

const goodCaptions = `{
  "nat_001": "A grey cat.",
  "doc_001": "",
  "ecom_001": "Schuhe für 20 €",
  "emb_001": "A room. Zwei Bilder \ud83d\ude00."
}
`

func TestCaptions(t *testing.T) {
	t.Parallel()
	l := laketest.New(t)
	s := textSource("simple/Qwen_Qwen2.5-VL-3B-Instruct.json", goodCaptions)
	result := mustLoad(t, l, s, judged)
	if result.Format != "captions" || result.Rows["captions"] != 4 {
		t.Fatalf("got %+v", result)
	}
	rows := laketest.All(t, l, data.Captions)
	want := data.Caption{ImageID: "ecom_001", Captioner: "qwen2.5-vl-3b", Prompt: "Simple", Domain: "E-commerce",
		Caption: "Schuhe für 20 €", Words: 4, Provenance: data.ProvenanceMeasured}
	if rows[1] != want {
		t.Errorf("got %+v, want %+v", rows[1], want)
	}
	if rows[0].Caption != "" || rows[0].Words != 0 || rows[0].ImageID != "doc_001" {
		t.Errorf("the empty caption became %+v", rows[0])
	}
	if again := mustLoad(t, l, s, judged); again.Changed {
		t.Error("loading the same file again changed something")
	}
}

func TestCaptionsNeedCaptionerAndPrompt(t *testing.T) {
	t.Parallel()
	l := laketest.New(t)
	s := textSource("captions.json", goodCaptions)
	for _, c := range []struct {
		options Options
		hint    string
	}{
		{Options{Prompt: "Simple"}, "--captioner"},
		{Options{Captioner: "gpt-5"}, "--prompt"},
	} {
		_, err := Load(t.Context(), l, s, c.options)
		var hint *data.HintError
		if err == nil {
			t.Fatal("the file was taken")
		}
		if !asHint(err, &hint) || !strings.Contains(hint.Hint, c.hint) {
			t.Errorf("error %v has no hint to %s", err, c.hint)
		}
	}
	result := mustLoad(t, l, s, Options{Captioner: "GPT-5", Prompt: "taxonomy-hinted", Reader: "qwen2.5-72b"})
	if row := laketest.All(t, l, data.Captions)[0]; row.Captioner != "gpt-5" || row.Prompt != captionqa.PromptTaxonomyHinted {
		t.Errorf("%+v gave %+v", result, row)
	}
}

func TestCaptionsOfANewDomain(t *testing.T) {
	t.Parallel()
	l := laketest.New(t)
	s := textSource("captions.json", `{"x1.png": "one", "folder\\x2.JPG": "two words"}`)
	o := Options{Captioner: "My Model", Prompt: "Mine", Reader: "qwen2.5-72b"}
	mustRefuse(t, l, s, o, `captions.json:1:2: the name "x1" does not tell its domain, and the lake has neither questions nor pictures of it: load its question bank first, or name the domain with --domain`)
	o.Domain = "Street"
	mustLoad(t, l, s, o)
	rows := laketest.All(t, l, data.Captions)
	if len(rows) != 2 || rows[1].ImageID != "x2" || rows[1].Domain != "Street" || rows[1].Captioner != "my-model" || rows[1].Prompt != "Mine" || rows[1].Words != 2 {
		t.Errorf("got %+v", rows)
	}
}

// The bank and the pictures know the domain of an item, which nobody has to say again; an item of neither is refused.
func TestCaptionsTakeTheirDomainFromTheBank(t *testing.T) {
	t.Parallel()
	l := laketest.New(t)
	bank := textSource("bank.json", `{"x1.png": [{"question": "Is it red?", "choices": ["yes", "no"], "answer": "yes", "category": "Color"}]}`)
	mustLoad(t, l, bank, Options{Domain: "Street"})
	o := Options{Captioner: "My Model", Prompt: "Mine", Reader: "qwen2.5-72b"}
	mustLoad(t, l, textSource("captions.json", "{\n \"x1.png\": \"one\", \"nat_001\": \"two\"}"), o)
	rows := laketest.All(t, l, data.Captions)
	if len(rows) != 2 || rows[0].Domain != "Natural" || rows[1].ImageID != "x1" || rows[1].Domain != "Street" {
		t.Errorf("got %+v", rows)
	}
	mustRefuse(t, l, textSource("others.json", "{\n \"x1\": \"one\",\n \"x2\": \"two\"}"), o,
		`others.json:3:2: the name "x2" does not tell its domain, and the lake has neither questions nor pictures of it: load its question bank first, or name the domain with --domain`)
}

func TestCaptionsRefused(t *testing.T) {
	t.Parallel()
	o := Options{Captioner: "gpt-5", Prompt: "Simple", Reader: "qwen2.5-72b"}
	for name, c := range map[string]struct {
		content string
		want    []string
	}{
		"truncated": {goodCaptions[:40], []string{`bad.json:3:11: the text ends in the middle of a value: it was cut off; fetch or write it again`}},
		"truncated in a string": {goodCaptions[:20], []string{
			`bad.json:2:19: the text ends in the middle of a value: it was cut off; fetch or write it again`}},
		"all faults at once": {"{\n \"nat_001\": \"a\",\n \"nat_002\": null,\n \"nat_001\": \"b\",\n \"nat_003\": [1, 2],\n \"nat_003.png\": \"c\",\n \"\": \"d\"\n}", []string{
			`bad.json:3:13: the caption of "nat_002" is null: write "" if the model said nothing, or take the image out`,
			`bad.json:4:2: the key "nat_001" was given on line 2 already: keep one of the two`,
			`bad.json:5:13: the value of "nat_003" is a list where a caption belongs: write the caption in quotes`,
			`bad.json:6:2: the key "nat_003.png" was given on line 5 already: keep one of the two`,
			`bad.json:7:2: the key "" names no image: write the image_id, such as nat_001`}},
		"bad syntax": {"{\"nat_001\": \"a\",\n  \"nat_002\": \"b\" \"c\"}", []string{
			`bad.json:2:18: not JSON: invalid character '"' after object value (expecting ',' or '}'); fix the file or fetch it again`}},
		"bad syntax in a string": {"{\"nat_001\": \"a\",\n \"nat_002\": \"b\\x\"}", []string{
			`bad.json:2:15: not JSON: invalid escape sequence ` + "`\\x`" + ` in string; fix the file or fetch it again`}},
		"invalid UTF-8": {"{\"nat_001\": \"a\",\n \"nat_002\": \"b\xff\xfe c\xe2\x82\"}", []string{
			`bad.json:2:15: ` + notUTF8, `bad.json:2:19: ` + notUTF8}},
		"half a surrogate pair": {`{"nat_001": "a", "nat_002": "b\ud83d."}`, []string{
			`bad.json:1:29: the string holds half of a surrogate pair, so a character was cut in two: write the file again with whole characters`}},
		"joined files": {`{"nat_001": "a"}{"nat_002": "b"}`, []string{
			`bad.json:1:17: the file goes on after its end: two files may have been joined; keep one`}},
		"rubbish at the end": {"{\"nat_001\": \"a\"}\n\x00", []string{
			`bad.json:2:1: the file goes on after its end: two files may have been joined; keep one`}},
		"no object": {`["nat_001"]`, []string{
			`bad.json:1:2: this is a string where an object belongs: correct it`}},
		"too deep": {`{"nat_001": "a", "nat_002": ` + strings.Repeat("[", 70) + strings.Repeat("]", 70) + `}`, []string{
			`bad.json:1:93: values are nested more than 64 deep: this is no file of the format`}},
		"empty": {"", []string{`bad.json:1:1: the file is empty; get the whole file`}},
	} {
		t.Run(name, func(t *testing.T) {
			l := laketest.New(t)
			mustLoad(t, l, textSource("good.json", goodCaptions), o)
			bad := o
			bad.Format = "captions"
			mustRefuse(t, l, textSource("bad.json", c.content), bad, c.want...)
		})
	}
}

func TestRealCaptions(t *testing.T) {
	t.Parallel()
	file := laketest.Shared(t, "captionqa/captions_simple_qwen2.5-vl-3b.json")
	l := laketest.New(t)
	result := mustLoad(t, l, pathSource(file), Options{Captioner: "Qwen/Qwen2.5-VL-3B-Instruct", Prompt: "simple", Reader: "qwen2.5-72b"})
	domains := map[string]int{}
	for _, row := range laketest.All(t, l, data.Captions) {
		domains[row.Domain]++
		if row.Captioner != "qwen2.5-vl-3b" || row.Prompt != "Simple" || row.Caption == "" || row.Words == 0 {
			t.Fatalf("got %+v", row)
		}
	}
	// 158 + 178 + 121 + 200 = 657 images (CaptionQA Table 1).
	if result.Rows["captions"] != 657 || domains["Natural"] != 158 || domains["Document"] != 178 || domains["E-commerce"] != 121 || domains["Embodied AI"] != 200 {
		t.Errorf("%d captions: %v", result.Rows["captions"], domains)
	}
}

const goodBank = `{
 "natural/nat_001.png": [
  {"question": "What colour is the cat?", "choices": ["Grey", "Black", "White"], "answer": "Grey", "category": "Attribute - Color", "model": "gpt-4o"},
  {"question": "Is it day?", "choices": ["Yes", "No"], "answer": "B", "category": ["Scene -> Time -> Day"]},
  {"question": "What colour is the cat?", "options": ["White", "Black", "Grey"], "answer": "Grey"}
 ],
 "doc_001": [
  {"question": "How many rows?", "choices": [2, 3, 4, 5], "answer": "4", "category": "Structural Elements"}
 ]
}`

func TestBankJSON(t *testing.T) {
	t.Parallel()
	l := laketest.New(t)
	s := textSource("bank.json", goodBank)
	result := mustLoad(t, l, s, judged)
	if result.Format != "captionqa-bank-json" || result.Rows["questions"] != 4 {
		t.Fatalf("got %+v", result)
	}
	rows := laketest.All(t, l, data.Questions)
	slices.SortFunc(rows, func(a, b data.Question) int { return int(a.Ordinal - b.Ordinal) })
	if rows[0].QuestionID != "nat_001/c78dee78eb" || rows[2].QuestionID != "nat_001/c78dee78eb-2" || rows[3].ImageID != "doc_001" {
		t.Errorf("names are %s, %s, %s", rows[0].QuestionID, rows[2].QuestionID, rows[3].ImageID)
	}
	day := rows[1]
	if !day.YesNo || day.AnswerIndex != 1 || day.Category != "Scene" || day.Subcategory != "Time" || day.Aspect != "Day" || len(day.OptionOrder) != 2 {
		t.Errorf("got %+v", day)
	}
	// One stream over the whole bank: 3 options and cannot, 2, 3 and cannot, 4 and cannot.
	stream := captionqa.NewOrderStream(captionqa.OrderSeed)
	for i, n := range []int{4, 2, 4, 5} {
		if want := stream.Next(n); !slices.Equal(rows[i].OptionOrder, want) || rows[i].OrderRule != captionqa.OrderFullBank {
			t.Errorf("order of question %d is %v by %s, want %v", i, rows[i].OptionOrder, rows[i].OrderRule, want)
		}
	}
	if !slices.Equal(rows[3].Options, []string{"2", "3", "4", "5"}) || rows[3].AnswerIndex != 2 || rows[3].Domain != "Document" {
		t.Errorf("got %+v", rows[3])
	}
	if again := mustLoad(t, l, s, judged); again.Changed {
		t.Error("loading the same file again changed something")
	}
}

func TestBankJSONRefused(t *testing.T) {
	t.Parallel()
	question := func(fields string) string {
		return "{\"nat_001\": [\n {\"question\": \"q\", \"choices\": [\"a\", \"b\"], \"answer\": \"a\"},\n {" + fields + "}\n]}"
	}
	for name, c := range map[string]struct {
		content string
		want    []string
	}{
		"truncated":        {goodBank[:200], []string{`bad.json:4:21: the text ends in the middle of a value: it was cut off; fetch or write it again`}},
		"bad key":          {question(`"question": "q", "choices": ["a", "b"], "answer": "c"`), []string{`bad.json:3:53: the answer "c" is the text of no option: write the right option's text, or its capital letter`}},
		"number as key":    {question(`"question": "q", "choices": ["a", "b"], "answer": 1`), []string{`bad.json:3:53: the answer is a number, which may count from 0 or from 1: write the right option's text`}},
		"equal options":    {question(`"question": "r", "choices": ["no", "yes", "yes "], "answer": "yes"`), []string{`bad.json:3:31: options 2 and 3 are both "yes": write them apart or take one out`}},
		"two keys":         {question(`"question": "q", "choices": ["b", "a"], "answer": "b"`), []string{`bad.json:3:53: the bank asks this question of nat_001 with the answer "a", too: keep the right one`}},
		"field twice":      {question(`"question": "q", "choices": ["a", "b"], "answer": "a", "answer": "b"`), []string{`bad.json:3:58: the key "answer" was given on line 3 already: keep one of the two`}},
		"nothing in it":    {question(``), []string{`bad.json:3:2: the question has no "question": add it`, `bad.json:3:2: the question has no "choices": add it`, `bad.json:3:2: the question has no "answer": add it`}},
		"wrong types":      {question(`"question": 1, "choices": ["a", 1.5], "answer": "a", "category": 3`), []string{`bad.json:3:15: "question" is a number where a string belongs: correct it`, `bad.json:3:35: option 2 is a number where a string belongs: write its text in quotes`, `bad.json:3:68: "category" is a number where a string belongs: write it as in "Attribute - Color"`}},
		"one option":       {question(`"question": " ", "choices": ["a"], "answer": "a"`), []string{`bad.json:3:15: the question is empty: give it a text or take it out`, `bad.json:3:31: 1 options where at least 2 belong: add options or take the question out`}},
		"cannot option":    {question(`"question": "q", "options": ["a", "Cannot answer from the caption"], "answer": "a"`), []string{`bad.json:3:31: the options hold "Cannot answer from the caption", which the protocol adds itself: take it out`}},
		"no question list": {`{"nat_001": [{"question": "q", "choices": ["a", "b"], "answer": "a"}], "nat_002": {"a": 1}, "nat_003": [3]}`, []string{`bad.json:1:83: the value of "nat_002" is an object where a list of questions belongs: correct it`, `bad.json:1:105: this is a number, and a question object belongs here: correct it`}},
		"invalid UTF-8":    {question("\"question\": \"q\xc3\", \"choices\": [\"a\", \"b\"], \"answer\": \"a\""), []string{`bad.json:3:17: ` + notUTF8}},
		"27 presented":     {question(`"question": "q", "choices": [` + strings.Repeat(`"x",`, 25) + `"y"], "answer": "y"`), []string{`bad.json:3:31: 27 options with the cannot option, but letters name at most 26: take some out`}},
		"both option lists": {question(`"question": "q", "choices": ["a", "b"], "options": ["a", "b"], "answer": "a"`), []string{
			`bad.json:3:54: the question has both "choices" and "options": keep the right one`}},
	} {
		t.Run(name, func(t *testing.T) {
			l := laketest.New(t)
			mustLoad(t, l, textSource("bank.json", goodBank), judged)
			mustRefuse(t, l, textSource("bad.json", c.content), judged, c.want...)
		})
	}
}

// A byte order mark and the line ends of Windows change nothing of what the files say, nor which formats they are.
func TestByteOrderMarkAndCRLF(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		content string
		rows    func(t *testing.T, l *data.Lake) any
	}{
		"captions": {goodCaptions, func(t *testing.T, l *data.Lake) any { return laketest.All(t, l, data.Captions) }},
		"bank":     {goodBank, func(t *testing.T, l *data.Lake) any { return laketest.All(t, l, data.Questions) }},
		"results":  {goodResults, func(t *testing.T, l *data.Lake) any { return laketest.All(t, l, data.Answers) }},
	} {
		t.Run(name, func(t *testing.T) {
			o := Options{Captioner: "gpt-5", Prompt: "Simple", Reader: "qwen2.5-72b"}
			load := func(content string) (Result, any) {
				l := laketest.New(t)
				return mustLoad(t, l, textSource("file.json", content), o), c.rows(t, l)
			}
			plain, want := load(c.content)
			marked, got := load(byteOrderMark + strings.ReplaceAll(c.content, "\n", "\r\n"))
			if marked.Format != plain.Format {
				t.Errorf("the format is %s, want %s", marked.Format, plain.Format)
			}
			if diff := cmp.Diff(want, got); diff != "" {
				t.Errorf("other rows (-plain +marked):\n%s", diff)
			}
		})
	}
}
