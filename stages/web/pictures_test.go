package web

import (
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
)

func TestPicturesServeTheLakesAlone(t *testing.T) {
	t.Parallel()
	parent := t.TempDir()
	must.Write(t, filepath.Join(parent, "secret.png"), "secret")
	lake := must.Get(data.Create(filepath.Join(parent, "lake"), "test"))(t)
	t.Cleanup(func() { _ = lake.Close() })
	tx := must.Get(lake.Begin(data.Unit{Stage: "test", Name: "pictures", Provenance: data.ProvenanceMeasured}))(t)
	path := must.Get(tx.AddPicture([]byte("a picture"), "png"))(t)
	out := must.Get(data.NewRowWriter(tx, data.Images))(t)
	digest := strings.TrimSuffix(filepath.Base(path), ".png")
	other := strings.Repeat("ab", 32)
	must.Succeed(t, out.Write(
		data.Image{ImageID: "good", Path: path, SHA256: digest, Format: "png", Width: 3, Height: 2},
		data.Image{ImageID: "good", Frame: 1, Path: path, SHA256: digest, Format: "png"},
		data.Image{ImageID: "outside", Path: "../secret.png", SHA256: other, Format: "png"},
		data.Image{ImageID: "absolute", Path: filepath.Join(parent, "secret.png"), SHA256: other, Format: "png"},
		data.Image{ImageID: "gone", Path: "pictures/" + other + ".png", SHA256: other, Format: "png"},
		data.Image{ImageID: "script", Path: path, SHA256: strings.Repeat("cd", 32), Format: "svg"},
		data.Image{ImageID: "odd", Path: path, SHA256: "../" + digest, Format: "png"},
		data.Image{ImageID: "none"},
	))
	must.Succeed(t, tx.Commit())
	pictures := must.Get(LoadPictures(lake))(t)
	if frames := pictures.Frames("good"); len(frames) != 2 || frames[0] != (Frame{picturePath + digest, 3, 2}) {
		t.Errorf("frames %v", frames)
	}
	for _, id := range []string{"outside", "absolute", "gone", "script", "odd", "none", "unknown"} {
		expect.Equal(t, len(pictures.Frames(id)), 0, id)
	}
	mux := http.NewServeMux()
	mux.Handle("GET /"+picturePath+"{digest}", pictures)
	for _, target := range []string{other, strings.Repeat("cd", 32), "../LAKE", "..%2fLAKE", "%2e%2e%2fsecret.png",
		digest + "/../../LAKE", digest + ".png", strings.ToUpper(digest), "", "."} {
		w := httptest.NewRecorder()
		mux.ServeHTTP(w, httptest.NewRequest("GET", "/"+picturePath+target, nil))
		if w.Code == 200 || strings.Contains(w.Body.String(), "secret") ||
			strings.Contains(w.Body.String(), "captionlake lake") {
			t.Errorf("%s: status %d: %s", target, w.Code, w.Body)
		}
	}
	w := httptest.NewRecorder()
	mux.ServeHTTP(w, httptest.NewRequest("GET", "/"+picturePath+digest, nil))
	if w.Code != 200 || w.Body.String() != "a picture" || w.Header().Get("Content-Type") != "image/png" ||
		!strings.Contains(w.Header().Get("Content-Security-Policy"), "sandbox") {
		t.Errorf("status %d, %q, %v", w.Code, w.Body, w.Header())
	}
}
