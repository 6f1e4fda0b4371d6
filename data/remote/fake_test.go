package remote

import (
	"bytes"
	"context"
	"crypto/md5"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"encoding/xml"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/aws/aws-sdk-go-v2/aws"
)

// A fake is a server with as much of S3's interface as this package uses, in memory: each request is carried out whole or not at all, one
// after another, conditions included.
type fake struct {
	*httptest.Server
	mu      sync.Mutex
	objects map[string]object            // by bucket and key
	uploads map[string]map[string][]byte // parts by number, by upload
	keys    map[string]string            // of uploads
	now     func() time.Time

	careless bool // ignores conditions
	// before is called ahead of each request, with its number from 1 on, and says what becomes of it.
	before func(n int, r *http.Request) verdict
	n      int
	made   int // uploads
}

type object struct {
	content []byte
	written time.Time
}

func (o object) etag() string { return fmt.Sprintf(`"%x"`, md5.Sum(o.content)) }

type verdict int

const (
	answered  verdict = iota
	ignored           // the connection ends before the request is carried out
	unheard           // the request is carried out, and the connection ends before the answer
	cut               // the answer ends in the middle of its body
	busy              // 503
	corrupted         // one bit of the answer's body is another
)

func newFake(t testing.TB) *fake {
	f := &fake{objects: map[string]object{}, uploads: map[string]map[string][]byte{}, keys: map[string]string{}, now: time.Now}
	f.Server = httptest.NewServer(f)
	f.Config.ErrorLog = nil
	t.Cleanup(f.Close)
	return f
}

// bucket is a client of the server that tries every request so often.
func (f *fake) bucket(tries int) *bucket {
	return newBucket(aws.Config{
		BaseEndpoint: aws.String(f.URL), HTTPClient: f.Client(), RetryMaxAttempts: tries,
		Credentials: aws.CredentialsProviderFunc(func(context.Context) (aws.Credentials, error) {
			return aws.Credentials{AccessKeyID: "key", SecretAccessKey: "very secret"}, nil
		}),
	}, Address{"bucket", "lakes/one"}, time.Microsecond)
}

// intercept has what becomes of requests decided; nil lets all be answered. Requests are counted from 1 again.
func (f *fake) intercept(before func(n int, r *http.Request) verdict) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.n, f.before = 0, before
}

// state is a copy of what is stored.
func (f *fake) state() map[string]object {
	f.mu.Lock()
	defer f.mu.Unlock()
	return maps.Clone(f.objects)
}

func (f *fake) restore(objects map[string]object) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.objects, f.n, f.before = maps.Clone(objects), 0, nil
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	body, err := io.ReadAll(r.Body)
	if err != nil {
		return
	}
	f.mu.Lock()
	f.n++
	n, before := f.n, f.before
	f.mu.Unlock()
	what := answered
	if before != nil {
		what = before(n, r)
	}
	if what == ignored {
		panic(http.ErrAbortHandler)
	}
	answer := httptest.NewRecorder()
	if what == busy {
		fault(answer, http.StatusServiceUnavailable, "SlowDown")
	} else {
		f.mu.Lock()
		f.answer(answer, r, body)
		f.mu.Unlock()
	}
	if what == unheard {
		panic(http.ErrAbortHandler)
	}
	content := answer.Body.Bytes()
	maps.Copy(w.Header(), answer.Header())
	w.Header().Set("Date", f.now().UTC().Format(http.TimeFormat))
	if w.Header().Get("Content-Length") == "" {
		w.Header().Set("Content-Length", fmt.Sprint(len(content)))
	}
	w.WriteHeader(answer.Code)
	if what == corrupted && len(content) > 0 {
		content[len(content)/2] ^= 1
	}
	if what == cut && len(content) > 1 {
		_, _ = w.Write(content[:len(content)/2])
		w.(http.Flusher).Flush()
		panic(http.ErrAbortHandler)
	}
	_, _ = w.Write(content)
}

func fault(w http.ResponseWriter, status int, code string) {
	w.WriteHeader(status)
	fmt.Fprintf(w, "<Error><Code>%s</Code><Message>a fault</Message></Error>", code)
}

