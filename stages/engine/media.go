package engine

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/rubric"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/llm"
)

// Media finds the media files of annotated elements. A file is read for its digest once and for all: the digest is
// remembered with the file's size and time.
type Media struct {
	config config.Media
	frames string // folder of the frames that were cut out of videos
	known  map[string]mediaFile
	parts  map[string][]llm.Part // by the annotation's path
	read   int                   // files that were read for their digests
}

// A mediaFile is what is remembered of a file.
type mediaFile struct {
	Size     int64  `json:"size"`
	Modified int64  `json:"modified"` // nanoseconds since 1970
	SHA256   string `json:"sha256"`
}

// newMedia finds the files below the configured folder. known are the digests that are remembered; those of other files
// are added.
func newMedia(l *data.Lake, c config.Media, known map[string]mediaFile) (*Media, error) {
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
	return &Media{config: c, frames: l.Path("frames"), known: known, parts: map[string][]llm.Part{}}, nil
}

// Of returns what is sent of the media file of an annotation; nothing when there is no such file.
func (m *Media) Of(a data.Annotation) ([]llm.Part, error) {
	if a.Media == "" {
		return nil, nil
	}
	if parts, ok := m.parts[a.Media]; ok {
		return parts, nil
	}
	local := filepath.FromSlash(a.Media)
	if !filepath.IsLocal(local) {
		return nil, data.WithHint(fmt.Errorf("annotation of %s: the media path %q leaves the media folder", a.SampleID, a.Media),
			"correct the file_path of the annotation and load it again")
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

// Folder is the folder that the annotations' paths are relative to.
func (m *Media) Folder() string { return m.config.Folder }

// digest is the digest of a file: the remembered one if size and time of the file are those remembered with it.
func (m *Media) digest(path string) (string, error) {
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
	m.read++
	sum, err := fileDigest(path)
	if err == nil {
		m.known[name] = mediaFile{info.Size(), info.ModTime().UnixNano(), sum}
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
