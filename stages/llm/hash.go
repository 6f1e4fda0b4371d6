package llm

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"maps"
	"math"
	"slices"
)

// Versions of the encodings below. A changed encoding needs a new name. Otherwise replies recorded
// under the old encoding could be used for other requests.
const (
	chatEncoding  = "captionlake/chat/1"
	embedEncoding = "captionlake/embed/1"
)

// Hash returns the key under which a reply is recorded: SHA-256 in lower-case hex over model,
// messages, the digests of images and videos, sampling, constraint, template flags and protocol.
// Every field is written with its name, type and length, so that no two requests share an encoding.
// Repeat is a separate key column. Whatever does not change a reply is left out: timeouts, retries,
// concurrency, endpoints, and the path of a file.
func (r Request) Hash() string {
	if r.Embeds() {
		e := newEncoder(embedEncoding)
		e.text("model", r.Model)
		e.texts("inputs", r.Inputs)
		e.text("protocol", r.Protocol)
		return e.sum()
	}
	e := newEncoder(chatEncoding)
	e.text("model", r.Model)
	e.count("messages", len(r.Messages))
	for _, m := range r.Messages {
		e.text("role", m.Role)
		e.count("parts", len(m.Parts))
		for _, p := range m.Parts {
			e.text("kind", string(p.Kind))
			if p.Kind == PartText {
				e.text("text", p.Text)
			} else {
				e.text("sha256", p.SHA256)
			}
		}
	}
	if r.Mode == SamplingDefault {
		// Parameters that are not sent do not count, but the seed distinguishes attempts and
		// trials.
		s := r.Sampling
		e.text("sampling", string(r.Mode))
		e.sampling(Sampling{MaxTokens: s.MaxTokens, Seed: s.Seed, Logprobs: s.Logprobs, TopLogprobs: s.TopLogprobs})
	} else {
		e.sampling(r.Sampling)
	}
	e.texts("choice", r.Choice)
	if r.Schema != "" {
		e.text("schema", r.Schema)
	}
	e.count("template_flags", len(r.TemplateFlags))
	for _, name := range slices.Sorted(maps.Keys(r.TemplateFlags)) {
		e.text("flag", name)
		e.truth("value", r.TemplateFlags[name])
	}
	e.text("protocol", r.Protocol)
	return e.sum()
}

// encoder writes typed fields one after the other and hashes them together.
type encoder struct{ buf []byte }

func newEncoder(version string) *encoder {
	e := &encoder{make([]byte, 0, 4<<10)} // enough for most requests
	e.text("encoding", version)
	return e
}

// field writes a name, a type letter and a value; name and value have their lengths before them.
func (e *encoder) field(name string, kind byte, value string) {
	e.buf = binary.AppendUvarint(e.buf, uint64(len(name)))
	e.buf = append(e.buf, name...)
	e.buf = append(e.buf, kind)
	e.buf = binary.AppendUvarint(e.buf, uint64(len(value)))
	e.buf = append(e.buf, value...)
}

func (e *encoder) text(name, v string) { e.field(name, 's', v) }

func (e *encoder) count(name string, n int) { e.whole(name, int64(n)) }

func (e *encoder) whole(name string, n int64) {
	e.field(name, 'i', string(binary.BigEndian.AppendUint64(nil, uint64(n))))
}

// number writes the bits of a float. Minus zero means the same to a server, so it is written as
// zero.
func (e *encoder) number(name string, v float64) {
	if v == 0 {
		v = 0
	}
	e.field(name, 'f', string(binary.BigEndian.AppendUint64(nil, math.Float64bits(v))))
}

func (e *encoder) truth(name string, v bool) {
	e.field(name, 'b', map[bool]string{true: "1", false: "0"}[v])
}

func (e *encoder) texts(name string, list []string) {
	e.count(name, len(list))
	for _, v := range list {
		e.text("item", v)
	}
}

func (e *encoder) sampling(s Sampling) {
	e.number("temperature", s.Temperature)
	e.number("top_p", s.TopP)
	e.count("top_k", s.TopK)
	e.number("min_p", s.MinP)
	e.number("repetition_penalty", s.RepetitionPenalty)
	e.number("presence_penalty", s.PresencePenalty)
	e.number("frequency_penalty", s.FrequencyPenalty)
	e.count("max_tokens", s.MaxTokens)
	e.whole("seed", s.Seed)
	e.texts("stop", nil) // No stage uses this, nor the log-probabilities of a prompt.
	e.truth("logprobs", s.Logprobs)
	e.count("top_logprobs", s.TopLogprobs)
	e.field("prompt_logprobs", 'n', "")
}

// sum is the hash.
func (e *encoder) sum() string {
	h := sha256.Sum256(e.buf)
	return hex.EncodeToString(h[:])
}
