// Package remote keeps lakes in object storage: Push copies a lake's units there, Pull copies them
// into a lake. Below the prefix of an address there are
//
//	captionlake.json                          the list of the lake's files
//	<table>/<unit>.<sha256>.parquet           the file of a unit in a table, as the lake has it
//	marts/<model>.<sha256>.parquet            the file of a mart
//	marts/<fold>/<NN>.<sha256>.parquet        a bucket of a fold
//	pictures/<sha256>.<ending>                a picture
//
// Only the list is ever overwritten, and only if it is still the version that the writer has read.
// So a reader that follows the list sees one whole state, whatever other objects there are. If two
// pushes run at once, the second reads the list of the first and adds to it. No reader lists
// folders; only Sweep lists them, to delete objects that the list does not name.
//
// Data from storage is not trusted: no name in it leads to another place in the bucket or out of
// the lake, and every file is compared with its digest before the lake gets it. The package must
// not know what the tables mean.
package remote

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"regexp"
	"strings"
	"unicode"

	"github.com/captionlake/captionlake/data"
)

// An Address is the place of a lake in object storage.
type Address struct {
	Bucket string
	Prefix string // without slashes at its ends; empty for the whole bucket
}

func (a Address) String() string { return strings.TrimSuffix("s3://"+a.Bucket+"/"+a.Prefix, "/") }

var bucketPattern = regexp.MustCompile(`^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$`)

// longestPrefix leaves room for the names of objects, which S3 limits to 1,024 bytes.
const longestPrefix = 512

// ParseAddress reads s3://bucket/prefix. Its errors do not repeat the text, because the text may
// contain credentials.
func ParseAddress(text string) (a Address, err error) {
	const hint = "write s3://BUCKET/PREFIX; credentials come from AWS_PROFILE or AWS_ACCESS_KEY_ID and " +
		"AWS_SECRET_ACCESS_KEY, another server than Amazon's from AWS_ENDPOINT_URL"
	rest, ok := strings.CutPrefix(text, "s3://")
	a.Bucket, a.Prefix, _ = strings.Cut(rest, "/")
	a.Prefix = strings.TrimRight(a.Prefix, "/")
	switch {
	case !ok:
		err = errors.New("the address does not begin with s3://")
	case strings.Contains(a.Bucket, "@"):
		err = errors.New("the address has credentials in it")
	case !bucketPattern.MatchString(a.Bucket):
		err = errors.New("the address does not have the name of a bucket after s3://")
	case len(a.Prefix) > longestPrefix, strings.ContainsFunc(a.Prefix, unicode.IsControl),
		a.Prefix != "" && !fs.ValidPath(a.Prefix), a.Prefix == ".":
		err = errors.New("the address has an invalid prefix")
	}
	return a, data.WithHint(err, hint)
}

// ErrNoLake is wrapped by the error of reading from an address to which no lake was pushed.
var ErrNoLake = errors.New("there is no lake")

// ErrDamaged is wrapped by the error of a list or file in storage that no push has written.
var ErrDamaged = errors.New("the files in storage differ from the pushed ones")

// ErrNewer is wrapped by the error of reading a lake that a later release pushed in a newer format.
var ErrNewer = errors.New("the lake was pushed by a newer captionlake")

// marts and pictures are the folders besides the tables.
const (
	marts    = data.MartsFolder
	pictures = data.PicturesFolder
)

// A File is one object of a lake, with its role in the lake.
type File struct {
	Name  string `json:"name"`  // the object's name below the address's prefix
	Table string `json:"table"` // the name of a table, or marts, or pictures
	// the unit with these rows or this picture; for a mart the SQL model, and for a bucket of a
	// fold also /NN
	Unit string `json:"unit,omitempty"`
	data.FileDigest
}

var (
	digestPattern = regexp.MustCompile(`^[0-9a-f]{64}$`)
	martPattern   = regexp.MustCompile(`^[a-z0-9_]{1,100}(/[0-9]{2})?$`)
	idPattern     = regexp.MustCompile(`^[0-9A-Za-z._-]{1,64}$`)
)

// largest is the largest size of an object, in bytes.
const largest = 5 << 40

// fileOf is the file of a unit in a table, or of a model in marts.
func fileOf(table, unit string, sum data.FileDigest) File {
	return File{table + "/" + unit + "." + sum.SHA256 + ".parquet", table, unit, sum}
}

// pictureOf is the file of a picture. The picture's name contains its digest.
func pictureOf(unit, name string, bytes int64) File {
	sum, _, _ := strings.Cut(strings.TrimPrefix(name, pictures+"/"), ".")
	return File{name, pictures, unit, data.FileDigest{Bytes: bytes, SHA256: sum}}
}

// inLake is the name that the file has in a lake.
func (f File) inLake() string {
	if f.Table == pictures {
		return f.Name
	}
	return f.Table + "/" + f.Unit + ".parquet"
}

// check refuses a file that cannot belong to a lake. The file's name must follow from the other
// fields, so that the name leads to no other place.
func (f File) check() error {
	_, isTable := data.TableNamed(f.Table)
	want := fileOf(f.Table, f.Unit, f.FileDigest).Name
	switch {
	case !digestPattern.MatchString(f.SHA256):
		return fmt.Errorf("the digest %.80q is not one", f.SHA256)
	case f.Bytes < 0 || f.Bytes > largest:
		return fmt.Errorf("the size is invalid: %d bytes", f.Bytes)
	case f.Table == marts && !martPattern.MatchString(f.Unit):
		return fmt.Errorf("%.100q is not the name of a mart", f.Unit)
	case f.Table != marts && !data.IsUnit(f.Unit):
		return fmt.Errorf("%.100q is not the name of a unit", f.Unit)
	case f.Table == pictures && data.IsPicture(f.Name):
		want = f.Name
		if pictureOf(f.Unit, f.Name, f.Bytes) != f {
			return fmt.Errorf("the picture %s has another digest", f.Name)
		}
	case f.Table != marts && !isTable: // also a picture with a name in a form of a later version
		return fmt.Errorf("the table %.80q is not known: %w", f.Table, ErrNewer)
	}
	if f.Name != want {
		return fmt.Errorf("the name %.200q is not the name of a file of the lake", f.Name)
	}
	return nil
}

// byName orders files by name, and then by unit.
func byName(a, b File) int { return cmp.Or(cmp.Compare(a.Name, b.Name), cmp.Compare(a.Unit, b.Unit)) }
