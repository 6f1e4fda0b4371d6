package remote

import (
	"context"
	"errors"
	"io/fs"
	"regexp"
	"strings"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awsmiddleware "github.com/aws/aws-sdk-go-v2/aws/middleware"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
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
	var old []types.Object
	prefix := *b.key("")
	pages := s3.NewListObjectsV2Paginator(b.client, &s3.ListObjectsV2Input{Bucket: &b.Bucket, Prefix: &prefix})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return done, b.fail("", err)
		}
		now, ok := awsmiddleware.GetServerTime(page.ResultMetadata)
		if !ok {
			now = time.Now()
		}
		for _, o := range page.Contents {
			name := strings.TrimPrefix(aws.ToString(o.Key), prefix)
			if !ours.MatchString(name) {
				continue
			}
			o.Key = &name
			if now.Sub(aws.ToTime(o.LastModified)) < grace {
				o.LastModified = nil
			}
			old = append(old, o)
		}
	}
	// The commits are read after the list: what was committed meanwhile is named by them.
	named, err := b.named(ctx)
	if err != nil {
		return done, err
	}
	var doomed []types.ObjectIdentifier
	for _, o := range old {
		switch {
		case named[*o.Key]:
		case o.LastModified == nil:
			done.Young++
		default:
			doomed = append(doomed, types.ObjectIdentifier{Key: b.key(*o.Key)})
			done.Bytes += aws.ToInt64(o.Size)
		}
	}
	for len(doomed) > 0 {
		n := min(len(doomed), deletedPer)
		out, err := b.client.DeleteObjects(ctx, &s3.DeleteObjectsInput{Bucket: &b.Bucket, Delete: &types.Delete{Objects: doomed[:n], Quiet: aws.Bool(true)}})
		if err != nil {
			return done, b.fail("", err)
		}
		for _, e := range out.Errors {
			return done, b.fail(strings.TrimPrefix(aws.ToString(e.Key), prefix), errors.New(aws.ToString(e.Message)))
		}
		done.Objects += n
		doomed = doomed[n:]
	}
	done.Uploads, err = b.sweepUploads(ctx, prefix, grace)
	return done, err
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

// sweepUploads ends uploads of large files that were begun long ago.
func (b *bucket) sweepUploads(ctx context.Context, prefix string, grace time.Duration) (n int, err error) {
	pages := s3.NewListMultipartUploadsPaginator(b.client, &s3.ListMultipartUploadsInput{Bucket: &b.Bucket, Prefix: &prefix})
	for pages.HasMorePages() {
		page, err := pages.NextPage(ctx)
		if err != nil {
			return n, b.fail("", err)
		}
		now, ok := awsmiddleware.GetServerTime(page.ResultMetadata)
		if !ok {
			now = time.Now()
		}
		for _, u := range page.Uploads {
			name := strings.TrimPrefix(aws.ToString(u.Key), prefix)
			if !ours.MatchString(name) || now.Sub(aws.ToTime(u.Initiated)) < grace {
				continue
			}
			_, err := b.client.AbortMultipartUpload(ctx, &s3.AbortMultipartUploadInput{Bucket: &b.Bucket, Key: u.Key, UploadId: u.UploadId})
			if err != nil {
				return n, b.fail(name, err)
			}
			n++
		}
	}
	return n, nil
}
