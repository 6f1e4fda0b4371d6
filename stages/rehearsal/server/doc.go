// Package server is a rehearsal server: it speaks the part of OpenAI's and vLLM's HTTP API that the
// model stages use, and answers without a model. It lets a user try a whole run without a GPU, and
// tests prove the client against it.
//
// Nothing that it says is a measurement. Its model identifiers start with "rehearsal/", and
// whatever is recorded from it has the provenance simulated. Its answers depend on the request
// alone, so that every run gives the same.
//
// The server has four layers that do not know each other: behaviours (what is said; behaviours.go
// lists them), the engine (how long it takes and what the prefix cache holds; engine.go), the fault
// plan (what goes wrong; faults.go) and HTTP (server.go, answers.go and send.go). Behaviours can be
// called without HTTP through Rehearsal.
//
// The package must not know the client, the stages or the lake's tables, other than the row of an
// image, whose facts it reads. Requests are untrusted.
package server
