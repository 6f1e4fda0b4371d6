//go:build linux

package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"maps"
	"math/rand/v2"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	rehearsalserver "github.com/captionlake/captionlake/stages/rehearsal/server"
)

// soakConfig asks two readers about the captions of two captioners under two prompts: 14 units of
// requests.
const soakConfig = `endpoints:
  - name: rehearsal
    replicas: [%s/v1]
    models: [rehearsal/captioner-large, rehearsal/captioner-small, rehearsal/reader-careful, rehearsal/reader-eager]
captions:
  captioners: [rehearsal/captioner-large, rehearsal/captioner-small]
  prompts: [Simple, Long]
answers:
  readers: [rehearsal/reader-careful, rehearsal/reader-eager]
  evidence: [caption, none]
`

// soakRefusals are the errors that a command may print if another command holds its lock. All other
// errors are faults.
var soakRefusals = regexp.MustCompile(`is in use by|is left to that process|has just committed|removed faster ` +
	`than|holds no unit|` +
	`no captions|nothing to ask|wait until it has finished`)

// A soak runs many processes on one lake. Each may be killed at any moment.
type soak struct {
	*testing.T
	dir      string
	deadline time.Time

	mu     sync.Mutex
	dice   *rand.Rand
	counts map[string]*soakCount
	faults []string
}

// A soakCount says how the runs of a command ended.
type soakCount struct {
	done, killed, refused int
	typical               time.Duration // moving mean of the times of runs that were done
}

// chance is a random number below n.
func (s *soak) chance(n int) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.dice.IntN(n)
}

// command prepares a command on a lake of the soak.
func (s *soak) command(lake string, args ...string) *exec.Cmd {
	c := exec.Command(program(s), append([]string{"--quiet", "--lake", lake}, args...)...)
	c.Dir = s.dir
	return c
}

// must runs a command that nothing disturbs, fails unless it succeeds, and returns its output.
func (s *soak) must(lake string, args ...string) string {
	s.Helper()
	c := s.command(lake, args...)
	var stderr bytes.Buffer
	c.Stderr = &stderr
	out, err := c.Output()
	if err != nil {
		s.Fatalf("captionlake %s: %v\n%s%s", strings.Join(args, " "), err, out, &stderr)
	}
	return string(out)
}

// try runs a command. A third of the commands are killed, at a random moment within one and a half
// times their typical duration, so that some end before.
func (s *soak) try(what string, args ...string) string { return s.tryOn("lake", what, args...) }

func (s *soak) tryOn(lake, what string, args ...string) string {
	s.mu.Lock()
	count := s.counts[what]
	if count == nil {
		count = &soakCount{typical: time.Second}
		s.counts[what] = count
	}
	kill := s.dice.IntN(3) == 0
	after := time.Duration(s.dice.Int64N(int64(count.typical * 3 / 2)))
	s.mu.Unlock()

	c := s.command(lake, args...)
	var stdout, stderr bytes.Buffer
	c.Stdout, c.Stderr = &stdout, &stderr
	began := time.Now()
	must.Succeed(s, c.Start())
	if kill {
		timer := time.AfterFunc(after, func() { _ = c.Process.Kill() })
		defer timer.Stop()
	}
	err := c.Wait()
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case err == nil:
		count.done++
		count.typical += (time.Since(began) - count.typical) / 4
	case kill && c.ProcessState.ExitCode() == -1:
		count.killed++
	case soakRefusals.Match(stderr.Bytes()):
		count.refused++
	default:
		s.faults = append(s.faults,
			fmt.Sprintf("captionlake %s: %v\n%s%s", strings.Join(args, " "), err, &stdout, &stderr))
	}
	return stdout.String()
}

// loop repeats a function in its own goroutine until the soak ends.
func (s *soak) loop(group *sync.WaitGroup, pause time.Duration, do func()) {
	group.Go(func() {
		for time.Now().Before(s.deadline) {
			do()
			time.Sleep(time.Duration(s.chance(int(pause))))
		}
	})
}

// soakIngest is the command that loads captions under the name of one of several captioners.
func soakIngest(n int) []string {
	return []string{"ingest", "--captioner", fmt.Sprintf("model-%d", n), "--prompt", "Simple",
		fmt.Sprintf("captions-%d.json", n)}
}

