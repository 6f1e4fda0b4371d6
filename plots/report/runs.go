package report

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// A Run is one execution of what wrote rows of base tables: the marts of a report come from these rows.
type Run struct {
	ID          string    `json:"run_id"`
	Stage       string    `json:"stage"` // what ran, such as simulate or answer
	Protocol    string    `json:"protocol,omitempty"`
	Source      string    `json:"source"`
	Provenance  string    `json:"provenance"`
	ToolVersion string    `json:"tool_version"`
	Tables      []string  `json:"tables"` // base tables that it wrote to
	Rows        int64     `json:"rows"`
	Started     time.Time `json:"started_at"`
	Finished    time.Time `json:"finished_at"`
}

// A RunGroup is what a page shows in one line: runs of one stage that wrote rows of one kind to the same tables.
type RunGroup struct {
	Stage, Protocol, Provenance, ToolVersion string
	Tables                                   []string
	Runs                                     []Run // by the time that they started
	Sources                                  []string
	MoreSources                              int // sources that are not listed
	Rows                                     int64
	First, Last                              string
}

// mostSources is how many sources of a group of runs are listed.
const mostSources = 6

// GroupRuns gathers runs by table, stage and kind.
func GroupRuns(runs []Run) []RunGroup {
	byGroup := func(a, b Run) int {
		return cmp.Or(slices.Compare(a.Tables, b.Tables), strings.Compare(a.Stage, b.Stage), strings.Compare(a.Protocol, b.Protocol),
			strings.Compare(a.Provenance, b.Provenance), strings.Compare(a.ToolVersion, b.ToolVersion))
	}
	sorted := slices.SortedFunc(slices.Values(runs), func(a, b Run) int {
		return cmp.Or(byGroup(a, b), a.Started.Compare(b.Started), strings.Compare(a.ID, b.ID))
	})
	var out []RunGroup
	for i, r := range sorted {
		if i == 0 || byGroup(sorted[i-1], r) != 0 {
			out = append(out, RunGroup{Stage: r.Stage, Protocol: r.Protocol, Provenance: r.Provenance, ToolVersion: r.ToolVersion, Tables: r.Tables})
		}
		g := &out[len(out)-1]
		g.Runs = append(g.Runs, r)
		g.Rows += r.Rows
	}
	for i := range out {
		g := &out[i]
		last := g.Runs[0].Finished
		for _, r := range g.Runs {
			if r.Source != "" && !slices.Contains(g.Sources, r.Source) {
				g.Sources = append(g.Sources, r.Source)
			}
			if r.Finished.After(last) {
				last = r.Finished
			}
		}
		if more := len(g.Sources) - mostSources; more > 0 {
			g.Sources, g.MoreSources = g.Sources[:mostSources], more
		}
		g.First, g.Last = g.Runs[0].Started.UTC().Format(time.DateTime), last.UTC().Format(time.DateTime)
	}
	return out
}

// BaseTables returns the base tables that a mart was built from, itself or through other marts, in the order of their names. Its inputs
// are words of the form name=fingerprint; a name that is no mart is a base table.
func BaseTables(mart string, marts map[string]Mart) []string {
	found := map[string]bool{}
	var out []string
	var walk func(string)
	walk = func(name string) {
		if found[name] {
			return
		}
		found[name] = true
		m, ok := marts[name]
		if !ok {
			out = append(out, name)
			return
		}
		for _, input := range strings.Fields(m.Inputs) {
			name, _, _ := strings.Cut(input, "=")
			walk(name)
		}
	}
	walk(mart)
	slices.Sort(out)
	return out
}

// Stages names the stages of the runs that wrote rows of an item's kind to the base tables behind it, each with the number of runs.
func (r *Report) Stages(item Item) []string {
	behind := map[string]bool{}
	for _, m := range r.Marts {
		if slices.ContainsFunc(item.Rows, func(u Use) bool { return u.Mart == m.Name }) {
			for _, t := range m.Tables {
				behind[t] = true
			}
		}
	}
	count := map[string]int{}
	for _, run := range r.Runs {
		if run.Provenance == item.Provenance && slices.ContainsFunc(run.Tables, func(t string) bool { return behind[t] }) {
			count[run.Stage]++
		}
	}
	var out []string
	for _, stage := range slices.Sorted(maps.Keys(count)) {
		out = append(out, fmt.Sprintf("%s (%d)", stage, count[stage]))
	}
	return out
}
