package conformance

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/stages/llm"
)

func failed(err error) (Verdict, string) { return Fail, err.Error() }

func checkModels(_ context.Context, b bench) (Verdict, string) {
	if !b.facts.Healthy {
		return Fail, b.facts.Error
	}
	var ids []string
	for _, m := range b.facts.Models {
		ids = append(ids, m.ID)
	}
	for _, want := range []string{b.opts.Chat, b.opts.Vision, b.opts.Embed} {
		if want != "" && !slices.Contains(ids, want) {
			return Fail, fmt.Sprintf("%s is not served; the server has %s", want, strings.Join(ids, ", "))
		}
	}
	return Pass, strings.Join(ids, ", ")
}

func checkHealth(ctx context.Context, b bench) (Verdict, string) {
	for _, err := range b.client.Health(ctx) {
		return Warn, "no /health: " + err.Error()
	}
	return Pass, "the engine lives"
}

func checkVersion(_ context.Context, b bench) (Verdict, string) {
	if b.facts.Version == "" {
		return Warn, "no /version: runs will not record which release answered"
	}
	return Pass, b.facts.Version
}

func checkMetrics(_ context.Context, b bench) (Verdict, string) {
	if b.facts.Counters == nil {
		return Warn, "no vLLM counters at /metrics: runs will not record the prefix cache's share"
	}
	return Pass, fmt.Sprintf("%.0f prompt tokens, %.0f %% of them looked up came from the prefix cache", b.facts.Counters.PromptTokens, 100*b.facts.Counters.HitShare())
}

// question is a CaptionQA question with an obvious answer.
func (b bench) question(caption string, maxTokens int) (llm.Request, []string, error) {
	options := []string{"Red", "Blue", "Green", captionqa.CannotOption}
	user, err := captionqa.UserPrompt(caption, "What colour is the bus?", options)
	return llm.Request{
		Model: b.opts.Chat, TemplateFlags: b.opts.Template[b.opts.Chat],
		Messages: []llm.Message{llm.System(captionqa.SystemMessage), llm.User(llm.Text(user))},
		Sampling: llm.Greedy(maxTokens), Protocol: "captionlake/conformance",
	}, options, err
}

func checkQuestion(ctx context.Context, b bench) (Verdict, string) {
	request, options, err := b.question("The bus is blue.", captionqa.MaxTokens)
	if err != nil {
		return failed(err)
	}
	reply, err := b.client.Ask(ctx, request, llm.Affinity{})
	if err != nil {
		return failed(err)
	}
	i, ok := captionqa.ParseUpstream(reply.Text, len(options))
	switch {
	case !ok:
		return Warn, fmt.Sprintf("the reply %q names no option: many answers of this reader will be unparsed", reply.Text)
	case options[i] != "Blue":
		return Warn, fmt.Sprintf("the bus is blue, the reader said %s", options[i])
	case reply.PromptTokens == 0:
		return Warn, "the reply counts no tokens: costs cannot be recorded"
	}
	return Pass, fmt.Sprintf("%q, %d prompt tokens, %v", reply.Text, reply.PromptTokens, reply.Latency.Round(1e6))
}

func checkSampling(ctx context.Context, b bench) (Verdict, string) {
	request, _, err := b.question("The bus is blue.", captionqa.MaxTokens)
	if err != nil {
		return failed(err)
	}
	s := llm.Sampled(0.7, 11, 8)
	s.TopP, s.PresencePenalty, s.FrequencyPenalty = 0.9, 0.1, 0.1
	if b.dialect != llm.DialectOpenAI {
		s.TopK, s.MinP, s.RepetitionPenalty = 20, 0.05, 1.05
	}
	request.Sampling = s
	if _, err := b.client.Ask(ctx, request, llm.Affinity{}); err != nil {
		if llm.ClassOf(err) == llm.ClassRefused {
			return Fail, "a request with every sampling parameter was refused; for a server without vLLM's additions set the endpoint's dialect to openai: " + err.Error()
		}
		return failed(err)
	}
	return Pass, "every sampling parameter is taken"
}

// checkThinking asks a question with the room that runs give the answer. A model that thinks first uses it up.
func checkThinking(ctx context.Context, b bench) (Verdict, string) {
	request, _, err := b.question("The bus is blue.", max(b.opts.ChatTokens, captionqa.MaxTokens))
	if err != nil {
		return failed(err)
	}
	reply, err := b.client.Ask(ctx, request, llm.Affinity{})
	text := strings.TrimSpace(reply.Text)
	switch {
	case llm.ClassOf(err) == llm.ClassSilent:
		return Fail, err.Error() + ": " + llm.StopThinking
	case err != nil:
		return failed(err)
	case strings.HasPrefix(text, "<think>") && !strings.Contains(text, "</think>"):
		return Fail, fmt.Sprintf("the model thinks: %q is all that max_tokens %d leaves room for: %s", reply.Text, request.Sampling.MaxTokens, llm.StopThinking)
	case reply.Reasoning != "" || strings.HasPrefix(text, "<think>"):
		return Pass, fmt.Sprintf("the model thinks and answers within max_tokens %d", request.Sampling.MaxTokens)
	}
	return Pass, "the model answers without thoughts before it"
}

