package data

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"hash"
	"io"
	"io/fs"
	"sync"
	"time"
)

// A FileDigest is what the lake records of a file that it has written: enough to notice any change of it. The digest is
// SHA-256, because sha256sum and every database can check it, pictures are named by it already, and at 1 to 2 GB a
// second it costs less than reading the file.
type FileDigest struct {
	Bytes  int64  `json:"bytes"`
	SHA256 string `json:"sha256"` // in lower-case hex
}

// digester takes the digest of what is written through it.
type digester struct {
	io.WriteCloser
	hash  hash.Hash
	bytes int64
}

func newDigester(w io.WriteCloser) *digester { return &digester{WriteCloser: w, hash: sha256.New()} }

func (d *digester) Write(p []byte) (int, error) {
	n, err := d.WriteCloser.Write(p)
	d.hash.Write(p[:n])
	d.bytes += int64(n)
	return n, err
}

func (d *digester) digest() FileDigest {
	return FileDigest{d.bytes, hex.EncodeToString(d.hash.Sum(nil))}
}

// digestFile remembers the digests of files that were read before. It serves speed alone: what it says counts only while
// a file has the size and the time of change that it had then, and Verify does not ask it.
const digestFile = journalDir + "/digests.json"

// settled is how long before it is read a file must have been written for its digest to be remembered: a later change
// then has another time even where times are coarse.
const settled = 2 * time.Second

type rememberedDigest struct {
	FileDigest
	Changed int64 `json:"changed"` // nanoseconds since 1970
}

// digestMemory is the content of digestFile.
type digestMemory struct {
	mu      sync.Mutex
	loaded  bool
	changed bool
	files   map[string]rememberedDigest
}

// digestOf is the digest of a file of the lake. The error of an absent file satisfies errors.Is(err, fs.ErrNotExist).
// fresh reads the file whatever is remembered.
func (l *Lake) digestOf(name string, fresh bool) (sum FileDigest, err error) {
	f, err := l.store.Open(name)
	if err != nil {
		return sum, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	changed := f.ModTime()
	if known, ok := l.remembered(name); ok && !fresh && known.Bytes == f.Size() && known.Changed == changed.UnixNano() {
		return known.FileDigest, nil
	}
	began := l.now()
	h := sha256.New()
	if sum.Bytes, err = io.Copy(h, io.NewSectionReader(f, 0, f.Size())); err != nil {
		return sum, fmt.Errorf("%s: %w", l.Path(name), err)
	}
	sum.SHA256 = hex.EncodeToString(h.Sum(nil))
	if began.Sub(changed) > settled {
		l.remember(name, rememberedDigest{sum, changed.UnixNano()})
	}
	return sum, nil
}

func (l *Lake) remembered(name string) (rememberedDigest, bool) {
	m := l.digests
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.loaded {
		m.loaded, m.files = true, map[string]rememberedDigest{}
		// What cannot be read is not remembered.
		if content, err := readFile(l.store, digestFile); err == nil && json.Unmarshal(content, &m.files) != nil {
			m.files = map[string]rememberedDigest{}
		}
	}
	known, ok := m.files[name]
	return known, ok
}

func (l *Lake) remember(name string, d rememberedDigest) {
	m := l.digests
	m.mu.Lock()
	defer m.mu.Unlock()
	m.files[name], m.changed = d, true
}

// keepDigests writes down what is remembered of the files that are still there.
func (l *Lake) keepDigests() error {
	m := l.digests
	m.mu.Lock()
	defer m.mu.Unlock()
	if !m.changed || l.writable() != nil {
		return nil
	}
	for name := range m.files {
		if f, err := l.store.Open(name); errors.Is(err, fs.ErrNotExist) {
			delete(m.files, name)
		} else if err != nil {
			return err
		} else if err := f.Close(); err != nil {
			return err
		}
	}
	content, err := json.Marshal(m.files)
	if err != nil {
		return err
	}
	m.changed = false
	return l.PutFile(digestFile, content)
}
