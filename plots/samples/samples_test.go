package samples

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/must"
)

// hostile would do something on a page, in a terminal or in LaTeX if it were not text.
const hostile = "</script><script>alert(1)</script><img src=x onerror=alert(2)>\u2028\u2029\x1b[31m\u202e$\\input{/etc/passwd}$ ]]> <!--"

// fake is a source of made-up questions: so many pictures with so many questions each.
type fake struct {
	images, each int
	frames       []Frame
}

func (f fake) Conditions(_ context.Context, kind string) ([]Condition, error) {
	if kind != "questions" {
		return nil, nil
	}
	return []Condition{
		{Who: "a", Name: "A " + hostile, Prompt: "Simple", Form: "caption", Protocol: "p", By: "r", Provenance: "measured"},
		{Who: "b", Name: "B", Prompt: "Simple", Form: "caption", Protocol: "p", By: "r", Provenance: "measured"},
		{Who: "a", Name: "A", Prompt: "Long", Form: "caption", Protocol: "p", By: "r", Provenance: "simulated"},
	}, nil
}

func (f fake) Items(_ context.Context, kind string, yield func(Item) error) error {
	if kind != "questions" {
		return nil
	}
	for i := range f.images {
		for j := range f.each {
			image := fmt.Sprintf("nat_%03d", i)
			it := Item{ID: fmt.Sprintf("%s/%d", image, j), Image: image, Facets: []string{"Natural", hostile, "", "easy"}, Title: hostile, Marks: "0011A0002B"}
			if j == 1 {
				it.ID, it.Marks = "elsewhere", "0023-"
			}
			if err := yield(it); err != nil {
				return err
			}
		}
	}
	return nil
}

func (f fake) Details(_ context.Context, _ string, from, to int, yield func(Detail) error) error {
	for i := from; i < to; i++ {
		said, err := json.Marshal([]any{[]any{0, hostile, 12, 1, "stop", nil, nil}})
		if err != nil {
			return err
		}
		if err := yield(Detail{Options: []string{"red", hostile, fmt.Sprint(i)}, Key: 1, Said: said}); err != nil {
			return err
		}
	}
	return nil
}

func (f fake) Captions(_ context.Context, _ string, from, to int, yield func(Caption) error) error {
	last := ""
	for i := from; i < to; i++ {
		if image := fmt.Sprintf("nat_%03d", i/f.each); image != last {
			last = image
			for _, prompt := range []string{"Simple", "Long"} {
				if err := yield(Caption{Image: image, Who: "a", Prompt: prompt, Text: hostile, Words: 3, Provenance: "measured"}); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

func (f fake) Frames(context.Context) ([]Frame, error) { return f.frames, nil }

func (f fake) Picture(context.Context, Frame) (io.ReadCloser, error) {
	return io.NopCloser(strings.NewReader("picture")), nil
}

// made are the files of a source, by name, with what each hands to the page.
func made(t *testing.T, source Source, o Options) ([]*Set, map[string]json.RawMessage) {
	t.Helper()
	sets, files, err := Load(t.Context(), source, o)
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
		for _, bad := range []string{"<", ">", "&", "\u2028", "\u2029", "\u202e", "\x1b"} {
			if strings.Contains(text, bad) {
				t.Errorf("%s holds %q as it is", f.Name, bad)
			}
		}
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
	if err := json.Unmarshal(content, &v); err != nil {
		t.Fatalf("%v: %.80s", err, content)
	}
	return v
}

// What the page gets is what the source gave: every id, title, outcome and text, once and in order.
func TestFilesHoldTheSamples(t *testing.T) {
	t.Parallel()
	digest := strings.Repeat("ab", 32)
	source := fake{images: 40, each: 20, frames: []Frame{
		{"nat_000", digest, "png", 3, 2}, {"nat_001", digest, "png", 3, 2}, {"nat_002", "../../etc/passwd", "png", 1, 1},
		{"nat_003", digest, "svg", 1, 1}, {"nobody", strings.Repeat("cd", 32), "png", 1, 1},
	}}
	sets, files := made(t, source, Options{})
	if len(sets) != 1 || sets[0].Items != 800 {
		t.Fatalf("sets %+v", sets)
	}
	x := parse[index](t, files["data/samples/questions/index.js"])
	if len(x.Images) != 40 || len(x.Firsts) != 40 || x.Firsts[2] != 40 || x.Facets[1].Values[0] != hostile || len(x.Facets[0].Codes) != 800 {
		t.Errorf("index %+v", x)
	}
	if ids := strings.Split(x.IDs, "\n"); len(ids) != 800 || ids[0] != "/0" || ids[1] != "=elsewhere" {
		t.Errorf("ids %q", ids[:3])
	}
	if c := x.Conditions; c[0].N != 760 || c[0].Good != 0 || c[1].Good != 760 || c[2].N != 40 || !c[0].Main || !c[1].Main || c[2].Main {
		t.Errorf("conditions %+v", c)
	}
	if titles := parse[[]string](t, files["data/samples/questions/titles.js"]); len(titles) != 800 || titles[799] != hostile {
		t.Error("titles")
	}
	for c, want := range []string{"2022", "1011", "0300"} {
		if got := parse[string](t, files[fmt.Sprintf("data/samples/questions/outcomes-%d.js", c)]); len(got) != 800 || got[:4] != want {
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
			if it.Options[1] != hostile || it.Options[2] != fmt.Sprint(n) || it.Key != 1 || !strings.Contains(string(it.Said), `alert(1)`) {
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
	if !slices.Equal(pictures, []string{"pictures/" + digest + ".png"}) {
		t.Errorf("pictures %v", pictures)
	}
}

// FuzzMarks reads marks as a lake of another version might have them.
func FuzzMarks(f *testing.F) {
	f.Add("0001A00r2-")
	f.Add("zz!9\xff")
	f.Fuzz(func(t *testing.T, text string) {
		n := 0
		for c, outcome := range marks(text) {
			if n++; c < 0 || outcome < 0 {
				t.Errorf("%q gives %d %d", text, c, outcome)
			}
		}
		if n != len(text)/markWidth {
			t.Errorf("%q has %d marks", text, n)
		}
	})
}