const soakCaptioners = 5

// prepare makes a lake with questions and pictures.
func (s *soak) prepare(lake string) {
	s.must(lake, "init")
	s.must(lake, "ingest", "--domain", "Photos", "questions.json", "pictures")
}

// startSoak makes the folder of a soak.
func startSoak(t *testing.T, length time.Duration) *soak {
	seed := uint64(time.Now().UnixNano())
	s := &soak{T: t, dir: filepath.Join(t.TempDir(), "first-pictures"), dice: rand.New(rand.NewPCG(seed, 1)),
		counts: map[string]*soakCount{}}
	t.Logf("seed %d, %v", seed, length)
	must.Succeed(t, exec.Command(program(t), "init", "--example="+s.dir).Run())
	return s
}

// finish runs all commands of the soak undisturbed and returns the contents of the lake. Calls that
// two units share are counted once, because either unit may have asked them.
func (s *soak) finish(lake, calls string, runs ...[]string) map[string]string {
	s.Helper()
	for n := range soakCaptioners {
		s.must(lake, soakIngest(n)...)
	}
	for _, args := range runs {
		s.must(lake, append([]string{"run"}, args...)...)
	}
	s.must(lake, "analyze")
	s.must(lake, "status", "--verify")
	says := map[string]string{}
	for name, query := range map[string]string{
		"images":   "select * exclude unit from images order by all",
		"captions": "select * exclude unit from captions order by all",
		"answers":  "select * exclude unit from answers order by all",
		"calls": "select " +
			calls + " request_hash, repeat, stage, model, state, reply, sampling from calls order by all",
		"results": "select * from captionqa_scores order by all",
		"units":   "select distinct stage, unit from runs order by all",
	} {
		says[name] = s.must(lake, "sql", "--format", "csv", query)
	}
	return says
}

// compare fails if the contents of a lake differ from the undisturbed lake.
func (s *soak) compare(got, want map[string]string) {
	for name, rows := range want {
		if got[name] != rows {
			must.Write(s, filepath.Join(os.TempDir(), "soak-"+name+"-want.csv"), rows)
			must.Write(s, filepath.Join(os.TempDir(), "soak-"+name+"-got.csv"), got[name])
			s.Errorf("%s differ from those of the undisturbed lake: compare %s/soak-%s-*.csv", name, os.TempDir(), name)
		}
	}
}

// tell reports the first faults of commands as errors of the test.
func (s *soak) tell() {
	slices.Sort(s.faults)
	for _, fault := range s.faults[:min(len(s.faults), 10)] {
		s.Error(fault)
	}
}

