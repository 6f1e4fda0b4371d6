package remote

import (
	"bytes"
	"errors"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
)

// A lake that was pushed and pulled is the same lake, file by file, and again nothing travels.
func TestPushAndPull(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	from := newLake(t, bank("x", "a=1", "b=2"), score("p", "a=correct"),
		unit{"ingest/images", "i", []string{"one=picture", "two=other"}})
	mart(t, from, "a mart", "another")
	done := push(t, f.bucket(1), from)
	if done.Added != 3 || done.Files != 3*2+2+2 || done.Marts != 2 || done.Commit != 1 {
		t.Errorf("pushed %+v", done)
	}
	f.intercept(nil)
	if again := push(t, f.bucket(1), from); again.Files != 0 || again.Same != 3 || f.n != 1 || again.Commit != 1 {
		t.Errorf("pushed again %+v", again)
	}
	into := filepath.Join(t.TempDir(), "lake")
	if done := pull(t, f.bucket(1), into); done.Units.Taken != 3 || done.Marts != 2 || done.Behind ||
		done.Files != 10 || done.Bytes == 0 {
		t.Errorf("pulled %+v", done)
	}
	f.intercept(nil)
	if done := pull(t, f.bucket(1), into); done.Same != 3 || done.Files != 0 || f.n != 1 {
		t.Errorf("pulled again %+v", done)
	}
	for _, folder := range []string{"questions", "answers", "images", "runs", "marts", "pictures"} {
		want, err := fs.Glob(os.DirFS(from), folder+"/*")
		if err != nil || len(want) == 0 {
			t.Fatal(folder, err)
		}
		for _, name := range want {
			expect.Equal(t, must.Read(t, filepath.Join(into, name)), must.Read(t, filepath.Join(from, name)), name)
		}
	}
	expect.Equal(t, rowsIn(t, into), rowsIn(t, from))
	// A new unit is all that travels.
	change(t, from, bank("y", "c=3"))
	if done := push(t, f.bucket(1), from); done.Added != 1 || done.Files != 2 || done.Commit != 2 {
		t.Errorf("pushed %+v", done)
	}
	if done := pull(t, f.bucket(1), into); done.Files != 2 || done.Units.Taken != 1 {
		t.Errorf("pulled %+v", done)
	}
}

// Pushed files are plain Parquet: a reader that knows nothing of lakes reads the columns of a file
// that the list names.
func TestPushedFilesArePlainParquet(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	b := f.bucket(1)
	push(t, b, newLake(t, bank("x", "a=what?")))
	s := must.Get(b.head(t.Context()))(t)
	for _, file := range s.files() {
		content := f.state()["lakes/one/"+file.Name].content
		if _, err := parquet.OpenFile(bytes.NewReader(content), int64(len(content))); err != nil {
			t.Fatal(file.Name, err)
		}
		if file.Table != "questions" {
			continue
		}
		rows, err := parquet.Read[struct {
			Question string   `parquet:"question"`
			Options  []string `parquet:"options,list"`
		}](bytes.NewReader(content), int64(len(content)))
		if err != nil || len(rows) != 1 || rows[0].Question != "what?" || len(rows[0].Options) != 2 {
			t.Errorf("%s: %v, %v", file.Name, rows, err)
		}
	}
}

// Nothing that storage says reaches a lake unless it is what was pushed.
func TestDamageInStorage(t *testing.T) {
	t.Parallel()
	f := newFake(t)
	dir := newLake(t, bank("x", "a=1"))
	push(t, f.bucket(1), dir)
	stored := f.state()
	for name, o := range stored {
		for what, content := range map[string][]byte{"changed": append([]byte("x"), o.content[1:]...),
			"short": o.content[:len(o.content)/2], "empty": {}, "gone": nil} {
			f.restore(stored)
			if f.objects[name] = (object{content, o.written}); content == nil {
				delete(f.objects, name)
			}
			into := filepath.Join(t.TempDir(), "lake")
			_, err := pullLake(t.Context(), f.bucket(1), into, PullOptions{})
			gone := what == "gone" && (errors.Is(err, fs.ErrNotExist) || errors.Is(err, ErrNoLake))
			if !errors.Is(err, ErrDamaged) && !errors.Is(err, ErrNewer) && !gone {
				t.Errorf("%s %s: %v", name, what, err)
			}
			expect.Equal(t, rowsIn(t, into), "", name, what)
		}
	}
	// On the way, too.
	f.restore(stored)
	f.intercept(func(_ int, r *http.Request) verdict {
		if strings.HasSuffix(r.URL.Path, ".parquet") {
			return corrupted
		}
		return answered
	})
	expect.Refusal(pullLake(t.Context(), f.bucket(1), filepath.Join(t.TempDir(), "lake"), PullOptions{}))(t, ErrDamaged)
	// A file of the lake that is damaged does not travel.
	file := filepath.Join(dir, "questions", bank("x").stem()+".parquet")
	content := must.Read(t, file)
	content[len(content)/2] ^= 1
	must.Write(t, file, content)
	empty := newFake(t)
	expect.Refusal(pushLake(t.Context(), empty.bucket(1), dir, PushOptions{}))(t, "is not the committed file")
}

func TestAddress(t *testing.T) {
	for text, want := range map[string]string{
		"s3://bucket": "s3://bucket", "s3://bucket/": "s3://bucket",
		"s3://my.bucket-1/a/b c/": "s3://my.bucket-1/a/b c",
		"bucket/lake":             "", "s3://": "", "s3://Bucket/x": "", "s3://b/x": "", "s3://bucket/a//b": "",
		"s3://bucket/../x": "", "s3://bucket/./x": "",
		"s3://AKIA:secret@bucket/x": "", "s3://bucket/a\nb": "", "s3://bucket/\xff": "", "s3://bucket/" +
			strings.Repeat("x", 600): "",
	} {
		a, err := ParseAddress(text)
		if (err == nil) != (want != "") || err == nil && a.String() != want {
			t.Errorf("%q: %v, %v", text, a, err)
		}
		if err != nil && strings.Contains(err.Error(), "secret") {
			t.Errorf("%q is repeated: %v", text, err)
		}
	}
}
