package main

import (
	"fmt"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/stages/config"
	rehearsalserver "github.com/captionlake/captionlake/stages/rehearsal/server"
)

// imagining serves rehearsal models that imagine the pictures that they do not know, as captionlake
// rehearse does.
func imagining(t *testing.T) *httptest.Server {
	t.Helper()
	world := must.Get(rehearsalserver.NewWorld(nil))(t)
	must.Succeed(t, world.Imagine())
	server := httptest.NewServer(rehearsalserver.New(rehearsalserver.Options{World: world}))
	t.Cleanup(server.Close)
	return server
}

// The document's commands and files, as they are printed, lead from twenty photos and a taxonomy to
// a leaderboard over a new bank. Another test covers the page for reviewers.
func TestReadmeBank(t *testing.T) {
	must.Slow(t)
	const heading = "## A bank of your own, from nothing"
	document := filepath.Join("stages", "README.md")
	files, commands := codeBlocks(t, document, heading, "yaml"), documentedCommands(t, document, heading)
	must.Equal(t, fmt.Sprint(len(files), len(commands)), "2 11")
	t.Chdir(t.TempDir())
	n := 4
	if os.Getenv("CAPTIONLAKE_SLOW") != "" {
		n = 20
	}
	must.Succeed(t, writePhotos("photos", n))
	must.Write(t, "kitchen-taxonomy.yaml", files[0])
	must.Write(t, config.File, files[1])
	readdress(t, imagining(t))
	said := map[string]string{}
	for _, args := range commands {
		// all results take most of the time
		if len(args) > 1 && args[1] == "review" || n < 20 && (args[0] == "analyze" || args[0] == "sql") {
			continue
		}
		said[strings.Join(args, " ")] = command(t, args...)
	}
	for command, wants := range map[string][]string{
		"run construct --domain kitchen --dry-run": {"~ rehearsal-reader-careful", "~ rehearsal-validator-b",
			"as CaptionQA section 12 has them", fmt.Sprintf("For your %d that is", n)},
		"run construct --domain kitchen":          {"generate", "blind", "embed", "deduplicate", "validate", "route"},
		"bank publish --domain kitchen --partial": {"SIMULATED questions about", "images of kitchen"},
	} {
		expect.Contains(t, said[command], wants...)
	}
	if n == 20 {
		funnel, board := said[strings.Join(commands[len(commands)-2], " ")],
			said[strings.Join(commands[len(commands)-1], " ")]
		expect.Contains(t, funnel, "generated", "well_formed", "sighted", "distinct", "accepted")
		expect.Contains(t, board, "rehearsal-captioner-large", "simulated")
	}
	out := command(t, "sql", "--format", "csv",
		`select count(*) > 20 as enough, count(distinct image_id) > 2 as spread, count(distinct category) as categories
			from questions where domain = 'kitchen'`)
	expect.Equal(t, out, "enough,spread,categories\ntrue,true,3\n", "the bank has")
}
