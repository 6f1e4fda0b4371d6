package file

import (
	"fmt"
	"strings"
)

// maxFaults is how many faults of a file are kept; the rest are only counted. A file with more
// faults is most likely not of the format.
const maxFaults = 100

// A Fault is one fault of a foreign file.
type Fault struct {
	Path    string `json:"path"`
	Line    int    `json:"line,omitempty"` // from 1; 0 if unknown
	Col     int    `json:"col,omitempty"`  // from 1, in bytes; 0 if unknown
	Message string `json:"reason"`
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

// Faults are all faults of one file, as an error. Their JSON is kept in runs.detail for a folder of
// pictures.
type Faults struct {
	All     []Fault `json:"files_left_out"`
	Dropped int     `json:"more_files_left_out"` // faults beyond maxFaults
	// Spared says that each fault is about one file of a folder, and that the other files were loaded.
	Spared bool `json:"-"`
}

// Add keeps a fault, or only counts it if maxFaults are kept.
func (f *Faults) Add(fault Fault) {
	if len(f.All) >= maxFaults {
		f.Dropped++
		return
	}
	f.All = append(f.All, fault)
}

// Error lists the faults, one to a line.
func (f *Faults) Error() string {
	lines := make([]string, 0, len(f.All)+1)
	for _, fault := range f.All {
		lines = append(lines, fault.String())
	}
	if f.Dropped > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", f.Dropped))
	}
	return strings.Join(lines, "\n")
}
