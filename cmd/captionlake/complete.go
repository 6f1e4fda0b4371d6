package main

import (
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/captionlake/captionlake/analytics"
	"github.com/captionlake/captionlake/data"
)

// completeNames completes arguments by a list of names, of which none is given twice.
func completeNames(names func() []string) cobra.CompletionFunc {
	return func(_ *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
		return slices.DeleteFunc(names(), func(name string) bool {
			return !strings.HasPrefix(name, begun) || slices.Contains(args, name)
		}), cobra.ShellCompDirectiveNoFileComp
	}
}

// completeFlag completes the values of a flag, of which there may be several with commas between them.
func completeFlag(c *cobra.Command, flag string, names func() []string) {
	complete := func(_ *cobra.Command, _ []string, begun string) (found []string, _ cobra.ShellCompDirective) {
		before := begun[:strings.LastIndexByte(begun, ',')+1]
		for _, name := range names() {
			if strings.HasPrefix(name, begun[len(before):]) {
				found = append(found, before+name)
			}
		}
		return found, cobra.ShellCompDirectiveNoFileComp
	}
	if err := c.RegisterFlagCompletionFunc(flag, complete); err != nil {
		panic(err) // The flag is not there, or is completed already: a fault of the program, which every test of a command shows.
	}
}

// docNames are the tables, marts and shortcuts.
func docNames() []string {
	models, err := analytics.Models()
	if err != nil {
		return nil
	}
	docs, err := analytics.Docs(models)
	if err != nil {
		return nil
	}
	var names []string
	for _, d := range docs {
		names = append(names, d.Name)
	}
	return names
}

// modelNames are the models of the registry.
func modelNames() (names []string) {
	registry, err := data.Registry()
	if err != nil {
		return nil
	}
	for _, m := range registry.All() {
		names = append(names, m.ModelID)
	}
	return names
}

// promptNames are the caption prompts of CaptionQA.
func promptNames() []string { return data.CaptionQA().Prompts }

// unitNames are the units of the lake, of all tables.
func (a *app) unitNames() (names []string) {
	lake, err := data.Open(a.lakeDir)
	if err != nil {
		return nil
	}
	for _, t := range data.Tables() {
		files, err := lake.Files(t)
		if err != nil {
			return nil
		}
		for _, f := range files {
			names = append(names, strings.TrimSuffix(path.Base(f), ".parquet"))
		}
	}
	slices.Sort(names)
	return slices.Compact(names)
}

// nearest is the known name that a misspelt one is most likely to mean; empty when none is close.
func nearest(name string, known []string) string {
	best, least := "", max(2, len([]rune(name))/3)+1
	for _, k := range known {
		if d := distance(strings.ToLower(name), strings.ToLower(k)); d < least {
			best, least = k, d
		}
	}
	return best
}

// distance is the number of letters to insert, delete, replace or swap with their neighbour that makes one text of the other (optimal
// string alignment).
func distance(a, b string) int {
	s, t := []rune(a), []rune(b)
	d := make([][]int, len(s)+1)
	for i := range d {
		d[i] = make([]int, len(t)+1)
		d[i][0] = i
	}
	for j := range d[0] {
		d[0][j] = j
	}
	for i := 1; i <= len(s); i++ {
		for j := 1; j <= len(t); j++ {
			replaced := d[i-1][j-1]
			if s[i-1] != t[j-1] {
				replaced++
			}
			d[i][j] = min(replaced, d[i-1][j]+1, d[i][j-1]+1)
			if i > 1 && j > 1 && s[i-1] == t[j-2] && s[i-2] == t[j-1] {
				d[i][j] = min(d[i][j], d[i-2][j-2]+1)
			}
		}
	}
	return d[len(s)][len(t)]
}
