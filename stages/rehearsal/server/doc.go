// Package server is a rehearsal server: it speaks the part of OpenAI's and vLLM's HTTP API that the
// model stages use, and answers without a model. It lets a user try a whole run without a GPU, and
// lets tests prove the client against it.
//
// Its replies are not measurements. Its model identifiers start with "rehearsal/", and everything
// recorded from it has the provenance simulated. Its replies depend only on the request, so every
// run gets the same replies.
//
// The server has four layers that do not know each other: behaviours (the replies; behaviours.go
// lists them), the engine (how long a reply takes and what the prefix cache holds; engine.go), the
// fault plan (planned faults; faults.go) and HTTP (server.go, answers.go and send.go). World.Reply
// calls behaviours without HTTP.
//
// The package must not know the client, the stages or the lake's tables, except the facts in rows
// of images. Requests are untrusted.
package server
