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
	last := made[len(made)-1]
	return &last
}

// Progress counts the decisions on all items.
type Progress struct {
	Items    int // items to decide on
	Complete int // items that need nobody
	Needed   int // decisions needed in all
	Made     int // decisions made, without more than an item needs
}

// Progress counts the decisions on all items.
func (d *Desk[V]) Progress() Progress {
	d.mu.Lock()
	defer d.mu.Unlock()
	progress := Progress{Items: len(d.items)}
	for i, n := range d.left() {
		need := d.items[i].Need
		progress.Needed += need
		progress.Made += need - max(n, 0)
		if n <= 0 {
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
	Last    time.Time // of a decision; zero without one
	Pace    string    // the result of Pace; may be empty
}

// Slow is the number of decisions that were not quick.
func (p PersonProgress) Slow() int { return p.Decided - p.Quick }

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

// Aside reports whether quick decisions are ignored.
func (d *Desk[V]) Aside() bool { return d.aside }

// Of is the progress of one person.
func (d *Desk[V]) Of(name string) PersonProgress {
	d.mu.Lock()
	defer d.mu.Unlock()
	return d.progress(d.person(name))
}

func (d *Desk[V]) progress(p *person[V]) PersonProgress {
	progress := PersonProgress{Name: p.name}
	for _, decision := range p.made {
		progress.Last = decision.At
		switch {
		case decision.Skipped:
			progress.Skipped++
		case decision.Quick():
			progress.Quick++
			fallthrough
		default:
			progress.Decided++
		}
	}
	var all []float64
	for _, other := range d.people {
		all = append(all, other.seconds()...)
	}
	own := p.seconds()
	progress.Median, progress.Pace = medianOf(own), Pace(own, medianOf(all))
	return progress
}

// seconds are the known times of a person's decisions in order, without skipped and quick ones.
func (p *person[V]) seconds() (seconds []float64) {
	for _, decision := range p.made {
		if !decision.Skipped && decision.Seconds != nil && !decision.Quick() {
			seconds = append(seconds, *decision.Seconds)
		}
	}
	return seconds
}

// People are the names of people who have decided on or got an item, in the order of their arrival.
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
	of := map[string][]Decision[V]{}
	for _, p := range d.people {
		for _, decision := range p.made {
			if !decision.Skipped {
				of[decision.Item] = append(of[decision.Item], decision)
			}
		}
	}
	for _, decisions := range of {
		slices.SortFunc(decisions, Earlier[V])
	}
	return of
}

// Holder names the other people who have an item now; empty without one.
func (d *Desk[V]) Holder(name, item string) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return strings.Join(d.holders(d.person(name), d.now())[d.index[item]], ", ")
}
