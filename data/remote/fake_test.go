package remote

import (
	"bytes"
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

	"github.com/minio/minio-go/v7"
	"github.com/minio/minio-go/v7/pkg/credentials"
)

// A fake is a server with as much of S3's interface as this package uses, in memory: each request is carried out whole or not at all, one
// after another, conditions included.
type fake struct {
	*httptest.Server
	mu      sync.Mutex
	objects map[string]object // by bucket and key
	now     func() time.Time

	careless bool // ignores conditions
	// before is called ahead of each request, with its number from 1 on, and says what becomes of it.
	before func(n int, r *http.Request) verdict
	n      int
	busy   sync.WaitGroup // requests
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
	f := &fake{objects: map[string]object{}, now: time.Now}
	f.Server = httptest.NewServer(f)
	f.Config.ErrorLog = nil
	t.Cleanup(f.Close)
	return f
}

// bucket is a client of the server that tries every request so often.
func (f *fake) bucket(tries int) *bucket {
	o := &minio.Options{
		Creds: credentials.NewStaticV4("key", "very secret", ""), Transport: f.Client().Transport, Region: "us-east-1", BucketLookup: minio.BucketLookupPath,
		MaxRetries: tries,
	}
	b, err := newBucket(strings.TrimPrefix(f.URL, "http://"), o, Address{"bucket", "lakes/one"}, time.Microsecond)
	if err != nil {
		panic(err)
	}
	return b
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

// settle waits for the requests of a push that was killed.
func (f *fake) settle() {
	f.CloseClientConnections()
	f.busy.Wait()
}

func (f *fake) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	f.busy.Add(1)
	defer f.busy.Done()
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
		fmt.Fprint(w, "<ListMultipartUploadsResult></ListMultipartUploadsResult>")
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
