//go:build linux

package stages

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/stages/batch"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/llm"
	rehearsalserver "github.com/captionlake/captionlake/stages/rehearsal/server"
	"github.com/captionlake/captionlake/stages/web"
)

// childServes makes this test binary a rehearsal server in a process of its own, as a user has it.
const childServes = "CAPTIONLAKE_TEST_CHILD_SERVES"

// serveAlone answers without latency until standard input ends. It tells the address on standard
// output.
func serveAlone() error {
	ctx, stop := context.WithCancel(context.Background())
	go func() {
		_, _ = io.Copy(io.Discard, os.Stdin) // until the parent has gone, however it went
		stop()
	}()
	s := rehearsalserver.New(rehearsalserver.Options{})
	return web.Listen(ctx, "127.0.0.1:0", s, func(a net.Addr) { fmt.Println(a) })
}

// startServer starts a rehearsal server in a process of its own and returns its address and its
// process. Words before its command, such as taskset -c 1, come from CAPTIONLAKE_BENCH_SERVER.
func startServer(b *testing.B) (url string, pid int) {
	b.Helper()
	words := append(strings.Fields(os.Getenv("CAPTIONLAKE_BENCH_SERVER")), os.Args[0], "-test.run=^$")
	cmd := exec.Command(words[0], words[1:]...)
	cmd.Env = append(os.Environ(), childServes+"=1")
	cmd.Stderr = os.Stderr
	in := must.Get(cmd.StdinPipe())(b)
	out := must.Get(cmd.StdoutPipe())(b)
	must.Succeed(b, cmd.Start())
	b.Cleanup(func() {
		if err := errors.Join(in.Close(), cmd.Wait()); err != nil {
			b.Error(err)
		}
	})
	address := must.Get(bufio.NewReader(out).ReadString('\n'))(b)
	return "http://" + strings.TrimSpace(address) + "/v1", cmd.Process.Pid
}

// cpuOf is the processor time that another process has used, in ticks of 10 ms.
func cpuOf(b *testing.B, pid int) time.Duration {
	b.Helper()
	stat := must.Read(b, fmt.Sprintf("/proc/%d/stat", pid))
	_, rest, _ := strings.Cut(string(stat), ") ")
	fields := strings.Fields(rest)
	ticks := 0
	for _, at := range []int{11, 12} { // utime and stime, counted from the field after the name
		n := must.Get(strconv.Atoi(fields[at]))(b)
		ticks += n
	}
	return time.Duration(ticks) * 10 * time.Millisecond
}

// BenchmarkApart measures, with the rehearsal server in a process of its own and without latency,
// answer runs as users have them, and beside them loops that send the same bytes over as many
// connections and keep nothing: what HTTP alone costs. The processor time is the time of the
// client's process.
func BenchmarkApart(b *testing.B) {
	const questions, connections = 13 * bankImages, 64
	url, pid := startServer(b)
	newBank := func() (*data.Lake, *config.Config) {
		l := laketest.New(b)
		must.Succeed(b, fillSynthetic(l, bankImages, questions))
		c := rehearsal(url)
		c.Endpoints[0].Concurrency = llm.Concurrency{Initial: connections, Max: connections}
		return l, c
	}
	measure := func(b *testing.B, prepare, one func()) {
		clock, own, theirs := time.Duration(0), time.Duration(0), time.Duration(0)
		for range b.N {
			prepare()
			started, used, served := time.Now(), cpuTime(b), cpuOf(b, pid)
			one()
			clock, own, theirs = clock+time.Since(started), own+cpuTime(b)-used, theirs+cpuOf(b, pid)-served
		}
		n := float64(b.N * questions)
		b.ReportMetric(n/clock.Seconds(), "questions/s")
		b.ReportMetric(float64(own.Microseconds())/n, "client-µs/question")
		b.ReportMetric(float64(theirs.Microseconds())/n, "server-µs/question")
	}
	bodies := sync.OnceValue(func() (all [][]byte) {
		l, c := newBank()
		dir := b.TempDir()
		manifests, err := exportBatches(l, c, answering, batch.Options{Dir: dir})
		if err != nil || len(manifests) != 1 {
			b.Fatal(manifests, err)
		}
		content := must.Read(b, filepath.Join(dir, manifests[0].File))
		for line := range bytes.Lines(content) {
			var request struct{ Body json.RawMessage }
			must.Succeed(b, json.Unmarshal(line, &request))
			all = append(all, request.Body)
		}
		return all
	})
	b.Run("run", func(b *testing.B) {
		var l *data.Lake
		var c *config.Config
		measure(b, func() { l, c = newBank() }, func() {
			for _, r := range mustRun(b, l, c, answering) {
				if r.Answered != questions || r.Rows != questions || r.Failed != 0 {
					b.Fatalf("%+v", r)
				}
			}
		})
	})
	b.Run("loop", func(b *testing.B) {
		all := bodies()
		client := &http.Client{Transport: &http.Transport{MaxIdleConnsPerHost: connections}}
		defer client.CloseIdleConnections()
		measure(b, func() {}, func() {
			var next atomic.Int64
			var wg sync.WaitGroup
			for range connections {
				wg.Go(func() {
					var reply bytes.Buffer
					for at := next.Add(1) - 1; at < questions; at = next.Add(1) - 1 {
						resp, err := client.Post(url+"/chat/completions", "application/json", bytes.NewReader(all[at]))
						if err != nil {
							b.Error(err)
							return
						}
						reply.Reset()
						if _, err := reply.ReadFrom(resp.Body); err != nil || resp.StatusCode != http.StatusOK {
							b.Error(resp.Status, err)
						}
						if err := resp.Body.Close(); err != nil {
							b.Error(err)
						}
					}
				})
			}
			wg.Wait()
		})
	})
}
