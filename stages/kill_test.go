//go:build linux

package stages

import (
	"bytes"
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/http"
	"os"
	"os/exec"
	"os/signal"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/captionlake/captionlake/analytics/ask"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	rehearsalserver "github.com/captionlake/captionlake/stages/rehearsal/server"
)

// A child is this test binary as a process of its own that carries out an answer run.
const (
	childLake  = "CAPTIONLAKE_TEST_CHILD_LAKE" // the lake; empty in the parent
	childURL   = "CAPTIONLAKE_TEST_CHILD_URL"  // the server
	childRoom  = "CAPTIONLAKE_TEST_CHILD_ROOM" // largest file in bytes that the child can write; empty is no limit
	childHeld  = "CAPTIONLAKE_TEST_CHILD_HELD" // items held back; empty is as usual
	childPeak  = "peak resident memory:"       // what the child prints in the end, in kB
	childReady = "ready"
)

func TestMain(m *testing.M) {
	if os.Getenv(childServes) != "" {
		if err := serveAlone(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	if dir := os.Getenv(childLake); dir != "" {
		if err := child(dir); err != nil {
			fmt.Fprintln(os.Stderr, err)
			var hint *data.HintError
			if errors.As(err, &hint) {
				fmt.Fprintln(os.Stderr, "Try:", hint.Hint)
			}
			os.Exit(1)
		}
		os.Exit(0)
	}
	os.Exit(m.Run())
}

func child(dir string) error {
	fmt.Println(childReady)
	if room := os.Getenv(childRoom); room != "" {
		most, err := strconv.ParseUint(room, 10, 64)
		if err != nil {
			return err
		}
		signal.Ignore(syscall.SIGXFSZ) // The write then fails as on a full disk.
		if err := syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: most, Max: most}); err != nil {
			return err
		}
	}
	l, err := data.Waiter{Reader: ask.Read}.Create(dir, "child")
	if err != nil {
		return err
	}
	c := battleConfig(os.Getenv(childURL))
	c.Endpoints[0].Attempts = 12 // Under 10 % faults nothing fails twelve times.
	r := New(l, c, answering)
	if held := os.Getenv(childHeld); held != "" {
		if r.Held, err = strconv.Atoi(held); err != nil {
			return err
		}
	}
	_, err = r.Run(context.Background())
	if err := errors.Join(err, l.Close()); err != nil {
		return err
	}
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(status)) {
		if peak, ok := strings.CutPrefix(line, "VmHWM:"); ok {
			fmt.Println(childPeak, strings.TrimSuffix(strings.TrimSpace(peak), " kB"))
		}
	}
	return nil
}

// startChild starts a child and waits until it is ready.
func startChild(t testing.TB, dir, url string, env ...string) (cmd *exec.Cmd, stdout, stderr *bytes.Buffer) {
	t.Helper()
	cmd = exec.Command(os.Args[0], "-test.run=^$")
	cmd.Env = append(append(os.Environ(), childLake+"="+dir, childURL+"="+url), env...)
	stdout, stderr = &bytes.Buffer{}, &bytes.Buffer{}
	cmd.Stdout, cmd.Stderr = stdout, stderr
	must.Succeed(t, cmd.Start())
	return cmd, stdout, stderr
}

// witness stands before a server and notes which request was answered when. Each child has an
// address of its own, so that its requests are told from requests that a killed one left behind.
type witness struct {
	http.Handler
	mu        sync.Mutex
	delivered map[[32]byte]delivery
	killed    map[int]time.Time // when a child was killed
	asked     int
	again     []string // requests whose reply a living child had, or one more than a second before it was killed
}

// delivery is when the reply to a request was delivered whole, and to which child.
type delivery struct {
	at    time.Time
	child int
}

func newWitness() *witness {
	return &witness{delivered: map[[32]byte]delivery{}, killed: map[int]time.Time{}}
}

// before puts the witness before a server.
func (w *witness) before(h http.Handler) http.Handler {
	w.Handler = h
	return w
}

// url is the address for a child.
func (w *witness) url(server string, child int) string {
	return fmt.Sprintf("%s/child-%d/v1", strings.TrimSuffix(server, "/v1"), child)
}

