package llm

import (
	"crypto/sha256"
	"encoding/hex"
	"math"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/expect"
)

func sampleRequest() Request {
	return Request{
		Model: "Qwen/Qwen2.5-72B-Instruct",
		Messages: []Message{System("You answer."),
			{"user", []Part{Text("Look:"), Image("images/a.png", strings.Repeat("ab", 32))}}},
		Sampling: Greedy(4), Choice: []string{"A", "B"},
		TemplateFlags: map[string]any{"enable_thinking": false, "add_vision_id": true},
		Protocol:      "captionqa/upstream",
	}
}

// goldenRequests are requests of every kind that stages make.
func goldenRequests() map[string]Request {
	plain, sampled, schema, logprobs := plainRequest("q"), plainRequest("q"), plainRequest("q"), plainRequest("q")
	sampled.Sampling = Sampled(0.7, 1<<16+3, 1024)
	schema.Schema, schema.Protocol = `{"type":"object"}`, "captionqa/generate/1"
	logprobs.Sampling.MaxTokens, logprobs.Sampling.Logprobs, logprobs.Sampling.TopLogprobs = 1, true, 20
	flags := plainRequest("q")
	flags.TemplateFlags = map[string]any{"reasoning_effort": "low", "thinking_budget": 512}
	return map[string]Request{
		"flags":       flags,
		"every field": sampleRequest(), "plain": plain, "sampled": sampled, "schema": schema, "logprobs": logprobs,
		"vectors": {Model: "m", Inputs: []string{"ab", "c"}, Protocol: "captionqa/embed/1"},
	}
}

// The golden values pin the encoding: replies recorded under it must be found again by later
// releases. A change needs a new version in hash.go.
func TestHashGolden(t *testing.T) {
	want := map[string]string{
		"every field": "6d442441046d1d54751a8f61b814b03edd18504710212f3dd930aa34ad2c5a57",
		"plain":       "4ea155ec059dc0108d72432d7ee24fad8ed65cc4112e54881be751f7678b8d8b",
		"sampled":     "8ab4a6e5d18f639031ea3676c80ea91ac06c1bd858a9945d29d8e4dbcad47780",
		"schema":      "bf3a8a20717f6f6fc977d2851b48117dee6dd3a9edccf890650de0be556b7e6b",
		"logprobs":    "0af797033eb7bf203a802d6e13c48338126ec46e2c0dcf2921c977030757bdbf",
		"flags":       "a59deef8eaa0ade25daaa6cdfb02860607d5c046c86ec7ee4d9b59671d17b2d7",
		"vectors":     "71ed35c3fbbcc137cc5b8eccecb004733b156f7e629bdf989e3cfbbaa8cd8620",
	}
	for name, r := range goldenRequests() {
		expect.Equal(t, r.Hash(), want[name], name)
	}
}

// Settings that a lake has recorded are compared as texts: other ones would look like settings that
// have changed.
func TestSettingsGolden(t *testing.T) {
	const want = `{"temperature":0,"top_p":1,"top_k":-1,"min_p":0,"repetition_penalty":1,"presence_penalty":0,` +
		`"frequency_penalty":0,"max_tokens":4,"seed":0,"logprobs":false,"top_logprobs":0,"choice":["A","B"],` +
		`"chat_template_kwargs":{"add_vision_id":true,"enable_thinking":false},"model":"Qwen/Qwen2.5-72B-Instruct"}`
	expect.Equal(t, sampleRequest().Settings(false), want)
}

// The encoding by hand for a request of one field each, so that the golden value is not its own
// witness: name, type letter and value, name and value preceded by their lengths.
func TestEncodingByHand(t *testing.T) {
	e := newEncoder("v").add("ab", "xyz", "n", 258, "f", math.Copysign(0, -1), "t", true)
	by := "\x08encoding" + "s" + "\x01v" +
		"\x02ab" + "s" + "\x03xyz" +
		"\x01n" + "i" + "\x08\x00\x00\x00\x00\x00\x00\x01\x02" +
		"\x01f" + "f" + "\x08\x00\x00\x00\x00\x00\x00\x00\x00" + // minus zero counts as zero
		"\x01t" + "b" + "\x011"
	sum := sha256.Sum256([]byte(by))
	if got, want := e.sum(), hex.EncodeToString(sum[:]); got != want {
		t.Errorf("got %s, want %s", got, want)
	}
}

