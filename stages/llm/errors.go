package llm

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net"
	"net/http"
	"regexp"
	"strings"
	"time"

	json "github.com/go-json-experiment/json/v1"
	"github.com/sashabaranov/go-openai"

	"github.com/captionlake/captionlake/data/text"
)

// Class says why a call failed.
type Class string

// The classes of failure, in three groups. A failure of the first group is worth another attempt. A
// failure of the second group is not worth another attempt. With a failure of the third group, the
// request itself did not fail: nothing is recorded, and the same command asks again.
const (
	ClassRateLimited Class = "rate-limited" // HTTP 429
	ClassOverloaded  Class = "overloaded"   // HTTP 503, 529
	ClassServer      Class = "server"       // HTTP 5xx, 408
	ClassTransport   Class = "transport"    // connection refused, reset, reply cut off
	ClassTimeout     Class = "timeout"      // no whole reply within the deadline of an attempt
	ClassMalformed   Class = "malformed"    // HTTP 200 with an invalid reply
	ClassEmpty       Class = "empty"        // a reply without a choice or without content

	ClassContextLength Class = "context-length" // the prompt is longer than the model's context
	ClassAuth          Class = "auth"           // HTTP 401, 403, or a used-up account
	// HTTP 404, 405, 501 and redirects: no such model, or the address does not accept such requests
	ClassNotFound Class = "not-found"
	ClassRefused  Class = "refused" // any other HTTP 4xx
	// the request could not be built: out-of-range parameter, unreadable image
	ClassInvalid    Class = "invalid"
	ClassSilent     Class = "silent"      // the model thought and gave no answer
	ClassDeclined   Class = "declined"    // the model refused to answer, or called a tool
	ClassNoLogprobs Class = "no-logprobs" // log-probabilities were asked for, and the reply has none
	ClassOtherModel Class = "other-model" // another model answered than the one asked
	// the server or the model does not accept a parameter that all requests of a run have
	ClassParameter Class = "parameter"

	ClassUnavailable Class = "unavailable" // every replica has been out for too long
	ClassDrained     Class = "drained"     // the run is stopping and the call had not been answered
	ClassCanceled    Class = "canceled"    // the caller's context ended
)

// Retryable reports whether another attempt can succeed.
func (c Class) Retryable() bool {
	switch c {
	case ClassRateLimited, ClassOverloaded, ClassServer, ClassTransport, ClassTimeout, ClassMalformed, ClassEmpty:
		return true
	}
	return false
}

// Failed reports whether the request itself failed: the class is not in the third group. The
// call of a failed request is recorded as failed, unless the class is OfTheRun.
func (c Class) Failed() bool {
	return c != ClassUnavailable && c != ClassDrained && c != ClassCanceled
}

// OfTheRun reports whether a call failed because of the configuration, such as a wrong key, a model
// that is not served or a parameter that it does not accept. All calls of the run would fail in the
// same way, so no call is recorded as failed.
func (c Class) OfTheRun() bool {
	return c == ClassAuth || c == ClassNotFound || c == ClassOtherModel || c == ClassParameter
}

// replied reports whether a call with this class has a reply that is not an answer.
func (c Class) replied() bool {
	return c == ClassSilent || c == ClassDeclined || c == ClassNoLogprobs
}

// CallError is the error of a call without a valid reply. Its text contains no key.
type CallError struct {
	Class      Class
	Status     int           // HTTP status; 0 without a response
	Message    string        // text of the server or the machine, shortened and without keys
	Param      string        // parameter that is not accepted; only with ClassParameter
	Endpoint   string        // replica asked last; empty if no replica was asked
	Attempts   int           // attempts made
	RetryAfter time.Duration // wait that the server asked for; 0 without one
	cause      error         // only context errors, which callers test for
	unreached  bool          // no connection could be made, so no server has seen the request
}

