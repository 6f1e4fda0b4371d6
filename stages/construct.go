package stages

import (
	"fmt"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/engine"
)

// constructTrack is the name under which a bank of questions is made, from the generators to the routes (CaptionQA section 4).
const constructTrack = "construct"

// ofConstruct makes a stage one of the track: they share its section, and all are narrowed down by domains.
func ofConstruct(s engine.Stage) engine.Stage {
	s.Flags, s.Section, s.Track, s.Named = []string{"domain"}, "construct", constructTrack, true
	return s
}

// madeDomains are the domains that questions are made for: those chosen, or all that have pictures and a taxonomy.
func madeDomains(s *engine.Scope) ([]string, error) {
	type row struct {
		Domain string `parquet:"domain"`
	}
	collect := func(rows func(yield func(row, error) bool)) (domains []string, err error) {
		for r, err := range rows {
			if err != nil {
				return nil, err
			}
			if !slices.Contains(domains, r.Domain) {
				domains = append(domains, r.Domain)
			}
		}
		slices.Sort(domains)
		return domains, nil
	}
	described, err := collect(data.Project[row](s.Lake, data.Taxonomy, nil))
	if err != nil {
		return nil, err
	}
	pictured, err := collect(data.Project[row](s.Lake, data.Images, nil))
	if err != nil {
		return nil, err
	}
	if len(s.Choice.Domains) == 0 {
		both := slices.DeleteFunc(described, func(d string) bool { return !slices.Contains(pictured, d) })
		if len(both) == 0 {
			return nil, data.WithHint(fmt.Errorf("%w: no domain has both pictures and a taxonomy", engine.ErrNothingToAsk),
				"load them with: captionlake ingest FOLDER --domain NAME, and captionlake ingest --as taxonomy --domain NAME FILE")
		}
		return both, nil
	}
	var chosen []string
	for _, name := range s.Choice.Domains {
		is := func(d string) bool { return strings.EqualFold(d, name) }
		i := slices.IndexFunc(described, is)
		if i < 0 {
			return nil, data.WithHint(fmt.Errorf("the domain %q has no taxonomy; these have one: %s", name, strings.Join(described, ", ")),
				"load it with: captionlake ingest --as taxonomy --domain %q FILE", name)
		}
		if !slices.ContainsFunc(pictured, is) {
			return nil, data.WithHint(fmt.Errorf("the domain %q has no pictures", name), "load them with: captionlake ingest --domain %q FOLDER", name)
		}
		if !slices.Contains(chosen, described[i]) {
			chosen = append(chosen, described[i])
		}
	}
	return chosen, nil
}

// constructModel is a model of the section construct, of which there must be one.
func constructModel(s *engine.Scope, key, name string) (config.Model, error) {
	if name == "" {
		return config.Model{}, data.WithHint(fmt.Errorf("%w: no %s is configured", engine.ErrNothingToAsk, key), "name one as construct.%s in %s", key, config.File)
	}
	return s.Config.Model(name)
}

func oneModel(s *engine.Scope, key, name string) ([]config.Model, error) {
	m, err := constructModel(s, key, name)
	return []config.Model{m}, err
}

// wellFormed gives the candidates of a domain that can be asked, those of an image together. Those about a node that the taxonomy
// does not have any more are left out.
func wellFormed(s *engine.Scope, domain string, each func(data.Candidate) error) error {
	nodes, err := s.Lake.Nodes()
	if err != nil {
		return err
	}
	for c, err := range data.Select(s.Lake, data.Candidates, data.Where{"domain": domain}) {
		if err == nil && c.Malformed == "" && nodes.Have(c) {
			err = each(c)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// goneNote says which candidates of a domain are left out because the taxonomy was edited; it is empty where there are none.
func goneNote(s *engine.Scope, domain string) (string, error) {
	nodes, err := s.Lake.Nodes()
	if err != nil {
		return "", err
	}
	gone, err := s.Lake.Gone(nodes, domain)
	return data.GoneText(gone), err
}

// unitsOfDomains lists the units of each domain that questions are made for. What comes of simulated candidates is simulated, and gone is
// the note about candidates that are left out.
func unitsOfDomains(s *engine.Scope, of func(domain string, simulated bool, gone string) []engine.AnyUnit) ([]engine.AnyUnit, error) {
	domains, err := madeDomains(s)
	if err != nil {
		return nil, err
	}
	var units []engine.AnyUnit
	for _, domain := range domains {
		simulated := false
		if err := wellFormed(s, domain, func(c data.Candidate) error {
			simulated = simulated || c.Provenance == data.ProvenanceSimulated
			return nil
		}); err != nil {
			return nil, err
		}
		gone, err := goneNote(s, domain)
		if err != nil {
			return nil, err
		}
		units = append(units, of(domain, simulated, gone)...)
	}
	return units, nil
}

// sighted gives the candidates of a domain that passed the blind test: all trials were made, and fewer hit the key than drop a candidate
// with so many options.
func sighted(s *engine.Scope, domain string, each func(data.Candidate) error) error {
	reader, err := constructModel(s, "reader", s.Config.Construct.Reader)
	if err != nil {
		return err
	}
	trials, hits := map[string]int{}, map[string]int{}
	type trial struct {
		CandidateID string `parquet:"candidate_id"`
		Reader      string `parquet:"reader"`
		Trial       int32  `parquet:"trial"`
		Hit         bool   `parquet:"hit"`
	}
	for t, err := range data.Project[trial](s.Lake, data.BlindTrials, data.Where{"reader": reader.ID}) {
		if err != nil {
			return err
		}
		if int(t.Trial) >= s.Config.Construct.Trials {
			continue
		}
		trials[t.CandidateID]++
		if t.Hit {
			hits[t.CandidateID]++
		}
	}
	return wellFormed(s, domain, func(c data.Candidate) error {
		if n := s.Config.Construct.Trials; trials[c.CandidateID] < n || hits[c.CandidateID] >= captionqa.BlindDropAt(len(c.Options), n) {
			return nil
		}
		return each(c)
	})
}

// representatives gives the candidates of a domain that stand for their groups of duplicates.
func representatives(s *engine.Scope, domain string, each func(data.Candidate) error) error {
	chosen := map[string]bool{}
	type member struct {
		CandidateID    string `parquet:"candidate_id"`
		Representative bool   `parquet:"representative"`
	}
	for m, err := range data.Project[member](s.Lake, data.QuestionGroups, nil) {
		if err != nil {
			return err
		}
		if m.Representative {
			chosen[m.CandidateID] = true
		}
	}
	return sighted(s, domain, func(c data.Candidate) error {
		if !chosen[c.CandidateID] {
			return nil
		}
		return each(c)
	})
}
