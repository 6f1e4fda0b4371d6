package ingest

import (
	"bytes"
	"cmp"
	"context"
	"errors"
	"fmt"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"io/fs"
	"math"
	"net/http"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/image/webp"

	"github.com/captionlake/captionlake/data"
)

const (
	// headBytes is how much of a file detection sees.
	headBytes = 64 << 10
	// maxPictureBytes and maxPicturePixels bound what one picture may cost: a small file can claim to be a huge one.
	maxPictureBytes  = 256 << 20
	maxPicturePixels = 1 << 26
)

// imagesFormat reads a folder of pictures, or one picture: png, jpeg, gif and webp, told by content. The image_id is
// the file's name without its ending. Frames of one item are files called <id>-frame<n>, or <id>_<n> where <id> is of
// the published kind (emb_014_2 is a frame of emb_014, while scene_2 is an item of its own), or the pictures of a
// subfolder whose name is an id of the published kind, or in which they are called frame<n>. Frames are counted from 0
// in the order of their numbers, or of their names where these have none.
//
// The domain follows from the id's prefix nat_, doc_, ecom_ or emb_, and from the options otherwise.
func imagesFormat() Format {
	return Format{
		Name:    "images",
		What:    "folder of pictures (png, jpeg, gif, webp), or one picture",
		Version: "1",
		Detect: func(s Source, head []byte) bool {
			folder, err := s.isFolder()
			return err == nil && (folder || pictureFormat(head) != "")
		},
		Unit: func(s Source, _ Options) (string, error) { return path.Clean(s.Path), nil },
		Load: loadImages,
	}
}

// LoadImageFolder reads the pictures of a folder and of its subfolders into the lake as one unit: the files by digest,
// and a row of `images` for each. Loading the same folder again does nothing.
func LoadImageFolder(ctx context.Context, lake *data.Lake, folder Source, o Options) (Result, error) {
	o.Format = imagesFormat().Name
	return Load(ctx, lake, folder, o)
}

// pictureDecoders decode each kind of picture wholly: a header alone does not show that a file is whole.
var pictureDecoders = map[string]struct {
	config func(io.Reader) (image.Config, error)
	decode func(io.Reader) (image.Image, error)
}{
	"png":  {png.DecodeConfig, png.Decode},
	"jpeg": {jpeg.DecodeConfig, jpeg.Decode},
	"gif":  {gif.DecodeConfig, gif.Decode},
	"webp": {webp.DecodeConfig, webp.Decode},
}

// pictureFormat tells the kind of a picture by its first bytes; it is empty for anything else.
func pictureFormat(head []byte) string {
	kind := strings.TrimPrefix(http.DetectContentType(head), "image/")
	if _, known := pictureDecoders[kind]; known {
		return kind
	}
	return ""
}

func isPicture(s Source) bool {
	head, err := s.Head(512)
	return err == nil && pictureFormat(head) != ""
}

func hasPictureName(name string) bool {
	switch strings.ToLower(path.Ext(name)) {
	case ".png", ".jpg", ".jpeg", ".gif", ".webp":
		return true
	}
	return false
}

// folderDigest digests the names and the contents of a folder's files.
func folderDigest(dir Source) (string, error) {
	var parts []string
	err := fs.WalkDir(dir.FS, dir.Name, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return skipHidden(name, entry, err)
		}
		if strings.HasPrefix(entry.Name(), ".") || !hasPictureName(name) && !isPicture(dir.child(name)) {
			return nil
		}
		digest, err := dir.child(name).Digest()
		parts = append(parts, name, digest)
		return err
	})
	if err != nil {
		return "", fmt.Errorf("%s: %w", dir.Path, err)
	}
	return data.Fingerprint(parts...), nil
}

// A pictureFile is one picture of a folder with its place in the benchmark.
type pictureFile struct {
	source Source
	id     string
	frame  int // number in the name, or one of the two below
}

const (
	onlyFrame     = -1 // the name is the id itself
	unnumberedOne = -2 // a frame without a number: the order of names decides
)

func loadImages(ctx context.Context, j *Job) error {
	files, err := pictureFiles(j.Source)
	if err != nil {
		return err
	}
	if len(files) == 0 {
		j.Fault(0, 0, "the folder holds no picture; name a folder with png, jpeg, gif or webp files")
		return nil
	}
	w, err := data.NewRowWriter(j.Tx, data.Images)
	if err != nil {
		return err
	}
	frame := int32(0)
	for i, f := range files {
		if err := ctx.Err(); err != nil {
			return err
		}
		if i > 0 && files[i-1].id == f.id {
			frame++
			if f.frame == files[i-1].frame && f.frame != unnumberedOne {
				j.faultOf(f.source, "it is the same frame of %q as %s; give one of the two another name", f.id, files[i-1].source.Path)
				continue
			}
		} else {
			frame = 0
		}
		domain, known := domainOf(f.id, j.Options)
		if !known {
			j.faultOf(f.source, "the id %q does not tell the domain; name it with --domain, or let the name begin with nat_, doc_, ecom_ or emb_", f.id)
			continue
		}
		row := data.Image{ImageID: f.id, Frame: frame, Domain: domain, Source: f.source.Path}
		ok, err := j.storePicture(f.source, &row)
		if err != nil {
			return err
		}
		if ok {
			if err := w.Write(row); err != nil {
				return err
			}
		}
	}
	return nil
}

