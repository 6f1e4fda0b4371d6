package llm

import (
	"bytes"
	"container/list"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"image"
	_ "image/gif" // decoders of the picture formats that a size check must understand
	_ "image/jpeg"
	_ "image/png"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"sync"

	_ "golang.org/x/image/webp"
)

// Limits of a Media with zero fields.
const (
	DefaultMediaBytes  = 32 << 20
	DefaultMediaPixels = 64 << 20
	DefaultMediaCache  = 64 << 20
)

// Media reads the picture and video files of requests. Each file is read once for all requests that are made from it
// while it is in the cache; a file's digest must be the one that the request was planned with. The zero value works.
type Media struct {
	Root       string // folder of relative paths; empty is the working directory
	MaxBytes   int64  // largest file in bytes; 0 is DefaultMediaBytes
	MaxPixels  int64  // largest picture, width times height; 0 is DefaultMediaPixels
	CacheBytes int64  // encoded bytes kept in memory; 0 is DefaultMediaCache

	mu      sync.Mutex
	entries map[string]*list.Element // by digest
	recent  list.List                // *mediaEntry, most recently used first
	held    int64
}

// mediaEntry is one file that is read or being read; done is closed when url and err are set.
type mediaEntry struct {
	digest string
	done   chan struct{}
	url    string
	err    error
}

// DataURL returns the file of a media part as a data: URL.
func (m *Media) DataURL(p Part) (string, error) {
	m.mu.Lock()
	if m.entries == nil {
		m.entries = map[string]*list.Element{}
	}
	if el, ok := m.entries[p.SHA256]; ok {
		m.recent.MoveToFront(el)
		entry := el.Value.(*mediaEntry)
		m.mu.Unlock()
		<-entry.done
		return entry.url, entry.err
	}
	entry := &mediaEntry{digest: p.SHA256, done: make(chan struct{})}
	el := m.recent.PushFront(entry)
	m.entries[p.SHA256] = el
	m.mu.Unlock()

	entry.url, entry.err = m.read(p)
	close(entry.done)

	m.mu.Lock()
	defer m.mu.Unlock()
	if entry.err != nil {
		// A failed read is not remembered: the file may be put in place while the run goes on.
		m.recent.Remove(el)
		delete(m.entries, p.SHA256)
		return "", entry.err
	}
	m.held += int64(len(entry.url))
	m.evict()
	return entry.url, nil
}

// evict drops the least recently used files beyond the cache's size, but never the newest.
func (m *Media) evict() {
	limit := orDefault(m.CacheBytes, DefaultMediaCache)
	for el := m.recent.Back(); el != nil && el != m.recent.Front() && m.held > limit; {
		entry, before := el.Value.(*mediaEntry), el.Prev()
		select {
		case <-entry.done:
			m.held -= int64(len(entry.url))
			m.recent.Remove(el)
			delete(m.entries, entry.digest)
		default: // still being read by another request
		}
		el = before
	}
}

func (m *Media) read(p Part) (string, error) {
	path := p.Path
	if !filepath.IsAbs(path) {
		path = filepath.Join(m.Root, path)
	}
	file, err := os.Open(path)
	if err != nil {
		return "", fmt.Errorf("%s: %w", p.Kind, err)
	}
	defer file.Close() // read only: nothing can be lost
	limit := orDefault(m.MaxBytes, DefaultMediaBytes)
	content, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err != nil {
		return "", fmt.Errorf("%s %s: %w", p.Kind, path, err)
	}
	if int64(len(content)) > limit {
		return "", fmt.Errorf("%s %s is larger than %d bytes; shrink it or raise the limit", p.Kind, path, limit)
	}
	sum := sha256.Sum256(content)
	if got := hex.EncodeToString(sum[:]); got != p.SHA256 {
		return "", fmt.Errorf("%s %s has changed: its digest is %s, the request was made for %s; ingest the images again", p.Kind, path, got, p.SHA256)
	}
	mediaType := http.DetectContentType(content)
	if p.Kind == PartImage {
		if err := m.checkPicture(content); err != nil {
			return "", fmt.Errorf("image %s: %w", path, err)
		}
	} else if !strings.HasPrefix(mediaType, "video/") {
		return "", fmt.Errorf("video %s looks like %s; use mp4, webm or avi", path, mediaType)
	}
	return "data:" + mediaType + ";base64," + base64.StdEncoding.EncodeToString(content), nil
}

func (m *Media) checkPicture(content []byte) error {
	config, _, err := image.DecodeConfig(bytes.NewReader(content))
	if errors.Is(err, image.ErrFormat) {
		return errors.New("not a PNG, JPEG, GIF or WebP picture; convert it")
	}
	if err != nil {
		return err
	}
	if limit := orDefault(m.MaxPixels, DefaultMediaPixels); int64(config.Width)*int64(config.Height) > limit {
		return fmt.Errorf("%d by %d pixels are more than %d; shrink it or raise the limit", config.Width, config.Height, limit)
	}
	return nil
}

// orDefault returns v, or the default where v is its type's zero.
func orDefault[T comparable](v, otherwise T) T {
	var zero T
	if v == zero {
		return otherwise
	}
	return v
}
