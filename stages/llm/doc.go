// Package llm is the client of the model stages: it sends chat and embedding requests to the replicas of one
// OpenAI-compatible endpoint, built for vLLM, and brings back what came of them.
//
// Addresses, headers and the reading of refusals are go-openai's. Request bodies are written here, because go-openai drops
// zero values, so that a temperature of 0 would become the server's default, and has no fields for what vLLM adds; and replies
// are read here (parse.go), because they are foreign text of any length. exchange.go sends the one and takes the other in with
// net/http's transport.
//
// The package must not know tables, stages, prompts or where a reply is recorded. It reads picture files and talks to
// servers; model replies and error texts are untrusted.
package llm
