package data

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"strings"
	"syscall"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/files"
	"github.com/captionlake/captionlake/data/must"
)

// A file of some kilobytes that takes gigabytes to read is refused before any of them is taken,
// because its pages claim so many bytes or values.
func TestPagesAreBounded(t *testing.T) {
	defer func(most int64) { mostPages = most }(mostPages)
	l := newLake(t)
	must.Succeed(t, commitCaptions(t, l, "long", "f", Caption{ImageID: "a", Caption: strings.Repeat("a", 3<<20)}))
	var many []Caption
	for i := range 50_000 {
		many = append(many, Caption{ImageID: fmt.Sprint(i)})
	}
	must.Succeed(t, commitCaptions(t, l, "many", "f", many...))
	read := func(name string) error {
		for _, err := range ProjectUnit[Caption](l, Captions, stemOf(name)) {
			if err != nil {
				return err
			}
		}
		return nil
	}
	for _, name := range []string{"long", "many"} {
		mostPages = 64 << 20
		must.Succeed(t, read(name))
		mostPages = 2 << 20
		hinted(t, read(name), "", "takes", stemOf(name))
	}
}

// Whatever is in a file, its pages are walked to an end.
func FuzzBoundPages(f *testing.F) {
	var b bytes.Buffer
	w := parquet.NewGenericWriter[Caption](&b, parquet.Compression(&parquet.Zstd))
	must.Get(w.Write([]Caption{{ImageID: "a", Caption: "b"}, {ImageID: "c"}}))(f)
	must.Succeed(f, w.Close())
	f.Add(b.Bytes())
	f.Fuzz(func(_ *testing.T, content []byte) {
		if pf, err := parseFooter(bytes.NewReader(content), int64(len(content))); err == nil {
			_ = boundPages(bytes.NewReader(content), pf)
		}
	})
}

// Files of the lake that are read whole have a bound, too: a lake may be somebody else's.
func TestSmallFilesAreBounded(t *testing.T) {
	l := newLake(t)
	for name, read := range map[string]func() error{
		MartsFolder + "/files.json": func() error { _, err := MartRecord(l); return err },
		unitList:                    func() error { _, err := unitsOfMarts(l); return err },
		commitList:                  func() error { _, _, err := l.CommittedByOthers(0); return err },
		"runs/" + stemOf("x") + ".parquet": func() error {
			c, err := l.Check(CheckSizes, nil)
			return errors.Join(err, c.Err(l))
		},
	} {
		must.Succeed(t, files.Write(l.store, name, nil))
		must.Succeed(t, os.Truncate(l.Path(name), 20<<30))
		expect.Failure(t, read(), fmt.Sprint(int64(20<<30), " bytes"))
		must.Succeed(t, l.store.Remove(name))
	}
}

// The record of marts of somebody else's lake may be a named pipe, or null.
func TestRecordOfMarts(t *testing.T) {
	l := newLake(t)
	const name = MartsFolder + "/files.json"
	must.Succeed(t, errors.Join(os.MkdirAll(l.Path(MartsFolder), 0o755), syscall.Mkfifo(l.Path(name), 0o600)))
	expect.Refusal(MartRecord(l))(t, "not a plain file")
	must.Succeed(t, errors.Join(os.Remove(l.Path(name)), files.Write(l.store, name, []byte("null"))))
	temp := l.Temp("m")
	must.Succeed(t, errors.Join(files.Write(l.store, temp, nil),
		l.Publish(map[string]string{temp: MartsFolder + "/m.parquet"})))
	expect.Equal(t, len(must.Get(MartRecord(l))(t)), 1)
}
