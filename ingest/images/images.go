// Package images loads folders of pictures.
package images

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
	"golang.org/x/text/collate"
	"golang.org/x/text/language"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/ingest/file"
	"github.com/captionlake/captionlake/ingest/picture"
	"github.com/captionlake/captionlake/ingest/shape"
)

// Format reads a folder of pictures, or one picture: png, jpeg, webp, gif, bmp or tiff, recognised
// by content. Package picture prepares the picture for models and pages; the original is kept if it
// differs. A file that cannot be read is reported and left out, and the other files of the folder
// are loaded.
//
// The image_id is the file's name without its ending: each picture is an item of its own, in any
// subfolder. There are two kinds of frames of an item:
//   - Files called <id>-frame<n>, or <id>_<n> if <id> has the published form (emb_014_2 is a
//     frame of emb_014, while scene_2 is an item of its own). The order of <n> gives them new
//     numbers from 0.
//   - The pictures of a subfolder, if its name is an id of the published form or if they are
//     called frame<n>. They are in the natural order of their names (frame9 before frame10). With
//     Options.Frames the pictures of every subfolder are frames of one item: names alone cannot
//     show whether a folder holds albums or items.
//
// The domain is the options', otherwise it follows from the id's prefix nat_, doc_, ecom_ or emb_.
var Format = &shape.Format{
	Name:    "images",
	What:    "folder of pictures (" + picture.Kinds + "), or one picture",
	Version: "2",
	Detect: func(l *shape.Look) bool {
		folder, err := l.IsFolder()
		return err == nil && folder || picture.Kind(l.Head) != ""
	},
	Unit:   func(s file.Source, _ shape.Options) (string, error) { return path.Clean(s.Path), nil },
	Digest: digest,
	Early:  true,
	Load:   load,
}

// isPicture reports whether a file is a picture by its name or its content.
func isPicture(s file.Source) bool {
	head, err := s.Head(512) // more than Kind needs
	return captionqa.HasPictureName(s.Name) || err == nil && picture.Kind(head) != ""
}

// Walk visits the files of a folder and of its subfolders, or a single file. It skips hidden files,
// lakes, and anything that is no regular file. A picture that cannot be opened, such as a broken
// link, is visited all the same, so that loading it reports the fault.
func Walk(s file.Source, each func(child file.Source, isPicture bool) error) (skipped []string, err error) {
	err = fs.WalkDir(s.FS, s.Name, func(name string, entry fs.DirEntry, err error) error {
		child := s.Child(name)
		hidden := name != s.Name && strings.HasPrefix(path.Base(name), ".")
		info, statErr := fs.Stat(s.FS, name)
		switch {
		case err != nil || file.IsOver(statErr): // The folder cannot be read, or the context has ended.
			return cmp.Or(err, statErr)
		case entry.IsDir() && !hidden && !isLake(child):
			return nil
		case entry.IsDir():
			skipped = append(skipped, child.Path)
			return fs.SkipDir
		case hidden, statErr == nil && !info.Mode().IsRegular(), statErr != nil && !isPicture(child):
			skipped = append(skipped, child.Path)
			return nil
		}
		return each(child, isPicture(child))
	})
	if err != nil {
		err = fmt.Errorf("%s: %w", s.Path, err)
	}
	return skipped, err
}

// isLake reports whether a folder is a lake. The files of a lake came from foreign files and are
// not foreign themselves.
func isLake(dir file.Source) bool {
	content, err := fs.ReadFile(dir.FS, path.Join(dir.Name, "LAKE"))
	return err == nil && strings.HasPrefix(string(content), "captionlake lake")
}

// digest digests the names and contents of a folder's pictures, or one picture. For an unreadable
// picture the error's text counts, so that the digest changes once the picture can be read.
func digest(s file.Source) (string, error) {
	if folder, err := s.IsFolder(); err != nil || !folder {
		return s.Digest()
	}
	var parts []string
	_, err := Walk(s, func(child file.Source, isPicture bool) error {
		if !isPicture {
			return nil
		}
		digest, err := child.Digest()
		if file.IsOver(err) { // The context has ended.
			return err
		}
		parts = append(parts, child.Name, digest+fmt.Sprint(err))
		return nil
	})
	return data.Fingerprint(parts...), err
}

