package llm

import (
	"fmt"
	"io"
	"net/http"
)

// exchange is one HTTP request and its reply. It follows no redirects, so that a key goes only to
// the configured address, and reads a reply whole before anybody decodes it, so that a cut-off
// reply is an error of its own.
type exchange struct {
	transport http.RoundTripper
	most      int64 // largest reply in bytes

	status  int         // HTTP status; 0 when no reply came
	header  http.Header // of the reply
	reply   []byte      // whole body of the reply
	readErr error       // the reply broke off
}

// Largest replies in bytes. A run has hundreds of requests in flight, and each may be answered by a
// server that means harm.
const (
	// chatBytes bounds a chat reply. The largest sound one is far smaller: 16,384 tokens of four
	// bytes are 64 KiB, and five times that when every character is escaped; 20 candidates for each
	// of 1,000 tokens are 3 MiB.
	chatBytes = 4 << 20
	// vectorBytes bounds one vector of an embedding reply: 8,192 coordinates, the most that models
	// in use have, of at most 25 bytes.
	vectorBytes = 256 << 10
	// embedBytes bounds an embedding reply of any number of inputs.
	embedBytes = 64 << 20
	// pageBytes bounds what a server tells of itself: vLLM's /metrics has some 100 KiB, a gateway's
	// list of models 1 MiB.
	pageBytes = 4 << 20
)

// send sends a request and reads the reply, whatever its status.
func (x *exchange) send(req *http.Request) error {
	resp, err := x.transport.RoundTrip(req)
	if err != nil {
		return err
	}
	x.status, x.header = resp.StatusCode, resp.Header
	x.readErr = x.read(resp)
	if err := resp.Body.Close(); x.readErr == nil {
		x.readErr = err
	}
	return x.readErr
}

func (x *exchange) read(resp *http.Response) error {
	if resp.ContentLength > x.most {
		return fmt.Errorf("the reply of %d bytes is larger than %d", resp.ContentLength, x.most)
	}
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
