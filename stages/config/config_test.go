package config

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

func TestConfigTemplateIsAConfiguration(t *testing.T) {
	c := must.Get(Parse(File, []byte(Template)))(t)
	if len(c.Endpoints) != 1 || c.Answers.Protocol != "captionqa/upstream" || c.Captions.MaxTokens != 4096 {
		t.Fatalf("%+v", c)
	}
	model, err := c.Model("qwen2.5-72b")
	if err != nil || model.Served != "Qwen/Qwen2.5-72B-Instruct" || model.Endpoint != "vllm" {
		t.Fatalf("%+v %v", model, err)
	}
}

func TestConfigFaultsAreLocated(t *testing.T) {
	const server = "endpoints:\n  - name: a\n    replicas: [http://127.0.0.1:1/v1]\n    models: [m]\n"
	for _, c := range []struct{ text, want string }{
		{"endpoints:\n  - nam: a\n", `c.yaml:2:5: unknown field "nam"`},
		{"endpoints: 7\n", "c.yaml:1:12: "},
		{"endpoints: [\n", "c.yaml:"},
		{"endpoints: " + strings.Repeat("[", 200_000), "c.yaml:1:1: values are nested more than 64 deep"},
		{"prompts: &a\n  - *a\n", `c.yaml:1:10: "a" is a reference to another place`},
		{"# " + strings.Repeat("x", 256<<10), "c.yaml:1:1: the document has more than 256 KiB"},
		{server + "prompts:\n  - name: Simple\n    text: x\n",
			"c.yaml:6:11: the prompt Simple is a duplicate: choose another name"},
		{server + "    key_env: sk-abcdef\n",
			"c.yaml:5:14: key_env is the name of an environment variable, but it looks like a key: move the key to a variable"},
		{server + "    dialect: azure\n", `c.yaml:5:14: there is no dialect "azure"; known are: vllm, openai`},
		{server + "    affinity: router\n",
			`c.yaml:5:15: there is no affinity "router"; known are: on, off`},
		{server + "    session: {header: Authorization}\n",
			"c.yaml:5:23: the header Authorization has a meaning of its own"},
		{server + "    session: {header: \"X-Session-ID: me\"}\n",
			`c.yaml:5:23: "X-Session-ID: me" is not the name of a header`},
		{server + "    session: {field: model}\n", "c.yaml:5:22: servers ignore only the field user"},
		{server + "    timeout: soon\n", "c.yaml:5:14: a duration is written as in 90s or 5m"},
		{server + "    timeout: 300\n", "c.yaml:5:14: a duration is written as in 90s or 5m"},
		{server + "    attempts: many\n", "c.yaml:5:15: a whole number belongs here"},
		{server + "    attempts: -1\n", "c.yaml:5:15: attempts is a whole number, 1 or more"},
		{server + "    concurrency: {initial: 9, max: 8}\n",
			"c.yaml:5:28: concurrency begins at 9, above its max of 8"},
		{server + "  - name: a\n    replicas: [http://127.0.0.1:2/v1]\n    models: [n]\n",
			"c.yaml:5:11: the endpoint a is a duplicate"},
		{"endpoints:\n  - name: a\n    replicas: [127.0.0.1:8000]\n",
			"c.yaml:3:16: the address is not of the form http://host:port/v1"},
		{"endpoints:\n  - name: a\n    replicas: [http://a/v1, http://a/v1/]\n",
			"c.yaml:3:29: http://a/v1 is listed twice"},
		{"endpoints:\n  - name: a\n    replicas: [\"http://u:sk-abcdef@a/v1\"]\n",
			"c.yaml:3:16: the address contains a user or a query"},
		{"endpoints:\n  - name: a\n    replicas: [\"http://a/v1?key=sk-abcdef\"]\n",
			"c.yaml:3:16: the address contains a user or a query"},
		{server + "---\nanswers: {}\n", "c.yaml:5:1: a second document begins here"},
		{"models:\n  - name: m\n    price: {input: free}\n", "c.yaml:3:20: a number belongs here"},
		{server + "models:\n  - name: m\n    template: {think: No}\n", "c.yaml:7:23: think is true, false, a number"},
		{server + "models:\n  - name: m\n    template: {key: sk-abcdef}\n", "c.yaml:7:21: key is true, false, a number"},
		{server + "models:\n  - name: m\n    template: {at: 2026-01-02, budget: .inf}\n", "c.yaml:7:20: at is true, false,"},
		{server + "models:\n  - name: m\n    template: low\n", "c.yaml:7:15: a mapping of names to values belongs here"},
		{"- a\n- b\n", "c.yaml:1:1: "},
		{server + "  - name: b\n    replicas: [http://127.0.0.1:2/v1]\n    models: [m]\n",
			"the model m is served by endpoint a already"},
		{"endpoints:\n  - name: a\n    models: [m]\n", "c.yaml:2:5: the endpoint has no replicas"},
		{server + "budget: {requests: -1}\n", "c.yaml:5:20: requests is a whole number, 0 or more"},
		{server + "budget: {requests: 0.5}\n", "c.yaml:5:20: a whole number belongs here"},
		{server + "budget: {tokens: \"1.5\"}\n", "c.yaml:5:18: a whole number belongs here"},
		{server + "    timeout: -5s\n", "c.yaml:5:14: a duration is written as in 90s or 5m"},
		{server + "models:\n  - {name: m, price: {input: -2.0, output: .nan}}\n",
			"c.yaml:6:30: input is a number from 0 to 1e+06"},
		{"endpoints:\n  - name: a\n    replicas: [http://a:8000]\n",
			"c.yaml:3:16: the address names no version of the API: write http://host:port/v1"},
		{server + "prompts:\n  - {name: My Prompt, text: x}\n  - {name: \"My Prompt \", text: y}\n",
			"c.yaml:7:12: the prompt My Prompt is a duplicate"},
	} {
		_, err := Parse("c.yaml", []byte(c.text))
		laketest.Hint(t, err, "", c.want)
		if err != nil && strings.Contains(err.Error(), "sk-abcdef") {
			t.Errorf("the error shows what may be a key: %v", err)
		}
	}
}

