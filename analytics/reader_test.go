package analytics

import (
	"bytes"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

func openReader(t *testing.T, lake *data.Lake) *Reader {
	t.Helper()
	r, err := OpenReader(t.Context(), lake, EngineOptions{})
	must.Succeed(t, err)
	t.Cleanup(func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	})
	return r
}

// TestAnalyzedLake looks at one lake in several ways, because computing all marts takes seconds.
func TestAnalyzedLake(t *testing.T) {
	lake := sampleLake(t)
	reports, err := Analyze(t.Context(), lake, RunOptions{})
	if models, faults := Models(); err != nil || faults != nil || len(reports) != len(models) {
		t.Fatalf("%d reports of %d models: %v, %v", len(reports), len(models), err, faults)
	}
	for name, test := range map[string]func(*testing.T, *data.Lake){
		"reader": readerOfMarts, "comments": catalogComments, "catalog": catalogOpensAnywhere, "sessions": sessionsAgree,
	} {
		t.Run(name, func(t *testing.T) { test(t, lake) })
	}
}

// A reader of an analyzed lake lists the marts with the fingerprint of their run, and gives their rows typed and in the order of the file.
func readerOfMarts(t *testing.T, lake *data.Lake) {
	r := openReader(t, lake)
	marts, err := r.Marts(t.Context())
	must.Succeed(t, err)
	models, err := Models()
	must.Succeed(t, err)
	if len(marts) != len(models) {
		t.Errorf("%d marts, want %d", len(marts), len(models))
	}
	i := slices.IndexFunc(marts, func(m Mart) bool { return m.Name == "captionqa_scores" })
	if i < 0 {
		t.Fatal("captionqa_scores is not listed")
	}
	if m := marts[i]; m.Rows != 4 || len(m.Fingerprint) != 64 || m.ToolVersion != data.Version || m.What == "" || m.Source == "" || m.Inputs == "" {
		t.Errorf("captionqa_scores is listed as %+v", m)
	}
	var columns []string
	var domains []any
	err = r.Mart(t.Context(), "captionqa_scores", func(names []string) error { columns = slices.Clone(names); return nil }, func(row []any) error {
		domains = append(domains, row[slices.Index(columns, "domain")])
		if _, number := row[slices.Index(columns, "score")].(float64); !number {
			t.Errorf("the score is a %T", row[slices.Index(columns, "score")])
		}
		return nil
	})
	if err != nil || fmt.Sprint(domains) != "[Document Natural Document Natural]" {
		t.Errorf("domains %v, %v", domains, err)
	}
}

// A session can give Parquet more than once.
func TestParquetAgain(t *testing.T) {
	s, err := OpenSession(t.Context(), laketest.New(t), EngineOptions{}, false)
	must.Succeed(t, err)
	for range 2 {
		var out bytes.Buffer
		if _, err := s.Query(t.Context(), "select 1 as n", QueryOptions{Format: "parquet"}, &out); err != nil || !strings.HasPrefix(out.String(), "PAR1") {
			t.Errorf("%.10q %v", out.String(), err)
		}
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

// A session that takes its views from the lake's DuckDB file lists and answers what one does that makes them, and has all comments from the start.
func sessionsAgree(t *testing.T, lake *data.Lake) {
	var sessions [2]*Session
	for i, outside := range []bool{false, true} {
		s, err := OpenSession(t.Context(), lake, EngineOptions{}, outside)
		must.Succeed(t, err)
		t.Cleanup(func() {
			if err := s.Close(); err != nil {
				t.Error(err)
			}
		})
		sessions[i] = s
	}
	for _, query := range []string{
		"select 1 as one",
		"show tables",
		"select view_name, comment from duckdb_views() where not internal order by all",
		"select table_name, column_name, data_type, comment from duckdb_columns() where not internal order by all",
		"select function_name, parameters, comment from duckdb_functions() where not internal and function_type like '%macro' order by all",
		"select database_name, schema_name, table_name from duckdb_tables()",
		"select captioner, overall from leaderboard('Simple')",
		"select count(*) as n from counted_answers()",
		"describe answers_wide",
		"select database_name, schema_name, table_name from duckdb_tables() order by all", // once more: the first has left a file
	} {
		var got [2]string
		for i, s := range sessions {
			var out bytes.Buffer
			if _, err := s.Query(t.Context(), query, QueryOptions{Format: "csv"}, &out); err != nil {
				t.Fatalf("%s: %v", query, err)
			}
			got[i] = out.String()
			if query == "select 1 as one" && s.told == s.outside {
				t.Errorf("outside %v: views, shortcuts and comments of the DuckDB file: %v", s.outside, s.told)
			}
		}
		if diff := cmp.Diff(got[1], got[0]); diff != "" {
			t.Errorf("%s: - made here, + of the DuckDB file\n%s", query, diff)
		}
	}
}

func TestReaderRefuses(t *testing.T) {
	r := openReader(t, sampleLake(t))
	nothing := func([]string) error { return nil }
	none := func([]any) error { return nil }
	if _, err := r.Marts(t.Context()); err == nil || !strings.Contains(err.Error(), "the lake holds no marts") {
		t.Errorf("a lake that was not analyzed gives %v", err)
	}
	if err := r.Mart(t.Context(), `answers" where false; drop table "x`, nothing, none); err == nil {
		t.Error("a name that is none is taken")
	}
	stop := errors.New("stop")
	if err := r.Rows(t.Context(), "select 1", nothing, func([]any) error { return stop }); !errors.Is(err, stop) {
		t.Errorf("the error of the caller comes back as %v", err)
	}
}
