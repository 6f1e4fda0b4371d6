package server

import (
	"bytes"
	"encoding/base64"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
)

func newPost(path, body string) *http.Request {
	r := httptest.NewRequest(http.MethodPost, path, strings.NewReader(body))
	r.Header.Set("Content-Type", "application/json")
	return r
}

// post sends a body and returns the status and the reply.
func post(s *Server, path, body string) (int, map[string]any) {
	w := httptest.NewRecorder()
	s.ServeHTTP(w, newPost(path, body))
	var m map[string]any
	if json.Unmarshal(w.Body.Bytes(), &m) != nil {
		m = map[string]any{"text": w.Body.String()}
	}
	return w.Code, m
}

// at follows keys and positions into a reply.
func at(t *testing.T, m any, path ...any) any {
	t.Helper()
	for _, p := range path {
		switch p := p.(type) {
		case string:
			m = m.(map[string]any)[p]
		case int:
			m = m.([]any)[p]
		}
	}
	return m
}

func TestChatEndpoint(t *testing.T) {
	s := New(Options{})
	user := must.Get(captionqa.UserPrompt(strings.Repeat("The bench is blue. ", 20), "What colour is the bench?",
		[]string{"Red", "Blue", captionqa.CannotOption}))(t)
	quoted := must.Get(json.Marshal(user))(t)
	body := `{"model":"rehearsal/reader-careful","messages":[{"role":"user",
		"content":` + string(quoted) + `}],"logprobs":true,"top_logprobs":2,"guided_choice":["A"],"max_tokens":4}`
	status, first := post(s, "/v1/chat/completions", body)
	if status != 200 || at(t, first, "choices", 0, "message", "content") != "B" ||
		at(t, first, "choices", 0, "finish_reason") != "stop" {
		t.Fatalf("%d %v", status, first)
	}
	if top := at(t, first, "choices", 0, "logprobs", "content", 0, "top_logprobs").([]any); len(top) != 2 ||
		at(t, top, 0, "token") != "B" || at(t, top, 0, "logprob").(float64) > 0 {
		t.Errorf("%v", top)
	}
	// The template adds 22 bytes before and 33 after the message.
	size := len("<|im_start|>user\n") + len(user) + len("<|im_end|>\n<|im_start|>assistant\n")
	_, second := post(s, "/v1/chat/completions", body)
	if at(t, second, "usage", "prompt_tokens") != float64((size+3)/4) ||
		at(t, second, "usage", "prompt_tokens_details", "cached_tokens") != float64(size/64*16) {
		t.Errorf("%v for %d bytes", second["usage"], size)
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/metrics", nil))
	if want := fmt.Sprintf("vllm:prefix_cache_hits_total{engine=\"0\",model_name=\"rehearsal\"} "+
		"%d\n", size/64*16); !strings.Contains(w.Body.String(), want) {
		t.Errorf("/metrics does not have %s in\n%s", want, w.Body)
	}
}

func TestRefusals(t *testing.T) {
	s := New(Options{})
	chat := func(rest string) string {
		return `{"model":"rehearsal/judge","messages":[{"role":"user","content":"x"}]` + rest + `}`
	}
	for _, c := range []struct {
		body   string
		status int
		say    string
	}{
		{chat(`,"stream":true`), 400, "stream"},
		{chat(`,"n":2`), 400, "n must be 1"},
		{chat(`,"stop":["x"]`), 400, "stops at no text"},
		{`{"model":"rehearsal/judge","messages":[{"role":"user",
			"content":"` + strings.Repeat("x", 4*ContextTokens) + `"}]}`, 400, "maximum context length is 32768 tokens"},
		{strings.Replace(chat(""), "rehearsal/judge", "gpt-4", 1), 404, "does not exist"},
		{`{"model":"rehearsal/judge","messages":[{"role":"user","content":[{"type":"image_url",
			"image_url":{"url":"http://example.org/a.png"}}]}]}`, 400, "fetches nothing"},
		{`{"model":"rehearsal/judge","messages":[{"role":"user","content":[{"type":"image_url",
			"image_url":{"url":"data:image/png;base64,AAAA"}}]}]}`, 400, "cannot identify image"},
		{`{"model":"rehearsal/judge","messages":[{"role":"user","content":[{"type":"image_url"}]}]}`, 400, "no url"},
		{`{"model":"rehearsal/judge","messages":[{"role":"user","content":[{"type":"input_audio"}]}]}`, 400, "not served"},
	} {
		status, m := post(s, "/v1/chat/completions", c.body)
		if message, _ := at(t, m, "error", "message").(string); status != c.status || !strings.Contains(message, c.say) {
			t.Errorf("%.80s: %d %v, want %d with %q", c.body, status, m, c.status, c.say)
		}
	}
	if status, _ := post(s, "/v1/other", "{}"); status != 404 {
		t.Errorf("an unknown path: %d", status)
	}
	w := httptest.NewRecorder()
	s.ServeHTTP(w, httptest.NewRequest(http.MethodGet, "/v1/chat/completions", nil))
	expect.Equal(t, w.Code, http.StatusMethodNotAllowed)
}

func TestEmbeddingsOfAList(t *testing.T) {
	s := New(Options{})
	status, m := post(s, "/v1/embeddings", `{"model":"rehearsal/embedder","input":["a","b"]}`)
	if status != 200 || at(t, m, "data", 1, "index") != 1.0 ||
		len(at(t, m, "data", 1, "embedding").([]any)) != Dimensions {
		t.Errorf("%d %v", status, m)
	}
}

// A captioner sees a picture that comes as a data URL, and knows it by its digest.
func TestCaptionOverHTTP(t *testing.T) {
	w, images := sampleWorld(t)
	s := New(Options{World: w})
	ask := func(png []byte) string {
		url := "data:image/png;base64," + base64.StdEncoding.EncodeToString(png)
		status, m := post(s, "/v1/chat/completions", `{"model":"rehearsal/captioner-large","messages":[{"role":"user",
			"content":[{"type":"image_url","image_url":{"url":"`+url+`"}},{"type":"text","text":"`+captionqa.LongText+`"}]}]}`)
		must.Equal(t, status, 200, m)
		// 28 by 28 pixels are a token.
		if got, least := at(t, m, "usage", "prompt_tokens").(float64),
			float64(images[0].Frames[0].Width*images[0].Frames[0].Height/784); bytes.Equal(png, images[0].Frames[0].PNG) &&
			got < least {
			t.Errorf("%v prompt tokens for a picture of %v", got, least)
		}
		return at(t, m, "choices", 0, "message", "content").(string)
	}
	expect.Contains(t, strings.ToLower(ask(images[0].Frames[0].PNG)), strings.ToLower(images[0].Facts[0].Value))
	rows := must.Get(images[1].Rows())(t)
	fromRows, err := NewWorld(append(rows, data.Image{ImageID: "other"}))
	if err != nil || fromRows.scene([]string{rows[0].SHA256}) == nil || fromRows.scene([]string{""}) != nil {
		t.Errorf("a world of rows: %v", err)
	}
	if _, err := NewWorld([]data.Image{{ImageID: "x", SHA256: "1", Facts: "{"}}); err == nil {
		t.Error("facts that are not JSON are taken")
	}
}

func TestEveryFaultLooksRight(t *testing.T) {
	body := `{"model":"rehearsal/judge","messages":[{"role":"user","content":"Say the word apple."}],
		"structured_outputs":{"choice":["quartz"]}}`
	send := func(f Fault) (status int, header http.Header, text string, cut bool) {
		synctest.Test(t, func(t *testing.T) {
			s := New(Options{Faults: &Faults{Shares: map[Fault]float64{f: 1}}, RetryAfter: 1500 * time.Millisecond,
				SlowBy: time.Minute})
			w := httptest.NewRecorder()
			start := time.Now()
			func() {
				defer func() { cut = recover() != nil }()
				s.ServeHTTP(w, newPost("/v1/chat/completions", body))
			}()
			if took := time.Since(start); (f == FaultSlow) != (took == time.Minute) {
				t.Errorf("%s took %v", f, took)
			}
			status, header, text = w.Code, w.Header(), w.Body.String()
		})
		return status, header, text, cut
	}
	for f, right := range map[Fault]func(status int, h http.Header, text string, cut bool) bool{
		FaultNone: func(s int, _ http.Header, x string, _ bool) bool {
			return s == 200 && strings.Contains(x, `"content":"quartz"`)
		},
		FaultRateLimit: func(s int, h http.Header, _ string, _ bool) bool {
			return s == 429 && h.Get("Retry-After") == "1.5"
		},
		FaultServer: func(s int, _ http.Header, _ string, _ bool) bool { return s == 500 },
		FaultOverload: func(s int, _ http.Header, x string, _ bool) bool {
			return s == 503 && strings.HasPrefix(x, "<html>")
		},
		FaultReset:   func(_ int, _ http.Header, x string, cut bool) bool { return cut && x == "" },
		FaultSlow:    func(s int, _ http.Header, x string, _ bool) bool { return s == 200 && strings.Contains(x, "quartz") },
		FaultCut:     func(_ int, _ http.Header, x string, cut bool) bool { return cut && x != "" && !json.Valid([]byte(x)) },
		FaultGarbage: func(s int, _ http.Header, x string, _ bool) bool { return s == 200 && !json.Valid([]byte(x)) },
		FaultEmpty: func(s int, _ http.Header, x string, _ bool) bool {
			return s == 200 && strings.Contains(x, `"choices":[]`)
		},
		FaultIgnoreChoice: func(s int, _ http.Header, x string, _ bool) bool {
			return s == 200 && strings.Contains(x, `"content":"apple"`)
		},
	} {
		if status, header, text, cut := send(f); !right(status, header, text, cut) {
			t.Errorf("%q: %d %v cut %v: %s", f, status, header, cut, text)
		}
	}
	if slices.Contains(drawnFaults, FaultNone) {
		t.Error("no fault is drawn as a fault")
	}
}

func TestModelsAreServed(t *testing.T) {
	server := httptest.NewServer(New(Options{}))
	defer server.Close()
	resp := must.Get(http.Get(server.URL + "/v1/models"))(t)
	page := must.Get(io.ReadAll(resp.Body))(t)
	resp.Body.Close()
	for _, p := range Profiles() {
		if !strings.HasPrefix(p.ID, Prefix) || !bytes.Contains(page, []byte(`"id":"`+p.ID+`"`)) {
			t.Errorf("%s is not served or not labelled", p.ID)
		}
	}
}

func FuzzRead(f *testing.F) {
	for _, s := range []string{`{"model":"rehearsal/judge","messages":[{"role":"user",
		"content":"Caption:\nx\n\nQuestion:\ny\n\nOptions:\nA. 1\nB. 2\n\nAnswer:"}]}`,
		`{"messages":[{"role":"system","content":"Task: write multiple-choice questions about the image."},{"role":"user",
			"content":[{"type":"text","text":"Category: c"}]}],"model":"rehearsal/judge"}`, `{}`, `[]`, ``} {
		f.Add([]byte(s))
	}
	f.Fuzz(func(t *testing.T, body []byte) {
		if len(body) > 1<<16 {
			return
		}
		var world *World
		_, ask, text, err := readChat(body, ContextTokens)
		if err != nil {
			return
		}
		blockKeys(text)
		ask.Model = "rehearsal/reader-eager"
		say := world.Reply(ask)
		if say.FinishReason == "" {
			t.Errorf("%+v", say)
		}
		logprobsOf(say, 5)
	})
}
