package ingest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/strictyaml"
)

// maxTaxonomyBytes bounds a taxonomy file, which is read whole. The published ones have 4 KB.
const maxTaxonomyBytes = 4 << 20

// taxonomyFormat reads the taxonomy of a domain from JSON or YAML:
//
//	{category: {subcategory: {aspect: [examples] or null} or [examples] or null} or [examples] or null}
//
// The domain follows from the options, or else from the file's name: that of a published domain, or NAME-taxonomy.yaml for any other.
//
// The four published files agree with the paper's count of 25 top-level and 69 second-level nodes (CaptionQA Table 1:
// 6/22 Natural, 6/15 Document, 7/16 E-commerce, 6/16 Embodied AI), provided that the second level is counted as it
// is: 14 of the 69 have no aspects below them (the two of Object Existence and the eight of Attribute in Natural;
// Chart Types, Legends and Types of Diagrams in Document; Product Category in E-commerce), and Tables 5 to 8 print these in one
// line with the aspects of other subcategories. Below the second level there are 165 aspects, so that 179 nodes have
// nothing below them. What differs from the printed tables is wording only: capitals, "Part-Whole Relationships" for
// "Part-whole relationships (…)", and "Spacial" in the Embodied AI file where Table 8 prints "Spatial". The file's
// spelling is kept, because generated questions carry it.
func taxonomyFormat() Format {
	return Format{
		Name:       "taxonomy",
		What:       "taxonomy of a domain as JSON or YAML: categories, subcategories, aspects, examples",
		Version:    "1",
		Provenance: data.ProvenancePublished,
		Detect:     detectTaxonomy,
		Unit:       func(s Source, o Options) (string, error) { return taxonomyDomain(s, o) },
		Load:       loadTaxonomy,
	}
}

// taxonomyDomain is the domain that a taxonomy file describes.
func taxonomyDomain(s Source, o Options) (string, error) {
	if o.Domain != "" {
		return domainName(o.Domain), nil
	}
	stem := strings.TrimSuffix(s.base(), path.Ext(s.base()))
	if domain := domainName(stem); slices.Contains(data.CaptionQA().DomainNames(), domain) {
		return domain, nil
	}
	for _, ending := range []string{"-taxonomy", "_taxonomy", ".taxonomy"} {
		if domain, found := strings.CutSuffix(stem, ending); found && domain != "" {
			return domainName(domain), nil
		}
	}
	return "", data.WithHint(fmt.Errorf("%s: the file's name does not tell which domain the taxonomy describes", s.Path),
		"name the domain with --domain, such as --domain Medical")
}

// detectTaxonomy looks at the first category: it must hold subcategories, and nothing that a taxonomy has no place for.
func detectTaxonomy(s Source, head []byte) bool {
	first := node{}
	if isYAMLName(s.base()) {
		if root, err := parseYAMLTree(head); err == nil && len(root.fields) > 0 {
			first = root.fields[0].value
		}
	} else {
		// The head may end within a later category; loading the file reports what is wrong with it.
		_ = newJSONReader(bytes.TrimPrefix(head, []byte(byteOrderMark)), func(int, int, string, ...any) {}).entries(strings.Clone, func(_ string, _ pos, category node) error {
			first = category
			return errEnough
		})
	}
	return first.kind == kindObject && len(first.fields) > 0 && plausibleTaxonomyNode(first, 1)
}

func plausibleTaxonomyNode(n node, level int) bool {
	for _, item := range n.items {
		if item.kind != kindString {
			return false
		}
	}
	for _, f := range n.fields {
		if level >= len(taxonomyLevels) || !plausibleTaxonomyNode(f.value, level+1) {
			return false
		}
	}
	return n.kind == kindNull || n.kind == kindArray || n.kind == kindObject
}

func isYAMLName(name string) bool {
	ext := strings.ToLower(path.Ext(name))
	return ext == ".yaml" || ext == ".yml"
}

