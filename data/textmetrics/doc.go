// Package textmetrics scores a caption by its words: its length, and BLEU-4, ROUGE-L, CIDEr and METEOR against captions that people
// wrote, as pure functions.
//
// It must not know of tables, files, servers or what scores are used for. Metrics that ask another model, such as SPICE or
// CLIPScore, are not here: their scores are loaded. README.md says how each metric is defined, and where toolkits differ.
package textmetrics
