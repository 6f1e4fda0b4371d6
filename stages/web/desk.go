package web

import (
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/captionlake/captionlake/data"
)

// Why the desk refuses a decision.
var (
	ErrUnknownItem = errors.New("this item is not among those to decide about")
	ErrDecided     = errors.New("you have decided about this item before")
	ErrNothing     = errors.New("there is nothing to undo")
)

// An Item is decided on by people.
type Item struct {
	ID   string
	Need int // number of people who should decide on it
}

// A Decision is one person's decision on one item. It is the record of the journal; V is the page's
// own part of it.
type Decision[V any] struct {
	Person  string    `json:"person"`
	Item    string    `json:"item"`
	At      time.Time `json:"at"`
	Seconds *float64  `json:"seconds,omitempty"` // from showing the item to the decision; nil if unknown
	Skipped bool      `json:"skipped,omitempty"` // left to others
	Undone  bool      `json:"undone,omitempty"`  // takes back the person's decision on the item
	Value   V         `json:"value"`

	earlier *Decision[V] // the person's earlier decision on the item, which this one replaced
}

// Quick reports whether a decision took less time than a real look.
func (d Decision[V]) Quick() bool {
	return !d.Skipped && d.Seconds != nil && *d.Seconds < QuickSeconds
}

// timed reports whether a decision's time says something about its maker's pace.
func (d Decision[V]) timed() bool {
	return !d.Skipped && d.Seconds != nil && !d.Quick()
}

// A Desk gives items to people, one at a time to each, and records their decisions. While somebody
// has an item, nobody else gets it, unless several people should decide on it. A claim ends with
// the decision, or after a time.
//
// A decision is on disk when Decide returns, so no decision is lost when the process ends. Ledger
// makes rows of the decisions on disk.
type Desk[V any] struct {
	claim   time.Duration
	aside   bool // quick decisions are ignored, so their items are offered again
	now     func() time.Time
	journal *data.Journal[Decision[V]]

	mu      sync.Mutex
	items   []Item
	index   map[string]int
	decided []int // number of people with a decision on the item that counts
	first   int   // items before this one need nobody
	people  map[string]*person[V]
	names   []string // of the people, in the order of their arrival

	progress Progress
}

type person[V any] struct {
	decisions map[int]int // from an item to its position in made
	made      []Decision[V]
	item      int // the person's present item; negative without one
	shown     time.Time
	renewed   time.Time
	spent     map[int]time.Duration // time on items that were shown earlier
	counts    Counts
}

// Counts are the numbers of a person's decisions.
type Counts struct {
	Decided int // without skips
	Skipped int
	Quick   int // decisions in less than QuickSeconds
}

// Slow is the number of decisions that were not quick.
func (c Counts) Slow() int { return c.Decided - c.Quick }

// count adds n for a decision to the counts.
func (d Decision[V]) count(c *Counts, n int) {
	switch {
	case d.Skipped:
		c.Skipped += n
	case d.Quick():
		c.Quick += n
		fallthrough
	default:
		c.Decided += n
	}
}

// settle passes the decisions of a journal to commit, and deletes the journal. commit gets each
// person's decisions, including undone ones, in the order in which they were stored. After a crash
// it may be called again with the same decisions.
func settle[V any](l *data.Lake, journal string, commit func(person string, made []Decision[V]) error) error {
	opened, err := data.OpenJournal[Decision[V]](l, journal)
	if err != nil {
		return err
	}
	defer opened.Close()
	byPerson := map[string][]Decision[V]{}
	var people []string
	for d, err := range data.JournalRows[Decision[V]](l, journal) {
		if err != nil {
			return err
		}
		if byPerson[d.Person] == nil {
			people = append(people, d.Person)
		}
		byPerson[d.Person] = append(byPerson[d.Person], d)
	}
	for _, p := range people {
		if err := commit(p, byPerson[p]); err != nil {
			return fmt.Errorf("decisions of %s: %w", p, err)
		}
	}
	return opened.Delete()
}

