package main

import (
	"encoding/csv"
	"errors"
	"strings"
)

// A name is the value of a flag that takes lists in other commands and one name in this one. It
// refuses a list, rather than take the list for a name.
type name struct {
	to    *string
	given bool
}

func (n *name) String() string { return *n.to }

func (n *name) Type() string { return "string" }

func (n *name) Set(text string) error {
	r := csv.NewReader(strings.NewReader(text)) // as lists are read
	r.LazyQuotes = true
	names, err := r.Read()
	if text != "" && (err != nil || len(names) != 1 || n.given) {
		return errors.New("here it takes one name; run the command once for each")
	}
	*n.to, n.given = strings.Join(names, ""), true
	return nil
}

// oneName is the value of a flag with one name. The default is the name that to holds now.
func oneName(to *string) *name { return &name{to: to} }

// each carries out a command for one name after the other. It stops at the first name that fails.
func each(names []string, do func(string) error) error {
	for _, n := range names {
		if err := do(n); err != nil {
			return err
		}
	}
	return nil
}
