package gaps

import (
	"fmt"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/analytics/ask"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

func init() { laketest.Reader = ask.Read }

// unmatchedText is all that Unmatched says, a line for each.
func unmatchedText(t *testing.T, l *data.Lake, units ...string) string {
	t.Helper()
	var lines []string
	for _, u := range must.Get(FindUnmatched(l, units...))(t) {
		lines = append(lines, u.String())
	}
	return strings.Join(lines, "\n")
}

func TestUnmatched(t *testing.T) {
	t.Parallel()
	l := laketest.New(t)
	asked := func(id string) data.Question {
		return data.Question{QuestionID: id + "/1", ImageID: id, Domain: "Photos"}
	}
	described := func(id string) data.Caption {
		return data.Caption{ImageID: id, Captioner: "m", Prompt: "Simple", Domain: "Photos"}
	}
	// A table that is empty has no counterparts to offer.
	laketest.Put(t, l, data.Questions, "bank", asked("a"), asked("b"), asked("c"), asked("d"))
	expect.Equal(t, unmatchedText(t, l), "", "of a bank alone it says")
	laketest.Put(t, l, data.Images, "pictures", data.Image{ImageID: "a"}, data.Image{ImageID: "b"},
		data.Image{ImageID: "c"}, data.Image{ImageID: "d"})
	laketest.Put(t, l, data.Captions, "whole", described("a"), described("b"), described("c"), described("d"))
	expect.Equal(t, unmatchedText(t, l), "", "of ids that meet it says")
	// Captions of another domain's captioner are not missing for this one's questions; captions of
	// part of the domain are.
	other := described("a")
	other.Captioner = "half"
	laketest.Put(t, l, data.Captions, "half", other)
	// Questions whose text differs are told apart only in the units that are named.
	unit := data.Unit{Stage: "test", Name: "results"}.FileStem()
	laketest.Put(t, l, data.Answers, "results", data.Answer{QuestionID: "a/1", ImageID: "a"},
		data.Answer{QuestionID: "a/9", ImageID: "a"}, data.Answer{QuestionID: "z/1", ImageID: "z"})
	half := "3 of the 4 ids of questions have no captions by half under Simple in the lake: b, c, d"
	unknown := "1 of the 2 ids of answers have no questions in the lake: z"
	expect.Equal(t, unmatchedText(t, l), unknown+"\n"+half)
	text := "1 of the 3 ids of answers have no questions in the lake: a/9; the bank has other questions about the " +
		"same images, so the text of the question or of an option differs"
	expect.Equal(t, unmatchedText(t, l, unit), unknown+"\n"+half+"\n"+text)
}

// Each way in which ids may differ is named, with an example.
func TestUnmatchedSaysWhy(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		captions []string
		why      string
	}{
		"case": {[]string{"Photo-007", "Photo-008"},
			"2 of them differ by letter case from ids that are there, such as Photo-007 and photo-007"},
		"zeros": {[]string{"photo-7", "photo-8", "photo-9"},
			"3 of them differ by leading zeros from ids that are there, such as photo-7 and photo-007"},
		"separator": {[]string{"photo_007", "photo 008"},
			"2 of them differ by spaces, dashes, underscores and dots from ids that are there, such as photo 008 and photo-008"},
		"both": {[]string{"Photo_007"},
			"1 of them differ by letter case and separators from ids that are there, such as Photo_007 and photo-007"},
		"ending": {[]string{"photo-007_v2", "photo-008_v2", "else"},
			`2 of them differ by the ending "_v2" from ids that are there, such as photo-007_v2 and photo-007`},
		"beginning": {[]string{"my-photo-007", "my-photo-008"},
			`2 of them differ by the beginning "my-" from ids that are there, such as my-photo-007 and photo-007`},
		"shorter": {[]string{"007", "008"},
			`2 of them differ by the beginning "photo-" from ids that are there, such as 007 and photo-007`},
		"nothing": {[]string{"else"}, ""},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			l := laketest.New(t)
			var bank []data.Question
			for i := range 3 {
				id := fmt.Sprintf("photo-%03d", i+7)
				bank = append(bank, data.Question{QuestionID: id + "/1", ImageID: id})
			}
			var captions []data.Caption
			for _, id := range c.captions {
				captions = append(captions, data.Caption{ImageID: id, Captioner: "m", Domain: "another"})
			}
			laketest.Put(t, l, data.Questions, "bank", bank...)
			laketest.Put(t, l, data.Captions, "captions", captions...)
			expect.Equal(t, must.Get(FindUnmatched(l))(t)[0].Cause, c.why)
		})
	}
}
