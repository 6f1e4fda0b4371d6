package llm

import (
	"context"
	"errors"
	"io"
	"net/http"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
)

// script answers one reply after the other, the last one for ever, and counts.
type script struct {
	replies []func() (*http.Response, error)
	asked   int
}

func (s *script) serve(*http.Request) (*http.Response, error) {
	i := min(s.asked, len(s.replies)-1)
	s.asked++
	return s.replies[i]()
}

// scripted is a client of a server that answers with the replies in turn, and with the last one
// again.
func scripted(t *testing.T, change func(*Config), replies ...func() (*http.Response, error)) (*Client, *script) {
	t.Helper()
	s := &script{replies: replies}
	return newClient(t, world{"a": s.serve}, change, "a"), s
}

func say(status int, body string, headers ...string) func() (*http.Response, error) {
	return func() (*http.Response, error) { return respond(status, body, headers...), nil }
}

// brokenBody ends in the middle.
type brokenBody struct{ io.Reader }

func (b brokenBody) Read(p []byte) (int, error) {
	n, err := b.Reader.Read(p)
	if errors.Is(err, io.EOF) {
		err = io.ErrUnexpectedEOF
	}
	return n, err
}
func (brokenBody) Close() error { return nil }

func TestReplyIsReadWhole(t *testing.T) {
	body := `{"choices":[{"message":{"role":"assistant","content":"A blue","reasoning_content":"hm"},
		"finish_reason":"length",
		"logprobs":{"content":[{"token":"A","logprob":-0.25,"top_logprobs":[{"token":"A","logprob":-0.25},{"token":"B",
		"logprob":-2}]}]}}],
		"usage":{"prompt_tokens":30,"completion_tokens":2,"prompt_tokens_details":{"cached_tokens":16}}}`
	synctest.Test(t, func(t *testing.T) {
		c, _ := scripted(t, nil, say(200, body))
		request := plainRequest("q")
		request.Sampling.Logprobs, request.Sampling.TopLogprobs = true, 2
		r := must.Get(c.Ask(t.Context(), request, ""))(t)
		if r.State != StateTruncated || r.Text != "A blue" || r.Reasoning != "hm" || r.FinishReason != "length" ||
			r.PromptTokens != 30 || r.CachedTokens != 16 ||
			r.CompletionTokens != 2 || r.Attempts != 1 || r.Endpoint != "test" {
			t.Errorf("%+v", r)
		}
		expect.Equal(t, r.Logprobs,
			`[{"token":"A","logprob":-0.25,"top":[{"token":"A","logprob":-0.25},{"token":"B","logprob":-2}]}]`)
	})
}

