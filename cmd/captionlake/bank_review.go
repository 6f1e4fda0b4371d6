package main

import (
	"fmt"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/construct"
	"github.com/captionlake/captionlake/stages/web"
	"github.com/captionlake/captionlake/stages/web/review"
)

// allRoutes is the value of --route for candidates of every route.
const allRoutes = "all"

func (a *app) bankReviewCommand() *cobra.Command {
	o := review.Options{Routes: []string{construct.RouteReview, construct.RouteDiscard}, Now: time.Now}
	port := 8766
	return flags(&cobra.Command{
		Use:   "review",
		Short: "Serve a page on which people review generated questions",
		Long: `Serve a page on which people see generated questions beside their pictures, and accept, change or
discard them (CaptionQA, section 4.4). Without --route the page shows the questions that the validators sent
to people or suggest to discard. Several people may review at once, each under a name of their own. The
command prints an address with a token, which works in a browser on this machine, or through a tunnel to it.

With --samples the page shows the questions that captionlake bank sample has drawn, from before and after the
quality control in one mixed order, and people say whether each is right or wrong.

The page confirms a decision when the decision is on disk. Ctrl-C stops the server and makes rows of the
decisions, one unit for each reviewer; after a killed process the next start makes the rows. Other commands
may read the lake and write to it meanwhile. The generated text is kept beside the reviewer's text. If the
variable ` + web.TokenVariable + ` has ` + fmt.Sprint(web.LeastToken) + ` characters or more, it is the token at every
start, so that open pages still work.`,
		Example: `  captionlake bank review
  captionlake bank review --domain kitchen --route discard
  captionlake bank review --samples`,
		RunE: func(cmd *cobra.Command, _ []string) error {
			known := []string{construct.RouteReview, construct.RouteDiscard, construct.RouteAccept, allRoutes}
			for _, route := range o.Routes {
				if err := among("route", route, known, "choose some of: "+strings.Join(known, ", ")); err != nil {
					return a.usage(err)
				}
			}
			switch {
			case o.Samples && cmd.Flags().Changed("route"):
				return a.usage(fmt.Errorf("--samples shows the drawn questions, whatever their route; " +
					"leave out --route or --samples"))
			case slices.Contains(o.Routes, allRoutes):
				o.Routes = nil // An empty list stands for all routes.
			}
			token, err := web.Token()
			if err != nil {
				return err
			}
			return a.editLake(func(lake *data.Lake) error { return a.serveReview(lake, o, port, token) })
		},
	},
		&port, "port", "port to serve on; 0 takes any free one",
		&o.Domains, "domain", "domains of the questions, all by default",
		&o.Routes, "route", "routes of the questions: review, discard, accept or all",
		&o.Samples, "samples", "rate the questions that bank sample has drawn, as right or wrong",
	)
}

// serveReview serves the page of bank review until an interrupt.
func (a *app) serveReview(lake *data.Lake, o review.Options, port int, token string) error {
	page, err := review.Open(lake, o)
	if err != nil {
		return err
	}
	next := "bank publish --domain NAME"
	if domains := page.Domains(); len(domains) == 1 {
		next = fmt.Sprintf("bank publish --domain %q", domains[0])
	}
	if o.Samples {
		next = "analyze"
	}
	return a.servePage(page, port, token, pageWords{"questions", "decisions"}, next)
}
