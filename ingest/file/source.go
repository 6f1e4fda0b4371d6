// Package file reads foreign files: their places, their values with line and column, and their
// columns. The package bounds data before reading it into memory, and knows neither formats nor the
// lake.
package file

import (
	"bufio"
	"bytes"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path"
	"strings"

	"github.com/captionlake/captionlake/data"
)

// HeadBytes is the number of bytes that are read of a file to find its format.
const HeadBytes = 64 << 10

// MaxItem bounds one value, record or line of a file: a picture of 32 MiB in base64 has 43 MiB.
const MaxItem = 64 << 20

// A Source is one foreign file: of the file system, or of the embedded reference data. A folder of
// pictures is a source too; its Head is empty.
type Source struct {
	FS   fs.FS  // file system that holds the file
	Name string // name within FS, slash-separated
	Path string // the user's name for the file, in messages and provenance
}

// Open opens the file. The caller closes it.
func (s Source) Open() (fs.File, error) { return s.FS.Open(s.Name) }

// Base is the file's name without its folders.
func (s Source) Base() string { return path.Base(s.Path) }

// Ext is the ending of the file's name, with its dot, in lower case.
func (s Source) Ext() string { return strings.ToLower(path.Ext(s.Path)) }

// Stem is the file's name without folders and ending.
func (s Source) Stem() string { return strings.TrimSuffix(s.Base(), path.Ext(s.Path)) }

// Folder is the name of the folder with the file; "." if the path does not contain it.
func (s Source) Folder() string { return path.Base(path.Dir(path.Clean(s.Path))) }

// Sibling is the file of that name beside s.
func (s Source) Sibling(name string) Source {
	return Source{FS: s.FS, Name: path.Join(path.Dir(s.Name), name), Path: strings.TrimSuffix(s.Path, s.Base()) + name}
}

// Child is a file below the folder s. name is its name within the file system of s.
func (s Source) Child(name string) Source {
	below := strings.TrimPrefix(strings.TrimPrefix(name, s.Name), "/")
	if s.Name == "." { // Names below the folder "." do not begin with its name.
		below = name
	}
	return Source{FS: s.FS, Name: name, Path: path.Join(s.Path, below)}
}

// Beside lists the entries of the file's folder.
func (s Source) Beside() ([]fs.DirEntry, error) {
	entries, err := fs.ReadDir(s.FS, path.Dir(s.Name))
	if err != nil {
		err = fmt.Errorf("%s: %w", s.Path, Cause(err))
	}
	return entries, err
}

// Exists reports whether there is a file.
func (s Source) Exists() bool {
	_, err := fs.Stat(s.FS, s.Name)
	return err == nil
}

// IsFolder reports whether the source is a folder.
func (s Source) IsFolder() (bool, error) {
	info, err := fs.Stat(s.FS, s.Name)
	if err != nil {
		return false, fmt.Errorf("%s: %w", s.Path, Cause(err))
	}
	return info.IsDir(), nil
}

// Refuse is an error about the file. next says what to do.
func (s Source) Refuse(next, format string, args ...any) error {
	return data.Errorf(next, "%s: %w", s.Path, fmt.Errorf(format, args...))
}

// Cause removes the operation and the path from a file system's error.
func Cause(err error) error {
	var pathError *fs.PathError
	if errors.As(err, &pathError) {
		return pathError.Err
	}
	return err
}

// Head returns up to n bytes from the start of the file, for detection; nothing for a folder.
func (s Source) Head(n int) ([]byte, error) {
	if folder, err := s.IsFolder(); err != nil || folder {
		return nil, err
	}
	f, err := s.Open()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	head, err := io.ReadAll(io.LimitReader(f, int64(n)))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Path, err)
	}
	return head, nil
}

// Digest is the SHA-256 of the file's content in lower-case hex.
func (s Source) Digest() (string, error) {
	f, err := s.Open()
	if err != nil {
		return "", err
	}
	defer f.Close()
	digest, err := data.Digest(f)
	if err != nil {
		return "", fmt.Errorf("%s: %w", s.Path, err)
	}
	return digest.SHA256, nil
}

// byteOrderMark may begin a text file; it is not part of the text.
const byteOrderMark = "\ufeff"

// read passes a reader of the file's text, without the byte order mark, to a function.
func (s Source) read(use func(*bufio.Reader) error) error {
	f, err := s.Open()
	if err != nil {
		return fmt.Errorf("%s: %w", s.Path, Cause(err))
	}
	defer f.Close()
	r := bufio.NewReaderSize(f, HeadBytes)
	if start, err := r.Peek(len(byteOrderMark)); err == nil && string(start) == byteOrderMark {
		if _, err := r.Discard(len(byteOrderMark)); err != nil {
			return err
		}
	}
	return use(r)
}

// Content is the whole of a small file. A file of more than MaxItem bytes is an error.
func (s Source) Content() ([]byte, error) {
	f, err := s.Open()
	if err != nil {
		return nil, err
	}
	defer f.Close()
	content, err := io.ReadAll(io.LimitReader(f, MaxItem+1))
	if err == nil && len(content) > MaxItem {
		err = fmt.Errorf("the file has more than %d MiB, too much for such a file", MaxItem>>20)
	}
	return content, err
}

// Text is the whole of a small file, without the byte order mark.
func (s Source) Text() ([]byte, error) {
	content, err := s.Content()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Path, Cause(err))
	}
	return bytes.TrimPrefix(content, []byte(byteOrderMark)), nil
}

// EachLine visits the objects in the lines of a file. An unreadable line is a fault, and the next
// lines are still read. Empty lines are skipped.
func (s Source) EachLine(fault FaultFunc, each func(Value) error) error {
	return s.read(func(r *bufio.Reader) error {
		lines, number := bufio.NewScanner(r), 0
		lines.Buffer(nil, MaxItem)
		for lines.Scan() {
			if number++; len(bytes.TrimSpace(lines.Bytes())) == 0 {
				continue
			}
			switch v, err := ParseLine(lines.Bytes(), number, fault); {
			case err != nil: // The fault is reported.
			case v.Kind != Object:
				fault(Pos{number, 1}, "this is %s, and a record belongs here, {…}: correct or remove the line",
					v.Kind)
			default:
				if err := each(v); err != nil {
					return err
				}
			}
		}
		if err := lines.Err(); err != nil {
			return fmt.Errorf("%s:%d: the line cannot be read: %w", s.Path, number+1, err)
		}
		return nil
	})
}
