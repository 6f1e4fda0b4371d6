package rubric

import (
	"fmt"
	"strings"
)

// The places of a judge's prompt, which FillTemplate replaces.
const (
	CaptionPlace = "{caption}" // the caption to judge
	ElementPlace = "{element}" // the annotated element, as Element.Text writes it; not in templates of closed sets
)

// ImagePrompt asks for the caption of an image (CAPability Figure A2).
const ImagePrompt = `Please describe the image in detail. Your description should follow these rules:
a) You should describe each object in the image in detail, including its name, number, color, and spatial relationship between objects.
b) You should describe the scene of the image.
c) You should describe the camera angle when shooting this image, such as level angle, high angle, low angle, or dutch angle.
d) You should describe the style of the image, such as realistic, animated, special-effect, old-fashioned and so on.
e) If there are any texts in the image, you should describe the text content.
f) If you know the character in the image, you should tell his or her name.
Directly output your detailed description in a elaborate paragraph, instead of itemizing them in list form. Your description: `

// VideoPrompt asks for the caption of a video (CAPability Figure A2).
const VideoPrompt = `Please describe the video in detail. Your description should follow these rules:
a) You should describe each events in the video in order, especially focusing on the behavior and action of characters, including people, animals.
b) You should describe each object in the video in detail, including its name, number, color, and spatial relationship between objects.
c) You should describe the scene of the video.
d) You should describe the camera movement when shooting this video, especially the direction, such as pan left, track right, tilt up, boom down, zoom in, dolly out, and so on.
e) You should describe the style of the video, such as realistic, animated, special-effect, old-fashioned and so on.
f) If there are any texts in the video, you should describe the text content.
g) If you know the character in the video, you should tell his or her name.
Directly output your detailed description in a elaborate paragraph, instead of itemizing them in list form. Your description: `

// CaptionPrompt is the prompt for a benchmark's captions: CAPability's own, or for CV-CapBench one
// sentence (its section 4.1). It is false for other benchmarks and other media.
func CaptionPrompt(benchmark, media string) (string, bool) {
	prompt, ok := map[[2]string]string{
		{BenchmarkCAPability, MediaImage}: ImagePrompt,
		{BenchmarkCAPability, MediaVideo}: VideoPrompt,
		{BenchmarkCVCapBench, MediaImage}: "Please describe the image in detail",
		{BenchmarkCVCapBench, MediaVideo}: "Please describe the video in detail",
	}[[2]string{benchmark, media}]
	return prompt, ok
}

// lastLine ends every judge's prompt (CAPability Figure A3).
const lastLine = "DO NOT PROVIDE ANY OTHER OUTPUT TEXT OR EXPLANATION. Only output the JSON. Do not add Markdown syntax. Output:"

// openTexts are the texts of a judge's prompt about an element of an open-ended dimension.
type openTexts struct {
	what    string // the element, in the opening sentence
	label   string // the element, before its text
	whether string // what the judge has to decide
	scores  string // when to give 0, 1 and -1
	copied  string // the element, in the JSON of the reply
}

// openQuestions are the texts of open-ended dimensions. CAPability's Figure A3 prints the text of
// the object number; the others imitate it in our words. The special rules for objects and actions
// follow the released judgments: a caption that mentions other objects or actions, but not the
// annotated one, is wrong and not silent.
var openQuestions = map[string]openTexts{
	"object_number": {
		"the number of an object with format {object: number}", "Object Number",
		"Determine whether the provided object number is correctly described in the caption, and explain why. You may need to count in the caption to determine how many the provided objects it describes.",
		"Give score of 0 if the caption does not mention the specific number of provided object (including the use of words such as 'some' and 'various' in the caption rather than giving specific numbers) or not mention the provided object. Give score of 1 if the caption describes the object number correctly. Give score only of -1 if the caption gives the wrong number.",
		"the provided {object: number}",
	},
	"dynamic_object_number": {
		"the number of an object with format {object: number}", "Object Number",
		"Decide whether the caption gives this number of the object over the whole video, and explain why. Count what the caption lists if it names no number, but never take words such as 'some' or 'several' for a number.",
		"Give score of 0 if the caption gives no number of the object or does not mention the object. Give score of 1 if the number is right. Give score of -1 only if the caption gives another number.",
		"the provided {object: number}",
	},
	"object_category": {
		"an object", "Object",
		"Decide whether the caption mentions the object, by this name or by one of similar meaning, and explain why.",
		"Give score of 0 if the caption mentions no object at all. Give score of 1 if it mentions the object. Give score of -1 if it mentions other objects but not this one.",
		"the provided object",
	},
	"object_color": {
		"the color of an object with format {object: color}", "Object Color",
		"Decide whether the caption gives the object this color, in these words or in words of similar meaning, and explain why.",
		"Give score of 0 if the caption does not mention the object or gives it no color. Give score of 1 if the color is right. Give score of -1 only if the caption gives the object another color.",
		"the provided {object: color}",
	},
	"spatial_relation": {
		"a spatial relationship between objects", "Spatial Relationship",
		"Decide whether the caption says that the objects stand to each other like this, and explain why.",
		"Give score of 0 if the caption does not say how these objects stand to each other. Give score of 1 if it says so correctly. Give score of -1 only if it says otherwise.",
		"the provided spatial relationship",
	},
	"scene": {
		"a scene", "Scene",
		"Decide whether the caption describes this scene, in these words or in words of similar meaning, and explain why.",
		"Give score of 0 if the caption does not say what scene it is. Give score of 1 if it describes the scene correctly. Give score of -1 only if it describes another scene.",
		"the provided scene",
	},
	"OCR": {
		"a text that is seen in the image", "Text",
		"Decide whether the caption quotes this text, and explain why.",
		"Give score of 0 if the caption does not quote the text. Give score of 1 if it quotes the text correctly. Give score of -1 only if it quotes it wrongly.",
		"the provided text",
	},
	"character_identification": {
		"the name of a person or character", "Name",
		"Decide whether the caption names this person or character, and explain why.",
		"Give score of 0 if the caption names nobody. Give score of 1 if it gives this name. Give score of -1 only if it gives another name instead.",
		"the provided name",
	},
	"action": {
		"an action", "Action",
		"Decide whether the caption mentions the action, in these words or in words of similar meaning, and explain why.",
		"Give score of 0 if the caption mentions no action at all. Give score of 1 if it mentions this action. Give score of -1 if it mentions other actions but not this one.",
		"the provided action",
	},
	"event": {
		"an event", "Event",
		"Decide whether the caption tells that this happens, in these words or in words of similar meaning, and explain why.",
		"Give score of 0 if the caption tells nothing of it. Give score of 1 if it tells the event correctly. Give score of -1 only if it tells this event wrongly.",
		"the provided event",
	},
}

