package remote

import (
	"context"
	"errors"
	"fmt"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/must"
)

// newLake is a lake of the test's own, closed. Each of its units has one row, or more.
func newLake(t testing.TB, units ...unit) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "lake")
	change(t, dir, units...)
	return dir
}

// A unit is what the tests' lakes are made of.
type unit struct {
	stage, name string
	rows        []string // ids and values, such as a=1
}

func bank(name string, rows ...string) unit  { return unit{"ingest/bank", name, rows} }
func score(name string, rows ...string) unit { return unit{"score", name, rows} }

func (u unit) stem() string { return data.Unit{Stage: u.stage, Name: u.name}.FileStem() }

// change writes units into a lake.
func change(t testing.TB, dir string, units ...unit) {
	t.Helper()
	l := must.Get(data.Create(dir, "test"))(t)
	for _, u := range units {
		tx, err := l.Begin(data.Unit{Stage: u.stage, Name: u.name, Provenance: data.ProvenanceMeasured,
			Fingerprint: data.Fingerprint(u.rows...)})
		must.Succeed(t, err)
		if u.stage == "ingest/images" {
			err = pictured(tx, u.rows)
		} else if u.stage == "score" {
			err = writeRows(tx, data.Answers, u.rows, func(id, value string) data.Answer {
				return data.Answer{Protocol: u.name, Reader: "r", Captioner: "c", QuestionID: id, Outcome: value}
			})
		} else {
			err = writeRows(tx, data.Questions, u.rows, func(id, value string) data.Question {
				return data.Question{QuestionID: u.name + id, Question: value, Options: []string{"yes", "no"}}
			})
		}
		must.Succeed(t, err)
		must.Succeed(t, tx.Commit())
	}
	must.Succeed(t, l.Close())
}

func writeRows[T any](tx *data.Tx, table data.Table[T], rows []string, row func(id, value string) T) error {
	w, err := data.NewRowWriter(tx, table)
	for _, r := range rows {
		id, value, _ := strings.Cut(r, "=")
		if err == nil {
			err = w.Write(row(id, value))
		}
	}
	return err
}

func pictured(tx *data.Tx, rows []string) error {
	return writeRows(tx, data.Images, rows, func(id, value string) data.Image {
		name, err := tx.AddPicture([]byte(value), "png")
		if err != nil {
			panic(err)
		}
		return data.Image{ImageID: id, Path: name, Bytes: int64(len(value)), SHA256: path.Base(name)[:64]}
	})
}

// rowsIn are the rows of a lake, in words, which are whole.
func rowsIn(t testing.TB, dir string) string {
	t.Helper()
	l, err := data.Open(dir)
	if errors.Is(err, data.ErrNotALake) {
		return ""
	}
	must.Succeed(t, err)
	check := must.Get(l.Check(data.CheckPictures, nil))(t)
	must.Succeed(t, check.Err(l))
	var rows []string
	for q, err := range data.Scan(l, data.Questions) {
		must.Succeed(t, err)
		rows = append(rows, q.QuestionID+"="+q.Question)
	}
	for a, err := range data.Scan(l, data.Answers) {
		must.Succeed(t, err)
		rows = append(rows, a.Protocol+a.QuestionID+"="+a.Outcome)
	}
	for i, err := range data.Scan(l, data.Images) {
		must.Succeed(t, err)
		content := must.Read(t, l.Path(i.Path))
		rows = append(rows, i.ImageID+"="+string(content))
	}
	slices.Sort(rows)
	return strings.Join(rows, " ")
}

// mart publishes a mart in a lake, or several.
func mart(t testing.TB, dir string, contents ...string) {
	t.Helper()
	l := must.Get(data.Create(dir, "test"))(t)
	for i, content := range contents {
		w, err := l.Store().Create("journal/mart.tmp")
		if err == nil {
			_, err = w.Write([]byte(content))
			err = errors.Join(err, w.Close(),
				l.Publish(map[string]string{"journal/mart.tmp": fmt.Sprintf("marts/mart_%d.parquet", i)}))
		}
		must.Succeed(t, err)
	}
	must.Succeed(t, l.Close())
}

func pushLake(ctx context.Context, b *bucket, dir string, o PushOptions) (PushReport, error) {
	l, err := data.Open(dir)
	if err != nil {
		return PushReport{}, err
	}
	o.Marts = true
	return b.push(ctx, l, o)
}

func push(t testing.TB, b *bucket, dir string) PushReport {
	t.Helper()
	return must.Get(pushLake(t.Context(), b, dir, PushOptions{}))(t)
}

func pullLake(ctx context.Context, b *bucket, dir string, o PullOptions) (PullReport, error) {
	l, err := data.Create(dir, "test")
	if err != nil {
		return PullReport{}, err
	}
	done, err := b.pull(ctx, l, o)
	return done, errors.Join(err, l.Close())
}

func pull(t testing.TB, b *bucket, dir string) PullReport {
	t.Helper()
	return must.Get(pullLake(t.Context(), b, dir, PullOptions{}))(t)
}

// pulled are the rows that a new reader gets.
func pulled(t testing.TB, b *bucket) string {
	t.Helper()
	dir := filepath.Join(t.TempDir(), "pulled")
	_, err := pullLake(t.Context(), b, dir, PullOptions{})
	if errors.Is(err, ErrNoLake) {
		return ""
	}
	must.Succeed(t, err)
	return rowsIn(t, dir)
}

// slowly says whether every variant is to be tried, rather than some.
func slowly() bool { return os.Getenv("CAPTIONLAKE_SLOW") != "" }
