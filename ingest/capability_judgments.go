package ingest

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"slices"
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
// The captioner is rubricOriginOf's. The files do not name the judge: it is --reader, or that of the configuration of the
// lmms-eval run.
//
// The annotations must be in the lake: categories become verdicts by them, and lists are matched to their elements. An
// answer that cannot be read is a row with the verdict unparsed. Samples without a judgment and judgments without an
// annotation have no rows; they are counted in the notes and in the detail of the run. Where lmms-eval's folder inference
// lies beside, samples that were captioned and have no judgment are failed, lines that cannot be read are left out, and a
// second run of a captioner has the next number of repetition.
func capabilityJudgmentsFormat() Format {
	return Format{
		Name:    "capability-judgments",
		What:    "judge's output of CAPability as JSON lines (judge_output/<model>/<dimension>.jsonl)",
		Version: "2",
		Detect:  detectRubric(rubricJudgments),
		Unit: func(s Source, o Options) (string, error) {
			origin, err := rubricOriginOf(s, o)
			if err != nil {
				return "", err
			}
			judge, err := rubricJudge(s, origin.run, o)
			if err != nil {
				return "", err
			}
			folder, err := rubricUnit(s)
			benchmark, _ := rubricBenchmark(o)
			return strings.Join([]string{benchmark, judge, origin.captioner, folder}, "/"), err
		},
		Attempts: func(s Source) int {
			if isLmmsRubric(s) {
				return maxRepeats
			}
			return 1
		},
		Family: rubricFamily(rubricJudgments),
		Load:   loadCapabilityJudgments,
	}
}

// maxRepeats is how many runs of one captioner a lake may hold the judgments of: each has its own number of repetition.
const maxRepeats = 16

// rubricJudge is the model_id of the judge: --reader, or that of the run's configuration.
func rubricJudge(s Source, run *lmmsRun, o Options) (string, error) {
	if name := cmp.Or(o.Reader, run.judge()); name != "" {
		return data.ModelIDFor(name)
	}
	benchmark, _ := rubricBenchmark(o)
	p, _ := rubric.ProtocolOf(benchmark)
	return "", missing(s, "which model judged", fmt.Sprintf("name it with --reader: the released judgments are by --reader %s, those of lmms-eval by --reader %s unless that was changed", p.Judge, judgeLmmsEval))
}

// judgmentCounts are what a file came to.
type judgmentCounts struct {
	Annotated    int    // annotated samples
	Judged       int    // records about them
	Captioned    int    // samples with a caption, as far as the folder inference beside tells; else 0
	Missing      int    // samples without a record: captioned ones where that is known, else annotated ones
	Failed       int    // captioned samples that the judge was asked about in vain
	Unparsed     int    // elements whose answer gives no verdict
	Unanswered   int    // elements that their sample's record leaves out
	Stray        int    // answers about no element of their sample
	Unannotated  int    // records about samples that are not annotated
	firstProblem string // where the first answer without a verdict is, and why
}

// judgmentLoad is the loading of one folder of judgments.
type judgmentLoad struct {
	job       *Job
	rows      *data.RowWriter[data.Judgment]
	row       data.Judgment // what all rows have in common
	annotated annotatedElements
	lmms      bool
	taken     int // records that are judgments, and failed ones
}

