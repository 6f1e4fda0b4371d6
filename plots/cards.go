package plots

import (
	"fmt"
	"image"
	"image/color"
	"slices"

	"golang.org/x/image/draw"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
)

// A card shows a row of a SELECT with its picture: a heading, paragraphs and a foot that says more
// about them. One of the paragraphs may be marked.
type card struct {
	picture image.Image // nil if the row has no picture
	tone    color.Color
	lines   []cardLine
	height  vg.Length
}

// A cardLine is a line of text in its style.
type cardLine struct {
	text   string
	size   float64
	tone   color.Color
	bold   bool
	marked bool // a tick stands before it
}

// Measures of cards.
const (
	cardGap, cardPad, pictureSide, tickRoomLeft = vg.Length(8), vg.Length(5), vg.Length(76), vg.Length(9)
	leastCard                                   = vg.Length(200)
	mostCardLines, picturePixels                = 60, 240
)

// keyInk is the colour of marked lines, dark enough for text.
var keyInk = color.NRGBA{0x00, 0x5a, 0x32, 0xff}

// cards lays rows out as cards, two side by side where there is room.
func (c *chart) cards() (*Drawing, error) {
	from, on := c.rows.Read(), c.on
	images, headings, feet, of := from.Text("image_id"), from.Text("heading"), from.Text("foot"), from.Text("domain")
	texts, marked := from.Lists("lines"), from.NumbersIf("marked")
	if from.Err != nil {
		return nil, from.Err
	}
	across := on.across(leastCard, cardGap, 2)
	width := (on.inner() - cardGap*vg.Length(across-1)) / vg.Length(across)
	all := make([]card, len(images))
	for i := range all {
		all[i] = card{tone: c.domains.bar(of[i])}
		if err := all[i].open(on, images[i]); err != nil {
			return nil, err
		}
		all[i].add(width, cardLine{text: headings[i], size: smallSize + 0.5, tone: ink, bold: true})
		for k, text := range texts[i] {
			l := cardLine{text: text, size: smallSize, tone: ink}
			if marked[i].Valid && int(marked[i].Value) == k {
				l = cardLine{text: text, size: smallSize, tone: keyInk, bold: true, marked: true}
			}
			all[i].add(width, l)
		}
		all[i].add(width, cardLine{text: feet[i], size: smallSize, tone: softInk})
	}
	rows := slices.Collect(slices.Chunk(all, across))
	d := &Drawing{Height: -cardGap}
	for i, row := range rows {
		if height := d.Height + tallestCard(row) + cardGap; i == 0 || on.body == 0 || height <= on.body {
			d.Height = height
			continue
		}
		d.cut, d.Source, rows = true, fmt.Sprintf("The first %d of %d, which fit the page.", i*across,
			len(all)), rows[:i]
		break
	}
	d.Body = func(c vgdraw.Canvas) {
		top := c.Max.Y
		for _, row := range rows {
			height := tallestCard(row)
			for i, k := range row {
				left := c.Min.X + (width+cardGap)*vg.Length(i)
				k.draw(area(c, left, top-height, left+width, top))
			}
			top -= height + cardGap
		}
	}
	return d, nil
}

func tallestCard(row []card) (height vg.Length) {
	for _, k := range row {
		height = max(height, k.height)
	}
	return height
}

// open reads the picture of an item and makes it small, so that the file of a page with many
// pictures stays small.
func (k *card) open(on Page, imageID string) error {
	k.height = pictureSide + 2*cardPad
	if on.Pictures == nil {
		return nil
	}
	img, err := on.Pictures(imageID)
	if err != nil {
		return fmt.Errorf("picture of %s: %w", imageID, err)
	}
	if img == nil {
		return nil
	}
	b := img.Bounds()
	scale := min(1, float64(picturePixels)/float64(max(b.Dx(), b.Dy())))
	small := image.NewRGBA(image.Rect(0, 0, max(1, int(float64(b.Dx())*scale)), max(1, int(float64(b.Dy())*scale))))
	// transparency becomes paper in every format
	draw.Draw(small, small.Bounds(), image.NewUniform(paper), image.Point{}, draw.Src)
	draw.CatmullRom.Scale(small, small.Bounds(), img, b, draw.Over, nil)
	k.picture = small
	return nil
}

// add breaks a paragraph into lines beside the picture.
func (k *card) add(width vg.Length, l cardLine) {
	sty := textStyle(l.size, l.tone, l.bold)
	for _, text := range wrap(sty, l.text, width-pictureSide-3*cardPad-tickRoomLeft, mostCardLines) {
		l.text = text
		k.lines = append(k.lines, l)
		l.marked = false
	}
	height := 2 * cardPad
	for _, l := range k.lines {
		height += leading(textStyle(l.size, l.tone, l.bold))
	}
	k.height = max(k.height, height)
}

// draw fills a canvas with the card.
func (k *card) draw(c vgdraw.Canvas) {
	frame := rect(c.Min.X, c.Min.Y, c.Max.X, c.Max.Y)
	c.StrokeLines(lineStyle(k.tone, 1.4), append(frame, frame[0]))
	left, y := c.Min.X+cardPad, c.Max.Y-cardPad
	if k.picture == nil {
		sty := textStyle(tinySize, softInk, false)
		sty.XAlign = vgdraw.XCenter
		middle(c, sty, vg.Point{X: left + pictureSide/2, Y: y - pictureSide/2}, "no picture")
	} else {
		b := k.picture.Bounds()
		w, h := pictureSide, pictureSide*vg.Length(b.Dy())/vg.Length(b.Dx())
		if h > w {
			w, h = pictureSide*pictureSide/h, pictureSide
		}
		c.DrawImage(vg.Rectangle{Min: vg.Point{X: left, Y: y - h}, Max: vg.Point{X: left + w, Y: y}}, k.picture)
	}
	left += pictureSide + cardPad + tickRoomLeft
	for _, l := range k.lines {
		sty := textStyle(l.size, l.tone, l.bold)
		if l.marked { // the typefaces have no check mark
			at := vg.Point{X: left - tickRoomLeft, Y: y - leading(sty)/2}
			c.StrokeLines(lineStyle(keyInk, 1.2),
				[]vg.Point{at, {X: at.X + 2, Y: at.Y - 2}, {X: at.X + 6, Y: at.Y + 3}})
		}
		y -= write(c, sty, []string{l.text}, vg.Point{X: left, Y: y}, 0)
	}
}
