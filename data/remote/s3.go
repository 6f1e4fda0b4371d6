package remote

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	mathrand "math/rand/v2"
	"net"
	"net/http"
	"net/url"
	"os"
	"slices"
	"strconv"
	"sync/atomic"
	"time"

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"

	"github.com/captionlake/captionlake/data"
)

const (
	atOnce    = 16               // files that travel at a time
	attempts  = 8                // of one request, unless AWS_MAX_ATTEMPTS says another number
	stall     = 2 * time.Minute  // without a byte, after which a connection is given up
	longParts = 64 << 20         // bytes of a part of a large file
	metadata  = 3 * time.Second  // for the machine's own credentials
	lastWords = 15 * time.Second // for what is cleared away after an interrupt
)

// A bucket reads and writes the objects below an address.
type bucket struct {
	Address
	client   minio.Core
	part     uint64        // bytes of a part, and the most of a file that travels whole
	tries    int           // of one request
	pause    time.Duration // before what failed is tried again
	requests atomic.Int64
	ahead    atomic.Int64 // nanoseconds by which the server's clock is ahead of this one's
}

// open finds address and credentials where every AWS tool does: in the environment, in AWS's files and from the machine.
func open(ctx context.Context, a Address) (*bucket, error) {
	transport := http.DefaultTransport.(*http.Transport).Clone()
	transport.MaxIdleConnsPerHost = atOnce
	dial := transport.DialContext
	transport.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
		c, err := dial(ctx, network, address)
		if err != nil {
			return nil, err
		}
		return patient{c}, nil
	}
	keys := credentials.NewChainCredentials([]credentials.Provider{
		&credentials.EnvAWS{}, &credentials.FileAWSCredentials{}, &credentials.IAM{Client: &http.Client{Timeout: metadata}},
	})
	if key, err := keys.GetWithContext(&credentials.CredContext{Client: &http.Client{Timeout: metadata}}); err != nil || key.AccessKeyID == "" {
		return nil, data.WithHint(fmt.Errorf("%s: no credentials are known", a), "%s", credentialsHint)
	}
	endpoint := cmp.Or(os.Getenv("AWS_ENDPOINT_URL_S3"), os.Getenv("AWS_ENDPOINT_URL"))
	o := &minio.Options{Creds: keys, Transport: transport, Secure: true, Region: cmp.Or(os.Getenv("AWS_REGION"), os.Getenv("AWS_DEFAULT_REGION"))}
	o.MaxRetries, _ = strconv.Atoi(os.Getenv("AWS_MAX_ATTEMPTS"))
	o.MaxRetries = cmp.Or(o.MaxRetries, attempts)
	host := "s3.amazonaws.com"
	if endpoint != "" { // A server of one's own seldom has a name for each bucket, and its region is of no consequence.
		u, err := url.Parse(endpoint)
		if err != nil || u.Host == "" {
			return nil, data.WithHint(fmt.Errorf("%s: AWS_ENDPOINT_URL is not the address of a server", a), "write it as http://HOST:PORT or https://HOST")
		}
		host, o.Secure, o.BucketLookup, o.Region = u.Host, u.Scheme == "https", minio.BucketLookupPath, cmp.Or(o.Region, "us-east-1")
	}
	return newBucket(host, o, a, time.Second/4)
}

// patient is a connection that is given up when nothing moves.
type patient struct{ net.Conn }

func (p patient) Read(b []byte) (int, error) {
	if err := p.SetReadDeadline(time.Now().Add(stall)); err != nil {
		return 0, err
	}
	return p.Conn.Read(b)
}

func (p patient) Write(b []byte) (int, error) {
	if err := p.SetWriteDeadline(time.Now().Add(stall)); err != nil {
		return 0, err
	}
	return p.Conn.Write(b)
}

// newBucket is a client. What fails is tried again after the pause, and after longer ones.
func newBucket(host string, o *minio.Options, a Address, pause time.Duration) (*bucket, error) {
	b := &bucket{Address: a, part: longParts, tries: o.MaxRetries, pause: pause}
	o.Transport = counted{o.Transport, b}
	client, err := minio.New(host, o)
	b.client = minio.Core{Client: client}
	return b, err
}

// counted counts requests, and reads the server's clock.
type counted struct {
	http.RoundTripper
	b *bucket
}

