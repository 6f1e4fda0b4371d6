package llm

import (
	"crypto/sha256"
	"encoding/hex"
)

// Session tells a router which calls share a prefix, so that it sends them to the same server. The
// zero value tells nothing. The name sent is a digest: it reveals nothing of the caption, and no
// recorded request contains it.
type Session struct {
	Header string // header that the router hashes, such as X-Session-ID
	Field  string // field of the body that the router hashes: user, which OpenAI's API and vLLM accept and ignore
}

// sessionName is the name under which a router learns which calls share a prefix: a digest of their
// affinity.
func sessionName(affinity string) string {
	sum := sha256.Sum256([]byte(affinity))
	return hex.EncodeToString(sum[:16])
}