// What each failure is called, and whether it is tried again.
func TestFailures(t *testing.T) {
	for name, c := range map[string]struct {
		reply func() (*http.Response, error)
		class Class
		tries int
		say   string
	}{
		"429": {say(429, `{"error":{"message":"slow down"}}`), ClassRateLimited, 3, "slow down"},
		"quota": {say(429, `{"error":{"message":"pay",
			"code":"insufficient_quota"}}`), ClassAuth, 1, "pay"},
		"500": {say(500, `{"error":{"message":"boom"}}`), ClassServer, 3, "HTTP 500"},
		"502 html": {say(502,
			"<html>\n<b>bad gateway</b></html>"), ClassServer, 3, "a web page: bad gateway"},
		"503": {say(503, ``), ClassOverloaded, 3, "Service Unavailable"},
		"401": {say(401, `{"error":"Unauthorized"}`), ClassAuth, 1, "Unauthorized"},
		"404": {say(404, `{"error":{"message":"The model does not exist.","type":"NotFoundError",
			"code":404}}`), ClassNotFound, 1, "does not exist"},
		"400": {say(400, `{"object":"error","message":"top_k is wrong","type":"BadRequestError",
			"code":400}`), ClassRefused, 1, "top_k is wrong"},
		"422 detail": {say(422, `{"detail":[{"msg":"field required"}]}`), ClassRefused, 1, "field required"},
		"too long": {say(400, `{"error":{"message":"This model's maximum context length is 4096 tokens. `+
			`However, you requested 5000 tokens"}}`), ClassContextLength, 1, "4096"},
		"too long, older": {say(400, `{"object":"error",
			"message":"The decoder prompt (length 5000) is longer than the maximum model length of 4096."}`),
			ClassContextLength, 1, "5000"},
		"too long, vLLM 0.32": {say(400, `{"error":{"message":"This model's maximum context length is 4096 tokens. `+
			`However, your prompt contains at least 4097 input tokens, which exceeds this limit even without any output `+
			`tokens. (parameter=input_tokens, `+
			`value=4097)","type":"BadRequestError","param":"input_tokens","code":400}}`), ClassContextLength, 1, "4097"},
		"too long by one": {say(400, `{"error":{"message":"max_tokens must be at least 1, got 0. `+
			`(parameter=max_tokens, `+
			`value=0)","type":"BadRequestError","param":"max_tokens","code":400}}`), ClassContextLength, 1, "got 0"},
		"more than the context": {say(400, `{"error":{"message":"max_tokens=5000 cannot be greater than `+
			`max_model_len=4096. Please request fewer output tokens. (parameter=max_tokens, `+
			`value=5000)","type":"BadRequestError","param":"max_tokens","code":400}}`), ClassParameter, 1, "4096"},
		"several choices": {say(200, `{"choices":[{"message":{"content":"A"}},
			{"message":{"content":"B"}}]}`), ClassMalformed, 3, "several choices"},
		"negative count": {say(200, `{"choices":[{"message":{"content":"A"}}],
			"usage":{"prompt_tokens":-1}}`), ClassMalformed, 3, "counts -1"},
		"aborted": {say(200, `{"choices":[{"message":{"content":"A"},
			"finish_reason":"abort"}]}`), ClassServer, 3, "broke the reply off"},
		"error with 200": {say(200, `{"error":{"message":"boom"}}`), ClassMalformed, 3, "boom"},
		"no content": {say(200, `{"choices":[{"message":{"content":null},
			"finish_reason":"stop"}]}`), ClassEmpty, 3, "no content"},
		"thoughts alone": {say(200, `{"choices":[{"message":{"content":null,"reasoning":"Hm, well"},
			"finish_reason":"length"}]}`), ClassSilent, 1, "8 characters of reasoning and reached max_tokens"},
		"thoughts alone, old name": {say(200, `{"choices":[{"message":{"content":"","reasoning_content":"Hm"},
			"finish_reason":"stop"}]}`), ClassSilent, 1, "2 characters of reasoning and ended"},
		"thoughts in the text": {say(200, `{"choices":[{"message":{"content":"<think>\nOkay,"},
			"finish_reason":"length"}]}`), ClassSilent, 1, "13 characters of reasoning and reached max_tokens 4"},
		"thoughts kept back": {say(200, `{"choices":[{"message":{"content":""},"finish_reason":"length"}],
			"usage":{"completion_tokens":4}}`), ClassSilent, 1, "reached max_tokens 4"},
		"refusal": {say(200, `{"choices":[{"message":{"content":null,
			"refusal":"I can't help with that."},
			"finish_reason":"stop"}]}`), ClassDeclined, 1, "the model refuses: I can't help with that."},
		"refusal as a part": {say(200, `{"choices":[{"message":{"content":[{"type":"refusal","refusal":"No."}]},
			"finish_reason":"stop"}]}`), ClassDeclined, 1, "the model refuses: No."},
		"content filter": {say(200, `{"choices":[{"message":{"content":null},
			"finish_reason":"content_filter"}]}`), ClassDeclined, 1, "content filter"},
		"tool call": {say(200, `{"choices":[{"message":{"content":null,"tool_calls":[{"id":"1",
			"type":"function","function":{"name":"look_at","arguments":{"x":1}}}]},
			"finish_reason":"tool_calls"}]}`), ClassDeclined, 1, `calls the tool "look_at"`},
		"GPT-5": {say(400, `{"error":{"message":"Unsupported value: 'temperature' does not support 0 `+
			`with this model. Only the default (1) value is
				supported.","type":"invalid_request_error","param":"temperature","code":"unsupported_value"}}`), ClassParameter,
			1, "does not support 0"},
		"parameter in the text": {say(400, `{"error":{"message":"litellm.UnsupportedParamsError: gpt-5 models don't `+
			`support temperature=0","type":null,"param":null,"code":"400"}}`), ClassParameter, 1, "temperature=0"},
		"parameter in a detail": {say(422, `{"detail":[{"type":"extra_forbidden","loc":["body","top_k"],
			"msg":"Extra inputs are not permitted"}]}`), ClassParameter, 1, "top_k"},
		"parameter of one request": {say(400, `{"error":{"message":"Invalid 'messages[0].content': unsupported picture",
			"type":"invalid_request_error","param":"messages[0].content",
			"code":null}}`), ClassRefused, 1, "unsupported picture"},
		"too long, code": {say(400, `{"error":{"message":"no",
			"code":"context_length_exceeded"}}`), ClassContextLength, 1, "no"},
		"redirect": {say(307, "", "Location: http://elsewhere/"), ClassNotFound, 1, "redirects"},
		"terminal codes": {say(400, "{\"error\":{\"message\":\"red\\u001b[31m\\u009b2Jor "+
			"not\"}}"), ClassRefused, 1, "red [31m 2Jor not"},
		"405": {say(405, "<!DOCTYPE html><html><head><title>t</title><style>p{}</style></head><body><p>Use "+
			"GET</p></body></html>"), ClassNotFound, 1, "a web page: Use GET"},
		"501": {say(501, "<html></html>"), ClassNotFound, 1, "a web page: Not Implemented"},
		"reset": {func() (*http.Response, error) { return nil, errors.New("connection reset by peer") }, ClassTransport,
			3, "reset by peer"},
		"cut off": {func() (*http.Response, error) {
			r := respond(200, "")
			r.Body = brokenBody{strings.NewReader(fine[:40])}
			return r, nil
		}, ClassTransport, 3, "broke off"},
		"not json":           {say(200, "<<"+fine), ClassMalformed, 3, "not JSON"},
		"empty body":         {say(200, ""), ClassMalformed, 3, "not JSON"},
		"no choice":          {say(200, `{"choices":[]}`), ClassEmpty, 3, "no choice"},
		"other form":         {say(200, `{"choices":"A"}`), ClassMalformed, 3, "not JSON of the expected form"},
		"larger than agreed": {say(200, strings.Repeat(" ", chatBytes)+fine), ClassTransport, 3, "larger than"},
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				client, s := scripted(t, func(cfg *Config) { cfg.MaxAttempts = 3 }, c.reply)
				reply, err := client.Ask(t.Context(), plainRequest("q"), "")
				var call *CallError
				if !errors.As(err, &call) {
					t.Fatalf("error %v", err)
				}
				if call.Class != c.class || s.asked != c.tries || call.Attempts != c.tries || int(reply.Attempts) != c.tries ||
					reply.State != StateFailed || call.Endpoint != "test" {
					t.Errorf("%+v after %d tries; reply %+v", call, s.asked, reply)
				}
				if !strings.Contains(err.Error(), c.say) || strings.ContainsAny(err.Error(), "\n") {
					t.Errorf("error %q does not say %q", err, c.say)
				}
				// The same failure twice and then an answer.
				client, _ = scripted(t, nil, c.reply, c.reply, say(200, fine))
				reply, err = client.Ask(t.Context(), plainRequest("q"), "")
				if c.tries > 1 && name != "larger than agreed" && (err != nil || reply.State != StateOK || reply.Attempts != 3) {
					t.Errorf("did not recover: %v, %+v", err, reply)
				}
			})
		})
	}
}

