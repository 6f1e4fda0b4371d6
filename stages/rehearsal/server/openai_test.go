package server_test

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"testing"

	"github.com/sashabaranov/go-openai"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
	rehearsalserver "github.com/captionlake/captionlake/stages/rehearsal/server"
)

// A client that is not ours lists the rehearsal server's models, asks for a reply with
// log-probabilities, for vectors and for refused things, and understands all of it.
func TestGoOpenAIAsks(t *testing.T) {
	world := must.Get(rehearsalserver.SampleWorld())(t)
	server := httptest.NewServer(rehearsalserver.New(rehearsalserver.Options{World: world}))
	defer server.Close()
	settings := openai.DefaultConfig("a key")
	settings.BaseURL = server.URL + "/v1"
	client := openai.NewClientWithConfig(settings)

	list := must.Get(client.ListModels(t.Context()))(t)
	if len(list.Models) != len(rehearsalserver.Profiles()) || list.Models[0].Root != list.Models[0].ID ||
		!list.Models[0].Permission[0].AllowSampling {
		t.Errorf("%+v", list.Models)
	}
	seed := 1
	picture := "data:image/png;base64," + redSquare(t)
	chat := openai.ChatCompletionRequest{
		Model: "rehearsal/captioner-large", MaxCompletionTokens: 64, TopP: 1, Seed: &seed, LogProbs: true,
		TopLogProbs: 2,
		Messages: []openai.ChatCompletionMessage{
			{Role: openai.ChatMessageRoleSystem, Content: "You describe pictures."},
			{Role: openai.ChatMessageRoleUser, MultiContent: []openai.ChatMessagePart{
				{Type: openai.ChatMessagePartTypeImageURL, ImageURL: &openai.ChatMessageImageURL{URL: picture}},
				{Type: openai.ChatMessagePartTypeText, Text: "Describe this image."},
			}},
		},
	}
	reply := must.Get(client.CreateChatCompletion(t.Context(), chat))(t)
	said := reply.Choices[0]
	if said.Message.Content == "" || said.Message.Role != openai.ChatMessageRoleAssistant ||
		said.FinishReason != openai.FinishReasonStop {
		t.Errorf("%+v", said)
	}
	if u := reply.Usage; u.TotalTokens != u.PromptTokens+u.CompletionTokens || u.CompletionTokens == 0 ||
		u.PromptTokensDetails == nil {
		t.Errorf("%+v", u)
	}
	if p := said.LogProbs.Content[0]; p.Token == "" || string(p.Bytes) != p.Token || p.LogProb > 0 ||
		len(p.TopLogProbs) == 0 {
		t.Errorf("%+v", p)
	}
	chat.Model, chat.MaxCompletionTokens = "rehearsal/reader-thinking", 4
	expect.Equal(t, must.Get(client.CreateChatCompletion(t.Context(),
		chat))(t).Choices[0].FinishReason, openai.FinishReasonLength)

	texts := openai.EmbeddingRequestStrings{Model: "rehearsal/embedder", Input: []string{"a red bus", "two bicycles"}}
	vectors := must.Get(client.CreateEmbeddings(t.Context(), texts))(t)
	if len(vectors.Data) != 2 || vectors.Data[1].Index != 1 ||
		len(vectors.Data[1].Embedding) != rehearsalserver.Dimensions || vectors.Usage.PromptTokens == 0 {
		t.Errorf("%+v", vectors.Usage)
	}
	for model, status := range map[string]int{"rehearsal/captioner-large": http.StatusNotFound,
		"no-such-model": http.StatusNotFound} {
		texts.Model = openai.EmbeddingModel(model)
		_, err := client.CreateEmbeddings(t.Context(), texts)
		refused, other := new(openai.APIError), new(openai.RequestError)
		if !(errors.As(err, &refused) && refused.HTTPStatusCode == status) &&
			!(errors.As(err, &other) && other.HTTPStatusCode == status) {
			t.Errorf("vectors of %s: %v", model, err)
		}
	}
	chat.MaxCompletionTokens = 1 << 20
	_, err := client.CreateChatCompletion(t.Context(), chat)
	if refused := new(openai.APIError); !errors.As(err, &refused) || refused.Param == nil ||
		*refused.Param != "max_completion_tokens" || refused.Code != http.StatusBadRequest {
		t.Errorf("%+v %v", refused, err)
	}
}
