package data

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"path"
	"strings"

	"github.com/captionlake/captionlake/data/journal"
)

const (
	journalSuffix = ".jsonl"
	cutSuffix     = ".cut" // a copy of damaged lines that were cut out of a journal
)

// Journals lists the units with rows in a journal. An empty journal does not count: a run that ends
// before its first reply leaves an empty journal.
func (l *Lake) Journals() ([]string, error) {
	return journalFiles(l, journalSuffix)
}

// CutOff lists the copies of damaged parts of journals, by their names in the lake's folder journal
// without the ending cutSuffix. Nothing reads the copies. They stay until somebody deletes them.
func CutOff(l *Lake) ([]string, error) {
	return journalFiles(l, cutSuffix)
}

// journalFiles lists the files with a suffix in the folder journal, without the suffix. It leaves
// out empty files, and files that are removed during the listing.
func journalFiles(l *Lake, suffix string) ([]string, error) {
	names, err := l.store.List(journalDir)
	if err != nil {
		return nil, err
	}
	var found []string
	for _, name := range names {
		base, ok := strings.CutSuffix(path.Base(name), suffix)
		if !ok {
			continue
		}
		info, err := l.root.Stat(name)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err != nil {
			return nil, err
		}
		if info.Size() > 0 {
			found = append(found, base)
		}
	}
	return found, nil
}

// journalFile is the name of a unit's journal. The name contains the whole name of the unit, so
// units with names that begin alike have separate journals.
func journalFile(unit string) (string, error) {
	if !heldPattern.MatchString(unit) {
		return "", Errorf(unitsHint, "%q cannot be the name of a journal", unit)
	}
	return journalDir + "/" + unit + journalSuffix, nil
}

// journalLines streams the lines of a journal; no lines if the journal is missing. A torn last line
// is skipped, since another process may be writing it. Any other damaged line is an error.
func journalLines(l *Lake, name string) iter.Seq2[[]byte, error] {
	return journalLinesFrom(l, name, new(int64))
}

// journalLinesFrom streams the lines after an offset, and moves the offset behind each line. If no
// line ends at the offset, the journal was begun again or repaired since, and all lines are
// streamed.
func journalLinesFrom(l *Lake, name string, from *int64) iter.Seq2[[]byte, error] {
	return func(yield func([]byte, error) bool) {
		f, err := l.store.Open(name)
		if errors.Is(err, fs.ErrNotExist) {
			return
		}
		if err != nil {
			yield(nil, err)
			return
		}
		defer f.Close()    // An error does not matter, since the file was only read.
		var before [1]byte // the byte before the offset ends a line, unless the offset is 0
		// n is 0 if the offset is 0 or behind the end of the file.
		n, _ := f.ReadAt(before[:], *from-1)
		if withinLine := n == 1 && before[0] != '\n'; withinLine || *from > f.Size() {
			*from = 0
		}
		began, rest := *from, io.NewSectionReader(f, *from, f.Size()-*from)
		damaged := func(line int, at journal.Range) error {
			if at.To == rest.Size() {
				return nil // The last line is torn.
			}
			where := l.Path(name)
			if began == 0 { // Lines counts from the offset on, so its numbers are wrong otherwise.
				where += fmt.Sprint(":", line)
			}
			return Errorf("the disk has damaged the file; restore it from a copy, "+
				"or keep every line that can be read: captionlake doctor --repair",
				"%s: %w: the line does not match its checksum", where, journal.ErrDamaged)
		}
		for line, err := range journal.Lines(rest, rest.Size(), l.Path(name), damaged) {
			*from += int64(len(line))
			if !yield(line, err) {
				return
			}
		}
	}
}

// setAside copies damaged parts of a journal to a new file beside the journal, and tells the user
// why. The caller then cuts these parts out of the journal.
func setAside(l *Lake, name string, f io.ReaderAt, parts []journal.Range, why string) (err error) {
	var file *os.File
	copyName := ""
	for n := 1; ; n++ { // until no earlier copy has the name
		copyName = fmt.Sprintf("%s.%d%s", strings.TrimSuffix(name, journalSuffix), n, cutSuffix)
		file, err = l.root.OpenFile(copyName, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o666)
		if !errors.Is(err, fs.ErrExist) {
			break
		}
	}
	if err != nil {
		return l.writeError(err)
	}
	copied := int64(0)
	for _, p := range parts {
		n, copyErr := io.Copy(file, io.NewSectionReader(f, p.From, p.To-p.From))
		copied, err = copied+n, errors.Join(err, copyErr)
	}
	if err = errors.Join(err, file.Sync(), file.Close()); err != nil {
		return errors.Join(l.writeError(err), l.store.Remove(copyName))
	}
	l.Tell(fmt.Sprintf("%s: %s: %d bytes were cut off, and a copy of them is %s; their replies are asked for again",
		l.Path(name), why, copied, l.Path(copyName)))
	return nil
}
