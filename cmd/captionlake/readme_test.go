package main

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/data/sample"
	"github.com/captionlake/captionlake/stages/config"
	rehearsalserver "github.com/captionlake/captionlake/stages/rehearsal/server"
)

// documents are the Markdown files that people wrote for users: the README and the documents in the
// rooms. Generated documents, which other tests cover, and the changelog, which is about the past,
// are left out.
func documents(t *testing.T) (paths []string) {
	t.Helper()
	eachFile(t, ".md", func(path string) {
		switch filepath.Base(path) {
		case "CHANGELOG.md", "REFERENCE.md", "DICTIONARY.md":
		default:
			paths = append(paths, path)
		}
	})
	return paths
}

// codeBlocks are the contents of the code blocks of a language below a heading of a document, down
// to the next heading.
func codeBlocks(t *testing.T, path, heading, language string) []string {
	t.Helper()
	content := must.Read(t, filepath.Join("..", "..", path))
	_, below, found := strings.Cut("\n"+string(content), "\n"+heading+"\n")
	below, _, _ = strings.Cut(below, "\n## ")
	var blocks []string
	for {
		_, block, opened := strings.Cut(below, "```"+language+"\n")
		block, rest, closed := strings.Cut(block, "```")
		if !opened || !closed {
			break
		}
		blocks, below = append(blocks, block), rest
	}
	if !found || len(blocks) == 0 {
		t.Fatalf("%s has no block of %s under %q", path, language, heading)
	}
	return blocks
}

// documentedCommands are the commands of the first code block below a heading of a document.
func documentedCommands(t *testing.T, path, heading string) [][]string {
	t.Helper()
	var commands [][]string
	for line := range strings.Lines(codeBlocks(t, path, heading, "sh")[0]) {
		command, _, _ := strings.Cut(line, " #")
		if args := shellWords(command); len(args) > 0 && args[0] == "captionlake" {
			commands = append(commands, args[1:])
		}
	}
	return commands
}

// sampleFiles writes the sample set as a user's own benchmark would come: a bank and a folder of
// pictures.
func sampleFiles(t *testing.T, dir string) (bank, pictures string) {
	t.Helper()
	items := must.Get(sample.Images())(t)
	type question struct {
		Question string   `json:"question"`
		Choices  []string `json:"choices"`
		Answer   string   `json:"answer"`
		Category string   `json:"category"`
	}
	questions := map[string][]question{}
	bank, pictures = filepath.Join(dir, "bank.json"), filepath.Join(dir, "pictures")
	must.Succeed(t, os.Mkdir(pictures, 0o777))
	for _, item := range items {
		for _, q := range item.QuestionRows() {
			questions[q.ImageID] = append(questions[q.ImageID],
				question{q.Question, q.Options, q.Options[q.AnswerIndex], q.Category})
			must.Write(t, filepath.Join(pictures, q.ImageID+".png"), item.Frames[0].PNG)
		}
	}
	must.Write(t, bank, must.Get(json.Marshal(questions))(t))
	return bank, pictures
}

// named serves rehearsal models under the names of other models.
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
		passOn(w, reply, said)
	}))
	t.Cleanup(server.Close)
	return server
}

// readdress changes the server's address, and nothing else, in captionlake.yaml.
func readdress(t *testing.T, server *httptest.Server) {
	t.Helper()
	const address = "http://127.0.0.1:8000/v1"
	content := string(must.Read(t, config.File))
	must.Equal(t, strings.Count(content, address), 1, content)
	must.Write(t, config.File, strings.Replace(content, address, server.URL+"/v1", 1))
}

// walkOwnData runs the README's example of a user's own data, as it is printed, in a folder, and
// returns the example's bank. It calls check with the output of each command.
func walkOwnData(t *testing.T, check func(args []string, out string)) (bank map[string][]json.RawMessage) {
	t.Helper()
	const heading = "## Your own data in five minutes"
	files := codeBlocks(t, "README.md", heading, "json")
	commands := documentedCommands(t, "README.md", heading)
	if len(files) != 2 || len(commands) != 7 || commands[0][0] != "init" {
		t.Fatalf("%d files, commands %v", len(files), commands)
	}
	must.Succeed(t, json.Unmarshal([]byte(files[0]), &bank))
	t.Chdir(t.TempDir())
	must.Succeed(t, os.Mkdir("pictures", 0o777))
	must.Write(t, "bank.json", files[0])
	must.Write(t, "captions.json", files[1])
	r := rand.New(rand.NewPCG(15, 16))
	for _, name := range slices.Sorted(maps.Keys(bank)) {
		must.Succeed(t, writePhoto(filepath.Join("pictures", name), r))
	}
	for i, args := range commands {
		out := command(t, args...)
		if i == 0 {
			readdress(t, named(t, rehearsalserver.New(rehearsalserver.Options{World: knownPictures(t)}), map[string]string{
				"Qwen/Qwen2.5-VL-7B-Instruct": "rehearsal/captioner-large",
				"Qwen/Qwen2.5-72B-Instruct":   "rehearsal/reader-careful",
			}))
		}
		check(args, out)
	}
	return bank
}

// The README's example of a user's own data runs as it is printed: its bank, captions and commands
// give a result for its domain.
func TestReadmeOwnData(t *testing.T) {
	must.Slow(t)
	bank := walkOwnData(t, func(args []string, out string) {
		switch args[0] {
		case "report":
			expect.Contains(t, out, " tables and figures from measured, published rows in ")
		case "sql": // Each captioner once on a board, the published ones too.
			times := map[string]int{}
			for line := range strings.Lines(out) {
				if cells := regexp.MustCompile(`\s\s+`).Split(strings.TrimSpace(line), -1); len(cells) > 3 {
					times[cells[0]+": "+cells[2]]++
				}
			}
			if times["Photos: my-model"] != 1 || times["CaptionQA: Qwen2.5-VL 7B"] != 1 || len(times) < 24 ||
				slices.Max(slices.Collect(maps.Values(times))) != 1 {
				t.Errorf("%v printed\n%s", args, out)
			}
		}
	})
	questions := 0
	for _, of := range bank {
		questions += len(of)
	}
	out := command(t, "sql", "--format", "csv",
		`select captioner_name as model, domain, n_answers, provenance from captionqa_scores where level = 'domain'
			and provenance <> 'published' and protocol = 'captionqa/upstream'`)
	expect.Equal(t, out, fmt.Sprintf("model,domain,n_answers,provenance\nmy-model,Photos,%d,measured\n", questions))
	// The report has the photos, and tables and figures with the domain in their names.
	expect.Equal(t, len(must.Get(filepath.Glob("lake/report/pictures/*.[jw]*"))(t)), len(bank),
		"the report has the photos")
	for _, name := range []string{"tables/results_photos_simple_measured.md",
		"figures/category_questions_measured.svg"} {
		expect.Contains(t, string(must.Read(t, filepath.Join("lake", "report", filepath.FromSlash(name)))), "Photos")
	}
}

// knownPictures are the facts about the sample set that rehearsal captioners need.
func knownPictures(t *testing.T) *rehearsalserver.World {
	t.Helper()
	var rows []data.Image
	for _, item := range must.Get(sample.Images())(t) {
		rows = append(rows, must.Get(item.Rows())(t)...)
	}
	return must.Get(rehearsalserver.NewWorld(rows))(t)
}
