package llm

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
)

const testKey = "sk-Captionlake+7f/3a9c&<_Zq"

func TestWhatIsNoKeyStays(t *testing.T) {
	r := newRedactor("sk-captionlake-7f3a9c")
	for _, text := range []string{"", "B", "A red bus beside a lake.", "The standard bearer carrying a " +
		"flag", "sk-other", strings.Repeat("captionlake ", 20)} {
		expect.Equal(t, r.clean(text), text)
	}
	// A placeholder is a word, not a secret.
	expect.Equal(t, newRedactor("EMPTY").clean("The shelf is EMPTY."), "The shelf is EMPTY.")
	if got := (redactor{}).message("key sk-abcdefgh is wrong"); strings.Contains(got, "abcdefgh") {
		t.Errorf("%q", got)
	}
}

// A key goes to the server and nowhere else: wherever the server says it again, nothing that the
// client returns has it.
func TestKeyLeavesNoTrace(t *testing.T) {
	for _, said := range []string{
		testKey, url.QueryEscape(testKey), "qZ_<&c9a3/f7+ekalnoitpaC-ks", hex.EncodeToString([]byte(testKey)),
		base64.StdEncoding.EncodeToString([]byte(testKey)),
		base64.StdEncoding.EncodeToString([]byte("Bearer " + testKey)),
		base64.URLEncoding.EncodeToString([]byte("is " + testKey + "!!!")),
		base64.URLEncoding.EncodeToString([]byte("my " + "key: " + testKey)),
	} {
		quoted := must.Get(json.Marshal(said))(t)
		q := string(quoted)
		token := `{"token":` + q + `,"logprob":-1,"top_logprobs":[{"token":` + q + `,"logprob":-1}]}`
		for place, reply := range map[string]func() (*http.Response, error){
			"content": say(200, `{"choices":[{"message":{"content":`+q+`},"finish_reason":"stop"}]}`),
			"reasoning": say(200, `{"choices":[{"message":{"content":"A",
				"reasoning":`+q+`,"reasoning_content":`+q+`},"finish_reason":"stop"}]}`),
			"silent": say(200, `{"choices":[{"message":{"content":null,"reasoning":`+q+`},"finish_reason":"stop"}]}`),
			"logprobs": say(200, `{"choices":[{"message":{"content":"A"},"finish_reason":"stop",
				"logprobs":{"content":[`+token+`]}}]}`),
			"finish": say(200, `{"choices":[{"message":{"content":"A"},"finish_reason":`+q+`}]}`),
			"model": say(200, `{"model":`+q+`,"data":[{"id":`+q+`,"root":`+q+`}],"version":`+q+`,
				"choices":[{"message":{"content":"A"}}]}`),
			"error":     say(400, `{"error":{"message":`+q+`,"type":`+q+`,"code":`+q+`}}`),
			"detail":    say(422, `{"detail":[{"msg":`+q+`}]}`),
			"page":      say(503, "<p>"+said+"</p>"),
			"text":      say(200, said),
			"transport": func() (*http.Response, error) { return nil, errors.New("proxy said: Bearer " + said) },
			"header":    say(429, "{}", "Retry-After: "+said, "X-Key: "+said),
		} {
			t.Setenv("TEST_KEY", testKey)
			synctest.Test(t, func(t *testing.T) {
				sent := ""
				w := world{"a": func(r *http.Request) (*http.Response,
					error) {
					sent = r.Header.Get("Authorization")
					return reply()
				}}
				c := newClient(t, w, func(cfg *Config) {
					cfg.Endpoint.KeyEnv, cfg.MaxAttempts = "TEST_KEY", 1
				}, "a")
				request := plainRequest("q")
				request.Sampling = Greedy(2000)
				request.Sampling.Logprobs, request.Sampling.TopLogprobs = true, 1
				got, err := c.Ask(t.Context(), request, "")
				must.Equal(t, sent, "Bearer "+testKey)
				told := fmt.Sprint(got.Text, got.Reasoning, got.FinishReason, got.Logprobs, err)
				facts := c.Facts(t.Context())[0]
				told += fmt.Sprint(facts.Error, facts.Version, facts.Models, c.ProbeConstraint(t.Context(), "m", nil))
				if strings.Contains(told, said[len(said)/3:len(said)*2/3]) {
					t.Errorf("%s in %s: %q", said, place, told)
				}
			})
		}
	}
}
