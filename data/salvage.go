package data

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"path"
	"strings"
)

// byteRange is a part of a file, from a place up to another.
type byteRange struct{ from, to int64 }

// A Salvage says what became of a damaged journal.
type Salvage struct {
	Unit    string `json:"unit"`
	Kept    int    `json:"kept"`    // records that could be read
	Places  int    `json:"places"`  // places of the file that could not
	Skipped int64  `json:"skipped"` // their bytes, of which a copy was set aside
}

// Salvage makes every damaged journal of the lake one that can be read: what cannot be read is cut out, and a copy of it stays
// beside the journal. The requests whose replies were in it are then pending again. Sound journals are left alone, and not
// reported. The lake must be open for writing.
func (l *Lake) Salvage() ([]Salvage, error) {
	if err := l.writable(); err != nil {
		return nil, err
	}
	units, err := l.Journals()
	if err != nil {
		return nil, err
	}
	var all []Salvage
	for _, unit := range units {
		release, err := l.Hold(unit)
		if errors.Is(err, ErrLocked) {
			l.notice(fmt.Sprintf("the journal is left alone: %v", err))
			continue
		}
		if err != nil {
			return all, err
		}
		s, err := l.salvage(unit)
		release()
		if err != nil {
			return all, err
		}
		if s.Places > 0 {
			all = append(all, s)
		}
	}
	return all, nil
}

func (l *Lake) salvage(unit string) (s Salvage, err error) {
	s.Unit = unit
	name := journalDir + "/" + unit + journalSuffix
	f, err := l.store.Open(name)
	if err != nil {
		return s, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	var damaged []byteRange
	for _, err := range l.salvageable(f, name, func(r byteRange) { damaged = append(damaged, r) }) {
		if err != nil {
			return s, err
		}
		s.Kept++
	}
	for _, r := range damaged {
		s.Places++
		s.Skipped += r.to - r.from
	}
	if len(damaged) == 0 {
		return s, nil
	}
	if err := l.setAside(name, f, damaged, "its disk has damaged it"); err != nil {
		return s, err
	}
	_, err = l.rewriteJournal(name, l.salvageable(f, name, func(byteRange) {}))
	return s, err
}

// salvageable walks through the records of a journal and reports what is none. A torn end is none; zeros at the end are no
// damage.
func (l *Lake) salvageable(f File, name string, damaged func(byteRange)) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		r := newRecordReader(f, l.Path(name))
		if r.headless { // The head is damaged, or gone.
			r.err = nil
			r.end--
			first := r.resync()
			damaged(byteRange{0, first})
			r.seek(first)
		}
		for {
			for r.next() {
				if !yield(r.payload, nil) {
					return
				}
			}
			if r.err != nil && !errors.Is(r.err, ErrJournalDamaged) {
				yield(nil, r.err)
				return
			}
			from, torn := r.end, r.err == nil
			if r.err = nil; torn && r.zerosFrom(from) {
				return
			}
			to := r.resync()
			if r.err != nil {
				yield(nil, r.err)
				return
			}
			damaged(byteRange{from, to})
			if to >= f.Size() {
				return
			}
			r.seek(to)
		}
	}
}

// setAside copies parts of a journal to a file beside it that has a name of its own, and says so. Parts of zeros hold nothing.
func (l *Lake) setAside(name string, f File, parts []byteRange, why string) error {
	temp := l.Temp(path.Base(name) + cutSuffix)
	file, err := l.store.Create(temp)
	if err != nil {
		return err
	}
	var copied, filled int64
	buffer := make([]byte, 64<<10)
	for _, p := range parts {
		for at := p.from; at < p.to && err == nil; {
			n, readErr := f.ReadAt(buffer[:min(int64(len(buffer)), p.to-at)], at)
			if n == 0 {
				err = readErr
				break
			}
			filled += int64(len(bytes.Trim(buffer[:n], "\x00")))
			at, copied = at+int64(n), copied+int64(n)
			_, err = file.Write(buffer[:n])
		}
	}
	if err = errors.Join(err, file.Close()); err != nil || filled == 0 {
		return errors.Join(err, l.store.Remove(temp))
	}
	copyName := ""
	for n := 1; ; n++ {
		copyName = fmt.Sprintf("%s.%d%s", strings.TrimSuffix(name, journalSuffix), n, cutSuffix)
		taken, err := l.store.Open(copyName)
		if errors.Is(err, fs.ErrNotExist) {
			break
		}
		if err != nil {
			return err
		}
		if err := taken.Close(); err != nil {
			return err
		}
	}
	if err := l.store.Move(temp, copyName); err != nil {
		return err
	}
	l.notice(fmt.Sprintf("%s: %s: %d bytes were cut off, and a copy of them is %s; what they held is asked for again", l.Path(name), why, copied, l.Path(copyName)))
	return nil
}

// rewriteJournal replaces a journal by one with the given payloads, in one step, and returns its length.
func (l *Lake) rewriteJournal(name string, payloads iter.Seq2[[]byte, error]) (length int64, err error) {
	temp := l.Temp(path.Base(name))
	file, err := l.store.Create(temp)
	if err != nil {
		return 0, err
	}
	w := bufio.NewWriterSize(file, 1<<20)
	put := func(record []byte) {
		n, writeErr := w.Write(record)
		length, err = length+int64(n), errors.Join(err, writeErr)
	}
	for payload, readErr := range payloads {
		if err = errors.Join(err, readErr); err != nil {
			break
		}
		if length == 0 { // Without a record the file stays empty: there is no work in flight.
			put([]byte(recordHead))
		}
		put(appendRecord(nil, payload))
	}
	if length > 0 {
		put(appendRecord(nil, nil)) // All is on disk before the file gets its name.
	}
	if err = errors.Join(err, w.Flush(), file.Close()); err != nil {
		return 0, errors.Join(err, l.store.Remove(temp))
	}
	return length, l.store.Move(temp, name)
}
