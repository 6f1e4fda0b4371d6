package main

import (
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/construct"
	"github.com/captionlake/captionlake/stages/bank"
)

func (a *app) bankPublishCommand() *cobra.Command {
	var o bank.PublishOptions
	c := &cobra.Command{
		Use:   "publish --domain NAME",
		Short: "Make the questions of a domain's accepted and reviewed candidates",
		Long: `Make questions of a domain's candidates: of candidates that all validators answered with their key,
and of candidates that a reviewer kept or fixed. A reviewer's decision overrides the validators, and the
latest decision counts. Each question has the category of the taxonomy node that it was written for, and its
options in the order of the published protocol.

Publishing again changes nothing unless candidates or reviews have changed. If they have, the bank is replaced
whole, and the command names the changed questions and their answers: these answers no longer count, and run
answer asks again. A fixed text gives a question another question_id; candidate_id stays.`,
		Example: `  captionlake bank publish --domain kitchen
  captionlake bank publish --domain kitchen --partial`,
	}
	a.eachDomain(c, func(lake *data.Lake, domain string) error {
		o.Domain = domain
		p, err := bank.Publish(lake, o)
		return show(a, p, err, a.printPublished)
	})
	return flags(c,
		&o.Partial, "partial", "publish the decided candidates, although others wait for validators or reviewers",
	)
}

// stamp is the word before the questions of a bank if they are simulated.
func stamp(simulated bool) string {
	if simulated {
		return "SIMULATED "
	}
	return ""
}

// printPublished prints the contents of the bank, the candidates that are not in it, and the
// changes since the bank was last published.
func (a *app) printPublished(p *bank.PublishReport) {
	a.say("%d %squestions about %d images of %s: "+
		"%d accepted by the validators, %d kept and %d fixed by reviewers\n",
		p.Questions, stamp(p.Simulated), p.Images, p.Domain,
		p.By[construct.RouteAccept], p.By[construct.DecisionKeep], p.By[construct.DecisionFix])
	for _, reason := range slices.Sorted(maps.Keys(p.Left)) {
		a.say("  %-14s %d candidates\n", reason, p.Left[reason])
	}
	for _, command := range slices.Sorted(maps.Keys(p.Waiting)) {
		a.say("Note: %d candidates wait and are not in the bank: go on with %s, and publish again\n",
			p.Waiting[command], command)
	}
	for _, node := range p.UnknownNodes {
		a.say("Note: questions are about %s, which the taxonomy does not have any more\n", node)
	}
	if n := len(p.Copies); n > 0 {
		a.say("Note: %d images are copies of others, byte for byte, so their content counts twice: %s; "+
			"drop their candidates with captionlake bank review, or see: captionlake show image_duplicates\n",
			n, strings.Join(p.Copies[:min(n, 5)], ", "))
	}
	switch {
	case p.New: // There is no earlier bank to compare with.
	case p.Added == 0 && len(p.Changes) == 0:
		a.say("No question has changed since the bank was last published.\n")
	default:
		a.say("Since the bank was last published: %d questions added, %d removed or changed\n", p.Added,
			len(p.Changes))
	}
	const most = 20
	for _, c := range p.Changes[:min(most, len(p.Changes))] {
		becomes := ""
		if c.Becomes != "" {
			becomes = ", now " + c.Becomes
		}
		a.say("  %-9s %s%s\n", c.What, c.QuestionID, becomes)
	}
	if more := len(p.Changes) - most; more > 0 {
		a.say("  and %d more: --json lists all\n", more)
	}
	for _, s := range p.Stale {
		a.say("Note: %d answers of %s to %s no longer count: their questions have changed\n", s.Answers,
			s.Reader, condition(s))
	}
	a.next("run caption")
}

// condition describes the evidence of answers that no longer count. The text continues the words
// "answers of READER to".
func condition(s bank.Stale) string {
	switch {
	case s.Captioner == "":
		return "questions without captions"
	case s.Prompt == "":
		return "the pictures, as " + s.Captioner
	}
	return fmt.Sprintf("captions of %s under %s", s.Captioner, s.Prompt)
}
