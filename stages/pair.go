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
	// baseline captioners, as in CapArena-Auto: on each image the captioners meet one of them; if
	// empty, captioners meet each other
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
	// battles without votes that were removed because the lake no longer has their captions
	Removed int `json:"removed"`
	// battles kept for their votes although the lake no longer has their captions
	Outdated     int `json:"outdated"`
	Simulated    int `json:"simulated"`    // battles of the unit with made-up captions
	Alone        int `json:"alone"`        // images with a caption of only one captioner, or only of the baseline
	Undealt      int `json:"undealt"`      // images without a caption of some baseline
	Empty        int `json:"empty"`        // captions without text
	Unpictured   int `json:"unpictured"`   // images with a battle and without a picture
	Unreferenced int `json:"unreferenced"` // battles without a human caption for the judges
	Elsewhere    int `json:"elsewhere"`    // battles of the choice that another unit has already
}

// ErrNoBattles is wrapped by the error of a choice that gives no battles.
var ErrNoBattles = errors.New("there is no battle between these captions")

// Pair makes battles between the lake's captions of each image. The same options again change
// nothing, and other options add their battles to the battles of the same prompt. A battle keeps
// the texts of its captions. New captions therefore make new battles; the old battles stay only if
// somebody has voted on them.
func Pair(l *data.Lake, o PairOptions) (*PairReport, error) {
	if o.PerImage < 0 || o.PerImage > 0 && len(o.Against) > 0 {
		return nil, data.Errorf("leave --per-image out for all battles",
			"--per-image must be positive and cannot be combined with --against")
	}
	p := &pairing{options: o, lake: l, report: PairReport{Benchmark: data.BenchmarkCapArena, Prompt: o.Prompt}}
	if len(o.Against) > 0 {
		p.report.Benchmark = data.BenchmarkCapArenaAuto
	}
	var err error
	if p.options.Captioners, err = modelIDs(o.Captioners); err != nil {
		return nil, err
	}
	if p.options.Against, err = modelIDs(o.Against); err != nil {
		return nil, err
	}
	if p.options.Reference, err = data.ModelIDFor(cmp.Or(o.Reference, arena.Human)); err != nil {
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

// A pairing makes the battles of one choice: battles between the captions that the options choose.
type pairing struct {
	options PairOptions // with the model_ids of all captioners
	lake    *data.Lake
	unit    data.Unit
	all     []data.Battle // battles of the unit after the merge
	report  PairReport
}

// modelIDs gives the model_ids of captioners. Two names of the same model are an error, because the
// model would meet itself.
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

// An imageCaptions has the captions of one image: the captions that can meet, in the order of their
// captioners, and the human caption that accompanies the battles.
type imageCaptions struct {
	ImageID    string   `parquet:"image_id"`
	Captioners []string `parquet:"captioners"`
	Texts      []string `parquet:"texts"`
	Simulated  []string `parquet:"simulated"` // captioners with a simulated caption
	Reference  string   `parquet:"reference"` // the human caption; empty without one
	Pictured   bool     `parquet:"pictured"`  // the lake has the image's picture
	Dealable   bool     `parquet:"dealable"`  // the image has captions of all baselines; false without baselines
}

// promptCaptions selects the captions of a prompt ($1). People write without a prompt, so their
// captions count under any prompt. If a person has several captions of an image, readCaptions
// prefers the caption under this prompt. The column written says that a caption is not only white
// space.
const promptCaptions = `
	with captions_here as (
		select image_id, captioner, prompt, caption, provenance, regexp_matches(caption, '[^\s\v\x{85}\pZ]') as written
		from captions
		where prompt = $1 or captioner = '` + arena.Human + `'
	)`

// readCaptions reads the captions of the choice. A chosen captioner without captions is an error.
func (p *pairing) readCaptions() ([]imageCaptions, error) {
	var have []string // captioners with a caption that has text
	for c, err := range data.Query[struct {
		Captioner string `parquet:"captioner"`
		Written   bool   `parquet:"written"` // the captions have text
		Captions  int    `parquet:"captions"`
	}](p.lake, promptCaptions+`
		select captioner, written, count(*) as captions from captions_here group by all order by all`, p.options.Prompt) {
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
		return nil, data.Errorf(see, "%w: the lake has no captions under the prompt %s", ErrNoBattles, p.options.Prompt)
	}
	for _, id := range slices.Concat(p.options.Captioners, p.options.Against) {
		if !slices.Contains(have, id) {
			return nil, data.Errorf(spelling.Meant(see, have, id), "the lake has no captions of %s under the prompt %s",
				id, p.options.Prompt)
		}
	}
	entrants := have
	if len(p.options.Captioners) > 0 {
		entrants = slices.Concat(p.options.Captioners, p.options.Against)
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
			select image_id, first(caption order by prompt <> $1, prompt) as reference
			from captions
			where captioner = $4 and caption <> ''
			group by image_id
		) as r using (image_id)
		left join (select image_id, bool_or(path <> '') as pictured from images group by image_id) as i using (image_id)
		group by image_id
		order by image_id`, p.options.Prompt, entrants, p.options.Against, p.options.Reference)
}

// battles are the battles of the choice. Each image with captions of all baselines gets one of
// these baselines. Which baseline an image gets does not depend on the other captioners.
func (p *pairing) battles() ([]data.Battle, error) {
	images, err := p.readCaptions()
	if err != nil {
		return nil, err
	}
	var dealable []string
	for _, image := range images {
		if image.Dealable {
			dealable = append(dealable, image.ImageID)
		}
	}
	baselines := arena.Deal(p.options.Seed, dealable, p.options.Against)
	captioners := map[string]bool{} // captioners with a battle
	var chosen []data.Battle
	for _, image := range images {
		var entries []arena.Entry
		for i, captioner := range image.Captioners {
			entries = append(entries, arena.Entry{Captioner: captioner, Text: image.Texts[i]})
		}
		pairs := arena.AllPairs(p.report.Benchmark, image.ImageID, entries)
		switch {
		case len(p.options.Against) > 0 && !image.Dealable:
			p.report.Undealt++
			continue
		case len(p.options.Against) > 0:
			pairs = arena.Against(p.report.Benchmark, image.ImageID, baselines[image.ImageID], entries)
		case p.options.PerImage > 0:
			pairs = arena.Draw(p.options.Seed, p.options.PerImage, pairs)
		}
		if len(pairs) == 0 {
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
				Prompt: p.options.Prompt, Provenance: data.ProvenanceMeasured,
			}
			takesPart := func(captioner string) bool { return captioner == pair.CaptionerA || captioner == pair.CaptionerB }
			if !takesPart(p.options.Reference) { // The human caption does not accompany itself.
				if b.Reference = image.Reference; b.Reference == "" {
					p.report.Unreferenced++
				}
			}
			if slices.ContainsFunc(image.Simulated, takesPart) {
				b.Provenance = data.ProvenanceSimulated
			}
			chosen = append(chosen, b)
		}
	}
	if p.report.Captioners = len(captioners); len(chosen) == 0 {
		return nil, data.Errorf("choose captioners that describe the same images under one prompt: "+
			"captionlake sql \"select captioner, prompt, count(*) from captions group by all\"",
			"%w: images with a caption of one captioner only: %d; without a caption of some baseline: %d",
			ErrNoBattles, p.report.Alone, p.report.Undealt)
	}
	return chosen, nil
}

// merge adds the battles of the choice to the battles of earlier choices in the unit. It leaves
// battles out that are in another unit, or that are outdated and without votes.
func (p *pairing) merge(chosen []data.Battle) error {
	type earlierBattle struct {
		data.Battle
		Elsewhere bool `parquet:"elsewhere"` // it belongs to another unit
		Current   bool `parquet:"current"`   // the lake has both captions
		Voted     bool `parquet:"voted"`
	}
	// If two units have a battle, the entry of the other unit remains: the query gives it last.
	earlier := map[string]earlierBattle{}
	for b, err := range data.Query[earlierBattle](p.lake, `
		with texts as (select image_id, captioner, caption from captions where prompt = $2 or captioner = $3)
		select b.* exclude (unit), b.unit <> $1 as elsewhere,
			(image_id, captioner_a, caption_a) in (from texts) and (image_id, captioner_b, caption_b) in (from texts) as current,
			b.battle_id in (select battle_id from votes) as voted
		from battles as b
		order by elsewhere`, p.report.Unit, p.options.Prompt, arena.Human) {
		if err != nil {
			return err
		}
		earlier[b.BattleID] = b
	}
	for _, b := range chosen {
		same, known := earlier[b.BattleID]
		if same.Elsewhere {
			p.report.Elsewhere++
			continue
		}
		if !known {
			p.report.Added++
		}
		delete(earlier, b.BattleID)
		p.all = append(p.all, b)
	}
	// Now earlier has only battles that are not in the choice, or are in another unit.
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
	content := []string{"1"} // version of the fingerprint
	for i := range p.all {
		b := &p.all[i]
		b.Ordinal = int32(i)
		if b.Provenance == data.ProvenanceSimulated {
			p.report.Simulated++
			p.unit.Provenance = data.ProvenanceSimulated
		}
		// The BattleID depends on the captioners and the texts of their captions.
		content = append(content, b.BattleID, b.Reference, b.Provenance)
	}
	p.report.Battles = len(p.all)
	p.unit.Fingerprint = data.Fingerprint(content...)
	detail, _ := json.Marshal(p.options) // Texts and numbers can always be marshalled.
	p.unit.Detail = string(detail)
	_, err := data.Put(p.lake, p.unit, data.Battles, p.all...)
	return err
}
