// Package media finds the media files of annotated elements to send: pictures, videos, or the
// frames of videos.
package media

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/files"
	"github.com/captionlake/captionlake/data/rubric"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/llm"
)

// digestFile is where the lake keeps the digests of media files. Without it they are computed
// again.
const digestFile = "cache/media.json"

// Files finds the media files of annotated elements. A file is read once for its digest: the digest
// is remembered with the file's size and time.
type Files struct {
	lake    *data.Lake
	config  config.Media
	known   map[string]file       // by path
	parts   map[string][]llm.Part // by the annotation's path
	changed bool                  // there are digests to save
}

// A file is the memory of a media file.
type file struct {
	Size     int64  `json:"size"`
	Modified int64  `json:"modified"` // nanoseconds since 1970
	SHA256   string `json:"sha256"`
}

// Open finds the files below the configured folder, and reads their remembered digests.
func Open(l *data.Lake, c config.Media) (*Files, error) {
	if c.Folder == "" {
		return nil, data.WithHint(errors.New("the folder of the media files is not configured"),
			"name it in %s under media: folder: DIR; the annotations' paths are relative to it", config.File)
	}
	info, err := os.Stat(c.Folder)
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s is not a folder", c.Folder)
	}
	if err != nil {
		return nil, data.WithHint(fmt.Errorf("media files: %w", err), "correct media.folder in %s", config.File)
	}
	m := &Files{lake: l, config: c, parts: map[string][]llm.Part{}}
	if content, err := files.Read(l.Store(), digestFile); err != nil || json.Unmarshal(content, &m.known) != nil ||
		m.known == nil {
		m.known = map[string]file{}
	}
	return m, nil
}

// Save saves the digests.
func (m *Files) Save() error {
	if !m.changed {
		return nil
	}
	content, _ := json.Marshal(m.known) // Texts and numbers can always be marshalled.
	return m.lake.PutFile(digestFile, content)
}

// Of returns the parts to send for the media file of an annotation; nothing if there is no such
// file.
func (m *Files) Of(a data.Annotation) ([]llm.Part, error) {
	if a.Media == "" {
		return nil, nil
	}
	if parts, ok := m.parts[a.Media]; ok {
		return parts, nil
	}
	local := filepath.FromSlash(a.Media)
	if !filepath.IsLocal(local) {
		return nil, data.Errorf("correct the file_path of the annotation and load it again",
			"annotation of %s: the media path %q leaves the media folder", a.SampleID, a.Media)
	}
	path := filepath.Join(m.config.Folder, local)
	digest, err := m.digest(path)
	if errors.Is(err, fs.ErrNotExist) {
		m.parts[a.Media] = nil
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	var parts []llm.Part
	switch {
	case a.MediaType != rubric.MediaVideo:
		parts = []llm.Part{llm.Image(path, digest)}
	case m.config.Video == config.VideoFrames:
		if parts, err = m.cut(path, digest); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	default:
		parts = []llm.Part{llm.Video(path, digest)}
	}
	m.parts[a.Media] = parts
	return parts, nil
}

// digest is the digest of a file: the remembered one if the file's size and time have not changed.
func (m *Files) digest(path string) (string, error) {
	info, err := os.Stat(path)
	if err != nil {
		return "", err
	}
	name, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	if k, ok := m.known[name]; ok && k.Size == info.Size() && k.Modified == info.ModTime().UnixNano() {
		return k.SHA256, nil
	}
	sum, err := fileDigest(path)
	if err == nil {
		m.known[name], m.changed = file{info.Size(), info.ModTime().UnixNano(), sum}, true
	}
	return sum, err
}

func fileDigest(path string) (digest string, err error) {
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	h := sha256.New()
	if _, err := io.Copy(h, f); err != nil {
		return "", err
	}
	return hex.EncodeToString(h.Sum(nil)), nil
}
