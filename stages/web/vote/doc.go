// Package vote is the voting page of CapArena: people see a picture and two captions without names, in an order drawn for each of
// them, and say which is better (section 3.1, Figure 7, appendix E). Votes become rows of the table votes.
//
// What any page for people needs is in the package above. This one must not know how votes become ratings, which judges other
// than people there are, or how the next pair is chosen: the caller gives weights.
package vote
