package stages

import (
	"crypto/sha256"
	"fmt"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/construct"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/engine"
	"github.com/captionlake/captionlake/stages/llm"
)

// generateStage asks generators for questions about every picture and every node of its domain's
// taxonomy (CaptionQA section 4.3.1).
var generateStage = ofConstruct(engine.Stage{
	Name: "generate",
	Help: "ask generators for questions about every picture and every node of its domain's taxonomy, " +
		"and sort out malformed ones",
	Asks: func(c *config.Config) ([]string, int) { return c.Construct.Generators, c.Construct.MaxTokens },
	Check: func(k *config.Check) {
		c := k.Config.Construct
		k.Served("construct.generators", "generator", c.Generators)
		k.Served("construct.validators", "validator", c.Validators)
		for key, name := range map[string]string{"reader": c.Reader, "embedder": c.Embedder} {
			if name != "" {
				k.ServedOne("construct."+key, name)
			}
		}
		k.One("construct.level", c.Level, config.LevelSubcategory, config.LevelAspect)
		k.Whole("construct.max_tokens", 1)
		k.Whole("construct.attempts", 1)
		k.Whole("construct.trials", 1)
		k.Whole("construct.seed", 0)
		k.Between("construct.similarity", 0.01, 1)
		k.Between("construct.cohesion", 0, 1)
	},
	Units: unitsOf(func(s *engine.Scope) ([]config.Model, error) {
		return modelsOf(s, s.Config.Construct.Generators, 1,
			nothing("no generator is configured", "name generators as construct.generators"))
	}, func(c config.Construct, d domain, generator config.Model) engine.AnyUnit {
		return generateUnit{d.Name, generator, c.Level, c.MaxTokens, c.Attempts}.unit(d.gone)
	}),
})

// A generateUnit is the set of requests to one generator about one domain.
type generateUnit struct {
	Domain    string
	Generator config.Model
	Level     string
	MaxTokens int
	Attempts  int
}

// A nodeItem is a picture with the node to ask about.
type nodeItem struct {
	imageItem
	node construct.Node
}

func (j generateUnit) unit(note string) *engine.Unit[nodeItem] {
	return &engine.Unit[nodeItem]{
		Conditions: engine.Conditions{
			Name: conditions(j.Domain, j.Generator.ID), Model: j.Generator, Protocol: construct.ProtocolGenerate,
			Source: "images, taxonomy", Attempts: j.Attempts, Note: note,
		},
		Inputs: engine.Inputs{Settings: j, Reads: []data.AnyTable{data.Images, data.Taxonomy}},
		Items:  j.items,
		Request: func(i nodeItem) (llm.Request, error) {
			return llm.Request{
				Messages: []llm.Message{llm.System(construct.GenerateSystem),
					llm.User(construct.GenerateUser(i.node), i.pictures...)},
				Sampling: llm.Greedy(j.MaxTokens), Schema: construct.GenerateSchema,
			}, nil
		},
		Accept: func(_ nodeItem, r llm.Reply) error {
			_, err := construct.ReadDrafts(r.Text)
			return err
		},
		Rows: engine.Into("candidates", data.Candidates, j.rows),
	}
}

// items gives every picture of the domain with every node, in the taxonomy's order.
func (j generateUnit) items(s *engine.Scope, each engine.Each[nodeItem]) error {
	level := int32(2) // subcategories
	if j.Level == config.LevelAspect {
		level = 3
	}
	nodes, err := data.QueryAll[data.TaxonomyNode](s.Lake,
		"select * exclude (unit) from taxonomy where domain = $1 and level = $2 order by ordinal", j.Domain, level)
	if err != nil {
		return err
	}
	if len(nodes) == 0 {
		return data.WithHint(fmt.Errorf("the taxonomy of %q has no node at the level %s", j.Domain, j.Level),
			"choose another construct.level in %s", config.File)
	}
	items, err := depictions(s.Lake) // no items if err is not nil
	for _, d := range items {
		if d.domain != j.Domain {
			continue
		}
		for _, n := range nodes {
			node := construct.Node{Domain: n.Domain, Category: n.Category, Subcategory: n.Subcategory, Aspect: n.Aspect,
				Examples: strings.Join(n.Examples, "; ")}
			if err := each(nodeItem{d, node}, engine.Keys{Group: d.id,
				Subject: strings.Join([]string{d.id, n.Category, n.Subcategory, n.Aspect}, "/")}); err != nil {
				return err
			}
		}
	}
	return err
}

// rows gives the candidates of a reply. An unreadable reply gives one malformed candidate with the
// reply as its question. A failed call gives no row.
func (j generateUnit) rows(i nodeItem, o engine.Outcome) ([]data.Candidate, error) {
	if o.Failed {
		return nil, nil
	}
	drafts, unreadable := construct.ReadDrafts(o.Text)
	if unreadable != nil {
		drafts = []construct.Draft{{Question: o.Text, Options: []string{}}}
	}
	rows := make([]data.Candidate, len(drafts))
	for n, draft := range drafts {
		key := construct.KeyOf(draft.Answer, draft.Options)
		malformed := construct.Malformed(draft.Question, draft.Options, key)
		if unreadable != nil {
			key, malformed = -1, construct.Unparsed // -1: no option is right
		}
		content := append([]string{j.Generator.ID, construct.ProtocolGenerate, i.node.Category, i.node.Subcategory,
			i.node.Aspect, fmt.Sprint(n), draft.Question, draft.Answer}, draft.Options...)
		// Each text ends with a zero byte.
		digest := sha256.Sum256([]byte(strings.Join(content, "\x00") + "\x00"))
		rows[n] = data.Candidate{
			CandidateID: fmt.Sprintf("%s/%x", i.id, digest[:8]), ImageID: i.id, Domain: i.node.Domain,
			Category: i.node.Category, Subcategory: i.node.Subcategory, Aspect: i.node.Aspect,
			Generator: j.Generator.ID, Question: draft.Question, Options: draft.Options, AnswerIndex: int32(key),
			RequestHash: o.RequestHash, Provenance: o.Provenance, Protocol: construct.ProtocolGenerate,
			Ordinal: int32(n), Malformed: malformed,
		}
	}
	return rows, nil
}
