package simulate

import (
	"cmp"
	"context"
	"encoding/json"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/arena"
)

// arenaVersion changes whenever the same options make other battles or votes.
const arenaVersion = "1"

// arenaBattles and arenaImages are the size of CapArena: 6,522 annotations (section 3.2) of images from the 5,100 of the released set.
const (
	arenaBattles = 6522
	arenaImages  = 5100
)

// An arenaCaptioner is one of the captioners of CapArena. What it writes is as long as Table 8 has it, or Table 4's people; how strong it
// is, is ours: the order is that of Figure 1, and the steps are even.
type arenaCaptioner struct {
	name  string
	words int
}

// arenaCaptioners are those of Figure 1 in its order, the best first.
var arenaCaptioners = []arenaCaptioner{
	{"GPT-4o-0806", 116}, {"human", 120}, {"Gemini-2.0-flash-exp", 417}, {"InternVL2-26B", 236}, {"Gemini-1.5-pro-002", 169},
	{"Claude-3.5-Sonnet-0620", 148}, {"GPT-4o-mini-0718", 140}, {"LLaMA-3.2-90B-Vision-Instruct", 160}, {"Qwen2-VL-72B-Instruct", 115},
	{"CogVLM2-llama3-chat-19B", 116}, {"MiniCPM-V2.6-8B", 107}, {"Qwen2-VL-7B-Instruct", 98}, {"Qwen2-VL-2B-Instruct", 117},
	{"LLaVA-1.6-34B", 125}, {"LLaVA-1.5-7B", 74},
}

// spreadOfStrengths is how far the best of these captioners is above the last, in log-odds.
const spreadOfStrengths = 4

// arenaJudge is the judge whose votes are made up, too: it agrees with people less often than they do among themselves, and has a
// taste of its own for each captioner.
const (
	arenaJudge       = "simulated-judge"
	judgeConsensus   = 0.5
	judgeTaste       = 0.3 // deviation of its strengths from the people's
	judgeUnreadable  = 0.002
	referenceWords   = 136
	wordsOfAPicture  = 60
	wordsOfAllTongue = 4000
)

// An ArenaReport says what was made up.
type ArenaReport struct {
	Seed       uint64             `json:"seed"`
	Scale      float64            `json:"scale"`
	Battles    int                `json:"battles"`
	Captioners int                `json:"captioners"`
	Votes      int                `json:"votes"`       // of made-up people
	JudgeVotes int                `json:"judge_votes"` // of a made-up judge
	Units      int                `json:"units"`
	Written    int                `json:"written"`   // of these, written now; the others were there
	Strengths  map[string]float64 `json:"strengths"` // log-odds behind the people's votes, by model_id
}

// RunArena writes battles between the captioners of CapArena, with votes of made-up people of known strengths and of a made-up judge:
// the paper's number of battles times options.Scale. Its texts are numbered words. The strengths are in the report and in the detail of the
// unit's run, so that ratings can be held against them. Check says which lakes are refused.
func RunArena(ctx context.Context, lake *data.Lake, options Options) (*ArenaReport, error) {
	options, err := options.complete()
	if err != nil {
		return nil, err
	}
	if err := Check(lake); err != nil {
		return nil, err
	}
	world, err := newArenaWorld(options)
	if err != nil {
		return nil, err
	}
	battles := world.battles()
	crowd := NewCrowd("arena votes", options.Seed, world.strengths)
	report := &ArenaReport{Seed: options.Seed, Scale: options.Scale, Battles: len(battles), Captioners: len(world.ids), Strengths: crowd.Strengths}
	votes, judged := crowd.Votes(battles), world.judge(&crowd, battles)
	report.Votes, report.JudgeVotes = len(votes), len(judged)
	settings := []string{seedText(options.Seed), strconv.FormatFloat(options.Scale, 'g', -1, 64)}
	commit := func(name, protocol string, detail any, put func(data.Unit) (bool, error)) error {
		u, err := arenaUnit(name, protocol, detail, settings...)
		if err != nil {
			return err
		}
		written, err := put(u)
		if err != nil {
			return err
		}
		report.Units++
		if written {
			report.Written++
		}
		if options.Progress != nil {
			options.Progress(name, report.Units, 3) // battles, votes of people and of a judge
		}
		return ctx.Err()
	}
	if err := commit("arena battles", "", nil, func(u data.Unit) (bool, error) {
		_, written, err := write(lake, u, data.Battles, each(battles))
		return written, err
	}); err != nil {
		return report, err
	}
	if err := commit(crowd.Name, arena.ProtocolVote, crowd, func(u data.Unit) (bool, error) {
		_, written, err := write(lake, u, data.Votes, each(votes))
		return written, err
	}); err != nil {
		return report, err
	}
	return report, commit("arena judge", arena.ProtocolBattle, nil, func(u data.Unit) (bool, error) {
		_, written, err := write(lake, u, data.Votes, each(judged))
		return written, err
	})
}

// arenaUnit describes a unit of battles or votes.
func arenaUnit(name, protocol string, detail any, settings ...string) (data.Unit, error) {
	u := data.Unit{Stage: stageName, Name: name, Protocol: protocol, Provenance: data.ProvenanceSimulated, Source: "simulation of CapArena"}
	if detail != nil {
		content, err := json.Marshal(detail)
		if err != nil {
			return u, fmt.Errorf("detail of %s: %w", name, err)
		}
		u.Detail = string(content)
	}
	u.Fingerprint = data.Fingerprint(append([]string{arenaVersion, name, u.Detail}, settings...)...)
	return u, nil
}

