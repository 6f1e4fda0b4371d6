package plots

import (
	"fmt"
	"image/color"
	"strconv"
)

var constructFunnel = Figure{
	Name:  "construct_funnel",
	Title: "Generated questions that are left after each step of the construction",
	Paper: "CaptionQA, section 4 and Figure 3",
	Needs: []string{"construct_funnel"},
	draw:  drawConstructFunnel,
}

// funnelSteps are the steps of the mart in their order, as people read them.
var funnelSteps = []struct{ step, label string }{
	{"generated", "generated"}, {"well_formed", "well-formed"}, {"sighted", "not known blindly"}, {"distinct", "distinct"}, {"accepted", "accepted by validators"},
	{"discard", "flagged by both"}, {"review", "for a person"}, {"published", "in the bank"},
}

// waitingColor fills what has not come to a step yet.
var waitingColor = color.NRGBA{0xd4, 0xd4, 0xd4, 0xff}

func drawConstructFunnel(ts Tables, domains domainSet, on Page) (*Drawing, error) {
	from := ts.Read("construct_funnel")
	provenance, found := from.provenance(), from.domains()
	names, steps := from.Text("domain"), from.Text("step")
	left, waiting, shares := from.Floats("n_candidates"), from.Floats("n_waiting"), from.Numbers("share")
	if from.Err != nil {
		return nil, from.Err
	}
	var labels []rowLabel
	var groups [][]Bar
	waits := false
	for _, d := range found {
		for k, s := range funnelSteps {
			i := -1
			for row := range names {
				if names[row] == d && steps[row] == s.step {
					if i >= 0 {
						return nil, fmt.Errorf("rows %d and %d are both about %s of %s", i+1, row+1, s.step, d)
					}
					i = row
				}
			}
			if i < 0 {
				return nil, fmt.Errorf("no row is about %s of %s", s.step, d)
			}
			label := rowLabel{s.label, ink}
			if k == 0 {
				label = rowLabel{d + ": " + s.label, domains.text(d)}
			}
			labels = append(labels, label)
			text := strconv.FormatFloat(left[i], 'f', 0, 64)
			if shares[i].Valid && k > 0 {
				text += fmt.Sprintf(" (%.1f %%)", shares[i].Value)
			}
			bar := Bar{Segments: []Segment{{left[i], domains.color(d)}}, Label: text}
			if waiting[i] > 0 {
				bar.Segments = append(bar.Segments, Segment{waiting[i], waitingColor})
				waits = true
			}
			groups = append(groups, []Bar{bar})
		}
	}
	p, err := barPanel("", ink, newAxis("questions", counted), groups)
	if err != nil {
		return nil, err
	}
	var keys []Key
	if waits {
		keys = []Key{{Name: "waits for this step", Look: Look{Color: waitingColor}, Square: true}}
	}
	chart := newRowChart(labels, 170, 20, p)
	return &Drawing{
		Subtitle: "Distinct questions are sent to validators, whose three routes add up to them; a person's decision outranks the route. " +
			"Percentages are of the questions that were generated.",
		Source:     "mart construct_funnel.",
		Provenance: provenance, Keys: keys,
		Height: chart.height(on), Body: chart.draw,
	}, nil
}