func (e *CallError) Error() string {
	said := string(e.Class)
	if e.Endpoint != "" {
		said = e.Endpoint + ": " + said
	}
	if e.Status != 0 {
		said += fmt.Sprintf(" (HTTP %d)", e.Status)
	}
	if e.Message != "" {
		said += ": " + e.Message
	}
	if e.Attempts > 1 {
		said += fmt.Sprintf(" (after %d attempts)", e.Attempts)
	}
	return said
}

// Unwrap returns the context's error if it ended the call.
func (e *CallError) Unwrap() error { return e.cause }

// afterAttempt adds the error of the last attempt to the message of a call that gets no further
// attempt.
func afterAttempt(message string, last *CallError) string {
	return shorten(message + "; the last attempt ended with " + string(last.Class) + ": " + last.Message)
}

// ClassOf returns the class of an error of this package, empty for other errors.
func ClassOf(err error) Class {
	var call *CallError
	if errors.As(err, &call) {
		return call.Class
	}
	return ""
}

// contextLength recognises how vLLM, OpenAI and others say that a prompt is too long. If a prompt
// fills the context exactly, vLLM says that max_tokens is 0, although at least 1 was sent.
var contextLength = regexp.MustCompile(`(?i)max_tokens must be at least 1, got 0|context_length_exceeded|` +
	`maximum context length|context (length|window)|longer than the (maximum )?model|max_model_len|` +
	`prompt is too long|exceeds? the (model's )?max(imum)?[ _](model )?len`)

// tooManyAsked recognises that max_tokens alone exceeds the context.
var tooManyAsked = regexp.MustCompile(`(?i)max_(completion_)?tokens=\d+ cannot be greater than max_model_len`)

// classify converts the error of an attempt to a CallError. The attempt had a context of its own,
// so an ended parent context means that the caller gave up, and not that the attempt took too long.
func classify(err error, parent context.Context, x *exchange, redact redactor) *CallError {
	out := &CallError{Status: x.status}
	var call *CallError
	switch {
	case errors.As(err, &call): // The error has a class already, such as the error of a refused reply.
		*out = *call
		out.Status = x.status
	case parent.Err() != nil:
		out.Class, out.cause, out.Message = ClassCanceled, parent.Err(), "the caller gave up"
	case x.status >= 300 && x.status < 400: // A redirect has errRefused, too, so this case comes first.
		out.Class, out.Message = ClassNotFound, "the server redirects; put its final address into the configuration"
	case errors.Is(err, errRefused):
		*out = *statusError(x.status, x.reply)
	case x.readErr == nil && x.status >= 200 && x.status < 300:
		out.Class, out.Message = ClassMalformed, "the reply is not JSON of the expected form: "+err.Error()
	case isTimeout(err):
		out.Class, out.Message = ClassTimeout, "no reply within the deadline"
	default:
		var dial *net.OpError
		out.Class, out.Message = ClassTransport, err.Error()
		out.unreached = errors.As(err, &dial) && dial.Op == "dial"
	}
	if x.header != nil {
		out.RetryAfter = parseRetryAfter(x.header.Get("Retry-After"), time.Now())
	}
	out.Message = redact.message(out.Message)
	return out
}

// StatusError is the error of a call that got an error status, as an offline batch records it. The
// body may have any form of servers' errors.
func StatusError(status int, body []byte) *CallError {
	var bare *string
	if json.Unmarshal(body, &bare) == nil { // only a text, or null
		body = []byte(*cmp.Or(bare, new(string)))
	}
	e := statusError(status, body)
	e.Message = redactor{}.message(e.Message)
	return e
}

// statusError is StatusError with the server's whole message, before a redactor changes it.
func statusError(status int, body []byte) *CallError {
	e := &CallError{Class: classOfStatus(status, string(body)), Status: status, Message: errorText(body, status)}
	if e.Class == ClassRefused {
		if e.Param = refusedParameter(body, e.Message); e.Param != "" {
			e.Class = ClassParameter
		}
	}
	return e
}

