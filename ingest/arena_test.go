package ingest

import (
	"encoding/json"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/arena"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

// arenaList is a list as it is released, with invented captions: a vote for each captioner, a tie, a caption of a person.
const arenaList = `[
  {"img": "test_1.jpg", "source1": "GPT-4o-0806", "source2": "LLama-3.2-90B", "caption1": "A red boat.", "caption2": "A boat.", "ref": "A red boat at a pier.", "winner": "GPT-4o-0806", "cluster": "level 2", "in-400": true},
  {"img": "test_2.jpg", "source1": "LLaVA-1.5-7B", "source2": "GPT-4o-0806", "caption1": "A cat.", "caption2": "A grey cat.", "ref": "A grey cat sleeps.", "winner": "GPT-4o-0806", "cluster": "level 1", "in-400": false},
  {"img": "test_2.jpg", "source1": "human", "source2": "GPT-4o-0806", "caption1": "A grey cat sleeps.", "caption2": "A grey cat.", "winner": "equal", "cluster": "level 4", "in-400": false},
  {"img": "test_1.jpg", "source1": "GPT-4o-0806", "source2": "LLama-3.2-90B", "caption1": "A red boat.", "caption2": "A boat.", "winner": "tie (bothbad)", "cluster": "level 2", "in-400": true}
]
`

// arenaJudged is the same list with the texts of a judge, the third battle without one, as a person's caption is in it.
var arenaJudged = strings.NewReplacer(
	`"winner": "GPT-4o-0806", "cluster": "level 2"`, `"winner": "GPT-4o-0806", "judge": "Caption 1 is better.", "judge_reason": "Reason: The colour.\nJudgment: Caption 1 is better.", "cluster": "level 2"`,
	`"winner": "GPT-4o-0806", "cluster": "level 1"`, `"winner": "GPT-4o-0806", "judge": "Caption 2 is better", "cluster": "level 1"`,
	`"winner": "tie (bothbad)"`, `"winner": "tie (bothbad)", "judge": "caption 1"`,
).Replace(arenaList)

// votesOf shows who preferred what in which battle, in the order of the battles' file.
func votesOf(t testing.TB, l *data.Lake) []string {
	t.Helper()
	battles := map[string]data.Battle{}
	for _, b := range laketest.All(t, l, data.Battles) {
		battles[b.BattleID] = b
	}
	var all []string
	for _, v := range laketest.All(t, l, data.Votes) {
		b, ok := battles[v.BattleID]
		if !ok || b.ImageID != v.ImageID {
			t.Errorf("a vote without its battle: %+v", v)
		}
		line := fmt.Sprintf("%d %s %s %s-%s: %s", b.Ordinal, v.Judge, v.Protocol, b.CaptionerA, b.CaptionerB, v.Winner)
		if v.Position != "" {
			line += " " + v.Position
		}
		if v.ScoreA != nil {
			line += fmt.Sprintf(" %g %g", *v.ScoreA, *v.ScoreB)
		}
		if v.Reason != "" {
			line += " " + v.Reason
		}
		all = append(all, line)
	}
	slices.Sort(all)
	return all
}

func wantLines(t testing.TB, what string, got []string, want ...string) {
	t.Helper()
	if !slices.Equal(got, want) {
		t.Errorf("%s:\n%s\nwant:\n%s", what, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestArenaAnnotations(t *testing.T) {
	t.Parallel()
	l := laketest.New(t)
	s := textSource("eval/caparena_annots_eval.json", arenaList)
	result := mustLoad(t, l, s, Options{Provenance: data.ProvenancePublished})
	if result.Format != "caparena-annotations" || result.Rows["battles"] != 4 || result.Rows["votes"] != 4 {
		t.Fatalf("%+v", result)
	}
	wantLines(t, "votes", votesOf(t, l),
		"0 people caparena/vote gpt-4o-0806-llama-3.2-90b-vision: a",
		"1 people caparena/vote llava-1.5-7b-gpt-4o-0806: b",
		"2 people caparena/vote human-gpt-4o-0806: tie",
		"3 people caparena/vote gpt-4o-0806-llama-3.2-90b-vision: tie")
	wantLines(t, "notes", result.Notes,
		"eval/caparena_annots_eval.json: 1 battles repeat an earlier one of the file; each counts as a battle of its own, because the file does not say who annotated them")
	for _, b := range laketest.All(t, l, data.Battles) {
		if b.Ordinal != 1 {
			continue
		}
		if *b.Level != 1 || b.ImageID != "test_2" || b.CaptionA != "A cat." || b.CaptionB != "A grey cat." || b.Reference != "A grey cat sleeps." ||
			b.Benchmark != data.BenchmarkCapArena || b.Source != "caparena_annots_eval.json" || b.Provenance != data.ProvenancePublished || b.Prompt != "" {
			t.Errorf("%+v", b)
		}
	}
	if again := mustLoad(t, l, s, Options{Provenance: data.ProvenancePublished}); again.Changed {
		t.Error("loading the same file again changed something")
	}
}

// The lists of several judges share their battles, whichever comes first, and the votes of people are not cast twice.
func TestArenaJudgesShareBattles(t *testing.T) {
	t.Parallel()
	human := textSource("eval/caparena_annots_eval.json", arenaList)
	judge := textSource("eval/caparena_annots_eval_gpt_ref.json", arenaJudged)
	// The same battles again, the captions of the first in the other order.
	other := textSource("eval/other.json", `[{"img": "test_1.jpg", "source2": "GPT-4o-0806", "source1": "LLama-3.2-90B", "caption2": "A red boat.", "caption1": "A boat.", "judge": "Caption 1 is better"}]`)
	for name, sources := range map[string][]Source{"people first": {human, judge, other}, "judge first": {judge, other, human}} {
		l := laketest.New(t)
		for i, s := range sources {
			o := Options{}
			if s.Path == other.Path {
				o.Reader = "Qwen2.5-VL-72B"
			}
			result := mustLoad(t, l, s, o)
			if (result.Rows["battles"] == 4) != (i == 0) || i > 0 && !strings.Contains(strings.Join(result.Notes, "\n"), "battles are in the lake already") {
				t.Errorf("%s: %+v", name, result)
			}
		}
		wantLines(t, name, votesOf(t, l),
			"0 gpt-4o caparena/battle-reference gpt-4o-0806-llama-3.2-90b-vision: a ab The colour.",
			"0 people caparena/vote gpt-4o-0806-llama-3.2-90b-vision: a",
			"0 qwen2.5-vl-72b caparena/battle gpt-4o-0806-llama-3.2-90b-vision: b ba",
			"1 gpt-4o caparena/battle-reference llava-1.5-7b-gpt-4o-0806: b ab",
			"1 people caparena/vote llava-1.5-7b-gpt-4o-0806: b",
			"2 people caparena/vote human-gpt-4o-0806: tie",
			"3 gpt-4o caparena/battle-reference gpt-4o-0806-llama-3.2-90b-vision: unparsed ab caption 1",
			"3 people caparena/vote gpt-4o-0806-llama-3.2-90b-vision: tie")
		if len(laketest.All(t, l, data.Battles)) != 4 {
			t.Errorf("%s: the lists do not share their battles", name)
		}
	}
}

func TestArenaAnnotators(t *testing.T) {
	t.Parallel()
	battle := `{"img": "a.jpg", "source1": "x", "source2": "y", "winner": %q, "annotator": %q, "seconds": 4.5}`
	list := func(votes ...string) Source { return textSource("votes.json", "["+strings.Join(votes, ",\n")+"]") }
	l := laketest.New(t)
	result := mustLoad(t, l, list(fmt.Sprintf(battle, "x", "ada"), fmt.Sprintf(battle, "skipped", "bob")), Options{})
	if result.Rows["battles"] != 1 || result.Rows["votes"] != 2 {
		t.Errorf("%+v", result)
	}
	wantLines(t, "votes", votesOf(t, l), "0 ada caparena/vote x-y: a", "0 bob caparena/vote x-y: skipped")
	if s := laketest.All(t, l, data.Votes)[0].Seconds; s == nil || *s != 4.5 {
		t.Errorf("the time is lost: %v", s)
	}
	mustRefuse(t, l, list(fmt.Sprintf(battle, "x", "ada"), fmt.Sprintf(battle, "y", "ada")), Options{},
		`votes.json:2:78: "ada" voted on this battle in line 1 already: keep one of the two votes`)
	// Another file cannot say otherwise either.
	mustRefuse(t, l, textSource("more.json", "["+fmt.Sprintf(battle, "y", "ada")+"]"), Options{},
		"more.json:1:2: the lake has another vote of ada on this battle: a there, b here; remove the unit that it came from, or correct one of the two")
}

func TestArenaFaults(t *testing.T) {
	t.Parallel()
	l := laketest.New(t)
	mustLoad(t, l, textSource("good.json", arenaList), Options{})
	mustRefuse(t, l, textSource("bad.json", `[
{"img": "", "source1": "x", "source2": "y", "winner": "x"},
{"source1": "x", "source2": "y", "winner": "x"},
{"img": "a.jpg", "source1": "x", "source2": "X", "winner": "x"},
{"img": "a.jpg", "source1": "x", "source2": "y", "caption1": "One.", "winner": "x"},
{"img": "a.jpg", "source1": "x", "source2": "y", "caption1": " ", "caption2": "Two.", "winner": "x"},
{"img": "a.jpg", "source1": "x", "source2": "y", "winner": "z"},
{"img": "a.jpg", "source1": "x", "source2": "y", "winner": 1},
{"img": "a.jpg", "source1": "x", "source2": "y", "winner": "x", "cluster": "level 5"},
{"img": "a.jpg", "source1": "x", "source2": "y", "winner": "x", "cluster": "4"},
{"img": "a.jpg", "source1": "x", "winner": "x"},
{"img": "a.jpg", "source1": "x", "source2": "y", "winner": "x", "seconds": -1},
"battle"
]`), Options{Format: "caparena-annotations"},
		`bad.json:2:9: the battle names no picture: write the name of its file in "img"`,
		`bad.json:3:1: the battle names no picture: write the name of its file in "img"`,
		`bad.json:4:45: the battle is between "X" and itself: two captioners are compared`,
		`bad.json:5:1: the battle has one caption, and "caption2" is empty: write both, or neither where only who won matters`,
		`bad.json:6:62: the battle has one caption, and "caption1" is empty: write both, or neither where only who won matters`,
		`bad.json:7:60: the winner "z" is unknown: write "x", "y", tie, equal or skipped`,
		`bad.json:8:60: "winner" is a number where a string belongs: write it in quotes`,
		`bad.json:9:76: the cluster is "level 5": write level 1, level 2, level 3 or level 4, or leave it out`,
		`bad.json:10:76: the cluster is "4": write level 1, level 2, level 3 or level 4, or leave it out`,
		`bad.json:11:1: "source2" names no captioner: write the model's name, or human`,
		`bad.json:12:76: the seconds are -1: write how long the annotator took as a number, or leave it out`,
		`bad.json:13:1: this is a string, and a battle belongs here: write an object with img, source1 and source2`)
	mustRefuse(t, l, textSource("empty.json", "[]"), Options{Format: "caparena-annotations"}, "empty.json:1:1: the list has no battle: get the whole file")
	mustRefuse(t, l, textSource("object.json", "{}"), Options{Format: "caparena-annotations"}, "object.json:1:1: the file holds an object where a list belongs: it is no file of the format")
	_, err := Load(t.Context(), l, textSource("judge.json", arenaJudged), Options{})
	var hint *data.HintError
	if err == nil || !asHint(err, &hint) || !strings.Contains(hint.Hint, "--reader") {
		t.Errorf("a judge without a name: %v", err)
	}
	if _, err := Load(t.Context(), l, textSource("judge.json", arenaJudged), Options{Reader: "human"}); err == nil {
		t.Error("people are taken for a judge of the file")
	}
}

// The battles of the parity file are read in their order, and each winner is as the file has it.
func TestArenaParity(t *testing.T) {
	t.Parallel()
	content, err := os.ReadFile(laketest.Shared(t, "parity/arena.json"))
	must.Succeed(t, err)
	var parity struct {
		Battles []struct{ Img, Source1, Source2, Winner, Cluster string }
	}
	must.Succeed(t, json.Unmarshal(content, &parity))
	list, err := json.Marshal(parity.Battles)
	must.Succeed(t, err)
	lower := strings.NewReplacer(`"Img"`, `"img"`, `"Source1"`, `"source1"`, `"Source2"`, `"source2"`, `"Winner"`, `"winner"`, `"Cluster"`, `"cluster"`)
	l := laketest.New(t)
	result := mustLoad(t, l, textSource("arena.json", lower.Replace(string(list))), Options{})
	if result.Rows["battles"] != len(parity.Battles) || result.Rows["votes"] != len(parity.Battles) {
		t.Fatalf("%+v", result)
	}
	winners := map[string]string{}
	for _, v := range laketest.All(t, l, data.Votes) {
		winners[v.BattleID] = v.Winner
	}
	seen := make([]bool, len(parity.Battles))
	for _, b := range laketest.All(t, l, data.Battles) {
		want := parity.Battles[b.Ordinal]
		winner := map[string]string{arena.WinnerA: want.Source1, arena.WinnerB: want.Source2, arena.WinnerTie: "equal"}[winners[b.BattleID]]
		if b.CaptionerA != want.Source1 || b.CaptionerB != want.Source2 || winner != want.Winner || fmt.Sprintf("level %d", *b.Level) != want.Cluster || b.ImageID+".jpg" != want.Img || seen[b.Ordinal] {
			t.Fatalf("%+v, %s, want %+v", b, winners[b.BattleID], want)
		}
		seen[b.Ordinal] = true
	}
}

const arenaAuto = `[
  {"img": "test_1.jpg", "source1": "Ovis-1_6-27b", "source2": "GPT-4o-0806", "caption1": "A boat.", "caption2": "A red boat.", "ref": "A red boat at a pier.", "ref_model": "GPT-4o-0806", "judge": "Caption 2 is better.", "judge_reason": "Reason: The colour.\nJudgment: Caption 2 is better."},
  {"img": "test_2.jpg", "source1": "CogVLM2-llama3-chat-19B", "source2": "Ovis-1_6-27b", "caption1": "A cat.", "caption2": "A grey cat.", "ref": "A grey cat sleeps.", "ref_model": "CogVLM2-llama3-chat-19B", "judge": "Caption 2 is better"},
  {"img": "test_3.jpg", "source1": "Ovis-1_6-27b", "source2": "MiniCPM-V2.6-8B", "caption1": "A dog.", "caption2": "Dogs.", "ref": "A dog.", "ref_model": "MiniCPM-V2.6-8B", "judge": "Caption 3 is better"},
  {"img": "test_4.jpg", "source1": "MiniCPM-V2.6-8B", "source2": "Ovis-1_6-27b", "caption1": "A tree.", "caption2": "Trees.", "ref": "Trees.", "ref_model": "MiniCPM-V2.6-8B"}
]`

// The captioner tested is a and the baseline b, whichever the judge saw first.
func TestArenaAuto(t *testing.T) {
	t.Parallel()
	l := laketest.New(t)
	// A battle of the same captions in the other list is another battle.
	mustLoad(t, l, textSource("list.json", `[{"img": "test_1.jpg", "source1": "Ovis-1_6-27b", "source2": "GPT-4o-0806", "caption1": "A boat.", "caption2": "A red boat."}]`), Options{})
	result := mustLoad(t, l, textSource("caparena_auto/Ovis-1_6-27b.json", arenaAuto), Options{Reader: "GPT-4o"})
	if result.Format != "caparena-auto" || result.Rows["battles"] != 4 {
		t.Fatalf("%+v", result)
	}
	wantLines(t, "votes", votesOf(t, l),
		"0 gpt-4o caparena/battle-reference ovis-1.6-27b-gpt-4o-0806: b ab The colour.",
		"1 gpt-4o caparena/battle-reference ovis-1.6-27b-cogvlm2-llama3-chat-19b: a ba",
		"2 gpt-4o caparena/battle-reference ovis-1.6-27b-minicpm-v2.6-8b: unparsed ab Caption 3 is better")
	wantLines(t, "notes", result.Notes,
		"caparena_auto/Ovis-1_6-27b.json: 1 battles have no judge text",
		`caparena_auto/Ovis-1_6-27b.json: 1 judge texts are in none of the accepted forms and count as unparsed; first line 4: "Caption 3 is better"`)
	mustRefuse(t, l, textSource("bad.json", `[
{"img": "a.jpg", "source1": "x", "source2": "y", "ref_model": "z"},
{"img": "a.jpg", "source1": "x", "source2": "y"}]`), Options{Format: "caparena-auto", Reader: "GPT-4o"},
		`bad.json:2:63: the baseline "z" is neither source1 nor source2: correct it`,
		`bad.json:3:1: the battle does not say which captioner is the baseline: add "ref_model" with its name`)
}

func TestMetricScores(t *testing.T) {
	t.Parallel()
	captions := "image,captioner,score\ntest_1.jpg,GPT-4o-0806,0.5\ntest_1.jpg,LLama-3.2-90B,0.5\ntest_2,GPT-4o-0806,.75\ntest_2,human,1\ntest_9,human,1\n"
	asJSON := `[{"image": "test_1.jpg", "captioner": "GPT-4o-0806", "score": 0.5}, {"image": "test_1.jpg", "captioner": "LLama-3.2-90B", "score": "0.5"},
{"image": "test_2", "captioner": "GPT-4o-0806", "score": 0.75}, {"image": "test_2", "captioner": "human", "score": 1}, {"image": "test_9", "captioner": "human", "score": 1}]`
	want := []string{
		"0 clipscore caparena/metric gpt-4o-0806-llama-3.2-90b-vision: tie 0.5 0.5",
		"2 clipscore caparena/metric human-gpt-4o-0806: a 1 0.75",
		"3 clipscore caparena/metric gpt-4o-0806-llama-3.2-90b-vision: tie 0.5 0.5",
	}
	unjudged := strings.ReplaceAll(strings.ReplaceAll(strings.ReplaceAll(arenaList, `"winner": "GPT-4o-0806", `, ""), `"winner": "equal", `, ""), `"winner": "tie (bothbad)", `, "")
	for name, content := range map[string]string{"scores.csv": captions, "scores.json": asJSON} {
		l := laketest.New(t)
		_, err := Load(t.Context(), l, textSource(name, content), Options{Reader: "CLIPScore"})
		var hint *data.HintError
		if !asHint(err, &hint) || !strings.Contains(err.Error(), "the lake has no battles") {
			t.Errorf("without battles: %v", err)
		}
		list := textSource("list.json", unjudged)
		mustLoad(t, l, list, Options{Reader: "GPT-4o"})
		if _, err := Load(t.Context(), l, textSource(name, content), Options{}); err == nil || !strings.Contains(err.Error(), "which metric") {
			t.Errorf("without a metric: %v", err)
		}
		result := mustLoad(t, l, textSource(name, content), Options{Reader: "CLIPScore"})
		wantLines(t, name, votesOf(t, l), want...)
		wantLines(t, "notes", result.Notes,
			name+": 1 battles of 4 have a score of one caption only and get no vote",
			name+": 1 scored captions are in no battle, such as that of test_9 by human")
		if again := mustLoad(t, l, textSource(name, content), Options{Reader: "CLIPScore"}); again.Changed {
			t.Error("loading the same file again changed something")
		}
		// When there are more battles, the same scores give more votes.
		mustLoad(t, l, textSource("more.json", `[{"img": "test_9.jpg", "source1": "human", "source2": "x"}, {"img": "test_2.jpg", "source1": "GPT-4o-0806", "source2": "human"}]`), Options{})
		if again := mustLoad(t, l, textSource(name, content), Options{Reader: "CLIPScore"}); !again.Changed || again.Rows["votes"] != 4 {
			t.Errorf("after more battles: %+v", again)
		}
	}
}

func TestMetricScoresOfBattles(t *testing.T) {
	t.Parallel()
	l := laketest.New(t)
	mustLoad(t, l, textSource("list.json", arenaList), Options{})
	ids := make([]string, 4)
	for _, b := range laketest.All(t, l, data.Battles) {
		ids[b.Ordinal] = b.BattleID
	}
	content := fmt.Sprintf("metric,battle,score_a,score_b\nSPICE,%s,0.1,0.2\nSPICE,%s,3e-1,\nSPICE,nobody/1,1,2\nPolos,%s,-1,-2\n", ids[0], ids[1], ids[0])
	result := mustLoad(t, l, textSource("scores.csv", content), Options{})
	if result.Rows["votes"] != 2 {
		t.Errorf("%+v", result)
	}
	wantLines(t, "notes", result.Notes,
		`scores.csv:4:7: the lake has no battle "nobody/1"; left out`,
		"scores.csv: 1 battles of 8 have a score of one caption only and get no vote",
		"scores.csv: 5 battles of 8 have no score and get no vote",
		"scores.csv: 1 scores are empty")
	mustRefuse(t, l, textSource("bad.csv", fmt.Sprintf("battle,score_a,score_b\n%[1]s,NaN,1\n%[1]s,1,0x1\n,1,2\n%[2]s,1,2\n%[2]s,1,2\n%[2]s,1\n", ids[0], ids[1])), Options{Reader: "SPICE"},
		`bad.csv:2:25: score_a is "NaN": write a number such as 0.31, or leave it empty where the metric has none`,
		`bad.csv:3:27: score_b is "0x1": write a number such as 0.31, or leave it empty where the metric has none`,
		"bad.csv:4:1: battle is empty: write the battle_id, as in the table battles",
		`bad.csv:6:1: the battle is scored by spice in line 5 already: keep one of the two`,
		"bad.csv:7:1: the row has another number of fields than the header; quote fields that hold a comma")
	mustRefuse(t, l, textSource("strange.csv", "battle,score_a,score_b\nnobody/1,1,2\n"), Options{Reader: "SPICE"}, `strange.csv:2:1: the lake has no battle "nobody/1"`)
	mustRefuse(t, l, textSource("half.csv", "image,captioner,score\ntest_2,human,1\n"), Options{Reader: "SPICE"},
		"half.csv:1:1: no battle of the lake gets a vote: 1 have a score of one caption, 0 are between captions of which there are several, and 0 captions are in no battle; compare image, captioner and prompt with the table battles")
	mustRefuse(t, l, textSource("twice.csv", "image,captioner,score\ntest_2,human,1\ntest_2.jpg,Human,2\ntest_2,,3\n"), Options{Reader: "SPICE"},
		`twice.csv:3:1: the caption of "test_2" by human is scored in line 2 already: keep one of the two`,
		"twice.csv:4:8: captioner is empty: write the model's name, or human")
}

// Scores that do not say under which of several prompts a caption was made are of none of them.
func TestMetricScoresOfPrompts(t *testing.T) {
	t.Parallel()
	l := laketest.New(t)
	tx, err := l.Begin(data.Unit{Stage: "arena", Name: "pairs", Provenance: data.ProvenanceMeasured})
	must.Succeed(t, err)
	defer tx.Abort()
	rows, err := data.NewRowWriter(tx, data.Battles)
	must.Succeed(t, err)
	must.Succeed(t, rows.Write(data.Battle{BattleID: "i/1", ImageID: "i", CaptionerA: "x", CaptionerB: "y", CaptionA: "One.", Prompt: "Long"}, data.Battle{BattleID: "i/2", ImageID: "i", CaptionerA: "x", CaptionerB: "y", CaptionA: "Two.", Prompt: "Short"}))
	must.Succeed(t, tx.Commit())
	mustRefuse(t, l, textSource("s.csv", "image,captioner,score\ni,x,1\ni,y,2\n"), Options{Reader: "SPICE"})
	result := mustLoad(t, l, textSource("s.csv", "image,captioner,prompt,score\ni,x,short,1\ni,y,Short,2\ni,x,Long,1\n"), Options{Reader: "SPICE"})
	wantLines(t, "votes", votesOf(t, l), "0 spice caparena/metric x-y: b 1 2")
	wantLines(t, "notes", result.Notes, "s.csv: 1 battles of 2 have a score of one caption only and get no vote")
}

func TestBenchmarkScores(t *testing.T) {
	t.Parallel()
	l := laketest.New(t)
	result := mustLoad(t, l, textSource("figure4.csv", "Model,Benchmark,Score\r\nInternVL2-26B,MMMU,51.2\r\nmy model,POPE,-0.5\r\n"), Options{})
	if result.Format != "benchmark-scores" || result.Rows["published"] != 2 {
		t.Fatalf("%+v", result)
	}
	want := data.Published{Benchmark: "caparena", Source: "benchmark-scores", Item: "Figure 4", Model: "InternVL2-26B", ModelID: "internvl2-26b", Category: "MMMU", Metric: "benchmark_score",
		Value: 51.2, Unit: "points", Decimals: 1, File: "figure4.csv", Line: 2}
	if got := laketest.All(t, l, data.PublishedFigures)[0]; got != want {
		t.Errorf("%+v, want %+v", got, want)
	}
	mustRefuse(t, l, textSource("bad.csv", "model,benchmark,score\nx,MMMU,\nx,,1\ny,MMMU,1\nY,MMMU,2\n"), Options{},
		"bad.csv:2:8: the score is empty: write it, or leave the row out",
		"bad.csv:3:3: benchmark is empty: write the benchmark's name, such as MMMU",
		`bad.csv:5:1: Y has a score on MMMU in line 4 already: keep one of the two`)
	mustRefuse(t, l, textSource("none.csv", "model,benchmark,score\n"), Options{}, "none.csv:1:1: the table has no scores: get the whole file")
}

func FuzzArenaAnnotations(f *testing.F) {
	fuzzFormat(f, "caparena-annotations", Options{Reader: "GPT-4o"}, "", arenaJudged)
}

func FuzzArenaAuto(f *testing.F) {
	fuzzFormat(f, "caparena-auto", Options{Reader: "GPT-4o"}, "", arenaAuto)
}

func FuzzMetricScores(f *testing.F) {
	fuzzFormat(f, "metric-scores", Options{Reader: "SPICE"}, arenaList, "image,captioner,score\ntest_1.jpg,GPT-4o-0806,0.5\ntest_1.jpg,LLama-3.2-90B,1\n",
		`[{"battle": "test_1/0", "score_a": 1, "score_b": null, "metric": "x"}]`)
}

func FuzzBenchmarkScores(f *testing.F) {
	fuzzFormat(f, "benchmark-scores", Options{}, "", "model,benchmark,score\nInternVL2-26B,MMMU,51.2\n", `[{"model": "x", "benchmark": "MMMU", "score": 1e2}]`)
}