// A pictureFile is one picture of a folder, with its item and its frame.
type pictureFile struct {
	source file.Source
	id     string // image_id of the item
	frame  int    // number in the name, or a constant below
	folder string // folder that is the frame's item; empty if the file's own name gives the item
	row    data.Image

	picture.Picture
	original []byte
	problem  error // why the file is not a usable picture
	unread   bool  // the disk failed; a later try may succeed
}

const (
	onlyFrame     = -1 // the name is the id itself
	unnumberedOne = -2 // a frame of a folder, ordered by name
)

// load loads the pictures of the job's folder, or its one picture. It reads a batch at once, a
// picture for each processor, and then writes the pictures of the batch in order.
func load(_ context.Context, j *shape.Job) error {
	files, err := pictureFiles(j)
	if err != nil {
		return err
	}
	if len(files) == 0 && len(j.Faults.All) == 0 {
		j.Fault(file.Pos{}, "the folder has no picture; name a folder with png, jpeg, webp, gif, bmp or tiff files")
		return nil
	}
	loaded := 0
	held, err := j.HeldPictures()
	if err != nil {
		return err
	}
	placed := place(j, files)
	for batch := range slices.Chunk(placed, runtime.GOMAXPROCS(0)) {
		var group errgroup.Group
		for i := range batch {
			group.Go(batch[i].read)
		}
		if err := group.Wait(); err != nil {
			return err
		}
		for _, f := range batch {
			if f.unread { // Without a fingerprint the next command loads the folder again.
				j.Tx.SetFingerprint("")
			}
			if f.problem != nil {
				faultOf(j, f.source, "%v; replace or remove the file", f.problem)
				continue
			}
			if err := j.KeepPicture(f.original, f.Picture, &f.row); err != nil {
				return err
			}
			loaded++
			if held[shape.ImageFrame{ImageID: f.id, Frame: f.row.Frame}] == f.row.SHA256 {
				j.Count("%d pictures are in the lake already")
			} else if err := shape.Write(j, data.Images, f.row); err != nil {
				return err
			}
		}
		clear(batch) // The contents of the pictures may take much memory.
		if j.Options.Progress != nil {
			j.Options.Progress(j.Source.Path, loaded, len(placed))
		}
	}
	// If the source is one picture, or if nothing is loaded, the faults stay in j.Faults, and the unit
	// is refused.
	if folder, err := j.Source.IsFolder(); err != nil || !folder || loaded == 0 || len(j.Faults.All) == 0 {
		return err
	}
	// In a folder the faulty files do not keep the others from being loaded. The unit's run records
	// the faulty files.
	j.Detail["files_left_out"], j.Detail["more_files_left_out"] = j.Faults.All, j.Faults.Dropped
	j.Spared, j.Faults = j.Faults, file.Faults{}
	j.Spared.Spared = true
	return nil
}

// read reads and decodes the file. It returns the error of an ended context; any other error
// becomes the file's problem.
func (f *pictureFile) read() error {
	var err error
	if f.original, err = f.source.Content(); file.IsOver(err) {
		return err
	}
	// After an error of Content, original is not the whole file, and this error is the problem.
	if f.Picture, f.problem = picture.Read(f.original); err != nil {
		f.problem = fmt.Errorf("it cannot be read (%w)", file.Cause(err))
	}
	// A file that cannot be opened has another digest once it can be opened (digest). After a
	// failed read, the next digest may be the same.
	failed := new(fs.PathError)
	f.unread = errors.As(err, &failed) && failed.Op == "read"
	return nil
}

// place gives the files, which are ordered by item and frame, their frames and domains. It reports
// and leaves out files that are a second picture of a frame or that have no domain.
func place(j *shape.Job, files []pictureFile) (placed []pictureFile) {
	frame := int32(0)
	for i, f := range files {
		frame++ // A file that is left out is counted, too, so that later frames keep their numbers.
		if i == 0 || files[i-1].id != f.id {
			frame = 0
		} else {
			before := files[i-1]
			inTwoFolders := f.folder != before.folder && f.folder != "" && before.folder != ""
			sameName := shape.ItemName(f.source.Base()) == shape.ItemName(before.source.Base())
			if inTwoFolders {
				faultOf(j, f.source, "its folder is the item %q, like the folder of %s; rename one of the two folders",
					f.id, before.source.Path)
				continue
			}
			// Frames without numbers are the same frame only if they have the same name.
			if f.frame == before.frame && (f.frame != unnumberedOne || sameName) {
				faultOf(j, f.source, "it is the same frame of %q as %s; rename one of the two", f.id,
					before.source.Path)
				continue
			}
		}
		// The item's questions, or its other pictures, may give the domain.
		domain := cmp.Or(shape.DomainOf(f.id, j.Options.Domain), j.Known.Domain(f.id))
		if domain == "" {
			faultOf(j, f.source, "the id %q does not give the domain: name the domain with --domain, "+
				"or begin the id with nat_, doc_, ecom_ or emb_", f.id)
			continue
		}
		f.row = data.Image{ImageID: f.id, Frame: frame, Domain: domain, Source: f.source.Path}
		placed = append(placed, f)
	}
	return placed
}