func (w *witness) ServeHTTP(out http.ResponseWriter, r *http.Request) {
	var child int
	path := strings.TrimPrefix(r.URL.Path, "/")
	head, rest, _ := strings.Cut(path, "/")
	if _, err := fmt.Sscanf(head, "child-%d", &child); err != nil {
		http.NotFound(out, r)
		return
	}
	r.URL.Path = "/" + rest
	if r.Method != http.MethodPost {
		w.Handler.ServeHTTP(out, r)
		return
	}
	body, err := io.ReadAll(r.Body)
	if err != nil {
		panic(http.ErrAbortHandler) // the child was killed
	}
	r.Body = io.NopCloser(bytes.NewReader(body))
	key := sha256.Sum256(body)
	w.mu.Lock()
	w.asked++
	if d, ok := w.delivered[key]; ok {
		killed, dead := w.killed[d.child]
		if early := killed.Sub(d.at); d.child == child || !dead || early > time.Second {
			w.again = append(w.again,
				fmt.Sprintf("child %d asks what child %d had got %v before it was killed", child, d.child, early))
		}
	}
	w.mu.Unlock()
	heard := &hearing{ResponseWriter: out}
	w.Handler.ServeHTTP(heard, r)
	if heard.whole() {
		w.mu.Lock()
		w.delivered[key] = delivery{time.Now(), child}
		w.mu.Unlock()
	}
}

// hearing keeps a copy of a reply.
type hearing struct {
	http.ResponseWriter
	status int
	body   bytes.Buffer
	failed bool
}

func (h *hearing) WriteHeader(status int) {
	h.status = status
	h.ResponseWriter.WriteHeader(status)
}

func (h *hearing) Write(p []byte) (int, error) {
	h.body.Write(p)
	n, err := h.ResponseWriter.Write(p)
	h.failed = h.failed || err != nil
	return n, err
}

// whole reports whether the reply was one that a client can use.
func (h *hearing) whole() bool {
	var reply struct{ Choices []json.RawMessage }
	return !h.failed && h.status == http.StatusOK && json.Unmarshal(h.body.Bytes(), &reply) == nil &&
		len(reply.Choices) > 0
}

// faulty is a plan under which a tenth of the requests goes wrong.
func faulty(t testing.TB) *rehearsalserver.Faults {
	t.Helper()
	f := must.Get(rehearsalserver.ParseFaults(
		"429=2%,500=2%,503=1%,reset=1%,slow=1%,truncated=1%,malformed=1%,empty=1%"))(t)
	return f
}

// Killed at any moment, a run goes on where it stopped: the answers are the same as in an
// undisturbed run, no call is recorded twice, and no reply that had been there for a second is
// asked for again.
func TestKillAndResumeRun(t *testing.T) {
	kills := 5
	if slow() {
		kills = 25
	}
	captioners := []string{"a", "b", "c", "d", "e"} // five units, so that kills meet commits too
	images := kills
	questions := 10 * images

	undisturbed := laketest.New(t)
	must.Succeed(t, fillSynthetic(undisturbed, images, questions, captioners...))
	c := rehearsal(serve(t, nil))
	mustRun(t, undisturbed, c, answering)

	dir := filepath.Join(t.TempDir(), "lake")
	l := must.Get(data.Create(dir, "test"))(t)
	must.Succeed(t, errors.Join(fillSynthetic(l, images, questions, captioners...), l.Close()))
	w := newWitness()
	server := serveAs(t, nil, rehearsalserver.Options{
		// 16 slots and 30 ms a token: some 500 questions a second, so that the run outlasts the kills.
		Latency: rehearsalserver.Latency{Slots: 16, Step: 30 * time.Millisecond}, Faults: faulty(t),
		SlowBy: 50 * time.Millisecond, RetryAfter: 50 * time.Millisecond,
	}, w.before)
	random := rand.New(rand.NewPCG(3, 50))
	before := 0
	for child := range kills + 1 {
		// so that kills meet what is read again
		cmd, _, stderr := startChild(t, dir, w.url(server, child), childHeld+"=150")
		if child == kills {
			if err := cmd.Wait(); err != nil {
				t.Fatalf("%v: %s", err, stderr)
			}
			break
		}
		time.Sleep(time.Duration(50+random.IntN(500)) * time.Millisecond)
		w.mu.Lock()
		w.killed[child] = time.Now()
		w.mu.Unlock()
		must.Succeed(t, cmd.Process.Kill())
		_ = cmd.Wait() // It was killed, unless it had finished: the error says so.
		if stderr.Len() > 0 {
			t.Fatalf("before the kill of child %d: %s", child, stderr)
		}
		w.mu.Lock()
		before = w.asked
		w.mu.Unlock()
	}
	l = must.Get(data.Open(dir))(t)
	noDoubleCalls(t, l)
	if got, want := answerLines(t, l), answerLines(t, undisturbed); !slices.Equal(got, want) {
		t.Fatalf("%d answers instead of %d, or different ones", len(got), len(want))
	}
	must.Equal(t, len(must.Get(l.Journals())(t)), 0, "the journals are left")
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.again) > 0 {
		t.Fatalf("%d replies were asked for again, such as: %s", len(w.again), w.again[0])
	}
	t.Logf("%d kills; %d questions, %d requests, %d of them after the last kill", kills, questions*len(captioners),
		w.asked, w.asked-before)
}

