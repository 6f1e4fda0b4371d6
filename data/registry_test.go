package data

import (
	"io/fs"
	"slices"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/models"
	"github.com/captionlake/captionlake/data/must"
)

func embedded(t *testing.T) *models.Registry {
	t.Helper()
	return must.Get(Registry())(t)
}

// Every model is complete, and every name resolves to its own model, with the size apart too.
func TestRegistryEveryNameIsItsOwn(t *testing.T) {
	t.Parallel()
	r := embedded(t)
	types := []string{"open", "proprietary", ModelHuman, ModelMetric, modelRehearsal}
	for _, m := range r.All() {
		if m.ModelID != models.Slug(m.ModelID) || m.Name == "" || m.Family == "" || m.Organization == "" ||
			!slices.Contains(types, m.ModelType) {
			t.Errorf("the model is not complete: %+v", m)
		}
		for _, name := range append([]string{m.ModelID, m.Name, strings.ToUpper(m.Name),
			strings.ReplaceAll(m.Name, " ", "_")}, m.Aliases...) {
			if got, ok := r.Resolve(name); !ok || got.ModelID != m.ModelID {
				t.Errorf("Resolve(%q) = %q, %v; want %q", name, got.ModelID, ok, m.ModelID)
			}
		}
	}
}

func TestRegistryResolve(t *testing.T) {
	t.Parallel()
	r := embedded(t)
	for _, c := range []struct{ name, want string }{
		{"LLaVA-OV-7B", "llava-onevision-7b"},
		{"LLaVA-OneVision", "llava-onevision"},
		{"Qwen3-VL-30B-A3B", "qwen3-vl-30b-a3b"},
		{"Qwen_Qwen2.5-VL-7B-Instruct", "qwen2.5-vl-7b"},
		{"InternVL2-5-8B", "internvl2.5-8b"},
		{"Gemini-1.5-pro", "gemini-1.5-pro"},
		{"Gemini-1.5-pro-002", "gemini-1.5-pro-002"},
		{"GPT-4o", "gpt-4o"},
		{"GPT-4o (0806)", "gpt-4o-0806"},
		{"gpt-4o-0806", "gpt-4o-0806"},
		{"llava_ov_72b_hf", "llava-onevision-72b"},
		{"qwen2.5vl_72b", "qwen2.5-vl-72b"},
		{"Inter-Annotator", "human"},
		// Not to be guessed:
		{"InternVL3", ""},
		{"Qwen2-57B-VL", ""},
		{"InternVL2.58B", ""},
		{"GPT-5-mini", ""},
		{"", ""},
		{"…", ""},
	} {
		got, ok := r.Resolve(c.name)
		if got.ModelID != c.want || ok != (c.want != "") {
			t.Errorf("Resolve(%q) = %q, %v; want %q", c.name, got.ModelID, ok, c.want)
		}
	}
}

// TestRegistryKnowsPublishedNames reads every model column of the embedded tables.
func TestRegistryKnowsPublishedNames(t *testing.T) {
	t.Parallel()
	r := embedded(t)
	files, err := fs.Glob(Reference(), "published/*.csv")
	if err != nil || len(files) != 18 {
		t.Fatalf("%d files, %v; want 18", len(files), err)
	}
	seen := map[string]bool{}
	for _, name := range files {
		for _, row := range csvRows(t, Reference(), name) {
			if row["model"] == "" {
				continue // a figure about no model
			}
			m, ok := r.Resolve(row["model"])
			if !ok {
				t.Errorf("%s: %q is not in the registry", name, row["model"])
			}
			seen[m.ModelID] = true
		}
	}
	// 24 of CaptionQA; 15 more of CapArena's Table 2 (its GPT-4o is CaptionQA's); 20 more of Table 8
	// (72B of Qwen2.5-VL and LLaVA-1.5 are CaptionQA's); 5 more of CAPability: Gemini-1.5-pro,
	// Gemini-2.0-flash, InternVL2.5-78B, NVILA-8B, VideoLLaMA3-7B; the other names are models counted
	// before; 1 reader of CaptionQA.
	expect.Equal(t, len(seen), 24+15+20+5+1, "models have published figures")
}

func TestModelIDFor(t *testing.T) {
	t.Parallel()
	r := embedded(t)
	// The digests are the first eight hex digits of: printf NAME | sha256sum.
	for _, c := range []struct{ name, want string }{
		{"Qwen2.5-VL-72B-Instruct", "qwen2.5-vl-72b"},
		{"My Model v2.1", "my-model-v2.1"},
		{"org/My_Model", "org-my-model"},
		{"模型", "model-c98e118e"},
		{strings.Repeat("x", 90), strings.Repeat("x", 80) + "-efdfd9ee"},
	} {
		expect.Equal(t, r.ModelIDFor(c.name), c.want)
	}
}
