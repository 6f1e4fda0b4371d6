package batch

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
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

// batchLines streams the lines of a replies file with their numbers, from 1. A line that is not a
// reply comes with a fault; the last pair of a file that cannot be read has an error.
func batchLines(path string) iter.Seq2[numberedLine, error] {
	return func(yield func(numberedLine, error) bool) {
		file, err := data.OpenInput(path)
		if err != nil {
			yield(numberedLine{}, err)
			return
		}
		defer file.Close()
		lines := bufio.NewReaderSize(file, 1<<16)
		at := int64(0)
		for n := 1; ; n++ {
			text, read, err := nextLine(lines, longestReply)
			if err != nil {
				if !errors.Is(err, io.EOF) {
					yield(numberedLine{}, fmt.Errorf("%s:%d: %w", path, n, err))
				}
				return
			}
			line := numberedLine{number: n, at: at, length: len(text)}
			at += read
			if read > longestReply {
				line.fault = fmt.Sprintf("the line has more than %d MiB, too much for a reply", longestReply>>20)
				if !yield(line, nil) {
					return
				}
				continue
			}
			if text = bytes.TrimSpace(text); len(text) == 0 {
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
	}
}

// nextLine reads one line and returns its length in the file. It drops a line of more than most
// bytes; the next call reads the line after it. At the end of the file the error is io.EOF.
func nextLine(r *bufio.Reader, most int) (text []byte, read int64, err error) {
	for {
		piece, err := r.ReadSlice('\n')
		if read += int64(len(piece)); read > int64(most) {
			text = nil
		} else {
			text = append(text, piece...)
		}
		switch {
		case errors.Is(err, bufio.ErrBufferFull):
		case errors.Is(err, io.EOF) && read > 0, err == nil:
			return text, read, nil
		default:
			return nil, 0, err
		}
	}
}

type numberedLine struct {
	batchLine
	number int
	at     int64  // offset in the file
	length int    // in bytes
	fault  string // why the line is not a reply
}

// body is the server's reply, or the error of a failed request.
func (b batchLine) body() ([]byte, error) {
	status, said := http.StatusInternalServerError, []byte(b.Error)
	failed := len(said) > 0 && string(said) != "null"
	switch r := b.Response; {
	case r == nil && !failed:
		return nil, &llm.CallError{Class: llm.ClassServer, Message: "the batch has no response for the request"}
	case r == nil:
	case r.StatusCode == http.StatusOK && !failed:
		return r.Body, nil
	case r.StatusCode == http.StatusOK:
		status = http.StatusBadRequest
	default:
		if status = r.StatusCode; !failed {
			said = r.Body
		}
	}
	return nil, llm.StatusError(status, said)
}

// reply converts a line to the client's reply.
func (b batchLine) reply(r llm.Request) (llm.Reply, error) {
	body, err := b.body()
	if err != nil {
		return llm.Reply{State: llm.StateFailed, Attempts: 1}, err
	}
	reply, err := llm.ParseReply(r, body)
	reply.Attempts = 1
	return reply, err
}
