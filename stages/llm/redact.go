package llm

import (
	"bytes"
	"encoding/base64"
	"encoding/hex"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

// shortestSecret is the length in bytes from which a key counts as a secret. Shorter ones are placeholders such as EMPTY,
// which vLLM's documentation uses where no key is wanted, and ordinary words of captions.
const shortestSecret = 6

// keyRemoved stands where a key was.
const keyRemoved = "[key removed]"

// redactor removes an endpoint's key from all that its servers say. A server that means harm can say it in other words than
// it was told: so it is found as it is, with escapes, in hexadecimal and in base64, each of them backwards, too, in any case
// and with spaces between. What a server hides in a cipher of its own cannot be found.
type redactor struct {
	shortest int // length in bytes of the shortest text that can hold the key; 0 when there is no secret
	searches []search
}

// A search is a way to look at a text, and what the key looks like then.
type search struct {
	view     func(string) view
	patterns [][]byte
	shared   bool // the characters beside it have bits of the key, too
}

func newRedactor(key string) redactor {
	if len(key) < shortestSecret {
		return redactor{}
	}
	plain, hexed, based := search{view: plainView}, search{view: hexView}, search{view: base64View, shared: true}
	r := redactor{shortest: len(key)}
	for _, k := range []string{key, backwards(key)} {
		plain.add(plainView(k).text)
		hexed.add([]byte(hex.EncodeToString([]byte(k))))
		for offset := range 3 {
			middle := base64Middle(k, offset)
			r.shortest = min(r.shortest, len(middle))
			based.add(base64View(middle).text)
		}
	}
	r.searches = []search{plain, hexed, based}
	return r
}

// add adds a pattern and its reverse.
func (s *search) add(pattern []byte) {
	reverse := bytes.Clone(pattern)
	slices.Reverse(reverse)
	s.patterns = append(s.patterns, pattern, reverse)
}

func backwards(s string) string {
	b := []byte(s)
	slices.Reverse(b)
	return string(b)
}

// base64Middle is the part of a key's base64 that does not depend on what is encoded around it, when so many bytes before
// the key fill up a group of three.
func base64Middle(key string, offset int) string {
	text := base64.RawStdEncoding.EncodeToString([]byte(strings.Repeat("\x00", offset) + key))
	first := (offset*8 + 5) / 6         // characters with bits of what comes before
	last := (offset + len(key)) * 8 / 6 // characters whose bits are the key's or of what comes before
	return text[first:last]
}

// A view is a text as a search sees it: characters that do not count are left out, escapes resolved, capitals made small.
type view struct {
	text     []byte
	from, to []int32 // what each byte was made from
}

func newView(s string) view {
	return view{make([]byte, 0, len(s)), make([]int32, 0, len(s)), make([]int32, 0, len(s))}
}

func (v *view) put(c byte, from, to int) {
	if c >= 'A' && c <= 'Z' {
		c += 'a' - 'A'
	}
	v.text, v.from, v.to = append(v.text, c), append(v.from, int32(from)), append(v.to, int32(to))
}

func makeView(s string, put func(v *view, c byte, from, to int)) view {
	v := newView(s)
	for i := 0; i < len(s); {
		if c := s[i]; c <= ' ' || c == 0x7f {
			i++
			continue
		} else if c < utf8.RuneSelf {
			char, size := unescape(s[i:])
			for j := range len(char) {
				put(&v, char[j], i, i+size)
			}
			i += size
			continue
		}
		r, size := utf8.DecodeRuneInString(s[i:])
		if !unicode.IsSpace(r) && !unicode.Is(unicode.Cf, r) {
			for j := range size {
				put(&v, s[i+j], i, i+size)
			}
		}
		i += size
	}
	return v
}

func plainView(s string) view { return makeView(s, (*view).put) }

// hexView leaves out what stands between the digits of bytes: separators, and the prefixes 0x and \x.
func hexView(s string) view {
	v := newView(s)
	for i := range len(s) {
		switch c := s[i]; {
		case c >= '0' && c <= '9', c >= 'a' && c <= 'f', c >= 'A' && c <= 'F':
			v.put(c, i, i+1)
		case (c == 'x' || c == 'X') && i > 0 && s[i-1] == '0':
			v.text, v.from, v.to = v.text[:len(v.text)-1], v.from[:len(v.from)-1], v.to[:len(v.to)-1]
		case (c == 'x' || c == 'X') && i > 0 && s[i-1] == '\\', c <= ' ', strings.IndexByte(":,;.-_+%\\", c) >= 0:
		default:
			v.put('.', i, i+1) // no digit
		}
	}
	return v
}

// base64View writes both alphabets as one.
func base64View(s string) view {
	return makeView(s, func(v *view, c byte, from, to int) {
		switch c {
		case '-':
			c = '+'
		case '_':
			c = '/'
		}
		v.put(c, from, to)
	})
}

var escape = regexp.MustCompile(`^(?:%([0-9a-fA-F]{2})|\\x([0-9a-fA-F]{2})|\\u([0-9a-fA-F]{4})|\\u\{([0-9a-fA-F]{1,6})\}|&#[xX]([0-9a-fA-F]{1,6});?|&#([0-9]{1,7});?)`)

// unescape returns the character that a text begins with and how many bytes write it, as URLs, JSON, C and HTML do.
func unescape(s string) (char string, size int) {
	if s[0] != '%' && s[0] != '\\' && s[0] != '&' {
		return s[:1], 1
	}
	m := escape.FindStringSubmatch(s)
	if m == nil {
		return s[:1], 1
	}
	for i, digits := range m[1:] {
		base := 16
		if i == len(m)-2 {
			base = 10
		}
		if n, err := strconv.ParseUint(digits, base, 32); err == nil {
			if n < 0x100 {
				return string([]byte{byte(n)}), len(m[0])
			}
			return string(rune(n)), len(m[0])
		}
	}
	return s[:1], 1
}

// clean removes the key from a text.
func (r redactor) clean(s string) string {
	if r.shortest == 0 || len(s) < r.shortest {
		return s
	}
	type span struct{ from, to int }
	var found []span
	for _, search := range r.searches {
		v := search.view(s)
		for _, p := range search.patterns {
			for at := 0; ; {
				i := bytes.Index(v.text[at:], p)
				if i < 0 {
					break
				}
				at += i
				first, last := at, at+len(p)-1
				if search.shared && first > 0 && v.to[first-1] == v.from[first] {
					first--
				}
				if search.shared && last+1 < len(v.text) && v.from[last+1] == v.to[last] {
					last++
				}
				found = append(found, span{int(v.from[first]), int(v.to[last])})
				at += len(p)
			}
		}
	}
	if len(found) == 0 {
		return s
	}
	slices.SortFunc(found, func(a, b span) int { return a.from - b.from })
	var out strings.Builder
	end := 0
	for _, f := range found {
		if f.to <= end {
			continue
		}
		if f.from >= end {
			out.WriteString(s[end:f.from])
			out.WriteString(keyRemoved)
		}
		end = f.to
	}
	return out.String() + s[end:]
}

// keyLike is what looks like anybody's key. It is removed from messages only: a caption may speak of a bearer.
var keyLike = regexp.MustCompile(`(?i)(bearer\s+|authorization:\s*|\b(sk|hf|pk)[-_])[A-Za-z0-9_\-.*]{6,}`)

// longestLooked is how much of a message is looked through for keys. It is far more than is kept, so that no key is cut in
// two before it is found.
const longestLooked = 16 << 10

// message makes a text of a server or of the machine fit to be shown and kept: one short line without keys.
func (r redactor) message(s string) string {
	return shorten(keyLike.ReplaceAllString(r.clean(OneLine(s, longestLooked)), keyRemoved))
}

// reply removes the key from all texts of a reply. Log-probabilities whose tokens spell the key are dropped whole.
func (r redactor) reply(reply *Reply) {
	reply.Text, reply.Reasoning = r.clean(reply.Text), r.clean(reply.Reasoning)
	reply.FinishReason = r.clean(reply.FinishReason)
	reply.PromptLogprobs = r.clean(reply.PromptLogprobs)
	if r.shortest == 0 || len(reply.Logprobs) == 0 {
		return
	}
	var said, ranked strings.Builder
	for _, t := range reply.Logprobs {
		said.WriteString(t.Token)
		for _, top := range t.Top {
			ranked.WriteString(top.Token)
		}
	}
	if r.clean(said.String()) != said.String() || r.clean(ranked.String()) != ranked.String() {
		reply.Logprobs = nil
	}
}
