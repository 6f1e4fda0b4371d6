package remote

import (
	"context"
	"regexp"
	"slices"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
)

// A SweepReport counts what was deleted below an address.
type SweepReport struct {
	Objects int   `json:"objects"` // objects that the list does not name
	Bytes   int64 `json:"bytes"`   // size of the deleted objects
	Uploads int   `json:"uploads"` // uploads of large files that were never finished
	Young   int   `json:"young"`   // objects that the list does not name, but that a push may be about to commit
}

// ours matches the names of objects that captionlake writes: nothing else is deleted.
var ours = regexp.MustCompile(`^((marts/[a-z0-9_]+|[a-z_]+)/[a-z0-9._-]+\.[0-9a-f]{64}\.parquet|` + pictures +
	`/[0-9a-f]{64}\.[a-z0-9]{1,8}|` + tried + `[A-Z0-9]+)$`)

// Sweep deletes the objects below the address that the list does not name: files of units that were
// replaced or removed, and leftovers of interrupted pushes. It spares every object younger than
// seven days, because a push may be about to commit the object. If a reader misses a deleted file,
// a push has replaced the list, and the reader goes on with the new list (follow).
func Sweep(ctx context.Context, a Address) (SweepReport, error) {
	b, err := open(a)
	if err != nil {
		return SweepReport{}, err
	}
	return b.sweep(ctx, grace)
}

// sweep is Sweep with the age below which it spares an object or an upload.
func (b *bucket) sweep(ctx context.Context, grace time.Duration) (done SweepReport, err error) {
	prefix := b.key("")
	var found []minio.ObjectInfo
	for o := range b.client.ListObjectsIter(ctx, b.Bucket, minio.ListObjectsOptions{Prefix: prefix, Recursive: true}) {
		if o.Err != nil {
			return done, b.fail("", o.Err)
		}
		if ours.MatchString(strings.TrimPrefix(o.Key, prefix)) {
			found = append(found, o)
		}
	}
	// The list is read after the objects were listed, so that it also names objects that a push has
	// committed meanwhile.
	there, err := b.head(ctx)
	if err != nil {
		return done, err
	}
	named := map[string]bool{}
	for _, f := range there.files() {
		named[b.key(f.Name)] = true
	}
	var doomed []minio.ObjectInfo
	for _, o := range found {
		switch {
		case named[o.Key]: // The object stays.
		case time.Since(o.LastModified) < grace:
			done.Young++
		default:
			doomed = append(doomed, o)
			done.Bytes += o.Size
		}
	}
	removed, err := b.client.RemoveObjectsWithIter(ctx, b.Bucket, slices.Values(doomed), minio.RemoveObjectsOptions{})
	if err != nil {
		return done, b.fail("", err)
	}
	for o := range removed {
		if o.Err != nil {
			return done, b.fail(strings.TrimPrefix(o.ObjectName, prefix), o.Err)
		}
	}
	done.Objects = len(doomed)
	// true: also uploads in the folders below the prefix
	for u := range b.client.ListIncompleteUploads(ctx, b.Bucket, prefix, true) {
		if u.Err != nil {
			return done, b.fail("", u.Err)
		}
		name := strings.TrimPrefix(u.Key, prefix)
		if !ours.MatchString(name) || time.Since(u.Initiated) < grace {
			continue
		}
		if err := b.client.AbortMultipartUpload(ctx, b.Bucket, u.Key, u.UploadID); err != nil {
			return done, b.fail(name, err)
		}
		done.Uploads++
	}
	return done, nil
}
