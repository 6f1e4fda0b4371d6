package engine

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"

	"github.com/captionlake/captionlake/data"
)

// results are the rows of a unit in progress.
type results struct {
	lake   *data.Lake
	unit   data.Unit
	tx     *data.Tx
	sink   rowSink
	rows   int
	digest [4]uint64 // sum of the digests of each item's rows, since items may come in any order
	same   bool      // the lake has the rows already
}

// openResults begins to write the rows of a unit. The caller ends the writing with tx.Abort, which
// does nothing after commit.
func openResults(l *data.Lake, u *unit) (*results, error) {
	r := &results{lake: l, unit: u.results()}
	var err error
	if r.tx, err = l.Begin(r.unit); err != nil {
		return nil, err
	}
	if r.sink, err = u.rows.open(r.tx); err != nil {
		r.tx.Abort()
	}
	return r, err
}

// write writes the rows of an item, and adds them to the digest. The outcome of a pending request
// is nil and has no rows.
func (r *results) write(item *item, o *Outcome) error {
	if o == nil {
		return nil
	}
	rows, content, err := r.sink(item.of, o)
	r.rows += rows
	if rows > 0 {
		sum := sha256.Sum256(content)
		for i := range r.digest {
			r.digest[i] += binary.BigEndian.Uint64(sum[8*i:])
		}
	}
	return err
}

// writeOut completes the file of the rows for commit to publish. If the lake has the same rows,
// nothing is written.
func (r *results) writeOut() (err error) {
	// rows/1 is the version of this fingerprint.
	r.unit.Fingerprint = data.Fingerprint("rows/1", r.unit.Protocol, fmt.Sprint(r.digest))
	if r.same, err = r.lake.Done(r.unit); err != nil || r.same {
		return err
	}
	r.tx.SetFingerprint(r.unit.Fingerprint)
	return r.tx.WriteOut()
}

// commit publishes the rows that were written.
func (r *results) commit() error {
	if r.same {
		return nil
	}
	return r.tx.Commit()
}
