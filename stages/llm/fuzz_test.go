package llm

import (
	"context"
	"errors"
	"strings"
	"testing"
	"unicode/utf8"
)

// largest keeps fuzzing about forms, not about memory.
const largest = 1 << 16

func FuzzParseReply(f *testing.F) {
	for _, s := range []string{fine, "", "{}", "[]", `{"choices":[]}`, `{"choices":[{}]}`,
		`{"choices":[{"message":{"content":[{"type":"text","text":"x"}]}}]}`,
		`{"choices":[{"message":{"content":null},"finish_reason":"length","logprobs":{"content":null}}],
			"usage":{"prompt_tokens":-5}}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		if len(body) > largest {
			return
		}
		r := plainRequest("q")
		r.Sampling.Logprobs = true
		reply, err := ParseReply(r, body)
		if err != nil {
			if c := ClassOf(err); c != ClassMalformed && c != ClassEmpty && c != ClassServer && !c.replied() {
				t.Errorf("class %q", c)
			}
			return
		}
		if reply.State != StateOK && reply.State != StateTruncated || reply.PromptTokens < 0 ||
			reply.CachedTokens < 0 || reply.CompletionTokens < 0 {
			t.Errorf("%+v", reply)
		}
	})
}

func FuzzParseMetrics(f *testing.F) {
	for _, s := range []string{page, "", "{}", "{} 1\n", "vllm:prompt_tokens_total NaN\n",
		"vllm:prompt_tokens_total -1\n", "vllm:prompt_tokens_total +Inf\n",
		"# TYPE vllm:prompt_tokens_total histogram\nvllm:prompt_tokens_total_sum 1\n"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > largest {
			return
		}
		c := parseMetrics([]byte(text))
		if c == nil {
			return
		}
		for name, n := range c.fields() {
			if !(*n >= 0) {
				t.Errorf("%s is %v", name, *n)
			}
		}
	})
}

func FuzzErrorBody(f *testing.F) {
	for _, s := range []string{"", "<html>", `{"error":"x"}`, `{"error":{"message":"maximum context length"}}`,
		`{"message":"x"}`, `{"detail":[1]}`, "sk-secret-key", "\xff\xfe", strings.Repeat("é", 500)} {
		f.Add([]byte(s), 400)
	}
	f.Fuzz(func(t *testing.T, body []byte, status int) {
		if len(body) > largest || status < 400 || status > 599 {
			return
		}
		const key = "sk-secret-key"
		x := &exchange{status: status, reply: body}
		e := classify(errRefused, context.Background(), x, newRedactor(key))
		if e.Class == "" || !utf8.ValidString(e.Message) || len(e.Message) > longestMessage+len("…") ||
			strings.Contains(e.Message, key) {
			t.Errorf("%+v", e)
		}
		var call *CallError
		if !errors.As(error(e), &call) {
			t.Error("not a CallError")
		}
	})
}

func FuzzParseModels(f *testing.F) {
	for _, s := range []string{`{"data":[{"id":"m","max_model_len":4096}]}`, "{}", "[]", `{"data":null}`} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		if len(body) > largest {
			return
		}
		if models, err := parseModels(body); err != nil && models != nil {
			t.Error("models with an error")
		}
	})
}
