package simulate

import (
	"context"
	"fmt"
	"math"
	"slices"
	"strconv"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/arena"
)

// arenaVersion changes whenever the same options make other battles or votes.
const arenaVersion = "2"

// arenaBattles and arenaImages are the size of CapArena: 6,522 annotations (section 3.2) of the
// 5,100 images in the released set.
const (
	arenaBattles = 6522
	arenaImages  = 5100
)

// arenaCaptioners are the captioners of CapArena's Figure 1 in its order, the best first. We chose
// their strengths, in equal steps.
var arenaCaptioners = []string{
	"GPT-4o-0806", "human", "Gemini-2.0-flash-exp", "InternVL2-26B", "Gemini-1.5-pro-002",
	"Claude-3.5-Sonnet-0620", "GPT-4o-mini-0718", "LLaMA-3.2-90B-Vision-Instruct", "Qwen2-VL-72B-Instruct",
	"CogVLM2-llama3-chat-19B", "MiniCPM-V2.6-8B", "Qwen2-VL-7B-Instruct", "Qwen2-VL-2B-Instruct",
	"LLaVA-1.6-34B", "LLaVA-1.5-7B",
}

// spreadOfStrengths is the distance between the best and the last of these captioners, in log-odds.
const spreadOfStrengths = 4

// An ArenaReport describes the made-up battles.
type ArenaReport struct {
	Seed       uint64             `json:"seed"`
	Scale      float64            `json:"scale"`
	Battles    int                `json:"battles"`
	Captioners int                `json:"captioners"`
	Votes      int                `json:"votes"` // of made-up people
	Units      int                `json:"units"`
	Written    int                `json:"written"`   // units written now; the others existed already
	Strengths  map[string]float64 `json:"strengths"` // log-odds behind the people's votes, by model_id
}

// RunArena writes battles between the captioners of CapArena, with votes of made-up people of known
// strengths: the paper's number of battles times options.Scale. The battles have no captions. The
// strengths are in the report and in the detail of the unit's run, so that ratings can be compared
// with them. Check says which lakes are refused.
func RunArena(ctx context.Context, lake *data.Lake, options Options) (*ArenaReport, error) {
	s, err := begin(lake, options, 2) // battles and votes
	if err != nil {
		return nil, err
	}
	var ids []string
	strengths := map[string]float64{}
	for i, name := range arenaCaptioners {
		id, err := data.ModelIDFor(name)
		if err != nil {
			return nil, err
		}
		ids = append(ids, id)
		strengths[id] = spreadOfStrengths * (0.5 - float64(i)/float64(len(arenaCaptioners)-1))
	}
	battles := drawBattles(options, ids, strengths)
	crowd := NewCrowd("arena votes", options.Seed, strengths)
	votes := crowd.Votes(battles)
	settings := []string{fmt.Sprint(options.Seed), strconv.FormatFloat(options.Scale, 'g', -1, 64)}
	// Battles have no protocol and no detail. The report counts battles and votes, so they are drawn
	// in any case.
	if err := put(ctx, s, arenaUnit("arena battles", "", "", settings...), data.Battles,
		slices.Values(battles)); err != nil {
		return nil, err
	}
	u := arenaUnit(crowd.Name, arena.ProtocolVote, crowd.detail(), settings...)
	if err := put(ctx, s, u, data.Votes, slices.Values(votes)); err != nil {
		return nil, err
	}
	return &ArenaReport{Seed: options.Seed, Scale: options.Scale, Battles: len(battles), Captioners: len(ids),
		Votes: len(votes), Units: s.report.Units, Written: s.report.Written, Strengths: crowd.Strengths}, nil
}

// arenaUnit describes a unit of battles or votes.
func arenaUnit(name, protocol, detail string, settings ...string) data.Unit {
	return data.Unit{Stage: stageName, Name: name, Protocol: protocol, Provenance: data.ProvenanceSimulated,
		Source: "simulation of CapArena", Detail: detail,
		Fingerprint: data.Fingerprint(append([]string{arenaVersion, name, detail}, settings...)...)}
}

// drawBattles draws pairs of captioners and images for them. ids begins with the best captioner. As
// in the paper's rule, closer captioners are drawn more often.
func drawBattles(o Options, ids []string, strengths map[string]float64) []data.Battle {
	var pairs [][2]string
	var upTo []float64 // for each pair, the sum of the weights of the pairs up to it
	sum := 0.0
	for worse := range ids {
		for better := range worse {
			p := 1 / (1 + math.Exp(strengths[ids[worse]]-strengths[ids[better]])) // that the better one wins
			sum += math.Sqrt(p * (1 - p))
			pairs, upTo = append(pairs, [2]string{ids[better], ids[worse]}), append(upTo, sum)
		}
	}
	r := stream(o.Seed, "arena battles")
	images := max(int(math.Round(arenaImages*o.Scale)), 1)
	battles := make([]data.Battle, max(int(math.Round(arenaBattles*o.Scale)), 1))
	seen := map[string]bool{}
	for i := range battles {
		drawn, _ := slices.BinarySearch(upTo, r.Float64()*sum)
		second := r.IntN(2) // which captioner of the drawn pair is caption B
		pair := arena.Pair{Benchmark: data.BenchmarkCapArena, ImageID: fmt.Sprintf("sim_%07d", r.IntN(images)+1),
			CaptionerA: pairs[drawn][1-second], CaptionerB: pairs[drawn][second]}
		for seen[pair.ID()] {
			pair.Repetition++
		}
		seen[pair.ID()] = true
		battles[i] = data.Battle{
			BattleID: pair.ID(), ImageID: pair.ImageID, CaptionerA: pair.CaptionerA, CaptionerB: pair.CaptionerB,
			Ordinal: int32(i), Source: data.SimulationSource, Benchmark: pair.Benchmark,
			Provenance: data.ProvenanceSimulated,
		}
	}
	return battles
}