// A full disk stops the run with a message that says what to do; with room again it goes on, and
// asks for nothing that it has.
func TestFullDiskStopsAndResumes(t *testing.T) {
	const images, questions = 20, 400
	dir := filepath.Join(t.TempDir(), "lake")
	l := must.Get(data.Create(dir, "test"))(t)
	must.Succeed(t, errors.Join(fillSynthetic(l, images, questions), l.Close()))
	w := newWitness()
	server := serve(t, nil, w.before)
	cmd, _, stderr := startChild(t, dir, w.url(server, 0), childRoom+"=100000")
	if err := cmd.Wait(); err == nil {
		t.Fatal("100 kB are enough for 400 calls")
	}
	if said := stderr.String(); !strings.Contains(said, "file too large") ||
		!strings.Contains(said, "Try: free some room") {
		t.Fatalf("the run says: %s", said)
	}
	kept := 0
	l = must.Get(data.Create(dir, "test"))(t)
	names, err := l.Journals()
	if err != nil || len(names) != 1 {
		t.Fatalf("%v %v", names, err)
	}
	journal := must.Get(data.OpenJournal[data.Call](l, names[0]))(t)
	for _, err := range data.JournalRows[data.Call](l, names[0]) {
		must.Succeed(t, err)
		kept++
	}
	if err := errors.Join(journal.Close(), l.Close()); err != nil || kept == 0 {
		t.Fatalf("%d replies are kept: %v", kept, err)
	}
	w.mu.Lock()
	w.asked = 0
	w.mu.Unlock()
	cmd, _, stderr = startChild(t, dir, w.url(server, 1))
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v: %s", err, stderr)
	}
	expect.Equal(t, w.asked, questions-kept, kept, questions)
	if l, err = data.Open(dir); err != nil {
		t.Fatal(err)
	}
	noDoubleCalls(t, l)
	expect.Equal(t, callsIn(t, l), questions, "calls to questions")
}

// BenchmarkPeakMemory measures the largest resident memory of a run over the full bank and over
// three and ten times as many questions. It fails above 300 MB.
func BenchmarkPeakMemory(b *testing.B) {
	url := serve(b, nil)
	for _, times := range []int{1, 3, 10} {
		b.Run(fmt.Sprintf("questions=%d", times*fullQuestions), func(b *testing.B) {
			worst := 0.0
			for range b.N {
				dir := filepath.Join(b.TempDir(), "lake")
				l := must.Get(data.Create(dir, "benchmark"))(b)
				must.Succeed(b, errors.Join(fillSynthetic(l, bankImages, times*fullQuestions), l.Close()))
				cmd, stdout, stderr := startChild(b, dir, url)
				if err := cmd.Wait(); err != nil {
					b.Fatalf("%v: %s", err, stderr)
				}
				_, peak, found := strings.Cut(stdout.String(), childPeak)
				kB, err := strconv.ParseFloat(strings.TrimSpace(peak), 64)
				if err != nil || !found {
					b.Fatalf("the child says %q", stdout)
				}
				worst = max(worst, kB*1024/1e6)
			}
			b.ReportMetric(worst, "MB-peak")
			if worst > 300 {
				b.Fatalf("%.0f MB are more than 300", worst)
			}
		})
	}
}
