package ask

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/analytics/batches"
	"github.com/captionlake/captionlake/analytics/engine"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/rows"
	"github.com/captionlake/captionlake/data/spelling"
	"github.com/captionlake/captionlake/sql"
)

// The kinds of items that Compare can compare.
const (
	ByCaptioner = "captioner"
	ByPrompt    = "prompt"
	ByReader    = "reader"
)

// power is the chance to find a true difference, as a share. Difference.ForPower is the number of
// images that gives this chance.
const power = 0.8

// CompareOptions say which items are compared and under which conditions. Answers are pooled over
// the chosen conditions that both sides have. If Readers or Captioners is empty, every reader or
// captioner is chosen.
type CompareOptions struct {
	By         string   // ByCaptioner, ByPrompt or ByReader; ByCaptioner when empty
	Protocol   string   // protocol of the answers; captionqa/upstream when empty
	Provenance string   // measured or simulated; may be empty when the answers are all of one kind
	Readers    []string // only these readers
	Captioners []string // only these captioners
	// only these caption prompts; when empty, Simple or else the first there is, and all prompts if
	// prompts are compared
	Prompts []string
	First   bool    // only differences to the first name
	Points  float64 // the numbers of images are planned for this difference, in points, above 0 and up to 100
}

// A Difference is one comparison: the mean of A minus the mean of B, paired by image.
type Difference struct {
	A      string `json:"a"`
	B      string `json:"b"`
	Metric string `json:"metric"` // score or accuracy
	// a domain; for a mean over domains their names, or Overall if they are all published domains or
	// if none of them is published
	Domain     string  `json:"domain"`
	MeanA      float64 `json:"mean_a"`     // percent
	MeanB      float64 `json:"mean_b"`     // percent
	Difference float64 `json:"difference"` // points, A minus B
	// points, clustered by image; nil, as every other number below that may be nil, if a domain has
	// fewer than two images
	SE *float64 `json:"se"`
	// the difference is the same on every image, so that Low, High and P come from the two means
	// (Newcombe)
	Alike bool     `json:"alike"`
	Low   *float64 `json:"low"`  // lower end of the 95% interval
	High  *float64 `json:"high"` // upper end of that interval
	P     *float64 `json:"p"`    // two-sided p-value of no difference
	// p-value corrected for all comparisons of the same metric (Holm 1979)
	Holm      *float64 `json:"p_holm"`
	Images    int      `json:"images"`    // images with questions that both sides answered
	Questions int64    `json:"questions"` // answers of A about them
	// number of images at which a difference of Points is just outside the 95% interval around no
	// difference; ToTell and ForPower are nil if Alike is set
	ToTell *int64 `json:"images_to_tell"`
	// number of images at which a true difference of Points is found with the chance power
	ForPower *int64 `json:"images_for_power"`
}

// A Comparison is the result of Compare.
type Comparison struct {
	By          string       `json:"by"`
	Protocol    string       `json:"protocol"`
	Provenance  string       `json:"provenance"`
	Pooled      []string     `json:"pooled"` // conditions that were pooled, such as "reader: 2 values"
	Points      float64      `json:"points"`
	Power       float64      `json:"power"`
	Differences []Difference `json:"differences"`
}

// Compare compares captioners, prompts or readers two by two from their answers to the same
// questions, paired by image. Names are model_ids, names of the registry or prompts. An unknown
// name is an error that lists the known names.
func Compare(ctx context.Context, lake *data.Lake, names []string, o CompareOptions) (c *Comparison, err error) {
	o.By, o.Protocol = cmp.Or(o.By, ByCaptioner), cmp.Or(o.Protocol, captionqa.ProtocolUpstream)
	if err := o.check(names); err != nil {
		return nil, err
	}
	if built, err := data.MartFiles(lake); err != nil || len(built["conditions"]) == 0 {
		return nil, errors.Join(err,
			data.Errorf("ask readers with captionlake run, or load answers with captionlake ingest; "+
				"then run captionlake analyze", "there are no results yet to compare"))
	}
	r, err := OpenReader(ctx, lake, engine.Options{})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	e, last := r.engine, len(names) // Each of the first last items is compared with the items after it.
	if o.First {
		last = 1
	}
	filled := strings.NewReplacer("@by", o.By, "@protocol", sql.Quote(o.Protocol), "@last", fmt.Sprint(last),
		"@number", fmt.Sprint(len(names)))
	// The first two names are the tables that resolveItem reads.
	if err := r.prepare(ctx, "models published "+askedSQL+pairSQL+compareSQL); err != nil {
		return nil, err
	}
	if err := e.Exec(ctx, filled.Replace(askedSQL)); err != nil {
		return nil, err
	}
	var items []string
	for _, name := range names {
		item, err := resolveItem(ctx, e, o, name)
		if err != nil {
			return nil, err
		}
		if slices.Contains(items, item) {
			return nil, fmt.Errorf("%s is named twice", item)
		}
		items = append(items, item)
	}
	if len(o.Prompts) == 0 && o.By != ByPrompt {
		prompts, err := e.Values(ctx, "select distinct prompt from asked")
		if err != nil {
			return nil, err
		}
		o.Prompts = []string{data.CaptionQA().MainPrompt(prompts)}
	}
	c = &Comparison{By: o.By, Protocol: o.Protocol, Points: o.Points, Power: power}
	if c.Provenance, err = pickConditions(ctx, e, items, o); err != nil {
		return nil, err
	}
	if c.Pooled, err = e.Values(ctx, filled.Replace(pooledSQL)); err != nil {
		return nil, err
	}
	if err := e.Exec(ctx, strings.ReplaceAll(filled.Replace(pairSQL), "@items", sql.QuoteList(items))); err != nil {
		return nil, err
	}
	if c.Differences, err = compared(ctx, e, items, o.Points); err != nil {
		return nil, err
	}
	for i, a := range items[:last] {
		for _, b := range items[i+1:] {
			if !slices.ContainsFunc(c.Differences, func(d Difference) bool { return d.A == a && d.B == b }) {
				return nil, data.Errorf("compare what was run alike, or name the conditions with the flags",
					"%s and %s have no answers to the same questions under the same conditions", a, b)
			}
		}
	}
	return c, nil
}

