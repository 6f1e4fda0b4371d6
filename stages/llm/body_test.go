package llm

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
)

// picture writes a PNG and returns its part.
func picture(t testing.TB, width, height int) Part {
	t.Helper()
	var buf bytes.Buffer
	must.Succeed(t, png.Encode(&buf, image.NewGray(image.Rect(0, 0, width, height))))
	return file(t, "a.png", buf.Bytes())
}

func file(t testing.TB, name string, content []byte) Part {
	t.Helper()
	path := filepath.Join(t.TempDir(), name)
	must.Succeed(t, os.WriteFile(path, content, 0o600))
	sum := sha256.Sum256(content)
	return Image(path, hex.EncodeToString(sum[:]))
}

func fields(t *testing.T, body []byte) map[string]any {
	t.Helper()
	var m map[string]any
	must.Succeed(t, json.Unmarshal(body, &m))
	return m
}

// What a vLLM server would fill from the model's own settings must be in the body, zeros too.
func TestBodyIsExplicit(t *testing.T) {
	r := sampleRequest()
	r.Messages = []Message{System("You answer."), User("a < b & c")}
	body := must.Get(r.Body(DialectVLLM, nil))(t)
	const want = `{"model":"Qwen/Qwen2.5-72B-Instruct","top_p":1,"n":1,"stream":false,"seed":0,` +
		`"messages":[{"role":"system","content":"You answer."},{"role":"user","content":"a < b & ` +
		`c"}],"max_tokens":4,"temperature":0,"top_k":-1,"min_p":0,` +
		`"repetition_penalty":1,"structured_outputs":{"choice":["A","B"]},` +
		`"chat_template_kwargs":{"add_vision_id":true,"enable_thinking":false}}`
	expect.Equal(t, string(body), want)
}

func TestBodyDialectOpenAI(t *testing.T) {
	r := sampleRequest()
	r.Messages = r.Messages[:1]
	if _, err := r.Body(DialectOpenAI, nil); ClassOf(err) != ClassParameter ||
		!strings.Contains(err.Error(), "choice constraint") {
		t.Errorf("a constraint for a server without it: %v", err)
	}
	r.Choice, r.TemplateFlags = nil, nil
	body, err := r.Body(DialectOpenAI, nil)
	must.Succeed(t, err)
	m := fields(t, body)
	if m["max_completion_tokens"] != 4.0 || m["temperature"] != 0.0 {
		t.Errorf("body %s", body)
	}
	for _, name := range []string{"max_tokens", "top_k", "min_p", "repetition_penalty", "structured_outputs"} {
		if _, found := m[name]; found {
			t.Errorf("%s is sent to a server that refuses it", name)
		}
	}
	r.Schema = `{"type":"object"}`
	if body, err = r.Body(DialectOpenAI, nil); err != nil ||
		!strings.Contains(string(body),
			`"response_format":{"type":"json_schema","json_schema":{"name":"reply","schema":{"type":"object"},"strict":true}}`) {
		t.Errorf("a schema in OpenAI's form: %s %v", body, err)
	}
	if body, err = r.Body(DialectVLLM, nil); err != nil ||
		!strings.Contains(string(body), `"structured_outputs":{"json":{"type":"object"}}`) {
		t.Errorf("a schema in vLLM's form: %s %v", body, err)
	}
	r.Schema = "{"
	if _, err := r.Body(DialectVLLM, nil); err == nil {
		t.Error("a schema that is not JSON is sent")
	}
}

// Sampling that is left to the server is not in the body, under any dialect; all else is.
func TestBodyOfDefaultSampling(t *testing.T) {
	r := plainRequest("q")
	r.Mode, r.Sampling = SamplingDefault, Sampled(0.7, 5, 9)
	r.Sampling.PresencePenalty = 1
	for dialect, want := range map[Dialect]string{
		DialectOpenAI: `{"model":"m","max_completion_tokens":9,"n":1,"stream":false,"messages":[{"role":"user",` +
			`"content":"q"}]}`,
		DialectVLLM: `{"model":"m","n":1,"stream":false,"messages":[{"role":"user","content":"q"}],"max_tokens":9}`,
	} {
		expect.Equal(t, string(must.Get(r.Body(dialect, nil))(t)), want, dialect)
	}
	if s := r.Settings(false); s != `{"sampling":"default","max_tokens":9,"model":"m"}` {
		t.Error(s)
	}
}

