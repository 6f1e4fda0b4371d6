package remote

import (
	"bytes"
	"cmp"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	mathrand "math/rand/v2"
	"net"
	"net/http"
	"slices"
	"strings"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
	awsmiddleware "github.com/aws/aws-sdk-go-v2/aws/middleware"
	"github.com/aws/aws-sdk-go-v2/aws/ratelimit"
	"github.com/aws/aws-sdk-go-v2/aws/retry"
	awshttp "github.com/aws/aws-sdk-go-v2/aws/transport/http"
	"github.com/aws/aws-sdk-go-v2/config"
	"github.com/aws/aws-sdk-go-v2/service/s3"
	"github.com/aws/aws-sdk-go-v2/service/s3/types"
	"github.com/aws/smithy-go"
	"github.com/aws/smithy-go/logging"

	"github.com/captionlake/captionlake/data"
)

const (
	atOnce     = 16               // files that travel at a time
	attempts   = 8                // of one request, unless AWS_MAX_ATTEMPTS says another number
	stall      = 2 * time.Minute  // without a byte, after which a connection is given up
	longParts  = 64 << 20         // bytes of a part of a large file
	mostParts  = 10_000           // parts that a file may have
	lastWords  = 15 * time.Second // for what is cleared away after an interrupt
	deletedPer = 1000             // objects that one request deletes
)

// A bucket reads and writes the objects below an address.
type bucket struct {
	Address
	client   *s3.Client
	part     int64         // bytes of a part, and the most of a file that travels whole
	pause    time.Duration // before what failed is tried again
	requests atomic.Int64
	answers  atomic.Int64
}

// open finds address and credentials as every AWS tool does: in the environment, in the shared configuration and from the machine.
func open(ctx context.Context, a Address) (*bucket, error) {
	cfg, err := configuration(ctx)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", a, err)
	}
	b := newBucket(cfg, a, time.Second/4)
	if b.client.Options().Region == "" {
		return nil, data.WithHint(fmt.Errorf("%s: the region of the bucket is not known", a), "set AWS_REGION; or AWS_ENDPOINT_URL, for another server than Amazon's")
	}
	return b, nil
}

