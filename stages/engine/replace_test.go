package engine

import (
	"slices"
	"strings"
	"testing"
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
