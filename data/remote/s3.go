package remote

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"io"
	"io/fs"
	mathrand "math/rand/v2"
	"net/http"
	"net/url"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
	"golang.org/x/sync/errgroup"

	"github.com/captionlake/captionlake/data"
)

const (
	atOnce = 16 // files that travel at a time
	tries  = 10 // how often one request is tried
)

// A bucket reads and writes the objects below an address.
type bucket struct {
	Address
	client *minio.Core
	tries  int           // how often an object is read on after its reply has broken off
	part   uint64        // size in bytes of a part of a large file; with 0 the library chooses the size
	pause  time.Duration // wait before a failed request is repeated
}

const credentialsHint = "set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"

// open finds the server's address and the credentials as AWS's tools do: in the environment, in the
// files that these tools share, and from the machine.
func open(a Address) (*bucket, error) {
	endpoint := cmp.Or(os.Getenv("AWS_ENDPOINT_URL_S3"), os.Getenv("AWS_ENDPOINT_URL"))
	// Without a region, the library asks Amazon where the bucket is.
	region := cmp.Or(os.Getenv("AWS_REGION"), os.Getenv("AWS_DEFAULT_REGION"))
	if endpoint != "" {
		region = cmp.Or(region, "us-east-1") // A server of one's own ignores the region.
	}
	found := credentials.NewChainCredentials([]credentials.Provider{
		&credentials.EnvAWS{}, &credentials.FileAWSCredentials{},
		// Most machines outside Amazon have no server for IAM. There the timeout ends the request.
		&credentials.IAM{Client: &http.Client{Timeout: 5 * time.Second}},
	})
	b, err := connect(a, cmp.Or(endpoint, "https://s3.amazonaws.com"), region, found, tries)
	if err != nil {
		return nil, err
	}
	b.pause = time.Second / 4 // It is set here, so that tests of connect can pause less.
	if value, err := b.client.GetCreds(); err != nil || value.SignerType.IsAnonymous() {
		return nil, data.WithHint(errors.Join(fmt.Errorf("%s: there are no credentials", a), err),
			credentialsHint)
	}
	return b, nil
}

// connect makes a client of a server.
func connect(a Address, endpoint, region string, found *credentials.Credentials, tries int) (*bucket, error) {
	server, err := url.Parse(endpoint)
	var client *minio.Core
	if err == nil {
		client, err = minio.NewCore(server.Host, &minio.Options{
			Creds: found, Secure: server.Scheme == "https", Region: region, MaxRetries: tries,
		})
	}
	if err != nil { // The error is not repeated, because the address may contain credentials.
		return nil, data.Errorf("write AWS_ENDPOINT_URL as http://HOST:PORT or https://HOST",
			"%s: the address of the server is invalid", a)
	}
	return &bucket{Address: a, client: client, tries: tries}, nil
}

// key is the key of an object in the bucket. The key of the empty name is the prefix of all keys.
func (b *bucket) key(name string) string {
	if b.Prefix != "" {
		return b.Prefix + "/" + name
	}
	return name
}

func (b *bucket) url(name string) string { return b.Address.String() + "/" + name }

// absent reports whether a server says that it does not have an object. The status 404 is not
// enough, because some servers also answer 404 to unknown users.
func absent(e minio.ErrorResponse) bool {
	return e.StatusCode == http.StatusNotFound &&
		slices.Contains([]string{minio.NoSuchKey, minio.NoSuchVersion, "NotFound"}, e.Code)
}

