package server

import (
	"cmp"
	"math"
	"slices"
	"strings"
)

// Ask is a chat request in the form for behaviours.
type Ask struct {
	Model     string
	System    string   // text of the system messages
	User      string   // text of the other messages, parts joined by newlines
	Images    []string // SHA-256 of the pictures' files in lower-case hex, in order
	Choice    []string // the reply must be one of these; empty is unconstrained
	MaxTokens int      // largest length of the reply in tokens; 0 is 1024
	Seed      int64

	Unthinking bool // the chat template is told that the model must not think

	imageTokens int // tokens of the prompt for the pictures
}

// Say is a reply.
type Say struct {
	Text         string
	Thoughts     string      // thoughts of a thinking model before the text; empty for others
	FinishReason string      // stop or length
	Tokens       int         // of thoughts and text, and the end token if the model reached it
	Behaviour    string      // name of the behaviour that answered
	Candidates   []Candidate // possible first tokens, likeliest first; probabilities add up to at most 1
}

// Candidate is a possible first token with its probability.
type Candidate struct {
	Token       string
	Probability float64
}

// A request with a system message is recognised by the first sentence of this message. If no paper
// gives the sentence, it is a plain instruction, so that the same prompt works for a real model.
const (
	markWrite    = "Task: write multiple-choice questions about the image."               // see writer.go
	markValidate = "Task: answer a multiple-choice question about the image, or flag it." // see validator.go

	// The first sentence of CapArena's Figure 8; see pairwise.go.
	markPairwise = "You are a highly capable multimodal AI assistant tasked with evaluating image captions."
)

// behaviours answer one kind of request each. They are tried in order; the last one accepts any
// request.
var behaviours = []struct {
	name  string
	match func(Ask) bool
	reply func(*World, Profile, Ask) Say
}{
	{"question writer", marked(markWrite), (*World).writeQuestions},
	{"validator", marked(markValidate), (*World).validate},
	{"pairwise judge", marked(markPairwise), (*World).judgePair},
	{"rubric judge", func(a Ask) bool {
		return a.System == "" && strings.HasPrefix(a.User, "Given a") &&
			strings.Contains(a.User, "Output a JSON formed as:")
	}, (*World).judgeRubric},
	{"reader", func(a Ask) bool { return strings.Contains(a.User, optionsMark) }, (*World).readQuestion},
	{"captioner", func(a Ask) bool { return len(a.Images) > 0 }, (*World).caption},
	{"repeater", func(Ask) bool { return true }, (*World).repeat},
}

// marked matches requests with a system message that begins with a mark.
func marked(mark string) func(Ask) bool {
	return func(a Ask) bool { return strings.HasPrefix(strings.TrimSpace(a.System), mark) }
}

// Reply answers a request to a model of Profiles, and applies constraint and length as a server
// does.
func (w *World) Reply(a Ask) Say {
	profile := profiles[a.Model]
	var say Say
	for _, b := range behaviours {
		if b.match(a) {
			say = b.reply(w, profile, a)
			say.Behaviour = b.name
			break
		}
	}
	if len(a.Choice) > 0 {
		say = constrain(say, a)
	}
	if profile.Thinks && !a.Unthinking {
		say.Thoughts = "The question is about what the evidence says. Each option has to be held against it, " +
			"and the one that it supports is the answer."
	}
	say.finish(a.MaxTokens)
	return say
}

// finish cuts a reply at its largest number of tokens. The token that ends a reply counts, so a
// reply of exactly the largest number counts as cut off.
func (s *Say) finish(limit int) {
	if limit <= 0 {
		limit = 1024
	}
	s.FinishReason = "stop"
	thoughts := tokens(len(s.Thoughts))
	s.Tokens = thoughts + tokens(len(s.Text)) + 1
	if s.Tokens <= limit {
		return
	}
	cut := func(text string, limit int) string { // ToValidUTF8 drops a character that is cut in two.
		return strings.ToValidUTF8(text[:min(max(limit, 0)*bytesPerToken, len(text))], "")
	}
	s.Thoughts, s.Text = cut(s.Thoughts, limit), cut(s.Text, limit-thoughts)
	s.Tokens, s.FinishReason = limit, "length"
}

// constrain keeps a reply within the allowed choices: the text of the reply, if it is one of them,
// otherwise the likeliest allowed candidate, otherwise any choice.
func constrain(say Say, a Ask) Say {
	allowed := func(s string) bool { return slices.Contains(a.Choice, s) }
	kept := slices.DeleteFunc(slices.Clone(say.Candidates), func(c Candidate) bool { return !allowed(c.Token) })
	sum := 0.0
	for _, c := range kept {
		sum += c.Probability
	}
	for i := range kept {
		if sum > 0 { // It may be 0: the probabilities of the least likely candidates underflow.
			kept[i].Probability /= sum
		}
	}
	say.Candidates = kept
	switch trimmed := strings.TrimSpace(say.Text); {
	case allowed(say.Text):
	case allowed(trimmed):
		say.Text = trimmed
	case len(kept) > 0:
		say.Text = kept[0].Token
	default:
		say.Text = a.Choice[int(draw(a.Model, a.User, "choice")*float64(len(a.Choice)))]
		say.Candidates = []Candidate{{say.Text, 1}}
	}
	return say
}

// softmax converts scores to candidates, likeliest first. Equal scores keep their order.
func softmax(tokens []string, scores []float64) []Candidate {
	var out []Candidate
	sum := 0.0
	for i, s := range scores {
		c := Candidate{tokens[i], math.Exp(s - slices.Max(scores))}
		out, sum = append(out, c), sum+c.Probability
	}
	for i := range out {
		out[i].Probability /= sum
	}
	slices.SortStableFunc(out, func(a, b Candidate) int { return cmp.Compare(b.Probability, a.Probability) })
	return out
}

// repeat repeats a word on request, for the client's constraint probe. Otherwise it says that it
// is a rehearsal model.
func (*World) repeat(_ Profile, a Ask) Say {
	if _, after, found := strings.Cut(a.User, "Say the word "); found {
		word, _, _ := strings.Cut(after, ".")
		return Say{Text: strings.TrimSpace(word)}
	}
	return Say{Text: "This is a rehearsal server without a model, and it has no behaviour for this request. " +
		"Its replies are simulated."}
}
