package samples

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/files"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

// hostile would do something on a page, in a terminal or in LaTeX if it were not text.
const hostile = "</script><script>alert(1)</script><img src=x " +
	"onerror=alert(2)>\u2028\u2029\x1b[31m\u202e$\\input{/etc/passwd}$ ]]> <!--"

// fake is a source of made-up questions: so many pictures with so many questions each.
type fake struct {
	t            *testing.T
	images, each int
	frames       []data.Image
	marks        string // of every sample; made up when empty
}

func (f fake) Samples(_ context.Context, kind, part string, from, to int, hand func(arrow.RecordBatch) error) error {
	if kind != "questions" {
		return nil
	}
	columns, rows := "", [][]any{}
	switch part {
	case "conditions":
		columns, rows = "who name prompt form protocol by provenance main", [][]any{
			{"a", "A " + hostile, "Simple", "caption", "p", "r", "measured", true}, {"b", "B", "Simple", "caption", "p",
				"r", "measured", true},
			{"a", "A", "Long", "caption", "p", "r", "simulated", false},
		}
	case "items":
		columns = "id image facets title marks"
		for i := range f.images * f.each {
			image := fmt.Sprintf("nat_%03d", i/f.each)
			id, marks := fmt.Sprintf("%s/%d", image, i%f.each), "0011A0002B"
			if i%f.each == 1 {
				id, marks = "elsewhere", "0023-"
			}
			marks = cmp.Or(f.marks, marks)
			rows = append(rows, []any{id, image, []string{"Natural", hostile, "", "easy"}, hostile, marks})
		}
	case "details":
		columns = "options key said"
		for i := from; i < to; i++ {
			said := must.Get(json.Marshal([]any{[]any{0, hostile, 12, 1, "stop", nil, nil}}))(f.t)
			rows = append(rows, []any{[]string{"red", hostile, fmt.Sprint(i)}, 1, string(said)})
		}
	case "captions":
		columns = "image_id who prompt text words provenance"
		for image := from / f.each; image <= (to-1)/f.each; image++ {
			for _, prompt := range []string{"Simple", "Long"} {
				rows = append(rows, []any{fmt.Sprintf("nat_%03d", image), "a", prompt, hostile, 3, "measured"})
			}
		}
	}
	return hand(laketest.Batch(f.t, strings.Fields(columns), rows...))
}

func (f fake) Images(context.Context) ([]data.Image, error) { return f.frames, nil }

func (f fake) Open(string) (files.File, error) { return picture{strings.NewReader("picture")}, nil }

// picture is the file of a picture.
type picture struct{ *strings.Reader }

func (picture) Close() error { return nil }

// made are the files of a source, by name, with the value that each hands to the page.
func made(t *testing.T, source Source) ([]*Set, map[string]json.RawMessage) {
	t.Helper()
	sets, files, err := Load(t.Context(), source, false)
	must.Succeed(t, err)
	out := map[string]json.RawMessage{}
	for _, f := range files {
		var b bytes.Buffer
		must.Succeed(t, f.Make(&b))
		if out[f.Name] != nil {
			t.Errorf("two files %s", f.Name)
		}
		if out[f.Name] = b.Bytes(); !strings.HasPrefix(f.Name, Folder) {
			continue
		}
		text := b.String()
		expect.Lacks(t, text, "<", ">", "&", "\u2028", "\u2029", "\u202e", "\x1b")
		head := fmt.Sprintf("captionlake.data(%q,", f.Name)
		value, begins := strings.CutPrefix(text, head)
		value, ends := strings.CutSuffix(value, ");\n")
		if !begins || !ends || !json.Valid([]byte(value)) || strings.Count(text, "\n") != 1 {
			t.Errorf("%s is not one call: %.80s", f.Name, text)
		}
		out[f.Name] = json.RawMessage(value)
	}
	return sets, out
}

func parse[T any](t *testing.T, content json.RawMessage) (v T) {
	t.Helper()
	must.Succeed(t, json.Unmarshal(content, &v))
	return v
}

