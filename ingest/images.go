package ingest

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/sync/errgroup"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/ingest/picture"
)

// headBytes is how much of a file detection sees.
const headBytes = 64 << 10

// imagesFormat reads a folder of pictures, or one picture: png, jpeg, webp, gif, bmp and tiff, told by content. What models and
// pages get is what package picture makes of them; the original is kept beside it, where the two differ. A file that cannot be
// read is reported and left out, and the others of the folder are loaded.
//
// The image_id is the file's name without its ending: each picture is an item of its own, in whatever subfolder. Frames of
// one item are files called <id>-frame<n>, or <id>_<n> where <id> is of the published kind (emb_014_2 is a frame of emb_014,
// while scene_2 is an item of its own), counted from 0 in the order of their numbers. The pictures of a subfolder are the frames of an item
// of the subfolder's name, in the natural order of their names (frame9 before frame10), where that name is an id of the published kind,
// where they are called frame<n>, and in every subfolder when Options.Frames says so: by its names alone a folder of
// albums cannot be told from a folder of items.
//
// The domain follows from the id's prefix nat_, doc_, ecom_ or emb_, and from the options otherwise.
func imagesFormat() Format {
	return Format{
		Name:    "images",
		What:    "folder of pictures (" + picture.Kinds + "), or one picture",
		Version: "2",
		Detect: func(s Source, head []byte) bool {
			folder, err := s.isFolder()
			return err == nil && (folder || picture.Kind(head) != "")
		},
		Unit: func(s Source, _ Options) (string, error) { return path.Clean(s.Path), nil },
		Load: loadImages,
	}
}

func isPicture(s Source) bool {
	head, err := s.Head(512)
	return err == nil && picture.Kind(head) != ""
}

// eachPicture goes through the pictures of a folder and of its subfolders, or gives the one picture that the source is. problem
// says why a file is not to be opened; it is empty for most.
func eachPicture(s Source, each func(child Source, problem string) error) error {
	err := fs.WalkDir(s.FS, s.Name, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return skipHidden(name, entry, err)
		}
		child := s.child(name)
		if strings.HasPrefix(entry.Name(), ".") || !captionqa.HasPictureName(name) && !isPicture(child) {
			return nil
		}
		problem := ""
		switch {
		case !utf8.ValidString(name):
			problem = "its name is not UTF-8; rename the file"
		case strings.ContainsFunc(name, unicode.IsControl):
			problem = "its name has a control character; rename the file"
		}
		return each(child, problem)
	})
	if err != nil {
		return fmt.Errorf("%s: %w", s.Path, err)
	}
	return nil
}

// folderDigest digests the names and the contents of a folder's pictures.
func folderDigest(dir Source) (string, error) {
	var parts []string
	err := eachPicture(dir, func(child Source, problem string) error {
		digest := ""
		if problem == "" {
			var err error
			if digest, err = child.Digest(); err != nil {
				if isOver(err) {
					return err
				}
				problem = err.Error()
			}
		}
		parts = append(parts, child.Name, digest+problem)
		return nil
	})
	return data.Fingerprint(parts...), err
}

// isOver reports whether an error is of a context rather than of a file.
func isOver(err error) bool {
	return errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded)
}

// A pictureFile is one picture of a folder with its place in the benchmark.
type pictureFile struct {
	source Source
	id     string
	frame  int    // number in the name, or one of the two below
	folder string // that the frame's item is; empty where the file's own name tells the item
}

const (
	onlyFrame     = -1 // the name is the id itself
	unnumberedOne = -2 // a frame of a folder: the order of names decides
)

