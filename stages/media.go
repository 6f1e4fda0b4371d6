package stages

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/rubric"
	"github.com/captionlake/captionlake/stages/llm"
)

// How videos are sent.
const (
	VideoURL    = "url"    // whole, as video_url, which vLLM takes
	VideoFrames = "frames" // as uniformly sampled frames in the form of pictures, which ffmpeg cuts out
)

// media finds the files of annotated elements. It reads each file once, for its digest.
type media struct {
	config MediaConfig
	frames string // folder of the frames that were cut out of videos
	parts  map[string][]llm.Part
}

func newMedia(l *data.Lake, c MediaConfig) (*media, error) {
	if c.Folder == "" {
		return nil, data.WithHint(errors.New("the folder of the media files is not configured"),
			"name it in %s under media: folder: DIR; the annotations' paths are relative to it", ConfigFile)
	}
	info, err := os.Stat(c.Folder)
	if err == nil && !info.IsDir() {
		err = fmt.Errorf("%s is no folder", c.Folder)
	}
	if err != nil {
		return nil, data.WithHint(fmt.Errorf("media files: %w", err), "correct media.folder in %s", ConfigFile)
	}
	return &media{config: c, frames: l.Path("frames"), parts: map[string][]llm.Part{}}, nil
}

// of returns what is sent of the media file of an annotation; nothing when the file is not at hand.
func (m *media) of(a data.Annotation) ([]llm.Part, error) {
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
	digest, err := fileDigest(path)
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
	case m.config.Video == VideoFrames:
		if parts, err = m.cut(path, digest); err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
	default:
		parts = []llm.Part{llm.Video(path, digest)}
	}
	m.parts[a.Media] = parts
	return parts, nil
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

// cut returns the uniformly sampled frames of a video. They are kept in the lake's folder frames, because requests are
// made for the bytes of the frames and another release of ffmpeg may cut out others.
func (m *media) cut(path, digest string) ([]llm.Part, error) {
	folder := filepath.Join(m.frames, fmt.Sprintf("%s-%d", digest[:16], m.config.Frames))
	names, err := filepath.Glob(filepath.Join(folder, "*.jpg"))
	if err != nil {
		return nil, err
	}
	if len(names) == 0 {
		if err := cutFrames(path, folder, m.config.Frames); err != nil {
			return nil, err
		}
		if names, err = filepath.Glob(filepath.Join(folder, "*.jpg")); err != nil {
			return nil, err
		}
	}
	slices.Sort(names)
	var parts []llm.Part
	for _, name := range names {
		digest, err := fileDigest(name)
		if err != nil {
			return nil, err
		}
		parts = append(parts, llm.Image(name, digest))
	}
	return parts, nil
}

// cuttingTime is how long ffmpeg may work on one video.
const cuttingTime = 5 * time.Minute

// cutFrames cuts n frames out of a video, at equal distances over its whole length. The folder appears whole or not at
// all.
func cutFrames(path, folder string, n int) (err error) {
	for _, tool := range []string{"ffprobe", "ffmpeg"} {
		if _, err := exec.LookPath(tool); err != nil {
			return data.WithHint(fmt.Errorf("videos cannot be cut into frames: %s is not installed", tool),
				"install ffmpeg, or send whole videos with media: video: %s in %s if the server takes video_url", VideoURL, ConfigFile)
		}
	}
	path, err = filepath.Abs(path)
	if err != nil {
		return err
	}
	if err := os.MkdirAll(filepath.Dir(folder), 0o777); err != nil {
		return err
	}
	temp, err := os.MkdirTemp(filepath.Dir(folder), "cutting-*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	ctx, cancel := context.WithTimeout(context.Background(), cuttingTime)
	defer cancel()
	// The scheme keeps a name with a colon from being taken for an address.
	length, err := tool(ctx, "ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", "file:"+path)
	if err != nil {
		return err
	}
	seconds, err := strconv.ParseFloat(strings.TrimSpace(length), 64)
	if err != nil || !(seconds > 0) {
		return fmt.Errorf("ffprobe gives its length as %q", clip(length))
	}
	rate := strconv.FormatFloat(float64(n)/seconds, 'f', 9, 64)
	if _, err := tool(ctx, "ffmpeg", "-v", "error", "-nostdin", "-i", "file:"+path, "-vf", "fps="+rate, "-frames:v", strconv.Itoa(n),
		"-q:v", "2", filepath.Join(temp, "%04d.jpg")); err != nil {
		return err
	}
	frames, err := filepath.Glob(filepath.Join(temp, "*.jpg"))
	if err != nil {
		return err
	}
	if len(frames) == 0 {
		return errors.New("ffmpeg finds no frame in it")
	}
	return os.Rename(temp, folder)
}

// tool runs a program and returns what it prints.
func tool(ctx context.Context, name string, args ...string) (string, error) {
	out, err := exec.CommandContext(ctx, name, args...).Output()
	var exit *exec.ExitError
	if errors.As(err, &exit) {
		return "", fmt.Errorf("%s: %w: %s", name, err, clip(string(exit.Stderr)))
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	return string(out), nil
}

// clip shortens a foreign text for a message.
func clip(text string) string {
	text = strings.Join(strings.Fields(strings.ToValidUTF8(text, "?")), " ")
	if runes := []rune(text); len(runes) > 200 {
		return string(runes[:200]) + "…"
	}
	return text
}
