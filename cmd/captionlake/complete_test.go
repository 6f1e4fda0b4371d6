package main

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
)

// TestFlagsComplete holds that the system's shell completes every flag that takes a name. The others take files, numbers or words of the
// user's own.
func TestFlagsComplete(t *testing.T) {
	own := []string{
		"address", "annotator", "choices", "config", "example", "export", "faults", "file", "folds", "images", "lake", "licence", "manifest", "memory", "name", "only", "order", "out", "part", "remove", "reviewer", "sampling", "seed",
		"title", "token", "width",
	}
	a := &app{stdin: strings.NewReader(""), stdout: &bytes.Buffer{}, stderr: &bytes.Buffer{}}
	flags := 0
	var check func(c *cobra.Command)
	check = func(c *cobra.Command) {
		c.NonInheritedFlags().VisitAll(func(f *pflag.Flag) {
			kind := f.Value.Type()
			if kind != "string" && kind != "stringSlice" || slices.Contains(own, f.Name) {
				return
			}
			flags++
			values, ok := c.GetFlagCompletionFunc(f.Name)
			if !ok {
				t.Errorf("%s --%s has no completion", c.CommandPath(), f.Name)
			} else if found, _ := values(c, nil, ""); len(found) == 0 {
				t.Errorf("%s --%s completes by nothing", c.CommandPath(), f.Name)
			}
		})
		for _, below := range c.Commands() {
			check(below)
		}
	}
	check(a.root())
	if flags < 30 {
		t.Errorf("only %d flags take names", flags)
	}
}
