package plots

import (
	"cmp"
	"errors"
	"fmt"
	"image"
	"image/color"
	"slices"

	"golang.org/x/image/draw"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
)

var examplesFigure = Figure{
	Name:  "example_questions",
	Title: "The hardest and the easiest questions",
	Paper: "CaptionQA, Figure 30",
	Needs: []string{"extreme_questions"},
	draw:  drawExamples,
}

// example is a question on a card.
type example struct {
	side                    string // hardest or easiest
	domain, image, question string
	options                 []string
	answer                  int // place of the key among the options
	share                   float64
	thumb                   image.Image // nil when there is no picture
}

// Measures of the cards.
const (
	cardGap     = vg.Length(8)
	cardPad     = vg.Length(5)
	thumbSide   = vg.Length(76)
	perSide     = 2 // hardest, and easiest, of each domain
	thumbPixels = 240
	maxOptions  = 8
)

func drawExamples(ts Tables, domains domainSet, on Page) (*Drawing, error) {
	from, prompt := ts.Read("extreme_questions").onePrompt()
	texts := from.TextOrNone("question")
	from = from.Pick(func(i int) bool { return texts[i] != "" }, "has no texts: the lake has answers to questions, but not their bank")
	provenance, found := from.provenance(), from.domains()
	if from.Err != nil {
		return nil, from.Err
	}
	sides := [...]string{"hardest", "easiest"}
	// A row of the page has the n-th hardest question of a domain on the left and the n-th easiest on the right.
	columns := on.across(200, cardGap, len(sides))
	width := (on.inner() - vg.Length(columns-1)*cardGap) / vg.Length(columns)
	var cards []*card
	for _, d := range found {
		var of [len(sides)][]example
		for s, side := range sides {
			var err error
			if of[s], err = readExamples(on, from.Where("domain", d), side); err != nil {
				return nil, err
			}
		}
		for i := range max(len(of[0]), len(of[1])) {
			for s := range sides {
				switch {
				case i < len(of[s]):
					cards = append(cards, newCard(of[s][i], width))
				case columns > 1:
					cards = append(cards, nil) // an empty place
				}
			}
		}
	}
	if len(cards) == 0 {
		return nil, noRows("table %s names neither hardest nor easiest questions", from.Table.Name())
	}
	height := vg.Length(0)
	var heights []vg.Length
	for row := range slices.Chunk(cards, columns) {
		highest := vg.Length(0)
		for _, c := range row {
			if c != nil {
				highest = max(highest, c.height)
			}
		}
		heights = append(heights, highest)
		height += highest + cardGap
	}
	return &Drawing{
		Subtitle:   "Questions by the share of captioners whose caption under the " + prompt + " prompt led to the right answer, with their options and their picture. The key is marked.",
		Source:     "mart extreme_questions.",
		Provenance: provenance, Keys: domains.keys(on, found, false),
		Height: height,
		Body: func(c vgdraw.Canvas) {
			y := c.Max.Y
			for i, k := range cards {
				row, column := i/columns, i%columns
				if k != nil {
					k.draw(c, domains.bar(k.domain), vg.Point{X: c.Min.X + vg.Length(column)*(width+cardGap), Y: y}, heights[row])
				}
				if column == columns-1 {
					y -= heights[row] + cardGap
				}
			}
		},
	}, nil
}

// readExamples returns the first questions of a kind by their place.
func readExamples(on Page, from *Reading, kind string) (out []example, err error) {
	if from = from.Where("extreme", kind); errors.Is(from.Err, ErrNoRows) {
		return nil, nil // a domain may have one kind only
	}
	places, groups, images, questions := from.Floats("place"), from.Text("domain"), from.Text("image_id"), from.Text("question")
	options, answers, shares := from.Lists("options"), from.Floats("answer"), from.Floats("share_correct")
	if from.Err != nil {
		return nil, from.Err
	}
	order := ordered(len(places), func(a, b int) int { return cmp.Compare(places[a], places[b]) })
	for _, i := range order[:min(len(order), perSide)] {
		e := example{kind, groups[i], images[i], questions[i], options[i], int(answers[i]), shares[i], nil}
		if e.answer < 0 || e.answer >= len(e.options) {
			return nil, from.Table.fault("answer", i, "%d is not the place of one of %d options", e.answer, len(e.options))
		}
		if e.thumb, err = on.thumbnail(e.image); err != nil {
			return nil, err
		}
		out = append(out, e)
	}
	return out, nil
}

// thumbnail is the small picture of an item; nil where there is none.
func (p Page) thumbnail(imageID string) (image.Image, error) {
	if p.Pictures == nil {
		return nil, nil
	}
	img, err := p.Pictures(imageID)
	if err != nil {
		return nil, fmt.Errorf("picture of %s: %w", imageID, err)
	}
	if img == nil {
		return nil, nil
	}
	return thumbnail(img), nil
}

// thumbnail makes a picture small, so that a page of them is no large file.
func thumbnail(img image.Image) image.Image {
	b := img.Bounds()
	scale := min(1, float64(thumbPixels)/float64(max(b.Dx(), b.Dy())))
	small := image.NewRGBA(image.Rect(0, 0, max(1, int(float64(b.Dx())*scale)), max(1, int(float64(b.Dy())*scale))))
	draw.Draw(small, small.Bounds(), image.NewUniform(paper), image.Point{}, draw.Src) // transparency becomes paper in every format
	draw.CatmullRom.Scale(small, small.Bounds(), img, b, draw.Over, nil)
	return small
}

