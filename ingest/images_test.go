package ingest

import (
	"bytes"
	"encoding/base64"
	"encoding/binary"
	"hash/crc32"
	"image"
	"image/color"
	"image/gif"
	"image/jpeg"
	"image/png"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data"
)

// tinyWebP is a lossless WebP of one pixel, the smallest file that decodes.
const tinyWebP = "UklGRhoAAABXRUJQVlA4TA0AAAAvAAAAEAcQERGIiP4HAA=="

// picture draws a picture of one colour.
func picture(t testing.TB, kind string, width, height int, c color.Color) []byte {
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
	if err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// folderOf writes files below a new folder.
func folderOf(t testing.TB, files map[string][]byte) string {
	t.Helper()
	dir := t.TempDir()
	for name, content := range files {
		target := filepath.Join(dir, filepath.FromSlash(name))
		if err := os.MkdirAll(filepath.Dir(target), 0o777); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(target, content, 0o666); err != nil {
			t.Fatal(err)
		}
	}
	return dir
}

func TestImageFolder(t *testing.T) {
	t.Parallel()
	dir := folderOf(t, map[string][]byte{
		"nat_001.png":           picture(t, "png", 3, 2, color.White),
		"doc_002.JPG":           picture(t, "jpeg", 4, 4, color.Black),
		"ecom_003":              picture(t, "gif", 1, 5, color.White),
		"emb_004_10.png":        picture(t, "png", 2, 2, color.Black),
		"emb_004_9.png":         picture(t, "png", 2, 1, color.Black),
		"emb_005/b.png":         picture(t, "png", 3, 2, color.White), // the same bytes as nat_001
		"emb_005/a.png":         picture(t, "png", 5, 1, color.White),
		"nat_006-frame2.png":    picture(t, "png", 6, 2, color.White),
		"nat_006-frame1.webp":   picture(t, "webp", 1, 1, color.White),
		"more/nat_room_2.png":   picture(t, "png", 7, 1, color.White),
		"emb_lift/frame_0.png":  picture(t, "png", 8, 1, color.White),
		"emb_lift/frame_01.png": picture(t, "png", 9, 1, color.White),
		".DS_Store":             []byte("x"),
		"README.md":             []byte("pictures"),
	})
	e, err := Expand(t.Context(), []string{dir})
	if err != nil || len(e.Sources) != 1 {
		t.Fatalf("%+v, %v", e, err)
	}
	slash := filepath.ToSlash(dir)
	if want := []string{slash + "/.DS_Store", slash + "/README.md"}; !slices.Equal(e.Skipped, want) {
		t.Errorf("skipped %q, want %q", e.Skipped, want)
	}
	l := referenceLake(t)
	r, err := Load(t.Context(), l, e.Sources[0], Options{})
	if err != nil || r.Format != "images" || r.Rows["images"] != 12 {
		t.Fatalf("%+v, %v", r, err)
	}
	var got []string
	for _, row := range tableRows(t, l, data.Images) {
		info, err := os.Stat(l.Path(row.Path))
		if err != nil || info.Size() != row.Bytes || !strings.Contains(row.Path, row.SHA256) {
			t.Errorf("%+v: %v", row, err)
		}
		got = append(got, strings.Join([]string{row.ImageID, string(rune('0' + row.Frame)), row.Domain, row.Format,
			string(rune('0'+row.Width)) + "x" + string(rune('0'+row.Height))}, " "))
	}
	want := []string{
		"doc_002 0 Document jpeg 4x4", "ecom_003 0 E-commerce gif 1x5", "emb_004 0 Embodied AI png 2x1", "emb_004 1 Embodied AI png 2x2",
		"emb_005 0 Embodied AI png 5x1", "emb_005 1 Embodied AI png 3x2", "emb_lift 0 Embodied AI png 8x1", "emb_lift 1 Embodied AI png 9x1",
		"nat_001 0 Natural png 3x2", "nat_006 0 Natural webp 1x1", "nat_006 1 Natural png 6x2", "nat_room_2 0 Natural png 7x1",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	before := lakeFiles(t, l)
	again, err := LoadImageFolder(t.Context(), l, e.Sources[0], Options{})
	if err != nil || again.Changed || !maps.Equal(before, lakeFiles(t, l)) {
		t.Errorf("the second load: %+v, %v", again, err)
	}
}

func TestImageFolderFaults(t *testing.T) {
	t.Parallel()
	whole := picture(t, "png", 30, 20, color.White)
	huge := slices.Clone(whole)
	copy(huge[16:], []byte{0, 0x7f, 0xff, 0xff, 0, 0x7f, 0xff, 0xff}) // width and height of IHDR, 2²³ − 1 each; its checksum is wrong now
	bomb := slices.Clone(huge)
	binary.BigEndian.PutUint32(bomb[29:], crc32.ChecksumIEEE(bomb[12:29])) // type and data of IHDR: the checksum is right again
	dir := folderOf(t, map[string][]byte{
		"nat_001.png": whole[:len(whole)-20],
		"nat_002.png": []byte("no picture"),
		"nat_003.png": nil,
		"nat_004.png": whole,
		"nat_004.jpg": picture(t, "jpeg", 2, 2, color.White),
		"nat_005.png": huge,
		"nat_006.png": bomb,
		"scene.png":   whole,
	})
	l := referenceLake(t)
	before := lakeFiles(t, l)
	_, err := LoadImageFolder(t.Context(), l, Source{FS: os.DirFS(dir), Name: ".", Path: "pics"}, Options{})
	want := strings.Join([]string{
		"pics/nat_001.png: the png is damaged (png: invalid format: unexpected EOF); copy it again",
		"pics/nat_002.png: the content is no png, jpeg, gif or webp, whatever the name says; replace or remove the file",
		"pics/nat_003.png: the file is empty; copy it again",
		`pics/nat_004.png: it is the same frame of "nat_004" as pics/nat_004.jpg; give one of the two another name`,
		"pics/nat_005.png: the png is damaged (png: invalid format: invalid checksum); copy it again",
		"pics/nat_006.png: the picture claims 8388607 × 8388607 pixels; make it smaller",
		`pics/scene.png: the id "scene" does not tell the domain; name it with --domain, or let the name begin with nat_, doc_, ecom_ or emb_`,
	}, "\n")
	if err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
	if !maps.Equal(before, lakeFiles(t, l)) {
		t.Error("the lake changed")
	}
}

func TestOnePicture(t *testing.T) {
	t.Parallel()
	dir := folderOf(t, map[string][]byte{"scene.png": picture(t, "png", 3, 2, color.White)})
	e, err := Expand(t.Context(), []string{filepath.Join(dir, "scene.png")})
	if err != nil || len(e.Sources) != 1 {
		t.Fatalf("%+v, %v", e, err)
	}
	l := referenceLake(t)
	if _, err := Load(t.Context(), l, e.Sources[0], Options{Domain: "Medical"}); err != nil {
		t.Fatal(err)
	}
	rows := tableRows(t, l, data.Images)
	if len(rows) != 1 || rows[0].ImageID != "scene" || rows[0].Domain != "Medical" || rows[0].Frame != 0 {
		t.Errorf("got %+v", rows)
	}
}

func TestExpand(t *testing.T) {
	t.Parallel()
	csv := []byte("benchmark,spearman,kendall\nCAPTURE,0.7,0.6\n")
	dir := folderOf(t, map[string][]byte{
		"b/table.csv":       csv,
		"a.csv":             csv,
		"LICENSE":           []byte("words"),
		".hidden/x.csv":     csv,
		"pics/nat_001.png":  picture(t, "png", 1, 1, color.White),
		"mixed/nat_002.png": picture(t, "png", 1, 1, color.White),
		"mixed/t.csv":       csv,
		"empty.json":        nil,
		"lake/LAKE":         []byte("captionlake lake, layout 1\n"),
		"lake/x.csv":        csv,
	})
	slash := filepath.ToSlash(dir)
	e, err := Expand(t.Context(), []string{dir, filepath.Join(dir, "LICENSE")})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, s := range e.Sources {
		got = append(got, strings.TrimPrefix(s.Path, slash+"/"))
		if _, err := s.Digest(); err != nil {
			t.Errorf("%s cannot be read: %v", s.Path, err)
		}
	}
	want := []string{slash, "a.csv", "b/table.csv", "mixed/t.csv", "LICENSE"}
	if !slices.Equal(got, want) {
		t.Errorf("got %q, want %q", got, want)
	}
	for i, s := range e.Skipped {
		e.Skipped[i] = strings.TrimPrefix(s, slash+"/")
	}
	if want := []string{".hidden", "LICENSE", "empty.json", "lake"}; !slices.Equal(e.Skipped, want) {
		t.Errorf("skipped %q, want %q", e.Skipped, want)
	}
	if _, err := Load(t.Context(), referenceLake(t), e.Sources[len(e.Sources)-1], Options{}); err == nil || !strings.Contains(err.Error(), "no known format") {
		t.Errorf("a named file of no format: %v", err)
	}
	_, err = Expand(t.Context(), []string{filepath.Join(dir, "absent"), filepath.Join(dir, ".hidden", "absent.csv")})
	if want := filepath.Join(dir, "absent") + ": no such file or directory\n" + filepath.Join(dir, ".hidden", "absent.csv") + ": no such file or directory"; err == nil || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
}