// Names of prompts are found in any case, and recorded in one.
func TestPromptNamesInAnyCase(t *testing.T) {
	c, err := Parse("c.yaml",
		[]byte("prompts:\n  - {name: Über-Text, text: x}\ncaptions:\n  prompts: [simple, TAXONOMY-hinted, \" über-text "+
			"\", Long]\n"))
	if err != nil || !slices.Equal(c.Captions.Prompts, []string{"Simple", "Taxonomy-Hinted", "Über-Text", "Long"}) {
		t.Fatalf("%v %v", c.Captions.Prompts, err)
	}
	expect.Equal(t, c.Narrow(Choice{Prompts: []string{"short",
		" of no such name"}}).Captions.Prompts, []string{"Short", "of no such name"})
}

func TestConfigDurationsAndLimits(t *testing.T) {
	c := must.Get(Parse("c.yaml",
		[]byte("endpoints:\n  - name: a\n    replicas: [http://127.0.0.1:1/v1, http://127.0.0.1:2/v1]\n    models: [m]\n "+
			"   timeout: 90s\n    attempts: 3\n    concurrency: {max: 100}\n"+
			"models:\n  - name: m\n    template: {enable_thinking: false, reasoning_effort: low, thinking_budget: 512}\n")))(t)
	expect.Equal(t, must.Get(c.Model("m"))(t).Flags,
		map[string]any{"enable_thinking": false, "reasoning_effort": "low", "thinking_budget": 512})
	e := c.Endpoints[0]
	config := e.ClientConfig()
	if config.Timeout != 90*time.Second || config.MaxAttempts != 3 || config.Concurrency.Max != 100 ||
		e.Workers() != 264 {
		t.Fatalf("%+v, %d workers", config, e.Workers())
	}
}

func FuzzParseConfig(f *testing.F) {
	f.Add(Template)
	f.Add("endpoints:\n  - name: a\n")
	f.Add("endpoints:\n  !000 ") // The YAML library panics here.
	f.Add("answers: {repeats: 99999999999999999999}")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<14 {
			return
		}
		if c, err := Parse("c.yaml", []byte(text)); err == nil && c.Media.Frames < 1 {
			t.Fatalf("%q gives %d repeats", text, c.Answers.Repeats)
		}
	})
}
