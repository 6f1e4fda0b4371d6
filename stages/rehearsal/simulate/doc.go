// Package simulate makes up a CaptionQA lake of the paper's size: pictures without pixels, numbered
// questions, and one answer of the paper's reader for every question, captioner and caption prompt.
// Each model's accuracy and cannot-rate under a prompt in a domain are the printed ones (CaptionQA
// Tables 4 and 11 to 26). Scores follow from these two; if a printed score contradicts them, the
// cannot-rate differs from the printed one. The lake exists to try, test and time everything that
// computes results from answers.
//
// It also makes up battles of CapArena's size, and annotators with known strengths of preference,
// who vote on these battles or on the battles of any lake: crowd.go.
//
// Nothing in it is a result: every unit and every row is marked simulated. It imitates no text of a
// caption, question or option: questions are numbered and name their taxonomy node, battles have no
// captions, and there are no rows of captions.
//
// The package reads the published figures and taxonomies of the lake. It must not know of foreign
// file formats, SQL, drawings or model servers.
package simulate
