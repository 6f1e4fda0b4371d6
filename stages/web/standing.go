package web

import (
	"cmp"
	"slices"
	"time"
)

// Last is a person's last decision, if there is one.
func (d *Desk[V]) Last(name string) (decision Decision[V], ok bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	if p := d.people[name]; p != nil && len(p.made) > 0 {
		return p.made[len(p.made)-1], true
	}
	return decision, false
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
	return d.progress
}

// PersonProgress is the progress of one person.
type PersonProgress struct {
	Name string
	Counts
	Median float64 // seconds of a decision, without quick ones; 0 if unknown
	Last   time.Time
	Pace   string // the result of Pace; may be empty
}

// Team is the progress of each person with a decision, in the order of their arrival.
func (d *Desk[V]) Team() (team []PersonProgress) {
	d.mu.Lock()
	defer d.mu.Unlock()
	average := d.average()
	for _, name := range d.names {
		one := d.people[name]
		if len(one.made) == 0 {
			continue
		}
		seconds := one.seconds(len(one.made))
		team = append(team, PersonProgress{name, one.counts, medianOf(seconds), one.made[len(one.made)-1].At,
			Pace(seconds, average)})
	}
	return team
}

// seconds are the times of a person's last timed decisions, at most so many, in order.
func (p *person[V]) seconds(most int) []float64 {
	var seconds []float64
	for _, decision := range slices.Backward(p.made) {
		if len(seconds) == most {
			break
		}
		if decision.timed() {
			seconds = append(seconds, *decision.Seconds)
		}
	}
	slices.Reverse(seconds)
	return seconds
}

// average is the median time of all decisions.
func (d *Desk[V]) average() float64 {
	var all []float64
	for _, p := range d.people {
		all = append(all, p.seconds(len(p.made))...)
	}
	return medianOf(all)
}

// Of is the progress of one person, with the result of Pace.
func (d *Desk[V]) Of(name string) (c Counts, pace string) {
	d.mu.Lock()
	defer d.mu.Unlock()
	p := d.people[name]
	if p == nil {
		return c, ""
	}
	return p.counts, Pace(p.seconds(paceWindow), d.average())
}

// People are the names of people who have decided on or got an item, in the order of their arrival.
func (d *Desk[V]) People() []string {
	d.mu.Lock()
	defer d.mu.Unlock()
	return slices.Clone(d.names)
}

// About are the decisions on an item, without skips, in the order in which they were made.
func (d *Desk[V]) About(item string) (decisions []Decision[V]) {
	d.mu.Lock()
	defer d.mu.Unlock()
	i, known := d.index[item]
	if !known {
		return nil
	}
	for _, p := range d.people {
		if at, made := p.decisions[i]; made && !p.made[at].Skipped {
			decisions = append(decisions, p.made[at])
		}
	}
	slices.SortFunc(decisions,
		func(a, b Decision[V]) int { return cmp.Or(a.At.Compare(b.At), cmp.Compare(a.Person, b.Person)) })
	return decisions
}

// A Standing is the state of an item.
type Standing struct {
	Decided int    // people who decided on it
	Mine    bool   // the asking person is one of them
	Holder  string // another person who has it
}

// Standings are the states of all items, in order, for one person.
func (d *Desk[V]) Standings(name string) []Standing {
	d.mu.Lock()
	defer d.mu.Unlock()
	p := d.person(name)
	all := make([]Standing, len(d.items))
	for i := range all {
		all[i].Decided = d.decided[i]
	}
	for i, at := range p.decisions {
		all[i].Mine = !p.made[at].Skipped
	}
	for i, holders := range d.holders(p, d.now()) {
		all[i].Holder = holders[0]
	}
	return all
}

// Shared are the decisions on each item with several decisions, without skips.
func (d *Desk[V]) Shared() [][]Decision[V] {
	d.mu.Lock()
	defer d.mu.Unlock()
	place := map[int]int{}
	var shared [][]Decision[V]
	for _, name := range d.names {
		p := d.people[name]
		for i, at := range p.decisions {
			if d.decided[i] < 2 || p.made[at].Skipped {
				continue
			}
			if _, known := place[i]; !known {
				place[i] = len(shared)
				shared = append(shared, nil)
			}
			shared[place[i]] = append(shared[place[i]], p.made[at])
		}
	}
	return shared
}
