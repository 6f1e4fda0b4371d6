// Package llm is the client of the model stages. It sends chat and embedding requests to the
// replicas of one OpenAI-compatible endpoint, built for vLLM, and returns the replies.
//
// Bodies and replies have go-openai's types with vLLM's additional fields. exchange.go sends them
// with net/http's transport, because go-openai's client drops a temperature of 0, cannot read a
// null content, and reads a reply of any length into memory.
//
// The package must not know tables, stages, prompts or where a reply is recorded. It reads picture
// files and talks to servers; model replies and error texts are untrusted.
package llm
