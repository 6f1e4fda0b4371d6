package data

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"strings"
)

// partialFile marks a lake that holds some tables of another one.
const partialFile = "PARTIAL"

// A Partial says what a lake holds that is a copy of some tables of another one. It is for reading: what would be computed from the other
// tables would be computed from nothing.
type Partial struct {
	From   string   `json:"from"`   // where the whole lake is
	Tables []string `json:"tables"` // the tables that are here; MartsFolder for the marts
}

// ErrPartial is wrapped by the error of writing to a lake that holds some tables of another one.
var ErrPartial = errors.New("the lake holds some tables only")

// Partial says which tables a partial lake holds; nil for a whole one.
func (l *Lake) Partial() (*Partial, error) {
	content, err := readFile(l.store, partialFile)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	p := &Partial{}
	if err := json.Unmarshal(content, p); err != nil {
		return nil, WithHint(fmt.Errorf("%s: which tables the lake holds cannot be read: %w", l.Path(partialFile), err), "pull the lake anew, into another folder")
	}
	return p, nil
}

// SetPartial makes the lake a partial one, or with nil a whole one. It must be open for writing.
func (l *Lake) SetPartial(p *Partial) error {
	if err := l.writable(); err != nil {
		return err
	}
	if p == nil {
		return l.store.Remove(partialFile)
	}
	content, err := json.Marshal(p)
	if err != nil {
		return err
	}
	return l.PutFile(partialFile, append(content, '\n'))
}

// whole gives a partial lake up that was opened for writing.
func whole(l *Lake, err error) (*Lake, error) {
	if err != nil {
		return nil, err
	}
	p, err := l.Partial()
	if p == nil && err == nil {
		return l, nil
	}
	if err == nil {
		err = WithHint(fmt.Errorf("%s: %w: %s of %s", l.dir, ErrPartial, strings.Join(p.Tables, ", "), p.From),
			"take the others too with: captionlake pull --tables all %s --lake %s", p.From, l.dir)
	}
	return nil, errors.Join(err, l.Close())
}

// noticePartial says what the lake does not hold.
func (l *Lake) noticePartial() error {
	p, err := l.Partial()
	if p != nil {
		l.notice(fmt.Sprintf("the lake holds %s of %s only; what else there is, is empty here", strings.Join(p.Tables, ", "), p.From))
	}
	return err
}
