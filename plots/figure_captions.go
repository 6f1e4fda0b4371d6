package plots

import (
	"cmp"
	"fmt"
	"image/color"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"

	"github.com/captionlake/captionlake/data/captionqa"
)

var captionsFigure = Figure{
	Name:  "example_captions",
	Title: "What a captioner says of one picture under two prompts",
	Paper: "CaptionQA, Figure 5",
	Needs: []string{"caption_examples"},
	draw:  drawCaptions,
}

// Captions gives the caption that a captioner wrote of an item under a prompt; the empty text where there is none.
type Captions func(imageID, captioner, prompt string) (string, error)

// Measures of the figure: the lines of a caption at most, and the sides of the picture.
const (
	mostCaptionLines     = 40
	captionColumns       = 2
	exampleSide          = vg.Length(118)
	leastCaption         = vg.Length(150)
	captionGap, headLine = vg.Length(12), vg.Length(9.6)
)

// captionRow is a caption with what a reader answered from it.
type captionRow struct {
	domain, image, captioner, name, prompt string
	place                                  float64
	loss                                   Number // of the image over all captioners
	answers, right, cannot, score          float64
}

// captionText is a caption laid out for a width.
type captionText struct{ head, lines []string }

func drawCaptions(ts Tables, domains domainSet, on Page) (*Drawing, error) {
	from := ts.Read("caption_examples")
	provenance, all := from.provenance(), readCaptionRows(from)
	if from.Err != nil {
		return nil, from.Err
	}
	rows := chosenCaptions(on, all)
	shown := rows[0]
	// The picture stands left of the captions, or above them where they have the whole width.
	width, beside := on.inner(), vg.Length(0)
	across := on.across(leastCaption, captionGap, len(rows)+1) - 1
	if across >= len(rows) {
		beside = exampleSide + captionGap
		width = (on.inner() - beside - captionGap*vg.Length(len(rows)-1)) / vg.Length(len(rows))
	}
	sty, found := textStyle(smallSize, ink, false), false
	var texts []captionText
	for _, r := range rows {
		caption := ""
		if on.Captions != nil {
			var err error
			if caption, err = on.Captions(r.image, r.captioner, r.prompt); err != nil {
				return nil, fmt.Errorf("caption of %s: %w", r.image, err)
			}
		}
		found = found || caption != ""
		texts = append(texts, captionText{
			head: []string{r.prompt + ", " + plural(len(strings.Fields(caption)), "word", "words"),
				fmt.Sprintf("%.0f of %.0f right, %.0f cannot; score %.1f", r.right, r.answers, r.cannot, r.score)},
			lines: wrap(sty, cmp.Or(caption, "(no caption in the lake)"), width, mostCaptionLines),
		})
	}
	if !found {
		return nil, noRows("the lake has answers from the captions of %s, but not the captions", shown.image)
	}
	thumb, err := on.thumbnail(shown.image)
	if err != nil {
		return nil, err
	}
	height := vg.Length(0)
	for _, x := range texts {
		if h := x.height(); beside > 0 {
			height = max(height, h, exampleSide)
		} else {
			height += h + captionGap
		}
	}
	if beside == 0 {
		height += exampleSide
	}
	return &Drawing{
		Subtitle: fmt.Sprintf("Captions of %s (%s domain) by %s, and what a reader answered from each. Chosen: %s. Captions are cut after %d lines.",
			shown.image, shown.domain, shown.name, chosenImage(shown), mostCaptionLines),
		Source:     "mart caption_examples and table captions.",
		Provenance: provenance,
		Height:     height,
		Body: func(c draw.Canvas) {
			at := vg.Point{X: c.Min.X, Y: c.Max.Y}
			drawThumbnail(c, thumb, vg.Rectangle{Min: vg.Point{X: at.X, Y: at.Y - exampleSide}, Max: vg.Point{X: at.X + exampleSide, Y: at.Y}})
			if beside > 0 {
				at.X += beside
			} else {
				at.Y -= exampleSide + captionGap
			}
			for _, x := range texts {
				x.draw(c, at, domains.text(shown.domain), width)
				if beside > 0 {
					at.X += width + captionGap
				} else {
					at.Y -= x.height() + captionGap
				}
			}
		},
	}, nil
}

