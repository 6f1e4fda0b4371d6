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

// ofConstruct adds a stage to the track: the stages of the track share a section of the
// configuration, and the flag --domain narrows each stage.
func ofConstruct(s engine.Stage) engine.Stage {
	s.Flags, s.Section, s.Track, s.Named = []string{"domain"}, "construct", constructTrack, true
	return s
}

// A domain is a domain to make questions for. If some of its candidates are simulated, all rows
// that are made of its candidates are marked as simulated.
type domain struct {
	Name      string `parquet:"domain"`
	Pictured  bool   `parquet:"pictured"`
	Simulated bool   `parquet:"simulated"` // the domain has simulated candidates
	gone      string // note to the user about candidates that are left out; may be empty
}

// domains are the domains to make questions for: the chosen ones, or all domains with pictures and
// a taxonomy.
func domains(s *engine.Scope) (chosen []domain, err error) {
	withTaxonomy, err := data.QueryAll[domain](s.Lake, `
		select domain, domain in (select domain from images) as pictured,
			domain in (select domain from candidates where provenance = 'simulated') as simulated
		from taxonomy group by domain order by domain`)
	if err != nil {
		return nil, err
	}
	if len(s.Choice.Domains) == 0 {
		chosen = slices.DeleteFunc(withTaxonomy, func(d domain) bool { return !d.Pictured })
		if len(chosen) == 0 {
			return nil, data.Errorf("load them with: captionlake ingest FOLDER --domain NAME, "+
				"and captionlake ingest --as taxonomy --domain NAME FILE",
				"%w: no domain has both pictures and a taxonomy", engine.ErrNothingToAsk)
		}
		return chosen, nil
	}
	for _, name := range s.Choice.Domains {
		i := slices.IndexFunc(withTaxonomy, func(d domain) bool { return strings.EqualFold(d.Name, name) })
		if i < 0 {
			return nil, data.WithHint(fmt.Errorf("the domain %q has no taxonomy; these have one: %s", name,
				strings.Join(namesOf(withTaxonomy), ", ")),
				"load it with: captionlake ingest --as taxonomy --domain %q FILE", name)
		}
		d := withTaxonomy[i]
		if !d.Pictured {
			return nil, data.WithHint(fmt.Errorf("the domain %q has no pictures", name),
				"load them with: captionlake ingest --domain %q FOLDER", name)
		}
		if !slices.Contains(chosen, d) { // A domain may be named twice, also in another letter case.
			chosen = append(chosen, d)
		}
	}
	return chosen, nil
}

func namesOf(domains []domain) (names []string) {
	for _, d := range domains {
		names = append(names, d.Name)
	}
	return names
}

// readerOf is the model of the blind test.
func readerOf(s *engine.Scope) ([]config.Model, error) {
	return modelsOf(s, []string{s.Config.Construct.Reader}, 1,
		nothing("no reader is configured", "name one as construct.reader"))
}

// embedderOf is the model that encodes candidates.
func embedderOf(s *engine.Scope) ([]config.Model, error) {
	return modelsOf(s, []string{s.Config.Construct.Embedder}, 1,
		nothing("no embedder is configured", "name one as construct.embedder"))
}

// formedCandidates selects the well-formed candidates about nodes that are in the taxonomy.
const formedCandidates = `
	from candidates as c
	inner join construct_states as s using (candidate_id)
	where s.in_taxonomy and s.state <> 'malformed'`

// sightedCandidates selects formed candidates that no reader guesses without the picture, once the
// configured reader ($2) has made all its trials ($3). Units with these candidates depend on more
// than tables, namely on this reader and number of trials, so their Reads are nil.
const sightedCandidates = formedCandidates + ` and s.state not in ('not_tried', 'known') and $3 = (
		select count(*) from blind_trials as b where b.candidate_id = c.candidate_id and b.reader = $2 and b.trial < $3)`

// distinctCandidates selects sighted candidates that represent their groups of duplicates.
const distinctCandidates = sightedCandidates + ` and s.state = 'distinct'`

// candidates gives the candidates of a domain that a selection has, ordered by image and node.
// selection is formedCandidates, sightedCandidates or distinctCandidates.
func candidates(s *engine.Scope, selection, domain string) iter.Seq2[data.Candidate, error] {
	return func(yield func(data.Candidate, error) bool) {
		args := []any{domain}
		if selection != formedCandidates { // Only formedCandidates does not name $2 and $3.
			reader, err := readerOf(s)
			if err != nil {
				yield(data.Candidate{}, err)
				return
			}
			args = append(args, reader[0].ID, s.Config.Construct.Trials)
		}
		data.Query[data.Candidate](s.Lake,
			"select c.* exclude (unit)"+selection+" and c.domain = $1 "+
				"order by c.image_id, c.category, c.subcategory, c.aspect, c.candidate_id", args...)(yield)
	}
}

// addUnits calls add for each domain to make questions for.
func addUnits(s *engine.Scope, add func(domain)) error {
	all, err := domains(s)
	if err != nil {
		return err
	}
	gone, err := gaps.Gone(s.Lake)
	if err != nil {
		return err
	}
	for _, d := range all {
		elsewhere := func(n gaps.GoneNode) bool { return n.Domain != d.Name }
		d.gone = gaps.GoneText(slices.DeleteFunc(slices.Clone(gone), elsewhere))
		add(d)
	}
	return nil
}

// unitsOf makes the function Units of a stage: it adds a unit for each domain and for each of the
// models.
func unitsOf(models func(*engine.Scope) ([]config.Model, error),
	unit func(config.Construct, domain, config.Model) engine.AnyUnit) func(*engine.Scope) error {
	return func(s *engine.Scope) error {
		asked, err := models(s)
		if err != nil {
			return err
		}
		return addUnits(s, func(d domain) {
			for _, m := range asked {
				s.Add(unit(s.Config.Construct, d, m))
				d.gone = "" // One note is enough: it is about the candidates of all models.
			}
		})
	}
}