func (f *fake) answer(w http.ResponseWriter, r *http.Request, body []byte) {
	q := r.URL.Query()
	name := strings.TrimPrefix(r.URL.Path, "/")
	bucket, key, _ := strings.Cut(name, "/")
	if bucket != "bucket" {
		fault(w, http.StatusNotFound, "NoSuchBucket")
		return
	}
	o, there := f.objects[key]
	switch {
	case r.Method == http.MethodGet && q.Has("list-type"):
		f.list(w, q.Get("prefix"), q.Get("continuation-token"))
	case r.Method == http.MethodGet && q.Has("uploads"):
		type upload struct {
			Key       string
			UploadID  string `xml:"UploadId"`
			Initiated string
		}
		var all struct {
			XMLName xml.Name `xml:"ListMultipartUploadsResult"`
			Upload  []upload
		}
		for id, key := range f.keys {
			all.Upload = append(all.Upload, upload{key, id, time.Unix(0, 0).UTC().Format(time.RFC3339)})
		}
		_ = xml.NewEncoder(w).Encode(all)
	case r.Method == http.MethodPost && q.Has("delete"):
		var doomed struct {
			Object []struct{ Key string }
		}
		_ = xml.Unmarshal(body, &doomed)
		for _, d := range doomed.Object {
			delete(f.objects, d.Key)
		}
		fmt.Fprint(w, "<DeleteResult></DeleteResult>")
	case r.Method == http.MethodPost && q.Has("uploads"):
		id := fmt.Sprint("upload", f.made)
		f.made++
		f.uploads[id], f.keys[id] = map[string][]byte{}, key
		fmt.Fprintf(w, "<InitiateMultipartUploadResult><UploadId>%s</UploadId></InitiateMultipartUploadResult>", id)
	case r.Method == http.MethodPut && q.Has("partNumber"):
		if f.uploads[q.Get("uploadId")] == nil || !wholeBody(r, body) {
			fault(w, http.StatusBadRequest, "BadDigest")
			return
		}
		f.uploads[q.Get("uploadId")][fmt.Sprintf("%05s", q.Get("partNumber"))] = body
		w.Header().Set("ETag", object{content: body}.etag())
	case r.Method == http.MethodPost && q.Has("uploadId"):
		parts := f.uploads[q.Get("uploadId")]
		if parts == nil {
			fault(w, http.StatusNotFound, "NoSuchUpload")
			return
		}
		var whole []byte
		for _, n := range slices.Sorted(maps.Keys(parts)) {
			whole = append(whole, parts[n]...)
		}
		delete(f.uploads, q.Get("uploadId"))
		delete(f.keys, q.Get("uploadId"))
		f.objects[key] = object{whole, f.now()}
		fmt.Fprint(w, "<CompleteMultipartUploadResult></CompleteMultipartUploadResult>")
	case r.Method == http.MethodDelete && q.Has("uploadId"):
		delete(f.uploads, q.Get("uploadId"))
		delete(f.keys, q.Get("uploadId"))
		w.WriteHeader(http.StatusNoContent)
	case r.Method == http.MethodPut:
		match := r.Header.Get("If-Match")
		switch {
		case !wholeBody(r, body):
			fault(w, http.StatusBadRequest, "BadDigest")
		case !f.careless && (r.Header.Get("If-None-Match") == "*" && there || match != "" && there && match != o.etag()):
			fault(w, http.StatusPreconditionFailed, "PreconditionFailed")
		case !f.careless && match != "" && !there:
			fault(w, http.StatusNotFound, "NoSuchKey")
		default:
			f.objects[key] = object{body, f.now()}
			w.Header().Set("ETag", f.objects[key].etag())
		}
	case r.Method == http.MethodDelete:
		delete(f.objects, key)
		w.WriteHeader(http.StatusNoContent)
	case !there:
		fault(w, http.StatusNotFound, "NoSuchKey")
	default:
		w.Header().Set("ETag", o.etag())
		w.Header().Set("Last-Modified", o.written.UTC().Format(http.TimeFormat))
		if r.Method == http.MethodHead {
			w.Header().Set("Content-Length", fmt.Sprint(len(o.content)))
			return
		}
		from := 0
		if _, err := fmt.Sscanf(r.Header.Get("Range"), "bytes=%d-", &from); err == nil {
			if from >= len(o.content) {
				fault(w, http.StatusRequestedRangeNotSatisfiable, "InvalidRange")
				return
			}
			w.Header().Set("Content-Range", fmt.Sprintf("bytes %d-%d/%d", from, len(o.content)-1, len(o.content)))
			w.WriteHeader(http.StatusPartialContent)
		}
		_, _ = w.Write(o.content[from:])
	}
}

// wholeBody compares a body with the digest that came with it.
func wholeBody(r *http.Request, body []byte) bool {
	want := r.Header.Get("X-Amz-Checksum-Sha256")
	sum := sha256.Sum256(body)
	signed := r.Header.Get("X-Amz-Content-Sha256")
	return (want == "" || want == base64.StdEncoding.EncodeToString(sum[:])) && (len(signed) != 64 || signed == hex.EncodeToString(sum[:])) &&
		!bytes.Contains([]byte(r.Header.Get("Content-Encoding")), []byte("aws-chunked"))
}

// perPage is small, so that lists have several pages.
const perPage = 3

func (f *fake) list(w http.ResponseWriter, prefix, after string) {
	type content struct {
		Key, LastModified string
		Size              int
	}
	var all struct {
		XMLName               xml.Name `xml:"ListBucketResult"`
		IsTruncated           bool
		NextContinuationToken string
		Contents              []content
	}
	for _, key := range slices.Sorted(maps.Keys(f.objects)) {
		if !strings.HasPrefix(key, prefix) || key <= after {
			continue
		}
		if len(all.Contents) == perPage {
			all.IsTruncated, all.NextContinuationToken = true, all.Contents[perPage-1].Key
			break
		}
		o := f.objects[key]
		all.Contents = append(all.Contents, content{key, o.written.UTC().Format(time.RFC3339Nano), len(o.content)})
	}
	_ = xml.NewEncoder(w).Encode(all)
}
