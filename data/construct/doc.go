// Package construct is how CaptionQA makes a bank of questions (section 4 of the paper), as pure functions: which candidates are
// malformed and which are duplicates of each other. The thresholds of the blind test are in package captionqa.
//
// It must not know of tables, files, servers or models.
package construct
