package rubric

import (
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/expect"
)

// TestJudgeTemplatesOfThePaper holds both printed prompts (CAPability Figure A3) word for word.
func TestJudgeTemplatesOfThePaper(t *testing.T) {
	number, _ := ByID("object_number")
	const wantNumber = "Given an image caption and the number of an object with format {object: number} as follows:\n" +
		"Image Caption: A tray of scones.\n" +
		"Object Number: {scone: 6}\n" +
		"Please analyze the image caption. Determine whether the provided object number is correctly described in the " +
		"caption, and explain why. You may need to count in the caption to determine how many the provided objects it " +
		"describes.\n" +
		"Give score of 0 if the caption does not mention the specific number of provided object (including the use of " +
		"words such as 'some' and 'various' in the caption rather than giving specific numbers) or not mention the " +
		"provided object. Give score of 1 if the caption describes the object number correctly. Give score only of -1 if " +
		"the caption gives the wrong number.\n" +
		"Output a JSON formed as:\n" +
		"{\"object_number\": \"copy the provided {object: number} here\", \"score\": \"put your score here\", " +
		"\"reason\": \"give your reason here\"}\n" +
		"DO NOT PROVIDE ANY OTHER OUTPUT TEXT OR EXPLANATION. Only output the JSON. Do not add Markdown syntax. Output:"
	expect.Equal(t, FillTemplate(number.JudgeTemplate(), "A tray of scones.", Element{"scone", "6"}), wantNumber)
	movement, _ := ByID("camera_movement")
	got := FillTemplate(movement.JudgeTemplate(), "It pans.", Element{Value: "left"})
	expect.Contains(t, got,
		"Given a video caption, your task is to determine which kind of camera movement is included in the caption.\n"+
			"Video Caption: It pans.\n",
		"into the following categories: ['left', 'right', 'up', 'down', 'in', 'out', 'fixed']\nHere are the explanations "+
			"of each category: left: the camera angle swings left (pan left), or the camera moves left (track left)\nright: ",
		"\nIf the caption explicitly mentions one of the above camera movement categories, write the result of the "+
			"category into the 'pred' value of the json string. Note do not infer the camera movement categories from the "+
			"whole caption. You should only search the descriptions about the camera movement. If there is no description "+
			"of the camera movement in the video caption or",
		"Output a JSON formed as:\n{\"pred\": \"put your predicted category here\", \"reason\": \"give your reason "+
			"here\"}\nDO NOT PROVIDE",
	)
}

func TestEveryDimensionHasATemplate(t *testing.T) {
	for _, d := range Dimensions() {
		template := d.JudgeTemplate()
		if strings.Count(template, CaptionPlace) != 1 ||
			strings.Count(template, ElementPlace) != map[bool]int{true: 0, false: 1}[d.Closed()] {
			t.Errorf("%s: the template must have the caption once, and the element once unless the set is closed:\n%s",
				d.ID, template)
		}
		if !d.Closed() &&
			(prompts().Elements[d.ID].Scores == "" || !strings.Contains(template, `"`+d.ReplyField+`": "copy `)) {
			t.Errorf("%s: the template asks nothing:\n%s", d.ID, template)
		}
		for _, c := range d.Categories {
			if !strings.Contains(template, "'"+c.Name+"'") || !strings.Contains(template, c.Name+": ") {
				t.Errorf("%s: the category %s is not explained", d.ID, c.Name)
			}
		}
	}
	scene, _ := ByID("scene")
	expect.Contains(t, FillTemplate(scene.JudgeTemplate(), "it says {element}",
		Element{Value: "{caption}"}), "Image Caption: it says {element}\nScene: {caption}\n")
}

func TestCaptionPrompts(t *testing.T) {
	for _, c := range []struct{ benchmark, media, start string }{
		{BenchmarkCAPability, MediaImage, "Please describe the image in detail. Your description should follow"},
		{BenchmarkCAPability, MediaVideo, "Please describe the video in detail. Your description should follow"},
		{BenchmarkCVCapBench, MediaVideo, "Please describe the video in detail"},
	} {
		got, ok := CaptionPrompt(c.benchmark, c.media)
		// The paper's prompts end with a blank, after which the model writes.
		blank := strings.HasSuffix(got, "Your description: ")
		if !ok || !strings.HasPrefix(got, c.start) || blank != (c.benchmark == BenchmarkCAPability) {
			t.Errorf("%s %s: %q", c.benchmark, c.media, got)
		}
	}
	for _, c := range [][2]string{{BenchmarkCAPability, "audio"}, {"captionqa", MediaImage}} {
		if got, ok := CaptionPrompt(c[0], c[1]); ok {
			t.Errorf("%v has the prompt %q", c, got)
		}
	}
}