func checkRepeatable(ctx context.Context, b bench) (Verdict, string) {
	request, _, err := b.question("A bus stands in the rain.", 24)
	if err != nil {
		return failed(err)
	}
	var said []string
	for range 2 {
		reply, err := b.client.Ask(ctx, request, llm.Affinity{})
		if err != nil {
			return failed(err)
		}
		said = append(said, reply.Text)
	}
	if said[0] != said[1] {
		return Warn, fmt.Sprintf("greedy decoding said %q and then %q: scores will differ between runs; repeat answers to measure by how much", said[0], said[1])
	}
	return Pass, "greedy decoding said the same twice"
}

// say asks for a word.
func (b bench) say(word string, s llm.Sampling) llm.Request {
	return llm.Request{
		Model: b.opts.Chat, Sampling: s, TemplateFlags: b.opts.Template[b.opts.Chat], Protocol: "captionlake/conformance",
		Messages: []llm.Message{llm.System("You repeat words. Answer with the requested words and nothing else."), llm.User(llm.Text("Say the word " + word + ". Do not say any other word."))},
	}
}

func checkTruncation(ctx context.Context, b bench) (Verdict, string) {
	reply, err := b.client.Ask(ctx, b.say("incomprehensibilities", llm.Greedy(1)), llm.Affinity{})
	if err != nil {
		return failed(err)
	}
	if reply.State != llm.StateTruncated {
		return Fail, fmt.Sprintf("a reply of at most 1 token ended with %q and the text %q: cut-off captions would pass for whole ones", reply.FinishReason, reply.Text)
	}
	return Pass, "a reply that reaches its limit is reported as such"
}

func checkStop(ctx context.Context, b bench) (Verdict, string) {
	s := llm.Greedy(8)
	free, err := b.client.Ask(ctx, b.say("apple", s), llm.Affinity{})
	if err != nil {
		return failed(err)
	}
	if !strings.Contains(free.Text, "pp") {
		return Skip, fmt.Sprintf("the model said %q when asked for a word", free.Text)
	}
	s.Stop = []string{"pp"}
	cut, err := b.client.Ask(ctx, b.say("apple", s), llm.Affinity{})
	if err != nil {
		return failed(err)
	}
	if strings.Contains(cut.Text, "pp") {
		return Fail, fmt.Sprintf("said %q although %q ends the reply", cut.Text, "pp")
	}
	return Pass, fmt.Sprintf("%q ends at %q", free.Text, cut.Text)
}

func checkLogprobs(ctx context.Context, b bench) (Verdict, string) {
	request, _, err := b.question("The bus is blue.", captionqa.MaxTokens)
	if err != nil {
		return failed(err)
	}
	request.Sampling.Logprobs, request.Sampling.TopLogprobs = true, 4
	reply, err := b.client.Ask(ctx, request, llm.Affinity{})
	if err != nil {
		return failed(err)
	}
	if len(reply.Logprobs) == 0 || len(reply.Logprobs[0].Top) == 0 {
		return Fail, "no log-probabilities came back: the protocol " + captionqa.ProtocolProbabilities + " cannot be used"
	}
	sum := 0.0
	for _, top := range reply.Logprobs[0].Top {
		sum += math.Exp(top.Logprob)
	}
	if !(sum > 0 && sum < 1.001) {
		return Fail, fmt.Sprintf("the probabilities of the first token add up to %v", sum)
	}
	return Pass, fmt.Sprintf("the %d likeliest first tokens hold %.3f of the probability", len(reply.Logprobs[0].Top), sum)
}

func checkConstraint(ctx context.Context, b bench) (Verdict, string) {
	verdict := b.client.ProbeConstraint(ctx, b.opts.Chat, b.opts.Template[b.opts.Chat])[0]
	if !verdict.Honoured {
		return Fail, verdict.Detail + "; the protocol " + captionqa.ProtocolConstrained + " cannot be used"
	}
	return Pass, verdict.Detail
}

func checkPrefixCache(ctx context.Context, b bench) (Verdict, string) {
	// A caption of its own, so that no earlier check has filled the cache with it.
	caption := "A blue bus stands beside the market. " + strings.Repeat("Crates of fruit are stacked under striped awnings along the square. ", 20)
	var last llm.Reply
	before, counted := b.client.Counters(ctx)
	for range 2 {
		request, _, err := b.question(caption, captionqa.MaxTokens)
		if err != nil {
			return failed(err)
		}
		if last, err = b.client.Ask(ctx, request, llm.Affinity{Key: "conformance", Calls: 2}); err != nil {
			return failed(err)
		}
	}
	if last.CachedTokens > 0 {
		return Pass, fmt.Sprintf("%d of %d prompt tokens came from the cache the second time", last.CachedTokens, last.PromptTokens)
	}
	if counted == nil {
		if after, err := b.client.Counters(ctx); err == nil && after.Since(before).PrefixHits > 0 {
			return Warn, "the cache works but replies do not tell; start the server with --enable-prompt-tokens-details"
		}
	}
	return Warn, "the second of two equal prompts took nothing from the cache; start the server with --enable-prefix-caching"
}

