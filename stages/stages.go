// Package stages is the list of stages: what is asked of language models, and what becomes of their replies. A stage is one
// declared value in a file of its own; package engine carries it out.
//
// It must not know of foreign file formats, SQL or drawings, nor how requests are sent, recorded, repeated or resumed. No
// stage calls another: the lake is what they share.
package stages

import (
	"iter"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/engine"
)

// All lists the stages in the order in which a run carries them out. To add a stage: one file, one line here.
func All() []engine.Stage {
	return []engine.Stage{
		captionStage,
		answerStage,
		judgeStage,
		askStage,
	}
}

// Names lists the names of the stages.
func Names() []string {
	var names []string
	for _, s := range All() {
		names = append(names, s.Name)
	}
	return names
}

// New prepares a run of the stages as a configuration and a choice want it. A run carries the chosen stages out one after
// the other: the captions are made before the questions about them are asked, since only then the lake has them.
func New(l *data.Lake, c *config.Config, o config.Choice) *engine.Runner {
	return engine.New(l, All(), c, o)
}

// conditions joins the parts of a unit's name; empty ones are left out.
func conditions(parts ...string) string {
	var kept []string
	for _, p := range parts {
		if p != "" {
			kept = append(kept, p)
		}
	}
	return strings.Join(kept, " ")
}

// counted is the number of a unit's items, where reading them costs little beside asking about them.
func counted[I any](items func(*engine.Scope) iter.Seq2[I, error]) func(*engine.Scope) (int, error) {
	return func(s *engine.Scope) (n int, err error) {
		for _, err := range items(s) {
			if err != nil {
				return 0, err
			}
			n++
		}
		return n, nil
	}
}
