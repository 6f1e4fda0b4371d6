package llm

import (
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"maps"
	"math"
	"slices"
)

// Versions of the encodings below. A changed encoding needs a new name. With the old name, replies
// recorded under the old encoding could be used for other requests.
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
		return newEncoder(embedEncoding).add("model", r.Model, "inputs", r.Inputs, "protocol", r.Protocol).sum()
	}
	e := newEncoder(chatEncoding).add("model", r.Model, "messages", len(r.Messages))
	for _, m := range r.Messages {
		e.add("role", m.Role, "parts", len(m.Parts))
		for _, p := range m.Parts {
			e.add("kind", string(p.Kind))
			if p.Kind == PartText {
				e.add("text", p.Text)
			} else {
				e.add("sha256", p.SHA256)
			}
		}
	}
	s := r.Sampling
	if r.Mode == SamplingDefault {
		// Parameters that are not sent do not count, but the seed distinguishes attempts and
		// blind trials.
		e.add("sampling", string(r.Mode))
		s = Sampling{MaxTokens: s.MaxTokens, Seed: s.Seed, Logprobs: s.Logprobs, TopLogprobs: s.TopLogprobs}
	}
	e.add("temperature", s.Temperature, "top_p", s.TopP, "top_k", s.TopK, "min_p", s.MinP,
		"repetition_penalty", s.RepetitionPenalty, "presence_penalty", s.PresencePenalty,
		"frequency_penalty", s.FrequencyPenalty, "max_tokens", s.MaxTokens, "seed", int(s.Seed),
		"stop", []string{}, // No request has stop or prompt_logprobs; version 1 of the encoding has both.
		"logprobs", s.Logprobs, "top_logprobs", s.TopLogprobs, "prompt_logprobs", nil, "choice", r.Choice)
	if r.Schema != "" {
		e.add("schema", r.Schema)
	}
	e.add("template_flags", len(r.TemplateFlags))
	for _, name := range slices.Sorted(maps.Keys(r.TemplateFlags)) {
		e.add("flag", name, "value", r.TemplateFlags[name])
	}
	return e.add("protocol", r.Protocol).sum()
}

// encoder writes typed fields one after the other and hashes them together.
type encoder struct{ buf []byte }

func newEncoder(version string) *encoder {
	e := &encoder{make([]byte, 0, 4<<10)} // enough for most requests
	return e.add("encoding", version)
}

// add writes fields, a name and a value each. The value is a text, a number, a truth value, nil, or
// a list of texts, which is written as its length and a field for each text. A value of another
// type would be left out, so callers convert it. Minus zero is written as zero, since it means the
// same to a server.
func (e *encoder) add(fields ...any) *encoder {
	for i := 0; i < len(fields); i += 2 {
		name := fields[i].(string)
		switch v := fields[i+1].(type) {
		case string:
			e.field(name, 's', v)
		case int:
			e.field(name, 'i', bits(uint64(v)))
		case float64:
			e.field(name, 'f', bits(math.Float64bits(v+0)))
		case bool:
			e.field(name, 'b', map[bool]string{true: "1", false: "0"}[v])
		case []string:
			e.add(name, len(v))
			for _, text := range v {
				e.add("item", text)
			}
		case nil:
			e.field(name, 'n', "")
		}
	}
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

func bits(n uint64) string { return string(binary.BigEndian.AppendUint64(nil, n)) }

// sum is the hash.
func (e *encoder) sum() string {
	h := sha256.Sum256(e.buf)
	return hex.EncodeToString(h[:])
}
