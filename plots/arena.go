package plots

import (
	"fmt"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/arena"
)

// What the figures of CapArena share: rows of captioners, judges or annotators with values and intervals in several panels.

// arenaPeople is the judge that stands for all people in the marts of CapArena.
const arenaPeople = arena.People

// ArenaTitle is the name of an arena to show to people, by the benchmark that its battles carry.
func ArenaTitle(benchmark string) string {
	b, _ := data.BenchmarkOf(data.BenchmarkCapArena)
	return b.Title + map[bool]string{true: "", false: "-Auto"}[benchmark == data.BenchmarkCapArena]
}

// Annotator names an annotator of votes: released votes are by people who are not named, and all annotators together are named so.
func Annotator(name string) string {
	switch name {
	case "":
		return "All together"
	case arenaPeople:
		return "Not named (released votes)"
	}
	return name
}

// arenaTable begins to read the rows of CapArena of a mart that also has those of CapArena-Auto.
func arenaTable(ts Tables, mart string) *Reading {
	return ts.Read(mart).Where("benchmark", data.BenchmarkCapArena)
}

// boolOrder compares truth values, false before true.
func boolOrder(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

func plural(n int, one, many string) string {
	if n == 1 {
		return "1 " + one
	}
	return fmt.Sprintf("%d %s", n, many)
}
