// Package llm is the client of the model stages: it sends chat and embedding requests to the
// replicas of one OpenAI-compatible endpoint, built for vLLM, and brings back what came of them.
//
// Bodies and replies have the types of go-openai, with the fields that vLLM adds. They are sent and
// taken in by exchange.go with net/http's transport, because that library's client leaves a
// temperature of 0 out, has no place for a content that is null, and holds all of a reply, which is
// foreign text of any length.
//
// The package must not know tables, stages, prompts or where a reply is recorded. It reads picture
// files and talks to servers; model replies and error texts are untrusted.
package llm