// An arenaWorld is what is fixed before any battle is drawn.
type arenaWorld struct {
	seed      uint64
	n, images int
	ids       []string // of the captioners, the best first
	words     []int
	strengths map[string]float64
}

func newArenaWorld(o Options) (*arenaWorld, error) {
	w := &arenaWorld{
		seed: o.Seed, n: max(int(math.Round(arenaBattles*o.Scale)), 1), images: max(int(math.Round(arenaImages*o.Scale)), 1),
		strengths: map[string]float64{},
	}
	for i, c := range arenaCaptioners {
		id, err := data.ModelIDFor(c.name)
		if err != nil {
			return nil, err
		}
		w.ids, w.words = append(w.ids, id), append(w.words, c.words)
		w.strengths[id] = spreadOfStrengths * (0.5 - float64(i)/float64(len(arenaCaptioners)-1))
	}
	return w, nil
}

// battles draws pairs, the rather the closer they are, as the paper's rule does, and images for them.
func (w *arenaWorld) battles() []data.Battle {
	type pair struct{ a, b int }
	var pairs []pair
	var upTo []float64
	sum := 0.0
	for a := range w.ids {
		for b := range a {
			p := 1 / (1 + math.Exp(w.strengths[w.ids[a]]-w.strengths[w.ids[b]]))
			sum += math.Sqrt(p * (1 - p))
			pairs, upTo = append(pairs, pair{b, a}), append(upTo, sum)
		}
	}
	r := stream(w.seed, "arena battles")
	battles := make([]data.Battle, 0, w.n)
	seen := map[string]bool{}
	for len(battles) < w.n {
		at, _ := slices.BinarySearch(upTo, r.Float64()*sum)
		p := pairs[at]
		if r.IntN(2) == 0 {
			p = pair{p.b, p.a}
		}
		image := fmt.Sprintf("sim_%07d", r.IntN(w.images)+1)
		m := arena.Pair{Benchmark: data.BenchmarkCapArena, ImageID: image, CaptionerA: w.ids[p.a], CaptionerB: w.ids[p.b], CaptionA: w.caption(p.a, image), CaptionB: w.caption(p.b, image)}
		for m.Repetition = 0; seen[m.ID()]; m.Repetition++ {
		}
		seen[m.ID()] = true
		b := data.Battle{
			BattleID: m.ID(), ImageID: image, CaptionerA: m.CaptionerA, CaptionerB: m.CaptionerB, CaptionA: m.CaptionA, CaptionB: m.CaptionB,
			Level: level(p.a - p.b), Ordinal: int32(len(battles)), Source: "captionlake simulation", Benchmark: m.Benchmark, Provenance: data.ProvenanceSimulated,
		}
		if m.CaptionerA != arena.Human && m.CaptionerB != arena.Human {
			b.Reference = w.text(stream(w.seed, "reference", image), image, referenceWords, 1)
		}
		battles = append(battles, b)
	}
	return battles
}

// level is the difficulty of a battle by how far apart the two are in the ranking, 4 for the closest; the bounds are ours.
func level(gap int) *int32 {
	l := int32(1)
	for _, least := range []int{9, 6, 3} {
		if max(gap, -gap) < least {
			l++
		}
	}
	return &l
}

// caption is what a captioner is made to say of an image.
func (w *arenaWorld) caption(captioner int, image string) string {
	r := stream(w.seed, "caption", w.ids[captioner], image)
	length := float64(w.words[captioner]) * math.Exp(0.25*r.NormFloat64())
	right := 1 / (1 + math.Exp(-w.strengths[w.ids[captioner]]/2)) // share of the words that are those of the picture
	return w.text(r, image, max(int(length), 5), right)
}

// text is numbered words, of which a share is of those that belong to the image: metrics that compare words then prefer the strong.
func (w *arenaWorld) text(r *rand.Rand, image string, n int, right float64) string {
	own := stream(w.seed, "words", image)
	belong := make([]int, wordsOfAPicture)
	for i := range belong {
		belong[i] = own.IntN(wordsOfAllTongue)
	}
	words := make([]string, n)
	for i := range words {
		word := r.IntN(wordsOfAllTongue)
		if r.Float64() < right {
			word = belong[r.IntN(len(belong))]
		}
		words[i] = "w" + strconv.Itoa(word)
	}
	return strings.Join(words, " ")
}

// judge makes the votes of a judge that is no person on the battles between models.
func (w *arenaWorld) judge(people *Crowd, battles []data.Battle) []data.Vote {
	taste := map[string]float64{}
	for _, id := range w.ids {
		taste[id] = people.Strengths[id] + judgeTaste*stream(w.seed, "taste", id).NormFloat64()
	}
	var votes []data.Vote
	for i := range battles {
		b := &battles[i]
		if b.CaptionerA == arena.Human || b.CaptionerB == arena.Human {
			continue
		}
		r := stream(w.seed, "judge", b.BattleID)
		v := data.Vote{
			BattleID: b.BattleID, Judge: arenaJudge, JudgeType: arena.JudgeModel, Protocol: arena.ProtocolBattle, ImageID: b.ImageID,
			Position: string(arena.OrderOf(int64(w.seed), b.BattleID)), Winner: people.common(b), Provenance: data.ProvenanceSimulated,
		}
		if r.Float64() >= judgeConsensus {
			v.Winner = outcome(r, taste[b.CaptionerA], taste[b.CaptionerB], people.TieOdds)
		}
		if r.Float64() < judgeUnreadable {
			v.Winner = arena.WinnerUnparsed
		}
		votes = append(votes, v)
	}
	slices.SortFunc(votes, func(x, y data.Vote) int { return cmp.Compare(x.BattleID, y.BattleID) })
	return votes
}
