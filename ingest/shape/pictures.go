package shape

import (
	"encoding/base64"
	"path"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/ingest/file"
	"github.com/captionlake/captionlake/ingest/picture"
)

// An ImageFrame identifies a picture: a frame of an item, from 0.
type ImageFrame struct {
	ImageID string
	Frame   int32
}

// HeldPictures are the digests of the pictures in other units.
func (j *Job) HeldPictures() (map[ImageFrame]string, error) {
	return Held(j, data.Images, nil, func(row data.Image) (ImageFrame, string) {
		return ImageFrame{row.ImageID, row.Frame}, row.SHA256
	})
}

// KeepPicture stores a picture, and its original if it differs, and completes the picture's row. It
// adds notes about the changes.
func (j *Job) KeepPicture(original []byte, p picture.Picture, row *data.Image) (err error) {
	if p.Turned {
		j.Count("%d pictures are turned upright for models and pages; the originals are kept (images.original_path)")
	}
	if p.Cleaned {
		j.Count("%d pictures are without metadata for models and pages; the originals are kept (images.original_path)")
	}
	if p.Was != p.Format {
		j.Count("%d pictures are converted for models and pages; the originals are kept (images.original_path)")
	}
	if len(p.Content) > picture.MaxBytes {
		j.Count("%d pictures are larger than the 32 MiB of a request: " +
			"models are not asked about them until they are shrunk")
	}
	if p.Several {
		j.Note("%s has several frames or pages, and the first is taken: save the others as pictures of their own",
			row.Source)
	}
	if row.Path, err = j.Tx.AddPicture(p.Content, p.Format); err != nil {
		return err
	}
	row.SHA256 = storedDigest(row.Path)
	row.Format, row.Width, row.Height, row.Bytes, row.PHash = p.Format, int32(p.Width), int32(p.Height),
		int64(len(p.Content)), p.Hash
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

// storedDigest is the digest in a stored picture's name, which is the digest and the ending.
func storedDigest(name string) string { return strings.TrimSuffix(path.Base(name), path.Ext(name)) }

// pictureOf finds a picture in a value: bytes, base64, or Hugging Face's object of bytes and path.
// name is the object's path; empty for other values. ok is false for a value without a picture. The
// object may have only a path; then content is empty.
func pictureOf(v file.Value) (content []byte, name string, ok bool) {
	switch v.Kind {
	case file.Bytes:
		return []byte(v.Text), "", true
	case file.Object:
		content, name = []byte(v.Path("bytes").Text), v.Path("path").Str()
		return content, name, len(content) > 0 || name != ""
	case file.String:
		text := v.Text
		if dataURL, found := strings.CutPrefix(text, "data:image/"); found {
			_, text, _ = strings.Cut(dataURL, ",")
		}
		const shortest = 64 // letters of base64; a shorter text is a name
		if len(text) < shortest {
			return nil, "", false
		}
		content, err := base64.StdEncoding.DecodeString(text)
		return content, "", err == nil && picture.Kind(content) != ""
	}
	return nil, "", false
}