// fail adds the next step to the error of a request about an object; name is empty if the request
// is about all objects. The error of a missing object satisfies errors.Is(err, fs.ErrNotExist).
func (b *bucket) fail(name string, err error) error {
	const again = "run the same command again: what was transferred is not transferred again"
	at := fmt.Errorf("%s: %w", b.url(name), err)
	var e minio.ErrorResponse
	errors.As(err, &e)
	switch {
	case errors.Is(err, context.Canceled):
		return at
	case e.Code == minio.NoSuchBucket:
		return data.WithHint(at, "check the bucket's name and AWS_ENDPOINT_URL, or make the bucket first")
	case absent(e):
		return fmt.Errorf("%w: %w", fs.ErrNotExist, at)
	// Some servers answer 404 to unknown users.
	case slices.Contains([]int{http.StatusForbidden, http.StatusUnauthorized, http.StatusNotFound}, e.StatusCode):
		return data.WithHint(at,
			"check AWS_PROFILE, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and whether they may read, write and, "+
				"before the first push, list below %s", b.Address)
	case e.StatusCode == http.StatusMovedPermanently, e.StatusCode == http.StatusBadRequest:
		return data.WithHint(at, "check AWS_REGION, which must be the bucket's, and AWS_ENDPOINT_URL")
	case e.StatusCode == 0: // No server answered.
		return data.WithHint(at, "check AWS_ENDPOINT_URL, AWS_REGION, AWS_PROFILE and the network, and "+again)
	}
	return data.WithHint(at, again)
}

// wait pauses before a failed request is repeated. The longest pause doubles with each of the first
// four tries. The pause is random, from half of the longest pause to all of it, so that two pushes
// do not stay in step.
func (b *bucket) wait(ctx context.Context, try int) error {
	longest := b.pause << min(try, 4)
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(longest * time.Duration(100+mathrand.IntN(100)) / 200):
		return nil
	}
}

// A stream reads an object. If a connection breaks, the stream continues at the same place.
type stream struct {
	io.ReadCloser
	ctx     context.Context
	bucket  *bucket
	name    string
	version string // version of the object that was opened
	at      int64  // number of bytes that were read
	tries   int    // failed tries since bytes were last read
}

// read opens an object. The error of a missing object satisfies errors.Is(err, fs.ErrNotExist).
func (b *bucket) read(ctx context.Context, name string) (*stream, error) {
	s := &stream{ctx: ctx, bucket: b, name: name}
	return s, s.connect()
}

// connect opens the object where reading stopped. After the first bytes, the object must still have
// the same version.
func (s *stream) connect() error {
	var o minio.GetObjectOptions
	if s.at > 0 { // The range from s.at with the end 0 goes to the end of the object.
		if err := errors.Join(o.SetRange(s.at, 0), o.SetMatchETag(s.version)); err != nil {
			return err
		}
	}
	body, info, _, err := s.bucket.client.GetObject(s.ctx, s.bucket.Bucket, s.bucket.key(s.name), o)
	if err != nil {
		return s.bucket.fail(s.name, err)
	}
	s.ReadCloser, s.version = body, info.ETag
	return nil
}

// Read implements io.Reader.
func (s *stream) Read(p []byte) (int, error) {
	for {
		n, err := s.ReadCloser.Read(p)
		if s.at += int64(n); n > 0 { // An error after these bytes comes again with the next Read.
			s.tries = 0
			return n, nil
		}
		if err == nil || err == io.EOF {
			return 0, err
		}
		if s.tries++; s.tries >= s.bucket.tries || s.ctx.Err() != nil {
			return 0, s.bucket.fail(s.name, err)
		}
		// An error of connect ends the stream, because the library has repeated the request already.
		if err := errors.Join(s.Close(), s.bucket.wait(s.ctx, s.tries), s.connect()); err != nil {
			return 0, err
		}
	}
}

// put writes an object, in parts if it is large. Nobody sees any part before the last part has
// arrived. The server compares the MD5 of each part. The library gets a reader that has only the
// method Read. So the library reads each part into memory, and can send the part again.
func (b *bucket) put(ctx context.Context, name string, from io.Reader, size int64) error {
	o := minio.PutObjectOptions{PartSize: b.part, SendContentMd5: true}
	if _, err := b.client.Client.PutObject(ctx, b.Bucket, b.key(name), struct{ io.Reader }{from}, size, o); err != nil {
		return b.fail(name, err)
	}
	return nil
}

// Transfers counts transferred files.
type Transfers struct {
	Files int   `json:"files"` // files that were transferred
	Bytes int64 `json:"bytes"` // bytes that were transferred
}