func checkUnknownModel(ctx context.Context, b bench) (Verdict, string) {
	request := b.say("apple", llm.Greedy(4))
	request.Model = "captionlake/no-such-model"
	_, err := b.client.Ask(ctx, request, llm.Affinity{})
	switch class := llm.ClassOf(err); class {
	case llm.ClassNotFound:
		return Pass, "an unknown model is refused"
	case "":
		return Fail, "the server answers for a model that it does not have: replies may come from another model than recorded"
	default:
		return Warn, "an unknown model is refused in an unusual way: " + err.Error()
	}
}

func checkContextLength(ctx context.Context, b bench) (Verdict, string) {
	limit := 0
	for _, m := range b.facts.Models {
		if m.ID == b.opts.Chat {
			limit = m.ContextTokens
		}
	}
	const most = 300_000 // a longer request says more about the network
	if limit == 0 || limit > most {
		return Skip, fmt.Sprintf("the context length is unknown or above %d tokens", most)
	}
	// A word with its space has at least one token under any tokenizer, and four bytes under the rehearsal server's.
	request := b.say(strings.Repeat("cat ", limit+16), llm.Greedy(4))
	_, err := b.client.Ask(ctx, request, llm.Affinity{})
	switch class := llm.ClassOf(err); class {
	case llm.ClassContextLength:
		return Pass, fmt.Sprintf("a prompt longer than %d tokens is refused", limit)
	case "":
		return Fail, fmt.Sprintf("a prompt longer than %d tokens was answered: the server cuts prompts off", limit)
	default:
		return Warn, "a prompt that is too long is refused in an unusual way: " + err.Error()
	}
}

func checkImage(ctx context.Context, b bench) (Verdict, string) {
	dir, err := os.MkdirTemp("", "captionlake-conformance-")
	if err != nil {
		return failed(err)
	}
	defer os.RemoveAll(dir) // what is left behind lies in the temporary folder
	part, err := redSquare(filepath.Join(dir, "red.png"))
	if err != nil {
		return failed(err)
	}
	reply, err := b.client.Ask(ctx, llm.Request{
		Model: b.opts.Vision, Sampling: llm.Greedy(48), TemplateFlags: b.opts.Template[b.opts.Vision], Protocol: "captionlake/conformance",
		Messages: []llm.Message{llm.User(part, llm.Text(captionqa.ShortText))},
	}, llm.Affinity{})
	if llm.ClassOf(err) == llm.ClassSilent {
		return Warn, err.Error() + ": captions need room for the thoughts, or " + llm.StopThinking
	}
	if err != nil {
		return failed(err)
	}
	if strings.TrimSpace(reply.Text) == "" {
		return Fail, "the model has nothing to say of a red square"
	}
	return Pass, fmt.Sprintf("a red square: %q", reply.Text)
}

func redSquare(path string) (llm.Part, error) {
	square := image.NewRGBA(image.Rect(0, 0, 112, 112))
	for i := range square.Bounds().Dx() * square.Bounds().Dy() {
		square.Set(i%square.Bounds().Dx(), i/square.Bounds().Dx(), color.RGBA{200, 30, 30, 255})
	}
	file, err := os.Create(path)
	if err != nil {
		return llm.Part{}, err
	}
	if err := png.Encode(file, square); err != nil {
		file.Close() // the first error counts
		return llm.Part{}, err
	}
	if err := file.Close(); err != nil {
		return llm.Part{}, err
	}
	content, err := os.ReadFile(path)
	if err != nil {
		return llm.Part{}, err
	}
	sum := sha256.Sum256(content)
	return llm.Image(path, hex.EncodeToString(sum[:])), nil
}

func checkEmbeddings(ctx context.Context, b bench) (Verdict, string) {
	reply, err := b.client.Ask(ctx, llm.Request{Model: b.opts.Embed, Inputs: []string{"What colour is the bus?", "How many trees are there?", "What colour is the bus?"}}, llm.Affinity{})
	if err != nil {
		return failed(err)
	}
	near, far := cosine(reply.Vectors[0], reply.Vectors[2]), cosine(reply.Vectors[0], reply.Vectors[1])
	if !(near > 0.999) || far >= near {
		return Fail, fmt.Sprintf("equal texts have the cosine %.4f, different ones %.4f", near, far)
	}
	return Pass, fmt.Sprintf("%d coordinates; equal texts %.3f, different ones %.3f", len(reply.Vectors[0]), near, far)
}

func cosine(x, y []float32) float64 {
	var xy, xx, yy float64
	for i := range x {
		xy += float64(x[i]) * float64(y[i])
		xx += float64(x[i]) * float64(x[i])
		yy += float64(y[i]) * float64(y[i])
	}
	return xy / math.Sqrt(xx*yy)
}
