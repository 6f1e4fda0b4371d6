package plots

import (
	"slices"

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