// carry transfers files by calls of transfer, one call for each name and several at a time. sum
// counts the files for which transfer returns true. progress, if not nil, is called after each
// file, also if transfer returns false.
func (b *bucket) carry(ctx context.Context, verb string, files []File, progress func(what string, done, total int),
	sum *Transfers, transfer func(context.Context, File) (bool, error)) error {
	files = slices.SortedFunc(slices.Values(files), byName)
	// Several units may have the same picture.
	files = slices.CompactFunc(files, func(a, b File) bool { return a.Name == b.Name })
	var total, done int64
	for _, f := range files {
		total += f.Bytes
	}
	var mu sync.Mutex
	group, ctx := errgroup.WithContext(ctx)
	group.SetLimit(atOnce)
	for _, f := range files {
		group.Go(func() error {
			transferred, err := transfer(ctx, f)
			if err != nil {
				return err
			}
			mu.Lock()
			defer mu.Unlock()
			if transferred {
				sum.Files++
				sum.Bytes += f.Bytes
			}
			if done += f.Bytes; progress != nil {
				progress(verb+" "+b.Address.String(), int(done), int(total))
			}
			return nil
		})
	}
	return group.Wait()
}

// arrived reports whether an interrupted push has already transferred an object. It compares only
// the size, because the name contains the digest. An object that a sweep may soon delete does not
// count. If the server gives an error, arrived reports false, and the object is sent again.
func (b *bucket) arrived(ctx context.Context, f File) bool {
	info, err := b.client.StatObject(ctx, b.Bucket, b.key(f.Name), minio.StatObjectOptions{})
	return err == nil && info.Size == f.Bytes && time.Since(info.LastModified) < grace/2
}

// errChanged says that an object has changed since it was read.
var errChanged = errors.New("it has changed meanwhile")

// swap writes an object if its version is still the given one; an empty version means that there
// must be no such object. If the version is another one, the error of swap wraps errChanged. That
// error can be wrong: if the reply to a successful request was lost, the library sends the request
// again, and the server then finds the version of this very write.
func (b *bucket) swap(ctx context.Context, name string, content []byte, version string) error {
	// The object is sent in one part, so that the one request has the condition and all bytes.
	o := minio.PutObjectOptions{ContentType: "application/json", DisableMultipart: true, SendContentMd5: true}
	if version == "" {
		o.SetMatchETagExcept("*")
	} else {
		o.SetMatchETag(version)
	}
	_, err := b.client.Client.PutObject(ctx, b.Bucket, b.key(name), bytes.NewReader(content), int64(len(content)), o)
	var e minio.ErrorResponse
	errors.As(err, &e)
	switch {
	case err == nil:
		return nil
	// The version is another one, another write is in progress, or the object was deleted.
	case e.StatusCode == http.StatusPreconditionFailed, e.StatusCode == http.StatusConflict, absent(e) && version != "":
		return fmt.Errorf("%s: %w", b.url(name), errChanged)
	case e.StatusCode == http.StatusNotImplemented:
		return data.Errorf(noConditions, "%s: %w", b.url(name), err)
	}
	return b.fail(name, err)
}

// noConditions is the hint for servers that write without checking the version.
const noConditions = "use a server with conditional writes (If-None-Match, If-Match), such as Amazon S3 or MinIO"

// tried begins the names of objects that test conditional writes.
const tried = "try/"

// honoursConditions writes an object and then tries to overwrite it under conditions that do not
// hold. It returns an error if the server overwrites the object, because a server that does not
// know conditions ignores them silently. After an error the object may stay until a sweep.
func (b *bucket) honoursConditions(ctx context.Context) error {
	name, content := tried+rand.Text(), []byte("{}\n")
	// After errChanged the object is there as well: the library has repeated a request that wrote it.
	if err := b.swap(ctx, name, content, ""); err != nil && !errors.Is(err, errChanged) {
		return err
	}
	// Neither condition holds: the object is there, and its version is not all zeros.
	for _, version := range []string{"", "00000000000000000000000000000000"} {
		if err := b.swap(ctx, name, content, version); err == nil {
			return data.Errorf(noConditions,
				"%s: the server ignores If-None-Match and If-Match, so two pushes could overwrite each other",
				b.Address)
		} else if !errors.Is(err, errChanged) {
			return err
		}
	}
	if err := b.client.RemoveObject(ctx, b.Bucket, b.key(name), minio.RemoveObjectOptions{}); err != nil {
		return b.fail(name, err)
	}
	return nil
}
