// Package expect checks a value in one line. A failed check marks the test as failed, and the test
// goes on.
//
// Only tests import it. It knows nothing of lakes, so that the tests of package data can use it
// too.
package expect

import (
	"cmp"
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	gocmp "github.com/google/go-cmp/cmp"
)

// Equal fails the test if got is not want. An empty list and nil differ. tried says what gave the
// value.
func Equal[T any](t testing.TB, got, want T, tried ...any) {
	t.Helper()
	if reflect.DeepEqual(got, want) {
		return
	}
	// Values that DeepEqual tells apart may still be equal: Diff uses the method Equal of a type, so
	// one moment in two time zones is no difference.
	unexported := gocmp.Exporter(func(reflect.Type) bool { return true })
	if diff := gocmp.Diff(want, got, unexported); diff != "" {
		t.Errorf("%s(-want +got):\n%s", fmt.Sprintln(tried...), diff)
	}
}

// Contains fails the test unless the text has all the parts.
func Contains(t testing.TB, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if !strings.Contains(text, part) {
			t.Errorf("%q is not in:\n%s", part, text)
		}
	}
}

// Lacks fails the test if the text has one of the parts.
func Lacks(t testing.TB, text string, parts ...string) {
	t.Helper()
	for _, part := range parts {
		if strings.Contains(text, part) {
			t.Errorf("%q is in:\n%s", part, text)
		}
	}
}

// Between fails the test unless got is at least low and at most high.
func Between[T cmp.Ordered](t testing.TB, got, low, high T, tried ...any) {
	t.Helper()
	if !(low <= got && got <= high) {
		t.Errorf("%sgot %v, want %v to %v", fmt.Sprintln(tried...), got, low, high)
	}
}

// Failure fails the test unless err is an error with all of want. A text in want must be in the
// message of err, and an error in want must be in the chain of err.
func Failure(t testing.TB, err error, want ...any) {
	t.Helper()
	if err == nil {
		t.Errorf("there is no error, want %q", want)
		return
	}
	for _, want := range want {
		wrapped, isError := want.(error)
		if isError && !errors.Is(err, wrapped) || !isError && !strings.Contains(err.Error(), want.(string)) {
			t.Errorf("the error is %q, want %q", err, want)
		}
	}
}

// Refusal is Failure for a call that also gives a value:
// expect.Refusal(os.ReadFile(path))(t, fs.ErrNotExist).
func Refusal[T any](_ T, err error) func(t testing.TB, want ...any) {
	return func(t testing.TB, want ...any) {
		t.Helper()
		Failure(t, err, want...)
	}
}
