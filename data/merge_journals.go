package data

import "github.com/captionlake/captionlake/data/journal"

// mergeJournal adds lines of the other lake's journal of a unit to the lake's journal of the unit.
// It adds the lines that are neither in the lake's journal nor among the unit's calls, and reports
// whether it added a line. It always rewrites the journal, because it finds new lines only while it
// writes.
func mergeJournal(l *Lake, other *Lake, unit string) (added bool, err error) {
	name, err := journalFile(unit)
	if err != nil {
		return false, err
	}
	known := map[callIdentity]bool{}
	for c, err := range ProjectUnit[callIdentity](l, Calls, unit) {
		if err != nil {
			return false, err
		}
		known[c] = true
	}
	for line, err := range journalLines(l, name) {
		if err != nil {
			return false, err
		}
		known[identity(line)] = true
	}
	both := func(yield func([]byte, error) bool) {
		for line, err := range journalLines(l, name) {
			if !yield(line, err) {
				return
			}
		}
		for line, err := range journalLines(other, name) {
			fresh := err == nil && !known[identity(line)]
			added = added || fresh
			if (err != nil || fresh) && !yield(line, err) {
				return
			}
		}
	}
	err = rewriteJournal(l, name, both)
	return added && err == nil, err
}

// A callIdentity has the columns that identify a call.
type callIdentity struct {
	RequestHash string `json:"request_hash" parquet:"request_hash"`
	Repeat      int32  `json:"repeat" parquet:"repeat"`
}

// identity identifies a line of a journal. If the line is a call, it is identified by request and
// repeat, as calls in tables, otherwise by a digest of the whole line.
func identity(line []byte) callIdentity {
	c, err := journal.Decode[callIdentity](line)
	if err != nil || c.RequestHash == "" {
		c = callIdentity{RequestHash: Fingerprint(string(line))}
	}
	return c
}