// Several processes write to one lake, and each is killed at random moments. In the end the lake
// equals a lake that nobody disturbed. The test runs only if asked for: CAPTIONLAKE_SOAK=20m go
// test -run TestSoak -timeout 60m -v ./cmd/captionlake
func TestSoak(t *testing.T) {
	length, err := time.ParseDuration(os.Getenv("CAPTIONLAKE_SOAK"))
	if err != nil {
		t.Skip("processes that are killed on one lake for a while; CAPTIONLAKE_SOAK=2m says how long")
	}
	s := startSoak(t, length)
	captions := must.Read(t, filepath.Join(s.dir, "captions.json"))
	for n := range soakCaptioners { // Equal captions would be asked about once for all.
		own := bytes.ReplaceAll(captions, []byte(`": "`), fmt.Appendf(nil, `": "Picture of model %d. `, n))
		must.Write(t, filepath.Join(s.dir, fmt.Sprintf("captions-%d.json", n)), own)
	}

	server := s.command("none", "rehearse", "--address", "127.0.0.1:0", "--latency", "mi300x/10")
	printed := must.Get(server.StdoutPipe())(t)
	must.Succeed(t, server.Start())
	defer func() { _ = server.Process.Kill(); _ = server.Wait() }()
	address := regexp.MustCompile(`http://127\.0\.0\.1:\d+`)
	for lines := bufio.NewScanner(printed); lines.Scan(); {
		if url := address.FindString(lines.Text()); url != "" {
			must.Write(t, filepath.Join(s.dir, "captionlake.yaml"), fmt.Appendf(nil, soakConfig, url))
			break
		}
	}

	s.prepare("undisturbed")
	finish := func(lake string) map[string]string {
		return s.finish(lake, "distinct", []string{"caption"}, []string{"answer"})
	}
	want := finish("undisturbed")
	s.prepare("lake")

	s.deadline = time.Now().Add(length)
	var group sync.WaitGroup
	for range 2 {
		s.loop(&group, time.Second, func() { s.try("run", "run", []string{"caption", "answer"}[s.chance(2)]) })
	}
	s.loop(&group, time.Second, func() { s.try("ingest", soakIngest(s.chance(soakCaptioners))...) })
	s.loop(&group, time.Second, func() { s.try("analyze", "analyze") })
	s.loop(&group, 4*time.Second, func() {
		units := strings.Fields(s.try("query", "sql", "--format", "csv",
			"select distinct unit from runs where stage in ('answer', 'caption', 'score', 'captions', 'ingest/captions')"))
		if len(units) > 1 {
			s.try("remove", "remove", units[1+s.chance(len(units)-1)])
		}
	})
	s.loop(&group, time.Second, func() {
		switch s.chance(3) {
		case 0:
			s.try("status", "status", "--verify")
		case 1:
			s.try("query", "sql",
				"select count(*), max(answers.unit) from answers join captions using (image_id, captioner, prompt)")
		case 2:
			s.try("status", "status")
		}
	})
	group.Wait()

	for _, what := range []string{"run", "ingest", "analyze", "remove", "query", "status"} {
		if c := s.counts[what]; c != nil {
			t.Logf("%-8s %4d done, %4d killed, %4d refused; typically %.1f s", what, c.done, c.killed, c.refused,
				c.typical.Seconds())
		}
	}
	s.tell()
	got := finish("lake")
	t.Logf("%s requests were paid for twice", strings.Fields(s.must("lake", "sql", "--format", "csv",
		"select count(*) - count(distinct (request_hash, repeat)) as n from calls"))[1])
	s.compare(got, want)
}

const busySoakConfig = `endpoints:
  - name: rehearsal
    replicas: [%s/run-%d/v1]
    models: [rehearsal/reader-careful]
    concurrency: {initial: %d, max: %[3]d}
answers:
  readers: [rehearsal/reader-careful]
  evidence: [caption, none]
`

