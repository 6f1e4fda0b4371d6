package data

import "fmt"

// A HintError is an error with the next step that a person can take. The command line prints the
// error after "Error:" and the hint after "Try:".
type HintError struct {
	Err  error
	Hint string
}

func (e *HintError) Error() string { return e.Err.Error() }

// Unwrap returns the error that the hint belongs to.
func (e *HintError) Unwrap() error { return e.Err }

// WithHint attaches the next step to an error. A nil error stays nil.
func WithHint(err error, format string, args ...any) error {
	if err == nil {
		return nil
	}
	return &HintError{err, fmt.Sprintf(format, args...)}
}

// Errorf is an error with the next step. next is a text and not a format; args belong to format.
func Errorf(next, format string, args ...any) error {
	return &HintError{fmt.Errorf(format, args...), next}
}
