package llm

import (
	"crypto/sha256"
	"encoding/hex"
)

// Session names the calls that share a prefix to a router that sends what has the same name to the
// same server. The zero value names nothing. What is sent is a digest: it tells nothing of the
// caption, and no recorded request has it.
type Session struct {
	Header string // header that the router hashes, such as X-Session-ID
	Field  string // field of the body that the router hashes; user, which OpenAI's API and vLLM take and do nothing with
}

// sessionName is the session of a key.
func sessionName(key string) string {
	sum := sha256.Sum256([]byte(key))
	return hex.EncodeToString(sum[:16])
}