func loadImages(ctx context.Context, j *Job) error {
	files, err := j.pictureFiles()
	if err != nil {
		return err
	}
	if len(files) == 0 && len(j.faults.All) == 0 {
		j.Fault(0, 0, "the folder holds no picture; name a folder with png, jpeg, webp, gif, bmp or tiff files")
		return nil
	}
	w, err := data.NewRowWriter(j.Tx, data.Images)
	if err != nil {
		return err
	}
	loaded := 0
	held, err := j.heldPictures()
	if err != nil {
		return err
	}
	placed, err := j.place(files)
	if err != nil {
		return err
	}
	for batch := range slices.Chunk(placed, runtime.GOMAXPROCS(0)) {
		if err := ctx.Err(); err != nil {
			return err
		}
		readings := make([]reading, len(batch))
		var group errgroup.Group
		for i, f := range batch {
			group.Go(func() (err error) {
				readings[i], err = readPicture(f.source)
				return err
			})
		}
		if err := group.Wait(); err != nil {
			return err
		}
		for i, r := range readings {
			if r.unread { // Its digest was read, so that the folder would be taken for done.
				j.Tx.SetFingerprint("")
			}
			if r.problem != nil {
				j.faultOf(batch[i].source, "%v; replace or remove the file", r.problem)
				continue
			}
			row := batch[i].row
			if err := j.keepPicture(r.original, r.Picture, &row); err != nil {
				return err
			}
			loaded++
			if held[imageFrame{row.ImageID, row.Frame}] == row.SHA256 {
				j.Count("%d pictures are in the lake already")
			} else if err := w.Write(row); err != nil {
				return err
			}
		}
		if j.Options.Progress != nil {
			j.Options.Progress(j.Source.Path, loaded, len(placed))
		}
	}
	if loaded == 0 {
		return nil
	}
	return j.spare()
}

// An imageFrame names a picture.
type imageFrame struct {
	ImageID string
	Frame   int32
}

// heldPictures are the digests of the pictures that other units hold.
func (j *Job) heldPictures() (map[imageFrame]string, error) {
	held := map[imageFrame]string{}
	for row, err := range data.Scan(j.Lake, data.Images) {
		if err != nil {
			return nil, err
		}
		held[imageFrame{row.ImageID, row.Frame}] = row.SHA256
	}
	for row, err := range data.UnitRows(j.Lake, data.Images, j.Tx.Unit()) {
		if err != nil {
			return nil, err
		}
		delete(held, imageFrame{row.ImageID, row.Frame})
	}
	return held, nil
}

// A placedPicture is a picture with the row that it will have.
type placedPicture struct {
	source Source
	row    data.Image
}

// place gives the files their frames and domains, and reports those that cannot have any.
func (j *Job) place(files []pictureFile) (placed []placedPicture, err error) {
	frame := int32(0)
	for i, f := range files {
		frame++
		if i == 0 || files[i-1].id != f.id {
			frame = 0
		} else if before := files[i-1]; f.folder != before.folder && f.folder != "" && before.folder != "" {
			j.faultOf(f.source, "its folder is the item %q, as that of %s is; give one of the two folders another name", f.id, before.source.Path)
			continue
		} else if f.frame == before.frame && (f.frame != unnumberedOne || captionqa.ItemName(f.source.base()) == captionqa.ItemName(before.source.base())) {
			j.faultOf(f.source, "it is the same frame of %q as %s; give one of the two another name", f.id, before.source.Path)
			continue
		}
		domain, told := domainOf(f.id, j.Options)
		if !told { // The item's questions, or its other pictures, may tell.
			if domain, err = j.known.domainOf(j.Lake, f.id); err != nil {
				return nil, err
			}
		}
		if domain == "" {
			j.faultOf(f.source, "the id %q does not tell the domain; name it with --domain, or let the name begin with nat_, doc_, ecom_ or emb_", f.id)
			continue
		}
		placed = append(placed, placedPicture{f.source, data.Image{ImageID: f.id, Frame: frame, Domain: domain, Source: f.source.Path}})
	}
	return placed, nil
}

// faultOf reports a fault of a file within the folder that the job loads.
func (j *Job) faultOf(s Source, format string, args ...any) {
	j.faults.add(Fault{Path: printable(s.Path), Message: fmt.Sprintf(format, args...)})
}

// printable writes what a terminal cannot show, or would obey, as Go does within quotes.
func printable(name string) string {
	if utf8.ValidString(name) && !strings.ContainsFunc(name, unicode.IsControl) {
		return name
	}
	return strings.Trim(strconv.Quote(name), `"`)
}

