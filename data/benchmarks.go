package data

import (
	"slices"

	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/rubric"
)

// BenchmarkCaptionQA and BenchmarkCapArena are names of benchmarks, as tables carry them; those of annotated elements are
// named in package rubric.
const (
	BenchmarkCaptionQA = "captionqa"
	BenchmarkCapArena  = "caparena"
)

// A Benchmark is all that tells one benchmark from another. Whoever treats them differently reads it here instead of
// comparing names.
type Benchmark struct {
	Name       string   // as tables carry it
	Title      string   // as papers print it
	Domains    []string // published domains in the paper's order; a user's own come after them
	Prompts    []string // names of its caption prompts, in the paper's order
	Evidences  []string // what a question goes with; nil without questions
	Protocols  []string // under which it is asked, its own first
	Dimensions []string // of its annotated elements, in the paper's order; nil without annotations
	Headline   string   // the mart of its main table
}

// benchmarks lists every benchmark. To add one: one entry here.
var benchmarks = []Benchmark{
	{
		Name: BenchmarkCaptionQA, Title: "CaptionQA", Domains: []string{"Natural", "Document", "E-commerce", "Embodied AI"},
		Prompts: captionqa.CaptionPrompts(), Evidences: captionqa.Evidences(), Protocols: captionqa.AskProtocols(), Headline: "captionqa_main",
	},
	annotated(rubric.BenchmarkCAPability, "CAPability"),
	annotated(rubric.BenchmarkCVCapBench, "CV-CapBench"),
	{Name: BenchmarkCapArena, Title: "CapArena"},
}

// annotated is a benchmark of annotated elements. Its media are one domain, and its captions have one prompt; both bear its
// name.
func annotated(name, title string) Benchmark {
	b := Benchmark{
		Name: name, Title: title, Domains: []string{title}, Prompts: []string{name},
		Protocols: []string{name + "/judge", name + "/questions", name + "/judge-answer", name + "/caption"}, Headline: "capability_main",
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
