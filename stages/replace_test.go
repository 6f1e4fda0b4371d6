package stages

import (
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/stages/stub"
)

func TestDifferencesNameSettings(t *testing.T) {
	const base = `{"max_tokens":4096,"seed":0,"model":"m","prompt":"Describe."}`
	for name, c := range map[string]struct {
		recorded []string
		now      string
		want     []string
	}{
		"nothing":         {[]string{base}, base, nil},
		"one number":      {[]string{base}, `{"max_tokens":2048,"seed":0,"model":"m","prompt":"Describe."}`, []string{"max_tokens: 4096 → 2048"}},
		"a second try":    {[]string{`{"max_tokens":4096,"seed":1,"model":"m","prompt":"Describe."}`, base}, base, nil},
		"the most alike":  {[]string{`{"max_tokens":1,"seed":7}`, base}, `{"max_tokens":4096,"seed":0,"model":"n","prompt":"Describe."}`, []string{`model: "m" → "n"`}},
		"a flag":          {[]string{base}, `{"max_tokens":4096,"seed":0,"model":"m","prompt":"Describe.","chat_template_kwargs":{"x":true}}`, []string{`chat_template_kwargs: none → {"x":true}`}},
		"earlier version": {[]string{`{"max_tokens":4096,"seed":0}`}, base, nil},
		"both changed":    {[]string{`{"max_tokens":4096,"seed":0}`}, `{"max_tokens":2,"seed":0,"model":"m","prompt":"x"}`, []string{"max_tokens: 4096 → 2"}},
		"no JSON":         {[]string{"greedy"}, base, nil},
	} {
		if got := differences(c.recorded, c.now); !slices.Equal(got, c.want) {
			t.Errorf("%s: got %q, want %q", name, got, c.want)
		}
	}
	long := differences([]string{`{"prompt":"` + strings.Repeat("a", 100) + `","model":"m"}`}, `{"prompt":"`+strings.Repeat("a", 99)+`b","model":"m"}`)
	if len(long) != 1 || len(long[0]) > 300 || strings.Count(long[0], "100 characters") != 2 {
		t.Errorf("a long text: %q", long)
	}
}

// Captions are asked again under other settings only when that is said, and the dry run says what it costs.
func TestRecordedRepliesAreReplacedOnRequestOnly(t *testing.T) {
	l := sampleLake(t)
	c := rehearsal(serve(t, l, stub.Options{}, nil))
	choice := Choice{Stage: CaptionStage}
	mustRun(t, l, c, choice)
	asked := len(allRows(t, l, data.Calls))
	for name, change := range map[string]func(c *Config){
		"max_tokens: 2048 → 1024": func(c *Config) { c.Captions.MaxTokens = 1024 },
		`prompt: "Describe this image`: func(c *Config) {
			c.Prompts = []PromptConfig{{Name: c.Captions.Prompts[0], Text: "Write an alt text."}}
		},
	} {
		changed := *c
		change(&changed)
		_, err := runAll(t.Context(), l, &changed, choice)
		var hint *data.HintError
		if err == nil || !strings.Contains(err.Error(), name) || !strings.Contains(err.Error(), "25 items have replies") || !errors.As(err, &hint) || !strings.Contains(hint.Hint, "--replace") {
			t.Fatalf("%s: %v", name, err)
		}
		runner := &Runner{Lake: l, Config: &changed}
		steps, err := CaptionSteps(&changed)
		if err != nil {
			t.Fatal(err)
		}
		e, err := runner.Estimate(steps[0])
		if err != nil || e.Replaces == nil || e.Replaces.Requests != 25 || e.Pending != 25 || e.Replaces.Prompt != e.Prompt {
			t.Fatalf("%s: %+v %v", name, e, err)
		}
	}
	if got := len(allRows(t, l, data.Calls)); got != asked {
		t.Fatalf("%d calls were asked", got-asked)
	}
	changed := *c
	changed.Captions.MaxTokens = 1024
	runner := &Runner{Lake: l, Config: &changed, Replace: true}
	steps, err := CaptionSteps(&changed)
	if err != nil {
		t.Fatal(err)
	}
	if report, err := runner.Step(t.Context(), steps[0]); err != nil || report.Answered != 25 {
		t.Fatalf("%+v %v", report, err)
	}
	// Both settings are recorded now, so either is read without a request.
	for _, config := range []*Config{c, &changed} {
		if reports := mustRun(t, l, config, choice); reports[0].Answered != 0 {
			t.Fatalf("asked again: %+v", reports[0])
		}
	}
}
