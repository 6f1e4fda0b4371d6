package llm

import (
	"net/url"
	"regexp"
	"strings"

	json "github.com/go-json-experiment/json/v1"

	"github.com/captionlake/captionlake/data/text"
)

// shortestSecret is the length in bytes from which a key counts as a secret. Shorter ones are
// placeholders such as EMPTY, which vLLM's documentation uses where no key is wanted, and ordinary
// words of captions.
const shortestSecret = 6

// keyRemoved stands where a key was.
const keyRemoved = "[key removed]"

// redactor removes an endpoint's key from all that its servers say, as it is and as a URL and JSON
// have it. A server that means harm has been given the key anyway.
type redactor struct {
	key *strings.Replacer // nil without a secret
}

func newRedactor(key string) redactor {
	if len(key) < shortestSecret {
		return redactor{}
	}
	quoted, _ := json.Marshal(key) // A text can be marshalled.
	var all []string
	for _, form := range []string{key, url.QueryEscape(key), url.PathEscape(key), string(quoted[1 : len(quoted)-1])} {
		all = append(all, form, keyRemoved)
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

// keyLike is what looks like anybody's key. It is removed from messages only: a caption may speak
// of a bearer.
var keyLike = regexp.MustCompile(`(?i)(bearer\s+|authorization:\s*|\b(sk|hf|pk)[-_])[A-Za-z0-9_\-.*]{6,}`)

// longestLooked is how much of a message is looked through for keys. It is far more than is kept,
// so that no key is cut in two before it is found.
const longestLooked = 16 << 10

// message makes a text of a server or of the machine fit to be shown and kept: one short line
// without keys.
func (r redactor) message(s string) string {
	return shorten(keyLike.ReplaceAllString(r.clean(text.OneLine(s, longestLooked)), keyRemoved))
}

// reply removes the key from all texts of a reply.
func (r redactor) reply(reply *Reply) {
	for _, said := range []*string{&reply.Text, &reply.Reasoning, &reply.FinishReason, &reply.Logprobs} {
		*said = r.clean(*said)
	}
}
