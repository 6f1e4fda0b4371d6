package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
)

// The commands of the example project's walkthrough, as they are printed, lead to a leaderboard.
// Commands that compute all results run only with the slow tests.
func TestFirstPictures(t *testing.T) {
	document := filepath.Join("cmd", "captionlake", "example", "README.md")
	commands := documentedCommands(t, document, "# Your first twenty pictures")
	must.Equal(t, len(commands), 13, commands)
	server := imagining(t)
	t.Chdir(t.TempDir())
	command(t, "init", "--example")
	exits(t, exitFailure, "init", "--example") // It does not write over what is there.
	t.Chdir(exampleFolder)
	readdress(t, server)
	slow, late := os.Getenv("CAPTIONLAKE_SLOW") != "", false
	said := map[string]string{}
	for _, args := range commands {
		if late = late || args[0] == "analyze"; late && !slow {
			break
		}
		out := command(t, args...)
		if strings.Contains(out, "Note: ") && strings.Contains(out, " ids of ") {
			t.Errorf("captionlake %s finds ids that do not meet:\n%s", strings.Join(args, " "), out)
		}
		said[args[0]] += out
	}
	if !slow {
		out := command(t, "sql", "--format", "csv",
			`select captioner, count(distinct image_id) as images, avg(score) > 0.3 as sound from answers
				where protocol = 'captionqa/upstream' group by all order by captioner`)
		expect.Equal(t, out,
			"captioner,images,sound\nmy-model,20,true\n"+
				"rehearsal-captioner-large,20,true\nrehearsal-captioner-small,20,true\n")
		return
	}
	expect.Contains(t, said["sql"], "my-model", "rehearsal-captioner-large", "simulated")
	if !slices.ContainsFunc(strings.Split(said["compare"], "\n"), func(line string) bool {
		return strings.HasPrefix(strings.TrimSpace(line), "Photos") && strings.Contains(line, " ± ")
	}) {
		t.Errorf("compare printed\n%s", said["compare"])
	}
}
