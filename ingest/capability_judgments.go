package ingest

import (
	"context"
	"encoding/json"
	"fmt"
	"path"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/rubric"
)

// capabilityJudgmentsFormat reads what a judge made of one model's captions:
//
//	{"object_color": "{kettle: copper}", "score": 1, "reason": "…", "file_id": "object_color_7"}
//	{"pred": ["low angle"], "reason": "…", "file_id": "camera_angle_3"}
//	{"response": [{"object_number": "{chair: 2}", "score": 0, "reason": "…"}, …], "file_id": "dynamic_object_number_1"}
//
// The captioner is --captioner or the folder's name. The files do not name the judge: it is --reader, or else the one
// that wrote the released files (CAPability section 4.1), or lmms-eval's own under its folder evaluation.
//
// The annotations must be in the lake: categories become verdicts by them, and lists are matched to their elements. An
// answer that cannot be read is a row with the verdict unparsed. Samples without a judgment and judgments without an
// annotation have no rows; they are counted in the notes and in the detail of the run.
func capabilityJudgmentsFormat() Format {
	return Format{
		Name:    "capability-judgments",
		What:    "judge's output of CAPability as JSON lines (judge_output/<model>/<dimension>.jsonl)",
		Version: "1",
		Detect:  detectRubric(rubricJudgments),
		Unit: func(s Source, o Options) (string, error) {
			captioner, err := rubricModel(s, o)
			if err != nil {
				return "", err
			}
			judge, err := rubricJudge(s, o)
			benchmark, _ := rubricBenchmark(o)
			return strings.Join([]string{benchmark, judge, captioner, rubricFolder(s)}, "/"), err
		},
		Family: rubricFamily(rubricJudgments),
		Strays: rubricStrays,
		Load:   loadCapabilityJudgments,
	}
}

// rubricJudge is the model_id of the judge.
func rubricJudge(s Source, o Options) (string, error) {
	if o.Reader != "" {
		return data.ModelIDFor(o.Reader)
	}
	if rubricFolder(s) == "evaluation" {
		return data.ModelIDFor(judgeLmmsEval)
	}
	benchmark, _ := rubricBenchmark(o)
	p, _ := rubric.ProtocolOf(benchmark)
	return data.ModelIDFor(p.Judge)
}

// judgmentCounts are what a file came to, as the detail of the run keeps it.
type judgmentCounts struct {
	Dimension    string `json:"dimension"`
	Annotated    int    `json:"annotated"`   // annotated samples
	Judged       int    `json:"judged"`      // records about them
	Missing      int    `json:"missing"`     // annotated samples without a record
	Unparsed     int    `json:"unparsed"`    // elements whose answer gives no verdict
	Unanswered   int    `json:"unanswered"`  // elements that their sample's record leaves out
	Stray        int    `json:"stray"`       // answers about no element of their sample
	Unannotated  int    `json:"unannotated"` // records about samples that are not annotated
	firstProblem string // where the first answer without a verdict stands, and why
}

func loadCapabilityJudgments(ctx context.Context, j *Job) error {
	captioner, err := rubricModel(j.Source, j.Options)
	if err != nil {
		return err
	}
	judge, err := rubricJudge(j.Source, j.Options)
	if err != nil {
		return err
	}
	benchmark, _ := rubricBenchmark(j.Options)
	annotated, err := needAnnotated(j, benchmark)
	if err != nil {
		return err
	}
	rows, err := data.NewRowWriter(j.Tx, data.Judgments)
	if err != nil {
		return err
	}
	all := []*judgmentCounts{}
	for _, member := range j.Family {
		if err := ctx.Err(); err != nil {
			return err
		}
		d, ok := dimensionOf(member)
		if !ok {
			return data.WithHint(fmt.Errorf("%s: the name is no dimension of CAPability", member.Path), "name the file after its dimension, such as scene.jsonl")
		}
		samples := annotated[d.ID]
		if len(samples) == 0 {
			return data.WithHint(fmt.Errorf("%s: the lake has no annotations of %s", member.Path, d.ID), "load annotations/%s.jsonl first", d.ID)
		}
		counts := &judgmentCounts{Dimension: d.ID, Annotated: len(samples)}
		all = append(all, counts)
		seen := onceEach{}
		row := data.Judgment{Benchmark: benchmark, Judge: judge, Captioner: captioner, Dimension: d.ID, Provenance: j.Tx.Unit().Provenance}
		err := eachRubricLine(j, member, func(l *rubricLine) error {
			id, ok := l.need("file_id")
			if !ok || !seen.check(l, id) {
				return nil
			}
			elements, ok := samples[id]
			if !ok {
				counts.Unannotated++
				return nil
			}
			counts.Judged++
			row.SampleID = id
			return l.judgments(d, elements, row, rows, counts)
		})
		if err != nil {
			return err
		}
		counts.Missing = counts.Annotated - counts.Judged
		counts.note(j, member)
	}
	detail, err := json.Marshal(map[string]any{"dimensions": all})
	if err != nil {
		return err
	}
	j.Tx.SetDetail(string(detail))
	return nil
}

// judgments writes the rows of one record.
func (l *rubricLine) judgments(d *rubric.Dimension, elements []rubric.Element, row data.Judgment, rows *data.RowWriter[data.Judgment], counts *judgmentCounts) error {
	replies, stray := d.ReadRecord(elements, l.object)
	counts.Stray += stray
	for i, reply := range replies {
		if reply.Missing {
			counts.Unanswered++
			continue
		}
		if reply.Err != nil {
			counts.Unparsed++
			if counts.firstProblem == "" {
				counts.firstProblem = fmt.Sprintf("line %d: %v", l.number, reply.Err)
			}
		}
		row.Element, row.Verdict, row.Predicted, row.Reason = elements[i].Name, string(reply.Verdict), reply.Predicted, reply.Reason
		if err := rows.Write(row); err != nil {
			return err
		}
	}
	return nil
}

// note tells what was counted rather than read.
func (c *judgmentCounts) note(j *Job, s Source) {
	var parts []string
	add := func(n int, what string) {
		if n > 0 {
			parts = append(parts, fmt.Sprintf("%d %s", n, what))
		}
	}
	add(c.Missing, fmt.Sprintf("of %d samples have no judgment", c.Annotated))
	add(c.Unparsed, "answers give no verdict")
	add(c.Unanswered, "elements have no answer")
	add(c.Stray, "answers are about no annotated element")
	add(c.Unannotated, "judged samples are not annotated")
	if len(parts) == 0 {
		return
	}
	text := strings.Join(parts, ", ")
	if c.firstProblem != "" {
		text += "; first " + c.firstProblem
	}
	j.Note("%s: %s", path.Join(rubricFolder(s), s.base()), text)
}
