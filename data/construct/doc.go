// Package construct makes a bank of questions as CaptionQA does (section 4 of the paper), as pure
// functions: the prompts for generators, blind readers and validators, the reading of their
// replies, the rules for malformed and duplicate candidates, and the fate of a candidate after
// validation. The thresholds of the blind test are in package captionqa.
//
// It must not know of tables, files, servers or models.
package construct
