package ingest

import (
	"fmt"
	"strings"
)

// maxFaults is how many faults of a file are kept; the rest are counted. A file with more is of the wrong kind
// rather than in need of a list.
const maxFaults = 100

// A Fault is one fault of a foreign file.
type Fault struct {
	Path    string
	Line    int // from 1; 0 when unknown
	Col     int // from 1, in bytes; 0 when unknown
	Message string
}

// String gives the form that editors and terminals understand: path:line:col: message.
func (f Fault) String() string {
	switch {
	case f.Line == 0:
		return f.Path + ": " + f.Message
	case f.Col == 0:
		return fmt.Sprintf("%s:%d: %s", f.Path, f.Line, f.Message)
	}
	return fmt.Sprintf("%s:%d:%d: %s", f.Path, f.Line, f.Col, f.Message)
}

// Faults are all the faults of one file, as an error.
type Faults struct {
	All     []Fault
	Dropped int  // faults beyond the first hundred
	Spared  bool // each is of one file of a folder, of which the others were taken
}

func (f *Faults) add(x Fault) {
	if len(f.All) >= maxFaults {
		f.Dropped++
		return
	}
	f.All = append(f.All, x)
}

// Error lists the faults, one to a line.
func (f *Faults) Error() string {
	lines := make([]string, 0, len(f.All)+1)
	for _, x := range f.All {
		lines = append(lines, x.String())
	}
	if f.Dropped > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", f.Dropped))
	}
	return strings.Join(lines, "\n")
}

// Files counts the files that the faults are in.
func (f *Faults) Files() int {
	paths := map[string]bool{}
	for _, x := range f.All {
		paths[x.Path] = true
	}
	if len(paths) > 1 {
		return len(paths) + f.Dropped // The faults of a folder are one for each file.
	}
	return len(paths)
}
