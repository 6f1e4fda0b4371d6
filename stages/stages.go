// Package stages is the list of stages: what is asked of language models, and what becomes of their replies. A stage is one
// declared value in a file of its own; package engine carries it out.
//
// It must not know of foreign file formats, SQL or drawings, nor how requests are sent, recorded, repeated or resumed. No
// stage calls another: the lake is what they share.
package stages

import (
	"slices"

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
		battleStage,
		metricStage,
		generateStage,
		blindStage,
		embedStage,
		deduplicateStage,
		validateStage,
		routeStage,
	}
}

// Names lists what a run can be told to do: the names of the tracks, each once, and of the stages.
func Names() []string {
	var names []string
	for _, s := range All() {
		if s.Track != "" && !slices.Contains(names, s.Track) {
			names = append(names, s.Track)
		}
		names = append(names, s.Name)
	}
	return names
}

// EndpointsOf are the endpoints of a configuration with the models that a stage, or the stages of a track, ask.
func EndpointsOf(c *config.Config, name string) []config.Endpoint {
	asked := map[string]bool{}
	for _, s := range All() {
		if s.Models == nil || s.Name != name && s.Track != name {
			continue
		}
		for _, model := range s.Models(c) {
			asked[model] = true
		}
	}
	var endpoints []config.Endpoint
	for _, e := range c.Endpoints {
		e.Models = slices.DeleteFunc(slices.Clone(e.Models), func(model string) bool { return !asked[model] })
		if len(e.Models) > 0 {
			endpoints = append(endpoints, e)
		}
	}
	return endpoints
}

// ReadConfig reads a configuration, of which each stage checks the section that is its own.
func ReadConfig(path string) (config.Config, error) { return config.Read(path, checks()...) }

func checks() []func(*config.Check) {
	var all []func(*config.Check)
	for _, s := range All() {
		if s.Check != nil {
			all = append(all, s.Check)
		}
	}
	return all
}

// New prepares a run of the stages as a configuration and a choice want it. A run carries the chosen stages out one after
// the other: the captions are made before the questions about them are asked, since only then the lake has them.
func New(l *data.Lake, c *config.Config, o config.Choice) *engine.Runner {
	return engine.New(l, All(), c, o)
}
