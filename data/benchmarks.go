package data

import (
	"cmp"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data/arena"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/rubric"
)

// BenchmarkCaptionQA and BenchmarkCapArena are names of benchmarks, as tables have them. Package
// rubric names the benchmarks of annotated elements.
const (
	BenchmarkCaptionQA = "captionqa"
	BenchmarkCapArena  = "caparena"

	// BenchmarkCapArenaAuto is the benchmark of battles and votes of CapArena-Auto (CapArena
	// section 5). CapArena-Auto is a part of CapArena and is not in the list of benchmarks.
	BenchmarkCapArenaAuto = "caparena-auto"
)

// A Benchmark describes how one benchmark differs from the others. Code reads it instead of
// comparing names.
type Benchmark struct {
	Name    string   // as tables carry it
	Title   string   // as papers print it
	Domains []Domain // published domains in the paper's order; WithOwn adds a user's own domains
	// names of its caption prompts, in the order in which the paper's text gives them
	Prompts         []string
	TablePrompts    []string               // the same in the order of the paper's tables
	PromptsByLength []string               // the same prompts by growing length of their captions
	PromptSteps     []captionqa.PromptStep // the changes of prompt that the paper studies, in its order
	Evidences       []string               // what a question may come with; nil for a benchmark without questions
	Protocols       []string               // protocols of its questions, its own protocol first
	Dimensions      []string               // of its annotated elements, in the paper's order; nil without annotations
}

// benchmarks lists every benchmark. To add one: one entry here.
var benchmarks = []Benchmark{
	{
		Name: BenchmarkCaptionQA, Title: "CaptionQA", Domains: []Domain{
			{Name: "Natural", Split: "natural", Prefix: "nat_"},
			{Name: "Document", Split: "document", Prefix: "doc_"},
			{Name: "E-commerce", Split: "ecommerce", Prefix: "ecom_"},
			{Name: "Embodied AI", Split: "embodiedai", Prefix: "emb_"},
		},
		Prompts: captionqa.CaptionPrompts(), TablePrompts: captionqa.TablePrompts(),
		PromptsByLength: captionqa.PromptsByLength(),
		PromptSteps:     captionqa.PromptSteps(),
		Evidences:       captionqa.Evidences(), Protocols: captionqa.AskProtocols(),
	},
	annotated(rubric.BenchmarkCAPability, "CAPability"),
	annotated(rubric.BenchmarkCVCapBench, "CV-CapBench"),
	{
		Name: BenchmarkCapArena, Title: "CapArena", Protocols: arena.Protocols(),
	},
}

// annotated is a benchmark of annotated elements. Its name is also the name of its one domain and
// of its one prompt.
func annotated(name, title string) Benchmark {
	b := Benchmark{
		Name: name, Title: title, Domains: []Domain{{Name: title}}, Prompts: []string{name},
		TablePrompts:    []string{name},
		PromptsByLength: []string{name},
		Protocols:       []string{name + "/judge", name + "/questions", name + "/judge-answer", name + "/caption"},
	}
	for _, d := range rubric.Dimensions() {
		b.Dimensions = append(b.Dimensions, d.ID)
	}
	return b
}

// Benchmarks lists every benchmark.
func Benchmarks() []Benchmark { return slices.Clone(benchmarks) }

// BenchmarkOf returns the benchmark of a name.
func BenchmarkOf(name string) (Benchmark, bool) {
	i := slices.IndexFunc(benchmarks, func(b Benchmark) bool { return b.Name == name })
	if i < 0 {
		return Benchmark{}, false
	}
	return benchmarks[i], true
}

// CaptionQA is the benchmark of questions about captions.
func CaptionQA() Benchmark {
	b, _ := BenchmarkOf(BenchmarkCaptionQA)
	return b
}

// MainPrompt is the prompt for tables and figures that show only one prompt. It is the paper's
// default if found has it. Otherwise it is the first prompt found in the paper's order, and a
// user's own prompts come after the published ones. found may hold names twice. Empty names, from
// answers that read no caption, do not count.
func (b Benchmark) MainPrompt(found []string) string {
	found = slices.DeleteFunc(slices.Clone(found), func(p string) bool { return p == "" })
	if slices.Contains(found, captionqa.PromptSimple) || len(found) == 0 {
		return captionqa.PromptSimple
	}
	return slices.MinFunc(found, publishedFirst(b.Prompts))
}

// AnnotatedBenchmarks are the names of all benchmarks of annotated elements.
func AnnotatedBenchmarks() []string {
	var names []string
	for _, b := range benchmarks {
		if len(b.Dimensions) > 0 {
			names = append(names, b.Name)
		}
	}
	return names
}

// A Domain is a part of a benchmark with its own images, questions and scores.
type Domain struct {
	Name   string // as tables have it
	Split  string // its name in the authors' files, splits and tasks; empty for a user's own domain
	Prefix string // how the authors' names of its items begin; empty if they have no common prefix
}

// publishedFirst compares names: names of the list come first, in its order; then all others, by
// name.
func publishedFirst(list []string) func(a, b string) int {
	rank := func(s string) int {
		if i := slices.Index(list, s); i >= 0 {
			return i
		}
		return len(list)
	}
	return func(a, b string) int { return cmp.Or(cmp.Compare(rank(a), rank(b)), strings.Compare(a, b)) }
}
