package data

import "testing"

func TestPlain(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"two\r\nlines\tand <b>": "two\nlines\tand <b>", "\x1b[31mred\x00\x7f\u0085": "\ufffd[31mred\ufffd\ufffd\ufffd",
		"\u202eesrever\u2066": "\ufffdesrever\ufffd", "\xffbad": "\ufffdbad", "עברית": "עברית", "👩‍👩‍👧": "👩‍👩‍👧",
	} {
		if got := Plain(text); got != want {
			t.Errorf("Plain(%q) = %q, want %q", text, got, want)
		}
	}
}
