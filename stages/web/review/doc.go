// Package review is the page on which people review generated questions (CaptionQA section 4.4).
// They see the picture, the question, its options with the key, the validators' choices and the
// reason for the review, and accept, change or discard the question. Decisions become rows of the
// table reviews. In a second mode people rate drawn questions as right or wrong, without seeing
// their stages (Table 2); ratings become rows of quality_ratings.
//
// Package web has everything that all pages for people need. This package must not know how
// questions are generated, routed, drawn or published: construct.Final decides about a candidate.
package review
