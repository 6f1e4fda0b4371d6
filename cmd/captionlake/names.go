package main

import (
	"encoding/csv"
	"errors"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/spelling"
)

// A name is the value of a flag that takes one name. It refuses a list, which the flag takes in other commands, and
// unknown names.
type name struct {
	to    *string
	known []string // empty if every name is right
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
	if len(n.known) == 0 {
		return nil
	}
	return among("value", *n.to, n.known, "choose one of: "+strings.Join(n.known, ", "))
}

// oneName is the value of a flag with one name, one of the known names if there are any. The
// default is the name that to holds now.
func oneName(to *string, known ...string) *name { return &name{to: to, known: known} }

// flags gives a command its flags: for each the pointer to its variable, or its value, then the
// name, with the letter after it if there is one, and the help. The default is the present value.
func flags(c *cobra.Command, all ...any) *cobra.Command {
	f := c.Flags()
	for flag := range slices.Chunk(all, 3) {
		help := flag[2].(string)
		switch long, letter, _ := strings.Cut(flag[1].(string), ", "); v := flag[0].(type) {
		case *string:
			f.StringVarP(v, long, letter, *v, help)
		case *[]string:
			f.StringSliceVarP(v, long, letter, *v, help)
		case *bool:
			f.BoolVarP(v, long, letter, *v, help)
		case *int:
			f.IntVarP(v, long, letter, *v, help)
		case *int64:
			f.Int64VarP(v, long, letter, *v, help)
		case *uint64:
			f.Uint64VarP(v, long, letter, *v, help)
		case *float64:
			f.Float64VarP(v, long, letter, *v, help)
		case *time.Duration:
			f.DurationVarP(v, long, letter, *v, help)
		case *map[string]string:
			f.StringToStringVarP(v, long, letter, *v, help)
		case *name:
			f.VarP(v, long, letter, help)
		}
	}
	return c
}

// among refuses an unknown name. It hints at the nearest known name, or else at the way to all of them.
func among(what, name string, known []string, all string) error {
	if slices.Contains(known, name) {
		return nil
	}
	return data.Errorf(spelling.Meant(all, known, name), "there is no %s %q", what, name)
}

// each carries out a command for one name after the other. It stops at the first name that fails.
func each(names []string, do func(string) error) error {
	for _, n := range names {
		if err := do(n); err != nil {
			return err
		}
	}
	return nil
}
