package main

import (
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/spf13/cobra"

	"github.com/captionlake/captionlake/data/must"
)

// The help of each command fits a terminal of 80 columns.
func TestHelpFits(t *testing.T) {
	a := &app{stdin: strings.NewReader(""), stdout: &strings.Builder{}, stderr: &strings.Builder{}}
	commands := 0
	var check func(c *cobra.Command)
	check = func(c *cobra.Command) {
		commands++
		var help strings.Builder
		c.SetOut(&help)
		must.Succeed(t, c.Help())
		for line := range strings.Lines(help.String()) {
			if line = strings.TrimSuffix(line, "\n"); utf8.RuneCountInString(line) > pageWidth {
				t.Errorf("%s --help: %d columns: %s", c.CommandPath(), utf8.RuneCountInString(line), line)
			}
		}
		for _, below := range c.Commands() {
			check(below)
		}
	}
	check(a.root())
	if commands < 30 {
		t.Errorf("%d commands", commands)
	}
}
