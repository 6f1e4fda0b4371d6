package stages

import (
	"cmp"
	"encoding/json"
	"errors"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/arena"
	"github.com/captionlake/captionlake/data/spelling"
)

// PairOptions say which captions of the lake meet in battles.
type PairOptions struct {
	Prompt string `json:"prompt"` // prompt of the captions
	// captioners that take part, by any of their names; empty for all that have captions
	Captioners []string `json:"captioners,omitempty"`
	PerImage   int      `json:"per_image,omitempty"` // number of battles drawn for each image; 0 takes all pairs
	// baselines; each image gets one of them, as in CapArena-Auto; empty lets captioners meet each other
	Against   []string `json:"against,omitempty"`
	Seed      int64    `json:"seed"`      // seed of the draws
	Reference string   `json:"reference"` // captioner of the human caption that accompanies a battle
}

// A PairReport says which battles the lake now has, and what was left out.
type PairReport struct {
	Unit       string `json:"unit"`
	Benchmark  string `json:"benchmark"`
	Prompt     string `json:"prompt"`
	Captioners int    `json:"captioners"` // captioners that take part
	Images     int    `json:"images"`     // images with a battle of the present choice
	Battles    int    `json:"battles"`    // battles of the unit, including earlier choices
	Added      int    `json:"added"`      // battles added now
	// battles removed because the lake no longer has their captions; nobody voted on them
	Removed int `json:"removed"`
	// battles kept for their votes although the lake no longer has their captions
	Outdated     int `json:"outdated"`
	Simulated    int `json:"simulated"`  // battles of the unit with made-up captions
	Alone        int `json:"alone"`      // images with a caption of only one captioner, or only of the baseline
	Undealt      int `json:"undealt"`    // images without a caption of some baseline
	Empty        int `json:"empty"`      // captions without text
	Unpictured   int `json:"unpictured"` // images with a battle and without a picture
	Unreferenced int `json:"unreferenced"`
	Elsewhere    int `json:"elsewhere"` // battles that belong to another unit
}

// ErrNoBattles is wrapped by the error of a choice that gives no battles.
var ErrNoBattles = errors.New("there is no battle between these captions")

// Pair makes battles between the lake's captions of each image. The choice is repeatable: the same
// choice again changes nothing, and another choice adds its battles to the battles of the same
// prompt. A battle keeps the texts of its captions. New captions therefore make new battles; the
// old battles stay only if somebody has voted on them.
func Pair(l *data.Lake, o PairOptions) (*PairReport, error) {
	if o.PerImage < 0 || o.PerImage > 0 && len(o.Against) > 0 {
		return nil, data.Errorf("leave --per-image out for all battles",
			"--per-image must be positive and cannot be combined with --against")
	}
	p := &pairing{o: o, lake: l, report: PairReport{Benchmark: data.BenchmarkCapArena, Prompt: o.Prompt}}
	if len(o.Against) > 0 {
		p.report.Benchmark = data.BenchmarkCapArenaAuto
	}
	var err, invalid error
	p.o.Captioners, err = modelIDs(o.Captioners)
	p.o.Against, invalid = modelIDs(o.Against)
	if err := cmp.Or(err, invalid); err != nil {
		return nil, err
	}
	if p.o.Reference, err = data.ModelIDFor(cmp.Or(o.Reference, arena.Human)); err != nil {
		return nil, err
	}
	p.unit = data.Unit{Stage: "arena/pair", Name: conditions(p.report.Benchmark, o.Prompt),
		Source: "captions", Provenance: data.ProvenanceMeasured}
	p.report.Unit = p.unit.FileStem()
	chosen, err := p.battles()
	if err != nil {
		return nil, err
	}
	release, err := l.Hold(p.report.Unit) // before reading the battles of earlier choices
	if err != nil {
		return nil, err
	}
	defer release()
	if err := p.merge(chosen); err != nil {
		return nil, err
	}
	return &p.report, p.commit()
}

// A pairing makes the battles of one choice.
type pairing struct {
	o      PairOptions
	lake   *data.Lake
	unit   data.Unit
	all    []data.Battle // battles of the unit after the merge
	report PairReport
}