// A reply is read in whatever form it came, and further words in it are no reason to ask again.
func TestFormsOfReplies(t *testing.T) {
	for body, want := range map[string]Reply{
		`{"choices":[{"message":{"content":[{"type":"thinking","thinking":[{"type":"text","text":"B is out."}]},
			{"type":"text","text":"A"}]},"finish_reason":"stop"}]}`: {Text: "A", Reasoning: "B is out."},
		`{"choices":[{"message":{"content":[{"type":"reasoning","text":"Hm."},{"type":"text","text":"A "},{"type":"text",
			"text":"bus"}]},"finish_reason":"stop"}]}`: {Text: "A bus", Reasoning: "Hm."},
		`{"choices":[{"message":{"content":"A","reasoning":{"summary":[]},"refusal":null,"tool_calls":[]},
			"finish_reason":"stop"}]}`: {Text: "A"},
		`{"choices":[{"message":{"content":"A"},"finish_reason":null}],"usage":{"prompt_tokens":20.0,
			"completion_tokens":3.0,"prompt_tokens_details":null}}`: {Text: "A", PromptTokens: 20, CompletionTokens: 3},
		`{"choices":[{"message":{"content":"A"},"finish_reason":"stop"}],"usage":{"prompt_tokens":"many"},"created":1.5,
			"id":7}`: {Text: "A"},
		`{"choices":[{"message":{"content":"A","content":"B"},"finish_reason":"stop"}]}`:     {Text: "B"},
		"{\"choices\":[{\"message\":{\"content\":\"\xff\"},\"finish_reason\":\"stop\"}]}":    {Text: "\uFFFD"},
		`{"choices":[{"message":{"content":"<think>Hm.</think>A"},"finish_reason":"stop"}]}`: {Text: "<think>Hm.</think>A"},
	} {
		got, err := ParseReply(plainRequest("q"), []byte(body))
		want.State, got.FinishReason = StateOK, ""
		if err != nil || got != want {
			t.Errorf("%s: %+v %v", body, got, err)
		}
	}
}

