package data

import (
	"crypto/sha256"
	"errors"
	"io/fs"
	"iter"
	"strconv"
)

// takeJournals adds the records of the other lake's journals to those of this one, but for replies that this one has.
func (l *Lake) takeJournals(other *Lake, units []string) (taken int, err error) {
	for _, unit := range units {
		came, err := l.takeJournal(other, unit)
		if err != nil {
			return taken, err
		}
		if came {
			taken++
		}
	}
	return taken, nil
}

// takeJournal adds to a journal what that of another lake has beyond it and beyond the recorded calls.
func (l *Lake) takeJournal(other *Lake, unit string) (came bool, err error) {
	name, err := journalFile(unit)
	if err != nil {
		return false, err
	}
	known := map[[sha256.Size]byte]bool{}
	for c, err := range ProjectUnit[callIdentity](l, Calls, unit) {
		if err != nil {
			return false, err
		}
		known[c.digest()] = true
	}
	for payload, err := range l.payloads(name) {
		if err != nil {
			return false, err
		}
		known[identity(payload)] = true
	}
	fresh := func(yield func([]byte, error) bool) {
		for payload, err := range other.payloads(name) {
			if (err != nil || !known[identity(payload)]) && !yield(payload, err) {
				return
			}
		}
	}
	for _, err := range fresh {
		came = true
		if err != nil {
			return false, err
		}
		break
	}
	if !came {
		return false, nil
	}
	_, err = l.rewriteJournal(name, func(yield func([]byte, error) bool) {
		for _, payloads := range []iter.Seq2[[]byte, error]{l.payloads(name), fresh} {
			for payload, err := range payloads {
				if !yield(payload, err) {
					return
				}
			}
		}
	})
	return err == nil, err
}

// payloads streams the records of a journal; none when it is absent. They share memory.
func (l *Lake) payloads(name string) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		f, err := l.store.Open(name)
		if errors.Is(err, fs.ErrNotExist) {
			return
		}
		if err != nil {
			yield(nil, err)
			return
		}
		for payload, err := range newRecordReader(f, l.Path(name)).records() {
			if !yield(payload, err) {
				_ = f.Close() // It was only read.
				return
			}
		}
		if err := f.Close(); err != nil {
			yield(nil, err)
		}
	}
}

// A callIdentity is what a call is known by.
type callIdentity struct {
	RequestHash string `parquet:"request_hash"`
	Repeat      int32  `parquet:"repeat"`
}

func (c callIdentity) digest() [sha256.Size]byte {
	return sha256.Sum256([]byte(c.RequestHash + "\x00" + strconv.Itoa(int(c.Repeat))))
}

// identity tells the records of journals apart: calls by their request, others by all that they say.
func identity(payload []byte) [sha256.Size]byte {
	if c, err := decodeRow[callIdentity](payload); err == nil && c.RequestHash != "" {
		return c.digest()
	}
	return sha256.Sum256(payload)
}
