package batch

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"iter"
	"net/http"

	json "github.com/go-json-experiment/json/v1"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/stages/llm"
)

// longestReply is the longest line of a replies file in bytes.
const longestReply = 64 << 20

// batchLine is one line of a replies file, as vLLM and OpenAI write it.
type batchLine struct {
	CustomID string          `json:"custom_id"`
	Body     json.RawMessage `json:"body"` // only in files of requests
	Response *struct {
		StatusCode int             `json:"status_code"`
		Body       json.RawMessage `json:"body"`
	} `json:"response"`
	Error json.RawMessage `json:"error"`
}

// batchLines streams the lines of a replies file. A line that is not a reply comes with a fault. If
// the file cannot be read, the last pair has the error. Nothing is read after a line that is too
// long.
func batchLines(path string) iter.Seq2[numberedLine, error] {
	return func(yield func(numberedLine, error) bool) {
		file, err := data.OpenInput(path)
		if err != nil {
			yield(numberedLine{}, err)
			return
		}
		defer file.Close()
		lines, number := bufio.NewScanner(file), 1
		begin, end := int64(0), int64(0) // offsets of the line and of the next line
		lines.Buffer(nil, longestReply)
		// The scanner does not say where a line ends, so this function adds up the lengths of the lines.
		lines.Split(func(content []byte, atEnd bool) (int, []byte, error) {
			length, text, err := bufio.ScanLines(content, atEnd)
			end += int64(length)
			return length, text, err
		})
		for ; lines.Scan(); number++ {
			text := bytes.TrimSpace(lines.Bytes())
			line := numberedLine{place: replyLine{number: number, at: begin, length: len(lines.Bytes())}}
			begin = end
			if len(text) == 0 {
				continue
			}
			var syntax *json.SyntaxError
			switch err := json.Unmarshal(text, &line.batchLine); {
			case errors.As(err, &syntax) && syntax.Offset >= int64(len(text)):
				line.fault = "the line is cut off"
			case err != nil:
				line.fault = "the line is not a reply of a batch: " + err.Error()
			case line.Response == nil && len(line.Body) > 0:
				line.fault = "the line is a request, not a reply: import the file that vllm run-batch wrote"
			case line.CustomID == "":
				line.fault = "the line has no custom_id"
			}
			if !yield(line, nil) {
				return
			}
		}
		switch err := lines.Err(); {
		case errors.Is(err, bufio.ErrTooLong):
			yield(numberedLine{place: replyLine{number: number}, fault: fmt.Sprintf("the line has more than %d MiB, "+
				"too much for a reply; the lines after it are not read", longestReply>>20)}, nil)
		case err != nil:
			yield(numberedLine{}, fmt.Errorf("%s:%d: %w", path, number, err))
		}
	}
}

// A numberedLine is a line with its place in the file.
type numberedLine struct {
	batchLine
	place replyLine
	fault string // why the line is not a reply; empty for a reply
}

// body is the body of the server's reply, or the error of a failed request. An error without a
// response counts as HTTP 500, a failure of the server. An error beside a response of status 200
// counts as HTTP 400, so that its text decides its class.
func (b batchLine) body() ([]byte, error) {
	hasError := len(b.Error) > 0 && string(b.Error) != "null"
	if b.Response == nil {
		if !hasError {
			return nil, &llm.CallError{Class: llm.ClassServer, Message: "the batch has no response for the request"}
		}
		return nil, llm.StatusError(http.StatusInternalServerError, b.Error)
	}
	switch status := b.Response.StatusCode; {
	case status == http.StatusOK && hasError:
		return nil, llm.StatusError(http.StatusBadRequest, b.Error)
	case status == http.StatusOK:
		return b.Response.Body, nil
	case hasError:
		return nil, llm.StatusError(status, b.Error)
	default:
		return nil, llm.StatusError(status, b.Response.Body)
	}
}

// reply is the reply of a line to a request, as the client would have returned it.
func (b batchLine) reply(r llm.Request) (llm.Reply, error) {
	body, err := b.body()
	if err != nil {
		return llm.Reply{State: llm.StateFailed, Attempts: 1}, err
	}
	reply, err := llm.ParseReply(r, body)
	reply.Attempts = 1
	return reply, err
}
