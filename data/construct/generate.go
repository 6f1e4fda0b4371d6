package construct

import (
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/captionlake/captionlake/data/text"
)

// ProtocolGenerate names the rules of generation. A changed prompt needs a new protocol.
const ProtocolGenerate = "construct/generate/1"

// A Node is a node of a taxonomy that questions are asked about (CaptionQA section 4.1). All fields
// but the category may be empty.
type Node struct {
	Domain, Category, Subcategory, Aspect string
	Examples                              string // examples that the taxonomy gives
}

// GenerateSystem is the system message of a generator. The paper gives its content: one or more
// multiple-choice questions about one node and this image alone, with options and a single correct
// answer, or nothing (section 4.3.1). The paper does not print the prompt; these words are ours.
const GenerateSystem = "Task: write multiple-choice questions about the image.\n\n" +
	"You get an image and one aspect of what images can show. " +
	"Write questions about that aspect of this image, and about nothing else.\n" +
	"1. A question can be answered from the image alone, " +
	"and only by someone who sees it: neither world knowledge nor the wording may give the answer away.\n" +
	"2. It has one correct answer. Every other option is wrong for this image, " +
	"plausible for such an image, and of the same kind and length as the answer.\n" +
	"3. Options exclude each other. Do not write options such as \"all of the above\".\n" +
	"4. It stands alone: it does not speak of captions, descriptions, options or other questions.\n" +
	"5. Each question asks for something else. Write as many as the image supports.\n" +
	"6. If the image supports no question about this aspect, write none.\n\n" +
	`Answer with JSON only: {"questions": [{"question": "...", "options": ["...", "..."], ` +
	`"answer": "the correct option, word for word"}]}. ` +
	"Without a question: {\"questions\": []}."

// GenerateUser is the message to a generator after the picture.
func GenerateUser(n Node) string {
	var lines []string
	for _, field := range []struct{ name, value string }{
		{"Domain", n.Domain}, {"Category", n.Category}, {"Subcategory", n.Subcategory}, {"Aspect", n.Aspect},
		{"Examples", n.Examples},
	} {
		if field.value != "" { // Each field gets one line, so line feeds within its value become spaces.
			lines = append(lines, field.name+": "+strings.Join(strings.Fields(field.value), " "))
		}
	}
	return strings.Join(lines, "\n")
}

// GenerateSchema is the JSON schema of a generator's reply, for servers that decode under a schema.
const GenerateSchema = `{"type":"object","properties":{"questions":{"type":"array",` +
	`"items":{"type":"object","properties":{"question":{"type":"string"},` +
	`"options":{"type":"array","items":{"type":"string"},"minItems":2,"maxItems":26},` +
	`"answer":{"type":"string"}},"required":["question","options","answer"],"additionalProperties":false}}},` +
	`"required":["questions"],"additionalProperties":false}`

// A Draft is one question as a generator wrote it.
type Draft struct {
	Question string   `json:"question"`
	Options  []string `json:"options"`
	Answer   string   `json:"answer"` // text of the right option
}

// ReadDrafts reads a generator's reply: an object of GenerateSchema, or only the list of questions,
// as models without a schema write it. Thoughts before the JSON and a code fence around it are
// skipped. A reply with an empty list is valid. The error says why a reply cannot be read.
// Malformed questions are returned too: the caller asks Malformed about each draft.
func ReadDrafts(reply string) ([]Draft, error) {
	answer := withoutFence(text.Answer(reply))
	var list []*Draft // A draft is nil if the reply has null in its place.
	switch {
	case strings.HasPrefix(answer, "["):
		if err := json.Unmarshal([]byte(answer), &list); err != nil {
			return nil, fmt.Errorf("its list of questions cannot be read: %w", err)
		}
	case strings.HasPrefix(answer, "{"):
		var object struct {
			Questions *[]*Draft `json:"questions"` // nil if the reply has no list; an empty list is valid
		}
		if err := json.Unmarshal([]byte(answer), &object); err != nil {
			return nil, fmt.Errorf("it is not the JSON that was asked for: %w", err)
		}
		if object.Questions == nil {
			return nil, errors.New("its JSON has no list of questions")
		}
		list = *object.Questions
	default:
		return nil, errors.New("it is not JSON")
	}
	drafts := make([]Draft, 0, len(list))
	for i, d := range list {
		// Such a draft breaks the schema, so the whole reply counts as unreadable and is asked for again.
		if d == nil || d.Question == "" || d.Options == nil || d.Answer == "" {
			return nil, fmt.Errorf("its question %d has not all of question, options and answer", i+1)
		}
		drafts = append(drafts, *d)
	}
	return drafts, nil
}

// withoutFence removes a Markdown code fence if it encloses the whole text.
func withoutFence(text string) string {
	inner, opened := strings.CutPrefix(text, "```")
	if !opened {
		return text
	}
	inner, closed := strings.CutSuffix(inner, "```")
	// The rest of the first line may name the language, such as json.
	if _, after, found := strings.Cut(inner, "\n"); closed && found {
		return strings.TrimSpace(after)
	}
	return text
}
