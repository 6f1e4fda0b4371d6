package arena

import (
	"fmt"
	"slices"
	"strings"
)

// A Guideline tells annotators what to look at when they choose the better of two captions.
type Guideline struct {
	Name string
	Text string
}

// captionLength is the only guideline of Figure 7 that is missing in Figure 8.
const captionLength = "Caption length"

// guidelines are the eight guidelines of Figure 7, word for word.
var guidelines = []Guideline{
	{"Precision",
		"The caption should accurately correspond to the content of the image, providing precise information about it. " +
			"Common examples of imprecision include errors in color, quantity, spatial relationships, or the posture of " +
			"people."},
	{"Informativeness",
		`Salient information in the image should be reflected in the caption. Since it is impossible to include every ` +
			`detail, you will need to subjectively judge which aspects of the image are important. For instance, describing ` +
			`an otter as "a small animal" is precise, but it is less informative than specifying "an otter".`},
	{"Hallucination",
		"Captions that include descriptions of objects or elements that are clearly absent from the image should be " +
			"significantly penalized."},
	{captionLength,
		"Longer captions are not inherently better. For captions with equivalent informativeness, shorter ones are " +
			"either better or at least not worse. Additionally, overly lengthy, verbose, or redundant expressions should be " +
			"penalized."},
	{"Attention to detail",
		"Annotators should pay close attention to the details in the image to distinguish the quality of the descriptions."},
	{"Assistive description",
		"Imagine a visually impaired person asking you to describe the image for them. How would you convey the image to " +
			"them?"},
	{"Reverse thinking",
		"What image does the caption lead us to imagine? Does the caption effectively lead you to imagine the intended " +
			"image?"},
	{"Ties are acceptable",
		"If you find it genuinely difficult to determine which caption is better (e.g., both captions are excellent), " +
			"marking a tie is acceptable."},
}

// Task is the text before the guidelines of annotators (Figure 7).
const Task = "As an annotator, your task is to judge which of the two image captions is better. Below are some " +
	"guidelines for your reference:"

// Closing is the text after the guidelines of annotators (appendix H).
const Closing = "While the guidelines provide a framework, they cannot account for all possible cases. Therefore, " +
	"we encourage annotators to make informed judgments based on the specific circumstances and their own reasoning " +
	"about which caption is more appropriate."

// Guidelines are the guidelines of annotators, in the paper's order (Figure 7).
func Guidelines() []Guideline { return slices.Clone(guidelines) }

// The parts of Figure 8. The guidelines come between the instruction and the response format.
const (
	judgeRole        = "You are a highly capable multimodal AI assistant tasked with evaluating image captions."
	judgeInstruction = "Given an image and two candidate captions, you are required to determine which of the two " +
		"captions is better."
	judgeNotice  = "Below are some guidelines for your reference:"
	judgeClosing = "While the above guidelines provide a framework, they cannot cover all possible cases. Therefore, " +
		"we encourage you to make **subjective judgments** based on the specific circumstances and your own reasoning " +
		"about which caption is better."
	judgeFormat = "Format your response into two lines as shown below:\nReason: <your thoughts and reasoning process " +
		"for the judgment>\nJudgment: <Caption 1 is better>/<Caption 2 is better>/<Tie>"
)

// judgeReference is one more guideline, for judges that get the human caption. The paper gives the
// purpose of the caption: to assist the judgment (section 4.1) and to clarify uncertain details of
// the image (section 4.3). The paper gives no words for the guideline; these words are ours.
var judgeReference = Guideline{"Reference caption",
	"A person has described the image, too. Where a detail of the image is uncertain, take this reference caption as " +
		"support: what it states is correct. It does not mention everything, so a caption is not worse for what it adds " +
		"to it."}

// JudgeSystem is the system message of a judge that is a model: Figure 8 word for word, so without
// the guideline captionLength. A judge that gets the human caption gets one more guideline.
func JudgeSystem(reference bool) string {
	list := slices.DeleteFunc(Guidelines(), func(g Guideline) bool { return g.Name == captionLength })
	if reference {
		list = append(list, judgeReference)
	}
	parts := []string{judgeRole, judgeInstruction, judgeNotice}
	for i, g := range list {
		parts = append(parts, fmt.Sprintf("%d. **%s**: %s", i+1, g.Name, g.Text))
	}
	return strings.Join(append(parts, judgeClosing, judgeFormat), "\n\n")
}

// JudgeUser is the message to a judge after the picture: which of two captions is better, in the
// order shown. The paper does not print this message. The reference comes first, because all
// battles of a picture share it and servers cache a common beginning of requests. An empty
// reference is left out.
func JudgeUser(first, second, reference string) string {
	text := ""
	if reference != "" {
		text = "Reference caption:\n" + reference + "\n\n"
	}
	return text + "Caption 1:\n" + first + "\n\nCaption 2:\n" + second +
		"\n\nDetermine which caption is better and answer in the given format. Mark a tie only if you cannot tell their " +
		"quality, informativeness and precision apart."
}
