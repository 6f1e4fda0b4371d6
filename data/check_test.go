package data

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/parquet-go/parquet-go"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/files"
	"github.com/captionlake/captionlake/data/must"
)

// checkedLake has a picture, a mart and units of several tables.
func checkedLake(t testing.TB) *Lake {
	t.Helper()
	l := newLake(t)
	tx := must.Get(l.Begin(Unit{Stage: "ingest/images", Name: "pictures", Fingerprint: "f",
		Provenance: ProvenanceMeasured, Source: "pictures"}))(t)
	content := []byte(strings.Repeat("a picture", 100))
	path := must.Get(tx.AddPicture(content, "png"))(t)
	w := must.Get(NewRowWriter(tx, Images))(t)
	sha := strings.TrimSuffix(filepath.Base(path), ".png")
	must.Succeed(t, errors.Join(w.Write(Image{ImageID: "nat_001", Path: path, SHA256: sha, Bytes: int64(len(content))}),
		tx.Commit()))
	for _, name := range []string{"one", "two"} {
		var captions []Caption
		for i := range 200 {
			captions = append(captions,
				Caption{ImageID: fmt.Sprintf("nat_%03d", i), Captioner: name,
					Caption: fmt.Sprintf("Caption %d of %s.", i*i, name)})
		}
		must.Succeed(t, commitCaptions(t, l, name, "f", captions...))
	}
	var answers []Answer
	random := rand.New(rand.NewPCG(1, 2))
	for i := range 3000 {
		a := Answer{Protocol: "p", Reader: "r", Evidence: "caption", Captioner: "one",
			QuestionID: fmt.Sprintf("nat_%03d/%d", i%200, i), Outcome: "incorrect", Options: 4}
		if random.IntN(2) == 0 {
			a.Outcome, a.Score = "correct", 1
		}
		answers = append(answers, a)
	}
	commitRows(t, l, "score", "answers", Answers, answers...)
	const temp = journalDir + "/mart.tmp"
	must.Succeed(t, errors.Join(files.Write(l.store, temp, []byte(strings.Repeat("a mart", 300))),
		l.Publish(map[string]string{temp: "marts/m.parquet"})))
	return l
}

func faultsOf(t testing.TB, c *Check, err error) []string {
	t.Helper()
	must.Succeed(t, err)
	var faults []string
	for _, f := range c.Faults {
		faults = append(faults, f.Kind+" "+f.File)
		if f.Next == "" || f.Problem == "" {
			t.Errorf("%s: a fault without a problem or a next step: %+v", f.File, f)
		}
	}
	return faults
}

func stemOf(name string) string { return Unit{Stage: "test", Name: name}.FileStem() }