func configuration(ctx context.Context) (aws.Config, error) {
	client := awshttp.NewBuildableClient().WithTransportOptions(func(t *http.Transport) {
		t.MaxIdleConnsPerHost = atOnce
		dial := t.DialContext
		t.DialContext = func(ctx context.Context, network, address string) (net.Conn, error) {
			c, err := dial(ctx, network, address)
			if err != nil {
				return nil, err
			}
			return patient{c}, nil
		}
	})
	// Nothing is logged: what the library would say of requests may hold credentials.
	cfg, err := config.LoadDefaultConfig(ctx, config.WithHTTPClient(client), config.WithLogger(logging.Nop{}))
	if err != nil {
		return cfg, data.WithHint(err, "check the files of AWS's configuration, or %s", credentialsHint)
	}
	return cfg, nil
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

// counted counts requests and answers.
type counted struct {
	aws.HTTPClient
	b *bucket
}

func (c counted) Do(r *http.Request) (*http.Response, error) {
	c.b.requests.Add(1)
	answer, err := c.HTTPClient.Do(r)
	if err == nil {
		c.b.answers.Add(1)
	}
	return answer, err
}

// newBucket is a client. What fails is tried again after the pause, and after longer ones.
func newBucket(cfg aws.Config, a Address, pause time.Duration) *bucket {
	b := &bucket{Address: a, part: longParts, pause: pause}
	cfg.HTTPClient = counted{cfg.HTTPClient, b}
	cfg.ResponseChecksumValidation = aws.ResponseChecksumValidationWhenRequired // Everything is compared with its SHA-256.
	tries := cmp.Or(cfg.RetryMaxAttempts, attempts)
	cfg.Retryer = func() aws.Retryer {
		return retry.NewStandard(func(o *retry.StandardOptions) {
			o.MaxAttempts, o.MaxBackoff, o.RateLimiter = tries, 80*pause, ratelimit.None
			o.Retryables = append([]retry.IsErrorRetryable{retry.IsErrorRetryableFunc(b.nobody)}, append(o.Retryables, retry.IsErrorRetryableFunc(endsEarly))...)
		})
	}
	b.client = s3.NewFromConfig(cfg, func(o *s3.Options) {
		if o.BaseEndpoint != nil { // A server of one's own seldom has a name for each bucket, and its region is of no consequence.
			o.UsePathStyle = true
			o.Region = cmp.Or(o.Region, "us-east-1")
		}
	})
	return b
}

// nobody tells an address at which there is no server, as long as none has answered: that is a mistake, and waiting does not help.
func (b *bucket) nobody(err error) aws.Ternary {
	var unknown *net.DNSError
	if b.answers.Load() == 0 && (errors.Is(err, syscall.ECONNREFUSED) || errors.As(err, &unknown) && unknown.IsNotFound) {
		return aws.FalseTernary
	}
	return aws.UnknownTernary
}

// endsEarly tells answers that break off.
func endsEarly(err error) aws.Ternary {
	if errors.Is(err, io.ErrUnexpectedEOF) || errors.Is(err, io.EOF) {
		return aws.TrueTernary
	}
	return aws.UnknownTernary
}

func (b *bucket) key(name string) *string {
	if b.Prefix != "" {
		name = b.Prefix + "/" + name
	}
	return &name
}

func (b *bucket) url(name string) string { return b.Address.String() + "/" + name }

func status(err error) int {
	var response *awshttp.ResponseError
	if errors.As(err, &response) {
		return response.HTTPStatusCode()
	}
	return 0
}

// code is what a server calls its error; empty when there was no answer, or no name in it.
func code(err error) string {
	var api smithy.APIError
	if errors.As(err, &api) {
		return api.ErrorCode()
	}
	return ""
}

// absent reports whether a server says that it does not have an object. Some say 404 of a user that they do not know, too.
func absent(err error) bool {
	return status(err) == http.StatusNotFound && slices.Contains([]string{"", "NotFound", "NoSuchKey", "NoSuchVersion", "NoSuchUpload"}, code(err))
}

const credentialsHint = "set AWS_PROFILE, or AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY"

// fail gives the error of a request its place and its next step. That of an object that is absent satisfies errors.Is(err, fs.ErrNotExist).
func (b *bucket) fail(name string, err error) error {
	var noBucket *types.NoSuchBucket
	at := fmt.Errorf("%s: %w", b.url(name), err)
	switch s := status(err); {
	case errors.Is(err, context.Canceled):
		return at
	case errors.As(err, &noBucket), code(err) == "NoSuchBucket":
		return data.WithHint(at, "check the bucket's name and AWS_ENDPOINT_URL, or make the bucket first")
	case absent(err):
		return fmt.Errorf("%w: %w", fs.ErrNotExist, at)
	case s == http.StatusForbidden, s == http.StatusUnauthorized, s == http.StatusNotFound:
		return data.WithHint(at, "check AWS_PROFILE, AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, and whether they may read, write and, before the first push, list below %s", b.Address)
	case s == http.StatusMovedPermanently, s == http.StatusBadRequest:
		return data.WithHint(at, "check AWS_REGION, which must be the bucket's, and AWS_ENDPOINT_URL")
	case s == 0 && strings.Contains(err.Error(), "get credentials"): // The library has no type for it.
		return data.WithHint(at, "%s", credentialsHint)
	case s == 0 && code(err) == "":
		return data.WithHint(at, "check AWS_ENDPOINT_URL, AWS_REGION, AWS_PROFILE and the network, and run the same command again: what was transferred is not transferred again")
	}
	return data.WithHint(at, "run the same command again: what was transferred is not transferred again")
}

// small reads a small object, with the version that a condition names. The error of one that is absent satisfies
// errors.Is(err, fs.ErrNotExist).
func (b *bucket) small(ctx context.Context, name string, most int64) (content []byte, version string, err error) {
	for try := 0; ; try++ {
		out, err := b.client.GetObject(ctx, &s3.GetObjectInput{Bucket: &b.Bucket, Key: b.key(name)})
		if err != nil {
			return nil, "", b.fail(name, err)
		}
		content, err = io.ReadAll(io.LimitReader(out.Body, most+1))
		err = errors.Join(err, out.Body.Close())
		switch {
		case err == nil && int64(len(content)) > most:
			return nil, "", b.damaged(name, fmt.Errorf("it has more than %d bytes", most))
		case err == nil:
			return content, aws.ToString(out.ETag), nil
		case try == attempts:
			return nil, "", b.fail(name, err)
		}
		if err := b.wait(ctx, try); err != nil {
			return nil, "", err
		}
	}
}

// wait is the pause before what failed is tried again: longer each time, and by chance, so that two pushes do not go in step.
func (b *bucket) wait(ctx context.Context, try int) error {
	select {
	case <-ctx.Done():
		return ctx.Err()
	case <-time.After(b.pause << min(try, 5) / 2 * time.Duration(100+mathrand.IntN(100)) / 100):
		return nil
	}
}

// fetch writes an object of a known digest. A connection that breaks costs what was under way; the rest is read from there on. On an error w
// has some bytes of the object. The error of an object that is absent satisfies errors.Is(err, fs.ErrNotExist), and that of one with
// other bytes wraps ErrDamaged.
func (b *bucket) fetch(ctx context.Context, name string, want data.FileDigest, w io.Writer) error {
	h := sha256.New()
	var got int64
	for try := 0; got < want.Bytes; {
		n, err := b.fetchFrom(ctx, name, got, want.Bytes-got, io.MultiWriter(w, h))
		if got += n; err == nil {
			continue
		}
		if n > 0 {
			try = 0
		}
		if errors.Is(err, ErrDamaged) {
			return err
		}
		if try++; status(err) != 0 || try > attempts || ctx.Err() != nil || errors.Is(err, errWrite) {
			return b.fail(name, err)
		}
		if err := b.wait(ctx, try); err != nil {
			return err
		}
	}
	if sum := hex.EncodeToString(h.Sum(nil)); sum != want.SHA256 {
		return b.damaged(name, fmt.Errorf("its digest is %s", sum))
	}
	return nil
}

// errWrite marks an error of what is written to, which another request does not help.
var errWrite = errors.New("write")

type marked struct{ io.Writer }

func (m marked) Write(p []byte) (int, error) {
	n, err := m.Writer.Write(p)
	if err != nil {
		err = fmt.Errorf("%w: %w", errWrite, err)
	}
	return n, err
}

func (b *bucket) fetchFrom(ctx context.Context, name string, from, most int64, w io.Writer) (n int64, err error) {
	in := &s3.GetObjectInput{Bucket: &b.Bucket, Key: b.key(name)}
	if from > 0 {
		in.Range = aws.String(fmt.Sprintf("bytes=%d-", from))
	}
	out, err := b.client.GetObject(ctx, in)
	if err != nil {
		return 0, err
	}
	if from > 0 && aws.ToString(out.ContentRange) == "" {
		return 0, errors.Join(errors.New("the server does not read from the middle of an object"), out.Body.Close())
	}
	if length := out.ContentLength; length != nil && *length < most {
		return 0, errors.Join(b.damaged(name, fmt.Errorf("it has %d bytes, and not %d", from+*length, from+most)), out.Body.Close())
	}
	n, err = io.Copy(marked{w}, io.LimitReader(out.Body, most))
	if err == nil && n < most {
		err = io.ErrUnexpectedEOF
	}
	return n, errors.Join(err, out.Body.Close())
}

// age says how long ago an object was written, by the server's clock. The error of one that is absent satisfies
// errors.Is(err, fs.ErrNotExist).
func (b *bucket) age(ctx context.Context, name string) (size int64, age time.Duration, err error) {
	out, err := b.client.HeadObject(ctx, &s3.HeadObjectInput{Bucket: &b.Bucket, Key: b.key(name)})
	if err != nil {
		if status(err) == http.StatusForbidden {
			err = fmt.Errorf("%w: %w", fs.ErrNotExist, err) // So says a server to those who may not list.
		}
		return 0, 0, b.fail(name, err)
	}
	now, ok := awsmiddleware.GetServerTime(out.ResultMetadata)
	if !ok {
		now = time.Now()
	}
	return aws.ToInt64(out.ContentLength), now.Sub(aws.ToTime(out.LastModified)), nil
}

// put writes an object of a known digest, which the server compares. told hears of the bytes that have arrived.
func (b *bucket) put(ctx context.Context, name string, from io.ReaderAt, sum data.FileDigest, told func(int64)) error {
	if sum.Bytes > b.part {
		return b.putParts(ctx, name, from, sum, told)
	}
	raw, err := hex.DecodeString(sum.SHA256)
	if err != nil {
		return err
	}
	_, err = b.client.PutObject(ctx, &s3.PutObjectInput{
		Bucket: &b.Bucket, Key: b.key(name), Body: io.NewSectionReader(from, 0, sum.Bytes), ContentLength: &sum.Bytes,
		ChecksumAlgorithm: types.ChecksumAlgorithmSha256, ChecksumSHA256: aws.String(base64.StdEncoding.EncodeToString(raw)),
	})
	if err != nil {
		return b.fail(name, err)
	}
	told(sum.Bytes)
	return nil
}

// putParts writes a large object in parts, of which nobody sees anything before the last has arrived.
func (b *bucket) putParts(ctx context.Context, name string, from io.ReaderAt, sum data.FileDigest, told func(int64)) (err error) {
	upload, err := b.client.CreateMultipartUpload(ctx, &s3.CreateMultipartUploadInput{Bucket: &b.Bucket, Key: b.key(name), ChecksumAlgorithm: types.ChecksumAlgorithmSha256})
	if err != nil {
		return b.fail(name, err)
	}
	defer func() {
		if err != nil { // A process that is killed leaves its parts; Sweep removes them.
			ctx, stop := context.WithTimeout(context.WithoutCancel(ctx), lastWords)
			defer stop()
			_, _ = b.client.AbortMultipartUpload(ctx, &s3.AbortMultipartUploadInput{Bucket: &b.Bucket, Key: b.key(name), UploadId: upload.UploadId})
		}
	}()
	whole := sha256.New()
	size := max(b.part, (sum.Bytes+mostParts-1)/mostParts)
	var parts []types.CompletedPart
	for at := int64(0); at < sum.Bytes; at += size {
		section := io.NewSectionReader(from, at, min(size, sum.Bytes-at))
		own := sha256.New()
		if _, err := io.Copy(io.MultiWriter(own, whole), section); err != nil {
			return err
		}
		if _, err := section.Seek(0, io.SeekStart); err != nil {
			return err
		}
		number, checksum := int32(len(parts)+1), base64.StdEncoding.EncodeToString(own.Sum(nil))
		out, err := b.client.UploadPart(ctx, &s3.UploadPartInput{
			Bucket: &b.Bucket, Key: b.key(name), UploadId: upload.UploadId, PartNumber: &number, Body: section, ContentLength: aws.Int64(section.Size()),
			ChecksumAlgorithm: types.ChecksumAlgorithmSha256, ChecksumSHA256: &checksum,
		})
		if err != nil {
			return b.fail(name, err)
		}
		parts = append(parts, types.CompletedPart{ETag: out.ETag, PartNumber: &number, ChecksumSHA256: &checksum})
		told(section.Size())
	}
	if got := hex.EncodeToString(whole.Sum(nil)); got != sum.SHA256 {
		return fmt.Errorf("%s: the file changed during the transfer", name)
	}
	_, err = b.client.CompleteMultipartUpload(ctx, &s3.CompleteMultipartUploadInput{
		Bucket: &b.Bucket, Key: b.key(name), UploadId: upload.UploadId, MultipartUpload: &types.CompletedMultipartUpload{Parts: parts},
	})
	if err != nil {
		if size, _, err := b.age(ctx, name); err == nil && size == sum.Bytes {
			return nil // The answer was lost, and the request sent again.
		}
		return b.fail(name, err)
	}
	return nil
}

// errChanged says that an object is not any more what it was when it was read.
var errChanged = errors.New("it has changed meanwhile")

// swap writes an object if it is still of the version that was read, or still absent where that is empty. Otherwise its error wraps
// errChanged. After any other error nobody knows whether it was written.
func (b *bucket) swap(ctx context.Context, name string, content []byte, version string) error {
	in := &s3.PutObjectInput{Bucket: &b.Bucket, Key: b.key(name), Body: bytes.NewReader(content), ContentType: aws.String("application/json")}
	if version == "" {
		in.IfNoneMatch = aws.String("*")
	} else {
		in.IfMatch = &version
	}
	_, err := b.client.PutObject(ctx, in)
	switch s := status(err); {
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
	for _, version := range []string{"", `"00000000000000000000000000000000"`} {
		if err := b.swap(ctx, tried, []byte("{}\n"), version); err == nil {
			return data.WithHint(fmt.Errorf("%s: the server ignores conditions", b.Address), "%s", noConditions)
		} else if !errors.Is(err, errChanged) {
			return err
		}
	}
	_, err = b.client.DeleteObject(ctx, &s3.DeleteObjectInput{Bucket: &b.Bucket, Key: b.key(tried)})
	if err != nil {
		return b.fail(tried, err)
	}
	return nil
}