// modelIDs gives the model_ids of captioners. Two names of the same model are an error, because it
// would meet itself.
func modelIDs(names []string) ([]string, error) {
	var ids []string
	for i, name := range names {
		id, err := data.ModelIDFor(name)
		if err != nil {
			return nil, err
		}
		if first := slices.Index(ids, id); first >= 0 {
			return nil, data.Errorf("name each captioner once",
				"%s and %s are the same captioner, which cannot meet itself", names[first], names[i])
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// An imageCaptions is the captions of one image: the captions that can meet, in the order of their
// captioners, and the accompanying human caption.
type imageCaptions struct {
	ImageID    string   `parquet:"image_id"`
	Captioners []string `parquet:"captioners"`
	Texts      []string `parquet:"texts"`
	Simulated  []string `parquet:"simulated"` // captioners with a made-up caption
	Reference  string   `parquet:"reference"`
	Pictured   bool     `parquet:"pictured"`
	Dealable   bool     `parquet:"dealable"` // it has captions of all baselines
}

// promptCaptions selects the captions of a prompt ($1). People write without a prompt, so their
// captions count under any prompt; a person's caption under this prompt comes first.
const promptCaptions = `
	with captions_here as (
		select image_id, captioner, prompt, caption, provenance, regexp_matches(caption, '[^\s\v\x{85}\pZ]') as written
		from captions
		where prompt = $1 or captioner = '` + arena.Human + `'
	)`

// read reads the captions of the choice. It refuses captioners of the choice without captions in the
// lake.
func (p *pairing) read() ([]imageCaptions, error) {
	var have []string
	for c, err := range data.Query[struct {
		Captioner string `parquet:"captioner"`
		Written   bool   `parquet:"written"`
		Captions  int    `parquet:"captions"`
	}](p.lake, promptCaptions+"select captioner, written, count(*) as captions from captions_here group by all order by all",
		p.o.Prompt) {
		if err != nil {
			return nil, err
		}
		if c.Written {
			have = append(have, c.Captioner)
		} else {
			p.report.Empty += c.Captions
		}
	}
	const see = "see which it has: captionlake sql \"select distinct captioner, prompt from captions\""
	if len(have) == 0 {
		return nil, data.Errorf(see, "%w: the lake has no captions under the prompt %s", ErrNoBattles, p.o.Prompt)
	}
	for _, id := range slices.Concat(p.o.Captioners, p.o.Against) {
		if !slices.Contains(have, id) {
			return nil, data.Errorf(spelling.Meant(see, have, id), "the lake has no captions of %s under the prompt %s",
				id, p.o.Prompt)
		}
	}
	takes := have
	if len(p.o.Captioners) > 0 {
		takes = slices.Concat(p.o.Captioners, p.o.Against)
	}
	return data.QueryAll[imageCaptions](p.lake, promptCaptions+`,
		entries as (
			select * from captions_here where written and captioner in (select unnest($2::varchar[]))
			qualify row_number() over (partition by image_id, captioner order by prompt <> $1, prompt) = 1
		)
		select
			image_id, list(captioner order by captioner) as captioners, list(caption order by captioner) as texts,
			coalesce(list(captioner) filter (provenance = 'simulated'), []) as simulated,
			len($3::varchar[]) > 0 and list_has_all(captioners, $3::varchar[]) as dealable, any_value(r.reference) as reference,
			coalesce(any_value(i.pictured), false) as pictured
		from entries
		left join (
			select image_id, first(caption order by prompt <> $1, prompt) as reference from captions where captioner = $4 and caption <> '' group by image_id
		) as r using (image_id)
		left join (select image_id, bool_or(path <> '') as pictured from images group by image_id) as i using (image_id)
		group by image_id
		order by image_id`, p.o.Prompt, takes, p.o.Against, p.o.Reference)
}

// battles are the battles of the choice. Each image that has captions of all baselines is dealt one
// of them, whatever captioners are under test.
func (p *pairing) battles() ([]data.Battle, error) {
	images, err := p.read()
	if err != nil {
		return nil, err
	}
	var dealable []string
	for _, image := range images {
		if image.Dealable {
			dealable = append(dealable, image.ImageID)
		}
	}
	dealt := arena.Deal(p.o.Seed, dealable, p.o.Against)
	captioners := map[string]bool{}
	var chosen []data.Battle
	for _, image := range images {
		var entries []arena.Entry
		for i, captioner := range image.Captioners {
			entries = append(entries, arena.Entry{Captioner: captioner, Text: image.Texts[i]})
		}
		pairs := arena.AllPairs(p.report.Benchmark, image.ImageID, entries)
		switch {
		case len(p.o.Against) > 0:
			pairs = arena.Against(p.report.Benchmark, image.ImageID, dealt[image.ImageID], entries)
		case p.o.PerImage > 0:
			pairs = arena.Draw(p.o.Seed, p.o.PerImage, pairs)
		}
		switch {
		case len(p.o.Against) > 0 && !image.Dealable:
			p.report.Undealt++
			continue
		case len(pairs) == 0:
			p.report.Alone++
			continue
		}
		p.report.Images++
		if !image.Pictured {
			p.report.Unpictured++
		}
		for _, pair := range pairs {
			captioners[pair.CaptionerA], captioners[pair.CaptionerB] = true, true
			b := data.Battle{
				BattleID: pair.ID(), ImageID: pair.ImageID, CaptionerA: pair.CaptionerA, CaptionerB: pair.CaptionerB,
				CaptionA: pair.CaptionA, CaptionB: pair.CaptionB, Source: "captions", Benchmark: pair.Benchmark,
				Prompt: p.o.Prompt, Provenance: data.ProvenanceMeasured,
			}
			is := func(captioner string) bool { return captioner == pair.CaptionerA || captioner == pair.CaptionerB }
			if !is(p.o.Reference) { // The human caption does not accompany itself.
				if b.Reference = image.Reference; b.Reference == "" {
					p.report.Unreferenced++
				}
			}
			if slices.ContainsFunc(image.Simulated, is) {
				b.Provenance = data.ProvenanceSimulated
			}
			chosen = append(chosen, b)
		}
	}
	if p.report.Captioners = len(captioners); len(chosen) == 0 {
		return nil,
			data.Errorf("choose captioners that describe the same images under one prompt: captionlake sql \"select captioner, prompt, count(*) from captions group by all\"", "%w: images with a caption of one captioner only: %d; without a caption of some baseline: %d", ErrNoBattles, p.report.Alone, p.report.Undealt)
	}
	return chosen, nil
}

// merge adds the battles of the choice to the battles of earlier choices in the unit.
func (p *pairing) merge(chosen []data.Battle) error {
	type earlierBattle struct {
		data.Battle
		Elsewhere bool `parquet:"elsewhere"` // it belongs to another unit
		Current   bool `parquet:"current"`   // the lake has both captions
		Voted     bool `parquet:"voted"`
	}
	earlier := map[string]earlierBattle{}
	for b, err := range data.Query[earlierBattle](p.lake, `
		with texts as (select image_id, captioner, caption from captions where prompt = $2 or captioner = $3)
		select b.* exclude (unit), b.unit <> $1 as elsewhere,
			(image_id, captioner_a, caption_a) in (from texts) and (image_id, captioner_b, caption_b) in (from texts) as current,
			b.battle_id in (select battle_id from votes) as voted
		from battles as b
		order by elsewhere`, p.report.Unit, p.o.Prompt, arena.Human) {
		if err != nil {
			return err
		}
		earlier[b.BattleID] = b
	}
	for _, b := range chosen {
		before, known := earlier[b.BattleID]
		if before.Elsewhere {
			p.report.Elsewhere++
			continue
		}
		if !known {
			p.report.Added++
		}
		delete(earlier, b.BattleID)
		p.all = append(p.all, b)
	}
	for _, b := range earlier {
		switch {
		case b.Elsewhere:
			continue
		case !b.Current && !b.Voted:
			p.report.Removed++
			continue
		case !b.Current:
			p.report.Outdated++
		}
		p.all = append(p.all, b.Battle)
	}
	return nil
}

// commit writes the unit, unless the lake has it unchanged.
func (p *pairing) commit() error {
	slices.SortFunc(p.all, func(a, b data.Battle) int { return strings.Compare(a.BattleID, b.BattleID) })
	content := []string{"1"}
	for i := range p.all {
		b := &p.all[i]
		b.Ordinal = int32(i)
		if b.Provenance == data.ProvenanceSimulated {
			p.report.Simulated++
			p.unit.Provenance = data.ProvenanceSimulated
		}
		content = append(content, b.BattleID, b.Reference, b.Provenance)
	}
	p.report.Battles = len(p.all)
	p.unit.Fingerprint = data.Fingerprint(content...)
	detail, _ := json.Marshal(p.o) // Texts and numbers can always be marshalled.
	p.unit.Detail = string(detail)
	_, err := data.Put(p.lake, p.unit, data.Battles, p.all...)
	return err
}
