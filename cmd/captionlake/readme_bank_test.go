package main

import (
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/must"
	rehearsalserver "github.com/captionlake/captionlake/stages/rehearsal/server"
)

// imagining serves rehearsal models that imagine the pictures that they do not know, as captionlake rehearse does.
func imagining(t *testing.T) *httptest.Server {
	t.Helper()
	world := must.Get(rehearsalserver.NewWorld(nil))(t)
	must.Succeed(t, world.Imagine())
	server := httptest.NewServer(rehearsalserver.New(rehearsalserver.Options{World: world}))
	t.Cleanup(server.Close)
	return server
}

// A newcomer with twenty photos and a taxonomy comes to a leaderboard over a bank of their own by
// the commands of the document, as they are printed and with its files. The page for reviewers has a test of its own.
func TestReadmeBank(t *testing.T) {
	must.Slow(t)
	const heading = "## A bank of your own, from nothing"
	document := filepath.Join("stages", "README.md")
	files, commands := codeBlocks(t, document, heading, "yaml"), documentedCommands(t, document, heading)
	if len(files) != 2 || len(commands) != 11 {
		t.Fatalf("%d files, commands %v", len(files), commands)
	}
	t.Chdir(t.TempDir())
	n := 4
	if os.Getenv("CAPTIONLAKE_SLOW") != "" {
		n = 20
	}
	must.Succeed(t, writePhotos("photos", n))
	const address = "http://127.0.0.1:8000"
	if strings.Count(files[1], address) != 1 {
		t.Fatalf("the configuration does not have the address %s once", address)
	}
	for name, content := range map[string]string{"kitchen-taxonomy.yaml": files[0],
		"captionlake.yaml": strings.Replace(files[1], address, imagining(t).URL, 1)} {
		must.Succeed(t, os.WriteFile(name, []byte(content), 0o666))
	}
	said := map[string]string{}
	for _, args := range commands {
		// all results take most of the time
		if len(args) > 1 && args[1] == "review" || n < 20 && (args[0] == "analyze" || args[0] == "sql") {
			continue
		}
		out, _ := exits(t, exitOK, args...)
		said[strings.Join(args, " ")] = out
		t.Logf("captionlake %s\n%s", strings.Join(args, " "), out)
	}
	for command, wants := range map[string][]string{
		"run construct --domain kitchen --dry-run": {"~ rehearsal-reader-careful", "~ rehearsal-validator-b",
			"as CaptionQA section 12 has them", fmt.Sprintf("For your %d that is", n)},
		"run construct --domain kitchen":          {"generate", "blind", "embed", "deduplicate", "validate", "route"},
		"bank publish --domain kitchen --partial": {"SIMULATED questions about", "images of kitchen"},
	} {
		for _, want := range wants {
			if !strings.Contains(said[command], want) {
				t.Errorf("captionlake %s does not print %q", command, want)
			}
		}
	}
	if n == 20 {
		funnel, board := said[strings.Join(commands[len(commands)-2], " ")],
			said[strings.Join(commands[len(commands)-1], " ")]
		for _, want := range []string{"generated", "well_formed", "sighted", "distinct", "accepted"} {
			if !strings.Contains(funnel, want) {
				t.Errorf("the funnel is without %s", want)
			}
		}
		if !strings.Contains(board, "rehearsal-captioner-large") || !strings.Contains(board, "simulated") {
			t.Errorf("the leaderboard is\n%s", board)
		}
	}
	out, _ := exits(t, exitOK, "sql", "--format", "csv",
		"select count(*) > 20 as enough, count(distinct image_id) > 2 as spread, count(distinct category) as categories from questions where domain = 'kitchen'")
	if want := "enough,spread,categories\ntrue,true,3\n"; out != want {
		t.Errorf("the bank has\n%swant\n%s", out, want)
	}
}
