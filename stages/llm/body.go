package llm

import (
	"bytes"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"sync"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// Dialect says which fields a server understands.
type Dialect string

// The dialects of an endpoint.
const (
	DialectVLLM   Dialect = "vllm"   // OpenAI's API with vLLM's additions; the default
	DialectOpenAI Dialect = "openai" // OpenAI's API only: a request that needs more is refused before it is sent
)

// Where requests are sent, below a server's root.
const (
	chatPath  = "/v1/chat/completions"
	embedPath = "/v1/embeddings"
)

// Path is where the request is sent, below a server's root.
func (r Request) Path() string {
	if r.Embeds() {
		return embedPath
	}
	return chatPath
}

// Body returns the JSON body of a request, media included, as it is sent and as a line of an offline batch carries it. A
// nil media reads files with the default limits. The error reports everything that is wrong with the request.
func (r Request) Body(dialect Dialect, media *Media) ([]byte, error) {
	if err := r.Validate(); err != nil {
		return nil, err
	}
	if r.Embeds() {
		return json.Marshal(wireEmbed{Model: r.Model, Input: r.Inputs, EncodingFormat: "float"}, lenient)
	}
	if media == nil {
		media = &Media{}
	}
	space := bodies.Get().(*[]byte)
	o := object{(*space)[:0]}
	err := r.write(&o, dialect, media)
	body := bytes.Clone(o.json)
	if cap(o.json) <= keptBytes { // Those of pictures are not kept.
		*space = o.json
		bodies.Put(space)
	}
	return body, err
}

// bodies is memory to write in, to be used again.
var bodies = sync.Pool{New: func() any { return new([]byte) }}

// write writes the body of a chat. Parameters are never left out: what is sent is explicit. Some fields one dialect does not
// have.
func (r Request) write(o *object, dialect Dialect, media *Media) error {
	s := r.Sampling
	schema := jsontext.Value(r.Schema)
	if r.Schema != "" {
		if err := schema.Compact(); err != nil {
			return fmt.Errorf("the schema is not JSON: %w", err)
		}
	}
	o.open('{')
	o.name("model").text(r.Model)
	if err := o.messages(r.Messages, media); err != nil {
		return err
	}
	o.name("temperature").number(s.Temperature)
	o.name("top_p").number(s.TopP)
	o.name("n").whole(1)
	o.name("presence_penalty").number(s.PresencePenalty)
	o.name("frequency_penalty").number(s.FrequencyPenalty)
	o.name("seed").whole(s.Seed)
	if len(s.Stop) > 0 {
		o.name("stop").texts(s.Stop)
	}
	o.name("logprobs").truth(s.Logprobs)
	if s.Logprobs {
		o.name("top_logprobs").whole(int64(s.TopLogprobs))
	}
	switch dialect {
	case DialectVLLM, "":
		o.name("max_tokens").whole(int64(s.MaxTokens))
		o.name("top_k").whole(int64(s.TopK))
		o.name("min_p").number(s.MinP)
		o.name("repetition_penalty").number(s.RepetitionPenalty)
		if s.PromptLogprobs != nil {
			o.name("prompt_logprobs").whole(int64(*s.PromptLogprobs))
		}
		if len(r.Choice) > 0 || r.Schema != "" {
			o.name("structured_outputs").open('{')
			if len(r.Choice) > 0 {
				o.name("choice").texts(r.Choice)
			}
			if r.Schema != "" {
				o.name("json").raw(schema)
			}
			o.close('}')
		}
		if len(r.TemplateFlags) > 0 {
			o.name("chat_template_kwargs").open('{')
			for _, flag := range slices.Sorted(maps.Keys(r.TemplateFlags)) {
				o.name(flag).truth(r.TemplateFlags[flag])
			}
			o.close('}')
		}
	case DialectOpenAI:
		if err := r.needsVLLM(); err != nil {
			return err
		}
		o.name("max_completion_tokens").whole(int64(s.MaxTokens))
		if r.Schema != "" {
			o.name("response_format").open('{')
			o.name("type").text("json_schema")
			o.name("json_schema").open('{')
			o.name("name").text("reply")
			o.name("strict").truth(true)
			o.name("schema").raw(schema)
			o.close('}')
			o.close('}')
		}
	default:
		return fmt.Errorf("unknown dialect %q; use %s or %s", dialect, DialectVLLM, DialectOpenAI)
	}
	o.name("stream").truth(false)
	o.close('}')
	return nil
}

func (o *object) messages(messages []Message, media *Media) error {
	o.name("messages").open('[')
	for i, m := range messages {
		o.next().open('{')
		o.name("role").text(m.Role)
		o.name("content")
		if len(m.Parts) == 1 && m.Parts[0].Kind == PartText {
			o.text(m.Parts[0].Text)
		} else if err := o.parts(m.Parts, media); err != nil {
			return fmt.Errorf("message %d: %w", i, err)
		}
		o.close('}')
	}
	o.close(']')
	return nil
}

func (o *object) parts(parts []Part, media *Media) error {
	o.open('[')
	for i, p := range parts {
		o.next().open('{')
		if p.Kind == PartText {
			o.name("type").text("text")
			o.name("text").text(p.Text)
		} else {
			url, err := media.DataURL(p)
			if err != nil {
				return fmt.Errorf("part %d: %w", i, err)
			}
			kind := "image_url"
			if p.Kind == PartVideo {
				kind = "video_url"
			}
			o.name("type").text(kind)
			o.name(kind).open('{')
			o.name("url").text(url)
			o.close('}')
		}
		o.close('}')
	}
	o.close(']')
	return nil
}

// An object is JSON that is being written. A request has some twenty fields and is written for every question: by the fields'
// types, as libraries write it, that took as long as net/http takes to send it.
type object struct{ json []byte }

// next begins the next element of a list.
func (o *object) next() *object {
	if last := o.json[len(o.json)-1]; last != '{' && last != '[' {
		o.json = append(o.json, ',')
	}
	return o
}

// name begins the next field.
func (o *object) name(name string) *object {
	o.next().text(name)
	o.json = append(o.json, ':')
	return o
}

func (o *object) open(bracket byte)  { o.json = append(o.json, bracket) }
func (o *object) close(bracket byte) { o.json = append(o.json, bracket) }

// text writes a string; wrong UTF-8 in it becomes U+FFFD.
func (o *object) text(v string) {
	// The error tells of wrong UTF-8 only, which has been replaced.
	o.json, _ = jsontext.AppendQuote(o.json, v)
}

func (o *object) number(v float64)     { o.json = strconv.AppendFloat(o.json, v, 'g', -1, 64) }
func (o *object) whole(v int64)        { o.json = strconv.AppendInt(o.json, v, 10) }
func (o *object) truth(v bool)         { o.json = strconv.AppendBool(o.json, v) }
func (o *object) raw(v jsontext.Value) { o.json = append(o.json, v...) }

func (o *object) texts(list []string) {
	o.open('[')
	for _, v := range list {
		o.next().text(v)
	}
	o.close(']')
}

// needsVLLM names what a request asks beyond OpenAI's API.
func (r Request) needsVLLM() error {
	s := r.Sampling
	switch {
	case s.TopK != -1:
		return fmt.Errorf("top_k %d is not in OpenAI's API; use -1 or the dialect %s", s.TopK, DialectVLLM)
	case s.MinP != 0:
		return fmt.Errorf("min_p %v is not in OpenAI's API; use 0 or the dialect %s", s.MinP, DialectVLLM)
	case s.RepetitionPenalty != 1:
		return fmt.Errorf("repetition_penalty %v is not in OpenAI's API; use 1 or the dialect %s", s.RepetitionPenalty, DialectVLLM)
	case s.PromptLogprobs != nil:
		return fmt.Errorf("prompt_logprobs are not in OpenAI's API; use the dialect %s", DialectVLLM)
	case len(r.Choice) > 0:
		return fmt.Errorf("a choice constraint is not in OpenAI's API; use an unconstrained protocol or the dialect %s", DialectVLLM)
	case len(r.TemplateFlags) > 0:
		return fmt.Errorf("template flags are not in OpenAI's API; use the dialect %s", DialectVLLM)
	}
	for _, m := range r.Messages {
		if slices.ContainsFunc(m.Parts, func(p Part) bool { return p.Kind == PartVideo }) {
			return fmt.Errorf("videos are not in OpenAI's API; send frames or use the dialect %s", DialectVLLM)
		}
	}
	return nil
}

// wireEmbed is the JSON body of an embedding request.
type wireEmbed struct {
	Model          string   `json:"model"`
	Input          []string `json:"input"`
	EncodingFormat string   `json:"encoding_format"`
}
