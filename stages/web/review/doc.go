// Package review is the page on which people review generated questions (CaptionQA section 4.4): they see the picture, the question, its
// options with the key, what the validators chose and why the question came to them, and accept, change or discard it. Decisions become rows
// of the table reviews. In a second mode people rate drawn questions as right or wrong, without seeing which stage each is of (Table 2);
// ratings become rows of quality_ratings.
//
// What any page for people needs is in the package above. This one must not know how questions are generated, routed, drawn or published:
// what becomes of a candidate is construct.Final.
package review
