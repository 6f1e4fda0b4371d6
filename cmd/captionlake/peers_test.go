package main

import (
	"encoding/json"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

// The comparison with peers runs from its environment to its report, on a few requests and files.
func TestPeersScript(t *testing.T) {
	laketest.Slow(t, "installs the peers from PyPI and asks a few hundred questions")
	if _, err := exec.LookPath("taskset"); err != nil {
		t.Skip("there is no taskset")
	}
	folder := t.TempDir()
	tables := runScript(t, filepath.Join("peers", "peers.py"), "--captionlake", program(t), "--folder", folder,
		"--runs", "1", "--questions", "200", "--inspect-questions", "20", "--files", "4", "--answers", "100")
	var report struct {
		Asking map[string]json.RawMessage `json:"asking"`
		Files  map[string]json.RawMessage `json:"files"`
	}
	text := must.Read(t, filepath.Join(folder, "report.json"))
	must.Succeed(t, json.Unmarshal(text, &report))
	expect.Contains(t, tables, "\n| captionlake | ", "\n| inspect_ai | ", "\n| 400 answers in result files | ",
		"\nBoth sides gave the same figures: ")
	asking := func(name string) (a struct {
		Requests int     `json:"requests"`
		Rate     float64 `json:"requests_per_second"`
		Beyond   int     `json:"asked_beyond_the_questions"`
		After    int     `json:"asked_after_it"`
	}) {
		must.Succeed(t, json.Unmarshal(report.Asking[name], &a))
		return a
	}
	for name, requests := range map[string]int{"captionlake": 200, "aiohttp loop": 200, "inspect_ai": 20} {
		if got := asking(name); got.Requests != requests || got.Rate <= 0 {
			t.Errorf("%s: %+v", name, got)
		}
	}
	// At most the 64 requests in flight are asked again.
	expect.Between(t, asking("captionlake").Beyond, 0, 64, "after a kill")
	expect.Equal(t, asking("aiohttp loop").After, 200, "the loop kept something")
	// Four files of four domains; 13 captioners and seven dimensions.
	for name, groups := range map[string]int{"captionqa": 16, "capability": 91} {
		var of struct {
			Agree int `json:"groups_that_agree"`
		}
		must.Succeed(t, json.Unmarshal(report.Files[name], &of))
		expect.Equal(t, of.Agree, groups, name)
	}
}

// The comparison of times fails if the two programs compute different results, because their times
// then tell nothing.
func TestPeersCompareAnswers(t *testing.T) {
	t.Parallel()
	python := python3(t)
	for query, same := range map[string]bool{
		`{("m", "Simple"): [3, 0.5]}`:                          true,
		`{("m", "Simple"): [3, 0.5000001]}`:                    false,
		`{("m", "Simple"): [4, 0.5]}`:                          false,
		`{("m", "Simple"): [3, 0.5], ("n", "Long"): [3, 0.5]}`: false,
		`{}`: false,
	} {
		out, err := exec.CommandContext(t.Context(), python, "-B", "-c",
			`import sys; sys.path.insert(0, "peers"); import peers; peers.compare("x", {("m", "Simple"): [3, 0.5]}, `+
				query+`)`).CombinedOutput()
		if (err == nil) != same || strings.Contains(string(out), "Traceback") {
			t.Errorf("%s: %v\n%s", query, err, out)
		}
	}
}