func loadTaxonomy(_ context.Context, j *Job) error {
	domain, err := taxonomyDomain(j.Source, j.Options)
	if err != nil {
		return err
	}
	nodes, err := readTaxonomy(j, domain)
	if err != nil || len(j.faults.All) > 0 {
		return err
	}
	w, err := data.NewRowWriter(j.Tx, data.Taxonomy)
	if err != nil {
		return err
	}
	return w.Write(nodes...)
}

// readTaxonomy reads the nodes of a file in document order and reports its faults to the job.
func readTaxonomy(j *Job, domain string) (nodes []data.TaxonomyNode, err error) {
	content, err := j.Source.text()
	if err != nil {
		return nil, err
	}
	if !utf8.Valid(content) {
		j.Fault(0, 0, "the file is not UTF-8; save it as UTF-8")
		return nil, nil
	}
	root, err := parseTree(j, content)
	if err != nil {
		return nil, err
	}
	if root.kind != kindObject || len(root.fields) == 0 {
		j.Fault(root.at.line, root.at.col, "a taxonomy is an object of categories; write {\"category\": {\"subcategory\": …}}")
		return nil, nil
	}
	t := taxonomyReader{job: j, domain: domain}
	t.children(root, nil)
	return t.nodes, nil
}

// parseTree reads a document. Faults of its syntax are reported to the job.
func parseTree(j *Job, content []byte) (node, error) {
	if !isYAMLName(j.Source.base()) {
		return newJSONReader(content, j.Fault).whole()
	}
	root, err := parseYAMLTree(content)
	var syntax *strictyaml.Fault
	if errors.As(err, &syntax) {
		j.Fault(syntax.Line, syntax.Col, "%s", syntax.Message)
		err = errFaulted
	}
	return root, err
}

// A taxonomyReader turns a document into nodes.
type taxonomyReader struct {
	job    *Job
	domain string
	nodes  []data.TaxonomyNode
}

var taxonomyLevels = []string{"category", "subcategory", "aspect"}

// children reads the nodes below a path of names.
func (t *taxonomyReader) children(parent node, above []string) {
	level := len(above)
	seen := map[string]field{}
	for _, e := range parent.fields {
		name := strings.TrimSpace(e.key)
		if name == "" {
			t.job.Fault(e.at.line, e.at.col, "the %s has no name; give it one", taxonomyLevels[level])
			continue
		}
		if first, twice := seen[name]; twice {
			if first.key != e.key { // The reader reports names that are spelled alike.
				t.job.Fault(e.at.line, e.at.col, "the %s %q is in line %d already; merge the two", taxonomyLevels[level], clip(name), first.at.line)
			}
			continue
		}
		seen[name] = e
		t.add(e.value, append(above[:level:level], name))
	}
}

func (t *taxonomyReader) add(v node, names []string) {
	row := data.TaxonomyNode{Domain: t.domain, Category: names[0], Level: int32(len(names)), Ordinal: int32(len(t.nodes)), Examples: []string{}}
	if len(names) > 1 {
		row.Subcategory = names[1]
	}
	if len(names) > 2 {
		row.Aspect = names[2]
	}
	what, name := taxonomyLevels[len(names)-1], clip(names[len(names)-1])
	switch v.kind {
	case kindNull:
	case kindArray:
		for _, item := range v.items {
			if item.kind != kindString || strings.TrimSpace(item.text) == "" {
				t.job.Fault(item.at.line, item.at.col, "an example of the %s %q is not a text; put it in quotes, or leave it out", what, name)
				continue
			}
			row.Examples = append(row.Examples, strings.TrimSpace(item.text))
		}
	case kindObject:
		if len(names) == len(taxonomyLevels) {
			t.job.Fault(v.at.line, v.at.col, "the aspect %q has nodes below it; a taxonomy ends with aspects, so list their names as examples", name)
			return
		}
		t.nodes = append(t.nodes, row)
		t.children(v, names)
		return
	default:
		t.job.Fault(v.at.line, v.at.col, "the %s %q is neither an object, nor a list of examples, nor null; write one of these", what, name)
		return
	}
	t.nodes = append(t.nodes, row)
}
