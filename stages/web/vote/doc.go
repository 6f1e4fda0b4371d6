// Package vote is the voting page of CapArena: people see a picture and two captions without names,
// in an order drawn for each person, and say which is better (section 3.1, Figure 7, appendix E).
// Votes become rows of the table votes.
//
// Package web has everything that all pages for people need. This package must not know how votes
// become ratings, which other judges there are, or how the next pair of captioners is chosen: the
// caller gives weights.
package vote
