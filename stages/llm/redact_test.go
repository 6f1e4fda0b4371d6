package llm

import (
	"encoding/base64"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/captionlake/captionlake/data/must"
)

const testKey = "sk-Captionlake+7f/3a9c_Zq"

// disguises are the ways in which a server says the key again.
func disguises(key string) map[string]string {
	b := []byte(key)
	backwards := func(s string) string {
		r := []byte(s)
		slices.Reverse(r)
		return string(r)
	}
	every := func(format, between string) string {
		var parts []string
		for _, c := range b {
			parts = append(parts, fmt.Sprintf(format, c))
		}
		return strings.Join(parts, between)
	}
	out := map[string]string{
		"plain": key, "upper": strings.ToUpper(key), "lower": strings.ToLower(key), "backwards": backwards(key),
		"spaced": strings.Join(strings.Split(key, ""), " "), "lines": key[:len(key)/2] + "\n" + key[len(key)/2:], "zero width": key[:5] + "\u200b" + key[5:],
		"hex": hex.EncodeToString(b), "HEX": strings.ToUpper(hex.EncodeToString(b)), "hex backwards": backwards(hex.EncodeToString(b)),
		"hex of backwards": hex.EncodeToString([]byte(backwards(key))), "hex with spaces": every("%02x", " "), "hex with colons": every("%02X", ":"),
		"0x": every("0x%02x", ", "), `\x`: every(`\x%02x`, ""), `\u`: every(`\u%04x`, ""), "percent": every("%%%02X", ""),
		"percent where needed": url.QueryEscape(key), "html": every("&#%d;", ""), "html hex": every("&#x%x;", ""), "bearer": "Bearer " + key,
	}
	for offset := range 4 {
		for name, e := range map[string]*base64.Encoding{"std": base64.StdEncoding, "raw": base64.RawStdEncoding, "url": base64.URLEncoding, "rawurl": base64.RawURLEncoding} {
			for _, k := range []string{key, backwards(key)} {
				s := e.EncodeToString([]byte("abcd"[:offset] + k))
				out[fmt.Sprint("base64 ", name, offset, k)] = s
				out[fmt.Sprint("base64 more ", name, offset, k)] = e.EncodeToString([]byte("abcd"[:offset] + k + "efg"))
				out[fmt.Sprint("base64 backwards ", name, offset, k)] = backwards(s)
				out[fmt.Sprint("base64 escaped ", name, offset, k)] = url.QueryEscape(s)
				out[fmt.Sprint("base64 lines ", name, offset, k)] = s[:len(s)/2] + "\r\n" + s[len(s)/2:]
			}
		}
	}
	return out
}

// What is left of a text around the key says nothing of it: at most the characters that the surroundings share with it.
func TestKeyIsFoundInDisguise(t *testing.T) {
	for _, key := range []string{testKey, "abc123", strings.Repeat("0123456789abcdef", 10), "a.b*c(d[e"} {
		r := newRedactor(key)
		for name, text := range disguises(key) {
			got := r.clean("before " + text + " after")
			rest := strings.NewReplacer("before ", "", " after", "", keyRemoved, "").Replace(got)
			// The ends of base64 mix the key's first and last bits with others: four characters hold less than three bytes.
			if !strings.Contains(got, keyRemoved) || len(rest) > 2*len("YWJj")+6 || !strings.HasPrefix(got, "before ") || !strings.HasSuffix(got, " after") {
				t.Errorf("%s: %s of %q leaves %q", key, name, text, got)
			}
		}
	}
}

func TestWhatIsNoKeyStays(t *testing.T) {
	r := newRedactor("sk-captionlake-7f3a9c")
	for _, text := range []string{"", "B", "A red bus beside a lake.", "The standard bearer carrying a flag", "sk-other", strings.Repeat("captionlake ", 20)} {
		if got := r.clean(text); got != text {
			t.Errorf("%q became %q", text, got)
		}
	}
	// A placeholder is a word, not a secret.
	if got := newRedactor("EMPTY").clean("The shelf is EMPTY."); got != "The shelf is EMPTY." {
		t.Errorf("%q", got)
	}
	if got := (redactor{}).message("key sk-abcdefgh is wrong"); strings.Contains(got, "abcdefgh") {
		t.Errorf("%q", got)
	}
}