// Replies that are no answer are kept with their text.
func TestRepliesWithoutAnAnswer(t *testing.T) {
	logprobs := plainRequest("q")
	logprobs.Sampling.Logprobs = true
	for _, c := range []struct {
		request Request
		body    string
		class   Class
		text    string
	}{
		{plainRequest("q"), `{"choices":[{"message":{"content":null,"refusal":"No."},"finish_reason":"stop"}],
			"usage":{"completion_tokens":2}}`, ClassDeclined, "No."},
		{logprobs, `{"choices":[{"message":{"content":"A"},"finish_reason":"stop","logprobs":null}],
			"usage":{"completion_tokens":2}}`, ClassNoLogprobs, "A"},
	} {
		synctest.Test(t, func(t *testing.T) {
			client, s := scripted(t, nil, say(200, c.body))
			reply, err := client.Ask(t.Context(), c.request, "")
			if ClassOf(err) != c.class || reply.State != StateFailed || reply.Text != c.text ||
				reply.CompletionTokens != 2 || s.asked != 1 {
				t.Errorf("%+v %v after %d attempts", reply, err, s.asked)
			}
		})
	}
}

// A reply of more text than its tokens can be was not written under the limit that was sent.
func TestReplyLongerThanAsked(t *testing.T) {
	body := func(n int) []byte {
		return []byte(`{"choices":[{"message":{"content":"` + strings.Repeat("x", n) + `"}}]}`)
	}
	r := plainRequest("q")
	r.Sampling.MaxTokens = 4
	if _, err := ParseReply(r, body(4*tokenBytes)); err != nil {
		t.Error(err)
	}
	if _, err := ParseReply(r, body(5*tokenBytes)); ClassOf(err) != ClassMalformed {
		t.Errorf("%v", err)
	}
}

