package ingest

import (
	"bytes"
	"cmp"
	"encoding/base64"
	"encoding/binary"
	"fmt"
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
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
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
		must.Succeed(t, os.WriteFile(target, content, 0o666))
	}
	return dir
}

func TestImageFolder(t *testing.T) {
	t.Parallel()
	dir := folderOf(t, map[string][]byte{
		"nat_001.png":           drawn(t, "png", 3, 2, color.White),
		"doc_002.JPG":           drawn(t, "jpeg", 4, 4, color.Black),
		"ecom_003":              drawn(t, "gif", 1, 5, color.White),
		"emb_004_10.png":        drawn(t, "png", 2, 2, color.Black),
		"emb_004_9.png":         drawn(t, "png", 2, 1, color.Black),
		"emb_005/b.png":         drawn(t, "png", 3, 2, color.White), // the same bytes as nat_001
		"emb_005/a.png":         drawn(t, "png", 5, 1, color.White),
		"nat_006-frame2.png":    drawn(t, "png", 6, 2, color.White),
		"nat_006-frame1.webp":   drawn(t, "webp", 1, 1, color.White),
		"more/nat_room_2.png":   drawn(t, "png", 7, 1, color.White),
		"emb_lift/frame_0.png":  drawn(t, "png", 8, 1, color.White),
		"emb_lift/frame_01.png": drawn(t, "png", 9, 1, color.White),
		".DS_Store":             []byte("x"),
		"README.md":             []byte("pictures"),
	})
	e, err := expand(t.Context(), []string{dir}, nil)
	if err != nil || len(e.Sources) != 1 {
		t.Fatalf("%+v, %v", e, err)
	}
	slash := filepath.ToSlash(dir)
	if want := []string{slash + "/.DS_Store", slash + "/README.md"}; !slices.Equal(e.Skipped, want) {
		t.Errorf("skipped %q, want %q", e.Skipped, want)
	}
	l := laketest.New(t)
	r, err := Load(t.Context(), l, e.Sources[0], Options{})
	if err != nil || r.Format != "images" || r.Rows["images"] != 12 {
		t.Fatalf("%+v, %v", r, err)
	}
	var got []string
	for _, row := range laketest.All(t, l, data.Images) {
		info, err := os.Stat(l.Path(row.Path))
		if err != nil || info.Size() != row.Bytes || !strings.Contains(row.Path, row.SHA256) {
			t.Errorf("%+v: %v", row, err)
		}
		got = append(got, strings.Join([]string{row.ImageID, string(rune('0' + row.Frame)), row.Domain, row.Format,
			string(rune('0'+row.Width)) + "x" + string(rune('0'+row.Height))}, " "))
	}
	want := []string{
		"doc_002 0 Document jpeg 4x4", "ecom_003 0 E-commerce png 1x5", "emb_004 0 Embodied AI png 2x1", "emb_004 1 Embodied AI png 2x2",
		"emb_005 0 Embodied AI png 5x1", "emb_005 1 Embodied AI png 3x2", "emb_lift 0 Embodied AI png 8x1", "emb_lift 1 Embodied AI png 9x1",
		"nat_001 0 Natural png 3x2", "nat_006 0 Natural webp 1x1", "nat_006 1 Natural png 6x2", "nat_room_2 0 Natural png 7x1",
	}
	if !slices.Equal(got, want) {
		t.Errorf("got\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	before := lakeFiles(t, l)
	again, err := Load(t.Context(), l, e.Sources[0], Options{})
	if err != nil || again.Changed || !maps.Equal(before, lakeFiles(t, l)) {
		t.Errorf("the second load: %+v, %v", again, err)
	}
}

// A file of a folder that cannot be used is left out and reported whenever the folder is loaded; the others are loaded.
func TestImageFolderFaults(t *testing.T) {
	t.Parallel()
	whole := drawn(t, "png", 30, 20, color.White)
	huge := slices.Clone(whole)
	copy(huge[16:], []byte{0, 0, 0xc3, 0x50, 0, 0, 0xc3, 0x50}) // width and height of IHDR, 50,000 each; its checksum is wrong now
	bomb := slices.Clone(huge)
	binary.BigEndian.PutUint32(bomb[29:], crc32.ChecksumIEEE(bomb[12:29])) // type and data of IHDR: the checksum is right again
	dir := folderOf(t, map[string][]byte{
		"nat_001.png":     whole[:len(whole)-20],
		"nat_002.png":     []byte("no picture"),
		"nat_003.png":     nil,
		"nat_004.png":     whole,
		"nat_004.jpg":     drawn(t, "jpeg", 2, 2, color.White),
		"nat_005.png":     huge,
		"nat_006.png":     bomb,
		"nat_007.svg":     []byte(`<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`),
		"nat_010.jpg":     whole, // a PNG, whatever its name says
		"nat_кухня 1.png": whole,
		"nat_\n.png":      whole,
		"nat_\xff.png":    whole,
		"scene.png":       whole,
	})
	outside := folderOf(t, map[string][]byte{"secret.png": whole})
	for name, target := range map[string]string{
		"nat_008.png": filepath.Join(outside, "secret.png"), "nat_009.png": "nowhere.png", "nat_011.png": "nat_010.jpg",
	} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
	}
	l := laketest.New(t)
	_, _, err := LoadPaths(t.Context(), l, []string{dir}, Options{})
	want := strings.Join([]string{
		`pics/nat_\n.png: its name has a control character; rename the file`,
		"pics/nat_008.png: it is a link to a file outside of the folder; copy that file into the folder",
		`pics/nat_\xff.png: its name is not UTF-8; rename the file`,
		`pics/nat_004.png: it is the same frame of "nat_004" as pics/nat_004.jpg; give one of the two another name`,
		`pics/scene.png: the id "scene" does not tell the domain; name it with --domain, or let the name begin with nat_, doc_, ecom_ or emb_`,
		"pics/nat_001.png: the png is damaged (it ends too early); replace or remove the file",
		"pics/nat_002.png: the content is no png, jpeg, webp, gif, bmp or tiff, whatever the name says; replace or remove the file",
		"pics/nat_003.png: the file is empty; replace or remove the file",
		"pics/nat_005.png: the png is damaged (png: invalid format: invalid checksum); replace or remove the file",
		"pics/nat_006.png: it claims 50000 × 50000 pixels, and 67108864 in all are read; replace or remove the file",
		"pics/nat_007.svg: it is svg, which is not read, as png and jpeg are; replace or remove the file",
		"pics/nat_009.png: it cannot be read (no such file or directory); replace or remove the file",
	}, "\n")
	if err == nil || strings.ReplaceAll(err.Error(), filepath.ToSlash(dir), "pics") != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
	var ids []string
	for _, row := range laketest.All(t, l, data.Images) {
		ids = append(ids, row.ImageID+"."+row.Format)
	}
	if want := []string{"nat_004.jpeg", "nat_010.png", "nat_011.png", "nat_кухня 1.png"}; !slices.Equal(ids, want) {
		t.Errorf("loaded %q, want %q", ids, want)
	}
	before := lakeFiles(t, l)
	results, _, again := LoadPaths(t.Context(), l, []string{dir}, Options{})
	if len(results) != 1 || results[0].Changed || again == nil || again.Error() != err.Error() || !maps.Equal(before, lakeFiles(t, l)) {
		t.Errorf("the second load: %+v, %v", results, again)
	}
	for name := range map[string]bool{"nat_001.png": true, "nat_002.png": true, "nat_003.png": true, "nat_004.png": true, "nat_005.png": true, "nat_006.png": true,
		"nat_007.svg": true, "nat_008.png": true, "nat_009.png": true, "nat_\n.png": true, "nat_\xff.png": true, "scene.png": true} {
		must.Succeed(t, os.Remove(filepath.Join(dir, name)))
	}
	if results, _, err := LoadPaths(t.Context(), l, []string{dir}, Options{}); err != nil || !results[0].Changed {
		t.Errorf("without the faulty files: %+v, %v", results, err)
	}
	if _, _, err := LoadPaths(t.Context(), l, []string{dir}, Options{}); err != nil {
		t.Errorf("what was left out once is still reported: %v", err)
	}
}

// A folder without a single picture that can be used changes nothing.
func TestImageFolderOfFaultsAlone(t *testing.T) {
	t.Parallel()
	dir := folderOf(t, map[string][]byte{"nat_001.png": nil})
	l := laketest.New(t)
	before := lakeFiles(t, l)
	results, _, err := LoadPaths(t.Context(), l, []string{dir}, Options{})
	if err == nil || len(results) != 1 || results[0].State != StateRefused || !maps.Equal(before, lakeFiles(t, l)) {
		t.Errorf("%+v, %v", results, err)
	}
}

// However the folder is named, and through whatever link, a link within it may be followed and one out of it is not.
func TestLinksOfFolder(t *testing.T) {
	dir := folderOf(t, map[string][]byte{"pics/nat_001.png": drawn(t, "png", 3, 2, color.White), "other/secret.png": drawn(t, "png", 4, 2, color.White)})
	for name, target := range map[string]string{
		"pics/nat_002.png": "nat_001.png", "pics/nat_003.png": "../other/secret.png", "pics/nat_004.png": filepath.Join(dir, "other/secret.png"), "link": "pics",
	} {
		if err := os.Symlink(target, filepath.Join(dir, name)); err != nil {
			t.Skip(err)
		}
	}
	t.Chdir(dir)
	for _, folder := range []string{"pics", "./link", filepath.Join(dir, "pics")} {
		results, _, err := LoadPaths(t.Context(), laketest.New(t), []string{folder}, Options{})
		if err == nil || strings.Count(err.Error(), "a link to a file outside of the folder") != 2 || len(results) != 1 || results[0].Rows["images"] != 2 {
			t.Errorf("%s: %+v %v", folder, results, err)
		}
	}
}

// What models get is upright and free of metadata; the original is kept by its digest, and is checked like every file.
func TestOriginalsAreKept(t *testing.T) {
	t.Parallel()
	orientation := []byte("\xff\xe1\x00\x22Exif\x00\x00MM\x00*\x00\x00\x00\x08\x00\x01\x01\x12\x00\x03\x00\x00\x00\x01\x00\x06\x00\x00\x00\x00\x00\x00")
	turned := slices.Insert(drawn(t, "jpeg", 40, 20, color.White), 2, orientation...)
	dir := folderOf(t, map[string][]byte{"nat_001.jpg": turned, "nat_002.gif": drawn(t, "gif", 3, 2, color.White), "nat_003.png": drawn(t, "png", 3, 2, color.Black)})
	l := laketest.New(t)
	r, err := Load(t.Context(), l, Source{FS: os.DirFS(dir), Name: ".", Path: "pics"}, Options{})
	must.Succeed(t, err)
	if want := "pics: of the pictures, models and pages get 1 turned upright, 1 without their metadata, 1 converted; the originals are kept (images.original_path)"; !slices.Contains(r.Notes, want) {
		t.Errorf("notes %q", r.Notes)
	}
	rows := laketest.All(t, l, data.Images)
	for i, want := range []struct {
		format, was   string
		width, height int32
		original      []byte
	}{{"jpeg", "jpeg", 20, 40, turned}, {"png", "gif", 3, 2, drawn(t, "gif", 3, 2, color.White)}, {"png", "png", 3, 2, nil}} {
		row := rows[i]
		if row.Format != want.format || row.OriginalFormat != want.was || row.Width != want.width || row.Height != want.height {
			t.Errorf("%+v", row)
		}
		if want.original == nil {
			if row.OriginalPath != "" || row.OriginalBytes != nil {
				t.Errorf("%+v", row)
			}
			continue
		}
		if got, err := os.ReadFile(l.Path(row.OriginalPath)); err != nil || !slices.Equal(got, want.original) || *row.OriginalBytes != int64(len(got)) || !strings.Contains(row.OriginalPath, row.OriginalSHA256) {
			t.Errorf("%+v: %v", row, err)
		}
	}
	if check, err := l.Verify(nil); err != nil || len(check.Faults) > 0 {
		t.Fatalf("%+v %v", check, err)
	}
	must.Succeed(t, os.Remove(l.Path(rows[0].OriginalPath)))
	if check, err := l.Verify(nil); err != nil || len(check.Faults) != 1 || check.Faults[0].File != rows[0].OriginalPath || check.Faults[0].Kind != data.FaultMissing {
		t.Errorf("%+v %v", check, err)
	}
}

// Without --frames a picture of a subfolder is an item of its own, which is said; with it, the subfolders are the items.
func TestFramesOfFolders(t *testing.T) {
	t.Parallel()
	files := map[string][]byte{"street.png": drawn(t, "png", 1, 1, color.White)}
	for i, name := range []string{"left1/cam10.png", "left1/cam9.png", "left1/b2-x.png", "lift/2.png", "lift/1.png"} {
		files[name] = drawn(t, "png", 2+i, 1, color.White)
	}
	dir := folderOf(t, files)
	load := func(o Options) (rows, notes []string, err error) {
		l := laketest.New(t)
		o.Domain = "Rooms"
		r, err := Load(t.Context(), l, Source{FS: os.DirFS(dir), Name: ".", Path: "pics"}, o)
		for _, row := range laketest.All(t, l, data.Images) {
			rows = append(rows, fmt.Sprintf("%s %d %s", row.ImageID, row.Frame, strings.TrimPrefix(row.Source, "pics/")))
		}
		return rows, r.Notes, err
	}
	rows, notes, err := load(Options{})
	want := []string{"1 0 lift/1.png", "2 0 lift/2.png", "b2-x 0 left1/b2-x.png", "cam10 0 left1/cam10.png", "cam9 0 left1/cam9.png", "street 0 street.png"}
	if err != nil || !slices.Equal(rows, want) {
		t.Errorf("%q %v", rows, err)
	}
	if want := "pics: each picture of its subfolders (2) is an item of its own; with --frames, the pictures of a subfolder are the frames of one item"; !slices.Contains(notes, want) {
		t.Errorf("notes %q", notes)
	}
	rows, notes, err = load(Options{Frames: true})
	want = []string{"left1 0 left1/b2-x.png", "left1 1 left1/cam9.png", "left1 2 left1/cam10.png", "lift 0 lift/1.png", "lift 1 lift/2.png", "street 0 street.png"}
	if err != nil || !slices.Equal(rows, want) || len(notes) > 0 {
		t.Errorf("%q %q %v", rows, notes, err)
	}
	must.Succeed(t, os.MkdirAll(filepath.Join(dir, "more", "lift"), 0o777))
	for _, name := range []string{"more/lift/3.png", "lift/1.jpg"} {
		must.Succeed(t, os.WriteFile(filepath.Join(dir, name), files["lift/1.png"], 0o666))
	}
	_, _, err = load(Options{Frames: true})
	if want := `pics/lift/1.png: it is the same frame of "lift" as pics/lift/1.jpg; give one of the two another name
pics/more/lift/3.png: its folder is the item "lift", as that of pics/lift/2.png is; give one of the two folders another name`; err == nil || err.Error() != want {
		t.Errorf("got\n%v\nwant\n%s", err, want)
	}
}

func TestNaturalOrder(t *testing.T) {
	t.Parallel()
	want := []string{"", "01", "1", "2", "10", "a", "a1", "a1b", "a01c", "a2", "a10", "b", "ä"}
	for i, a := range want {
		for j, b := range want {
			if got := natural(a, b); cmp.Compare(got, 0) != cmp.Compare(i, j) {
				t.Errorf("%q %q: %d", a, b, got)
			}
		}
	}
}

func TestOnePicture(t *testing.T) {
	t.Parallel()
	dir := folderOf(t, map[string][]byte{"scene.png": drawn(t, "png", 3, 2, color.White)})
	e, err := expand(t.Context(), []string{filepath.Join(dir, "scene.png")}, nil)
	if err != nil || len(e.Sources) != 1 {
		t.Fatalf("%+v, %v", e, err)
	}
	l := laketest.New(t)
	if _, err := Load(t.Context(), l, e.Sources[0], Options{Domain: "Medical"}); err != nil {
		t.Fatal(err)
	}
	rows := laketest.All(t, l, data.Images)
	if len(rows) != 1 || rows[0].ImageID != "scene" || rows[0].Domain != "Medical" || rows[0].Frame != 0 {
		t.Errorf("got %+v", rows)
	}
}

// A folder of which one picture was loaded by itself takes that one's domain, and does not load it again.
func TestFolderOfKnownPictures(t *testing.T) {
	t.Parallel()
	dir := folderOf(t, map[string][]byte{"scene.png": drawn(t, "png", 3, 2, color.White)})
	l := laketest.New(t)
	loadFolder(t, l, Options{Domain: "Rooms"}, filepath.Join(dir, "scene.png"))
	results := loadFolder(t, l, Options{}, dir)
	if rows := laketest.All(t, l, data.Images); len(rows) != 1 || rows[0].Domain != "Rooms" || results[0].Notes[0] != results[0].Path+": 1 pictures are in the lake already" {
		t.Errorf("got %+v, %+v", rows, results)
	}
}

func TestExpand(t *testing.T) {
	t.Parallel()
	csv := []byte("image_id,caption\nnat_001,A red kettle.\n")
	dir := folderOf(t, map[string][]byte{
		"b/table.csv":       csv,
		"a.csv":             csv,
		"LICENSE":           []byte("words"),
		".hidden/x.csv":     csv,
		"pics/nat_001.png":  drawn(t, "png", 1, 1, color.White),
		"mixed/nat_002.png": drawn(t, "png", 1, 1, color.White),
		"mixed/t.csv":       csv,
		"empty.json":        nil,
		"lake/LAKE":         []byte("captionlake lake, layout 2\n"),
		"lake/x.csv":        csv,
	})
	slash := filepath.ToSlash(dir)
	e, err := expand(t.Context(), []string{dir, filepath.Join(dir, "LICENSE")}, nil)
	must.Succeed(t, err)
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
	if _, err := Load(t.Context(), laketest.New(t), e.Sources[len(e.Sources)-1], Options{}); err == nil || !strings.Contains(err.Error(), "no known format") {
		t.Errorf("a named file of no format: %v", err)
	}
	_, err = expand(t.Context(), []string{filepath.Join(dir, "absent"), filepath.Join(dir, ".hidden", "absent.csv")}, nil)
	if want := filepath.Join(dir, "absent") + ": no such file or directory\n" + filepath.Join(dir, ".hidden", "absent.csv") + ": no such file or directory"; err == nil || err.Error() != want {
		t.Errorf("got %v\nwant %s", err, want)
	}
}