func TestHashCoversWhatChangesAReply(t *testing.T) {
	changes := map[string]func(*Request){
		"model": func(r *Request) { r.Model += "x" },
		"role":  func(r *Request) { r.Messages[0].Role = "user" },
		"text":  func(r *Request) { r.Messages[0].Parts[0].Text += " " },
		"text moved": func(r *Request) {
			r.Messages[0].Parts[0].Text, r.Messages[1].Parts[0].Text = "You answer.Look:", ""
		},
		"message order":      func(r *Request) { r.Messages[0], r.Messages[1] = r.Messages[1], r.Messages[0] },
		"part split":         func(r *Request) { r.Messages[0].Parts = []Part{Text("You "), Text("answer.")} },
		"image digest":       func(r *Request) { r.Messages[1].Parts[1].SHA256 = strings.Repeat("cd", 32) },
		"image kind":         func(r *Request) { r.Messages[1].Parts[1].Kind = PartVideo },
		"temperature":        func(r *Request) { r.Sampling.Temperature = 0.1 },
		"top_p":              func(r *Request) { r.Sampling.TopP = 0.9 },
		"top_k":              func(r *Request) { r.Sampling.TopK = 20 },
		"min_p":              func(r *Request) { r.Sampling.MinP = 0.1 },
		"repetition_penalty": func(r *Request) { r.Sampling.RepetitionPenalty = 1.05 },
		"presence_penalty":   func(r *Request) { r.Sampling.PresencePenalty = 0.1 },
		"frequency_penalty":  func(r *Request) { r.Sampling.FrequencyPenalty = 0.1 },
		"max_tokens":         func(r *Request) { r.Sampling.MaxTokens = 5 },
		"seed":               func(r *Request) { r.Sampling.Seed = 1 },
		"logprobs":           func(r *Request) { r.Sampling.Logprobs = true },
		"top_logprobs":       func(r *Request) { r.Sampling.TopLogprobs = 1 },
		"choice":             func(r *Request) { r.Choice = []string{"A"} },
		"choice order":       func(r *Request) { r.Choice = []string{"B", "A"} },
		"choice joined":      func(r *Request) { r.Choice = []string{"AB"} },
		"schema":             func(r *Request) { r.Schema = "{}" },
		"flag": func(r *Request) {
			r.TemplateFlags = map[string]any{"enable_thinking": true, "add_vision_id": true}
		},
		"default sampling": func(r *Request) { r.Mode = SamplingDefault },
		"protocol":         func(r *Request) { r.Protocol = "captionqa/constrained" },
	}
	seen := map[string]string{sampleRequest().Hash(): "unchanged"}
	for name, change := range changes {
		r := sampleRequest()
		change(&r)
		h := r.Hash()
		if other, ok := seen[h]; ok {
			t.Errorf("%s has the hash of %s", name, other)
		}
		seen[h] = name
	}
	same := sampleRequest()
	same.Repeat = 7                               // a key column of its own
	same.Messages[1].Parts[1].Path = "/elsewhere" // the digest says what is sent
	if _, ok := seen[same.Hash()]; !ok || seen[same.Hash()] != "unchanged" {
		t.Error("the repeat number or the place of an image changes the hash")
	}
	one, other := sampleRequest(), sampleRequest()
	one.Mode, other.Mode = SamplingDefault, SamplingDefault
	if other.Sampling.Temperature = 0.7; one.Hash() != other.Hash() {
		t.Error("a temperature that is not sent changes the hash")
	}
	if other.Sampling.Seed = 1; one.Hash() == other.Hash() {
		t.Error("two attempts that leave sampling to the server are one request")
	}
}

func TestEmbedHash(t *testing.T) {
	a := Request{Model: "m", Inputs: []string{"ab", "c"}}
	seen := map[string]bool{a.Hash(): true}
	for _, r := range []Request{{Model: "n", Inputs: a.Inputs}, {Model: "m", Inputs: []string{"a", "bc"}},
		{Model: "m", Inputs: []string{"c", "ab"}}, {Model: "m", Inputs: a.Inputs, Protocol: "p"}} {
		if seen[r.Hash()] {
			t.Errorf("%+v has another request's hash", r)
		}
		seen[r.Hash()] = true
	}
}
