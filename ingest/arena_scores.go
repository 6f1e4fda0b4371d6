package ingest

import (
	"bytes"
	"context"
	"crypto/sha256"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/arena"
	"github.com/captionlake/captionlake/data/captionqa"
)

// metricScoresFormat reads the scores of a metric that was computed elsewhere, as CSV with a header row or as a JSON list of
// objects, of captions or of battles:
//
//	image,captioner,score          battle,score_a,score_b
//	test_00303.jpg,GPT-4o-0806,0.31     test_00303/1f0e…,0.31,0.29
//
// Higher is better. The metric is --reader or the column metric. Captions of several prompts are told apart by the column prompt.
// Every battle of the lake of which both captions are scored becomes a vote. Battles of which one caption or neither is scored,
// and scores of captions in no battle, are counted. A caption without a score has an empty cell or null.
func metricScoresFormat() Format {
	return Format{
		Name:    "metric-scores",
		What:    "a metric's scores of captions (image, captioner, score) or battles (battle, score_a, score_b), as CSV or a JSON list; the metric is --reader",
		Version: "1",
		Detect: func(_ Source, head []byte) bool {
			columns := recordColumns(head)
			return hasAll(columns, captionScores) || hasAll(columns, battleScores)
		},
		Unit: func(s Source, o Options) (string, error) {
			metric := ""
			if o.Reader != "" {
				id, err := data.ModelIDFor(o.Reader)
				if err != nil {
					return "", err
				}
				metric = id
			}
			return arenaUnit(s, metric), nil
		},
		Reads: []data.AnyTable{data.Battles},
		Load:  loadMetricScores,
	}
}

// The columns of the two kinds of files, and those that either may have.
var (
	captionScores = []string{"image", "captioner", "score"}
	battleScores  = []string{"battle", "score_a", "score_b"}
)

func hasAll(columns map[string]bool, names []string) bool {
	for _, name := range names {
		if !columns[name] {
			return false
		}
	}
	return true
}

// A captionKey is what a score of a caption is of.
type captionKey struct{ metric, image, captioner, prompt string }

// A captionScore is a score while it is matched with battles.
type captionScore struct {
	value float64
	line  int
	used  bool
}

// scoreLoad is the loading of one file of scores.
type scoreLoad struct {
	job      *Job
	votes    *data.RowWriter[data.Vote]
	captions map[captionKey]*captionScore
	pairs    map[string]int // lines of battles that are scored, by metric and battle_id
	metrics  []string       // in the order of the file
	prompts  bool           // the file names the prompts
	battles  []scoredBattle
	byID     map[string]int
	keys     []captionKey // of the captions, in the order of the file
	records  int          // of the file
	scored   int          // battles that get a vote
}

// A scoredBattle is what a metric's vote needs of a battle.
type scoredBattle struct {
	ID     string `parquet:"battle_id"`
	Image  string `parquet:"image_id"`
	A      string `parquet:"captioner_a"`
	B      string `parquet:"captioner_b"`
	Prompt string `parquet:"prompt"`
	TextA  string `parquet:"caption_a"` // its digest, once it was read
	TextB  string `parquet:"caption_b"`
}

// short makes a text that is only compared short. No text stays none.
func short(text string) string {
	if text == "" {
		return ""
	}
	sum := sha256.Sum256([]byte(text))
	return string(sum[:8])
}

func loadMetricScores(ctx context.Context, j *Job) (err error) {
	l := &scoreLoad{job: j, captions: map[captionKey]*captionScore{}, pairs: map[string]int{}, byID: map[string]int{}}
	for b, err := range data.Project[scoredBattle](j.Lake, data.Battles, nil) {
		if err != nil {
			return err
		}
		b.TextA, b.TextB = short(b.TextA), short(b.TextB)
		l.byID[b.ID] = len(l.battles)
		l.battles = append(l.battles, b)
	}
	if len(l.battles) == 0 {
		return data.WithHint(fmt.Errorf("%s: the lake has no battles to compare the scores in", j.Source.Path), "load the list of battles first, or make battles of the lake's captions with: captionlake arena pair")
	}
	if l.votes, err = data.NewRowWriter(j.Tx, data.Votes); err != nil {
		return err
	}
	if err := eachRecord(ctx, j, func(r *record) error { return l.read(r) }); err != nil || len(j.faults.All) > 0 {
		return err
	}
	if l.records == 0 {
		j.Fault(1, 1, "the file has no scores: get the whole file")
		return nil
	}
	if err := l.match(); err != nil {
		return err
	}
	if l.scored == 0 {
		j.Fault(1, 1, "no battle of the lake gets a vote: compare image, captioner and prompt with the table battles")
	}
	j.settle(l.scored)
	return nil
}

// What battles that get no vote are counted as.
const (
	oneScored = "%d battles have a score of one caption only and get no vote"
	unscored  = "%d battles have no score and get no vote"
)

// read takes one record in.
func (l *scoreLoad) read(r *record) error {
	l.records++
	metric := r.text("metric")
	if metric == "" {
		metric = l.job.Options.Reader
	}
	if metric == "" {
		return missing(l.job.Source, "which metric the scores are of", "name it with --reader, such as --reader CLIPScore, or in a column metric")
	}
	id, err := data.ModelIDFor(metric)
	if err != nil {
		return err
	}
	if !slices.Contains(l.metrics, id) {
		l.metrics = append(l.metrics, id)
	}
	if _, ofBattle := r.cells["battle"]; ofBattle {
		return l.readBattle(r, id)
	}
	l.readCaption(r, id)
	return nil
}