// What another model says is not recorded under the name of the one that was asked. Names of one
// model are told apart from names of several by the files that they were loaded from.
func TestReplyOfAnotherModel(t *testing.T) {
	for name, c := range map[string]struct {
		root    string
		dialect Dialect
		class   Class
	}{
		"another":        {"other", DialectVLLM, ClassOtherModel},
		"the same":       {"one", DialectVLLM, ""},
		"OpenAI renames": {"other", DialectOpenAI, ""},
	} {
		synctest.Test(t, func(t *testing.T) {
			w := world{"a": func(r *http.Request) (*http.Response, error) {
				if r.URL.Path == "/v1/models" {
					return respond(200, `{"data":[{"id":"m","root":"one"},{"id":"n","root":"`+c.root+`"}]}`), nil
				}
				return respond(200, `{"model":"n",`+fine[1:]), nil
			}}
			client := newClient(t, w, func(cfg *Config) { cfg.Endpoint.Dialect = c.dialect }, "a")
			reply, err := client.Ask(t.Context(), plainRequest("q"), "")
			if ClassOf(err) != c.class || (reply.State == StateOK) != (c.class == "") {
				t.Errorf("%s: %v %+v", name, err, reply)
			}
		})
	}
}

// By hand, with the jitter's draw fixed at one half: 429 asks for 7 s and gets 7 s + 0.5 · 0.5 s;
// the second failure waits half of 0.5 s · 2.
func TestWaitsBetweenAttempts(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c, _ := scripted(t, nil, say(429, "", "Retry-After: 7"), say(500, ""), say(200, fine))
		start := time.Now()
		must.Get(c.Ask(t.Context(), plainRequest("q"), ""))(t)
		expect.Equal(t, time.Since(start), 7250*time.Millisecond+500*time.Millisecond)
	})
}

func TestInvalidRequestsAreNotSent(t *testing.T) {
	c, s := scripted(t, nil, say(200, fine))
	r := Request{Model: "m", Messages: []Message{User("", Image("none.png", strings.Repeat("ab", 32)))},
		Sampling: Greedy(1)}
	if reply, err := c.Ask(context.Background(), r, ""); ClassOf(err) != ClassInvalid || reply.State != StateFailed ||
		s.asked != 0 {
		t.Errorf("%v, %+v", err, reply)
	}
}

func TestEmbedChecksVectors(t *testing.T) {
	for body, fault := range map[string]string{
		`{"data":[{"index":1,"embedding":[3,4]},{"index":0,"embedding":[1,2]}],
			"usage":{"prompt_tokens":5}}`: "",
		`{"data":[{"index":0,"embedding":[1,2]}]}`:                             "no vector for input 1 of 2",
		`{"data":[{"index":0,"embedding":[1]},{"index":0,"embedding":[2]}]}`:   "twice or out of range",
		`{"data":[{"index":0,"embedding":[1]},{"index":9,"embedding":[2]}]}`:   "twice or out of range",
		`{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[]}]}`:    "no vector for input 1 of 2",
		`{"data":[{"index":0,"embedding":[1]},{"index":1,"embedding":[1,2]}]}`: "1 and 2 coordinates",
	} {
		synctest.Test(t, func(t *testing.T) {
			c, _ := scripted(t, func(cfg *Config) { cfg.MaxAttempts = 1 }, say(200, body))
			reply, err := c.Ask(t.Context(), Request{Model: "m", Inputs: []string{"x", "y"}}, "")
			if fault == "" {
				if err != nil || reply.Text != "[[1,2],[3,4]]" || reply.PromptTokens != 5 {
					t.Errorf("%v, %+v", err, reply)
				}
			} else if ClassOf(err) != ClassMalformed || !strings.Contains(err.Error(), fault) || reply.Text != "" {
				t.Errorf("%s: %v", body, err)
			}
		})
	}
}

func TestKeysThatAreNotSet(t *testing.T) {
	expect.Refusal(New(Config{Endpoint: Endpoint{KeyEnv: "CAPTIONLAKE_NO_SUCH_KEY"}}))(t,
		"CAPTIONLAKE_NO_SUCH_KEY is empty")
}
