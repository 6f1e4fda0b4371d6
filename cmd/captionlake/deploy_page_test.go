package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
	rehearsalserver "github.com/captionlake/captionlake/stages/rehearsal/server"
)

// The commands of the page about one MI300X, run in a shell as they are printed, lead from an empty
// folder to the leaderboard. An imitation of Docker starts the rehearsal server under the name of
// the model that the profile serves, and refuses a command without a profile in compose.yaml. An
// imitation of hf downloads the sample set instead of the bank. After init the test changes only
// the server's address in the configuration.
func TestFirstLeaderboard(t *testing.T) {
	must.Slow(t)
	page := filepath.Join("stages", "deploy", "README.md")
	var script strings.Builder
	script.WriteString("set -euo pipefail\n")
	for _, heading := range []string{"## 1. The bank", "## 2. The models", "## 3. Captions", "## 4. Answers",
		"## 5. The leaderboard"} {
		fmt.Fprintf(&script, "echo '%s'\n", heading)
		for _, block := range codeBlocks(t, page, heading, "sh") {
			script.WriteString(block)
		}
	}
	dir := t.TempDir()
	serving := filepath.Join(dir, "serving")
	known := rehearsalserver.New(rehearsalserver.Options{World: knownPictures(t)})
	models := map[string]*httptest.Server{
		"captioner": named(t, known, map[string]string{"Qwen/Qwen2.5-VL-7B-Instruct": "rehearsal/captioner-large"}),
		"reader":    named(t, known, map[string]string{"Qwen/Qwen2.5-72B-Instruct": "rehearsal/reader-careful"}),
	}
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		profile, err := os.ReadFile(serving)
		if err != nil {
			http.Error(w, "nothing is served", http.StatusBadGateway)
			return
		}
		models[strings.TrimSpace(string(profile))].Config.Handler.ServeHTTP(w, r)
	}))
	t.Cleanup(server.Close)

	bank := filepath.Join(dir, "bank")
	command(t, "--lake", demoLake(t), "bank", "export", "--domain", "Natural,Document,E-commerce,Embodied AI",
		"--out", bank)

	compose := must.Get(filepath.Abs(filepath.Join("..", "..", "stages", "deploy", "compose.yaml")))(t)
	bin := filepath.Join(dir, "bin")
	must.Succeed(t, os.Mkdir(bin, 0o777))
	for name, text := range map[string]string{
		"captionlake": program(t) + ` "$@" || exit; [ "$1" != init ] || sed -i 's#http://127.0.0.1:8000#` +
			server.URL + `#' captionlake.yaml`,
		"docker": `[ "$1 $2" = "compose --profile" ] && grep -q "profiles: \[$3\]" ` + compose + ` || exit 2
			case "$4 $5 $6" in "up -d --wait") echo "$3" > ` + serving + `;; "stop  ") rm ` + serving + `;; *) exit 2;; esac`,
		"hf": `case "$*" in
			download\ Borise/CaptionQA\ --repo-type\ dataset\ --include\ data/\*.parquet\ --local-dir\ captionqa)
				mkdir captionqa; mkdir captionqa/data; cp ` + bank + `/*.parquet captionqa/data/all-00000-of-00001.parquet;;
			download\ Qwen/*) mkdir -p "$HF_HOME/hub";;
			*) exit 2;; esac`,
	} {
		must.Succeed(t, os.WriteFile(filepath.Join(bin, name), []byte("#!/bin/sh\n"+text+"\n"), 0o777))
	}
	home := filepath.Join(dir, "first")
	must.Succeed(t, os.Mkdir(home, 0o777))
	cmd := exec.CommandContext(t.Context(), "bash", "-c", script.String())
	cmd.Dir = home
	cmd.Env = append(os.Environ(), "PATH="+bin+string(os.PathListSeparator)+os.Getenv("PATH"))
	_, board, _ := strings.Cut(said(t, cmd), "## 5. The leaderboard")
	t.Chdir(home)
	got := command(t, "sql", "--format", "csv",
		`select captioner, reader, count(distinct image_id) as images, avg(score) > 0.4 as sound from answers
			where protocol = 'captionqa/upstream' group by all`)
	expect.Equal(t, got, "captioner,reader,images,sound\nqwen2.5-vl-7b,qwen2.5-72b,25,true\n")
	expect.Contains(t, board, "Qwen2.5-VL 7B", "GPT-5")
	must.Get(os.Stat(filepath.Join("lake", "report")))(t)
}
