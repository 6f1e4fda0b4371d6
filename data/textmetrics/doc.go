// Package textmetrics scores a caption by its words, as pure functions: its length, and BLEU-4,
// ROUGE-L, CIDEr and METEOR against captions by people.
//
// It must not know of tables, files, servers or the use of scores. Metrics that need another model,
// such as SPICE or CLIPScore, are not here: their scores are loaded. README.md gives the definition
// of each metric, and the differences between toolkits.
package textmetrics