// Wherever a server says the key again, nothing that the client returns has it.
func TestKeyLeavesNoTrace(t *testing.T) {
	all := disguises(testKey)
	for _, name := range []string{"plain", "backwards", "hex", "percent", "base64 std0" + testKey, "base64 more url1" + testKey} {
		disguised, ok := all[name]
		if !ok {
			t.Fatal(name)
		}
		quoted, err := json.Marshal(disguised)
		must.Succeed(t, err)
		q := string(quoted)
		tokens := func(s string) string {
			var list []string
			for _, piece := range strings.Split(s, "") {
				p, _ := json.Marshal(piece)
				list = append(list, `{"token":`+string(p)+`,"logprob":-1,"top_logprobs":[{"token":`+string(p)+`,"logprob":-1}]}`)
			}
			return "[" + strings.Join(list, ",") + "]"
		}
		for place, reply := range map[string]func() (*http.Response, error){
			"content":   say(200, `{"choices":[{"message":{"content":`+q+`},"finish_reason":"stop"}]}`),
			"reasoning": say(200, `{"choices":[{"message":{"content":"A","reasoning":`+q+`,"reasoning_content":`+q+`},"finish_reason":"stop"}]}`),
			"silent":    say(200, `{"choices":[{"message":{"content":null,"reasoning":`+q+`},"finish_reason":"stop"}]}`),
			"logprobs":  say(200, `{"choices":[{"message":{"content":"A"},"finish_reason":"stop","logprobs":{"content":`+tokens(disguised)+`}}]}`),
			"finish":    say(200, `{"choices":[{"message":{"content":"A"},"finish_reason":`+q+`}]}`),
			"model":     say(200, `{"model":`+q+`,"data":[{"id":`+q+`,"root":`+q+`}],"version":`+q+`,"choices":[{"message":{"content":"A"}}]}`),
			"error":     say(400, `{"error":{"message":`+q+`,"type":`+q+`,"code":`+q+`}}`),
			"detail":    say(422, `{"detail":[{"msg":`+q+`}]}`),
			"page":      say(503, "<p>"+disguised+"</p>"),
			"text":      say(200, disguised),
			"header":    say(429, "{}", "Retry-After: "+strings.Map(printable, disguised), "X-Key: "+strings.Map(printable, disguised)),
		} {
			synctest.Test(t, func(t *testing.T) {
				w := world{"a": func(*http.Request) (*http.Response, error) { return reply() }}
				c := newClient(t, w, func(cfg *Config) {
					cfg.Endpoint.KeyEnv, cfg.MaxAttempts = "TEST_KEY", 1
					cfg.Getenv = func(string) string { return testKey }
				}, "a")
				request := plainRequest("q")
				request.Sampling = Greedy(2000)
				request.Sampling.Logprobs, request.Sampling.TopLogprobs = true, 1
				got, err := c.Ask(t.Context(), request, Affinity{})
				said := fmt.Sprint(got.Text, got.Reasoning, got.FinishReason, got.PromptLogprobs, err)
				for _, l := range got.Logprobs {
					said += l.Token
				}
				facts := c.Facts(t.Context())[0]
				said += fmt.Sprint(facts.Error, facts.Version, facts.Models, c.Health(t.Context()), c.ProbeConstraint(t.Context(), "m", nil))
				if c.redact.clean(said) != said {
					t.Errorf("%s in %s: %q", name, place, said)
				}
			})
		}
	}
}

func printable(r rune) rune {
	if r < ' ' || r > '~' {
		return ' '
	}
	return r
}

func BenchmarkNewRedactor(b *testing.B) {
	for b.Loop() {
		newRedactor("sk-captionlake-7f3a9c0123456789abcdef0123456789")
	}
}

func BenchmarkRedact(b *testing.B) {
	r := newRedactor("sk-captionlake-7f3a9c0123456789abcdef0123456789")
	text := strings.Repeat("A red bus stands beside the lake, and two people wait under a blue umbrella. ", 25)
	b.SetBytes(int64(len(text)))
	for b.Loop() {
		r.clean(text)
	}
}