func readCaptionRows(from *Reading) []captionRow {
	groups, images, captioners := from.Text("domain"), from.Text("image_id"), from.Text("captioner")
	names, written, places := from.names(), from.Text("prompt"), from.Floats("place")
	losses, scores := from.Numbers("loss"), from.Floats("score")
	answers, right, cannot := from.Floats("n_answers"), from.Floats("n_correct"), from.Floats("n_cannot")
	if from.Err != nil {
		return nil
	}
	out := make([]captionRow, len(groups))
	for i := range out {
		out[i] = captionRow{groups[i], images[i], captioners[i], names[i], written[i], places[i], losses[i], answers[i], right[i], cannot[i], scores[i]}
	}
	return out
}

// chosenCaptions are the captions to show: of the first image by its place and then by what it loses, those of the captioner that the page
// names first, or else of the one that loses most, under Long and Taxonomy-Hinted where it has both, else under its first and last prompt.
func chosenCaptions(on Page, all []captionRow) []captionRow {
	first := slices.MinFunc(all, func(a, b captionRow) int {
		return cmp.Or(cmp.Compare(a.place, b.place), -boolOrder(a.loss.Valid, b.loss.Valid), cmp.Compare(b.loss.Value, a.loss.Value), compareDomains(a.domain, b.domain))
	})
	of := map[string][]captionRow{}
	for _, r := range all {
		if r.domain == first.domain && r.image == first.image {
			of[r.captioner] = append(of[r.captioner], r)
		}
	}
	var best []captionRow
	for _, rows := range of {
		var written []string
		for _, r := range rows {
			written = append(written, r.prompt)
		}
		shown := promptOrder(written)
		if len(shown) > captionColumns {
			shown = []string{shown[0], shown[len(shown)-1]}
		}
		if compared := []string{captionqa.PromptLong, captionqa.PromptTaxonomyHinted}; slices.Contains(written, compared[0]) && slices.Contains(written, compared[1]) {
			shown = compared
		}
		rows = slices.DeleteFunc(rows, func(r captionRow) bool { return !slices.Contains(shown, r.prompt) })
		slices.SortFunc(rows, func(a, b captionRow) int {
			return cmp.Compare(slices.Index(shown, a.prompt), slices.Index(shown, b.prompt))
		})
		if best == nil || compareCaptioners(on, rows, best) < 0 {
			best = rows
		}
	}
	return best
}

// compareCaptioners orders captioners by the page, by the number of prompts shown, by what the score falls from the first to the last, and by
// id.
func compareCaptioners(on Page, a, b []captionRow) int {
	fall := func(r []captionRow) float64 { return r[0].score - r[len(r)-1].score }
	return cmp.Or(cmp.Compare(on.place(a[0].captioner), on.place(b[0].captioner)), cmp.Compare(len(b), len(a)), cmp.Compare(fall(b), fall(a)),
		cmp.Compare(a[0].captioner, b[0].captioner))
}

// chosenImage words why an image is shown.
func chosenImage(r captionRow) string {
	if r.loss.Valid {
		return fmt.Sprintf("number %.0f of the domain by what all captioners' scores lose from Long to Taxonomy-Hinted, here %.1f points", r.place, r.loss.Value)
	}
	return fmt.Sprintf("number %.0f of the domain by how far the scores of captions lie apart", r.place)
}

func (x captionText) height() vg.Length {
	return headLine*vg.Length(len(x.head)) + 4 + vg.Length(len(x.lines))*leading(textStyle(smallSize, ink, false))
}

// draw draws the caption below a corner.
func (x captionText) draw(c draw.Canvas, at vg.Point, tone color.Color, width vg.Length) {
	title, sub := textStyle(labelSize, tone, true), textStyle(smallSize, softInk, false)
	write(c, title, []string{fit(title, x.head[0], width)}, at, 0)
	write(c, sub, []string{fit(sub, x.head[1], width)}, vg.Point{X: at.X, Y: at.Y - headLine}, 0)
	y := at.Y - headLine*vg.Length(len(x.head)) - 2
	c.StrokeLine2(lineStyle(tone, hairline), at.X, y, at.X+width, y)
	write(c, textStyle(smallSize, ink, false), x.lines, vg.Point{X: at.X, Y: y - 2}, 0)
}
