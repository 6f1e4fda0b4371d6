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

// A name is the value of a flag that takes one name. It refuses unknown names, and lists, because
// flags such as --captioner take a list in other commands.
type name struct {
	to    *string
	known []string // names that are allowed; empty if all are
	given bool     // the command line has the flag already
}

func (n *name) String() string { return *n.to }

func (n *name) Type() string { return "string" }

func (n *name) Set(text string) error {
	// Flags that take lists read their values as CSV, too. With LazyQuotes a name may have a quote.
	r := csv.NewReader(strings.NewReader(text))
	r.LazyQuotes = true
	names, err := r.Read() // An empty text gives io.EOF, and sets an empty name.
	if text != "" && (err != nil || len(names) != 1 || n.given) {
		return errors.New("here it takes one name; run the command once for each")
	}
	*n.to, n.given = strings.Join(names, ""), true
	if len(n.known) == 0 {
		return nil
	}
	return among("value", *n.to, n.known, "choose one of: "+strings.Join(n.known, ", "))
}

// oneName makes the value of a flag that takes one name. If known names are given, it takes only
// these names. The present value of the variable is the default.
func oneName(to *string, known ...string) *name { return &name{to: to, known: known} }

// flags gives a command its flags. Each flag takes three arguments: a pointer to its variable (or a
// *name), its name with its letter if it has one ("out, o"), and its help. The present value of the
// variable is the default.
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

// among refuses an unknown name of a kind. The hint of the error proposes the nearest known name.
// If no known name is near, the hint is all, which says how to find the known names.
func among(kind, name string, known []string, all string) error {
	if slices.Contains(known, name) {
		return nil
	}
	return data.Errorf(spelling.Meant(all, known, name), "there is no %s %q", kind, name)
}

// each calls the function do with one name after the other. It stops at the first error.
func each(names []string, do func(string) error) error {
	for _, n := range names {
		if err := do(n); err != nil {
			return err
		}
	}
	return nil
}
