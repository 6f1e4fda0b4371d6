package main

import (
	"os"
	"regexp"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"

	"github.com/captionlake/captionlake/data"
)

// Manual pages are made from Markdown, where lists begin after an empty line, and so does what stays as it is written, such as exit codes,
// which has an indent of four.
var (
	begins   = regexp.MustCompile(`(?m)^([^-\s].*)\n(- |  )`)
	indented = regexp.MustCompile(`(?m)^  `)
)

// manCommand writes the manual pages, which a release has in its archives. It is not for people.
func (a *app) manCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "man FOLDER",
		Short:  "Write the manual pages of all commands into a folder",
		Hidden: true,
		Args:   cobra.ExactArgs(1),
		RunE: func(cmd *cobra.Command, args []string) error {
			if err := os.MkdirAll(args[0], 0o777); err != nil {
				return err
			}
			root := cmd.Root()
			root.DisableAutoGenTag = true // It has the day.
			asMarkdown(root)
			return doc.GenManTree(root, &doc.GenManHeader{Section: "1", Source: "captionlake " + data.Version, Manual: "captionlake"}, args[0])
		},
	}
}

func asMarkdown(c *cobra.Command) {
	c.Long = indented.ReplaceAllString(begins.ReplaceAllString(c.Long, "$1\n\n$2"), "      ")
	for _, below := range c.Commands() {
		asMarkdown(below)
	}
}