// Each change of a committed file is named. A check that reads only names and sizes names it where
// that suffices.
func TestChangesOfCommittedFilesAreNamed(t *testing.T) {
	t.Parallel()
	one, answers := "captions/"+stemOf("one")+".parquet", "answers/"+Unit{Stage: "score",
		Name: "answers"}.FileStem()+".parquet"
	runs := "runs/" + stemOf("one") + ".parquet"
	flipped := func(name string) func(*testing.T, *Lake) {
		return func(t *testing.T, l *Lake) { flip(t, l.Path(name)) }
	}
	copied := func(from, to string) func(*testing.T, *Lake) {
		return func(t *testing.T, l *Lake) { must.Write(t, l.Path(to), must.Read(t, l.Path(from))) }
	}
	lost := func(t *testing.T, l *Lake) {
		must.Succeed(t, errors.Join(l.KeepUnits(), os.Remove(l.Path(one)), os.Remove(l.Path(runs))))
	}
	checked := checkedLake(t)
	for name, c := range map[string]struct {
		do func(*testing.T, *Lake)
		// The faults that every depth finds, and the faults that only some depths find.
		all                  []string
		look, tables, verify []string
	}{
		"nothing": {do: func(*testing.T, *Lake) {}},
		"flipped answer": {do: flipped(answers), tables: []string{"changed " + answers},
			verify: []string{"changed " + answers}},
		"flipped mart": {do: flipped("marts/m.parquet"), verify: []string{"changed marts/m.parquet"}},
		"deleted file": {do: func(t *testing.T, l *Lake) { must.Succeed(t, os.Remove(l.Path(one))) },
			all: []string{"missing " + one}},
		"copied file": {do: copied(one, "captions/a (1).parquet"), all: []string{"stray captions/a (1).parquet"}},
		"file without a record": {do: copied(one, "captions/a-00000000.parquet"),
			all: []string{"unrecorded captions/a-00000000.parquet"}},
		"lost unit": {do: lost, all: []string{"missing " + runs}},
		"removed unit": {do: func(t *testing.T, l *Lake) {
			must.Succeed(t, errors.Join(l.KeepUnits(), l.Remove(stemOf("one"))))
		}},
		"lost unit that was given up": {do: func(t *testing.T, l *Lake) {
			lost(t, l)
			must.Succeed(t, l.Remove(stemOf("one")))
		}},
		"copied unit": {do: func(t *testing.T, l *Lake) {
			copied(one, "captions/copy.parquet")(t, l)
			copied(runs, "runs/copy.parquet")(t, l)
		}, all: []string{"stray captions/copy.parquet", "stray runs/copy.parquet"}},
		"another unit's file": {do: copied("captions/"+stemOf("two")+".parquet", one),
			tables: []string{"changed " + one}, verify: []string{"changed " + one}},
		"truncated mart": {do: func(t *testing.T, l *Lake) {
			must.Succeed(t, os.Truncate(l.Path("marts/m.parquet"), 100))
		}, look: []string{"changed marts/m.parquet"}, verify: []string{"changed marts/m.parquet"}},
		"foreign mart": {do: copied(one, "marts/x.parquet"), all: []string{"stray marts/x.parquet"}},
		"damaged picture": {do: func(t *testing.T, l *Lake) {
			flip(t, l.Path(must.Get(l.store.List(PicturesFolder))(t)[0]))
		}, verify: []string{"changed picture"}},
	} {
		t.Run(name, func(t *testing.T) {
			l := copyOf(t, checked)
			c.do(t, l)
			for i, want := range [][]string{c.look, c.tables, c.verify} {
				check, err := l.Check([]Depth{CheckSizes, CheckTables, CheckPictures}[i], nil)
				got := faultsOf(t, check, err)
				for j := range got {
					if strings.Contains(got[j], PicturesFolder+"/") {
						got[j] = "changed picture"
					}
				}
				if name == "another unit's file" && i == 0 {
					continue // The two files may be equally long.
				}
				expect.Equal(t, got, append(want, c.all...), []string{"look", "tables", "verify"}[i])
			}
		})
	}
}

// A look at some tables and marts compares what is asked for, and big tables by size alone unless
// it is wanted.
func TestCheckOfSome(t *testing.T) {
	t.Parallel()
	l := checkedLake(t)
	look := func(big bool, want string, relations ...string) {
		t.Helper()
		check, err := l.CheckOf(relations, big)
		expect.Equal(t, strings.Join(faultsOf(t, check, err), ", "), want, relations)
	}
	image, caption := "images/"+Unit{Stage: "ingest/images", Name: "pictures"}.FileStem()+".parquet", "captions/"+
		stemOf("one")+".parquet"
	look(false, "", "m", "images", "captions")
	flip(t, l.Path("marts/m.parquet"))
	flip(t, l.Path(image))
	flip(t, l.Path(caption))
	look(false, "changed marts/m.parquet", "m", "answers")
	look(false, "changed "+image, "images", "captions")
	look(true, "changed "+caption, "captions")
	look(true, "", "answers")
	look(false, "")
	must.Succeed(t, os.Remove(l.Path(caption)))
	look(false, "missing "+caption, "captions")
}

// A unit whose file was damaged does not count as done, so that the command that made it makes it
// again; and nothing is merged into it.
func TestDamagedUnitIsNotDone(t *testing.T) {
	t.Parallel()
	l := checkedLake(t)
	u := Unit{Stage: "test", Name: "one", Fingerprint: "f"}
	must.Equal(t, must.Get(l.Done(u))(t), true)
	path := l.Path("captions/" + u.FileStem() + ".parquet")
	flip(t, path)
	must.Equal(t, must.Get(l.Done(u))(t), false)
	expect.Refusal(mergeAll(t, l, MergeOptions{}, newLake(t).Dir()))(t, path)
}

