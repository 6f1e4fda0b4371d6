package llm

import (
	"bytes"
	"fmt"
	"io"
	"net/http"
)

// exchange is one HTTP request and its reply: the HTTP client that go-openai calls for it. It sends the request's own body,
// which go-openai's types cannot hold. It follows no redirects, so that a key goes only to the configured address, and
// reads a reply whole before anybody decodes it, so that a cut-off reply is an error of its own.
type exchange struct {
	transport http.RoundTripper
	body      []byte // to send instead of go-openai's; nil leaves the request as it is
	most      int64  // largest reply in bytes

	status  int         // HTTP status; 0 when no reply came
	header  http.Header // of the reply
	reply   []byte      // whole body of the reply
	readErr error       // the reply broke off
}

// Largest replies in bytes. A run has hundreds of requests in flight, and each may be answered by a server that means harm.
const (
	// chatBytes bounds a chat reply. The largest sound one is far smaller: 16,384 tokens of four bytes are 64 KiB, and five
	// times that when every character is escaped; 20 candidates for each of 1,000 tokens are 3 MiB.
	chatBytes = 4 << 20
	// vectorBytes bounds one vector of an embedding reply: 8,192 coordinates, the most that models in use have, of at
	// most 25 bytes.
	vectorBytes = 256 << 10
	// embedBytes bounds an embedding reply of any number of inputs.
	embedBytes = 64 << 20
	// pageBytes bounds what a server tells of itself: vLLM's /metrics has some 100 KiB, a gateway's list of models 1 MiB.
	pageBytes = 4 << 20
	// firstBytes is how much is set aside before anything has arrived, whatever length a header claims.
	firstBytes = 16 << 10
)

// Do sends a request, with the exchange's body when there is one.
func (x *exchange) Do(req *http.Request) (*http.Response, error) {
	if x.body != nil {
		req.Body = io.NopCloser(bytes.NewReader(x.body))
		req.ContentLength = int64(len(x.body))
		req.GetBody = func() (io.ReadCloser, error) { return io.NopCloser(bytes.NewReader(x.body)), nil }
	}
	resp, err := x.transport.RoundTrip(req)
	if err != nil {
		return nil, err
	}
	x.status, x.header = resp.StatusCode, resp.Header
	x.reply, x.readErr = readReply(resp, x.most)
	if err := resp.Body.Close(); x.readErr == nil {
		x.readErr = err
	}
	if x.readErr != nil {
		return nil, x.readErr
	}
	said := x.reply
	if x.status >= 200 && x.status < 300 {
		said = []byte("{}") // What was said is read by ParseReply, which builds no more than it needs.
	}
	resp.Body = io.NopCloser(bytes.NewReader(said))
	return resp, nil
}

func readReply(resp *http.Response, limit int64) ([]byte, error) {
	if resp.ContentLength > limit {
		return nil, fmt.Errorf("the reply of %d bytes is larger than %d", resp.ContentLength, limit)
	}
	var buf bytes.Buffer
	if resp.ContentLength > 0 {
		buf.Grow(int(min(resp.ContentLength, firstBytes)) + bytes.MinRead)
	}
	n, err := io.Copy(&buf, io.LimitReader(resp.Body, limit+1))
	if err != nil {
		return nil, fmt.Errorf("the reply broke off: %w", err)
	}
	if n > limit {
		return nil, fmt.Errorf("the reply is larger than %d bytes", limit)
	}
	return buf.Bytes(), nil
}
