package stages

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/arena"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/engine"
	"github.com/captionlake/captionlake/stages/llm"
)

// battleStage asks judges that see the picture which of two captions is better (CapArena section
// 4.1).
var battleStage = engine.Stage{
	Name:    "battle",
	Help:    "ask judges that see the picture which of two captions is better",
	Flags:   []string{"captioner", "prompt", "judge"},
	Section: "battles",
	Asks:    func(c *config.Config) ([]string, int) { return c.Battles.Judges, c.Battles.MaxTokens },
	Check: func(k *config.Check) {
		c := k.Config.Battles
		k.Served("battles.judges", "judge", c.Judges)
		k.One("battles.reference", c.Reference, config.ReferenceWithout, config.ReferenceWith, config.ReferenceBoth)
		k.Whole("battles.seed", 1)
		k.Whole("battles.attempts", 1)
		k.Whole("battles.max_tokens", 1)
		k.Between("battles.temperature", 0, 2)
	},
	Units: battleUnits,
}

// A battleUnit is the set of battles for one judge.
type battleUnit struct {
	Judge      config.Model
	Set        battleSet
	Reference  bool // the judge also gets the human caption
	Sampling   llm.Sampling
	Seed       int64 // seed of the orders
	BothOrders bool
	Captioners []string // at least one of these captioners has to take part; empty allows all
}

// A battleSet is the set of battles of captions under one prompt, of one benchmark. Simulated
// battles are a separate set, so that nothing real is marked as simulated.
type battleSet struct {
	Benchmark, Prompt string
	Simulated         bool
}

// A battleItem is a battle in one order, as a judge sees it.
type battleItem struct {
	data.Battle
	position arena.Position
	pictures []llm.Part
}

// countBattles counts the battles of each set by the reason why they are left out. The reason is
// empty for battles that are not left out. sets are ordered by name. A lake without battles is an
// error.
func countBattles(l *data.Lake,
	reason func(*data.Battle) string) (sets []battleSet, counts map[battleSet]map[string]int, err error) {
	counts = map[battleSet]map[string]int{}
	for b, err := range data.Scan(l, data.Battles) {
		if err != nil {
			return nil, nil, err
		}
		set := battleSet{b.Benchmark, b.Prompt, b.Provenance == data.ProvenanceSimulated}
		if counts[set] == nil {
			counts[set] = map[string]int{}
		}
		counts[set][reason(&b)]++
	}
	if len(counts) == 0 {
		err = data.Errorf("make them of its captions with: captionlake arena pair, "+
			"or load them with: captionlake ingest FILE", "%w: the lake has no battles", engine.ErrNothingToAsk)
	}
	sets = slices.SortedFunc(maps.Keys(counts),
		func(x, y battleSet) int { return strings.Compare(x.name(), y.name()) })
	return sets, counts, err
}

// leftOut adds up the counts of a set's battles by reason, and says how many battles are left out
// for each reason. Battles with the reason except count in all, but are not mentioned.
func leftOut(counts map[string]int, except string) (all int, left []string) {
	for _, reason := range slices.Sorted(maps.Keys(counts)) {
		all += counts[reason]
		if reason != "" && reason != except {
			left = append(left, fmt.Sprintf("%d %s", counts[reason], reason))
		}
	}
	return all, left
}

// battleUnits adds a unit for each set of battles and judge, without and with the human caption as
// the configuration says.
func battleUnits(s *engine.Scope) error {
	c := s.Config.Battles
	aboutElements := len(s.Choice.Benchmarks) > 0
	wantsVotes := len(c.Judges) > 0 || s.Choice.Stage == "battle"
	if aboutElements || !wantsVotes {
		return nil
	}
	judges, err := modelsOf(s, c.Judges, 1, // at least one judge
		nothing("no judge of battles is named", "name one with --judge, or under battles"))
	if err != nil {
		return err
	}
	pictures, err := picturesOf(s.Lake)
	if err != nil {
		return err
	}
	sets, counts, err := countBattles(s.Lake, func(b *data.Battle) string { return unasked(b, pictures) })
	if err != nil {
		return err
	}
	// Battles have no repetitions, so the number of the repetition is 0.
	sampling := judgeSampling(c.Temperature, c.MaxTokens, 0)
	references := map[string][]bool{ // for each unit: whether the judge gets the human caption
		config.ReferenceWithout: {false}, config.ReferenceWith: {true}, config.ReferenceBoth: {false, true},
	}[c.Reference]
	// A set has battles of many captioners, so battleUnit.wants applies the chosen captioners to each
	// battle. Here only the prompt is compared: prompts names no captioners, so "" stands for any.
	prompts := config.Choice{Prompts: s.Choice.Prompts}
	for _, set := range sets {
		if !prompts.Wants("", set.Prompt) {
			continue
		}
		for _, judge := range judges {
			for _, reference := range references {
				j := battleUnit{judge, set, reference, sampling, c.Seed, c.BothOrders, s.Choice.Captioners}
				s.Add(j.unit(c.Attempts, battleNote(counts[set], set, reference)))
			}
		}
	}
	if s.Empty() {
		return data.Errorf("make them with: captionlake arena pair --prompt NAME",
			"%w: the lake has no battles of captions under %s", engine.ErrNothingToAsk,
			strings.Join(s.Choice.Prompts, ", "))
	}
	return nil
}

func (s battleSet) name() string {
	if s.Simulated {
		return conditions(s.Benchmark, s.Prompt, data.ProvenanceSimulated)
	}
	return conditions(s.Benchmark, s.Prompt)
}

