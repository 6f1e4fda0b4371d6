package ingest

import (
	"errors"
	"fmt"
)

// readAhead is how many values of a file are read before the first of them has been used.
const readAhead = 4

// An entry is a member of the object that a file is, with the faults that were found in it and before it.
type entry struct {
	key    string
	at     pos
	value  node
	plain  *plainReader // that the value's lists and objects are of; nil at the end of the file
	faults Faults
	err    error // that ends the file
}

var errUnwanted = errors.New("no more is wanted")

// entries reads a file that is one JSON object and calls each with every key and its value, in file order. It reports
// duplicate keys, where nameOf says what a key stands for, and whatever follows the object. It reads ahead of each, which costs about
// as much, so that both cores of a machine work on one file; faults of the text and those that each reports come in their order all the
// same.
func (r *jsonReader) entries(nameOf func(string) string, each func(key string, at pos, value node) error) error {
	report := r.fault
	read, stop := make(chan entry, readAhead), make(chan struct{})
	free := make(chan *plainReader, readAhead+2) // one of them is read into, another is used
	for range cap(free) {
		free <- &plainReader{}
	}
	go func() {
		defer close(read)
		var e entry
		r.fault = func(line, col int, format string, args ...any) {
			e.faults.add(Fault{Line: line, Col: col, Message: fmt.Sprintf(format, args...)})
		}
		send := func() error {
			select {
			case read <- e:
				e = entry{}
				return nil
			case <-stop:
				return errUnwanted
			}
		}
		r.plain = <-free
		e.err = r.inOrder(nameOf, func(key string, at pos, value node) error {
			e.key, e.at, e.value, e.plain = key, at, value, r.plain
			if err := send(); err != nil {
				return err
			}
			r.plain = <-free
			return nil
		})
		_ = send() // Nobody waits for the end who wants no more.
	}()
	var err error
	for e := range read {
		if err == nil {
			e.faults.replay(report)
			if err = e.err; e.plain != nil {
				err = each(e.key, e.at, e.value)
			}
			if err != nil {
				close(stop)
			}
		}
		if e.plain != nil {
			free <- e.plain
		}
	}
	return err
}

// replay reports the faults again. Those that were only counted are reported as the last one: beyond so many they are counted again.
func (f *Faults) replay(report faultFunc) {
	for i := range len(f.All) + f.Dropped {
		fault := f.All[min(i, len(f.All)-1)]
		report(fault.Line, fault.Col, "%s", fault.Message)
	}
}
