package web

import (
	"errors"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

const maxName = 60 // characters

// Name is the name of a person as it is stored: in Unicode's composed form, with single spaces.
// Names become part of tables and file names, so they may contain only letters, digits, spaces and
// a few signs.
func Name(given string) (string, error) {
	name := strings.Join(strings.Fields(norm.NFC.String(given)), " ")
	switch {
	case name == "":
		return "", errors.New("a name is missing; write your own")
	case utf8.RuneCountInString(name) > maxName:
		return "", fmt.Errorf("the name has more than %d characters; shorten it", maxName)
	}
	for _, r := range name {
		if !unicode.IsLetter(r) && !unicode.IsMark(r) && !unicode.IsDigit(r) && !strings.ContainsRune(" .-_'@+", r) {
			return "", fmt.Errorf("the name has the character %q; use letters, digits, spaces and . - _ ' @ +", r)
		}
	}
	return name, nil
}
