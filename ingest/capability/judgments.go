package capability

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/rubric"
	"github.com/captionlake/captionlake/ingest/file"
	"github.com/captionlake/captionlake/ingest/shape"
)

// judgeLmmsEval is the default judge of lmms-eval's capability tasks
// (lmms_eval/tasks/capability/_default_template_yaml, eval_model_name).
const judgeLmmsEval = "gpt-4.1-2025-04-14"

// judgeAllowsMissing is how many samples of a dimension lmms-eval's judge may leave out before it
// is asked again (eval_max_allow_missing). If a dimension has no more samples than this, the judge
// is not asked at all.
const judgeAllowsMissing = 5

// judgmentsFormat reads a judge's verdicts on one model's captions:
//
//	{"object_color": "{kettle: copper}", "score": 1, "reason": "…", "file_id": "object_color_7"}
//	{"pred": ["low angle"], "reason": "…", "file_id": "camera_angle_3"}
//	{"response": [{"object_number": "{chair: 2}", "score": 0, "reason": "…"}],
//	 "file_id": "dynamic_object_number_1"}
//
// captionerOf finds the captioner. The files do not name the judge: it is --reader.
//
// The annotations must be in the lake: by them a judge's categories become verdicts, and lists of
// answers are matched to annotated elements. An unreadable answer is a row with the verdict
// unparsed. Samples without a judgment and judgments without an annotation have no rows; notes
// count them. In lmms-eval's folder evaluation, unreadable lines are left out, and a sample without
// a judgment has the verdict failed if the folder inference has its caption.
var judgmentsFormat = released(&shape.Format{
	Name: judgments, Version: "3", Load: loadJudgments,
	What: "judge's output of CAPability as JSON lines (judge_output/<model>/<dimension>.jsonl)",
	Unit: func(s file.Source, o shape.Options) (string, error) {
		captioner, err := captionerOf(s, o)
		return strings.Join([]string{benchmarkOf(o).Name, o.Reader, captioner, folderOf(s)}, "/"), err
	},
})

// A judging loads one folder of judgments.
type judging struct {
	*shape.Job
	row       data.Judgment // values that all rows share
	annotated annotatedElements
	taken     int // records with judgments, including failed ones
}

// loadJudgments loads a judge's verdicts on one captioner, one dimension after the other. named is
// the file of the unit that was found first, and the file of all messages about the whole unit.
func loadJudgments(_ context.Context, j *shape.Job) error {
	l, named := &judging{Job: j}, j.Source
	l.row.Benchmark = benchmarkOf(j.Options).Name
	if j.Options.Reader == "" {
		return named.Refuse("name it with --reader: the released judgments are by --reader "+
			rubric.ProtocolOf(l.row.Benchmark).Judge+", lmms-eval's by --reader "+judgeLmmsEval+
			" unless its configuration was changed",
			shape.Unsaid+"which model judged")
	}
	if _, ok := dimensionOf(named); !ok {
		return named.Refuse("name the file after its dimension, such as scene.jsonl",
			"the name is not a dimension of CAPability")
	}
	captioner, err := captionerOf(named, j.Options)
	if err != nil {
		return err
	}
	var judgeErr, captionerErr error
	l.annotated, err = readAnnotated(j, l.row.Benchmark)
	l.row.Judge, judgeErr = j.ModelID(j.Options.Reader)
	l.row.Captioner, captionerErr = j.ModelID(captioner)
	j.Lenient = isLmms(named)
	for _, d := range rubric.Dimensions() {
		i := slices.IndexFunc(l.Family, func(s file.Source) bool { own, _ := dimensionOf(s); return own.ID == d.ID })
		switch {
		case i >= 0:
			l.Source = l.Family[i]
		case l.Lenient && len(l.annotated[d.ID]) > 0: // A dimension without any judgment has no file.
			l.Source = named.Sibling(d.ID + ".jsonl")
		default:
			continue
		}
		// Go evaluates all arguments, so faults of the first dimension are found even if the name of the
		// judge or of the captioner is wrong.
		if err = cmp.Or(err, judgeErr, captionerErr, l.dimension(&d)); err != nil {
			return err
		}
	}
	l.Source = named
	l.Settle(l.taken)
	return nil
}

