package ingest

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

// Every file of a folder is told with its state, and so is progress, whether files are read,
// refused or there already.
func TestFolderListsEveryFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	for name, content := range map[string]string{
		"bank.json": `{"nat_001": [{"question": "Is there a kite?", "choices": ["yes", "no"], "answer": "no",
			"category": "Existence"}]}`,
		"simple/org_m.json": `{"nat_001": "A kite."}`,
		"simple/org_n.json": `{"nat_001": "A kite.", "nat_002": null}`,
		"notes.txt":         "Nothing to load.",
	} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		must.Succeed(t, os.MkdirAll(filepath.Dir(path), 0o777))
		must.Write(t, path, content)
	}
	l := laketest.New(t)
	for _, want := range []map[string]string{
		{"bank.json": StateLoaded, "simple/org_m.json": StateLoaded, "simple/org_n.json": StateRefused},
		{"bank.json": StateUnchanged, "simple/org_m.json": StateUnchanged, "simple/org_n.json": StateRefused},
	} {
		var told []string
		results, skipped, err := loadPaths(t.Context(), l, []string{dir},
			Options{Progress: func(path string, done, total int) {
				told = append(told, fmt.Sprintf("%s %d/%d", filepath.Base(path), done, total))
			}})
		if len(skipped) != 1 || filepath.Base(skipped[0]) != "notes.txt" {
			t.Errorf("skipped %v", skipped)
		}
		if err == nil {
			t.Error("a caption that is null is taken")
		}
		expect.Equal(t, told, []string{"bank.json 0/4", "notes.txt 1/4", "org_m.json 2/4",
			"org_n.json 3/4"})
		got := map[string]string{}
		for _, r := range results {
			name := must.Get(filepath.Rel(dir, filepath.FromSlash(r.Path)))(t)
			got[filepath.ToSlash(name)] = r.State
		}
		expect.Equal(t, len(got), len(want), got, want)
		for name, state := range want {
			expect.Equal(t, got[name], state, name)
		}
	}
}

func TestLoadSample(t *testing.T) {
	t.Parallel()
	l := laketest.New(t)
	result := must.Get(LoadSample(t.Context(), l, true))(t)
	images := laketest.All(t, l, data.Images)
	if !result.Changed || result.Rows["images"] != len(images) {
		t.Fatalf("got %+v", result)
	}
	items := map[string]map[string]bool{}
	for _, m := range images {
		if items[m.Domain] == nil {
			items[m.Domain] = map[string]bool{}
		}
		items[m.Domain][m.ImageID] = true
		info, err := os.Stat(l.Path(m.Path))
		if err != nil || info.Size() != m.Bytes || m.Facts == "" {
			t.Errorf("the picture of %+v: %v", m, err)
		}
	}
	for _, domain := range []string{"Natural", "Document", "E-commerce", "Embodied AI"} {
		if n := len(items[domain]); n < 6 {
			t.Errorf("%d items of %s, want 6 at least", n, domain)
		}
	}
	questions := laketest.All(t, l, data.Questions)
	slices.SortFunc(questions, func(a, b data.Question) int { return int(a.Ordinal - b.Ordinal) })
	stream := captionqa.NewOrderStream(captionqa.OrderSeed)
	perImage := map[string]int{}
	for i, q := range questions {
		perImage[q.ImageID]++
		offered := captionqa.WithCannot(q.Question, q.Options)
		if want := stream.Next(len(offered)); int(q.Ordinal) != i || !slices.Equal(q.OptionOrder, want) ||
			q.YesNo != (len(offered) == len(q.Options)) {
			t.Errorf("question %d is %+v, want order %v", i, q, want)
		}
	}
	for _, m := range images {
		if perImage[m.ImageID] < 10 {
			t.Errorf("%d questions about %s, want 10 at least", perImage[m.ImageID], m.ImageID)
		}
	}
	again, err := LoadSample(t.Context(), l, true)
	if err != nil || again.Changed {
		t.Errorf("loading again gave %+v, %v", again, err)
	}
	other := laketest.New(t)
	must.Get(LoadSample(t.Context(), other, true))(t)
	if a, b := fmt.Sprint(questions[:3]), laketest.All(t, other, data.Questions); len(b) != len(questions) {
		t.Errorf("a second lake got %d questions, the first %d beginning with %s", len(b), len(questions), a)
	}
}