// Runs are killed while they wait for replies: a slow server, few requests in flight, many equal
// captions, question pools beside whole runs, and captions that are added during the runs. Only
// requests in flight of a killed run are paid for twice, no answer is lost, and in the end the lake
// equals a lake that nobody disturbed. The test lasts twenty seconds, or as long as
// CAPTIONLAKE_SOAK says, in rounds with a new lake each.
func TestSoakOfBusyRuns(t *testing.T) {
	length, err := time.ParseDuration(os.Getenv("CAPTIONLAKE_SOAK"))
	if err != nil {
		laketest.Slow(t, "runs that are killed while they are busy")
		length = 20 * time.Second
	}
	s := startSoak(t, length)
	var captions map[string]string
	must.Succeed(t, json.Unmarshal(must.Read(t, filepath.Join(s.dir, "captions.json")), &captions))
	for n := range soakCaptioners {
		own := map[string]string{}
		for i, name := range slices.Sorted(maps.Keys(captions)) {
			switch i % 4 {
			case 0: // A refusal that all of them give.
				own[name] = "I cannot describe this image."
			case 1: // What two of them say alike.
				own[name] = fmt.Sprintf("Picture of model %d. %s", n/2, captions[name])
			default:
				own[name] = fmt.Sprintf("Picture of model %d. %s", n, captions[name])
			}
		}
		must.Write(t, filepath.Join(s.dir, fmt.Sprintf("captions-%d.json", n)), must.Get(json.Marshal(own))(t))
	}
	server := &soakServer{Handler: rehearsalserver.New(rehearsalserver.Options{})}
	listener := httptest.NewServer(server)
	defer listener.Close()
	runs := 0 // with an address of its own each
	config := func(most int) (string, int) {
		s.mu.Lock()
		defer s.mu.Unlock()
		runs++
		name := fmt.Sprintf("run-%d.yaml", runs)
		must.Write(t, filepath.Join(s.dir, name), fmt.Appendf(nil, busySoakConfig, listener.URL, runs, most))
		return name, runs
	}
	prepare := func(lake string) {
		server.delivered, server.killed = map[[32]byte][]soakDelivery{}, map[int]time.Time{}
		s.prepare(lake)
		for n := range 2 {
			s.must(lake, soakIngest(n)...)
		}
	}
	finish := func(lake string) map[string]string {
		t.Helper()
		name, _ := config(64)
		return s.finish(lake, "", []string{"answer", "--config", name})
	}
	prepare("undisturbed")
	want := finish("undisturbed")
	ways := [][]string{nil, nil, {"--pool"}, {"--pool=2"}, {"--captioner", "model-0,model-2"}, {"--part", "1/2"},
		{"--limit", "9"}, {"--evidence", "caption"}}
	killed, done, asked, answersSeen := 0, 0, 0, 0
	// On a busy machine a first round may end before a run was killed, or before an answer was seen.
	unseen := func(round int) bool { return round < 4 && (killed == 0 || answersSeen == 0) }
	for round, end := 0, time.Now().Add(length); time.Now().Before(end) || unseen(round); round++ {
		lake := fmt.Sprint("lake-", round)
		prepare(lake)
		s.deadline = time.Now().Add(min(max(time.Until(end), 20*time.Second), 40*time.Second))
		var group sync.WaitGroup
		for range 3 {
			s.loop(&group, 300*time.Millisecond, func() {
				name, run := config(1 + s.chance(8))
				c := s.command(lake,
					append([]string{"run", "answer", "--config", name}, ways[s.chance(len(ways))]...)...)
				var out bytes.Buffer
				c.Stdout, c.Stderr = &out, &out
				must.Succeed(t, c.Start())
				after := time.Duration(500+s.chance(5000)) * time.Millisecond
				if s.chance(3) == 0 {
					after = time.Hour
				}
				timer := time.AfterFunc(after, func() {
					server.mu.Lock()
					defer server.mu.Unlock()
					if c.Process.Kill() == nil {
						server.killed[run] = time.Now()
					}
				})
				// It may have ended.
				last := time.AfterFunc(time.Until(s.deadline), func() { _ = c.Process.Signal(os.Interrupt) })
				err := c.Wait()
				ended := timer.Stop()
				last.Stop()
				s.mu.Lock()
				defer s.mu.Unlock()
				switch {
				case err == nil, c.ProcessState.ExitCode() == exitInterrupted:
					done++
				case !ended && c.ProcessState.ExitCode() == -1,
					err.Error() == "signal: interrupt": // The latter had not begun.
					killed++
				case !soakRefusals.Match(out.Bytes()):
					s.faults = append(s.faults,
						fmt.Sprintf("captionlake %s: %v\n%s", strings.Join(c.Args, " "), err, &out))
				}
			})
		}
		s.loop(&group, 4*time.Second, func() { s.tryOn(lake, "ingest", soakIngest(s.chance(soakCaptioners))...) })
		s.loop(&group, 6*time.Second, func() { s.tryOn(lake, "analyze", "analyze") })
		most := 0
		s.loop(&group, 2*time.Second, func() {
			var n int
			said := s.must(lake, "sql", "--format", "csv", "select count(*) from answers")
			if _, err := fmt.Sscanf(said, "count_star()\n%d", &n); err != nil || n < most {
				t.Errorf("round %d: %d answers after %d, %v", round, n, most, err)
			}
			most = max(most, n)
		})
		group.Wait()
		got := finish(lake)
		twice, lost := server.paidTwice()
		if twice > 0 {
			t.Errorf("round %d: %d replies were paid for twice, beside %d that killed runs had in flight", round,
				twice, lost)
		}
		s.compare(got, want)
		asked, answersSeen = asked+server.asked, answersSeen+most
		server.asked = 0
		t.Logf("round %d: %d runs done and %d killed so far, %d replies, %d of killed runs in flight, %d answers before "+
			"the end", round, done, killed, asked, lost, most)
		must.Succeed(t, os.RemoveAll(filepath.Join(s.dir, lake)))
		if t.Failed() {
			break
		}
	}
	s.tell()
	if killed == 0 || answersSeen == 0 {
		t.Errorf("%d runs were killed, and %d answers came of the others", killed, answersSeen)
	}
}
