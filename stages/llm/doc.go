// Package llm is the client of the model stages: it sends chat and embedding requests to the replicas of one
// OpenAI-compatible endpoint, built for vLLM, and brings back what came of them.
//
// go-openai does the talking: URLs, authorisation, status handling and reply decoding are its own. Request bodies are
// written here instead and put in place by the HTTP transport (exchange.go), because go-openai drops zero values, so
// that a temperature of 0 would become the server's default, and has no fields for what vLLM adds.
//
// The package must not know tables, stages, prompts or where a reply is recorded. It reads picture files and talks to
// servers; model replies and error texts are untrusted.
package llm
