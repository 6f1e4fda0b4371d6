package captionqa

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
)

// readParity decodes a file of input–output pairs of the published behaviour.
func readParity(t *testing.T, name string, into any) {
	t.Helper()
	must.Succeed(t, json.Unmarshal(must.Read(t, must.Shared(t, "parity/"+name)), into))
}

// requireCases fails on an empty or misread file, which would otherwise pass as "all cases match".
func requireCases(t *testing.T, got, atLeast int) {
	t.Helper()
	if got < atLeast {
		t.Fatalf("read %d parity cases, want at least %d", got, atLeast)
	}
}

func TestExtractLetterParity(t *testing.T) {
	var cases []struct {
		Text    string  `json:"text"`
		Options int     `json:"options"`
		Letter  *string `json:"letter"`
	}
	readParity(t, "extract_letter.json", &cases)
	requireCases(t, len(cases), 444)
	for _, c := range cases {
		want := "none"
		if c.Letter != nil {
			want = *c.Letter
		}
		expect.Equal(t, letterOrNone(extractLetter(c.Text, c.Options)), want, c.Options)
	}
}

func TestYesNoParity(t *testing.T) {
	var cases []struct {
		Question   string   `json:"question"`
		Choices    []string `json:"choices"`
		YesNo      bool     `json:"yes_no"`
		WithCannot []string `json:"with_cannot"`
	}
	readParity(t, "yes_no.json", &cases)
	requireCases(t, len(cases), 300)
	for _, c := range cases {
		expect.Equal(t, IsYesNo(c.Question, c.Choices), c.YesNo, c.Choices)
		expect.Equal(t, WithCannot(c.Question, c.Choices), c.WithCannot, c.Choices)
	}
}

func TestOrderParity(t *testing.T) {
	var streams []struct {
		Seed         uint32    `json:"seed"`
		OptionCounts []int     `json:"option_counts"`
		Permutations [][]int32 `json:"permutations"`
	}
	readParity(t, "shuffle.json", &streams)
	requireCases(t, len(streams), 3)
	for _, s := range streams {
		requireCases(t, len(s.OptionCounts), 1500)
		stream := NewOrderStream(s.Seed)
		for i, n := range s.OptionCounts {
			must.Equal(t, stream.Next(n), s.Permutations[i], s.Seed, i)
		}
	}
}

func TestUserPromptParity(t *testing.T) {
	var file struct {
		System      string  `json:"system"`
		MaxTokens   int     `json:"max_tokens"`
		Temperature float64 `json:"temperature"`
		Cases       []struct {
			Caption  string   `json:"caption"`
			Question string   `json:"question"`
			Options  []string `json:"options"`
			Prompt   string   `json:"prompt"`
		} `json:"cases"`
	}
	readParity(t, "qa_prompt.json", &file)
	requireCases(t, len(file.Cases), 20)
	if file.System != SystemMessage || file.MaxTokens != MaxTokens || file.Temperature != 0 {
		t.Errorf("system message, max tokens or temperature differ: %q, %d, %g", file.System, file.MaxTokens,
			file.Temperature)
	}
	for _, c := range file.Cases {
		expect.Equal(t, must.Get(UserPrompt(c.Caption, c.Question, c.Options))(t), c.Prompt)
	}
}

func TestScoreParity(t *testing.T) {
	type row struct {
		Choices     []string `json:"choices"`
		GroundTruth string   `json:"ground_truth"`
		ModelAnswer *string  `json:"model_answer"`
		IsCorrect   bool     `json:"is_correct"`
		IsCannot    bool     `json:"is_cannot_answer"`
		Score       float64  `json:"score"`
	}
	var images map[string][]row
	var summary struct {
		Questions, Correct, Cannot int
		AverageScore               float64 `json:"average_score"`
	}
	readParity(t, "captionqa_results.json", &images)
	readParity(t, "captionqa_results_summary.json", &summary)
	counts := map[Outcome]int{}
	questions := 0
	total := 0.0
	for image, answers := range images {
		for i, r := range answers {
			offered := append(slices.Clone(r.Choices), CannotOption)
			choice := -1
			if r.ModelAnswer != nil {
				choice = slices.Index(offered, *r.ModelAnswer)
			}
			key, ok := KeyIndex(r.Choices, r.GroundTruth)
			if !ok {
				t.Fatalf("%s question %d: no key", image, i)
			}
			outcome := Decide(offered, choice, key)
			if (outcome == Correct) != r.IsCorrect || (outcome == Cannot) != r.IsCannot {
				t.Errorf("%s question %d: outcome %s, want correct %v, cannot %v", image, i, outcome,
					r.IsCorrect, r.IsCannot)
			}
			score := FileScore(Score(outcome, len(r.Choices)))
			expect.Equal(t, score, r.Score, image, i)
			counts[outcome]++
			questions++
			total += score
		}
	}
	if questions != summary.Questions || counts[Correct] != summary.Correct || counts[Cannot] != summary.Cannot {
		t.Errorf("%d questions with outcomes %v, want %+v", questions, counts, summary)
	}
	expect.Between(t, total/float64(questions), summary.AverageScore-1e-12, summary.AverageScore+1e-12)
}