// A sparedFile is a file that was left out of a folder, as runs.detail has it.
type sparedFile struct {
	Path   string `json:"path"`
	Reason string `json:"reason"`
}

// spare sets the faults of single files of a folder aside: the others are loaded, and the unit remembers those that are not.
func (j *Job) spare() error {
	folder, err := j.Source.isFolder()
	if err != nil || !folder || len(j.faults.All) == 0 {
		return err
	}
	left := make([]sparedFile, len(j.faults.All))
	for i, f := range j.faults.All {
		left[i] = sparedFile{f.Path, f.Message}
	}
	j.detail["files_left_out"], j.detail["more_files_left_out"] = left, j.faults.Dropped
	j.spared, j.faults = j.faults, Faults{}
	return nil
}

// sparedBefore gives the faults of the files that were left out when a unit was loaded.
func sparedBefore(lake *data.Lake, unit string) (Faults, error) {
	var faults Faults
	latest := int32(-1)
	for run, err := range data.Select(lake, data.Runs, data.Where{"unit": unit}) {
		if err != nil {
			return faults, err
		}
		if run.Execution == nil || *run.Execution < latest {
			continue
		}
		if latest, faults = *run.Execution, (Faults{}); run.Detail == "" {
			continue
		}
		var detail struct {
			LeftOut []sparedFile `json:"files_left_out"`
			More    int          `json:"more_files_left_out"`
		}
		if err := json.Unmarshal([]byte(run.Detail), &detail); err != nil {
			return faults, fmt.Errorf("what was left out of unit %s: %w", unit, err)
		}
		faults.Dropped = detail.More
		for _, f := range detail.LeftOut {
			faults.add(Fault{Path: f.Path, Message: f.Reason})
		}
	}
	return faults, nil
}

// A reading is what a file turned out to hold.
type reading struct {
	picture.Picture
	original []byte
	problem  error // why the file is no picture that can be used
	unread   bool  // the disk failed: another time it may be read
}

// readPicture reads one file. The error is that of a context that ended.
func readPicture(s Source) (reading, error) {
	content, err := s.read()
	failed := new(fs.PathError)
	switch {
	case isOver(err):
		return reading{}, err
	case err != nil:
		return reading{problem: fmt.Errorf("it cannot be read (%w)", cause(err)), unread: errors.As(err, &failed) && failed.Op == "read"}, nil
	}
	p, err := picture.Read(content)
	return reading{Picture: p, original: content, problem: err}, nil
}

// keepPicture stores a picture and, where it was changed, what it was made from, and says so in its row.
func (j *Job) keepPicture(original []byte, p picture.Picture, row *data.Image) (err error) {
	for _, change := range []struct {
		made bool
		note string
	}{
		{p.Turned, "%d pictures are turned upright for models and pages; the originals are kept (images.original_path)"},
		{p.Cleaned, "%d pictures are without their metadata for models and pages; the originals are kept (images.original_path)"},
		{p.Was != p.Format, "%d pictures are converted for models and pages; the originals are kept (images.original_path)"},
	} {
		if change.made {
			j.Count(change.note)
		}
	}
	if p.Frames > 1 {
		j.Note("%s has %d frames or pages, and the first is taken: save the others as pictures of their own to ask about them", row.Source, p.Frames)
	}
	if row.Path, err = j.Tx.AddPicture(p.Content, p.Format); err != nil {
		return err
	}
	row.SHA256 = storedDigest(row.Path)
	row.Format, row.Width, row.Height, row.Bytes, row.PHash = p.Format, int32(p.Width), int32(p.Height), int64(len(p.Content)), p.Hash
	row.OriginalFormat = p.Was
	if p.Cleaned || p.Turned || p.Was != p.Format {
		if row.OriginalPath, err = j.Tx.AddPicture(original, p.Was); err != nil {
			return err
		}
		size := int64(len(original))
		row.OriginalSHA256, row.OriginalBytes = storedDigest(row.OriginalPath), &size
	}
	return nil
}

