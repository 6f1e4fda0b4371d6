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
	commands := everyCommand(new(app).root())
	for _, c := range commands {
		var help strings.Builder
		c.SetOut(&help)
		must.Succeed(t, c.Help())
		for line := range strings.Lines(help.String()) {
			if line = strings.TrimSuffix(line, "\n"); utf8.RuneCountInString(line) > pageWidth {
				t.Errorf("%s --help: %d columns: %s", c.CommandPath(), utf8.RuneCountInString(line), line)
			}
		}
	}
	if len(commands) < 30 {
		t.Errorf("%d commands", len(commands))
	}
}

// everyCommand returns a command and all commands below it.
func everyCommand(c *cobra.Command) []*cobra.Command {
	all := []*cobra.Command{c}
	for _, below := range c.Commands() {
		all = append(all, everyCommand(below)...)
	}
	return all
}
