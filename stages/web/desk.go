package web

import (
	"errors"
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

// claim is how long an item stays reserved for a person who does not decide.
const claim = 30 * time.Minute

// noItem is the index if there is no item. slices.IndexFunc returns the same number.
const noItem = -1

// An Item is shown to people, and they decide on it.
type Item struct {
	ID        string
	Need      int // number of people who should decide on it
	Simulated bool
}

// A Decision is one person's decision on one item, as the journal stores it. V holds what the page
// adds, such as the winner of a battle.
type Decision[V any] struct {
	Person  string    `json:"person"`
	Item    string    `json:"item"`
	At      time.Time `json:"at"`
	Seconds *float64  `json:"seconds,omitempty"` // from showing the item to the decision; nil if unknown
	Skipped bool      `json:"skipped,omitempty"` // left to others
	Undone  bool      `json:"undone,omitempty"`  // takes back the person's decision on the item
	Value   V         `json:"value"`

	Simulated bool `json:"simulated,omitempty"` // the item is simulated

	earlier *Decision[V] // the person's earlier decision on the item, which this one replaced
}

// Quick reports whether a decision took less time than a real look.
func (d Decision[V]) Quick() bool {
	return !d.Skipped && d.Seconds != nil && *d.Seconds < QuickSeconds
}

// A Desk gives items to people, one at a time to each, and records their decisions. While somebody
// has an item, nobody else gets it, unless several people should decide on it. A person's claim on
// an item ends with the decision, or half an hour after the item was last shown.
//
// A decision is on disk when Decide returns, so no decision is lost when the process ends. Ledger
// makes rows of the decisions on disk.
type Desk[V any] struct {
	ignoreQuick bool // quick decisions do not count, so their items are offered again
	now         func() time.Time
	journal     *data.Journal[Decision[V]]

	mu     sync.Mutex
	items  []Item
	index  map[string]int // of items, by id
	people []*person[V]   // in the order of their arrival
}

type person[V any] struct {
	name    string
	made    []Decision[V]         // the latest decision on each item, ordered by time
	item    int                   // index of the person's present item, or noItem
	shown   time.Time             // when the present item was first shown
	renewed time.Time             // when it was last shown: the claim runs from then on
	spent   map[int]time.Duration // time on items that were shown before the present item
}

// NewDesk makes a desk that gives out items in order.
//   - before: decisions already in the lake, in the order in which they were made. A decision on an
//     item that is not in items is ignored.
//   - ignoreQuick: quick decisions do not count, so their items are offered again.
func NewDesk[V any](l *data.Lake, journal string, items []Item, before []Decision[V], ignoreQuick bool,
	now func() time.Time) (*Desk[V], error) {
	d := &Desk[V]{ignoreQuick: ignoreQuick, now: now, items: items, index: make(map[string]int, len(items))}
	for i, item := range items {
		d.index[item.ID] = i
	}
	for _, decision := range before {
		if _, known := d.index[decision.Item]; known {
			p := d.person(decision.Person)
			p.made = append(p.made, decision)
		}
	}
	var err error
	d.journal, err = data.OpenJournal[Decision[V]](l, journal)
	return d, err
}

// Close stops the desk; it accepts no more decisions.
func (d *Desk[V]) Close() error { return d.journal.Close() }

// person finds a person by name, or adds a new one.
func (d *Desk[V]) person(name string) *person[V] {
	for _, p := range d.people {
		if p.name == name {
			return p
		}
	}
	p := &person[V]{name: name, item: noItem, spent: map[int]time.Duration{}}
	d.people = append(d.people, p)
	return p
}

// stillNeeded gives the number of further people whom each item needs, by the item's index. The
// number is negative if more people than needed have decided on the item.
func (d *Desk[V]) stillNeeded() []int {
	needed := make([]int, len(d.items))
	for i, item := range d.items {
		needed[i] = item.Need
	}
	for _, p := range d.people {
		for _, decision := range p.made {
			ignored := decision.Skipped || d.ignoreQuick && decision.Quick()
			if !ignored {
				needed[d.index[decision.Item]]--
			}
		}
	}
	return needed
}

// Next gives a person an item to decide on. The person keeps the item until somebody has decided on
// it, or until the claim has run out and others have the item. item is empty if nothing is left for
// this person; waiting then says that other people have items that may come back.
func (d *Desk[V]) Next(name string) (item string, waiting bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	p, now := d.person(name), d.now()
	needed, holders := d.stillNeeded(), d.holders(p, now)
	for _, decision := range p.made {
		needed[d.index[decision.Item]] = 0 // This person has decided on the item or skipped it.
	}
	isFree := func(i int) bool { return needed[i] > len(holders[i]) }
	next := p.item
	keeps := next != noItem && needed[next] > 0 && (p.holds(now) || isFree(next))
	if !keeps {
		next = slices.IndexFunc(d.items, func(item Item) bool { return isFree(d.index[item.ID]) })
	}
	p.show(next, now)
	if next == noItem {
		return "", slices.ContainsFunc(needed, func(n int) bool { return n > 0 })
	}
	return d.items[next].ID, false
}

// Open gives an item to a person who asks for it, even if somebody has decided on it. If another
// person has the item, Open gives nothing and returns that person's name, unless it is also the
// asking person's present item. An unknown item is an error.
func (d *Desk[V]) Open(name, item string) (holder string, err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	i, known := d.index[item]
	if !known {
		return "", ErrUnknownItem
	}
	p, now := d.person(name), d.now()
	if holders := d.holders(p, now)[i]; len(holders) > 0 && p.item != i {
		return holders[0], nil
	}
	p.show(i, now)
	return "", nil
}

// holds reports whether a person has an item now, with a claim that has not run out.
func (p *person[V]) holds(now time.Time) bool {
	return p.item != noItem && now.Sub(p.renewed) < claim
}

// show gives a person the item with index i, or noItem, and keeps the time spent on another item.
// If the person has the item already, the claim is extended; after the claim has run out, the time
// starts anew.
func (p *person[V]) show(i int, now time.Time) {
	if held := p.holds(now); p.item != i || !held {
		if held {
			p.spent[p.item] += now.Sub(p.shown)
		}
		p.item, p.shown = i, now
	}
	p.renewed = now
}

// holders gives the names of the people who hold each item now, except for one person.
func (d *Desk[V]) holders(except *person[V], now time.Time) map[int][]string {
	holders := map[int][]string{}
	for _, p := range d.people {
		if p != except && p.holds(now) {
			holders[p.item] = append(holders[p.item], p.name)
		}
	}
	return holders
}

// Decide records a person's decision on an item and returns once it is on disk. Decide also accepts
// a decision after the claim has run out. If again is set, a second decision replaces the first,
// and Undo restores the first. Otherwise, or if the person skips a decided item, the error is
// ErrDecided and the first decision stays.
func (d *Desk[V]) Decide(name, item string, look Look, skipped bool, value V, again bool) (Decision[V], error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	decision := Decision[V]{Person: name, Item: item, At: d.moment(), Skipped: skipped, Value: value}
	i, known := d.index[item]
	if !known {
		return decision, ErrUnknownItem
	}
	decision.Simulated = d.items[i].Simulated
	p, now := d.person(name), d.now()
	if at := slices.IndexFunc(p.made, decision.sameItem); at >= 0 {
		if !again || skipped && !p.made[at].Skipped {
			return decision, ErrDecided
		}
		decision.earlier = new(p.made[at])
	}
	spent, isTimed := p.spent[i]+now.Sub(p.shown), p.item == i
	if !isTimed {
		// The desk knows no present look at this item, as after a restart or if the person opened another
		// item later, so the page's own record counts.
		spent = now.Sub(look.Shown)
		isTimed = spent < oldestLook // false for an unknown time, which is zero
	}
	if isTimed {
		decision.Seconds = new(max(spent-look.Away, 0).Round(time.Millisecond).Seconds())
	}
	if err := d.store(p, decision); err != nil {
		return decision, err
	}
	delete(p.spent, i)
	if p.item == i {
		p.item = noItem
	}
	return decision, nil
}

// moment is the present time as the tables store it.
func (d *Desk[V]) moment() time.Time { return d.now().UTC().Truncate(time.Microsecond) }

// sameItem reports whether two decisions are on the same item.
func (d Decision[V]) sameItem(other Decision[V]) bool { return d.Item == other.Item }

// store writes a decision to the disk, and then replaces the person's decision on the item.
func (d *Desk[V]) store(p *person[V], decision Decision[V]) error {
	if err := d.journal.Append(decision); err != nil {
		return err
	}
	p.made = slices.DeleteFunc(p.made, decision.sameItem)
	if !decision.Undone {
		p.made = append(p.made, decision)
		// An earlier decision that Undo restores has its earlier time.
		slices.SortStableFunc(p.made, func(a, b Decision[V]) int { return a.At.Compare(b.At) })
	}
	return nil
}

// Undo takes back a person's last decision and gives the person the item again. If the decision had
// replaced an earlier one, the earlier decision holds again. Undo returns once this is on disk.
func (d *Desk[V]) Undo(name string) (last Decision[V], err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	p, now := d.person(name), d.now()
	if len(p.made) == 0 {
		return last, ErrNothing
	}
	last = p.made[len(p.made)-1]
	record := last
	record.Undone, record.At = true, d.moment()
	if last.earlier != nil { // The journal gets the earlier decision again: an item's last record counts.
		record = *last.earlier
	}
	if err := d.store(p, record); err != nil {
		return last, err
	}
	i := d.index[last.Item]
	p.show(noItem, now)      // This keeps the time spent on the present item.
	if last.Seconds != nil { // The first look's time still counts; otherwise nearly every new decision would be quick.
		p.spent[i] = time.Duration(*last.Seconds * float64(time.Second))
	}
	p.show(i, now)
	return last, nil
}
