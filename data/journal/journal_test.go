package journal

import (
	"bytes"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
)

type reply struct{ ID, Text string }

var errNext = errors.New("free some room")

// open makes a file that takes replies.
func open(t testing.TB) (*File[reply], string) {
	t.Helper()
	path := filepath.Join(t.TempDir(), "replies")
	file := must.Get(os.OpenFile(path, os.O_RDWR|os.O_APPEND|os.O_CREATE, 0o666))(t)
	return New[reply](file, "replies", func(err error) error { return errors.Join(err, errNext) }), path
}

// rowsOf are the rows of a file without damage.
func rowsOf(t testing.TB, path string) (rows []reply, err error) {
	t.Helper()
	content := must.Read(t, path)
	for line, err := range Lines(bytes.NewReader(content), int64(len(content)), path,
		func(int, Range) error { return ErrDamaged }) {
		if err != nil {
			return rows, err
		}
		rows = append(rows, must.Get(Decode[reply](line))(t))
	}
	return rows, nil
}

// Appends of several goroutines gather before they are synced, in the file already, where a process
// that is killed leaves them; a journal that is closed meanwhile says so to each.
func TestGathers(t *testing.T) {
	t.Parallel()
	for _, closed := range []bool{false, true} {
		synctest.Test(t, func(t *testing.T) {
			j, path := open(t)
			j.turn <- struct{}{} // as while a sync is under way
			j.released = time.Now()
			const n = 3
			errs := make(chan error, n)
			for i := range n {
				go func() { errs <- j.Append(reply{ID: fmt.Sprint(i)}) }()
			}
			synctest.Wait()
			<-j.turn
			synctest.Wait()
			if len(errs) > 0 {
				t.Error("an append did not wait for others")
			}
			expect.Equal(t, len(must.Get(rowsOf(t, path))(t)), n, "before the sync rows are in the file")
			if closed {
				must.Succeed(t, j.Close())
			}
			time.Sleep(gathering)
			for range n {
				if err := <-errs; closed != (err != nil && strings.Contains(err.Error(), "the journal is closed")) {
					t.Errorf("closed %v: %v", closed, err)
				}
			}
			expect.Equal(t, len(must.Get(rowsOf(t, path))(t)), n, closed)
			must.Succeed(t, j.Close())
		})
	}
}

func TestReportsAFailedWriteToEveryWaiter(t *testing.T) {
	t.Parallel()
	j, _ := open(t)
	must.Succeed(t, j.file.Close()) // Every write fails from here on, as on a disk that is full.
	var wg sync.WaitGroup
	for range 16 {
		wg.Go(func() {
			expect.Failure(t, j.Append(reply{}), errNext)
		})
	}
	wg.Wait()
}

// At high rates replies share syncs: twenty or more, whatever a sync costs and however many cores
// there are. Time is virtual, so that no other work on the machine has a say.
func TestSyncsSeldom(t *testing.T) {
	for _, cores := range []int{1, 2} {
		for _, cost := range []time.Duration{100 * time.Microsecond, time.Millisecond, 20 * time.Millisecond} {
			synctest.Test(t, func(t *testing.T) {
				defer runtime.GOMAXPROCS(runtime.GOMAXPROCS(cores))
				j, path := open(t)
				syncs := 0
				j.sync = func() error {
					syncs++
					time.Sleep(cost)
					return nil
				}
				const callers, replies = 64, 50 // 64 requests in flight, each answered after 5 to 15 ms
				var wg sync.WaitGroup
				for i := range callers {
					wg.Go(func() {
						random := rand.New(rand.NewPCG(1, uint64(i)))
						for range replies {
							time.Sleep(5*time.Millisecond + time.Duration(random.IntN(10_000))*time.Microsecond)
							if err := j.Append(reply{ID: "0123456789abcdef", Text: "A"}); err != nil {
								t.Error(err)
							}
						}
					})
				}
				wg.Wait()
				expect.Between(t, float64(syncs)/(callers*replies), 0, 0.05, cores, "cores, syncs of", cost)
				must.Succeed(t, j.Close())
				expect.Equal(t, len(must.Get(rowsOf(t, path))(t)), callers*replies)
			})
		}
	}
}

