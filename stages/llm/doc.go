// Package llm is the client of the model stages: it sends chat and embedding requests to the replicas of one
// OpenAI-compatible endpoint, built for vLLM, and brings back what came of them.
//
// Bodies and replies are read and written here, because clients of OpenAI's API drop zero values, so that a temperature of 0 would become
// the server's default, have no fields for what vLLM adds, and hold all of a reply, which is foreign text of any length. exchange.go sends
// the one and takes the other in with net/http's transport.
//
// The package must not know tables, stages, prompts or where a reply is recorded. It reads picture files and talks to
// servers; model replies and error texts are untrusted.
package llm
