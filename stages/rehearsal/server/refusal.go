package server

import (
	"errors"
	"fmt"
	"net/http"
	"strings"

	json "github.com/go-json-experiment/json/v1"
)

// refusal is an error in the words of vLLM's server, since clients recognise errors by their words.
// The recorded exchanges in testdata prove the words.
type refusal struct {
	status  int
	kind    string // the error's type
	message string // empty for a response with only the status
	param   string // the field at fault; empty for null
}

func (r *refusal) Error() string { return r.message }

// bad refuses a request because of one of its fields, or as a whole if param is empty.
func bad(param, format string, args ...any) *refusal {
	return &refusal{http.StatusBadRequest, "BadRequestError", fmt.Sprintf(format, args...), param}
}

// badValue is bad with the field and its value at the end of the message.
func badValue(param string, value int, format string, args ...any) *refusal {
	return bad(param, "%s (parameter=%s, value=%d)", fmt.Sprintf(format, args...), param, value)
}

// invalid refuses a request of the wrong form, in the words of vLLM's validator.
func invalid(param, fault string) *refusal {
	return &refusal{http.StatusBadRequest, "Bad Request", "1 validation error:\n  " + fault, param}
}

// unreadable refuses a body that cannot be decoded.
func unreadable(err error) *refusal {
	var syntax *json.SyntaxError
	if errors.As(err, &syntax) { // Offset counts the faulty byte, and vLLM gives its place from 0.
		return invalid(fmt.Sprintf("body.%d", syntax.Offset-1), err.Error())
	}
	field := ""
	if wrongType := new(json.UnmarshalTypeError); errors.As(err, &wrongType) {
		// The path may begin with the embedded Go type, which vLLM does not have.
		field = "." + strings.TrimPrefix(wrongType.Field, "ChatCompletionRequest.")
	}
	return invalid("body"+field, err.Error())
}

// refuse sends an error. Any error but a refusal is about the request.
func refuse(w http.ResponseWriter, err error) {
	r := bad("", "%s", err.Error())
	errors.As(err, &r)   // r stays unchanged if the error is not a refusal.
	if r.message == "" { // The web framework under vLLM has its own form of errors.
		sendJSON(w, r.status, map[string]string{"detail": http.StatusText(r.status)})
		return
	}
	var param any
	if r.param != "" {
		param = r.param
	}
	sendJSON(w, r.status, map[string]any{"error": map[string]any{
		"message": r.message, "type": r.kind, "param": param, "code": r.status,
	}})
}
