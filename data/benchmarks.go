package data

import (
	"cmp"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data/arena"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/rubric"
)

// BenchmarkCaptionQA and BenchmarkCapArena are names of benchmarks, as tables carry them; those of annotated elements are
// named in package rubric.
const (
	BenchmarkCaptionQA = "captionqa"
	BenchmarkCapArena  = "caparena"

	// BenchmarkCapArenaAuto is what battles and votes of CapArena-Auto carry (CapArena section 5). It is a part of CapArena, and not
	// in the list of benchmarks.
	BenchmarkCapArenaAuto = "caparena-auto"
)

// A Benchmark is all that tells one benchmark from another: code reads it here instead of comparing names.
type Benchmark struct {
	Name            string                 // as tables carry it
	Title           string                 // as papers print it
	Domains         []Domain               // published domains in the paper's order; a user's own come after them: WithOwn
	Prompts         []string               // names of its caption prompts, in the order in which the paper's text gives them
	TablePrompts    []string               // the same in the order of the paper's tables
	PromptsByLength []string               // the same by growing length of the captions
	PromptSteps     []captionqa.PromptStep // the changes of the prompt that the paper looks at, in its order
	Evidences       []string               // what a question goes with; nil without questions
	Protocols       []string               // under which it is asked, its own first
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
		Prompts: captionqa.CaptionPrompts(), TablePrompts: captionqa.TablePrompts(), PromptsByLength: captionqa.PromptsByLength(),
		PromptSteps: captionqa.PromptSteps(),
		Evidences:   captionqa.Evidences(), Protocols: captionqa.AskProtocols(),
	},
	annotated(rubric.BenchmarkCAPability, "CAPability"),
	annotated(rubric.BenchmarkCVCapBench, "CV-CapBench"),
	{
		Name: BenchmarkCapArena, Title: "CapArena", Protocols: arena.Protocols(),
	},
}

// annotated is a benchmark of annotated elements. Its media are one domain, and its captions have one prompt; both bear its
// name.
func annotated(name, title string) Benchmark {
	b := Benchmark{
		Name: name, Title: title, Domains: []Domain{{Name: title}}, Prompts: []string{name}, TablePrompts: []string{name},
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

// MainPrompt is the prompt of what shows one prompt only: the paper's default where there are rows of it, else the first of those found
// in the paper's order, a user's own after the published ones. Names may repeat; empty ones, of answers that read no caption, do not
// count.
func (b Benchmark) MainPrompt(found []string) string {
	found = slices.DeleteFunc(slices.Clone(found), func(p string) bool { return p == "" })
	if slices.Contains(found, captionqa.PromptSimple) || len(found) == 0 {
		return captionqa.PromptSimple
	}
	return slices.MinFunc(found, PublishedFirst(b.Prompts))
}

// AnnotatedBenchmarks are the names of the benchmarks of annotated elements.
func AnnotatedBenchmarks() []string {
	var names []string
	for _, b := range benchmarks {
		if len(b.Dimensions) > 0 {
			names = append(names, b.Name)
		}
	}
	return names
}

// A Domain is a part of a benchmark with images, questions and scores of its own.
type Domain struct {
	Name   string // as tables carry it
	Split  string // as the authors' files, splits and tasks name it; empty for a user's own
	Prefix string // how the names of the authors' items begin; empty where they have no such sign
}

// PublishedFirst compares names: those of a list in its order, all others after them by name.
func PublishedFirst(list []string) func(a, b string) int {
	rank := func(s string) int {
		if i := slices.Index(list, s); i >= 0 {
			return i
		}
		return len(list)
	}
	return func(a, b string) int { return cmp.Or(cmp.Compare(rank(a), rank(b)), strings.Compare(a, b)) }
}
