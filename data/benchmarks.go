package data

import (
	"slices"

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

// A Benchmark describes how one benchmark differs from the other benchmarks. Code reads its fields
// instead of comparing names of benchmarks.
type Benchmark struct {
	Name      string   // as tables have it
	Title     string   // as papers print it
	Domains   []Domain // published domains in the paper's order; WithOwn adds a user's own domains
	Prompts   []string // names of its caption prompts, in the order in which the paper's text gives them
	Protocols []string // the paper's own protocol first
}

// benchmarks lists every benchmark. CaptionQA must be the first, because func CaptionQA returns the
// first entry. To add a benchmark: one entry here.
var benchmarks = []Benchmark{
	{
		Name: BenchmarkCaptionQA, Title: "CaptionQA", Domains: []Domain{
			{Name: "Natural", Split: "natural", Prefix: "nat_"},
			{Name: "Document", Split: "document", Prefix: "doc_"},
			{Name: "E-commerce", Split: "ecommerce", Prefix: "ecom_"},
			{Name: "Embodied AI", Split: "embodiedai", Prefix: "emb_"},
		},
		Prompts: captionqa.CaptionPrompts(), Protocols: captionqa.AskProtocols(),
	},
	annotated(rubric.BenchmarkCAPability, "CAPability"),
	annotated(rubric.BenchmarkCVCapBench, "CV-CapBench"),
	{Name: BenchmarkCapArena, Title: "CapArena", Protocols: arena.Protocols()},
}

// annotated makes a benchmark of annotated elements. The only prompt has the name of the benchmark,
// and the only domain has the title of the benchmark.
func annotated(name, title string) Benchmark {
	return Benchmark{Name: name, Title: title, Domains: []Domain{{Name: title}}, Prompts: []string{name},
		Protocols: []string{name + "/judge", name + "/questions", name + "/judge-answer", name + "/caption"}}
}

// Benchmarks lists every benchmark.
func Benchmarks() []Benchmark { return slices.Clone(benchmarks) }

// BenchmarkOf returns the benchmark of a name; the zero value for an unknown name.
func BenchmarkOf(name string) Benchmark {
	for _, b := range benchmarks {
		if b.Name == name {
			return b
		}
	}
	return Benchmark{}
}

// CaptionQA is the benchmark of questions about captions.
func CaptionQA() Benchmark { return benchmarks[0] }

// MainPrompt is the prompt for tables and figures that show only one prompt. It is the paper's
// default, PromptSimple, if found has it, or if found has no prompt at all. Otherwise it is the
// first prompt in the paper's order that found has. A user's own prompts come after the published
// prompts, by name. found may hold a name twice. It may also hold the empty name, because answers
// without a caption have no prompt.
func (b Benchmark) MainPrompt(found []string) string {
	ordered := slices.Concat([]string{captionqa.PromptSimple}, b.Prompts, slices.Sorted(slices.Values(found)))
	for _, prompt := range ordered {
		if prompt != "" && slices.Contains(found, prompt) {
			return prompt
		}
	}
	return captionqa.PromptSimple
}

// AnnotatedBenchmarks are the names of the benchmarks of annotated elements.
func AnnotatedBenchmarks() (names []string) {
	for _, p := range rubric.Protocols() {
		names = append(names, p.Benchmark)
	}
	return names
}

// A Domain is a part of a benchmark with its own images, questions and scores.
type Domain struct {
	Name   string // as tables have it
	Split  string // its name in the authors' files, splits and tasks; empty for a user's own domain
	Prefix string // how the authors' names of its items begin; empty if they have no common prefix
}
