package llm

import (
	"cmp"
	"fmt"
	"io"
	"net/http"
)

// exchange is one HTTP request and its reply. It follows no redirects, so that a key goes only to
// the configured address. It reads a reply whole before anybody decodes it, so that a cut-off reply
// is not mistaken for an invalid reply.
type exchange struct {
	transport http.RoundTripper
	most      int64 // largest reply in bytes

	status  int         // HTTP status; 0 without a reply
	header  http.Header // of the reply
	reply   []byte      // whole body of the reply
	readErr error       // why the reply could not be read whole
}

// Largest replies in bytes. A run has hundreds of requests in flight, and a malicious server may
// answer each of them with as many bytes as the client reads.
const (
	// chatBytes bounds a chat reply. The largest valid reply is far smaller: 16,384 tokens of four
	// bytes are 64 KiB, and up to six times that if every character is escaped; 20 candidates for each
	// of 1,000 tokens are 3 MiB.
	chatBytes = 4 << 20
	// vectorBytes bounds one vector of an embedding reply: 8,192 coordinates, the most of any model
	// in use, with at most 25 bytes each.
	vectorBytes = 256 << 10
	// embedBytes bounds an embedding reply of any number of inputs.
	embedBytes = 64 << 20
	// pageBytes bounds a page on which a server describes itself: vLLM's /metrics has some 100 KiB,
	// a gateway's list of models 1 MiB.
	pageBytes = 4 << 20
)

// send sends a request and reads the reply. A status other than 2xx gives the error errRefused.
func (x *exchange) send(req *http.Request) error {
	resp, err := x.transport.RoundTrip(req)
	if err != nil {
		return err
	}
	x.status, x.header = resp.StatusCode, resp.Header
	x.readErr = cmp.Or(x.read(resp), resp.Body.Close())
	if x.readErr == nil && x.status/100 != 2 {
		return errRefused
	}
	return x.readErr
}

// read reads the body of a reply, unless it is too large.
func (x *exchange) read(resp *http.Response) error {
	reply, err := io.ReadAll(io.LimitReader(resp.Body, x.most+1))
	if err != nil {
		return fmt.Errorf("the reply broke off: %w", err)
	}
	if int64(len(reply)) > x.most {
		return fmt.Errorf("the reply is larger than %d bytes", x.most)
	}
	x.reply = reply
	return nil
}