// check refuses options and names that cannot be compared in any lake.
func (o CompareOptions) check(names []string) error {
	kinds := []string{ByCaptioner, ByPrompt, ByReader}
	inRange := o.Points > 0 && o.Points <= 100 // false for NaN
	switch {
	case !slices.Contains(kinds, o.By):
		return data.Errorf(spelling.Meant("compare by captioner, prompt or reader", kinds, o.By),
			"nothing can be compared by %q", o.By)
	case !inRange:
		return data.Errorf("give points above 0, up to 100", "the difference of %v points is out of range", o.Points)
	case len(names) < 2:
		return data.Errorf("name two captioners, prompts or readers", "a comparison takes at least two names")
	}
	return nil
}

// Against are the p-values of the differences between other captioners and one captioner, by
// captioner, domain and metric. The p-values are corrected after Holm for all domains of one
// metric. If reader is empty, all readers are pooled.
func (r *Reader) Against(
	ctx context.Context, one string, others []string, prompt, reader, protocol, provenance string,
) (map[[3]string]float64, error) {
	// Compare needs Points above 0. The numbers of images for Points are not used here.
	o := CompareOptions{Prompts: []string{prompt}, Protocol: protocol, Provenance: provenance, First: true, Points: 1}
	if reader != "" {
		o.Readers = []string{reader}
	}
	c, err := Compare(ctx, r.lake, append([]string{one}, others...), o)
	if err != nil {
		return nil, err
	}
	pValues := map[[3]string]float64{}
	for _, d := range c.Differences {
		if d.Holm != nil { // nil if the domain has fewer than two images
			pValues[[3]string{d.B, d.Domain, d.Metric}] = *d.Holm
		}
	}
	return pValues, nil
}

// Queries of Compare. An item is a captioner, a prompt or a reader, as CompareOptions.By says. Its
// condition is the other two, with the control character chr(31) between them: for a captioner, a
// prompt and a reader.
//
// askedSQL makes the table asked: the items and conditions that have answers of the protocol.
// pickConditions chooses the rows of asked that are compared: the table picked. pooledSQL lists the
// kinds of conditions that have several values in picked, under the conditions that all items have.
// pairSQL makes the table pairs: for each two items and each image, the sums of the answers to the
// questions that both items answered, over all conditions. In pairs, a_id and b_id are the places
// of the two items.
const (
	askedSQL = `
		create temp table asked as
		select
			*, @by as item, concat_ws(chr(31), if('@by' = 'captioner', '', captioner), if('@by' = 'prompt', '', prompt),
				if('@by' = 'reader', '', reader)) as condition
		from conditions where evidence = 'caption' and provenance <> 'published' and protocol = @protocol`
	pooledSQL = `
		select kind || ': ' || n || ' values'
		from (
			unpivot (
				select
					count(distinct captioner) as captioner, count(distinct prompt) as prompt,
					count(distinct reader) as reader
				from picked
				where condition in (
					select condition from picked group by condition having count(distinct item) = @number
				)
			) on captioner, prompt, reader into name kind value n
		)
		where n > 1 and kind <> '@by'`
	pairSQL = `
		create temp table pairs as
		with items as (
			select unnest(@items) as item, unnest(range(len(@items))) as place
		),
		sides as (
			select a.condition_id as a_id, b.condition_id as b_id, x.place as place_a, y.place as place_b
			from items as x
			inner join items as y on y.place > x.place and x.place < @last
			inner join picked as a on a.item = x.item
			inner join picked as b on b.item = y.item and b.condition = a.condition
		),
		images as (
			select * from answered() where level = 'domain' and condition_id in (select condition_id from picked)
		)
		select
			place_a as a_id, place_b as b_id, domain, image_id,
			sum(n_a) as n_a, sum(correct_a) as correct_a, sum(score_a) as score_a,
			sum(n_b) as n_b, sum(correct_b) as correct_b, sum(score_b) as score_b
		from paired('sides', 'images')
		inner join sides using (a_id, b_id)
		group by place_a, place_b, domain, image_id`
)

