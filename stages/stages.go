// Package stages is the list of stages: the requests to language models, and the use of their
// replies. A stage is one declared value in its own file; package engine runs it.
//
// Package stages must not know of foreign file formats, SQL or drawings, nor how requests are sent,
// recorded, repeated or resumed. No stage calls another stage: all stages share the lake.
package stages

import (
	"slices"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/engine"
)

// All lists the stages in the order of a run. To add a stage: one file, one line here.
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

// Names lists the names that a run accepts: each track once, and all stages.
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

// Asks are the models that some stages ask, with the largest lengths of replies. name is the name
// of a stage or a track; an empty name stands for all stages.
func Asks(c *config.Config, name string) (asks []config.Ask) {
	for _, s := range All() {
		if s.Asks != nil && (name == "" || s.Name == name || s.Track == name) {
			models, maxTokens := s.Asks(c)
			asks = append(asks, config.Ask{Models: models, MaxTokens: maxTokens})
		}
	}
	return asks
}

// EndpointsOf are the endpoints of the models that some stages ask; other models are removed from
// these endpoints. name is as for Asks.
func EndpointsOf(c *config.Config, name string) []config.Endpoint {
	asks := Asks(c, name)
	var endpoints []config.Endpoint
	for _, e := range c.Endpoints {
		e.Models = slices.DeleteFunc(slices.Clone(e.Models), func(model string) bool {
			return !slices.ContainsFunc(asks, func(a config.Ask) bool { return slices.Contains(a.Models, model) })
		})
		if len(e.Models) > 0 {
			endpoints = append(endpoints, e)
		}
	}
	return endpoints
}

// ReadConfig reads a configuration. Each stage checks its own section.
func ReadConfig(path string) (config.Config, error) { return config.Read(path, check) }

// check has each stage check its own section.
func check(k *config.Check) {
	for _, s := range All() {
		if s.Check != nil {
			s.Check(k)
		}
	}
}

// New prepares a run of the stages under a configuration and a choice. The chosen stages run one
// after the other, so the lake has the captions before questions about them are asked.
func New(l *data.Lake, c *config.Config, o config.Choice) *engine.Runner {
	return engine.New(l, All(), c, o)
}