// readBattle turns the scores of a battle into a vote.
func (l *scoreLoad) readBattle(r *record, metric string) error {
	name := r.need("battle", "the battle_id, as in the table battles")
	a, okA := r.number("score_a")
	b, okB := r.number("score_b")
	if !r.ok {
		return nil
	}
	i, known := l.byID[name]
	if !known {
		at := r.at("battle")
		l.job.LeaveOut(at.line, at.col, "the lake has no battle %q", clip(name))
		return nil
	}
	key := metric + "\x00" + name
	if line, twice := l.pairs[key]; twice {
		r.fault("battle", "the battle is scored by %s in line %d already: keep one of the two", clip(metric), line)
		return nil
	}
	l.pairs[key] = r.at("battle").line
	switch {
	case okA && okB:
		return l.vote(l.battles[i], metric, a, b)
	case okA || okB:
		l.job.Count(oneScored)
	default:
		l.job.Count(unscored)
	}
	return nil
}

// readCaption keeps the score of a caption.
func (l *scoreLoad) readCaption(r *record, metric string) {
	image := captionqa.ItemName(r.need("image", "the name of the picture"))
	captioner, err := data.ModelIDFor(r.need("captioner", "the model's name, or human"))
	score, scored := r.number("score")
	if err != nil && r.ok {
		r.fault("captioner", "%v", err)
	}
	if !r.ok {
		return
	}
	if _, has := r.cells["prompt"]; has {
		l.prompts = true
	}
	key := captionKey{metric, image, captioner, promptName(r.text("prompt"))}
	if first, twice := l.captions[key]; twice {
		r.fault("image", "the caption of %q by %s is scored in line %d already: keep one of the two", clip(image), clip(captioner), first.line)
		return
	}
	if !scored {
		l.job.Count("%d scores are empty")
		return
	}
	l.keys = append(l.keys, key)
	l.captions[key] = &captionScore{value: score, line: r.at("score").line}
}

// match turns the scores of captions into votes on the battles between them.
func (l *scoreLoad) match() error {
	if len(l.captions) == 0 {
		for range len(l.metrics)*len(l.battles) - len(l.pairs) {
			l.job.Count(unscored)
		}
		return nil
	}
	// A captioner may have described an image more than once, and then a score is of which of the texts the file says by the prompt
	// or not at all.
	texts := map[captionKey]map[string]bool{}
	for _, b := range l.battles {
		for i, text := range []string{b.TextA, b.TextB} {
			key := l.key(b, i)
			if texts[key] == nil {
				texts[key] = map[string]bool{}
			}
			if text != "" {
				texts[key][text] = true
			}
		}
	}
	for _, metric := range l.metrics {
		for _, b := range l.battles {
			var found [2]*captionScore
			ambiguous := false
			for i := range found {
				key := l.key(b, i)
				ambiguous = ambiguous || len(texts[key]) > 1
				key.metric = metric
				if found[i] = l.captions[key]; found[i] != nil {
					found[i].used = true
				}
			}
			switch {
			case found[0] == nil && found[1] == nil:
				l.job.Count(unscored)
			case found[0] == nil || found[1] == nil:
				l.job.Count(oneScored)
			case ambiguous:
				l.job.Count("%d battles have a caption that is one of several of the same captioner and image, and get no vote: add a column prompt, or score the battles themselves")
			default:
				if err := l.vote(b, metric, found[0].value, found[1].value); err != nil {
					return err
				}
			}
		}
	}
	for _, key := range l.keys {
		if !l.captions[key].used {
			l.job.Count("%d scored captions are in no battle, such as that of %s by %s", clip(key.image), clip(key.captioner))
		}
	}
	return nil
}

// key is what a score of one of a battle's two captions is of, whatever the metric.
func (l *scoreLoad) key(b scoredBattle, i int) captionKey {
	key := captionKey{image: b.Image, captioner: [2]string{b.A, b.B}[i]}
	if l.prompts {
		key.prompt = b.Prompt
	}
	return key
}

// vote writes what a metric's two scores say.
func (l *scoreLoad) vote(b scoredBattle, metric string, a, z float64) error {
	l.scored++
	return l.votes.Write(data.Vote{
		BattleID: b.ID, Judge: metric, JudgeType: arena.JudgeMetric, Protocol: arena.ProtocolMetric, Winner: arena.ScoreWinner(a, z), ScoreA: &a, ScoreB: &z,
		ImageID: b.Image, Provenance: data.ProvenanceOf(l.job.Tx.Unit().Provenance, b.A, b.B),
	})
}

// number reads a score; false for one that is empty. Infinite scores and those that are no numbers are faults.
func (r *record) number(column string) (float64, bool) {
	text := r.text(column)
	if text == "" {
		return 0, false
	}
	score, err := strconv.ParseFloat(text, 64)
	if err != nil || math.IsNaN(score) || math.IsInf(score, 0) || strings.ContainsAny(text, "xX_") {
		r.fault(column, "%s is %q: write a number such as 0.31, or leave it empty where the metric has none", column, clip(text))
		return 0, false
	}
	return score, true
}

// recordColumns are the columns of a table in CSV, or the keys of the first object of a JSON list, in lower case.
func recordColumns(head []byte) map[string]bool {
	if keys := firstOfList(head); keys != nil {
		return keys
	}
	line, _, _ := bytes.Cut(bytes.TrimPrefix(head, []byte(byteOrderMark)), []byte("\n"))
	columns := map[string]bool{}
	text := strings.TrimSpace(string(line))
	for name := range strings.SplitSeq(text, string(delimiterOf(text))) {
		columns[columnOf(name)] = true
	}
	return columns
}
