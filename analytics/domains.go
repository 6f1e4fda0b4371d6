package analytics

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/rubric"
)

const (
	columnMark = "{domain}" // in a line of a model: the column of the domain
	nameMark   = "{Domain}" // the name of the domain, as the contents of an SQL literal or as text of the header
)

// firstMark is the character of private use that stands for the first domain's name until the header's YAML was read: a name may hold
// what YAML would take for its own.
const firstMark = 0xE000

// domains are those for which lines are repeated: the published ones in the paper's order and then the lake's own.
func (b *builder) domains(ctx context.Context) ([]data.Domain, error) {
	if err := errors.Join(b.show(ctx, b.engine, b.tables[data.Questions.Name()]), b.show(ctx, b.engine, b.tables[data.PublishedFigures.Name()])); err != nil {
		return nil, err
	}
	_, rows, err := b.engine.strings(ctx, fmt.Sprintf(
		"select domain from questions union select domain from published where benchmark = %s", quote(data.BenchmarkCaptionQA)), 0)
	if err != nil {
		return nil, fmt.Errorf("domains: %w", err)
	}
	names, err := b.answeredDomains(ctx)
	if err != nil {
		return nil, fmt.Errorf("domains of answers: %w", err)
	}
	return data.CaptionQA().WithOwn(append(slices.Concat(rows...), names...)), nil
}

// domainsFile remembers which domains the answers of a unit have, by the digest of the unit's file. Without it, they are read again.
const domainsFile = "cache/domains.json"

// answeredDomains are the domains of the lake's answers. Only units that are not remembered are read.
func (b *builder) answeredDomains(ctx context.Context) (names []string, err error) {
	units, err := b.units(data.Answers.Name())
	if err != nil {
		return nil, err
	}
	remembered, known := map[string][]string{}, map[string][]string{}
	if content, err := os.ReadFile(b.lake.Path(domainsFile)); err == nil && json.Unmarshal(content, &remembered) != nil {
		remembered = nil
	}
	var missing []string
	for _, unit := range slices.Sorted(maps.Keys(units)) {
		if of, ok := remembered[units[unit]]; ok {
			known[units[unit]] = of
			names = append(names, of...)
		} else {
			missing = append(missing, unit)
		}
	}
	if len(missing) == 0 {
		return names, nil
	}
	if err := b.show(ctx, b.engine, b.narrowed(data.Answers.Name(), missing)); err != nil {
		return nil, err
	}
	_, rows, err := b.engine.strings(ctx, "select distinct unit, domain from answers order by all", 0)
	if err != nil {
		return nil, err
	}
	for _, unit := range missing {
		known[units[unit]] = []string{}
	}
	for _, row := range rows {
		known[units[row[0]]] = append(known[units[row[0]]], row[1])
		names = append(names, row[1])
	}
	content, err := json.Marshal(known)
	if err != nil {
		return nil, err
	}
	return names, b.lake.PutFile(domainsFile, content)
}

// repeated reads the models again for the domains of a lake when it has others than the published ones.
func repeated(models []Model, domains []data.Domain) ([]Model, error) {
	if slices.Equal(domains, data.CaptionQA().Domains) {
		return models, nil
	}
	again := make([]Model, len(models))
	for i, m := range models {
		var err error
		if again[i], err = ParseModel(m.File, m.Text, domains...); err != nil {
			return nil, err
		}
		again[i].checked = m.checked
	}
	return Order(again)
}

// domainsKey is the metadata of a mart with columns for domains: their names, as a JSON list.
const domainsKey = "captionlake.domains"

// modelsOf reads the models as the marts of a lake have them: with the columns of its own domains.
func modelsOf(lake *data.Lake) ([]Model, error) {
	models, err := Models()
	if err != nil {
		return nil, err
	}
	var names []string
	for _, m := range models {
		if m.domains == nil {
			continue
		}
		var of []string
		metadata, _ := martMetadata(lake, m.Name)
		if json.Unmarshal([]byte(metadata[domainsKey]), &of) == nil {
			names = append(names, of...)
		}
	}
	return repeated(models, data.CaptionQA().WithOwn(names))
}