func (c counted) RoundTrip(r *http.Request) (*http.Response, error) {
	c.b.requests.Add(1)
	answer, err := c.RoundTripper.RoundTrip(r)
	if err == nil {
		if now, err := http.ParseTime(answer.Header.Get("Date")); err == nil {
			c.b.ahead.Store(int64(time.Until(now)))
		}
	}
	return answer, err
}

// age is the time since an object was written, by the server's clock.
func (b *bucket) age(written time.Time) time.Duration {
	return time.Since(written) + time.Duration(b.ahead.Load())
}

func (b *bucket) key(name string) string {
	if b.Prefix != "" {
		name = b.Prefix + "/" + name
	}
	return name
}

func (b *bucket) url(name string) string { return b.Address.String() + "/" + name }

// refusal is what a server said of a request that it refused; its status is 0 where there was no answer.
func refusal(err error) (refused minio.ErrorResponse) {
	errors.As(err, &refused)
	return refused
}

// absent reports whether a server says that it does not have an object. Some say 404 of a user that they do not know, too.
func absent(err error) bool {
	return slices.Contains([]string{"NotFound", minio.NoSuchKey, minio.NoSuchVersion, minio.NoSuchUpload}, refusal(err).Code)
}

const credentialsHint = "set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"

// fail gives the error of a request its place and its next step. That of an object that is absent satisfies errors.Is(err, fs.ErrNotExist).
func (b *bucket) fail(name string, err error) error {
	at := fmt.Errorf("%s: %w", b.url(name), err)
	refused := refusal(err)
	switch s := refused.StatusCode; {
	case errors.Is(err, context.Canceled):
		return at
	case refused.Code == minio.NoSuchBucket:
		return data.WithHint(at, "check the bucket's name and AWS_ENDPOINT_URL, or make the bucket first")
	case absent(err):
		return fmt.Errorf("%w: %w", fs.ErrNotExist, at)
	case s == http.StatusForbidden, s == http.StatusUnauthorized, s == http.StatusNotFound:
		return data.WithHint(at, "check AWS_PROFILE, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and whether they may read, write and, before the first push, list below %s", b.Address)
	case s == http.StatusMovedPermanently, s == http.StatusBadRequest:
		return data.WithHint(at, "check AWS_REGION, which must be the bucket's, and AWS_ENDPOINT_URL")
	case s == 0:
		return data.WithHint(at, "check AWS_ENDPOINT_URL, AWS_REGION, AWS_PROFILE and the network, and run the same command again: what was transferred is not transferred again")
	}
	return data.WithHint(at, "run the same command again: what was transferred is not transferred again")
}

// small reads a small object, with the version that a condition names. The error of one that is absent satisfies
// errors.Is(err, fs.ErrNotExist).
func (b *bucket) small(ctx context.Context, name string, most int64) (content []byte, version string, err error) {
	var got bytes.Buffer
	version, err = b.get(ctx, name, most, &got)
	return got.Bytes(), version, err
}

// get writes an object of at most so many bytes to w. A connection that breaks costs what was under way; the rest is read from there on. The
// error of an object that is absent satisfies errors.Is(err, fs.ErrNotExist), and that of a larger one wraps ErrDamaged.
func (b *bucket) get(ctx context.Context, name string, most int64, w io.Writer) (version string, err error) {
	var got int64
	for try := 1; ; try++ {
		var o minio.GetObjectOptions
		if got > 0 {
			if err := errors.Join(o.SetRange(got, 0), o.SetMatchETag(version)); err != nil {
				return "", err
			}
		}
		body, about, _, err := b.client.GetObject(ctx, b.Bucket, b.key(name), o)
		if err != nil {
			return "", b.fail(name, err)
		}
		if version = about.ETag; got+about.Size > most {
			return "", errors.Join(b.damaged(name, fmt.Errorf("it has %d bytes, and not %d", got+about.Size, most)), body.Close())
		}
		n, err := io.Copy(w, body)
		if got += n; n > 0 {
			try = 0
		}
		if err = errors.Join(err, body.Close()); err == nil {
			return version, nil
		}
		if try >= b.tries || ctx.Err() != nil {
			return "", b.fail(name, err)
		}
		if err := b.wait(ctx, try); err != nil {
			return "", err
		}
	}
}

// fetch writes an object of a known digest to w. On an error w has some of its bytes. The error of an object that is absent satisfies
// errors.Is(err, fs.ErrNotExist), and that of one with other bytes wraps ErrDamaged.
func (b *bucket) fetch(ctx context.Context, name string, want data.FileDigest, w io.Writer) error {
	h := sha256.New()
	if _, err := b.get(ctx, name, want.Bytes, io.MultiWriter(w, h)); err != nil {
		return err
	}
	if sum := hex.EncodeToString(h.Sum(nil)); sum != want.SHA256 {
		return b.damaged(name, fmt.Errorf("its digest is %s", sum))
	}
	return nil
}

