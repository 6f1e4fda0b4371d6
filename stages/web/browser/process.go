package browser

import (
	"bufio"
	"net/url"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// Process starts the test binary anew, whose Main serves the page of a lake and prints its address to standard error. It returns the address
// without path, and what kills the process as kill -9 does.
func Process(t testing.TB, lake string) (at string, kill func()) {
	t.Helper()
	process := exec.Command(os.Args[0])
	process.Env = append(os.Environ(), servedLake+"="+lake)
	printed, err := process.StderrPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := process.Start(); err != nil {
		t.Fatal(err)
	}
	line, err := bufio.NewReader(printed).ReadString('\n')
	if err != nil {
		t.Fatal(err)
	}
	address, err := url.Parse(strings.TrimSpace(line))
	if err != nil {
		t.Fatal(err)
	}
	return "http://" + address.Host, func() {
		t.Helper()
		if err := process.Process.Kill(); err != nil {
			t.Fatal(err)
		}
		_ = process.Wait() // It says that it was killed.
	}
}
