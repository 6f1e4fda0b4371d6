package captionqa

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"path"
	"slices"
	"strings"
)

// QuestionID names a question by what it asks: the image_id, a slash and the first ten hexadecimal digits of the
// SHA-256 over the question and its options, without the cannot option, in sorted order and separated by zero bytes.
// A bank, a result file and the sample set thus give one question the same name, however they order its options.
// Questions that one image asks twice need QuestionIDs.
func QuestionID(imageID, question string, options []string) string {
	var few [8]string
	sorted := append(few[:0], options...)
	slices.Sort(sorted)
	var short [512]byte
	text := append(short[:0], question...)
	for _, option := range sorted {
		text = append(append(text, 0), option...)
	}
	sum := sha256.Sum256(text)
	id := append(append(make([]byte, 0, len(imageID)+1+2*idBytes), imageID...), '/')
	return string(hex.AppendEncode(id, sum[:idBytes]))
}

// idBytes is how many bytes of the digest a question_id has.
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

// ItemName is the image_id that a key of the authors' files stands for: a file name loses its folders and the ending
// of a picture.
func ItemName(key string) string {
	name := key[strings.LastIndexAny(key, `/\`)+1:]
	if HasPictureName(name) {
		return strings.TrimSuffix(name, path.Ext(name))
	}
	return name
}

// PictureEndings are those of pictures, also of such as are not read: they are reported rather than passed over.
var PictureEndings = []string{".png", ".jpg", ".jpeg", ".webp", ".gif", ".bmp", ".tif", ".tiff", ".svg", ".heic", ".heif", ".avif", ".jxl"}

// HasPictureName reports whether a file's name ends as those of pictures do.
func HasPictureName(name string) bool {
	return slices.Contains(PictureEndings, strings.ToLower(path.Ext(name)))
}
