package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"os/exec"
	"strconv"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/captionlake/captionlake/analytics/ask"
	"github.com/captionlake/captionlake/analytics/engine"
	"github.com/captionlake/captionlake/data"
)

// Each query of the page for SQL runs in a process of its own. If a query never ends, or takes
// memory that DuckDB does not count, its process can be ended, and the server goes on.
const (
	boxCommand = "answer-for-a-page"
	boxMemory  = "200MB" // for DuckDB, unless serve --memory says otherwise
	boxThreads = 2
	boxRest    = 280 << 20 // bytes that a process takes beside the memory that DuckDB counts
)

// askBox answers a query in a process of its own, which runs boxCommand.
func (a *app) askBox(ctx context.Context, memory, text, format string, rows int64, out io.Writer) error {
	self, err := os.Executable()
	if err != nil {
		return err
	}
	written := &output{Writer: out} // remembers a failed write, which is no error of the query
	var messages bytes.Buffer
	c := exec.CommandContext(ctx, self, "--lake", a.lakeDir, boxCommand, format, strconv.FormatInt(rows, 10), memory)
	// In tests self is the test binary, which runs the command if it is called by this name.
	c.Args[0] = "captionlake"
	c.Env = append(os.Environ(), "GOMAXPROCS="+strconv.Itoa(boxThreads)) // Each thread takes memory of its own.
	c.Stdin, c.Stdout, c.Stderr = strings.NewReader(text), written, &messages
	err = c.Run()
	if err == nil || written.failed != nil {
		return written.failed
	}
	_, message, reported := strings.Cut("\n"+messages.String(), "\nError: ")
	if !reported { // The system ended the process.
		return data.Errorf("ask for less, or let it have more: captionlake serve --memory 4GB",
			"the query took more memory than it may")
	}
	message, hint, _ := strings.Cut(strings.TrimSpace(message), "\nTry: ")
	return data.Errorf(hint, "%s", message)
}

// boxCommand answers the query on standard input for the page that started it.
func (a *app) boxCommand() *cobra.Command {
	return &cobra.Command{
		Use:    boxCommand + " FORMAT ROWS MEMORY",
		Hidden: true,
		Args:   cobra.ExactArgs(3),
		RunE: func(_ *cobra.Command, args []string) error {
			rows, err := strconv.ParseInt(args[1], 10, 64)
			if err != nil {
				return err
			}
			o := ask.Options{Format: args[0], Rows: rows,
				Engine: engine.Options{MemoryLimit: args[2], Threads: boxThreads}}
			// The limit is never removed: it holds until this process ends.
			if _, err := engine.LimitMemory(o.Engine, 1, boxRest); err != nil {
				return err
			}
			go func(server int) { // If the server was killed, the query ends, too.
				for os.Getppid() == server {
					time.Sleep(time.Second)
				}
				os.Exit(exitInterrupted)
			}(os.Getppid())
			// A query that the limit cuts off is never run: ask.Query refuses much shorter queries.
			text, err := io.ReadAll(io.LimitReader(a.stdin, ask.LongestFile))
			if err != nil {
				return err
			}
			lake, err := a.readLake()
			if err != nil {
				return err
			}
			_, err = ask.Query(a.context, lake, string(text), o, a.stdout)
			return err
		},
	}
}
