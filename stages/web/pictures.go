package web

import (
	"fmt"
	"io"
	"net/http"
	"regexp"
	"time"

	"github.com/captionlake/captionlake/data"
)

// picturePath is the path of pictures, relative to the folder of the page; a digest follows.
const picturePath = "picture/"

// A Frame is one picture of an item, as a page shows it.
type Frame struct {
	URL           string // relative to the folder of the page
	Width, Height int32  // pixels; 0 when unknown
}

// Pictures are the pictures of a lake. They are served by the digests in the table images: no name
// and no path comes from a request.
type Pictures struct {
	lake     *data.Lake
	frames   map[string][]Frame       // by image_id, in the order of the frames
	byDigest map[string]storedPicture // by SHA-256 in hexadecimal digits
}

type storedPicture struct{ path, mediaType string }

var digestPattern = regexp.MustCompile(`^[0-9a-f]{64}$`)

// LoadPictures reads which pictures the lake has. It skips a row of images if its file is missing
// or outside the lake, or if browsers do not show its format. So an item that has rows may have no
// frames.
func LoadPictures(l *data.Lake) (*Pictures, error) {
	p := &Pictures{l, map[string][]Frame{}, map[string]storedPicture{}}
	for row, err := range data.Select(l, data.Images, nil) {
		if err != nil {
			return nil, err
		}
		mediaType := data.PictureTypes[row.Format]
		if row.Path == "" || mediaType == "" || !digestPattern.MatchString(row.SHA256) {
			continue
		}
		if _, known := p.byDigest[row.SHA256]; !known {
			if !p.isThere(row.Path) {
				continue
			}
			p.byDigest[row.SHA256] = storedPicture{row.Path, mediaType}
		}
		p.frames[row.ImageID] = append(p.frames[row.ImageID],
			Frame{picturePath + row.SHA256, row.Width, row.Height})
	}
	return p, nil
}

// isThere reports whether the lake's file at a path can be opened.
func (p *Pictures) isThere(path string) bool {
	f, err := p.lake.Store().Open(path)
	return err == nil && f.Close() == nil
}

// Frames are the pictures of an item; empty if the lake has none.
func (p *Pictures) Frames(imageID string) []Frame { return p.frames[imageID] }

// ServeHTTP serves the picture with the digest in the pattern's wildcard {digest}.
func (p *Pictures) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	picture, known := p.byDigest[r.PathValue("digest")]
	if !known {
		Refuse(w, http.StatusNotFound, "The lake has no such picture", "Go back to the page that you came from.")
		return
	}
	f, err := p.lake.Store().Open(picture.path)
	if err != nil {
		Refuse(w, http.StatusNotFound,
			"The picture's file cannot be read", fmt.Sprintf("The lake is damaged: %v.", err))
		return
	}
	defer f.Close() // read only: nothing can be lost
	h := w.Header()
	h.Set("Content-Type", picture.mediaType)
	// The file comes from elsewhere: if a browser takes it for a page, that page can do nothing.
	h.Set("Content-Security-Policy", "default-src 'none'; sandbox")
	h.Set("Cache-Control", "private, max-age=31536000, immutable") // The name is the digest of the content.
	// The type is set already, so the name may be empty; the zero time sends no Last-Modified.
	http.ServeContent(w, r, "", time.Time{}, io.NewSectionReader(f, 0, f.Size()))
}
