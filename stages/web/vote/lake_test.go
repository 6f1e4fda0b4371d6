package vote

import (
	"fmt"
	"net/http/httptest"
	"strconv"
	"testing"
	"time"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/sample"
	"github.com/captionlake/captionlake/stages/web"
)

const hostile = `<img src=x onerror="alert(1)"><script>alert(2)</script></div></form>"' onclick=alert(3) ` +
	"\x1b[31mred\x1b[0m \x1b]0;title\x07 \u202eesrever\u202c {{.Token}} &lt;b&gt; javascript:alert(4) \x00 end"

const (
	long = "The image shows a calm scene that was drawn with plain shapes. **Foreground:** there is a bench beside a path, and its seat is blue. " +
		"**Background:** behind it a row of trees stands below a pale sky with two small clouds. The light comes from the left, so that short shadows fall to the right. " +
		"Overall, the composition is quiet and well ordered, and it conveys a feeling of rest. There are no people to be seen, though a bicycle leans against the last tree."
	short = "A blue bench stands beside a path in a park. Behind it are three trees, and a bicycle leans against the one on the right."
)

// newLake makes a lake with the pictures of the sample set, and battles about them.
func newLake(t testing.TB, battles ...data.Battle) *data.Lake {
	t.Helper()
	lake, err := data.Create(t.TempDir(), "test")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = lake.Close() }) // A test that closed it has no lock to release.
	fill(t, lake, battles...)
	return lake
}

func fill(t testing.TB, lake *data.Lake, battles ...data.Battle) {
	t.Helper()
	images, err := sample.Images()
	if err != nil {
		t.Fatal(err)
	}
	commit(t, lake, "pictures", func(tx *data.Tx) error {
		out, err := data.NewRowWriter(tx, data.Images)
		if err != nil {
			return err
		}
		for _, m := range images {
			if m.Domain != sample.Natural && m.ID != "emb_s01" {
				continue // Each picture is an fsync.
			}
			paths := make([]string, len(m.Frames))
			for i, f := range m.Frames {
				if paths[i], err = tx.AddPicture(f.PNG, "png"); err != nil {
					return err
				}
			}
			rows, err := m.Rows(func(_ string, frame int) string { return paths[frame] })
			if err != nil {
				return err
			}
			if err := out.Write(rows...); err != nil {
				return err
			}
		}
		return nil
	})
	commit(t, lake, "battles", func(tx *data.Tx) error {
		out, err := data.NewRowWriter(tx, data.Battles)
		if err != nil {
			return err
		}
		return out.Write(battles...)
	})
}

func commit(t testing.TB, lake *data.Lake, name string, write func(*data.Tx) error) {
	t.Helper()
	tx, err := lake.Begin(data.Unit{Stage: "test", Name: name, Fingerprint: name, Provenance: data.ProvenanceMeasured})
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Abort()
	if err := write(tx); err != nil {
		t.Fatal(err)
	}
	if err := tx.Commit(); err != nil {
		t.Fatal(err)
	}
}

// battleOf is battle number n: an item of the sample set and two captioners.
func battleOf(n int) data.Battle {
	return data.Battle{
		BattleID: fmt.Sprintf("battle-%03d", n), ImageID: fmt.Sprintf("nat_s%02d", n%6+1), Benchmark: "caparena", Ordinal: int32(n),
		CaptionerA: "model-" + strconv.Itoa(n%3), CaptionA: long, CaptionerB: "model-" + strconv.Itoa(n%3+1), CaptionB: short,
		Provenance: data.ProvenanceMeasured,
	}
}

func battlesOf(n int) (all []data.Battle) {
	for i := range n {
		all = append(all, battleOf(i))
	}
	return all
}

// clock is a time that moves when a test says so.
type clock struct{ at time.Time }

func (c *clock) now() time.Time { return c.at }

func (c *clock) pass(seconds float64) { c.at = c.at.Add(time.Duration(seconds * float64(time.Second))) }

func newClock() *clock { return &clock{time.Date(2026, 11, 22, 9, 0, 0, 0, time.UTC)} }

func options(c *clock) Options {
	return Options{Benchmark: "caparena", Seed: 1, Claim: 30 * time.Minute, Now: c.now}
}

func open(t testing.TB, lake *data.Lake, o Options) *Page {
	t.Helper()
	p, err := Open(lake, o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

const token = "0123456789abcdef"

// serve serves a page as the command does.
func serve(t testing.TB, p *Page) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(web.Protect(p.Handler(), token))
	t.Cleanup(server.Close)
	return server
}

func votes(t testing.TB, lake *data.Lake) (all []data.Vote) {
	t.Helper()
	for v, err := range data.Select(lake, data.Votes, nil) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, v)
	}
	return all
}
