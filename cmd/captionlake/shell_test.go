package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
)

// A terminal is the program, running on a pseudo-terminal.
type terminal struct {
	*exec.Cmd
	t     *testing.T
	file  *os.File
	shown chan []byte
	seen  string
}

var controls = regexp.MustCompile(`\x1b\[[0-9;?]*[A-Za-z]|\r|\x07`)

// typed types a text and waits until the screen shows a given text.
func (s *terminal) typed(keys, want string) {
	s.t.Helper()
	must.Get(s.file.WriteString(keys))(s.t)
	s.expect(want)
}

func (s *terminal) expect(want string) {
	s.t.Helper()
	late := time.After(time.Minute)
	for !strings.Contains(s.seen, want) {
		select {
		case b, ok := <-s.shown:
			if !ok {
				s.t.Fatalf("the program ended before it showed %q; it showed\n%s", want, s.seen)
			}
			s.seen += controls.ReplaceAllString(string(b), "")
		case <-late:
			s.t.Fatalf("%q was not shown; shown was\n%s", want, s.seen)
		}
	}
	_, s.seen, _ = strings.Cut(s.seen, want)
}

// ends waits until the program has ended.
func (s *terminal) ends() error {
	for range s.shown {
	}
	return s.Wait()
}

// TestShellOnATerminal drives the shell as a person does: keys in, a screen out.
func TestShellOnATerminal(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("needs a terminal of Unix")
	}
	lake := demoLake(t)
	self := must.Get(os.Executable())(t)
	state := t.TempDir()
	start := func(args ...string) *terminal {
		c := exec.Command(self, args...)
		c.Args[0] = "captionlake" // by which the test's program knows what it is to be
		c.Env = append(os.Environ(), "TERM=xterm", "XDG_STATE_HOME="+state)
		f := must.Get(pty.StartWithSize(c, &pty.Winsize{Rows: 24, Cols: 80}))(t)
		t.Cleanup(func() { _ = f.Close() })
		s := &terminal{Cmd: c, t: t, file: f, shown: make(chan []byte)}
		go func() {
			defer close(s.shown)
			for {
				b := make([]byte, 1<<16)
				n, err := f.Read(b)
				if n > 0 {
					s.shown <- b[:n]
				}
				if err != nil {
					return // A terminal whose program is gone gives an error of input and output.
				}
			}
		}()
		return s
	}

	must.Write(t, filepath.Join(state, "query.sql"), "select 6 as six")
	s := start("--lake", lake, "sql")
	s.expect("lake> ")
	s.typed("select 'a' || chr(27) || '[2J' as hostile,\r", "  ...> ")
	s.typed("41 + 1 as n;\r", " a�[2J    42 ")
	s.typed("select repeat('wide ', 100) as w;\r", "wi… ")
	s.typed(".mode records\r", "lake> ")
	s.typed("select 7 as x;\r", "x  7\n")
	s.typed(".mode table\r", "lake> ")
	s.typed("select captioner, nope\rfrom leaderboard;\r",
		"LINE 1: select captioner, nope\n                          ^\n")
	s.typed("select 'n=' || count(*) as n from leaderb\t where false;\r", " n=0 ")
	s.typed(".tables leaderb\t\r", "key: board_id, captioner")
	s.typed(".tables versu\r", "versus")
	s.typed(".read "+filepath.Join(state, "query.sql")+"\r", "   6 ")
	s.typed(".mode csv\r", "lake> ")
	s.typed(".output "+filepath.Join(state, "rows.csv")+"\r", "lake> ")
	s.typed("select 5 as five;\r", "1 rows in")
	s.typed(".output\r", "lake> ")
	s.typed(".mode table\r", "lake> ")
	s.typed("select count(*) from range(1000000000) a, range(1000000000) b;\r", "\n")
	time.Sleep(300 * time.Millisecond) // The statement is under way; pressed before, Ctrl-C would belong to the line.
	s.typed("\x03", "interrupted")
	s.typed("select 'still ' || 'there' as x;\r", "still there")
	s.typed("show -- what's here, with '--'\rtables;\r", "rows in")
	s.typed("\x04", "")
	must.Succeed(t, s.ends())

	expect.Equal(t, string(must.Read(t, filepath.Join(state, "rows.csv"))), "five\n5\n")
	kept := filepath.Join(state, "captionlake", "sql_history")
	expect.Equal(t, must.Get(os.Stat(kept))(t).Mode().Perm(), 0o600)
	s = start("--lake", lake, "sql")
	s.expect("lake> ")
	s.typed("\x1b[A", "show  tables;")
	s.typed("\x03", "lake> ")
	s.typed(".quit\r", "")
	must.Succeed(t, s.ends())

	s = start("--lake", lake, "sql", "--format", "csv", "select chr(27) || '[2J' || chr(8238) as hostile")
	s.expect("hostile\n�[2J�\n")
	must.Succeed(t, s.ends())

	for _, form := range []string{"parquet", "arrow"} {
		s = start("--lake", lake, "sql", "--format", form, "select 1")
		s.expect("Error: the format " +
			form + " is bytes that a terminal cannot show\nTry: write it to a file: --out result." + form)
		expect.Failure(t, s.ends())
	}
}