// Every page that the lake writes has a checksum, and every reader compares it: a changed byte of
// any page is an error that names the file, never another value.
func TestPagesHaveChecksumsThatReadersCompare(t *testing.T) {
	t.Parallel()
	l := checkedLake(t)
	name := "captions/" + stemOf("one") + ".parquet"
	content := must.Read(t, l.Path(name))
	f := must.Get(l.store.Open(name))(t)
	defer f.Close()
	pf := must.Get(openParquet(l, f, name))(t)
	for _, column := range pf.Metadata().RowGroups[0].Columns {
		// The last byte of a column's chunk is data of its last page.
		m := column.MetaData
		start := m.DataPageOffset
		if m.DictionaryPageOffset > 0 {
			start = min(start, m.DictionaryPageOffset)
		}
		damaged := slices.Clone(content)
		damaged[start+m.TotalCompressedSize-1] ^= 1
		must.Write(t, l.Path(name), damaged)
		var scanned error
		for _, err := range Scan(l, Captions) {
			scanned = errors.Join(scanned, err)
		}
		expect.Failure(t, scanned, parquet.ErrCorrupted, l.Path(name))
	}
}

// Single bits flipped anywhere in the files of a lake are noticed.
func TestFlippedBitsAreNoticed(t *testing.T) {
	t.Parallel()
	flips := 1
	if os.Getenv("CAPTIONLAKE_SLOW") != "" {
		flips = 15
	}
	l := checkedLake(t)
	var names []string
	for _, folder := range []string{"answers", "captions", "images", "runs", MartsFolder, PicturesFolder} {
		names = append(names, must.Get(l.store.List(folder))(t)...)
	}
	random := rand.New(rand.NewPCG(3, 4))
	recorded := must.Get(MartRecord(l))(t)
	for _, name := range names {
		content := must.Read(t, l.Path(name))
		for range flips {
			damaged := slices.Clone(content)
			bit := random.IntN(8 * len(content))
			damaged[bit/8] ^= 1 << (bit % 8)
			must.Write(t, l.Path(name), damaged)
			if read, err := MartRecord(l); name == MartsFolder+recordFile && err == nil && maps.Equal(read, recorded) {
				continue // A key in another case says the same.
			}
			if c, err := l.Check(CheckPictures, nil); err == nil && len(c.Faults) == 0 {
				t.Errorf("%s: bit %d of byte %d of %d was flipped, and nothing was noticed", name, bit%8, bit/8,
					len(content))
			}
		}
		must.Write(t, l.Path(name), content)
	}
}

// TestDamagedFilesAreMadeAgain: the state of a table and of a unit changes with damage, and a
// damaged file, even one that cannot be opened, does not keep the others from being written again.
func TestDamagedFilesAreMadeAgain(t *testing.T) {
	t.Parallel()
	l := newLake(t)
	write := func() {
		for _, id := range []string{"a", "b"} {
			must.Succeed(t, commitCaptions(t, l, id, "f", Caption{ImageID: id, Captioner: "m", Prompt: "Simple"}))
		}
	}
	write()
	states := func() (table, a string) {
		a = must.Get(l.UnitState(Captions, Unit{Stage: "test", Name: "a"}))(t)
		expect.Equal(t, a != "", true)
		return must.Get(l.State(Captions))(t), a
	}
	tableBefore, before := states()
	for _, id := range []string{"a", "b"} {
		path := l.Path("captions/" + stemOf(id) + ".parquet")
		content := must.Read(t, path)
		content[len(content)-20] ^= 4 // within the footer
		must.Write(t, path, content)
	}
	if tableAfter, after := states(); tableAfter == tableBefore || after == before {
		t.Error("damage does not change the state")
	}
	write()
	expect.Equal(t, len(allRows(t, l, Captions)), 2)
}
