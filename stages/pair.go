package stages

import (
	"cmp"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
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
	PerImage   int      `json:"per_image,omitempty"` // battles of an image, drawn; 0 for all pairs
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

// An imageCaptions is the captions of one image: the captions that can meet, and the accompanying
// human caption.
type imageCaptions struct {
	imageID   string
	entries   []arena.Entry
	simulated map[string]bool // captioners with a made-up caption
	reference string
	pictured  bool
}

// Pair makes battles between the lake's captions of each image. The choice is repeatable: the same
// choice again changes nothing, and another choice adds its battles to the battles of the same
// prompt. A battle keeps the texts of its captions. New captions therefore make new battles; the
// old battles stay only if somebody has voted on them.
func Pair(l *data.Lake, o PairOptions) (*PairReport, error) {
	p, err := newPairing(l, o)
	if err != nil {
		return nil, err
	}
	chosen, err := p.battles()
	if err != nil {
		return nil, err
	}
	release, err := l.Hold(p.unit.FileStem()) // before reading the battles of earlier choices
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
	images []imageCaptions
	all    []data.Battle // battles of the unit after the merge
	report PairReport
}

func newPairing(l *data.Lake, o PairOptions) (*pairing, error) {
	if o.PerImage < 0 || o.PerImage > 0 && len(o.Against) > 0 {
		return nil, data.WithHint(errors.New("--per-image must be positive and cannot be combined with --against"),
			"leave --per-image out for all battles")
	}
	benchmark := data.BenchmarkCapArena
	if len(o.Against) > 0 {
		benchmark = data.BenchmarkCapArenaAuto
	}
	for _, list := range []*[]string{&o.Captioners, &o.Against} {
		ids, err := modelIDs(*list)
		if err != nil {
			return nil, err
		}
		*list = ids
	}
	reference, err := data.ModelIDFor(cmp.Or(o.Reference, arena.Human))
	if err != nil {
		return nil, err
	}
	o.Reference = reference
	p := &pairing{o: o, lake: l, report: PairReport{Benchmark: benchmark, Prompt: o.Prompt}}
	p.unit = data.Unit{Stage: "arena/pair", Name: conditions(benchmark, o.Prompt),
		Source: "captions", Provenance: data.ProvenanceMeasured}
	p.report.Unit = p.unit.FileStem()
	return p, p.read()
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
			return nil, data.WithHint(fmt.Errorf("%s and %s are the same captioner, which cannot meet itself",
				names[first], names[i]), "name each captioner once")
		}
		ids = append(ids, id)
	}
	return ids, nil
}

// read reads the captions of the prompt. People write without a prompt, so their captions count
// under any prompt; a person's caption under this prompt comes first.
func (p *pairing) read() error {
	for c, err := range data.Query[struct {
		ImageID   string `parquet:"image_id"`
		Captioner string `parquet:"captioner"`
		Text      string `parquet:"text"`
		Simulated bool   `parquet:"simulated"`
		Reference string `parquet:"reference"`
		Pictured  bool   `parquet:"pictured"`
	}](p.lake, `
		select c.image_id, c.captioner, c.caption as text, c.provenance = 'simulated' as simulated, r.reference, i.pictured
		from captions as c
		left join (
			select image_id, first(caption order by prompt <> $1, prompt) as reference from captions where captioner = $2 and caption <> '' group by image_id
		) as r using (image_id)
		left join (select image_id, bool_or(path <> '') as pictured from images group by image_id) as i using (image_id)
		where c.prompt = $1 or c.captioner = $3
		order by c.image_id, c.captioner, c.prompt <> $1, c.prompt`, p.o.Prompt, p.o.Reference, arena.Human) {
		if err != nil {
			return err
		}
		if strings.TrimSpace(c.Text) == "" {
			p.report.Empty++
			continue
		}
		if n := len(p.images); n == 0 || p.images[n-1].imageID != c.ImageID {
			p.images = append(p.images,
				imageCaptions{imageID: c.ImageID, simulated: map[string]bool{}, reference: c.Reference,
					pictured: c.Pictured})
		}
		image := &p.images[len(p.images)-1]
		if n := len(image.entries); n == 0 || image.entries[n-1].Captioner != c.Captioner {
			image.entries = append(image.entries, arena.Entry{Captioner: c.Captioner, Text: c.Text})
			image.simulated[c.Captioner] = c.Simulated
		}
	}
	return p.known()
}

// known refuses captioners of the choice without captions in the lake.
func (p *pairing) known() error {
	have := map[string]bool{}
	for _, c := range p.images {
		for _, e := range c.entries {
			have[e.Captioner] = true
		}
	}
	if len(have) == 0 {
		return data.WithHint(fmt.Errorf("%w: the lake has no captions under the prompt %s", ErrNoBattles, p.o.Prompt),
			"see which it has: captionlake sql \"select distinct captioner, prompt from captions\"")
	}
	for _, id := range slices.Concat(p.o.Captioners, p.o.Against) {
		if !have[id] {
			return data.WithHint(fmt.Errorf("the lake has no captions of %s under the prompt %s", id, p.o.Prompt),
				"%s", spelling.Meant("see which it has: captionlake sql \"select distinct captioner, prompt from captions\"", slices.Sorted(maps.Keys(have)), id))
		}
	}
	return nil
}

