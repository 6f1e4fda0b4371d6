package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/sample"
	"github.com/captionlake/captionlake/stages/config"
	rehearsalserver "github.com/captionlake/captionlake/stages/rehearsal/server"
)

// readmeCommands are the commands of the first code block below a heading of the README.
func readmeCommands(t *testing.T, heading string) [][]string {
	t.Helper()
	content, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	_, below, found := strings.Cut(string(content), heading+"\n")
	_, block, opened := strings.Cut(below, "```sh\n")
	block, _, closed := strings.Cut(block, "```")
	if !found || !opened || !closed {
		t.Fatalf("the README has no commands under %q", heading)
	}
	var commands [][]string
	for line := range strings.Lines(block) {
		if args := strings.Fields(line); len(args) > 0 && args[0] == "captionlake" {
			commands = append(commands, args[1:])
		}
	}
	return commands
}

// sampleFiles writes the sample set as a user's own benchmark would come: a bank and a folder of pictures.
func sampleFiles(t *testing.T, dir string) (bank, pictures string) {
	t.Helper()
	items, err := sample.Images()
	if err != nil {
		t.Fatal(err)
	}
	type question struct {
		Question string   `json:"question"`
		Choices  []string `json:"choices"`
		Answer   string   `json:"answer"`
		Category string   `json:"category"`
	}
	questions := map[string][]question{}
	bank, pictures = filepath.Join(dir, "bank.json"), filepath.Join(dir, "pictures")
	if err := os.Mkdir(pictures, 0o777); err != nil {
		t.Fatal(err)
	}
	for _, item := range items {
		for _, q := range item.QuestionRows() {
			questions[q.ImageID] = append(questions[q.ImageID], question{q.Question, q.Options, q.Options[q.AnswerIndex], q.Category})
			if err := os.WriteFile(filepath.Join(pictures, q.ImageID+".png"), item.Frames[0].PNG, 0o666); err != nil {
				t.Fatal(err)
			}
		}
	}
	content, err := json.Marshal(questions)
	if err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(bank, content, 0o666); err != nil {
		t.Fatal(err)
	}
	return bank, pictures
}

// named serves rehearsal models under the names of others.
func named(t *testing.T, next http.Handler, names map[string]string) *httptest.Server {
	t.Helper()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/v1/models" {
			var list []string
			for name := range names {
				list = append(list, fmt.Sprintf(`{"id":%q}`, name))
			}
			fmt.Fprintf(w, `{"data":[%s]}`, strings.Join(list, ","))
			return
		}
		body, err := io.ReadAll(r.Body)
		if err != nil {
			t.Error(err)
		}
		for name, of := range names {
			body = bytes.Replace(body, []byte(`"model":"`+name+`"`), []byte(`"model":"`+of+`"`), 1)
		}
		r.Body, r.ContentLength = io.NopCloser(bytes.NewReader(body)), int64(len(body))
		reply := httptest.NewRecorder()
		next.ServeHTTP(reply, r)
		said := reply.Body.Bytes()
		for name, of := range names { // a reply from another model than was asked is refused
			said = bytes.ReplaceAll(said, []byte(`"model":"`+of+`"`), []byte(`"model":"`+name+`"`))
		}
		for key, values := range reply.Header() {
			if key != "Content-Length" {
				w.Header()[key] = values
			}
		}
		w.WriteHeader(reply.Code)
		if _, err := w.Write(said); err != nil {
			t.Log(err) // the client has gone
		}
	}))
	t.Cleanup(server.Close)
	return server
}

// The commands that the README gives a user with one GPU score a captioner, as they stand and with the configuration that
// init writes, whose only change is the server's address.
func TestReadmeScoresACaptioner(t *testing.T) {
	dir := t.TempDir()
	bank, pictures := sampleFiles(t, dir)
	commands := readmeCommands(t, "### Score a captioner on one MI300X")
	if len(commands) != 3 {
		t.Fatalf("%d commands: %v", len(commands), commands)
	}
	t.Chdir(dir)
	exits(t, exitOK, "init")
	exits(t, exitOK, "ingest", bank, pictures)

	world := knownPictures(t)
	server := named(t, rehearsalserver.New(rehearsalserver.Options{World: world}), map[string]string{
		"Qwen/Qwen2.5-VL-7B-Instruct": "stub/captioner-large", "Qwen/Qwen2.5-72B-Instruct": "stub/reader-careful",
	})
	content, err := os.ReadFile(config.File)
	if err != nil {
		t.Fatal(err)
	}
	const address = "http://127.0.0.1:8000/v1"
	if bytes.Count(content, []byte(address)) != 1 {
		t.Fatalf("the configuration does not have the address %s once", address)
	}
	content = bytes.Replace(content, []byte(address), []byte(server.URL+"/v1"), 1)
	if err := os.WriteFile(config.File, content, 0o666); err != nil {
		t.Fatal(err)
	}
	exits(t, exitOK, "doctor")
	for _, args := range commands {
		exits(t, exitOK, args...)
	}
	out, _ := exits(t, exitOK, "sql", "--format", "csv",
		"select model_id, reader, n_questions > 0 as asked, overall > 40 as sound from captionqa_main where provenance = 'measured' and protocol = 'captionqa/upstream'")
	if want := "model_id,reader,asked,sound\nqwen2.5-vl-7b,qwen2.5-72b,true,true\n"; out != want {
		t.Errorf("got\n%swant\n%s", out, want)
	}
}

// knownPictures is what rehearsal captioners need to know of the sample set.
func knownPictures(t *testing.T) *rehearsalserver.World {
	t.Helper()
	items, err := sample.Images()
	if err != nil {
		t.Fatal(err)
	}
	var rows []data.Image
	for _, item := range items {
		images, err := item.Rows(func(string, int) string { return "" })
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, images...)
	}
	world, err := rehearsalserver.NewWorld(rows)
	if err != nil {
		t.Fatal(err)
	}
	return world
}
