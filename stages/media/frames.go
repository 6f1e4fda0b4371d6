package media

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"time"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/text"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/llm"
)

// cut returns the uniformly sampled frames of a video. The frames are kept in the lake's folder
// frames: requests contain their bytes, and another release of ffmpeg may give other bytes.
func (m *Files) cut(path, digest string) ([]llm.Part, error) {
	folder := filepath.Join(m.lake.Path("frames"), fmt.Sprintf("%s-%d", digest[:16], m.config.Frames))
	frames, err := os.ReadDir(folder)
	if errors.Is(err, fs.ErrNotExist) {
		if err = cutFrames(path, folder, m.config.Frames); err == nil {
			frames, err = os.ReadDir(folder)
		}
	}
	if err != nil {
		return nil, err
	}
	var parts []llm.Part
	for _, frame := range frames { // ReadDir sorts by name, so the frames come in the order of the video.
		name := filepath.Join(folder, frame.Name())
		frameDigest, err := m.digest(name)
		if err != nil {
			return nil, err
		}
		parts = append(parts, llm.Image(name, frameDigest))
	}
	return parts, nil
}

// cuttingTime is how long ffmpeg may work on one video.
const cuttingTime = 5 * time.Minute

// cutFrames cuts n frames out of a video, at equal distances over its whole length. The folder
// appears whole or not at all.
func cutFrames(path, folder string, n int) (err error) {
	path, err = filepath.Abs(path)
	if err != nil {
		return err
	}
	parent := filepath.Dir(folder)
	if err := os.MkdirAll(parent, 0o777); err != nil {
		return err
	}
	temp, err := os.MkdirTemp(parent, "cutting-*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(temp)) }()
	ctx, cancel := context.WithTimeout(context.Background(), cuttingTime)
	defer cancel()
	address := "file:" + path // A bare name with a colon would be read as an address.
	length, err := tool(ctx, "ffprobe", "-v", "error", "-show_entries", "format=duration", "-of", "csv=p=0", address)
	if err != nil {
		return err
	}
	seconds, err := strconv.ParseFloat(strings.TrimSpace(length), 64)
	if err != nil || !(seconds > 0) {
		return fmt.Errorf("ffprobe gives its length as %q", text.OneLine(length, 200))
	}
	rate := strconv.FormatFloat(float64(n)/seconds, 'f', 9, 64) // frames a second
	_, err = tool(ctx, "ffmpeg", "-v", "error", "-nostdin", "-i", address, "-vf", "fps="+rate,
		"-frames:v", strconv.Itoa(n), "-q:v", "2", filepath.Join(temp, "%04d.jpg")) // 2: high JPEG quality
	if err != nil {
		return err
	}
	frames, err := os.ReadDir(temp)
	if err != nil {
		return err
	}
	if len(frames) == 0 {
		return errors.New("ffmpeg finds no frame in it")
	}
	// If another process has cut the video meanwhile, the folder of that process stays.
	if err := os.Rename(temp, folder); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

// tool runs a program of ffmpeg and returns its output.
func tool(ctx context.Context, name string, args ...string) (string, error) {
	out, err := exec.CommandContext(ctx, name, args...).Output()
	if errors.Is(err, exec.ErrNotFound) {
		return "", data.WithHint(fmt.Errorf("videos cannot be cut into frames: %s is not installed", name),
			"install ffmpeg, or send whole videos with media: video: %s in %s if the server takes video_url",
			config.VideoURL, config.File)
	}
	if exit := new(exec.ExitError); errors.As(err, &exit) {
		err = fmt.Errorf("%w: %s", err, text.OneLine(string(exit.Stderr), 200))
	}
	if err != nil {
		return "", fmt.Errorf("%s: %w", name, err)
	}
	return string(out), nil
}
