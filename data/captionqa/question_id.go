package captionqa

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"slices"
	"strings"
)

// QuestionID names a question by its content: the image_id, a slash and the first ten hexadecimal
// digits of a SHA-256. The SHA-256 is computed over the question and then its options, without the
// cannot option, in sorted order and separated by zero bytes. So a bank, a result file and the
// sample set give a question the same name, however they order its options. If an image has the
// same question twice, only QuestionIDs gives two names.
func QuestionID(imageID, question string, options []string) string {
	parts := append([]string{question}, slices.Sorted(slices.Values(options))...)
	sum := sha256.Sum256([]byte(strings.Join(parts, "\x00")))
	return imageID + "/" + hex.EncodeToString(sum[:idBytes])
}

// idBytes is the number of bytes of the digest in a question_id.
const idBytes = 5

// QuestionIDs names the questions of one image in their order: a duplicate gets the suffix -2,
// the next -3, and so on. The zero value is ready for use; begin a new one for each image.
type QuestionIDs struct {
	seen map[string]int
}

// Next returns the question_id of the image's next question.
func (q *QuestionIDs) Next(imageID, question string, options []string) string {
	id := QuestionID(imageID, question, options)
	if q.seen == nil {
		q.seen = map[string]int{}
	}
	q.seen[id]++
	if n := q.seen[id]; n > 1 {
		return fmt.Sprintf("%s-%d", id, n)
	}
	return id
}

// ItemName is the image_id for a key of the authors' files: a file name without its folders and
// without the ending of a picture.
func ItemName(key string) string {
	name := key[strings.LastIndexAny(key, `/\`)+1:]
	if HasPictureName(name) {
		return strings.TrimSuffix(name, path.Ext(name))
	}
	return name
}

// PictureEndings are the endings of picture files. They include formats that we cannot read, so
// that these files are reported and not ignored.
var PictureEndings = []string{".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp", ".tif", ".tiff", ".svg", ".heic",
	".heif", ".avif", ".jxl"}

// HasPictureName reports whether a file's name has the ending of a picture.
func HasPictureName(name string) bool {
	return slices.Contains(PictureEndings, strings.ToLower(path.Ext(name)))
}
