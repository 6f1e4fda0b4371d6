package engine

import (
	"crypto/sha256"
	"encoding/binary"

	"github.com/captionlake/captionlake/data"
)

// results are the rows of a unit that is under way: one transaction for each unit of rows.
type results struct {
	lake  *data.Lake
	units []data.Unit
	txs   []*data.Tx // of the units
	sinks []rowSink[any]
	rows  int
}

// resultUnits are the units of the lake that hold a unit's rows.
func (u *unit) resultUnits() []data.Unit {
	var all []data.Unit
	for _, r := range u.Results {
		all = append(all, data.Unit{Stage: r.Stage, Name: r.Name, Protocol: r.Protocol, Source: "calls", Provenance: u.provenance()})
	}
	return all
}

// openResults begins to write the rows of a unit. The caller ends it with abort, which after commit does nothing.
func openResults(l *data.Lake, u *unit) (all *results, err error) {
	all = &results{lake: l, units: u.resultUnits()}
	defer func() {
		if err != nil {
			all.abort()
		}
	}()
	for i, unit := range all.units {
		tx, err := l.Begin(unit)
		if err != nil {
			return all, err
		}
		all.txs = append(all.txs, tx)
		for _, rows := range u.Results[i].Tables {
			sink, err := rows.open(tx)
			if err != nil {
				return all, err
			}
			all.sinks = append(all.sinks, sink)
		}
	}
	return all, nil
}

// write makes the rows of an item, none while its request is pending. Those that nobody was asked for are digested, because no reply tells
// them from others.
func (r *results) write(item any, o *Outcome, sum *digest) error {
	if o == nil {
		return nil
	}
	for _, sink := range r.sinks {
		rows, said, err := sink(item, o)
		if err != nil {
			return err
		}
		r.rows += rows
		if !o.Asked {
			sum.add(string(said))
		}
	}
	return nil
}

// writeOut completes the files of the rows, under a fingerprint of what they were made from, for commit to publish. Rows that the lake has
// from the same are left as they are.
func (r *results) writeOut(fingerprint ...string) error {
	for i, unit := range r.units {
		unit.Fingerprint = data.Fingerprint(append(fingerprint, unit.Protocol)...)
		done, err := r.lake.Done(unit)
		if err != nil {
			return err
		}
		if done {
			r.txs[i].Abort()
			r.txs[i] = nil
			continue
		}
		r.txs[i].SetFingerprint(unit.Fingerprint)
		if err := r.txs[i].WriteOut(); err != nil {
			return err
		}
	}
	return nil
}

// commit publishes the rows that were written.
func (r *results) commit() error {
	for _, tx := range r.txs {
		if tx != nil {
			if err := tx.Commit(); err != nil {
				return err
			}
		}
	}
	return nil
}

func (r *results) abort() {
	for _, tx := range r.txs {
		if tx != nil {
			tx.Abort()
		}
	}
}

// A digest is a sum of what was added, in any order.
type digest [4]uint64

func (d *digest) add(parts ...string) {
	sum := sha256.Sum256([]byte(data.Fingerprint(parts...)))
	for i := range d {
		d[i] += binary.BigEndian.Uint64(sum[8*i:])
	}
}
