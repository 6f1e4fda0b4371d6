package data

import "time"

// Published is one figure printed in a paper or on a public leaderboard, one row per cell.
//
// Definition says how a statement is recomputed from other figures, as NAME=VALUE with "; "
// between. take is the computation: value, least, most, mean, second, lead, lowest, highest, leads,
// above, below, difference, share, ratio, sign or categories. of names the figure; item, model_id,
// model_type, prompt, domain and category choose its rows. other_model, other_prompt,
// other_category and bound give the comparison. The result is multiplied by times, or over is
// divided by the result, or the result is subtracted from the number from. slack is how far
// rounding of the figures can move the result. basis comes last and says where the figures are.
type Published struct {
	Benchmark string `parquet:"benchmark,dict"` // captionqa, capability, cv-capbench or caparena
	// paper, leaderboard, statement for a sentence of a paper about its own tables, or
	// benchmark-scores for a user's table of other benchmarks
	Source string `parquet:"source,dict"`
	// table, figure or section of the source, such as Table 12; the page's name for a leaderboard
	Item string `parquet:"item,dict"`
	// model as printed, its size included; empty for figures about no model
	Model   string `parquet:"model,dict"`
	ModelID string `parquet:"model_id,dict"` // model_id of the registry; empty for figures about no model
	// caption prompt, or the change of it that a point of a figure is about, such as Short to Long;
	// empty when the figure has none
	Prompt string `parquet:"prompt,dict"`
	Domain string `parquet:"domain,dict"` // domain, Total for sums; empty when the figure has none
	// taxonomy category, dimension, scored part of the text, stage, change of the prompt, benchmark or
	// metric that the row of the table names; form of a statement of the text (figure or words);
	// otherwise empty
	Category string `parquet:"category,dict"`
	// kind of figure, such as score, accuracy, cannot_rate, questions; for a statement of the text its
	// quantity
	Metric string  `parquet:"metric,dict"`
	Value  float64 `parquet:"value"` // the figure as printed
	// percent, points, count, share, correlation, ratio, sign, words, tokens, USD, seconds, minutes,
	// per_second; for cells with words flag (1 yes, 0 no) or text (0)
	Unit     string `parquet:"unit,dict"`
	Decimals int32  `parquet:"decimals"`  // digits printed after the decimal point
	File     string `parquet:"file,dict"` // file that carried the row
	Line     int32  `parquet:"line"`      // line of that file, from 1; for a table of other benchmarks the row
	// printed text of a cell with words, such as the subcategories of a taxonomy table; a statement of
	// the text in our words
	Text string `parquet:"text,optional,plain"`

	// how a statement of the text is recomputed from other figures, such as take=least; of=mean_gap;
	// model_type=open; null for figures, and for statements that cannot be recomputed
	Definition string `parquet:"definition,optional,plain"`
}

// Model is one model of the registry, with its names in each benchmark.
type Model struct {
	ModelID      string   `parquet:"model_id,plain"`    // name used in every other table, such as qwen2.5-vl-72b
	Name         string   `parquet:"name,plain"`        // name to show to people
	Family       string   `parquet:"family,dict"`       // family, such as Qwen2.5-VL
	Size         string   `parquet:"size,dict"`         // parameters as printed, such as 30B-A3B; empty when undisclosed
	Organization string   `parquet:"organization,dict"` // who made it
	ModelType    string   `parquet:"model_type,dict"`   // open, proprietary, human, metric or rehearsal
	Aliases      []string `parquet:"aliases,list"`      // names in papers, leaderboards and model hubs
}

// Run is one execution of one unit of work: what ran, when, how and from which inputs.
type Run struct {
	RunID string `parquet:"run_id,plain"` // digest of unit, fingerprint and start time
	// stage or command, such as ingest/captions or answer
	Stage    string `parquet:"stage,dict"`
	Unit     string `parquet:"unit,plain"`    // name of the unit: the stem of its files
	Protocol string `parquet:"protocol,dict"` // protocol; empty if the stage has none
	// SHA-256 of inputs and configuration, in lower-case hex
	Fingerprint string    `parquet:"fingerprint,plain"`
	Source      string    `parquet:"source,dict"`                        // origin of the rows, such as a file or a model
	Provenance  string    `parquet:"provenance,dict"`                    // published, measured or simulated
	ToolVersion string    `parquet:"tool_version,dict"`                  // version of captionlake
	Tables      []string  `parquet:"tables,list"`                        // tables that the unit wrote to
	Rows        int64     `parquet:"rows"`                               // rows written over all tables
	StartedAt   time.Time `parquet:"started_at,timestamp(microsecond)"`  // UTC
	FinishedAt  time.Time `parquet:"finished_at,timestamp(microsecond)"` // UTC
	// JSON with more details, such as a server's version and metrics
	Detail string `parquet:"detail,plain"`
	// number of the unit's execution, from 1; the execution with the highest number wrote the files
	Execution *int32 `parquet:"execution,optional"`
	// sizes of the files that it wrote, in the order of tables
	TableBytes  []int64  `parquet:"table_bytes,list"`
	TableSHA256 []string `parquet:"table_sha256,list"` // SHA-256 of these files, in lower-case hex
}
