package plots

import (
	"slices"

	"gonum.org/v1/plot/vg/draw"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
)

// promptOrder returns the prompts that occur, without repetitions: the published ones by growing length of the captions, then others
// by name.
func promptOrder(found []string) []string {
	return slices.Compact(slices.SortedFunc(slices.Values(found), data.PublishedFirst(captionqa.PromptsByLength())))
}

// onePrompt begins to read the rows of the main prompt of a table, and says which it is.
func (r *Reading) onePrompt() (*Reading, string) {
	prompt := data.CaptionQA().MainPrompt(r.TextOrNone("prompt"))
	return r.Where("prompt", prompt), prompt
}

// promptShapes are the markers of prompts where lines are captioners: those of the published prompts, then those of others.
var promptShapes = []draw.GlyphDrawer{
	draw.TriangleGlyph{}, draw.CircleGlyph{}, draw.BoxGlyph{}, draw.CrossGlyph{},
	draw.PlusGlyph{}, draw.SquareGlyph{}, draw.PyramidGlyph{}, draw.RingGlyph{},
}

// promptShape is the marker of a prompt among those that occur, in their order.
func promptShape(prompt string, order []string) draw.GlyphDrawer {
	published := captionqa.PromptsByLength()
	if i := slices.Index(published, prompt); i >= 0 {
		return promptShapes[i]
	}
	own := slices.DeleteFunc(slices.Clone(order), func(p string) bool { return slices.Contains(published, p) })
	shapes := promptShapes[len(published):]
	return shapes[max(slices.Index(own, prompt), 0)%len(shapes)]
}
