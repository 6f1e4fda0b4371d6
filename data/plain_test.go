package data

import (
	"testing"

	"github.com/captionlake/captionlake/data/expect"
)

func TestPlain(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"two\r\nlines\tand <b>": "two\nlines\tand <b>", "\x1b[31mred\x00\x7f\u0085": "\ufffd[31mred\ufffd\ufffd\ufffd",
		"\u202eesrever\u2066": "\ufffdesrever\ufffd", "\xffbad": "\ufffdbad", "עברית": "עברית", "👩‍👩‍👧": "👩‍👩‍👧",
	} {
		expect.Equal(t, Plain(text), want)
	}
}
