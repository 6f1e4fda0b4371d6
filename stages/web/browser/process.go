package browser

import (
	"bufio"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/must"
)

// Process starts the test binary anew, whose Main serves the page of a lake and prints its address to standard error. It returns the address
// without path, and what kills the process as kill -9 does.
func Process(t testing.TB, lake string) (at string, kill func()) {
	t.Helper()
	process := exec.Command(os.Args[0])
	process.Env = append(os.Environ(), servedLake+"="+lake)
	printed, err := process.StderrPipe()
	must.Succeed(t, err)
	must.Succeed(t, process.Start())
	line, err := bufio.NewReader(printed).ReadString('\n')
	must.Succeed(t, err)
	address, err := url.Parse(strings.TrimSpace(line))
	must.Succeed(t, err)
	return "http://" + address.Host, func() {
		t.Helper()
		must.Succeed(t, process.Process.Kill())
		_ = process.Wait() // It says that it was killed.
	}
}