// card is an example laid out for a width.
type card struct {
	example
	width, height vg.Length
	question      []string
	options       []cardOption
}

type cardOption struct {
	letter string
	lines  []string
	style  text.Style
	key    bool
}

// keyInk is the colour of the right option, dark enough for text.
var keyInk = color.NRGBA{0x00, 0x5a, 0x32, 0xff}

// indent is the room for the letter and the mark of an option.
const indent = vg.Length(20)

func newCard(e example, width vg.Length) *card {
	k := &card{example: e, width: width}
	room := width - thumbSide - 3*cardPad
	bold, plain := textStyle(smallSize+0.5, ink, true), textStyle(smallSize, ink, false)
	k.question = wrap(bold, e.question, room, 4)
	height := vg.Length(len(k.question))*leading(bold) + 2
	for i, o := range e.options {
		if i >= maxOptions && i != e.answer {
			continue
		}
		option := cardOption{letter: letter(i), style: plain, key: i == e.answer}
		if option.key {
			option.style = textStyle(smallSize, keyInk, true)
		}
		if option.lines = wrap(option.style, o, room-indent, 2); len(option.lines) == 0 {
			option.lines = []string{"(empty)"}
		}
		k.options = append(k.options, option)
		lines := option.lines
		height += vg.Length(len(lines))*leading(plain) + 1
	}
	height += leading(plain) + 2 // the share
	_, picture := thumbnailSize(e.thumb, thumbSide)
	k.height = max(height, picture) + 2*cardPad
	return k
}

// draw draws the card below a corner, in a frame of a colour and of the height of its row.
func (k *card) draw(c vgdraw.Canvas, tone color.Color, corner vg.Point, height vg.Length) {
	frame := rect(corner.X, corner.Y-height, corner.X+k.width, corner.Y)
	c.FillPolygon(color.NRGBA{0xfc, 0xfc, 0xfc, 0xff}, frame)
	c.StrokeLines(lineStyle(tone, 1.4), append(frame, frame[0]))
	box := vg.Rectangle{Min: vg.Point{X: corner.X + cardPad, Y: corner.Y - cardPad - thumbSide}, Max: vg.Point{X: corner.X + cardPad + thumbSide, Y: corner.Y - cardPad}}
	drawThumbnail(c, k.thumb, box)
	x, y := box.Max.X+cardPad, corner.Y-cardPad
	bold, plain := textStyle(smallSize+0.5, ink, true), textStyle(smallSize, ink, false)
	y -= write(c, bold, k.question, vg.Point{X: x, Y: y}, 0) + 2
	for _, o := range k.options {
		if o.key {
			tick(c, keyInk, vg.Point{X: x, Y: y - leading(plain)*0.5})
		}
		write(c, o.style, []string{o.letter}, vg.Point{X: x + 9, Y: y}, 0)
		y -= write(c, o.style, o.lines, vg.Point{X: x + indent, Y: y}, 0) + 1
	}
	write(c, textStyle(smallSize, softInk, false), []string{fit(plain, fmt.Sprintf("One of the %s: %.0f %% of the captioners correct", k.side, k.share), k.width-thumbSide-3*cardPad)}, vg.Point{X: x, Y: y - 2}, 0)
}

// drawThumbnail draws a picture as large as fits, its upper edge at the top of the box.
func drawThumbnail(c vgdraw.Canvas, thumb image.Image, box vg.Rectangle) {
	side := box.Max.X - box.Min.X
	if thumb == nil {
		frame := rect(box.Min.X, box.Min.Y, box.Max.X, box.Max.Y)
		c.StrokeLines(lineStyle(gridInk, hairline), append(frame, frame[0]))
		sty := textStyle(tinySize, softInk, false)
		sty.XAlign = vgdraw.XCenter
		middle(c, sty, vg.Point{X: (box.Min.X + box.Max.X) / 2, Y: (box.Min.Y + box.Max.Y) / 2}, fit(sty, "no picture", side-4))
		return
	}
	w, h := thumbnailSize(thumb, side)
	left := box.Min.X + (side-w)/2
	c.DrawImage(vg.Rectangle{Min: vg.Point{X: left, Y: box.Max.Y - h}, Max: vg.Point{X: left + w, Y: box.Max.Y}}, thumb)
}

// thumbnailSize is the size in which a picture fits a square box.
func thumbnailSize(thumb image.Image, side vg.Length) (w, h vg.Length) {
	if thumb == nil {
		return side, side
	}
	b := thumb.Bounds()
	long := vg.Length(max(b.Dx(), b.Dy()))
	return side * vg.Length(b.Dx()) / long, side * vg.Length(b.Dy()) / long
}

// letter is the letter of an option, and its number past Z.
func letter(i int) string {
	if i < 26 {
		return string(rune('A'+i)) + "."
	}
	return fmt.Sprintf("%d.", i+1)
}

// tick draws a check mark right of a point; the house font has none.
func tick(c vgdraw.Canvas, tone color.Color, at vg.Point) {
	c.StrokeLines(lineStyle(tone, 1.2), []vg.Point{{X: at.X, Y: at.Y}, {X: at.X + 2, Y: at.Y - 2}, {X: at.X + 6, Y: at.Y + 3}})
}
