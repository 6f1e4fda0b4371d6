package ingest

import (
	"bytes"
	"encoding/base64"
	"errors"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/ingest/file"
)

// tinyWebP is a lossless WebP of one pixel, the smallest file that decodes.
const tinyWebP = "UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA=="

// drawn draws a picture of one colour.
func drawn(t testing.TB, kind string, width, height int, c color.Color) []byte {
	t.Helper()
	img := image.NewRGBA(image.Rect(0, 0, width, height))
	for i := range width * height {
		img.Set(i%width, i/width, c)
	}
	var b bytes.Buffer
	var err error
	switch kind {
	case "png":
		err = png.Encode(&b, img)
	case "jpeg":
		err = jpeg.Encode(&b, img, nil)
	case "gif":
		err = gif.Encode(&b, img, nil)
	case "webp":
		var content []byte
		content, err = base64.StdEncoding.DecodeString(tinyWebP)
		b.Write(content)
	}
	must.Succeed(t, err)
	return b.Bytes()
}

// folderOf writes files below a new folder.
func folderOf(t testing.TB, files map[string][]byte) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		target := filepath.Join(dir, filepath.FromSlash(name))
		must.Succeed(t, os.MkdirAll(filepath.Dir(target), 0o777))
		must.Write(t, target, content)
	}
	return dir
}

// However the folder is named, and through whatever link, links to files are followed, also out of
// the folder: a cache of Hugging Face has nothing but such.
func TestLinksOfFolder(t *testing.T) {
	dir := folderOf(t,
		map[string][]byte{"pics/nat_001.png": drawn(t, "png", 3, 2, color.White),
			"other/secret.png": drawn(t, "png", 4, 2, color.White)})
	for name, target := range map[string]string{
		"pics/nat_002.png": "nat_001.png", "pics/nat_003.png": "../other/secret.png",
		"pics/nat_004.png": filepath.Join(dir, "other/secret.png"), "link": "pics",
	} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
	}
	t.Chdir(dir)
	for _, folder := range []string{"pics", "./link", filepath.Join(dir, "pics")} {
		results, _, err := loadPaths(t.Context(), laketest.New(t), []string{folder}, Options{})
		if err != nil || len(results) != 1 || results[0].Rows["images"] != 4 {
			t.Errorf("%s: %+v %v", folder, results, err)
		}
	}
}

// What models get is upright and free of metadata; the original is kept by its digest, and is
// checked like every file.
func TestOriginalsAreKept(t *testing.T) {
	t.Parallel()
	orientation := []byte("\xff\xe1\x00\x22Exif\x00\x00MM\x00*\x00\x00\x00\x08\x00\x01" +
		"\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06\x00\x00\x00\x00\x00\x00")
	turned := slices.Insert(drawn(t, "jpeg", 40, 20, color.White), 2, orientation...)
	dir := folderOf(t,
		map[string][]byte{"nat_001.jpg": turned, "nat_002.gif": drawn(t, "gif", 3, 2, color.White),
			"nat_003.png": drawn(t, "png", 3, 2, color.Black)})
	l := laketest.New(t)
	r := must.Get(load(t.Context(), l, file.Source{FS: os.DirFS(dir), Name: ".", Path: "pics"}, Options{}))(t)
	for i, want := range []string{"turned upright", "without metadata", "converted"} {
		if len(r.Notes) != 3 ||
			r.Notes[i] != "pics: 1 pictures are "+
				want+" for models and pages; the originals are kept (images.original_path)" {
			t.Errorf("notes %q", r.Notes)
		}
	}
	rows := laketest.All(t, l, data.Images)
	for i, want := range []struct {
		format, was   string
		width, height int32
		original      []byte
	}{{"jpeg", "jpeg", 20, 40, turned}, {"png", "gif", 3, 2, drawn(t, "gif", 3, 2, color.White)}, {"png", "png",
		3, 2, nil}} {
		row := rows[i]
		if row.Format != want.format || row.OriginalFormat != want.was || row.Width != want.width ||
			row.Height != want.height {
			t.Errorf("%+v", row)
		}
		if want.original == nil {
			if row.OriginalPath != "" || row.OriginalBytes != nil {
				t.Errorf("%+v", row)
			}
			continue
		}
		if got, err := os.ReadFile(l.Path(row.OriginalPath)); err != nil || !slices.Equal(got, want.original) ||
			*row.OriginalBytes != int64(len(got)) || !strings.Contains(row.OriginalPath, row.OriginalSHA256) {
			t.Errorf("%+v: %v", row, err)
		}
	}
	if check, err := l.Check(data.CheckPictures, nil); err != nil || len(check.Faults) > 0 {
		t.Fatalf("%+v %v", check, err)
	}
	must.Succeed(t, os.Remove(l.Path(rows[0].OriginalPath)))
	if check, err := l.Check(data.CheckPictures, nil); err != nil || len(check.Faults) != 1 ||
		check.Faults[0].File != rows[0].OriginalPath || check.Faults[0].Kind != data.FaultMissing {
		t.Errorf("%+v %v", check, err)
	}
}

// brokenFS fails to read a file when it is opened for the n-th time.
type brokenFS struct {
	fs.FS
	name string
	at   int
}

type brokenFile struct{ fs.File }

func (brokenFile) Read([]byte) (int, error) {
	return 0, &fs.PathError{Op: "read", Path: "picture", Err: syscall.EIO}
}

func (b *brokenFS) Open(name string) (fs.File, error) {
	f, err := b.FS.Open(name)
	if err == nil && name == b.name {
		if info, _ := f.Stat(); !info.IsDir() {
			if b.at--; b.at == 0 {
				return brokenFile{f}, nil
			}
		}
	}
	return f, err
}

// A picture that a disk does not give once is left out, and read again by the same command,
// whenever the disk failed.
func TestPictureThatCouldNotBeReadOnce(t *testing.T) {
	dir := folderOf(t,
		map[string][]byte{"nat_001.png": drawn(t, "png", 3, 2, color.White),
			"nat_002.png": drawn(t, "png", 4, 2, color.White)})
	for n := 1; ; n++ {
		l := laketest.New(t)
		broken := &brokenFS{FS: os.DirFS(dir), name: "nat_002.png", at: n}
		again := func() error {
			_, err := load(t.Context(), l, file.Source{FS: broken, Name: ".", Path: dir}, Options{})
			return err
		}
		first := again()
		if broken.at > 0 {
			if n < 3 {
				t.Fatalf("the picture was opened %d times", n-1)
			}
			return
		}
		var faults *file.Faults
		if first != nil && (!errors.As(first, &faults) || !faults.Spared) {
			t.Fatalf("failed at %d: %v", n, first)
		}
		must.Succeed(t, again())
		expect.Equal(t, len(laketest.All(t, l, data.Images)), 2, n)
		must.Succeed(t, again())
	}
}