// wait is the pause before what failed is tried again: longer each time, and by chance, so that two pushes do not go in step.
func (b *bucket) wait(ctx context.Context, try int) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(b.pause << min(try, 3) / 2 * time.Duration(100+mathrand.IntN(100)) / 100):
		return nil
	}
}

// stat says how long an object is, and how long ago it was written. The error of one that is absent satisfies
// errors.Is(err, fs.ErrNotExist).
func (b *bucket) stat(ctx context.Context, name string) (size int64, age time.Duration, err error) {
	about, err := b.client.StatObject(ctx, b.Bucket, b.key(name), minio.StatObjectOptions{})
	if err != nil {
		if refusal(err).StatusCode == http.StatusForbidden {
			err = fmt.Errorf("%w: %w", fs.ErrNotExist, err) // So says a server to those who may not list.
		}
		return 0, 0, b.fail(name, err)
	}
	return about.Size, b.age(about.LastModified), nil
}

// put writes an object of a known digest, which the server compares: of a large one, that travels in parts, the digest of each. A process
// that is killed leaves its parts; Sweep removes them.
func (b *bucket) put(ctx context.Context, name string, from io.ReaderAt, sum data.FileDigest) (err error) {
	body := io.NewSectionReader(from, 0, sum.Bytes)
	o := minio.PutObjectOptions{DisableContentSha256: true}
	if sum.Bytes > int64(b.part) {
		o.PartSize, o.SendContentMd5 = b.part, true
		_, err = b.client.Client.PutObject(ctx, b.Bucket, b.key(name), body, sum.Bytes, o)
	} else {
		_, err = b.client.PutObject(ctx, b.Bucket, b.key(name), body, sum.Bytes, "", sum.SHA256, o)
	}
	if err != nil {
		return b.fail(name, err)
	}
	return nil
}

// errChanged says that an object is not any more what it was when it was read.
var errChanged = errors.New("it has changed meanwhile")

// swap writes an object if it is still of the version that was read, or still absent where that is empty. Otherwise its error wraps
// errChanged. After any other error nobody knows whether it was written.
func (b *bucket) swap(ctx context.Context, name string, content []byte, version string) error {
	o := minio.PutObjectOptions{DisableContentSha256: true, ContentType: "application/json"}
	if version == "" {
		o.SetMatchETagExcept("*")
	} else {
		o.SetMatchETag(version)
	}
	_, err := b.client.PutObject(ctx, b.Bucket, b.key(name), bytes.NewReader(content), int64(len(content)), "", digestOf(content).SHA256, o)
	switch s := refusal(err).StatusCode; {
	case err == nil:
		return nil
	case s == http.StatusPreconditionFailed, s == http.StatusConflict, absent(err) && version != "":
		return fmt.Errorf("%s: %w", b.url(name), errChanged)
	case s == http.StatusNotImplemented:
		return data.WithHint(fmt.Errorf("%s: %w", b.url(name), err), "%s", noConditions)
	}
	return b.fail(name, err)
}

const noConditions = "the server does not know conditional writes (If-None-Match, If-Match), so two pushes at once would lose units; use one that does, such as Amazon S3 or MinIO"

// tried begins the names of the objects by which conditional writes are tried.
const tried = "try/"

// honours reports an error unless the server refuses to write over an object that is there, or that is of another version. A server that
// does not know conditions ignores them without a word.
func (b *bucket) honours(ctx context.Context) (err error) {
	tried := tried + rand.Text()
	if err := b.swap(ctx, tried, []byte("{}\n"), ""); err != nil && !errors.Is(err, errChanged) {
		return err // It can be there when an answer was lost and the request sent again.
	}
	for _, version := range []string{"", "00000000000000000000000000000000"} {
		if err := b.swap(ctx, tried, []byte("{}\n"), version); err == nil {
			return data.WithHint(fmt.Errorf("%s: the server ignores conditions", b.Address), "%s", noConditions)
		} else if !errors.Is(err, errChanged) {
			return err
		}
	}
	if err := b.client.RemoveObject(ctx, b.Bucket, b.key(tried), minio.RemoveObjectOptions{}); err != nil {
		return b.fail(tried, err)
	}
	return nil
}
