package llm

import (
	"bytes"
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
)

const (
	mediaBytes  = 32 << 20 // largest file
	mediaPixels = 64 << 20 // largest picture, width times height
	mediaKept   = 64 << 20 // bytes of encoded files in memory
)

// Media reads the picture and video files of requests, one after the other, and keeps the newest in
// memory. A file must still have the digest of the planned request. The zero value is ready for
// use.
type Media struct {
	mu   sync.Mutex
	urls map[string]string // by digest
	held int               // bytes of urls
}

// dataURL returns the file of a media part as a data: URL.
func (m *Media) dataURL(p Part) (string, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	url, known := m.urls[p.SHA256]
	if known {
		return url, nil
	}
	url, err := m.read(p)
	if err != nil { // An error is not remembered: somebody may add the file during the run.
		return "", err
	}
	m.held += len(url)
	if m.urls == nil || m.held > mediaKept { // All older files are forgotten at once.
		m.urls, m.held = map[string]string{}, len(url)
	}
	m.urls[p.SHA256] = url
	return url, nil
}

// read reads a media file into a data: URL. It refuses a file that is too large, that has changed
// since the request was planned, or that is neither a picture nor a video as the part says.
func (m *Media) read(p Part) (string, error) {
	file, err := os.Open(p.Path)
	if err != nil {
		return "", fmt.Errorf("%s: %w", p.Kind, err)
	}
	defer file.Close() // read only: nothing can be lost
	content, err := io.ReadAll(io.LimitReader(file, mediaBytes+1))
	if err != nil {
		return "", fmt.Errorf("%s %s: %w", p.Kind, p.Path, err)
	}
	if len(content) > mediaBytes {
		return "", fmt.Errorf("%s %s is larger than %d bytes; shrink it", p.Kind, p.Path, mediaBytes)
	}
	sum := sha256.Sum256(content)
	if got := hex.EncodeToString(sum[:]); got != p.SHA256 {
		return "", fmt.Errorf("%s %s has changed: its digest is %s, the request was made for %s; "+
			"ingest the images again", p.Kind, p.Path, got, p.SHA256)
	}
	mediaType := http.DetectContentType(content)
	if p.Kind == PartImage {
		if err := checkPicture(content); err != nil {
			return "", fmt.Errorf("image %s: %w", p.Path, err)
		}
	} else if !strings.HasPrefix(mediaType, "video/") {
		return "", fmt.Errorf("video %s looks like %s; use mp4, webm or avi", p.Path, mediaType)
	}
	return "data:" + mediaType + ";base64," + base64.StdEncoding.EncodeToString(content), nil
}

// checkPicture refuses a file that is not a picture, or has too many pixels for a server.
func checkPicture(content []byte) error {
	config, _, err := image.DecodeConfig(bytes.NewReader(content))
	if errors.Is(err, image.ErrFormat) {
		return errors.New("not a PNG, JPEG, GIF or WebP picture; convert it")
	}
	if err != nil {
		return err
	}
	if config.Width*config.Height > mediaPixels {
		return fmt.Errorf("%d by %d pixels are more than %d; shrink it", config.Width, config.Height, mediaPixels)
	}
	return nil
}
