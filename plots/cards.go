package plots

import (
	"fmt"
	"image"
	"image/color"
	"slices"

	"golang.org/x/image/draw"
	"gonum.org/v1/plot/text"
	"gonum.org/v1/plot/vg"
	vgdraw "gonum.org/v1/plot/vg/draw"
)

// A card shows a row of a SELECT: its picture, and beside it a heading, lines and a foot.
type card struct {
	picture image.Image // nil if the row has no picture
	tone    color.Color // of the frame
	text    []paragraph
	high    vg.Length // height of the text
}

// A paragraph is lines of text in a style.
type paragraph struct {
	lines  []string
	style  text.Style
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

// cards lays rows out as cards, two side by side if there is room. Cards that do not fit the page
// are left out, and the source line says so.
func (c *chart) cards() (*Drawing, error) {
	from := c.rows.Read()
	images, headings, feet := from.Text("image_id"), from.Text("heading"), from.Text("foot")
	domains := from.Text("domain")
	texts, marked := from.Lists("lines"), from.NumbersIf("marked")
	if from.Err != nil {
		return nil, from.Err
	}
	across, width := c.across(leastCard, cardGap, 2)
	all := make([]card, len(images))
	for i := range all {
		all[i] = card{tone: c.domains.color(domains[i])}
		if err := all[i].open(c.Pictures, images[i]); err != nil {
			return nil, err
		}
		all[i].add(width, headings[i], textStyle(smallSize+0.5, ink, true), false)
		for k, text := range texts[i] {
			tone, isKey := ink, marked[i].Valid && int(marked[i].Value) == k
			if isKey {
				tone = keyInk
			}
			all[i].add(width, text, textStyle(smallSize, tone, isKey), isKey)
		}
		all[i].add(width, feet[i], textStyle(smallSize, softInk, false), false)
	}
	rows := slices.Collect(slices.Chunk(all, across))
	d := &Drawing{Height: -cardGap} // There are only gaps between rows.
	for i, row := range rows {
		height := d.Height + tallest(row) + cardGap
		// A body of 0 has no limit. If even the first row is too high, Draw refuses the drawing.
		if i == 0 || c.body == 0 || height <= c.body {
			d.Height = height
			continue
		}
		d.Title = c.Shows // The title that the SELECT computes may count all cards.
		d.Source = fmt.Sprintf("The first %d of %d, which fit the page.", i*across, len(all))
		rows = rows[:i]
		break
	}
	d.Body = stacked(rows, width, cardGap, cardGap)
	return d, nil
}

// height implements [block].
func (k card) height() vg.Length { return max(k.high, pictureSide) + 2*cardPad }

// open reads the picture of an item, if the item has one. open makes the picture small, so that the
// file of a page with many pictures stays small.
func (k *card) open(pictures Pictures, imageID string) error {
	if pictures == nil {
		return nil
	}
	img, err := pictures(imageID)
	if err != nil {
		return fmt.Errorf("picture of %s: %w", imageID, err)
	}
	if img == nil {
		return nil
	}
	b := img.Bounds()
	scale := min(1, float64(picturePixels)/float64(max(b.Dx(), b.Dy())))
	small := image.NewRGBA(image.Rect(0, 0, max(1, int(float64(b.Dx())*scale)), max(1, int(float64(b.Dy())*scale))))
	// Under transparent parts is paper, in every format.
	draw.Draw(small, small.Bounds(), image.NewUniform(paper), image.Point{}, draw.Src)
	draw.CatmullRom.Scale(small, small.Bounds(), img, b, draw.Over, nil)
	k.picture = small
	return nil
}

// add adds a paragraph beside the picture. width is the width of the card. A marked paragraph has a
// tick before it.
func (k *card) add(width vg.Length, words string, style text.Style, marked bool) {
	lines := wrap(style, words, width-pictureSide-3*cardPad-tickRoomLeft, mostCardLines)
	k.text = append(k.text, paragraph{lines, style, marked})
	k.high += vg.Length(len(lines)) * leading(style)
}

// draw fills a canvas with the card.
func (k card) draw(c vgdraw.Canvas) {
	frame := rect(c.Min.X, c.Min.Y, c.Max.X, c.Max.Y)
	c.StrokeLines(lineStyle(k.tone, 1.4), append(frame, frame[0]))
	left, y := c.Min.X+cardPad, c.Max.Y-cardPad
	if k.picture == nil {
		sty := textStyle(tinySize, softInk, false)
		sty.XAlign = vgdraw.XCenter
		middle(c, sty, point(left+pictureSide/2, y-pictureSide/2), "no picture")
	} else {
		w, h := vg.Length(k.picture.Bounds().Dx()), vg.Length(k.picture.Bounds().Dy())
		w, h = pictureSide*w/max(w, h), pictureSide*h/max(w, h)
		c.DrawImage(area(c, left, y-h, left+w, y).Rectangle, k.picture)
	}
	left += pictureSide + cardPad + tickRoomLeft
	for _, p := range k.text {
		if p.marked { // the typefaces have no check mark
			at := point(left-tickRoomLeft, y-leading(p.style)/2)
			c.StrokeLines(lineStyle(keyInk, 1.2),
				[]vg.Point{at, {X: at.X + 2, Y: at.Y - 2}, {X: at.X + 6, Y: at.Y + 3}})
		}
		y -= write(c, p.style, p.lines, point(left, y), 0)
	}
}