// NewDesk gives out items in order.
//   - before: decisions already in the lake, in the order in which they were made. Decisions on
//     other items are ignored.
//   - claim: how long an item stays reserved for a person who does not decide.
//   - aside: ignore quick decisions, so their items are offered again.
func NewDesk[V any](l *data.Lake, journal string, items []Item, before []Decision[V], claim time.Duration, aside bool,
	now func() time.Time) (*Desk[V], error) {
	d := &Desk[V]{claim: claim, aside: aside, now: now, items: items, index: make(map[string]int, len(items)),
		decided: make([]int, len(items)), people: map[string]*person[V]{}}
	d.progress.Items = len(items)
	for i, item := range items {
		d.index[item.ID] = i
		d.progress.Needed += item.Need
	}
	for _, decision := range before {
		if i, ok := d.index[decision.Item]; ok {
			d.keep(d.person(decision.Person), i, decision)
		}
	}
	var err error
	d.journal, err = data.OpenJournal[Decision[V]](l, journal)
	return d, err
}

// Close stops the desk; it accepts no more decisions.
func (d *Desk[V]) Close() error { return d.journal.Close() }

func (d *Desk[V]) person(name string) *person[V] {
	p := d.people[name]
	if p == nil {
		p = &person[V]{decisions: map[int]int{}, item: -1, spent: map[int]time.Duration{}}
		d.people[name] = p
		d.names = append(d.names, name)
	}
	return p
}

// keep adds a decision to the person's decisions, sorted by time.
func (d *Desk[V]) keep(p *person[V], i int, decision Decision[V]) {
	at := len(p.made)
	for at > 0 && p.made[at-1].At.After(decision.At) {
		at--
	}
	p.made = slices.Insert(p.made, at, decision)
	d.place(p, at)
	decision.count(&p.counts, 1)
	if d.counts(decision) {
		d.count(i, 1)
	}
}

// counts reports whether a decision reduces the number of people that an item needs.
func (d *Desk[V]) counts(decision Decision[V]) bool {
	return !decision.Skipped && !(d.aside && decision.Quick())
}

// place records the positions of a person's decisions, from one of them on.
func (d *Desk[V]) place(p *person[V], from int) {
	for k := from; k < len(p.made); k++ {
		p.decisions[d.index[p.made[k].Item]] = k
	}
}

// State is Next's answer to a person.
type State int

const (
	Ready   State = iota // there is an item
	Waiting              // all remaining items are with other people
	Done                 // nothing is left for this person
)

// Next is the item of a person: the same until it is decided on or released, or its time has run
// out.
func (d *Desk[V]) Next(name string) (item string, state State) {
	d.mu.Lock()
	defer d.mu.Unlock()
	p, now := d.person(name), d.now()
	holders := d.holders(p, now)
	if i := p.item; i >= 0 && d.needs(p, i) && (now.Sub(p.renewed) < d.claim || d.open(p, i, holders)) {
		d.renew(p, now)
		return d.items[i].ID, Ready
	}
	d.release(p, now)
	waiting := false
	for d.first < len(d.items) && d.decided[d.first] >= d.items[d.first].Need {
		d.first++
	}
	for i := d.first; i < len(d.items); i++ {
		if !d.needs(p, i) {
			continue
		}
		if !d.open(p, i, holders) {
			waiting = true
			continue
		}
		p.item, p.shown, p.renewed = i, now, now
		return d.items[i].ID, Ready
	}
	if waiting {
		return "", Waiting
	}
	return "", Done
}

// Open gives an item to a person who asks for it, whether somebody has decided on it or not. If
// another person has it, that person's name is returned. An unknown item is an error.
func (d *Desk[V]) Open(name, item string) (holder string, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	i, known := d.index[item]
	if !known {
		return "", ErrUnknownItem
	}
	p, now := d.person(name), d.now()
	if p.item == i {
		d.renew(p, now)
		return "", nil
	}
	if holders := d.holders(p, now)[i]; len(holders) > 0 {
		return holders[0], nil
	}
	d.release(p, now)
	p.item, p.shown, p.renewed = i, now, now
	return "", nil
}

// renew extends a person's claim to the present item. After the claim has run out, the time starts
// anew.
func (d *Desk[V]) renew(p *person[V], now time.Time) {
	if now.Sub(p.renewed) >= d.claim {
		p.shown = now
	}
	p.renewed = now
}

// release takes the present item from a person. The time spent on it is kept.
func (d *Desk[V]) release(p *person[V], now time.Time) {
	if p.item >= 0 && now.Sub(p.renewed) < d.claim {
		p.spent[p.item] += now.Sub(p.shown)
	}
	p.item = -1
}

