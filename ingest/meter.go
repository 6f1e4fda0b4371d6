package ingest

import (
	"io/fs"
	"sync"
)

// readings is how often a file that is loaded is read: for its digest, and for its rows.
const readings = 2

// A meter knows how many of the bytes of a command's files are dealt with. Bytes that are read count at once; a file that has ended
// counts whole, also one that the lake held already. A nil meter does nothing.
type meter struct {
	tell func(path string, done, total int)

	mu          sync.Mutex
	path        string // that was begun last
	done, total int
	settled     int // of files that have ended
}

// measure adds up the files. One that cannot be looked at counts nothing, and says why when it is loaded.
func (m *meter) measure(files []*fileToLoad) {
	if m.tell == nil {
		return
	}
	for _, f := range files {
		for _, member := range f.plan.result.family {
			f.bytes += member.size()
		}
		m.total += readings * f.bytes
	}
}

// size is how many bytes a file has, or all pictures of a folder.
func (s Source) size() (total int) {
	add := func(one Source) fs.FileInfo {
		info, err := fs.Stat(one.FS, one.Name)
		if err == nil && !info.IsDir() {
			total += int(info.Size())
		}
		return info
	}
	if info := add(s); info != nil && info.IsDir() {
		_ = eachPicture(s, func(child Source, _ string) error {
			add(child)
			return nil
		})
	}
	return total
}

func (m *meter) began(path string) {
	if m.tell == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.path = path
	m.tell(m.path, m.done, m.total)
}

func (m *meter) read(n int) {
	if m == nil || m.tell == nil || n <= 0 {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.path == "" {
		return // The files are still being told apart.
	}
	m.done = min(m.done+n, m.total)
	m.tell(m.path, m.done, m.total)
}

func (m *meter) ended(f *fileToLoad) {
	if m.tell == nil {
		return
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.settled += readings * f.bytes
	m.done = max(m.done, m.settled)
	m.tell(m.path, m.done, m.total)
}