// printedMovements are the explanations of camera movements in CAPability's Figure A3, spelling
// included.
var printedMovements = []string{
	"left: the camera angle swings left (pan left), or the camera moves left (track left)",
	"right: the camera angle swings right (pan right), or the camera moves right (track right)",
	"up: the camera angle swings up (tilt up), or the camera moves up (boom up)",
	"down: the camera angle swings down (tilt down), or the camera moves down (boom down)",
	"in: camera pushes toward the subject (dolly in), or enlarges the frame (zoom in)",
	"out: camera moves away the subject (dolly out), or expands the visible area, makeing the subject appear smaller (zoom out)",
	"fixed: camera is almost fixed and does not change",
}

// JudgeTemplate is the user message that asks a judge about one element. It has CaptionPlace and,
// for open-ended dimensions, ElementPlace, which FillTemplate fills in.
func (d *Dimension) JudgeTemplate() string {
	article := "an"
	if d.Media == MediaVideo {
		article = "a"
	}
	medium := strings.ToUpper(d.Media[:1]) + d.Media[1:]
	if d.Closed() {
		return d.closedTemplate(article, medium)
	}
	q := openQuestions[d.ID]
	return fmt.Sprintf("Given %s %s caption and %s as follows:\n", article, d.Media, q.what) +
		fmt.Sprintf("%s Caption: %s\n%s: %s\n", medium, CaptionPlace, q.label, ElementPlace) +
		fmt.Sprintf("Please analyze the %s caption. %s\n%s\n", d.Media, q.whether, q.scores) +
		fmt.Sprintf("Output a JSON formed as:\n{\"%s\": \"copy %s here\", \"score\": \"put your score here\", "+
			"\"reason\": \"give your reason here\"}\n", d.ReplyField, q.copied) +
		lastLine
}

// closedTemplate is JudgeTemplate of a closed set, which follows the template of camera movements
// in CAPability's Figure A3.
func (d *Dimension) closedTemplate(article, medium string) string {
	name := strings.ToLower(d.Name)
	explanations := printedMovements
	if d.ID != "camera_movement" {
		explanations = nil
		for _, c := range d.Categories {
			explanations = append(explanations, c.Name+": "+c.Explanation)
		}
	}
	list := "['" + strings.Join(d.categoryNames(), "', '") + "']"
	return fmt.Sprintf("Given %s %s caption, your task is to determine which kind of %s is included in the caption.\n",
		article, d.Media, name) +
		fmt.Sprintf("%s Caption: %s\n", medium, CaptionPlace) +
		fmt.Sprintf("Please analyze the %s caption and classify the descriptions of %s into the following categories: %s\n", d.Media, name, list) +
		"Here are the explanations of each category: " + strings.Join(explanations, "\n") + "\n" +
		fmt.Sprintf("If the caption explicitly mentions one of the above %s categories, write the result of the category into the 'pred' value of the json string. ", name) +
		fmt.Sprintf("Note do not infer the %s categories from the whole caption. You should only search the descriptions about the %s. ", name, name) +
		fmt.Sprintf("If there is no description of the %s in the %s caption or the description does not belong to any of the above categories, write 'N/A' into the 'pred' value of the json string.\n", name, d.Media) +
		"Output a JSON formed as:\n{\"pred\": \"put your predicted category here\", \"reason\": \"give your reason here\"}\n" + lastLine
}

// FillTemplate fills a caption and an element into a template. It replaces CaptionPlace and
// ElementPlace in the template only: a caption that contains them stays unchanged.
func FillTemplate(template, caption string, e Element) string {
	return strings.NewReplacer(CaptionPlace, caption, ElementPlace, e.Text()).Replace(template)
}