// needs reports whether an item needs somebody, and this person has not decided on it.
func (d *Desk[V]) needs(p *person[V], i int) bool {
	_, done := p.decisions[i]
	return !done && d.decided[i] < d.items[i].Need
}

// holders gives the present holders of items, without one person.
func (d *Desk[V]) holders(besides *person[V], now time.Time) map[int][]string {
	holders := map[int][]string{}
	for name, p := range d.people {
		if p != besides && p.item >= 0 && now.Sub(p.renewed) < d.claim {
			holders[p.item] = append(holders[p.item], name)
		}
	}
	return holders
}

// open reports whether an item needs one more person.
func (d *Desk[V]) open(p *person[V], i int, holders map[int][]string) bool {
	return d.needs(p, i) && d.decided[i]+len(holders[i]) < d.items[i].Need
}

// Decide records a person's decision on an item and returns once it is on disk. look is the page's
// own record of the time. A decision after the claim has run out is accepted, too. If again is set,
// a second decision replaces the first, and Undo restores the first. Otherwise a second decision
// gives ErrDecided.
func (d *Desk[V]) Decide(name, item string, look Look, skipped bool, value V, again bool) (Decision[V], error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	i, known := d.index[item]
	if !known {
		return Decision[V]{}, ErrUnknownItem
	}
	p, now := d.person(name), d.now()
	place, done := p.decisions[i]
	if done && !again {
		return Decision[V]{}, ErrDecided
	}
	decision := Decision[V]{Person: name, Item: item, At: now.UTC().Truncate(time.Microsecond), Skipped: skipped,
		Value: value}
	spent, known := p.spent[i]+now.Sub(p.shown), p.item == i
	if !known { // The page is older than this process, or than the claim.
		spent, known = now.Sub(look.Shown), now.Sub(look.Shown) < oldestLook
	}
	if known {
		seconds := max(spent-max(look.Away, 0), 0).Round(time.Millisecond).Seconds()
		decision.Seconds = &seconds
	}
	if done {
		earlier := p.made[place]
		decision.earlier = &earlier
	}
	if err := d.journal.Append(decision); err != nil {
		return Decision[V]{}, err
	}
	if done {
		d.drop(p, i)
	}
	d.keep(p, i, decision)
	delete(p.spent, i)
	if p.item == i {
		p.item = -1
	}
	return decision, nil
}

// Undo takes back a person's last decision and gives its item to them again. A decision that it had
// replaced holds again. It returns once that is on disk.
func (d *Desk[V]) Undo(name string) (Decision[V], error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	p := d.person(name)
	if len(p.made) == 0 {
		return Decision[V]{}, ErrNothing
	}
	last := p.made[len(p.made)-1]
	i := d.index[last.Item]
	undo := last
	undo.Undone, undo.At = true, d.now().UTC().Truncate(time.Microsecond)
	if last.earlier != nil {
		undo = *last.earlier
	}
	if err := d.journal.Append(undo); err != nil {
		return Decision[V]{}, err
	}
	d.drop(p, i)
	if last.earlier != nil {
		d.keep(p, i, undo)
	}
	now := d.now()
	d.release(p, now)
	if last.Seconds != nil { // The first look's time still counts; otherwise every second thought would be quick.
		p.spent[i] = time.Duration(*last.Seconds * float64(time.Second))
	}
	p.item, p.shown, p.renewed = i, now, now
	return last, nil
}

// drop removes a decision from the person's decisions.
func (d *Desk[V]) drop(p *person[V], i int) {
	at := p.decisions[i]
	decision := p.made[at]
	p.made = slices.Delete(p.made, at, at+1)
	delete(p.decisions, i)
	d.place(p, at)
	decision.count(&p.counts, -1)
	if d.counts(decision) {
		d.count(i, -1)
		d.first = min(d.first, i)
	}
}

// count changes the number of people who decided on an item.
func (d *Desk[V]) count(i, by int) {
	need := d.items[i].Need
	before := d.decided[i]
	d.decided[i] += by
	d.progress.Made += min(d.decided[i], need) - min(before, need)
	switch {
	case before < need && d.decided[i] >= need:
		d.progress.Complete++
	case before >= need && d.decided[i] < need:
		d.progress.Complete--
	}
}