// storedDigest is the digest that a stored picture's name is.
func storedDigest(name string) string { return strings.TrimSuffix(path.Base(name), path.Ext(name)) }

// pictureFiles lists the pictures of the source, ordered by item and frame, and reports those that are not to be opened.
func (j *Job) pictureFiles() ([]pictureFile, error) {
	var files []pictureFile
	albums := map[string]bool{} // subfolders whose pictures are items of their own
	err := eachPicture(j.Source, func(child Source, problem string) error {
		if problem != "" {
			j.faultOf(child, "%s", problem)
			return nil
		}
		f := frameOf(child, j.Source, j.Options.Frames)
		if folder := path.Dir(child.Name); f.frame == onlyFrame && folder != j.Source.Name && child.Name != j.Source.Name {
			albums[folder] = true
		}
		files = append(files, f)
		return nil
	})
	if len(albums) > 0 {
		j.Note("%s: each picture of its subfolders (%d) is an item of its own; with --frames, the pictures of a subfolder are the frames of one item", j.Source.Path, len(albums))
	}
	slices.SortStableFunc(files, func(a, b pictureFile) int {
		return cmp.Or(cmp.Compare(a.id, b.id), cmp.Compare(a.folder, b.folder), cmp.Compare(a.frame, b.frame),
			natural(captionqa.ItemName(a.source.base()), captionqa.ItemName(b.source.base())), cmp.Compare(a.source.Path, b.source.Path))
	})
	return files, err
}

var (
	publishedID = regexp.MustCompile(`^(?:nat|doc|ecom|emb)_[0-9]+$`)
	numbered    = regexp.MustCompile(`^(.+)_([0-9]{1,9})$`)
	framed      = regexp.MustCompile(`^(.+)-frame_?([0-9]{1,9})$`)
	bareFrame   = regexp.MustCompile(`^frame[-_]?[0-9]{1,9}$`)
)

// frameOf tells the item that a picture belongs to and its number among the item's frames.
func frameOf(s, root Source, folders bool) pictureFile {
	stem, dir := captionqa.ItemName(s.base()), path.Dir(s.Name)
	inFolder := s.Name != root.Name && dir != root.Name
	ofFolder := pictureFile{s, path.Base(dir), unnumberedOne, dir}
	if inFolder && folders {
		return ofFolder
	}
	if m := framed.FindStringSubmatch(stem); m != nil {
		return pictureFile{source: s, id: m[1], frame: number(m[2])}
	}
	if m := numbered.FindStringSubmatch(stem); m != nil && publishedID.MatchString(m[1]) {
		return pictureFile{source: s, id: m[1], frame: number(m[2])}
	}
	if inFolder && (publishedID.MatchString(path.Base(dir)) || bareFrame.MatchString(stem)) {
		return ofFolder
	}
	return pictureFile{source: s, id: stem, frame: onlyFrame}
}

// number reads at most nine digits.
func number(digits string) int {
	n, _ := strconv.Atoi(digits) // nine digits fit
	return n
}

// natural compares names as people count: runs of digits by their number, everything else by its letters.
func natural(a, b string) int {
	otherwise := cmp.Compare(a, b)
	for a != "" && b != "" {
		x, y := leadingDigits(a), leadingDigits(b)
		if x == "" || y == "" {
			if a[0] != b[0] {
				return cmp.Compare(a[0], b[0])
			}
			a, b = a[1:], b[1:]
			continue
		}
		p, q := strings.TrimLeft(x, "0"), strings.TrimLeft(y, "0")
		if c := cmp.Or(cmp.Compare(len(p), len(q)), cmp.Compare(p, q)); c != 0 {
			return c
		}
		a, b = a[len(x):], b[len(y):]
	}
	return cmp.Or(cmp.Compare(len(a), len(b)), otherwise)
}

func leadingDigits(s string) string {
	return s[:len(s)-len(strings.TrimLeft(s, "0123456789"))]
}