// What the page gets is what the source gave: every id, title, outcome and text, once and in order.
func TestFilesHoldTheSamples(t *testing.T) {
	t.Parallel()
	digest := strings.Repeat("ab", 32)
	frame := func(image, digest, format string) data.Image {
		return data.Image{ImageID: image, SHA256: digest, Format: format, Width: 3, Height: 2}
	}
	source := fake{t: t, images: 40, each: 20, frames: []data.Image{
		frame("nat_000", digest, "png"), frame("nat_001", digest, "png"), frame("nat_002", "../../etc/passwd", "png"),
		frame("nat_003", digest, "svg"), frame("nobody", strings.Repeat("cd", 32), "png"),
	}}
	sets, files := made(t, source)
	if len(sets) != 1 || len(sets[0].Items) != 800 {
		t.Fatalf("sets %+v", sets)
	}
	x := parse[index](t, files["data/samples/questions/index.js"])
	if len(x.Images) != 40 || len(x.Firsts) != 40 || x.Firsts[2] != 40 || x.Facets[1].Values[0] != hostile ||
		len(x.Facets[0].Codes) != 800 {
		t.Errorf("index %+v", x)
	}
	if ids := x.IDs; len(ids) != 800 || ids[0] != "/0" || ids[1] != "=elsewhere" {
		t.Errorf("ids %q", ids[:3])
	}
	if c := x.Conditions; c[0].N != 760 || c[0].Good != 0 || c[1].Good != 760 || c[2].N != 40 || !c[0].Main ||
		!c[1].Main || c[2].Main {
		t.Errorf("conditions %+v", c)
	}
	if titles := parse[[]string](t, files["data/samples/questions/titles.js"]); len(titles) != 800 ||
		titles[799] != hostile {
		t.Error("titles")
	}
	for c, want := range []string{"2022", "1011", "0300"} {
		if got := parse[string](t, files[fmt.Sprintf("data/samples/questions/outcomes-%d.js", c)]); len(got) != 800 ||
			got[:4] != want {
			t.Errorf("outcomes of %d: %.8s", c, got)
		}
	}
	n := 0
	for i, first := range x.Shards {
		s := parse[shard](t, files[fmt.Sprintf("data/samples/questions/texts-%d.js", i)])
		if s.First != first || s.First != n {
			t.Errorf("shard %d begins with %d, the index says %d, the one before ended at %d", i, s.First, first, n)
		}
		for _, it := range s.Items {
			if it.Options[1] != hostile || it.Options[2] != fmt.Sprint(n) || it.Key != 1 ||
				!strings.Contains(string(it.Said), `alert(1)`) {
				t.Fatalf("sample %d: %+v", n, it)
			}
			n++
		}
		for image, captions := range s.Captions {
			if len(captions) != 2 || captions[0].Text != hostile {
				t.Errorf("captions of %s: %+v", image, captions)
			}
		}
	}
	if n != 800 || len(x.Shards) < 4 {
		t.Errorf("%d texts in %d shards", n, len(x.Shards))
	}
	var pictures []string
	for name := range files {
		if strings.HasPrefix(name, PictureFolder) {
			pictures = append(pictures, name)
		}
	}
	expect.Equal(t, pictures, []string{"pictures/" + digest + ".png"})
}

// Marks that a lake of another version might have are refused.
func TestMarksRefused(t *testing.T) {
	t.Parallel()
	for marks, want := range map[string]string{
		"0001":  "has 4 facets and 4 characters of marks",
		"0031A": `has a mark "0031A"`, "zz!1A": `has a mark "zz!1A"`, "000/A": `has a mark "000/A"`,
		"0006A": `has a mark "0006A"`, "0000A": `has a mark "0000A"`, "\xff\xff\xff1-": "has a mark",
	} {
		_, _, err := Load(t.Context(), fake{t: t, images: 1, each: 1, marks: marks}, false)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%q: %v, want %s", marks, err, want)
		}
	}
}