// dimension writes the judgments in a dimension's file. Then it counts the samples without a
// judgment. For samples on which the judge failed it writes failed judgments.
func (l *judging) dimension(d *rubric.Dimension) error {
	samples := l.annotated[d.ID]
	if len(samples) == 0 {
		return l.Source.Refuse("load annotations/"+d.ID+".jsonl first", "the lake has no annotations of %s", d.ID)
	}
	var captioned map[string]bool // file_ids in lmms-eval's folder inference; nil if that is unknown
	if l.Lenient {
		captioned = captionedSamples(beside(l.Source, "inference", d.ID))
	}
	lines, row := map[string]int{}, l.row // lines by file_id
	row.Dimension = d.ID
	err := l.EachLine(func(r *shape.Row) error {
		id, ok := fileID(r, lines)
		if elements, annotated := samples[id]; ok && annotated {
			l.taken++
			row.SampleID = id
			return l.judgments(r, d, elements, row)
		} else if ok {
			l.Count("%d judged samples are not annotated, such as %s of %s", id, d.ID)
		}
		return nil
	})
	if errors.Is(err, fs.ErrNotExist) && len(captioned) == 0 {
		return nil // The samples were neither captioned nor judged.
	} else if err != nil && !errors.Is(err, fs.ErrNotExist) { // Without a file, all judgments are missing.
		return err
	}
	for _, id := range slices.Sorted(maps.Keys(samples)) {
		_, judged := lines[id]
		switch {
		case judged, captioned != nil && !captioned[id]: // Nothing is missing.
		case captioned == nil:
			l.Count("%d annotated samples have no judgment, such as %s of %s", id, d.ID)
		case len(captioned) <= judgeAllowsMissing:
			l.Count("%d captioned samples have no judgment, such as %s of %s: lmms-eval asks about no fewer than 6", id,
				d.ID)
		default: // The judge was asked: lmms-eval drops replies that are missing or unreadable.
			l.Count("%d captioned samples have no judgment, such as %s of %s: the judge failed, and they are failed",
				id, d.ID)
			l.taken++
			row.SampleID, row.Verdict = id, string(rubric.Failed)
			for _, element := range samples[id] {
				row.Element = element.Name
				if err := shape.Write(l.Job, data.Judgments, row); err != nil {
					return err
				}
			}
		}
	}
	return nil
}

// captionedSamples are the file_ids of a file of captions; nil if the file cannot be read. Faults
// of its lines are not reported, because they are faults of another unit.
func captionedSamples(s file.Source) map[string]bool {
	ids := map[string]bool{}
	err := (&shape.Job{Source: s, Lenient: true}).EachLine(func(r *shape.Row) error {
		ids[r.Path("file_id").Str()] = true
		return nil
	})
	if err != nil {
		return nil
	}
	return ids
}

// judgments writes the rows of one record, one for each element with an answer. row has the values
// that all these rows share.
func (l *judging) judgments(r *shape.Row, d *rubric.Dimension, elements []rubric.Element, row data.Judgment) error {
	record, _ := literal(r.Value).(rubric.Object)
	replies, stray := d.ReadRecord(elements, record)
	for range stray {
		l.Count("%d answers are about no annotated element; the first on line %d of %s", r.At.Line, d.ID)
	}
	for i, reply := range replies {
		if reply.Missing {
			l.Count("%d elements have no answer; the first on line %d of %s", r.At.Line, d.ID)
			continue
		}
		if reply.Err != nil {
			l.Count("%d answers give no verdict; the first on line %d of %s: %v", r.At.Line, d.ID, reply.Err)
		}
		row.Element, row.Verdict, row.Predicted, row.Reason = elements[i].Name, string(reply.Verdict), reply.Predicted,
			reply.Reason
		if err := shape.Write(l.Job, data.Judgments, row); err != nil {
			return err
		}
	}
	return nil
}
