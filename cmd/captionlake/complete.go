package main

import (
	"path"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/captionlake/captionlake/analytics"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
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

// flagValues are the values of flags that mean the same in every command, by the flag's name.
func (a *app) flagValues() map[string]func() []string {
	return map[string]func() []string{
		"captioner": a.modelNames, "reader": a.modelNames, "judge": a.modelNames, "against": a.modelNames, "captioners": a.modelNames, "reference": a.modelNames,
		"prompt": a.promptNames, "prompts": a.promptNames, "stability-prompt": a.promptNames, "pool-prompt": a.promptNames,
		"protocol":   func() []string { return a.held(captionqa.AskProtocols(), data.Answers, "protocol") },
		"domain":     a.domainNames,
		"domains":    a.domainNames,
		"remove":     a.unitNames,
		"prefer":     func() []string { return []string{data.PreferOurs, data.PreferTheirs} },
		"evidence":   captionqa.Evidences,
		"provenance": data.Provenances,
		"benchmark":  data.AnnotatedBenchmarks,
		"format":     analytics.Formats,
		"by":         func() []string { return []string{analytics.ByCaptioner, analytics.ByPrompt, analytics.ByReader} },
		"route":      func() []string { return []string{"review", "discard", "accept", "all"} },
		"latency":    func() []string { return []string{"zero", "mi300x", "mi325x"} },
	}
}

// completeFlags gives the flags of a command and of those below it their values, where the command has not done so.
func (a *app) completeFlags(c *cobra.Command) {
	for name, values := range a.flagValues() {
		if _, given := c.GetFlagCompletionFunc(name); !given && c.LocalNonPersistentFlags().Lookup(name) != nil {
			completeFlag(c, name, values)
		}
	}
	for _, below := range c.Commands() {
		a.completeFlags(below)
	}
}

// held adds to names that are known what a column of the lake has; nothing where there is no lake.
func (a *app) held(known []string, table data.AnyTable, columns ...string) []string {
	if lake, err := data.Open(a.lakeDir); err == nil {
		for _, column := range columns {
			values, err := lake.Distinct(table, column)
			if err != nil {
				break
			}
			known = append(known, values...)
		}
	}
	slices.Sort(known)
	return slices.Compact(known)
}

// modelNames are the models of the registry, and those that wrote captions or answers of the lake.
func (a *app) modelNames() (names []string) {
	registry, err := data.Registry()
	if err != nil {
		return nil
	}
	for _, m := range registry.All() {
		names = append(names, m.ModelID)
	}
	return a.held(a.held(names, data.Captions, "captioner"), data.Answers, "captioner", "reader")
}

// promptNames are the caption prompts of CaptionQA and of the lake.
func (a *app) promptNames() []string {
	return a.held(slices.Clone(data.CaptionQA().Prompts), data.Captions, "prompt")
}

// domainNames are the domains of CaptionQA and of the lake.
func (a *app) domainNames() (names []string) {
	for _, d := range data.CaptionQA().Domains {
		names = append(names, d.Name)
	}
	return a.held(names, data.Taxonomy, "domain")
}

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
