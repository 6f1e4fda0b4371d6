package rubric

// The benchmarks, as tables name them.
const (
	BenchmarkCAPability = "capability"
	BenchmarkCVCapBench = "cv-capbench"
)

// A Protocol is how one paper turns verdicts into printed figures. Both papers define precision,
// recall, F1 and hit rate of a dimension alike, but they average these figures over dimensions
// differently.
type Protocol struct {
	Name      string   // such as capability/paper
	Benchmark string   // BenchmarkCAPability or BenchmarkCVCapBench
	Columns   []string // dimensions that the paper's tables print and average over, in the order of the dimension table
	F1OfMeans bool     // the average F1 is the F1 of average precision and average recall, not the mean of the F1s
	Decimals  int      // digits printed after the decimal point
	Judge     string   // model_id of the judge of the printed figures
}

// Protocols lists both metric protocols.
//
// CAPability (Tables 3 to 5) takes the mean of all thirteen columns, for F1 too. CV-CapBench
// (Tables 2 and 3) also has thirteen dimensions but prints no column for events. Its average F1 is
// the F1 of average precision and average recall: for InternVL2.5-8B 2 · 59.61 · 35.73 / (59.61 +
// 35.73) = 44.68, while the mean of the model's twelve F1s is 40.50.
func Protocols() []Protocol {
	var all, printed []string
	for _, d := range dimensions {
		all = append(all, d.ID)
		if d.ID != "event" {
			printed = append(printed, d.ID)
		}
	}
	return []Protocol{
		{
			Name: "capability/paper", Benchmark: BenchmarkCAPability, Columns: all, Decimals: 1, Judge: "gpt-4-turbo",
		},
		{
			Name: "cv-capbench/paper", Benchmark: BenchmarkCVCapBench, Columns: printed, F1OfMeans: true, Decimals: 2,
			Judge: "qwen2.5-72b",
		},
	}
}

// ProtocolOf returns the protocol of a benchmark's paper; the zero value for another benchmark.
func ProtocolOf(benchmark string) Protocol {
	for _, p := range Protocols() {
		if p.Benchmark == benchmark {
			return p
		}
	}
	return Protocol{}
}
