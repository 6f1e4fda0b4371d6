package web

import (
	"slices"
	"strings"
	"time"
)

// Last is a person's last decision; nil without one.
func (d *Desk[V]) Last(name string) *Decision[V] {
	d.mu.Lock()
	defer d.mu.Unlock()
	made := d.person(name).made
	if len(made) == 0 {
		return nil
	}
	return new(made[len(made)-1])
}

// Progress says how far all people together have come.
type Progress struct {
	Items    int // items to decide on
	Complete int // items that need no further decision
	Needed   int // decisions that all items need together
	Made     int // needed decisions that people have made; further decisions on an item are not counted
}

// Progress counts the decisions on all items.
func (d *Desk[V]) Progress() Progress {
	d.mu.Lock()
	defer d.mu.Unlock()
	progress := Progress{Items: len(d.items)}
	for i, stillNeeded := range d.stillNeeded() {
		need := d.items[i].Need
		progress.Needed += need
		progress.Made += need - max(stillNeeded, 0)
		if stillNeeded <= 0 {
			progress.Complete++
		}
	}
	return progress
}

// PersonProgress is the progress of one person.
type PersonProgress struct {
	Name    string
	Decided int // without skips
	Skipped int
	Quick   int       // decisions in less than QuickSeconds
	Median  float64   // seconds of a decision, without quick ones; 0 if unknown
	Last    time.Time // of the last decision; zero without one
	Pace    string    // the message of the function Pace; may be empty
}

// Unhurried is the number of decisions that were not quick.
func (p PersonProgress) Unhurried() int { return p.Decided - p.Quick }

// Team is the progress of each person with a decision, in the order of their arrival.
func (d *Desk[V]) Team() (team []PersonProgress) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, p := range d.people {
		if len(p.made) > 0 {
			team = append(team, d.progress(p))
		}
	}
	return team
}

// IgnoresQuick reports whether quick decisions do not count, so that their items are offered again.
func (d *Desk[V]) IgnoresQuick() bool { return d.ignoreQuick }

// Of is the progress of one person.
func (d *Desk[V]) Of(name string) PersonProgress {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.progress(d.person(name))
}

// progress counts a person's decisions, and compares their times with everybody's.
func (d *Desk[V]) progress(p *person[V]) PersonProgress {
	progress := PersonProgress{Name: p.name}
	for _, decision := range p.made {
		progress.Last = decision.At
		if decision.Skipped {
			progress.Skipped++
			continue
		}
		progress.Decided++
		if decision.Quick() {
			progress.Quick++
		}
	}
	var everyone []float64
	for _, person := range d.people {
		everyone = append(everyone, person.seconds()...)
	}
	own := p.seconds()
	progress.Median, progress.Pace = medianOf(own), Pace(own, medianOf(everyone))
	return progress
}

// seconds are the known times of a person's decisions, from the first to the last, without skipped
// and quick decisions.
func (p *person[V]) seconds() (seconds []float64) {
	for _, decision := range p.made {
		if !decision.Skipped && decision.Seconds != nil && !decision.Quick() {
			seconds = append(seconds, *decision.Seconds)
		}
	}
	return seconds
}

// People are the names of all people, in the order of their arrival.
func (d *Desk[V]) People() (names []string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, p := range d.people {
		names = append(names, p.name)
	}
	return names
}

// Decisions are the decisions on each item, without skips, in the order in which they were made.
func (d *Desk[V]) Decisions() map[string][]Decision[V] {
	d.mu.Lock()
	defer d.mu.Unlock()
	byItem := map[string][]Decision[V]{}
	for _, p := range d.people {
		for _, decision := range p.made {
			if !decision.Skipped {
				byItem[decision.Item] = append(byItem[decision.Item], decision)
			}
		}
	}
	for _, decisions := range byItem {
		slices.SortFunc(decisions, Earlier[V])
	}
	return byItem
}

// Holder names the people who have an item now, except for the person with the name; empty if there
// is nobody else.
func (d *Desk[V]) Holder(name, item string) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return strings.Join(d.holders(d.person(name), d.now())[d.index[item]], ", ")
}
