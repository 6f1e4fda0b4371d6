// Package simulate makes up a CaptionQA lake of the paper's size: pictures without pixels, numbered questions, and one
// answer of the paper's reader for every question, captioner and caption prompt. Accuracy and cannot-rate of each model,
// prompt and domain are the printed ones (CaptionQA Tables 4 and 11 to 26), and scores follow from them; where they cannot, the
// cannot-rate gives way. It exists to try, test and time everything that computes results from answers.
//
// It also makes up battles of CapArena's size, and annotators whose strengths of preference are known, who vote on these or on the
// battles of any lake: crowd.go.
//
// Nothing in it is a result: every unit and every row is marked simulated. No text of a caption, a question or an option
// is imitated; questions are numbered and name their taxonomy node, captions in battles are numbered words, and there are no caption
// rows at all.
//
// The package reads the published figures and taxonomies of the lake. It must not know of foreign file formats, SQL,
// drawings or model servers.
package simulate
