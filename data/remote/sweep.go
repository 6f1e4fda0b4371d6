package remote

import (
	"context"
	"errors"
	"io/fs"
	"regexp"
	"strings"
	"time"

	"github.com/minio/minio-go/v7"
)

// A Swept says what was deleted below an address.
type Swept struct {
	Objects  int   `json:"objects"`  // objects that no commit names
	Bytes    int64 `json:"bytes"`    // of these
	Uploads  int   `json:"uploads"`  // uploads of large files that were never finished
	Young    int   `json:"young"`    // objects that no commit names, and that a push may be about to commit
	Requests int64 `json:"requests"` // with those of the push
}

// ours are the names of what captionlake writes: nothing else is deleted.
var ours = regexp.MustCompile(`^([a-z_]+/[a-z0-9._-]+\.[0-9a-f]{64}\.parquet|` + manifests + `/[0-9a-f]{64}\.json|` + pictures + `/[0-9a-f]{64}\.[a-z0-9]{1,8}|` + tried + `[A-Z0-9]+)$`)

// Sweep deletes the objects below the address that neither the commit nor one of the twenty before it names: files of units that were
// replaced or removed, and what interrupted pushes have left. It spares everything younger than seven days by the server's clock,
// because a push may be about to commit it.
func Sweep(ctx context.Context, a Address) (Swept, error) {
	b, err := open(ctx, a)
	if err != nil {
		return Swept{}, err
	}
	return b.sweep(ctx, grace)
}

func (b *bucket) sweep(ctx context.Context, grace time.Duration) (done Swept, err error) {
	defer func() { done.Requests = b.requests.Load() }()
	var found []minio.ObjectInfo
	prefix := b.key("")
	for o := range b.client.Client.ListObjects(ctx, b.Bucket, minio.ListObjectsOptions{Prefix: prefix, Recursive: true}) {
		if o.Err != nil {
			return done, b.fail("", o.Err)
		}
		if ours.MatchString(strings.TrimPrefix(o.Key, prefix)) {
			found = append(found, o)
		}
	}
	// The commits are read after the list: what was committed meanwhile is named by them.
	named, err := b.named(ctx)
	if err != nil {
		return done, err
	}
	for _, o := range found {
		name := strings.TrimPrefix(o.Key, prefix)
		switch {
		case named[name]:
		case b.age(o.LastModified) < grace:
			done.Young++
		default:
			if err := b.client.RemoveObject(ctx, b.Bucket, o.Key, minio.RemoveObjectOptions{}); err != nil {
				return done, b.fail(name, err)
			}
			done.Objects++
			done.Bytes += o.Size
		}
	}
	for u := range b.client.ListIncompleteUploads(ctx, b.Bucket, prefix, true) {
		if u.Err != nil {
			return done, b.fail("", u.Err)
		}
		if name := strings.TrimPrefix(u.Key, prefix); ours.MatchString(name) && b.age(u.Initiated) >= grace {
			if err := b.client.AbortMultipartUpload(ctx, b.Bucket, u.Key, u.UploadID); err != nil {
				return done, b.fail(name, err)
			}
			done.Uploads++
		}
	}
	return done, nil
}

// named are the objects that the commit and its former ones name.
func (b *bucket) named(ctx context.Context) (map[string]bool, error) {
	h, err := b.head(ctx)
	if err != nil {
		return nil, err
	}
	named := map[string]bool{}
	for i, p := range append([]pointer{h.pointer}, h.Former...) {
		s, err := b.state(ctx, p)
		if i > 0 && errors.Is(err, fs.ErrNotExist) {
			continue // Somebody has deleted a former commit; it names nothing any more.
		}
		if err != nil {
			return nil, err
		}
		named[manifestName(p.Manifest)] = true
		for _, f := range s.files() {
			named[f.Name] = true
		}
	}
	return named, nil
}