// faultOf reports a fault of a file within the folder of the job.
func faultOf(j *shape.Job, s file.Source, format string, args ...any) {
	j.Faults.Add(file.Fault{Path: printable(s.Path), Message: fmt.Sprintf(format, args...)})
}

// printable quotes a name as Go does if a terminal could not show it or would obey it.
func printable(name string) string {
	if utf8.ValidString(name) && !strings.ContainsFunc(name, unicode.IsControl) {
		return name
	}
	return strings.Trim(strconv.Quote(name), `"`)
}

// SparedBefore is the error about files of a folder that were left out when the unit was loaded;
// nil if all were loaded.
func SparedBefore(lake *data.Lake, unit string) error {
	run, err := data.RunOf(lake, unit)
	if err != nil || run == nil || run.Detail == "" {
		return err
	}
	left := file.Faults{Spared: true}
	if err := json.Unmarshal([]byte(run.Detail), &left); err != nil {
		return fmt.Errorf("what was left out of unit %s: %w", unit, err)
	}
	if len(left.All) == 0 {
		return nil
	}
	return &left
}

// pictureFiles lists the pictures of the source, ordered by item and frame. It reports pictures
// with names that are not plain text, and leaves these pictures out.
func pictureFiles(j *shape.Job) (files []pictureFile, err error) {
	_, err = Walk(j.Source, func(child file.Source, isPicture bool) error {
		if !isPicture {
			return nil
		}
		if printable(child.Name) != child.Name {
			faultOf(j, child, "its name is not UTF-8, or has a control character; rename the file")
			return nil
		}
		f := frameOf(child, j.Source, j.Options.Frames)
		// The source may be one picture, which is in no subfolder.
		if folder := path.Dir(child.Name); f.frame == onlyFrame && folder != j.Source.Name &&
			child.Name != j.Source.Name {
			j.Count("%d pictures of subfolders are items of their own; with --frames, each subfolder is one item")
		}
		files = append(files, f)
		return nil
	})
	names := collate.New(language.Und, collate.Numeric) // frame9 before frame10
	slices.SortStableFunc(files, func(a, b pictureFile) int {
		return cmp.Or(cmp.Compare(a.id, b.id), cmp.Compare(a.folder, b.folder), cmp.Compare(a.frame, b.frame),
			names.CompareString(shape.ItemName(a.source.Base()), shape.ItemName(b.source.Base())),
			cmp.Compare(a.source.Path, b.source.Path))
	})
	return files, err
}

// Names of items and frames, as the comment of Format describes them.
var (
	publishedID = regexp.MustCompile(`^(?:nat|doc|ecom|emb)_[0-9]+$`)
	frameOfItem = regexp.MustCompile(`^(?:(.+)-frame_?|((?:nat|doc|ecom|emb)_[0-9]+)_)([0-9]{1,9})$`)
	bareFrame   = regexp.MustCompile(`^frame[-_]?[0-9]{1,9}$`)
)

// frameOf finds the item of a picture and its number among the item's frames, as the comment of
// Format describes. root is the folder that is loaded; with folders, each folder below it is one
// item.
func frameOf(s, root file.Source, folders bool) pictureFile {
	stem, dir := shape.ItemName(s.Base()), path.Dir(s.Name)
	inFolder := s.Name != root.Name && dir != root.Name
	match := frameOfItem.FindStringSubmatch(stem)
	namesFrame := publishedID.MatchString(path.Base(dir)) || bareFrame.MatchString(stem)
	switch {
	case inFolder && (folders || match == nil && namesFrame):
		return pictureFile{source: s, id: path.Base(dir), frame: unnumberedOne, folder: dir}
	case match != nil:
		number, _ := strconv.Atoi(match[3]) // nine digits fit
		// One of the two groups with the id is empty.
		return pictureFile{source: s, id: match[1] + match[2], frame: number}
	}
	return pictureFile{source: s, id: stem, frame: onlyFrame}
}
