// Package must says in one line that a step of a test has to go well.
//
// Only tests import it. It knows nothing of lakes, so that the tests of package data use it, too.
package must

import "testing"

// Succeed ends the test if err is not nil, as t.Fatal(err) does at the place of the call.
func Succeed(t testing.TB, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}
