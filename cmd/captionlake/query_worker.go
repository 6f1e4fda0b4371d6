package main

import (
	"context"
	"errors"
	"io"
	"os"
	"os/exec"
	"runtime"

	"github.com/spf13/cobra"

	"github.com/captionlake/captionlake/analytics"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/stages/web/query"
)

// Bounds of a process that answers queries of a browser.
const (
	workerMemory = "512MB" // that DuckDB may use before it spills
	workerSpill  = "2GB"   // that it may spill to disk
	workerData   = 2 << 30 // bytes of memory of the whole process, where the system can hold it to that
)

const queryWorkerName = "query-worker"

// queryWorkerCommand is the process in which serve runs queries. It is not for people.
func (a *app) queryWorkerCommand() *cobra.Command {
	return &cobra.Command{
		Use:    queryWorkerName,
		Short:  "Answer queries that another process of captionlake sends",
		Hidden: true,
		Args:   cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) (err error) {
			if err := limitMemory(workerData); err != nil {
				return err
			}
			lake, err := data.Open(a.lakeDir)
			if err != nil {
				return err
			}
			session, err := analytics.OpenSession(cmd.Context(), lake, workerEngine(), false)
			if err != nil {
				return err
			}
			defer func() { err = errors.Join(err, session.Close()) }()
			return query.Work(cmd.Context(), a.stdin, a.stdout, func(ctx context.Context, r query.Request, out io.Writer) (query.Reply, error) {
				report, err := session.Query(ctx, r.Query, analytics.QueryOptions{Format: r.Format, TablesOnly: true, MaxRows: r.Rows}, out)
				return query.Reply{Rows: report.Rows, More: report.More}, err
			})
		},
	}
}

func workerEngine() analytics.EngineOptions {
	return analytics.EngineOptions{MemoryLimit: workerMemory, SpillLimit: workerSpill, Threads: max(1, runtime.NumCPU()/2)}
}

// startQueryWorker is the command of such a process, of this program. What it says goes nowhere: its replies say all that is to be said.
func (a *app) startQueryWorker(program string) func(folder string) *exec.Cmd {
	return func(folder string) *exec.Cmd {
		c := exec.Command(program, "--lake", a.lakeDir, queryWorkerName)
		c.Env = append(os.Environ(), "TMPDIR="+folder)
		return c
	}
}
