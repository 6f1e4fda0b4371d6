package main

import (
	"bytes"
	"crypto/sha256"
	"io"
	"maps"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/rogpeppe/go-internal/testscript"

	rehearsalserver "github.com/captionlake/captionlake/stages/rehearsal/server"
)

// A rehearsing is the rehearsal server of a script. It counts its requests. Its writers never write
// JSON about the subcategory Broken, and about Mumbled only at a second try.
type rehearsing struct {
	*httptest.Server
	mu    sync.Mutex
	asked map[[32]byte]int // requests by their content
	all   int
}

func newRehearsing() (*rehearsing, error) {
	world, err := rehearsalserver.NewWorld(nil)
	if err != nil {
		return nil, err
	}
	if err := world.Imagine(); err != nil {
		return nil, err
	}
	r := &rehearsing{asked: map[[32]byte]int{}}
	next := rehearsalserver.New(rehearsalserver.Options{World: world})
	r.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, q *http.Request) {
		body, err := io.ReadAll(q.Body)
		if err != nil {
			return // the client was killed
		}
		if q.Method == http.MethodPost {
			r.mu.Lock()
			r.asked[sha256.Sum256(body)]++
			r.all++
			r.mu.Unlock()
		}
		q.Body = io.NopCloser(bytes.NewReader(body))
		said := httptest.NewRecorder()
		next.ServeHTTP(said, q)
		text := said.Body.Bytes()
		if bytes.Contains(body, []byte("Subcategory: Broken")) ||
			bytes.Contains(body, []byte("Subcategory: Mumbled")) && bytes.Contains(body, []byte(`"temperature":0,`)) {
			text = bytes.ReplaceAll(text, []byte(`{\"questions\":`), []byte("Well, let me see: "))
		}
		passOn(w, said, text)
	}))
	return r, nil
}

// passOn answers a request as a server has answered it, but for the text.
func passOn(w http.ResponseWriter, said *httptest.ResponseRecorder, text []byte) {
	maps.Copy(w.Header(), said.Header())
	w.Header().Del("Content-Length")
	w.WriteHeader(said.Code)
	_, _ = w.Write(text) // The client may be gone.
}

func (r *rehearsing) count() (all, twice int) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, n := range r.asked {
		if n > 1 {
			twice++
		}
	}
	return r.all, twice
}

var rehearsals sync.Map // by the script's folder

// rehearseCommand starts a rehearsal server for a script and replaces the word REHEARSAL in the
// files with its address. A file that is missing gets the configuration that captionlake rehearse
// prints.
func rehearseCommand(ts *testscript.TestScript, _ bool, files []string) {
	r, err := newRehearsing()
	ts.Check(err)
	ts.Defer(r.Close)
	rehearsals.Store(ts.MkAbs("."), r)
	for _, file := range files {
		if _, err := os.Stat(ts.MkAbs(file)); err != nil {
			text := rehearsalserver.Configuration(strings.TrimPrefix(r.URL, "http://"))
			ts.Check(os.WriteFile(ts.MkAbs(file), []byte(text), 0o666))
		}
		ts.Check(os.WriteFile(ts.MkAbs(file),
			[]byte(strings.ReplaceAll(ts.ReadFile(file), "REHEARSAL", r.URL+"/v1")), 0o666))
	}
}

func rehearsalOf(ts *testscript.TestScript) *rehearsing {
	r, ok := rehearsals.Load(ts.MkAbs("."))
	if !ok {
		ts.Fatalf("the script has no rehearsal server")
	}
	return r.(*rehearsing)
}

// killedCommand runs captionlake and kills it after the given number of further requests to the
// server.
func killedCommand(ts *testscript.TestScript, _ bool, args []string) {
	n, err := strconv.Atoi(args[0])
	ts.Check(err)
	r := rehearsalOf(ts)
	before, _ := r.count()
	binary, err := exec.LookPath("captionlake")
	ts.Check(err)
	c := exec.Command(binary, args[1:]...)
	c.Dir = ts.MkAbs(".")
	ts.Check(c.Start())
	ended := make(chan struct{})
	go func() { _ = c.Wait(); close(ended) }() // it is killed, and says so
	for {
		if all, _ := r.count(); all >= before+n {
			ts.Check(c.Process.Kill())
			<-ended
			return
		}
		select {
		case <-ended:
			ts.Fatalf("it ended by itself")
		case <-time.After(time.Millisecond):
		}
	}
}

// atMostTwice fails if more requests than the given number were made more than once.
func atMostTwice(ts *testscript.TestScript, _ bool, args []string) {
	most, err := strconv.Atoi(args[0])
	ts.Check(err)
	if all, twice := rehearsalOf(ts).count(); twice > most {
		ts.Fatalf("of %d requests, %d were made more than once", all, twice)
	}
}

// photosCommand writes pictures that no rehearsal model knows.
func photosCommand(ts *testscript.TestScript, _ bool, args []string) {
	n, err := strconv.Atoi(args[1])
	ts.Check(err)
	ts.Check(writePhotos(ts.MkAbs(filepath.Clean(args[0])), n))
}
