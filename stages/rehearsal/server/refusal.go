package server

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"strings"
)

// refusal is an error as vLLM's server words it. Clients tell errors apart by their words, so these are its own; the recorded
// exchanges in testdata prove it.
type refusal struct {
	status  int
	kind    string // the error's type
	message string
	param   string // the field at fault; empty is null
}

func (r *refusal) Error() string { return r.message }

// errNoPath is the end of a request that goes to a path that its model's server does not have.
var errNoPath = errors.New("there is no such path")

// bad refuses a request for what a field of it says.
func bad(param, format string, args ...any) *refusal {
	return &refusal{http.StatusBadRequest, "BadRequestError", fmt.Sprintf(format, args...), param}
}

// badValue is bad with the field and its value at the end of the message.
func badValue(param, value, format string, args ...any) *refusal {
	return bad(param, "%s (parameter=%s, value=%s)", fmt.Sprintf(format, args...), param, value)
}

// invalid refuses a request whose form is wrong, as the validator that vLLM uses begins.
func invalid(param, fault string) *refusal {
	return &refusal{http.StatusBadRequest, "Bad Request", "1 validation error:\n  " + fault, param}
}

// unreadable refuses a body that does not decode.
func unreadable(err error) *refusal {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) {
		return invalid(fmt.Sprintf("body.%d", syntax.Offset-1), err.Error())
	}
	field := ""
	if kind := new(json.UnmarshalTypeError); errors.As(err, &kind) {
		field = "." + strings.TrimPrefix(kind.Field, "ChatCompletionRequest.")
	}
	return invalid("body"+field, err.Error())
}

// refuse sends an error.
func refuse(w http.ResponseWriter, status int, kind, message string) {
	refuseFor(w, &refusal{status: status, kind: kind, message: message})
}

// refuseFor sends an error; one that is no refusal is of the request.
func refuseFor(w http.ResponseWriter, err error) {
	if errors.Is(err, errNoPath) {
		detail(w, http.StatusNotFound)
		return
	}
	r := bad("", "%s", err.Error())
	errors.As(err, &r) // else it stays as it is
	var param any
	if r.param != "" {
		param = r.param
	}
	body, err := json.Marshal(map[string]any{"error": map[string]any{"message": r.message, "type": r.kind, "param": param, "code": r.status}})
	if err != nil {
		body = []byte(`{"error":{"message":"unknown error"}}`) // strings and numbers always encode
	}
	send(w, r.status, body)
}

// detail sends an error of the web framework under vLLM, which has another form.
func detail(w http.ResponseWriter, status int) {
	body := fmt.Appendf(nil, `{"detail":%q}`, http.StatusText(status))
	send(w, status, body)
}