// Who comes alone is not kept waiting, and nobody is released before the sync that his rows are in.
func TestReleasesAfterTheSync(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		j, path := open(t)
		var synced int64 // length of the file that is on disk
		j.sync = func() error {
			time.Sleep(time.Second)
			synced = fileSize(t, path)
			return nil
		}
		for i := range 3 {
			began := time.Now()
			must.Succeed(t, j.Append(reply{ID: fmt.Sprint(i)}))
			if took := time.Since(began); took != time.Second || fileSize(t, path) > synced || synced == 0 {
				t.Errorf("released after %v with %d bytes on disk", took, synced)
			}
			time.Sleep(time.Second)
		}
		j.sync = func() error { return errors.New("the disk is gone") }
		expect.Failure(t, j.Append(reply{}))
		must.Succeed(t, j.Close())
	})
}

func fileSize(t testing.TB, path string) int64 {
	t.Helper()
	return must.Get(os.Stat(path))(t).Size()
}

// linesOf are n lines of one length. Their texts look like the ends of lines.
func linesOf(n int) []byte {
	var b bytes.Buffer
	for i := range n {
		start := b.Len()
		fmt.Fprintf(&b, `{"ID":"%04d","Text":"\",\"crc32c\":\"00000000\"}\n"}`, i)
		putSum(&b, start)
	}
	return b.Bytes()
}

// One wrong bit costs one line, or two where it is in the end of one, and never in silence.
func TestFlippedBits(t *testing.T) {
	t.Parallel()
	const n = 8
	content := linesOf(n)
	size := len(content) / n
	for bit := range len(content) * 8 {
		flipped := slices.Clone(content)
		flipped[bit/8] ^= 1 << (bit % 8)
		kept, lost := 0, int64(0)
		damaged := func(_ int, at Range) error { lost += at.To - at.From; return nil }
		for range Lines(bytes.NewReader(flipped), int64(len(flipped)), "j", damaged) {
			kept++
		}
		end := (bit/8+1)%size == 0 && bit/8+1 < len(content)
		if kept < n-2 || kept == n-2 != end || lost != int64((n-kept)*size) {
			t.Fatalf("bit %d of lines of %d bytes: %d of %d lines and all but %d bytes kept", bit, size, kept, n, lost)
		}
	}
}

// Any bytes are either a journal, up to its last whole line, or refused: never a panic, and never
// rows that the checksum does not vouch for. What can be kept and what cannot make up the file.
func FuzzLines(f *testing.F) {
	content := linesOf(2)
	f.Add(content)
	f.Add(content[:len(content)-3])
	f.Add(append(content[:len(content):len(content)], make([]byte, 64)...))
	f.Add([]byte("\n\n{}\n"))
	f.Fuzz(func(t *testing.T, content []byte) {
		size := int64(0)
		damaged := func(_ int, at Range) error { size += at.To - at.From; return nil }
		for line, err := range Lines(bytes.NewReader(content), int64(len(content)), "j", damaged) {
			must.Succeed(t, err)
			size += int64(len(line))
			if _, err := Decode[map[string]any](line); err != nil && !errors.Is(err, ErrDamaged) {
				t.Fatal(err)
			}
		}
		must.Equal(t, size, int64(len(content)))
	})
}

func BenchmarkAppend(b *testing.B) {
	j, _ := open(b)
	b.SetParallelism(128)
	b.RunParallel(func(pb *testing.PB) {
		for pb.Next() {
			if err := j.Append(reply{"0123456789abcdef", "A"}); err != nil {
				b.Error(err)
			}
		}
	})
	b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "rows/s")
}