// parameters finds the parameters that a configuration can leave out of requests or change.
var parameters = regexp.MustCompile(`\b(temperature|top_p|top_k|min_p|seed|` +
	`(?:repetition|presence|frequency)_penalty|(?:top_)?logprobs|max_(?:completion_)?tokens|` +
	`structured_outputs|response_format|chat_template_kwargs)\b`)

// notAccepted finds the words by which servers say that they do not accept a parameter.
var notAccepted = regexp.MustCompile(`(?i)not support|n't support|unsupported|unknown|unrecogni[sz]ed|` +
	`unexpected|not (permitted|allowed)|extra_forbidden|cannot both|deprecated`)

// refusedParameter is the parameter that a server refuses: named in OpenAI's form of an error, or
// in the message.
func refusedParameter(body []byte, message string) string {
	var said openai.ErrorResponse
	if json.Unmarshal(body, &said) == nil && said.Error != nil && said.Error.Param != nil {
		return parameters.FindString(*said.Error.Param)
	}
	message = shorten(message) // Servers repeat the prompt after their own words.
	if notAccepted.MatchString(message) {
		return parameters.FindString(message)
	}
	return ""
}

func parameterError(param, message string) *CallError {
	return &CallError{Class: ClassParameter, Param: param, Message: message}
}

// classOfStatus is the class of a reply with an error status; body is the reply.
func classOfStatus(status int, body string) Class {
	switch {
	case status == http.StatusTooManyRequests && strings.Contains(body, "insufficient_quota"):
		return ClassAuth
	case status == http.StatusTooManyRequests:
		return ClassRateLimited
	case status == http.StatusServiceUnavailable || status == 529: // 529: overloaded, outside of the standard
		return ClassOverloaded
	case status == http.StatusMethodNotAllowed || status == http.StatusNotImplemented:
		return ClassNotFound // not a model server, or the wrong address
	case status >= 500 || status == http.StatusRequestTimeout:
		return ClassServer
	case status == http.StatusUnauthorized || status == http.StatusForbidden:
		return ClassAuth
	case tooManyAsked.MatchString(body):
		return ClassRefused // A shorter prompt would not help.
	case contextLength.MatchString(body):
		return ClassContextLength
	case status == http.StatusNotFound:
		return ClassNotFound
	}
	return ClassRefused
}

// errorText finds the message in the body of an error. In OpenAI's form, the message is in the
// object error. Older vLLM servers have it in the field message, and FastAPI has it in the field
// detail. If the key is wrong, the field error of vLLM is a text. Proxies send HTML.
func errorText(body []byte, status int) string {
	var form struct {
		Message string          `json:"message"`
		Detail  json.RawMessage `json:"detail"`
		Error   json.RawMessage `json:"error"`
	}
	var openAI openai.ErrorResponse
	if json.Unmarshal(body, &openAI) == nil && openAI.Error != nil && openAI.Error.Message != "" {
		return openAI.Error.Message
	}
	if json.Unmarshal(body, &form) == nil {
		if said := cmp.Or(form.Message, string(form.Detail), string(form.Error)); said != "" {
			return said
		}
	}
	said := strings.TrimSpace(string(body))
	if strings.HasPrefix(said, "<") {
		return "a web page: " + cmp.Or(strings.TrimSpace(markup.ReplaceAllString(said, " ")), http.StatusText(status))
	}
	return cmp.Or(said, http.StatusText(status))
}

// markup matches the tags of a web page, and its styles, scripts and title with their content.
var markup = regexp.MustCompile(`(?is)<(style|script|title)\b.*?</(style|script|title)\s*>|<[^>]*>`)

func isTimeout(err error) bool {
	var n net.Error
	return errors.As(err, &n) && n.Timeout()
}

// longestMessage is the largest length of an error message in bytes, since servers repeat whole
// prompts.
const longestMessage = 400

// shorten makes a message one line of at most longestMessage bytes.
func shorten(s string) string { return text.OneLine(s, longestMessage) }
