package main

import (
	"fmt"
	"strings"

	"github.com/jedib0t/go-pretty/v6/table"
	"github.com/spf13/cobra"

	"github.com/captionlake/captionlake/analytics"
	"github.com/captionlake/captionlake/analytics/cookbook"
	"github.com/captionlake/captionlake/data"
)

func (a *app) cookbookCommand() *cobra.Command {
	var options analytics.QueryOptions
	var out string
	var show bool
	c := &cobra.Command{
		Use:   "cookbook [NAME [PARAMETER=VALUE...]]",
		Short: "Answer a question that is often asked, with a query of the cookbook",
		Long: `Answer a question that analysts and authors often ask, with a query of the cookbook. Without arguments it lists the questions.
NAME runs a query with the given values and the defaults of the others; --show prints the query instead, to be changed and
run with captionlake sql.`,
		Example: `  captionlake cookbook
  captionlake cookbook right-and-wrong a=gpt-5 b=my-model
  captionlake cookbook leaderboard prompt=Long --format markdown
  captionlake cookbook differences domain=Natural --show`,
		ValidArgsFunction: completeRecipe,
		RunE: func(cmd *cobra.Command, args []string) error {
			if len(args) == 0 {
				return a.listRecipes()
			}
			recipe, err := cookbook.Find(args[0])
			if err != nil {
				a.usageErr = true
				return err
			}
			values := map[string]string{}
			for _, arg := range args[1:] {
				name, value, ok := strings.Cut(arg, "=")
				if !ok {
					a.usageErr = true
					return data.WithHint(fmt.Errorf("%q is no value for a parameter", arg), "write PARAMETER=VALUE, such as: %s", recipe.Line())
				}
				values[name] = value
			}
			if show && len(values) == 0 {
				_, err := fmt.Fprint(a.stdout, recipe.Document())
				return err
			}
			query, err := recipe.Query(values)
			if err != nil {
				a.usageErr = true
				return err
			}
			if show {
				_, err := fmt.Fprintln(a.stdout, query+";")
				return err
			}
			if err := a.chooseFormat(&options, out); err != nil {
				return err
			}
			lake, err := a.openToRead()
			if err != nil {
				return err
			}
			return a.answerQuery(cmd, lake, query, options, out)
		},
	}
	a.rowsFlags(c, &options, &out)
	c.Flags().BoolVar(&show, "show", false, "print the query and what it takes instead of running it")
	return c
}

// listRecipes prints the questions, those that are asked first before the others.
func (a *app) listRecipes() error {
	recipes := cookbook.Recipes()
	if a.asJSON {
		return printJSON(a.stdout, recipes)
	}
	var rows []table.Row
	for _, r := range recipes {
		var names []string
		for _, p := range r.Parameters {
			name := p.Name
			if !p.Needed {
				name = "[" + name + "]"
			}
			names = append(names, name)
		}
		rows = append(rows, table.Row{r.Name, r.Asks, strings.Join(names, " ")})
	}
	printTable(a.stdout, table.Row{"name", "question", "parameters"}, rows)
	_, err := fmt.Fprintln(a.stdout, "\nThe query of one, and its parameters: captionlake cookbook NAME --show")
	return err
}

// completeRecipe completes the name of a recipe, and then its parameters.
func completeRecipe(c *cobra.Command, args []string, begun string) ([]string, cobra.ShellCompDirective) {
	if len(args) == 0 {
		return completeNames(recipeNames)(c, args, begun)
	}
	var names []string
	if recipe, err := cookbook.Find(args[0]); err == nil {
		for _, p := range recipe.Parameters {
			names = append(names, p.Name+"=")
		}
	}
	found, directive := completeNames(func() []string { return names })(c, args, begun)
	return found, directive | cobra.ShellCompDirectiveNoSpace
}

func recipeNames() (names []string) {
	for _, r := range cookbook.Recipes() {
		names = append(names, r.Name)
	}
	return names
}
