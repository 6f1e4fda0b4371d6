// Package media finds the media files of annotated elements to send: pictures, videos, or the
// frames of videos.
package media

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/files"
	"github.com/captionlake/captionlake/data/rubric"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/llm"
)

// digestFile is where the lake keeps the digests of media files. Without this file the digests are
// computed again.
const digestFile = "cache/media.json"

// Files finds the media files of annotated elements. A file is read once for its digest, which the
// lake remembers with the file's size and time.
type Files struct {
	lake    *data.Lake
	config  config.Media
	known   map[string]file       // remembered digests, by absolute path
	parts   map[string][]llm.Part // results of Of, by the annotation's path
	changed bool                  // there are digests to save
}

// A file is the remembered digest of a media file, and the state of the file that it belongs to.
type file struct {
	Size     int64  `json:"size"`
	Modified int64  `json:"modified"` // nanoseconds since 1970
	SHA256   string `json:"sha256"`
}

// Open checks the configured folder of the media files, and reads their remembered digests.
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
	// Digests that cannot be read are computed again.
	if content, err := files.Read(l.Store(), digestFile); err != nil || json.Unmarshal(content, &m.known) != nil ||
		m.known == nil {
		m.known = map[string]file{}
	}
	return m, nil
}

// Save saves the digests in the lake.
func (m *Files) Save() {
	if !m.changed {
		return
	}
	content, _ := json.Marshal(m.known)     // Texts and numbers can always be marshalled.
	_ = m.lake.PutFile(digestFile, content) // If it fails, the next run only has to read the files again.
}

// Of returns the parts of a message with the media file of an annotation; nothing if the annotation
// names no file, or if the file is missing.
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
	known, ok := m.known[name]
	if ok && known.Size == info.Size() && known.Modified == info.ModTime().UnixNano() {
		return known.SHA256, nil
	}
	f, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer f.Close()
	digest, err := data.Digest(f)
	if err == nil {
		m.known[name], m.changed = file{info.Size(), info.ModTime().UnixNano(), digest.SHA256}, true
	}
	return digest.SHA256, err
}
