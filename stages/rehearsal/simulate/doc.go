// Package simulate makes up a CaptionQA lake of the paper's size: pictures without pixels, generic questions, and one
// answer of the paper's reader for every question, captioner and caption prompt, such that accuracy, cannot-rate and
// score of each model, prompt and domain are the printed ones (CaptionQA Tables 4 and 11 to 26, and the public
// leaderboard by category). It exists to try, test and time everything that computes results from answers.
//
// Nothing in it is a result: every unit and every row is marked simulated. No text of a caption, a question or an option
// is imitated; questions are numbered and name their taxonomy node, and there are no caption rows at all.
//
// The package reads the reference data that the binary carries. It must not know of foreign file formats, SQL, drawings
// or model servers.
package simulate