// martMetadata reads what the file of a mart says of itself, and how many rows it has; nothing when there is none, or none that can be
// read.
func martMetadata(lake *data.Lake, model string) (metadata map[string]string, rows int64) {
	return fileMetadata(lake, martFile(model))
}

// publishedDomains are macros that tell the benchmark's published domains from a user's own.
func publishedDomains() string {
	domains := data.CaptionQA().DomainNames()
	return fmt.Sprintf(`
create or replace temp macro is_published_domain(domain) as domain in (%s);
create or replace temp macro n_published_domains() as %d;
`, strings.Trim(quoteList(domains), "[]"), len(domains))
}

// repeats reports whether a text has lines to repeat for each domain.
func repeats(text string) bool { return domainLines(nil).in(text) }

// A repetition says which lines are repeated: those with one of two marks, once for each item.
type repetition struct {
	column, name string // marks of the item's column and of its name
	items        []data.Domain
	private      bool // names are kept from the header's YAML
}

// domainLines are repeated for each domain, dimensionLines for each dimension of the rubric, in the order of the papers' tables.
func domainLines(domains []data.Domain) repetition {
	return repetition{columnMark, nameMark, domains, true}
}

func dimensionLines() repetition {
	r := repetition{column: "{dimension}", name: "{Dimension}"}
	for _, d := range rubric.Dimensions() {
		r.items = append(r.items, data.Domain{Name: d.ID, Column: strings.ToLower(d.ID)})
	}
	return r
}

// metricLines are repeated for each metric of the rubric.
func metricLines() repetition {
	r := repetition{column: "{rubric_metric}", name: "{Rubric_Metric}"}
	for _, m := range rubric.Metrics() {
		r.items = append(r.items, data.Domain{Name: m, Column: m})
	}
	return r
}

func (r repetition) in(text string) bool {
	return strings.Contains(text, r.column) || strings.Contains(text, r.name)
}

// lines repeats lines for each item; in the header, with the lines that are indented below them.
func (r repetition) lines(lines []string) (repeated []string) {
	header := true
	for i := 0; i < len(lines); {
		header = header && strings.HasPrefix(lines[i], "--")
		end := i + 1
		if header {
			for ; end < len(lines) && strings.HasPrefix(lines[end], "--") && indentOf(lines[end]) > indentOf(lines[i]) && indentOf(lines[i]) > 0; end++ {
			}
		}
		times := r.items
		if !r.in(strings.Join(lines[i:end], "\n")) {
			times = []data.Domain{{}}
		}
		for d, item := range times {
			for _, line := range lines[i:end] {
				name := sqlContents(item.Name)
				if header && r.private {
					name = string(rune(firstMark + d))
				}
				line = strings.ReplaceAll(line, r.column, item.Column)
				repeated = append(repeated, strings.ReplaceAll(line, r.name, name))
			}
		}
		i = end
	}
	return repeated
}

// indentOf counts the blanks after the dashes of a header line, less the first.
func indentOf(line string) int {
	text := strings.TrimPrefix(line, "-- ")
	return len(text) - len(strings.TrimLeft(text, " "))
}

// sqlContents writes a text as the contents of an SQL literal on one line.
func sqlContents(text string) string {
	text = strings.ReplaceAll(text, "'", "''")
	for _, c := range "\r\n" {
		text = strings.ReplaceAll(text, string(c), fmt.Sprintf("' || chr(%d) || '", c))
	}
	return text
}

// unmarkDomain puts the domains' names into a text of the header.
func unmarkDomain(text string, domains []data.Domain) string {
	return markForm.ReplaceAllStringFunc(text, func(mark string) string {
		if i := int([]rune(mark)[0]) - firstMark; i < len(domains) {
			return domains[i].Name
		}
		return mark
	})
}

var markForm = regexp.MustCompile(`[\x{E000}-\x{F8FF}]`)
