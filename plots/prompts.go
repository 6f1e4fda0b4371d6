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

// onePrompt returns the rows of the main prompt of a table, and which it is.
func onePrompt(t *Table) (*Table, string, error) {
	found, err := t.OptionalStrings("prompt")
	if err != nil {
		return nil, "", err
	}
	prompt := data.CaptionQA().MainPrompt(found)
	t, err = t.Where("prompt", prompt)
	return t, prompt, err
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
