package stages

import (
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/gaps"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/engine"
)

// constructTrack is the name of the stages that make a bank of questions, from the generators to
// the routes (CaptionQA section 4).
const constructTrack = "construct"

// ofConstruct adds a stage to the track: its stages share a section, and domains narrow all of
// them.
func ofConstruct(s engine.Stage) engine.Stage {
	s.Flags, s.Section, s.Track, s.Named = []string{"domain"}, "construct", constructTrack, true
	return s
}

// ofDomain is the domain of a row.
type ofDomain struct {
	Domain string `parquet:"domain"`
}

// madeDomains are the domains to make questions for: the chosen ones, or all domains with pictures
// and a taxonomy.
func madeDomains(s *engine.Scope) ([]string, error) {
	collect := func(rows iter.Seq2[ofDomain, error]) (domains []string, err error) {
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
	described, err := collect(data.Project[ofDomain](s.Lake, data.Taxonomy, nil))
	if err != nil {
		return nil, err
	}
	pictured, err := collect(data.Project[ofDomain](s.Lake, data.Images, nil))
	if err != nil {
		return nil, err
	}
	if len(s.Choice.Domains) == 0 {
		both := slices.DeleteFunc(described, func(d string) bool { return !slices.Contains(pictured, d) })
		if len(both) == 0 {
			return nil, data.WithHint(fmt.Errorf("%w: no domain has both pictures and a taxonomy",
				engine.ErrNothingToAsk),
				"load them with: captionlake ingest FOLDER --domain NAME, and captionlake ingest --as taxonomy --domain NAME FILE")
		}
		return both, nil
	}
	var chosen []string
	for _, name := range s.Choice.Domains {
		is := func(d string) bool { return strings.EqualFold(d, name) }
		i := slices.IndexFunc(described, is)
		if i < 0 {
			return nil, data.WithHint(fmt.Errorf("the domain %q has no taxonomy; these have one: %s", name,
				strings.Join(described, ", ")),
				"load it with: captionlake ingest --as taxonomy --domain %q FILE", name)
		}
		if !slices.ContainsFunc(pictured, is) {
			return nil, data.WithHint(fmt.Errorf("the domain %q has no pictures", name),
				"load them with: captionlake ingest --domain %q FOLDER", name)
		}
		if !slices.Contains(chosen, described[i]) {
			chosen = append(chosen, described[i])
		}
	}
	return chosen, nil
}

// constructModel is a model of the section construct. A missing model is an error.
func constructModel(s *engine.Scope, key, name string) (config.Model, error) {
	if name == "" {
		return config.Model{}, data.WithHint(fmt.Errorf("%w: no %s is configured", engine.ErrNothingToAsk, key),
			"name one as construct.%s in %s", key, config.File)
	}
	return s.Config.Model(name)
}

func oneModel(s *engine.Scope, key, name string) ([]config.Model, error) {
	m, err := constructModel(s, key, name)
	return []config.Model{m}, err
}

// formedCandidates selects the candidates that can be asked. Candidates about a node that is no
// longer in the taxonomy are left out.
const formedCandidates = `
	from candidates as c
	inner join construct_states as s using (candidate_id)
	where s.in_taxonomy and s.state <> 'malformed'`

// sightedCandidates selects formed candidates that no reader guesses without the picture, once the
// configured reader ($2) has made all its trials ($3).
const sightedCandidates = formedCandidates + ` and s.state not in ('not_tried', 'known') and $3 = (
		select count(*) from blind_trials as b where b.candidate_id = c.candidate_id and b.reader = $2 and b.trial < $3)`

// distinctCandidates selects sighted candidates that represent their groups of duplicates.
const distinctCandidates = sightedCandidates + ` and s.state = 'distinct'`

// candidates gives the chosen candidates of a domain, ordered by image.
func candidates(s *engine.Scope, chosen, domain string) iter.Seq2[data.Candidate, error] {
	return func(yield func(data.Candidate, error) bool) {
		args := []any{domain}
		if chosen != formedCandidates {
			reader, err := constructModel(s, "reader", s.Config.Construct.Reader)
			if err != nil {
				yield(data.Candidate{}, err)
				return
			}
			args = append(args, reader.ID, s.Config.Construct.Trials)
		}
		data.Query[data.Candidate](s.Lake,
			"select c.* exclude (unit)"+chosen+" and c.domain = $1 order by c.image_id, c.candidate_id", args...)(yield)
	}
}

// unitsOfDomains lists the units of each domain to make questions for. Rows from simulated
// candidates are simulated. gone is the note about candidates that are left out.
func unitsOfDomains(s *engine.Scope,
	of func(domain string, simulated bool, gone string) []engine.AnyUnit) ([]engine.AnyUnit, error) {
	domains, err := madeDomains(s)
	if err != nil {
		return nil, err
	}
	type origin struct {
		Domain     string `parquet:"domain"`
		Provenance string `parquet:"provenance"`
	}
	simulated := map[string]bool{}
	for c, err := range data.Project[origin](s.Lake, data.Candidates,
		data.Where{"provenance": data.ProvenanceSimulated}) {
		if err != nil {
			return nil, err
		}
		simulated[c.Domain] = true
	}
	gone, err := gaps.Gone(s.Lake)
	if err != nil {
		return nil, err
	}
	var units []engine.AnyUnit
	for _, domain := range domains {
		elsewhere := func(n gaps.GoneNode) bool { return n.Domain != domain }
		note := gaps.GoneText(slices.DeleteFunc(slices.Clone(gone), elsewhere))
		units = append(units, of(domain, simulated[domain], note)...)
	}
	return units, nil
}
