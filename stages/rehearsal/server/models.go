package server

// Prefix starts the identifier of every model of the server, so that no reply is taken for a real
// model's.
const Prefix = "rehearsal/"

// Profile is a rehearsal model. Any model but the embedder answers any kind of chat; the shares say
// how well. Shares are from 0 to 1 and decide by draws that are seeded with the request's content.
type Profile struct {
	ID       string
	Purpose  string  // purpose of the model in a rehearsal
	Recall   float64 // share of the facts within a prompt's reach that a caption states
	Mistakes float64 // share of stated facts with a wrong value
	Sight    float64 // share of the facts that the model finds when it is asked about a picture
	Guess    float64 // share of the questions without evidence that it guesses instead of choosing the cannot option
	Slip     float64 // share of the questions with evidence that it answers wrongly
	Style    int     // wording of a question writer
	Embeds   bool    // it only encodes texts
	Thinks   bool    // it thinks before it answers, as Qwen3 does unless enable_thinking is false
}

// Profiles returns the models of the server, in the order of /v1/models. We chose the numbers so
// that the models rank clearly; they imitate no real model.
func Profiles() []Profile {
	return []Profile{
		{ID: "rehearsal/captioner-large", Purpose: "captioner", Recall: 0.97, Mistakes: 0.01, Sight: 0.98},
		{ID: "rehearsal/captioner-medium", Purpose: "captioner", Recall: 0.80, Mistakes: 0.05, Sight: 0.90, Guess: 0.3,
			Slip: 0.02},
		{ID: "rehearsal/captioner-small", Purpose: "captioner", Recall: 0.55, Mistakes: 0.15, Sight: 0.75, Guess: 0.6,
			Slip: 0.05},
		{ID: "rehearsal/reader-careful", Purpose: "reader", Recall: 0.90, Mistakes: 0.02, Sight: 0.95},
		{ID: "rehearsal/reader-eager", Purpose: "reader", Recall: 0.70, Mistakes: 0.10, Sight: 0.80, Guess: 0.6,
			Slip: 0.06},
		{ID: "rehearsal/reader-thinking", Purpose: "reader", Recall: 0.90, Mistakes: 0.02, Sight: 0.95, Thinks: true},
		{ID: "rehearsal/writer-a", Purpose: "question writer", Recall: 0.90, Mistakes: 0.03, Sight: 0.95},
		{ID: "rehearsal/writer-b", Purpose: "question writer", Recall: 0.90, Mistakes: 0.06, Sight: 0.90, Style: 1},
		{ID: "rehearsal/writer-c", Purpose: "question writer", Recall: 0.90, Mistakes: 0.10, Sight: 0.85, Style: 2},
		{ID: "rehearsal/validator-a", Purpose: "validator", Recall: 0.95, Mistakes: 0.02, Sight: 0.99},
		{ID: "rehearsal/validator-b", Purpose: "validator", Recall: 0.90, Mistakes: 0.04, Sight: 0.96, Slip: 0.02},
		{ID: "rehearsal/judge", Purpose: "rubric and pairwise judge", Recall: 0.95, Sight: 0.97},
		{ID: "rehearsal/judge-hasty", Purpose: "pairwise judge that often takes the caption shown first", Recall: 0.80,
			Mistakes: 0.06, Sight: 0.75, Slip: 0.2, Style: 1},
		{ID: "rehearsal/embedder", Purpose: "embeddings", Embeds: true},
	}
}

// profiles finds a model by its identifier.
var profiles = func() map[string]Profile {
	m := map[string]Profile{}
	for _, p := range Profiles() {
		m[p.ID] = p
	}
	return m
}()
