package captionqa

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
)

func TestUserPrompt(t *testing.T) {
	got := must.Get(UserPrompt("A cat.\nA mat.", "What color is it?", []string{" No", "Red ", CannotOption}))(t)
	want := `Caption:
A cat.
A mat.

Question:
What color is it?

Options:
A.  No
B. Red 
C. Cannot answer from the caption

Answer:`
	expect.Equal(t, got, want)
}

func TestUserPromptLetters(t *testing.T) {
	options := slices.Repeat([]string{"x"}, MaxOptions)
	got, err := UserPrompt("", "Q?", options)
	if err != nil || !strings.HasSuffix(got, "\nZ. x\n\nAnswer:") {
		t.Errorf("the 26th option is not Z: %q, %v", got, err)
	}
	_, err = UserPrompt("", "Q?", append(options, "x"))
	want := `question "Q?" presents 27 options, but letters name at most 26; split the question or drop options`
	expect.Equal(t, fmt.Sprint(err), want)
	for _, index := range []int{-1, 26} {
		if letter, ok := Letter(index); ok {
			t.Errorf("Letter(%d) = %q", index, letter)
		}
	}
}

func TestCaptionPrompts(t *testing.T) {
	for _, name := range CaptionPrompts() {
		text, ok := PromptText(name)
		if ok == (name == PromptTaxonomyHinted) || ok && !strings.HasSuffix(text, ".") {
			t.Errorf("PromptText(%s) = %q, %v", name, text, ok)
		}
	}
	if _, ok := PromptText("simple"); ok {
		t.Error("an unknown prompt name has a text")
	}
	got := TaxonomyHintedText([]Hint{
		{Category: "Object Existence", Subcategories: []string{"Object presence"}},
		{Category: "Spatial", Subcategories: []string{"Relationship", "Orientation"}},
		{Category: "Hallucination"},
	})
	want := `Describe this image from the following perspectives. Skip any aspect that does not apply.
Object Existence -> Object presence
Spatial -> Relationship -> Orientation
Hallucination`
	expect.Equal(t, got, want)
}
