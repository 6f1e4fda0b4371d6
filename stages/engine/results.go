package engine

import (
	"crypto/sha256"
	"encoding/binary"

	"github.com/captionlake/captionlake/data"
)

// results are the rows of a unit in progress.
type results struct {
	lake *data.Lake
	unit data.Unit
	tx   *data.Tx
	sink rowSink[any]
	rows int
	same bool // the lake has the rows already
}

// openResults begins to write the rows of a unit. The caller ends it with abort. After commit,
// abort does nothing.
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

// write makes the rows of an item; none while its request is pending. Rows without a request are
// digested, because no reply identifies them.
func (r *results) write(of any, o *Outcome, sum *digest) error {
	if o == nil {
		return nil
	}
	rows, said, err := r.sink(of, o)
	r.rows += rows
	if err == nil && !o.Asked {
		sum.add(string(said))
	}
	return err
}

// writeOut completes the file of the rows for commit to publish. Its fingerprint digests their
// inputs. If the lake has rows with the same fingerprint, nothing is written.
func (r *results) writeOut(fingerprint ...string) (err error) {
	r.unit.Fingerprint = data.Fingerprint(append(fingerprint, r.unit.Protocol)...)
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

// A digest is a sum over its parts, in any order.
type digest [4]uint64

func (d *digest) add(parts ...string) {
	sum := sha256.Sum256([]byte(data.Fingerprint(parts...)))
	for i := range d {
		d[i] += binary.BigEndian.Uint64(sum[8*i:])
	}
}
