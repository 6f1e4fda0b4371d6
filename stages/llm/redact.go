package llm

import (
	"encoding/base64"
	"encoding/hex"
	"net/url"
	"regexp"
	"slices"
	"strings"

	json "github.com/go-json-experiment/json/v1"

	"github.com/captionlake/captionlake/data/text"
)

// shortestSecret is the least length in bytes of a secret key. Shorter keys are placeholders such
// as EMPTY, which vLLM's documentation uses where no key is needed, and may be ordinary words of
// captions.
const shortestSecret = 6

// keyRemoved replaces a key.
const keyRemoved = "[key removed]"

// redactor removes an endpoint's key from all texts of its servers: as it is, reversed, and as a
// URL, JSON, base64 and hexadecimal digits write it. A malicious server has the key anyway.
type redactor struct {
	key *strings.Replacer // nil without a secret
}

func newRedactor(key string) redactor {
	if len(key) < shortestSecret {
		return redactor{}
	}
	backwards := []rune(key)
	slices.Reverse(backwards)
	all := []string{hex.EncodeToString([]byte(key)), keyRemoved}
	for _, text := range []string{key, string(backwards)} {
		quoted, _ := json.Marshal(text) // A text can always be marshalled.
		for _, form := range []string{text, url.QueryEscape(text), url.PathEscape(text),
			string(quoted[1 : len(quoted)-1])} {
			all = append(all, form, keyRemoved)
		}
	}
	// Base64 writes three bytes as four digits, so a key has three forms: with 0, 1 or 2 bytes of
	// other text before it. Digits that depend on other text, too, are no part of the key's form.
	for before, first := range []int{0, 2, 3} { // first: the digits in front that the bytes before the key share
		shared := min(1, (before+len(key))%3) // digits at the end that bytes after the key share
		for _, digits := range []*base64.Encoding{base64.RawStdEncoding, base64.RawURLEncoding} {
			form := digits.EncodeToString(append(make([]byte, before), key...))
			all = append(all, form[first:len(form)-shared], keyRemoved)
		}
	}
	return redactor{strings.NewReplacer(all...)}
}

// clean removes the key from a text.
func (r redactor) clean(s string) string {
	if r.key == nil {
		return s
	}
	return r.key.Replace(s)
}

// KeyLike matches texts that look like a key. Such texts are removed only from messages, because a
// caption may contain the word bearer.
var KeyLike = regexp.MustCompile(`(?i)(bearer\s+|authorization:\s*|\b(sk|hf|pk)[-_])[A-Za-z0-9_\-.*]{6,}`)

// longestSearched is the number of bytes of a message that are searched for keys. It is far more
// than is kept, so that no key is cut in two before it is found.
const longestSearched = 16 << 10

// message makes a text of a server or of the machine fit to show and keep: one short line without
// keys.
func (r redactor) message(s string) string {
	return shorten(KeyLike.ReplaceAllString(r.clean(text.OneLine(s, longestSearched)), keyRemoved))
}

// reply removes the key from all texts of a reply but the server's name for the model, which is not
// recorded.
func (r redactor) reply(reply *Reply) {
	for _, text := range []*string{&reply.Text, &reply.Reasoning, &reply.FinishReason, &reply.Logprobs} {
		*text = r.clean(*text)
	}
}