func loadCapabilityJudgments(ctx context.Context, j *Job) error {
	origin, err := rubricOriginOf(j.Source, j.Options)
	if err != nil {
		return err
	}
	judge, err := rubricJudge(j.Source, origin.run, j.Options)
	if err != nil {
		return err
	}
	j.notes = append(j.notes, origin.notes...)
	benchmark, _ := rubricBenchmark(j.Options)
	l := &judgmentLoad{job: j, lmms: origin.lmms}
	if l.annotated, err = needAnnotated(j, benchmark); err != nil {
		return err
	}
	if l.rows, err = data.NewRowWriter(j.Tx, data.Judgments); err != nil {
		return err
	}
	j.lenient = origin.lmms
	l.row = data.Judgment{Benchmark: benchmark, Judge: judge, Captioner: origin.captioner, Repeat: int32(j.Attempt)}
	if j.Attempt > 0 {
		j.Note("%s: the lake holds other judgments of %s by %s; these have the repetition %d", j.Source.Path, origin.captioner, judge, j.Attempt)
	}
	judged := map[string]bool{}
	for _, member := range j.Family {
		if err := ctx.Err(); err != nil {
			return err
		}
		d, ok := dimensionOf(member)
		if !ok {
			return data.WithHint(fmt.Errorf("%s: the name is no dimension of CAPability", member.Path), "name the file after its dimension, such as scene.jsonl")
		}
		judged[d.ID] = true
		if err := l.dimension(d, member); err != nil {
			return err
		}
	}
	// A dimension that the judge said nothing about has no file.
	for _, d := range rubric.Dimensions() {
		if l.lmms && !judged[d.ID] && len(l.annotated[d.ID]) > 0 {
			if err := l.dimension(&d, rubricBeside(j.Source, "evaluation", d.ID)); err != nil {
				return err
			}
		}
	}
	j.settle(l.taken)
	return nil
}

// dimension reads the judgments of one dimension.
func (l *judgmentLoad) dimension(d *rubric.Dimension, member Source) error {
	samples := l.annotated[d.ID]
	if len(samples) == 0 {
		return data.WithHint(fmt.Errorf("%s: the lake has no annotations of %s", member.Path, d.ID), "load annotations/%s.jsonl first", d.ID)
	}
	var captioned map[string]bool
	if l.lmms {
		captioned = captionedSamples(member, d.ID)
	}
	counts := &judgmentCounts{Annotated: len(samples), Captioned: len(captioned)}
	seen := keySet{}
	row := l.row
	row.Dimension = d.ID
	err := eachRubricLine(l.job, member, func(line *rubricLine) error {
		id, ok := line.need("file_id")
		if !ok || !line.isNew(id, seen) {
			return nil
		}
		elements, ok := samples[id]
		if !ok {
			counts.Unannotated++
			return nil
		}
		counts.Judged++
		row.SampleID = id
		return line.judgments(d, elements, row, l.rows, counts)
	})
	switch {
	case errors.Is(err, fs.ErrNotExist) && len(captioned) == 0:
		return nil // neither captioned nor judged
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return err
	}
	if captioned == nil {
		counts.Missing = counts.Annotated - counts.Judged
	} else if err := l.failed(captioned, samples, seen, row, counts); err != nil {
		return err
	}
	l.taken += counts.Judged + counts.Failed
	counts.note(l.job, member)
	return nil
}

// failed writes the rows of samples that have a caption and no judgment: the judge was asked about them, and lmms-eval
// drops replies that do not come or cannot be read. It does not ask at all about judgeAllowsMissing samples or fewer.
func (l *judgmentLoad) failed(captioned map[string]bool, samples map[string][]rubric.Element, seen keySet, row data.Judgment, counts *judgmentCounts) error {
	for _, id := range slices.Sorted(maps.Keys(captioned)) {
		elements, annotated := samples[id]
		if _, judged := seen[id]; judged || !annotated {
			continue
		}
		counts.Missing++
		if len(captioned) <= judgeAllowsMissing {
			continue
		}
		counts.Failed++
		row.SampleID, row.Verdict, row.Predicted, row.Reason = id, string(rubric.Failed), nil, ""
		for _, element := range elements {
			row.Element = element.Name
			if err := l.rows.Write(row); err != nil {
				return err
			}
		}
	}
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
	switch {
	case c.Captioned == 0:
		add(c.Missing, fmt.Sprintf("of %d samples have no judgment", c.Annotated))
	case c.Failed > 0:
		add(c.Missing, fmt.Sprintf("of %d captioned samples have no judgment, because the judge failed: they are failed", c.Captioned))
	default:
		add(c.Missing, fmt.Sprintf("of %d captioned samples have no judgment: lmms-eval asks about no fewer than %d", c.Captioned, judgeAllowsMissing+1))
	}
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
