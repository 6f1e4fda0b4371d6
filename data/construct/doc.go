// Package construct is how CaptionQA makes a bank of questions (section 4 of the paper), as pure functions: what generators, blind readers
// and validators are asked and how their replies are read, which candidates are malformed, which are duplicates of each other,
// and what becomes of a candidate after validation. The thresholds of the blind test are in package captionqa.
//
// It must not know of tables, files, servers or models.
package construct
