package remote

import (
	"errors"
	"fmt"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"testing"
	"time"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

// A server that takes no notice of conditions is told at the first push.
func TestCarelessServer(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	f.careless = true
	_, err := pushLake(t.Context(), f.bucket(1), newLake(t, bank("x", "a=1")), PushOptions{})
	laketest.Hint(t, err, "If-None-Match", "ignores If-None-Match")
}

// Errors say what to do, and nothing secret.
func TestErrorsOfRequests(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	dir := newLake(t, bank("x", "a=1"))
	wrong := f.bucket(1)
	wrong.Bucket = "other"
	gone := f.bucket(1)
	denied := newFake(t)
	denied.intercept(func(int, *http.Request) verdict { return busy })
	for name, b := range map[string]*bucket{"make the bucket first": wrong, "captionlake push": gone,
		"run the same command again": denied.bucket(1)} {
		_, err := pullLake(t.Context(), b, filepath.Join(t.TempDir(), "lake"), PullOptions{})
		laketest.Hint(t, err, name)
		expect.Lacks(t, fmt.Sprintf("%v %+v", err, err), "very secret")
	}
	off := newFake(t)
	b := off.bucket(1)
	off.Close()
	_, err := pushLake(t.Context(), b, dir, PushOptions{})
	laketest.Hint(t, err, "AWS_ENDPOINT_URL")
}

// An address where nobody answers is told; a server that says 404 of a user that it does not know
// does not say that there is no lake; and who has no credentials is told how they are given.
func TestMistakesAreTold(t *testing.T) {
	for name, value := range map[string]string{
		"AWS_ENDPOINT_URL": "http://127.0.0.1:1", "AWS_ACCESS_KEY_ID": "key", "AWS_SECRET_ACCESS_KEY": "very secret",
		"AWS_CONTAINER_CREDENTIALS_FULL_URI": "http://127.0.0.1:1", // the machine's role
		"AWS_PROFILE":                        "lab", "AWS_CONFIG_FILE": "/none", "AWS_SHARED_CREDENTIALS_FILE": "/none",
		"AWS_REGION": "", "AWS_DEFAULT_REGION": "",
	} {
		t.Setenv(name, value)
	}
	told := func(want string) {
		t.Helper()
		began := time.Now()
		err := Check(t.Context(), Address{"bucket", "lake"})
		laketest.Hint(t, err, want)
		expect.Equal(t, errors.Is(err, ErrNoLake), false)
		expect.Lacks(t, fmt.Sprint(err), "very secret")
		expect.Between(t, time.Since(began), 0, 10*time.Second)
	}
	told("check AWS_ENDPOINT_URL")
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter,
		_ *http.Request) {
		fault(w, http.StatusNotFound, "XAdminUserNotFound")
	}))
	defer server.Close()
	t.Setenv("AWS_ENDPOINT_URL", server.URL)
	told("check AWS_PROFILE")
	t.Setenv("AWS_ACCESS_KEY_ID", "")
	t.Setenv("AWS_SECRET_ACCESS_KEY", "")
	told("set AWS_PROFILE, or AWS_ACCESS_KEY_ID")
	files := filepath.Join(t.TempDir(), "credentials")
	must.Write(t, files, "[lab]\naws_access_key_id = key\naws_secret_access_key = very secret\n")
	t.Setenv("AWS_SHARED_CREDENTIALS_FILE", files)
	told("check AWS_PROFILE")
	t.Setenv("AWS_ENDPOINT_URL", "minio:9000/very secret")
	told("write AWS_ENDPOINT_URL")
}