// A model of OpenAI's that is known to refuse sampling parameters is not asked with them, unless
// its settings say so.
func TestReasoningModels(t *testing.T) {
	for _, c := range []struct {
		model   string
		dialect Dialect
		mode    SamplingMode
		refused string
	}{
		{"gpt-4o", DialectOpenAI, SamplingChecked, ""},
		{"Qwen/Qwen2.5-72B-Instruct", DialectOpenAI, SamplingChecked, ""},
		{"gpt-5", DialectVLLM, SamplingChecked, ""},
		{"gpt-5", DialectOpenAI, SamplingChecked, "temperature"},
		{"o4-mini", DialectOpenAI, SamplingChecked, "temperature"},
		{"gpt-5", DialectOpenAI, SamplingDefault, ""},
		{"gpt-5-chat-latest", DialectOpenAI, SamplingExplicit, ""},
	} {
		r := plainRequest("q")
		r.Model, r.Mode = c.model, c.mode
		_, err := r.Body(c.dialect, nil)
		if c.refused == "" && err != nil || c.refused != "" &&
			(ClassOf(err) != ClassParameter || !strings.Contains(err.Error(), c.refused)) {
			t.Errorf("%+v: %v", c, err)
		}
	}
	r := plainRequest("q")
	r.Model, r.Mode, r.Sampling.Logprobs = "o3", SamplingDefault, true
	_, err := r.Body(DialectOpenAI, nil)
	if call := new(CallError); !errors.As(err, &call) || call.Param != "logprobs" {
		t.Errorf("log-probabilities of a model without them: %v", err)
	}
}

func TestBodyWithFrames(t *testing.T) {
	one, two := picture(t, 3, 2), picture(t, 2, 3)
	r := sampleRequest()
	r.Messages = []Message{User("Which came first?", one, two)}
	body := must.Get(r.Body(DialectVLLM, nil))(t)
	parts := fields(t, body)["messages"].([]any)[0].(map[string]any)["content"].([]any)
	if len(parts) != 3 || parts[2].(map[string]any)["text"] != "Which came first?" {
		t.Fatalf("parts %v", parts)
	}
	url := parts[1].(map[string]any)["image_url"].(map[string]any)["url"].(string)
	if !strings.HasPrefix(url, "data:image/png;base64,iVBORw0KGgo") {
		t.Errorf("url %.60s", url)
	}
}

func TestMediaReadsOnceAndChecks(t *testing.T) {
	m := &Media{}
	p := picture(t, 3, 2)
	first := must.Get(m.dataURL(p))(t)
	must.Succeed(t, os.Remove(p.Path))
	expect.Equal(t, must.Get(m.dataURL(p))(t), first, "the second request read the file again")
	if _, err := (&Media{}).dataURL(p); err == nil {
		t.Error("a missing file is no error")
	}

	changed := picture(t, 3, 2)
	changed.SHA256 = strings.Repeat("00", 32)
	for say, part := range map[string]Part{
		"has changed":                changed,
		"larger than 33554432 bytes": file(t, "a.png", make([]byte, mediaBytes+1)),
		"65535 by 65535 pixels":      file(t, "a.gif", []byte("GIF89a\xff\xff\xff\xff\x00\x00\x00")),
		"not a PNG":                  file(t, "b.png", []byte("not a picture")),
	} {
		expect.Refusal((&Media{}).dataURL(part))(t, say)
	}
	m.held = mediaKept
	must.Get(m.dataURL(picture(t, 4, 2)))(t)
	expect.Equal(t, len(m.urls), 1, "files are kept")
}

// Whatever the texts are, a body is JSON that says them; wrong UTF-8 becomes U+FFFD, one for each
// wrong byte.
func TestBodySaysWhatItIsGiven(t *testing.T) {
	for said, want := range map[string]string{"\"\x00\n<b>\u2028 日本語 😀": "\"\x00\n<b>\u2028 日本語 😀",
		"wrong \xff\xc3 UTF-8": "wrong \uFFFD\uFFFD UTF-8"} {
		r := sampleRequest()
		r.Messages, r.Choice = []Message{User(said)}, []string{"A", said}
		r.Sampling.Logprobs, r.Sampling.TopLogprobs = true, 0
		body := must.Get(r.Body(DialectVLLM, nil))(t)
		got := fields(t, body)
		expect.Equal[any](t, got["messages"].([]any)[0].(map[string]any)["content"], want, said)
		if choice := got["structured_outputs"].(map[string]any)["choice"].([]any)[1]; choice != want ||
			got["logprobs"] != true {
			t.Errorf("%q became %s", said, body)
		}
	}
}
