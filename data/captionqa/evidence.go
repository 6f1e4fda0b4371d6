package captionqa

import (
	"fmt"
	"slices"
	"strings"
)

// Evidence is the material that a reader gets with a question.
const (
	EvidenceCaption = "caption" // a caption by another model or by the reader itself: QA-on-caption
	EvidenceImage   = "image"   // the picture itself: QA-on-image, for the utility gap
	EvidenceNone    = "none"    // an empty caption, blind: for the faithfulness of the reader
)

// Evidences lists every kind of evidence.
func Evidences() []string { return []string{EvidenceCaption, EvidenceImage, EvidenceNone} }

// AskProtocols lists the protocols under which questions can be asked.
func AskProtocols() []string {
	return []string{ProtocolUpstream, ProtocolConstrained, ProtocolProbabilities, ProtocolWithoutCannot}
}

// imageSystemMessage is the system message of QA-on-image. The paper names the setting (section 5)
// and prints no prompt for it. This message follows the published message of QA-on-caption, with
// the image in the caption's place.
const imageSystemMessage = "You are given an image, and a question about the image. " +
	"Answer with a SINGLE LETTER (A, B, C, ...), no explanation."

// A Presentation is a question as a reader sees it under one kind of evidence.
type Presentation struct {
	Offered  []string // options in original order, and last the cannot option if it is offered
	Order    []int32  // for each presented option, its position in Offered
	Texts    []string // options in presented order
	question string
	evidence string
}

// OffersCannot reports whether a protocol offers the cannot option with an evidence. QA-on-image
// does not offer the cannot option, because every question can be answered from the image.
func OffersCannot(protocol, evidence string) bool {
	return evidence != EvidenceImage && protocol != ProtocolWithoutCannot
}

// NewPresentation presents a question of the bank; cannot says whether the cannot option is
// offered. order is the bank's option order, which has a position for the cannot option unless the
// question is a yes/no question. If the cannot option is not offered now, its position is left out
// of the order. The error says that the order does not fit the options.
func NewPresentation(question string, options []string, cannot bool, order []int32,
	evidence string) (Presentation, error) {
	p := Presentation{Offered: options, Order: order, question: question, evidence: evidence}
	if cannot {
		p.Offered = append(slices.Clone(options), CannotOption)
	}
	offered := len(p.Offered)
	if len(order) != offered {
		p.Order = slices.DeleteFunc(slices.Clone(order), func(position int32) bool { return int(position) >= offered })
	}
	if len(p.Order) != offered {
		return p, fmt.Errorf("its option order %v does not fit its %d options", order, offered)
	}
	var err error
	p.Texts, err = Present(p.Offered, p.Order)
	return p, err
}

// Messages are the system message and the user's text of the question. For QA-on-image the caption
// is empty, the text has no heading for a caption, and the picture goes before the text.
func (p Presentation) Messages(caption string) (system, user string, err error) {
	user, err = UserPrompt(caption, p.question, p.Texts)
	if err != nil || p.evidence != EvidenceImage {
		return SystemMessage, user, err
	}
	return imageSystemMessage, WithoutCaption(user), nil
}

// WithoutCaption removes the empty caption from the text of UserPrompt, for questions that come
// with a picture.
func WithoutCaption(user string) string { return strings.TrimPrefix(user, "Caption:\n\n\n") }

// Letters are the letters of the presented options.
func (p Presentation) Letters() []string {
	letters := make([]string, len(p.Texts))
	for i := range letters {
		letters[i], _ = Letter(i) // Messages returns an error if an option has no letter.
	}
	return letters
}