// Reasons why a judge does not get a battle. The paper compares judges on battles between models.
// Battles with a caption by a person are left to people (section 4.2).
const (
	ofPeople     = "with a caption by a person, left to people"
	textless     = "without the text of a caption"
	unpictured   = "without a picture in the lake (load pictures with captionlake ingest FOLDER)"
	unreferenced = "without a human caption to accompany them" // only for a judge that gets the human caption
)

// unasked gives the first reason for leaving a battle out; empty if there is no reason.
func unasked(b *data.Battle, pictures map[string][]llm.Part) string {
	switch {
	case b.CaptionerA == arena.Human || b.CaptionerB == arena.Human:
		return ofPeople
	case b.CaptionA == "" || b.CaptionB == "":
		return textless
	case len(pictures[b.ImageID]) == 0:
		return unpictured
	case b.Reference == "":
		return unreferenced
	}
	return ""
}

// battleNote says which battles of a set a judge does not get; empty if it gets all.
func battleNote(counts map[string]int, set battleSet, reference bool) string {
	except := unreferenced // A judge without the human caption gets these battles, too.
	if reference {
		except = "" // Every reason is mentioned.
	}
	all, left := leftOut(counts, except)
	if len(left) == 0 {
		return ""
	}
	return fmt.Sprintf("Judges are not asked about all of the %d battles of %s: %s.", all, set.name(),
		strings.Join(left, "; "))
}

// protocol is the protocol of the judge's votes.
func (j battleUnit) protocol() string {
	if j.Reference {
		return arena.ProtocolBattleReference
	}
	return arena.ProtocolBattle
}

// unit is the engine's unit of the battles. The note is also Empty, because a run prints only Empty
// if there are no items.
func (j battleUnit) unit(attempts int, note string) *engine.Unit[battleItem] {
	suffix := ""
	if j.Reference {
		suffix = "reference"
	}
	return &engine.Unit[battleItem]{
		Conditions: engine.Conditions{
			Name: conditions(j.Judge.ID, j.Set.name(), suffix), Model: j.Judge, Protocol: j.protocol(),
			Source: "battles, images", Simulated: j.Set.Simulated, Attempts: attempts, Note: note, Empty: note,
		},
		Inputs:  engine.Inputs{Settings: j, Reads: []data.AnyTable{data.Battles, data.Images}},
		Items:   j.items,
		Request: j.request,
		Accept: func(_ battleItem, r llm.Reply) error {
			_, _, err := arena.ReadReply(r.Text)
			return err
		},
		Rows: engine.Into("votes", data.Votes, j.rows),
	}
}

// wants reports whether to ask about a battle in an order. The recorded replies about other orders,
// which an earlier run asked with other settings, are read in any case: each is a separate vote.
func (j battleUnit) wants(b battleItem) bool {
	chosen := config.Choice{Captioners: j.Captioners} // It wants every prompt, so "" stands for any.
	return (chosen.Wants(b.CaptionerA, "") || chosen.Wants(b.CaptionerB, "")) &&
		(j.BothOrders || b.position == arena.OrderOf(j.Seed, b.BattleID))
}

// items gives the battles of the set that a judge may get, in both orders. Battles of an image come
// together if their battle_ids begin with the image_id.
func (j battleUnit) items(s *engine.Scope, each engine.Each[battleItem]) error {
	pictures, err := picturesOf(s.Lake)
	if err != nil {
		return err
	}
	for b, err := range data.Select(s.Lake, data.Battles,
		data.Where{"benchmark": j.Set.Benchmark, "prompt": j.Set.Prompt}) {
		if err != nil {
			return err
		}
		if (b.Provenance == data.ProvenanceSimulated) != j.Set.Simulated {
			continue
		}
		reason := unasked(&b, pictures)
		// Only a judge that gets the human caption needs a human caption.
		isAsked := reason == "" || reason == unreferenced && !j.Reference
		if !isAsked {
			continue
		}
		for _, position := range []arena.Position{arena.PositionAB, arena.PositionBA} {
			// Both orders of a battle are requests of one unit, so that all battles of a picture
			// are asked together.
			item := battleItem{b, position, pictures[b.ImageID]}
			if err := each(item, engine.Keys{Subject: b.BattleID + " " + string(position), Group: b.ImageID,
				Spared: !j.wants(item)}); err != nil {
				return err
			}
		}
	}
	return nil
}

// request puts the pictures first, because all battles of an image share them.
func (j battleUnit) request(b battleItem) (llm.Request, error) {
	first, second := b.position.Shown(b.CaptionA, b.CaptionB)
	reference := ""
	if j.Reference {
		reference = b.Reference
	}
	message := llm.User(arena.JudgeUser(first, second, reference), b.pictures...)
	return llm.Request{Messages: []llm.Message{llm.System(arena.JudgeSystem(j.Reference)), message},
		Sampling: j.Sampling}, nil
}

// rows gives the judge's vote: failed for a failed call, unparsed if no reply could be read.
func (j battleUnit) rows(b battleItem, o engine.Outcome) ([]data.Vote, error) {
	v := data.Vote{
		BattleID: b.BattleID, Judge: j.Judge.ID, JudgeType: arena.JudgeModel, Protocol: j.protocol(),
		Position: string(b.position), Winner: arena.WinnerFailed, ImageID: b.ImageID,
		RequestHash: o.RequestHash, Provenance: o.Provenance,
	}
	if !o.Failed {
		reason, judgment, _ := arena.ReadReply(o.Text) // An unreadable reply has the outcome unparsed.
		v.Reason, v.Winner = reason, b.position.Winner(judgment)
	}
	return []data.Vote{v}, nil
}
