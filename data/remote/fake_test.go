package remote

import (
	"bytes"
	"crypto/md5"
	"encoding/base64"
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

	"github.com/minio/minio-go/v7/pkg/credentials"
)

// A fake is a server with as much of S3's interface as this package uses for small files, in
// memory: each request is carried out whole or not at all, one after another, conditions included.
type fake struct {
	*httptest.Server
	mu      sync.Mutex
	objects map[string]object // by key
	now     func() time.Time

	careless bool // ignores conditions
	// before is called ahead of each request, with its number from 1 on, and says what becomes of it.
	before func(n int, r *http.Request) verdict
	n      int
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
	b, err := connect(Address{"bucket", "lakes/one"}, f.URL, "us-east-1",
		credentials.NewStaticV4("key", "very secret", ""), tries)
	if err != nil {
		panic(err)
	}
	b.pause = time.Microsecond
	return b
}

// intercept has what becomes of requests decided; nil lets all be answered. Requests are counted
// from 1 again.
func (f *fake) intercept(before func(n int, r *http.Request) verdict) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.n, f.before = 0, before
}

// state is a copy of the stored objects.
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
	case r.Method == http.MethodPost && q.Has("delete"):
		var doomed struct {
			Object []struct{ Key string }
		}
		_ = xml.Unmarshal(body, &doomed)
		for _, d := range doomed.Object {
			delete(f.objects, d.Key)
		}
		fmt.Fprint(w, "<DeleteResult></DeleteResult>")
	case r.Method == http.MethodPut:
		match := r.Header.Get("If-Match")
		sum, content := r.Header.Get("Content-Md5"), payload(r, body)
		own := md5.Sum(content)
		switch {
		case sum != base64.StdEncoding.EncodeToString(own[:]):
			fault(w, http.StatusBadRequest, "BadDigest")
		case !f.careless &&
			(r.Header.Get("If-None-Match") == "*" && there || match != "" && there && match != o.etag()):
			fault(w, http.StatusPreconditionFailed, "PreconditionFailed")
		case !f.careless && match != "" && !there:
			fault(w, http.StatusNotFound, "NoSuchKey")
		default:
			f.objects[key] = object{content, f.now()}
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
			w.WriteHeader(http.StatusPartialContent)
		}
		_, _ = w.Write(o.content[from:])
	}
}

// payload is what a body has between the signatures of its chunks.
func payload(r *http.Request, body []byte) (content []byte) {
	for strings.HasPrefix(r.Header.Get("X-Amz-Content-Sha256"), "STREAMING") {
		head, rest, _ := bytes.Cut(body, []byte("\r\n"))
		n := 0
		if _, err := fmt.Sscanf(string(head), "%x;", &n); err != nil || n == 0 {
			return content
		}
		content, body = append(content, rest[:n]...), rest[n+len("\r\n"):]
	}
	return body
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