// faultOf reports a fault of a file within the folder that the job loads.
func (j *Job) faultOf(s Source, format string, args ...any) {
	j.faults.add(Fault{Path: s.Path, Message: fmt.Sprintf(format, args...)})
}

// storePicture checks one picture, stores it by its digest and fills in what the file tells. It reports false for a
// file with a fault.
func (j *Job) storePicture(s Source, row *data.Image) (ok bool, err error) {
	f, err := s.Open()
	if err != nil {
		return false, err
	}
	content, err := io.ReadAll(io.LimitReader(f, maxPictureBytes+1))
	if err := errors.Join(err, f.Close()); err != nil {
		return false, fmt.Errorf("%s: %w", s.Path, err)
	}
	kind := pictureFormat(content)
	switch {
	case len(content) > maxPictureBytes:
		j.faultOf(s, "the file has more than %d MiB; make it smaller", maxPictureBytes>>20)
		return false, nil
	case len(content) == 0:
		j.faultOf(s, "the file is empty; copy it again")
		return false, nil
	case kind == "":
		j.faultOf(s, "the content is no png, jpeg, gif or webp, whatever the name says; replace or remove the file")
		return false, nil
	}
	decoder := pictureDecoders[kind]
	config, err := decoder.config(bytes.NewReader(content))
	if err == nil && int64(config.Width)*int64(config.Height) > maxPicturePixels {
		j.faultOf(s, "the picture claims %d × %d pixels; make it smaller", config.Width, config.Height)
		return false, nil
	}
	if err == nil {
		_, err = decoder.decode(bytes.NewReader(content))
	}
	if err != nil {
		j.faultOf(s, "the %s is damaged (%v); copy it again", kind, err)
		return false, nil
	}
	row.Path, err = j.Tx.AddPicture(content, kind)
	if err != nil {
		return false, err
	}
	row.SHA256 = strings.TrimSuffix(path.Base(row.Path), path.Ext(row.Path))
	row.Format, row.Width, row.Height, row.Bytes = kind, int32(config.Width), int32(config.Height), int64(len(content))
	return true, nil
}

// pictureFiles lists the pictures of a source, ordered by item and frame.
func pictureFiles(s Source) ([]pictureFile, error) {
	var files []pictureFile
	err := fs.WalkDir(s.FS, s.Name, func(name string, entry fs.DirEntry, err error) error {
		if err != nil || entry.IsDir() {
			return skipHidden(name, entry, err)
		}
		child := s.child(name)
		if strings.HasPrefix(entry.Name(), ".") || !hasPictureName(name) && !isPicture(child) {
			return nil
		}
		id, frame := frameOf(child, s)
		files = append(files, pictureFile{child, id, frame})
		return nil
	})
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Path, err)
	}
	slices.SortStableFunc(files, func(a, b pictureFile) int {
		return cmp.Or(cmp.Compare(a.id, b.id), cmp.Compare(a.frame, b.frame), cmp.Compare(a.source.Path, b.source.Path))
	})
	return files, nil
}

var (
	publishedID = regexp.MustCompile(`^(?:nat|doc|ecom|emb)_[0-9]+$`)
	numbered    = regexp.MustCompile(`^(.+)_([0-9]{1,9})$`)
	framed      = regexp.MustCompile(`^(.+)-frame_?([0-9]{1,9})$`)
	bareFrame   = regexp.MustCompile(`^frame[-_]?[0-9]{1,9}$`)
	lastNumber  = regexp.MustCompile(`([0-9]{1,9})[^0-9]*$`)
)

// frameOf tells the item that a picture belongs to and its number among the item's frames.
func frameOf(s, root Source) (id string, frame int) {
	stem := itemName(s.base())
	if m := framed.FindStringSubmatch(stem); m != nil {
		return m[1], number(m[2])
	}
	if m := numbered.FindStringSubmatch(stem); m != nil && publishedID.MatchString(m[1]) {
		return m[1], number(m[2])
	}
	if folder := path.Base(path.Dir(s.Name)); path.Dir(s.Name) != root.Name && (publishedID.MatchString(folder) || bareFrame.MatchString(stem)) {
		if m := lastNumber.FindStringSubmatch(stem); m != nil {
			return folder, number(m[1])
		}
		return folder, unnumberedOne
	}
	return stem, onlyFrame
}

// number reads at most nine digits.
func number(digits string) int {
	n, err := strconv.Atoi(digits)
	if err != nil {
		return math.MaxInt32
	}
	return n
}
