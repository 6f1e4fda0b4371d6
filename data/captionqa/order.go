package captionqa

import (
	"fmt"
	"math/bits"
	"slices"

	"gonum.org/v1/gonum/mathext/prng"
)

// Rules for the option orders of a bank. The rules differ only in which questions draw from the
// same random stream. If a stream of one rule draws for a question and the stream of the other rule
// does not, the orders of all later questions differ.
const (
	// OrderFullBank is our rule and the rule of lmms-eval's task: every question of the whole bank
	// draws from one stream, in bank order, whether or not its image has a caption. So all captioners
	// get the same orders. The authors' code drops images without a caption before the shuffle, so
	// there one missing caption changes the orders of all later questions.
	OrderFullBank = "upstream-full-bank"

	// OrderPerSplit is the rule of the authors' evaluation code run on one split: each domain's
	// questions draw from a stream of their own. lmms-eval's task follows OrderFullBank instead: it
	// deals the orders of the split "all", whichever split it evaluates. Both rules give the same
	// orders to the split that comes first in the whole bank.
	OrderPerSplit = "upstream-per-split"
)

// OrderSeed is the seed of the published option orders (default of the authors' evaluation code).
const OrderSeed = 0

// OrderStream deals out presented option orders question by question (CaptionQA section 3.4: "we
// also randomly shuffle options order"). As published by the authors' evaluation code, a run uses
// one random.Random(0) for all its questions in bank order. So call Next once for each question in
// bank order, and begin a new stream for each run: a domain that is run as a bank of its own gets
// other orders than as part of a run over all domains.
//
// The authors' code also skips, without a draw, a question with fewer than two options or without
// its key among them (KeyIndex). A bank that passes our checks has no such question.
type OrderStream struct{ random *prng.MT19937 }

// NewOrderStream starts a stream; the published orders have seed OrderSeed.
func NewOrderStream(seed uint32) *OrderStream {
	s := &OrderStream{prng.NewMT19937()}
	s.random.SeedFromKeys([]uint32{seed}) // as CPython does
	return s
}

// Next returns the order in which the next question presents its n options: element i is the
// original position, from 0, of the option that is presented at position i. n includes the cannot
// option if WithCannot appended it. With fewer than two options nothing is drawn, and with fewer
// than one the order is empty. Next does the same as random.shuffle of CPython 3.
func (s *OrderStream) Next(n int) []int32 {
	order := make([]int32, max(n, 0))
	for i := range order {
		order[i] = int32(i)
	}
	for i := len(order) - 1; i >= 1; i-- {
		j := s.below(i + 1)
		order[i], order[j] = order[j], order[i]
	}
	return order
}

// below returns a number from 0 to n−1: _randbelow_with_getrandbits(n) of CPython, which draws as
// many bits as n itself has and draws again while the number is too large.
func (s *OrderStream) below(n int) int {
	for {
		if drawn := int(s.random.Uint32() >> (32 - bits.Len(uint(n)))); drawn < n {
			return drawn
		}
	}
}

// Present returns the options in presented order. It refuses an order that is not a permutation of
// the options' positions, because such an order would show one option twice and another one never.
func Present(options []string, order []int32) ([]string, error) {
	if len(order) != len(options) {
		return nil, fmt.Errorf("option order has %d positions for %d options; "+
			"make it with OrderStream.Next from the options after WithCannot", len(order), len(options))
	}
	seen := make([]bool, len(options))
	presented := make([]string, len(options))
	for i, original := range order {
		if original < 0 || int(original) >= len(options) || seen[original] {
			return nil, fmt.Errorf("option order %v is not a permutation of 0 to %d; make it with OrderStream.Next",
				order, len(options)-1)
		}
		seen[original] = true
		presented[i] = options[original]
	}
	return presented, nil
}

// BankOrders deals the option orders of a bank, question by question in the bank's order. With
// OrderFullBank all domains share one stream, with OrderPerSplit each domain has its own.
type BankOrders struct {
	rule    string
	streams map[string]*OrderStream
}

// NewBankOrders begins a bank under the rule OrderFullBank or OrderPerSplit.
func NewBankOrders(rule string) *BankOrders {
	return &BankOrders{rule, map[string]*OrderStream{}}
}

// Next is the order of the bank's next question: positions in options. If the cannot option is
// offered, its position is len(options).
func (b *BankOrders) Next(domain, question string, options []string) []int32 {
	if b.rule != OrderPerSplit {
		domain = "" // the name of the one stream that all domains share
	}
	if b.streams[domain] == nil {
		b.streams[domain] = NewOrderStream(OrderSeed)
	}
	return b.streams[domain].Next(len(WithCannot(question, options)))
}

// Unaskable says why the protocol cannot ask a question with these options; empty if it can. The
// protocol cannot ask if there are more options than letters, or if one of the options has the text
// of the cannot option.
func Unaskable(question string, options []string) string {
	if offered := WithCannot(question, options); len(offered) > MaxOptions {
		return fmt.Sprintf("%d options with the cannot option, but letters name at most %d: remove some",
			len(offered), MaxOptions)
	}
	if slices.Contains(options, CannotOption) {
		return fmt.Sprintf("the options hold %q, which the protocol adds itself: remove it", CannotOption)
	}
	return ""
}
