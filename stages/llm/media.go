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
	"strings"
	"sync"

	_ "golang.org/x/image/webp"
	"golang.org/x/sync/singleflight"
)

// Limits of a Media with zero fields.
const (
	defaultMediaBytes  = 32 << 20
	defaultMediaPixels = 64 << 20
	defaultMediaCache  = 64 << 20
)

// Media reads the picture and video files of requests. Each file is read once for all requests that are made from it
// while it is in the cache; a file's digest must be the one that the request was planned with. The zero value works.
type Media struct {
	MaxBytes   int64 // largest file in bytes; 0 is 32 MiB
	MaxPixels  int64 // largest picture, width times height; 0 is 64 million
	CacheBytes int64 // encoded bytes kept in memory; 0 is 64 MiB

	reading singleflight.Group // by digest
	mu      sync.Mutex
	entries map[string]*list.Element // by digest
	recent  list.List                // *mediaEntry, most recently used first
	held    int64
}

type mediaEntry struct{ digest, url string }

// DataURL returns the file of a media part as a data: URL.
func (m *Media) DataURL(p Part) (string, error) {
	url, err, _ := m.reading.Do(p.SHA256, func() (any, error) {
		m.mu.Lock()
		el, known := m.entries[p.SHA256]
		if known {
			m.recent.MoveToFront(el)
		}
		m.mu.Unlock()
		if known {
			return el.Value.(*mediaEntry).url, nil
		}
		url, err := m.read(p)
		if err == nil { // A failed read is not remembered: the file may be put in place while the run goes on.
			m.keep(p.SHA256, url)
		}
		return url, err
	})
	return url.(string), err
}

// keep remembers a file, and drops the least recently used ones beyond the cache's size, but never the newest.
func (m *Media) keep(digest, url string) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.entries == nil {
		m.entries = map[string]*list.Element{}
	}
	m.entries[digest] = m.recent.PushFront(&mediaEntry{digest, url})
	m.held += int64(len(url))
	for m.held > orDefault(m.CacheBytes, defaultMediaCache) && m.recent.Len() > 1 {
		oldest := m.recent.Remove(m.recent.Back()).(*mediaEntry)
		m.held -= int64(len(oldest.url))
		delete(m.entries, oldest.digest)
	}
}

func (m *Media) read(p Part) (string, error) {
	file, err := os.Open(p.Path)
	if err != nil {
		return "", fmt.Errorf("%s: %w", p.Kind, err)
	}
	defer file.Close() // read only: nothing can be lost
	limit := orDefault(m.MaxBytes, defaultMediaBytes)
	content, err := io.ReadAll(io.LimitReader(file, limit+1))
	if err != nil {
		return "", fmt.Errorf("%s %s: %w", p.Kind, p.Path, err)
	}
	if int64(len(content)) > limit {
		return "", fmt.Errorf("%s %s is larger than %d bytes; shrink it or raise the limit", p.Kind, p.Path, limit)
	}
	sum := sha256.Sum256(content)
	if got := hex.EncodeToString(sum[:]); got != p.SHA256 {
		return "", fmt.Errorf("%s %s has changed: its digest is %s, the request was made for %s; ingest the images again", p.Kind, p.Path, got, p.SHA256)
	}
	mediaType := http.DetectContentType(content)
	if p.Kind == PartImage {
		if err := m.checkPicture(content); err != nil {
			return "", fmt.Errorf("image %s: %w", p.Path, err)
		}
	} else if !strings.HasPrefix(mediaType, "video/") {
		return "", fmt.Errorf("video %s looks like %s; use mp4, webm or avi", p.Path, mediaType)
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
	if limit := orDefault(m.MaxPixels, defaultMediaPixels); int64(config.Width)*int64(config.Height) > limit {
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