// battles are the battles of the choice.
func (p *pairing) battles() ([]data.Battle, error) {
	takes := func(captioner string) bool {
		return len(p.o.Captioners) == 0 || slices.Contains(p.o.Captioners, captioner) ||
			slices.Contains(p.o.Against, captioner)
	}
	dealt := p.deal()
	captioners := map[string]bool{}
	var chosen []data.Battle
	for _, image := range p.images {
		var entries []arena.Entry
		for _, e := range image.entries {
			if takes(e.Captioner) {
				entries = append(entries, e)
			}
		}
		var pairs []arena.Pair
		if len(p.o.Against) > 0 {
			pairs = arena.Against(p.report.Benchmark, image.imageID, dealt[image.imageID], entries)
		} else {
			pairs = arena.AllPairs(p.report.Benchmark, image.imageID, entries)
			if p.o.PerImage > 0 {
				pairs = arena.Draw(p.o.Seed, p.o.PerImage, pairs)
			}
		}
		switch _, isDealt := dealt[image.imageID]; {
		case len(p.o.Against) > 0 && !isDealt && len(entries) > 0:
			p.report.Undealt++
		case len(pairs) == 0 && len(entries) > 0:
			p.report.Alone++
		}
		if len(pairs) == 0 {
			continue
		}
		p.report.Images++
		if !image.pictured {
			p.report.Unpictured++
		}
		for _, pair := range pairs {
			captioners[pair.CaptionerA], captioners[pair.CaptionerB] = true, true
			b := data.Battle{
				BattleID: pair.ID(), ImageID: pair.ImageID, CaptionerA: pair.CaptionerA, CaptionerB: pair.CaptionerB,
				CaptionA: pair.CaptionA,
				CaptionB: pair.CaptionB, Source: "captions", Benchmark: pair.Benchmark, Prompt: p.o.Prompt,
				Provenance: data.ProvenanceMeasured,
			}
			// The human caption does not accompany itself.
			if pair.CaptionerA != p.o.Reference && pair.CaptionerB != p.o.Reference {
				if b.Reference = image.reference; b.Reference == "" {
					p.report.Unreferenced++
				}
			}
			if image.simulated[pair.CaptionerA] || image.simulated[pair.CaptionerB] {
				b.Provenance = data.ProvenanceSimulated
			}
			chosen = append(chosen, b)
		}
	}
	if p.report.Captioners = len(captioners); len(chosen) == 0 {
		return nil, data.WithHint(fmt.Errorf("%w: images with a caption of one captioner only: %d; without a caption of some baseline: %d", ErrNoBattles, p.report.Alone, p.report.Undealt),
			"choose captioners that describe the same images under one prompt: captionlake sql \"select captioner, prompt, count(*) from captions group by all\"")
	}
	return chosen, nil
}

// deal gives each image that has captions of all baselines one of them. The result must not depend
// on the captioners under test.
func (p *pairing) deal() map[string]string {
	if len(p.o.Against) == 0 {
		return nil
	}
	var ids []string
	for _, image := range p.images {
		has := func(captioner string) bool {
			return slices.ContainsFunc(image.entries, func(e arena.Entry) bool { return e.Captioner == captioner })
		}
		if !slices.ContainsFunc(p.o.Against, func(baseline string) bool { return !has(baseline) }) {
			ids = append(ids, image.imageID)
		}
	}
	return arena.Deal(p.o.Seed, ids, p.o.Against)
}

// merge adds the battles of the choice to the battles of earlier choices in the unit.
func (p *pairing) merge(chosen []data.Battle) error {
	type earlierBattle struct {
		data.Battle
		Current bool `parquet:"current"` // the lake has both captions
		Voted   bool `parquet:"voted"`
	}
	earlier := map[string]earlierBattle{}
	for b, err := range data.Query[earlierBattle](p.lake, `
		with texts as (select image_id, captioner, caption from captions where prompt = $2 or captioner = $3)
		select b.* exclude (unit), (image_id, captioner_a, caption_a) in (from texts) and (image_id, captioner_b, caption_b) in (from texts) as current,
			b.battle_id in (select battle_id from votes) as voted
		from battles as b
		where b.unit = $1`, p.report.Unit, p.o.Prompt, arena.Human) {
		if err != nil {
			return err
		}
		earlier[b.BattleID] = b
	}
	type named struct {
		ID string `parquet:"battle_id"`
	}
	elsewhere := map[string]bool{}
	for b, err := range data.Query[named](p.lake, "select battle_id from battles where unit <> $1", p.report.Unit) {
		if err != nil {
			return err
		}
		elsewhere[b.ID] = true
	}
	for _, b := range chosen {
		switch _, known := earlier[b.BattleID]; {
		case elsewhere[b.BattleID]:
			p.report.Elsewhere++
			continue
		case !known:
			p.report.Added++
		}
		delete(earlier, b.BattleID)
		p.all = append(p.all, b)
	}
	for _, b := range earlier {
		switch {
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
	detail, err := json.Marshal(p.o)
	if err != nil {
		return err
	}
	p.unit.Detail = string(detail)
	_, err = data.Put(p.lake, p.unit, data.Battles, p.all...)
	return err
}