// compareSQL compares the items of the table pairs.
var compareSQL = sql.Text("queries/compare.sql")

// compared are the differences of each two items in the table pairs.
func compared(ctx context.Context, e *engine.Engine, items []string, points float64) ([]Difference, error) {
	query := strings.NewReplacer("@items", sql.QuoteList(items), "@points", fmt.Sprint(points), "@power",
		fmt.Sprint(power)).Replace(compareSQL)
	batch, err := batches.One(ctx, e.Conn, query)
	if err != nil {
		return nil, err
	}
	defer batch.Release()
	return rows.All(rows.Structs[Difference](batch))
}

// resolveItem finds the captioner, prompt or reader that a name stands for. This is the item of
// exactly this name, or else the first item with this id or name in other letter case.
func resolveItem(ctx context.Context, e *engine.Engine, o CompareOptions, name string) (string, error) {
	_, rows, err := e.Strings(ctx, `
		select distinct item, coalesce(m.name, item) from asked left join models as m on m.model_id = item
		order by item <> `+sql.Quote(name)+`, item`)
	if err != nil {
		return "", err
	}
	var known []string
	for _, row := range rows {
		if strings.EqualFold(row[0], name) || strings.EqualFold(row[1], name) {
			return row[0], nil
		}
		known = append(known, row[0])
	}
	facts, err := e.Values(ctx, `
		select
			exists (from conditions where evidence = 'caption' and provenance <> 'published'),
			exists (from published where `+sql.Quote(name)+` in (model_id, model))`)
	if err != nil {
		return "", err
	}
	hasAnswers, isPublished := facts[0] == "true", facts[1] == "true"
	choose := "choose from: " + strings.Join(known, ", ")
	switch {
	case len(known) > 0 && isPublished:
		return "", data.Errorf(choose, "the lake has printed figures of %s, which are in leaderboard, "+
			"and no answers, which a comparison pairs by image", name)
	case len(known) > 0:
		choose = spelling.Meant(choose, known, name)
	case hasAnswers:
		choose = "the lake has no such answers; choose another protocol, or ask readers first"
	default:
		return "", data.Errorf("ask readers with captionlake run, or load answers with captionlake ingest, "+
			"then run captionlake analyze; the published figures are in leaderboard",
			"the lake has published figures only, and a comparison pairs answers by image")
	}
	return "", data.Errorf(choose, "there are no answers of protocol %s with the %s %q", o.Protocol, o.By, name)
}

// pickConditions makes the table picked: the conditions that are compared. It returns the
// provenance of these conditions. Conditions of several provenances are an error.
func pickConditions(ctx context.Context, e *engine.Engine, items []string, o CompareOptions) (string, error) {
	chosen := map[string][]string{ByReader: o.Readers, ByCaptioner: o.Captioners, ByPrompt: o.Prompts,
		"provenance": strings.Fields(o.Provenance)} // An empty provenance gives an empty list.
	chosen[o.By] = items
	var where, known, named []string
	for column, values := range chosen {
		if len(values) == 0 {
			continue // no limit: all values of the column are compared
		}
		asked, err := e.Values(ctx, "select distinct "+column+" from asked")
		if err != nil {
			return "", err
		}
		where = append(where, column+" in "+sql.QuoteList(values))
		known, named = append(known, asked...), append(named, values...)
	}
	if err := e.Exec(ctx, "create temp table picked as from asked where "+strings.Join(where, " and ")); err != nil {
		return "", err
	}
	provenances, err := e.Values(ctx, "select distinct provenance from picked order by 1")
	switch {
	case err != nil:
		return "", err
	case len(provenances) == 0:
		return "", data.Errorf(spelling.Meant(
			"leave conditions out, or see what there is: captionlake sql \"from captionqa_scores\"", known, named...),
			"there are no answers under these conditions")
	case len(provenances) > 1:
		return "", data.Errorf("choose one with --provenance",
			"some of the answers are measured and some are simulated")
	}
	return provenances[0], nil
}
