package ingest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/rubric"
	"github.com/captionlake/captionlake/data/text"
)

// publishedFormat reads tables of figures that papers and the public leaderboard print, one row of `published` for
// each cell. Which table it is follows from the header row alone. Every cell is checked: its number and range, the
// model against the registry, and the category against the taxonomy.
func publishedFormat() Format {
	return Format{
		Name:       "published",
		What:       "CSV of a table printed in one of the four papers or on the CaptionQA leaderboard",
		Version:    "1",
		Provenance: data.ProvenancePublished,
		Detect: func(_ Source, head []byte) bool {
			line, _, _ := bytes.Cut(bytes.TrimPrefix(head, []byte(byteOrderMark)), []byte("\n"))
			return layoutOf(strings.Split(strings.TrimSpace(string(line)), ",")) != nil
		},
		Unit: func(s Source, _ Options) (string, error) {
			base := s.base()
			return strings.TrimSuffix(base, path.Ext(base)), nil
		},
		Load: loadPublished,
	}
}

func layoutOf(header []string) *publishedLayout {
	for i := range publishedLayouts {
		if slices.EqualFunc(header, publishedLayouts[i].columns, func(name string, c publishedColumn) bool { return name == c.name }) {
			return &publishedLayouts[i]
		}
	}
	return nil
}

// A publishedRow is one line of a table while it is read.
type publishedRow struct {
	job    *Job
	csv    *table
	layout *publishedLayout
	fields []string
	row    data.Published  // what all figures of the line share
	figure publishedColumn // what the line's figure is, where the line itself tells; without a unit elsewhere
	ok     bool            // no fault so far
}

// fault reports a fault of column i.
func (r *publishedRow) fault(i int, format string, args ...any) {
	line, col := r.csv.FieldPos(i)
	r.job.Fault(line, col, format, args...)
	r.ok = false
}

// cell returns the text of a role's column and the column's number, -1 when the layout has none.
func (r *publishedRow) cell(role publishedRole) (string, int) {
	for i, c := range r.layout.columns {
		if c.role == role {
			return r.fields[i], i
		}
	}
	return "", -1
}

func loadPublished(ctx context.Context, j *Job) (err error) {
	f, err := j.Source.Open()
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	models, err := data.Registry()
	if err != nil {
		return err
	}
	categories, err := taxonomyCategories()
	if err != nil {
		return err
	}
	r := newTable(f)
	header, err := r.Read()
	if err != nil {
		return csvFault(j, err)
	}
	layout := layoutOf(header)
	if layout == nil {
		j.Fault(1, 1, "the columns %s are of no published table that is known; take the header row of one of the tables under data/published", quoteList(header))
		return nil
	}
	w, err := data.NewRowWriter(j.Tx, data.PublishedFigures)
	if err != nil {
		return err
	}
	seen := map[string]int{}
	for lines := 0; ; lines++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		fields, err := r.Read()
		if errors.Is(err, io.EOF) {
			if lines == 0 {
				j.Fault(1, 1, "the table has a header and no rows; get the whole file")
			}
			return nil
		}
		if err != nil {
			if err := csvFault(j, err); err != nil {
				return err
			}
			continue
		}
		row := &publishedRow{job: j, csv: r, layout: layout, fields: fields, ok: true}
		row.readNames(models, categories)
		figures := row.readFigures()
		if !row.ok {
			continue
		}
		for _, figure := range figures {
			key := strings.Join([]string{figure.Benchmark, figure.Source, figure.Item, figure.Model, figure.Prompt, figure.Domain, figure.Category, figure.Metric}, "\x00")
			if first, twice := seen[key]; twice {
				row.fault(0, "the same figure (%s) is in line %d already; delete one of the two", figure.Metric, first)
				break
			}
			seen[key] = int(figure.Line)
			if err := w.Write(figure); err != nil {
				return err
			}
		}
	}
}

// readNames fills in what the figures of the line share, and checks every name.
func (r *publishedRow) readNames(models *data.ModelRegistry, categories map[string][]string) {
	line, _ := r.csv.FieldPos(0)
	r.row = data.Published{
		Benchmark: r.layout.benchmark, Source: r.layout.source, Item: r.layout.item,
		File: r.job.Source.base(), Line: int32(min(line, math.MaxInt32)),
	}
	for i, field := range r.fields {
		if !utf8.ValidString(field) {
			r.fault(i, "%s: not UTF-8; save the file as UTF-8", r.layout.columns[i].name)
		}
	}
	for i, c := range r.layout.columns {
		field := r.fields[i]
		if c.optional && field == "" {
			continue
		}
		switch c.role {
		case roleDomain:
			r.row.Domain = field
			if c.optional && field == overallDomain {
				continue
			}
			if !slices.Contains(publishedDomains, field) && (r.row.Item != "Table 1" || field != "Total") {
				r.fault(i, "domain %q is not one of %s; write one of them exactly", field, quoteList(publishedDomains))
			}
		case rolePrompt:
			r.row.Prompt = field
			if !slices.Contains(publishedPrompts, field) {
				r.fault(i, "prompt %q is not one of %s; write one of them exactly", field, quoteList(publishedPrompts))
			}
		case roleGroup, roleDimension:
			r.row.Category = field
			if field == "" {
				r.fault(i, "%s is empty; write the name that the table prints", c.name)
			} else if c.role == roleDimension && !slices.Contains(publishedDimensions, field) {
				r.fault(i, "dimension %q is not one of %s; write one of them exactly", field, quoteList(publishedDimensions))
			}
		case roleModel:
			r.readModel(i, models)
		}
	}
	if category, i := r.cell(roleCategory); i >= 0 {
		if full, short := table9Names[category]; short && r.layout.item == "Table 9" {
			category = full
		}
		r.row.Category = category
		if known := categories[r.row.Domain]; len(known) > 0 && (category != "" || !r.layout.columns[i].optional) && !slices.Contains(known, category) {
			r.fault(i, "category %q is not in the taxonomy of %s; it has %s", category, r.row.Domain, quoteList(known))
		}
	}
	if r.ok && r.layout.place != nil {
		if fault := r.layout.place(r); fault != "" {
			_, i := r.cell(roleTable)
			r.fault(max(i, 0), "%s", fault)
		}
	}
}

// readModel resolves the model and checks what else the line says of it.
func (r *publishedRow) readModel(i int, models *data.ModelRegistry) {
	size, _ := r.cell(roleSize)
	r.row.Model = strings.TrimSpace(r.fields[i] + " " + size)
	m, ok := models.Resolve(r.fields[i], size)
	if !ok {
		r.fault(i, "model %q is not in the registry; correct the name, or add the model or the alias to data/models.yaml", r.row.Model)
		return
	}
	r.row.ModelID = m.ModelID
	if kind, c := r.cell(roleType); c >= 0 && kind != m.ModelType {
		r.fault(c, "model_type %q, but the registry has %s as %s; correct one of the two", kind, m.ModelID, m.ModelType)
	}
	if maker, c := r.cell(roleOrganization); c >= 0 && maker != m.Organization {
		r.fault(c, "organization %q, but the registry has %s of %s; correct one of the two", maker, m.ModelID, m.Organization)
	}
}

// readFigures reads the cells that become rows.
func (r *publishedRow) readFigures() []data.Published {
	var rows []data.Published
	for i, c := range r.layout.columns {
		row, field := r.row, r.fields[i]
		switch c.role {
		case roleFigure:
			if field == "" && c.optional {
				continue
			}
			if c.domain != "" {
				row.Domain = c.domain
			}
			row.Metric, row.Unit = c.metric, c.unit
			if c.metric == "" {
				row.Metric, _ = r.cell(roleMetric)
			}
			if r.figure.unit != "" {
				row.Unit, c.min, c.max, c.whole = r.figure.unit, r.figure.min, r.figure.max, r.figure.whole
			}
			row.Value, row.Decimals = r.number(i, c)
			row.Text, _ = r.cell(roleStatement)
			row.Definition, _ = r.cell(roleDefinition)
		case roleYesNo:
			switch field {
			case "":
				continue
			case "Yes":
				row.Value = 1
			case "No":
			default:
				r.fault(i, "%s is %q; write Yes or No", c.name, field)
			}
			row.Metric, row.Unit, row.Text = c.name, "flag", field
		case roleWords:
			if strings.TrimSpace(field) == "" {
				r.fault(i, "%s is empty; write what the table prints", c.name)
			}
			if n, countable := countSubcategories(field); countable {
				counted := row
				counted.Metric, counted.Unit, counted.Value = c.name, "count", float64(n)
				rows = append(rows, counted)
			}
			row.Metric, row.Unit, row.Text = c.name+"_text", "text", field
		default:
			continue
		}
		rows = append(rows, row)
	}
	return rows
}

// number reads a plain decimal number as papers print it, and counts the digits after its point.
func (r *publishedRow) number(i int, c publishedColumn) (value float64, decimals int32) {
	field := r.fields[i]
	digits := strings.TrimPrefix(field, "-")
	whole, fraction, point := strings.Cut(digits, ".")
	plain := func(s string) bool { return strings.Trim(s, "0123456789") == "" }
	if whole == "" || !plain(whole) || !plain(fraction) || point && fraction == "" || len(digits) > 20 {
		r.fault(i, "%s is %q, not a plain number; write it as printed, such as 88.70", c.name, clip(field))
		return 0, 0
	}
	value, err := strconv.ParseFloat(field, 64)
	switch {
	case err != nil:
		r.fault(i, "%s is %q: %v; write it as printed, such as 88.70", c.name, field, err)
	case c.whole && point:
		r.fault(i, "%s is %s, not a whole number; a count has no decimals", c.name, field)
	case value < c.min || value > c.max:
		r.fault(i, "%s is %s, outside %.0f to %.0f; check the cell against the printed table", c.name, field, c.min, c.max)
	}
	if value == 0 {
		value = 0 // "-0.0" is printed for small differences; the lake has one zero.
	}
	return value, int32(len(fraction))
}

// placeResults checks that domain and prompt are those of the table: CaptionQA prints Tables 11 to 26 by domain, and
// within a domain by prompt.
func placeResults(r *publishedRow) string {
	text, _ := r.cell(roleTable)
	n := slices.Index(publishedDomains, r.row.Domain)*len(publishedPrompts) + slices.Index(publishedPrompts, r.row.Prompt) + 11
	if text != strconv.Itoa(n) {
		return fmt.Sprintf("paper_table is %q, but %s under the %s prompt is Table %d; correct the table, the domain or the prompt", clip(text), r.row.Domain, r.row.Prompt, n)
	}
	r.row.Item = "Table " + text
	return ""
}

// placeTaxonomy finds the table that prints the taxonomy of the domain: Tables 5 to 8.
func placeTaxonomy(r *publishedRow) string {
	r.row.Item = fmt.Sprintf("Table %d", slices.Index(publishedDomains, r.row.Domain)+5)
	return ""
}

// placeRubric tells the tables of CAPability and CV-CapBench, which share a header, by number and metric. No pair is of both
// papers.
func placeRubric(r *publishedRow) string {
	number, _ := r.cell(roleTable)
	metric, _ := r.cell(roleMetric)
	all := rubric.Protocols()
	i := slices.IndexFunc(all, func(p rubric.Protocol) bool {
		return slices.ContainsFunc(p.Tables[metric], func(n int) bool { return strconv.Itoa(n) == number })
	})
	if i < 0 {
		return fmt.Sprintf("neither CAPability nor CV-CapBench prints the metric %q in its Table %q; correct paper_table or metric", clip(metric), clip(number))
	}
	r.row.Benchmark, r.row.Item = all[i].Benchmark, "Table "+number
	return ""
}

// countSubcategories counts the second-level nodes that a taxonomy table lists for a category, where the copy of the
// table keeps its items apart with " | ": an item is "subcategory: aspect" or a subcategory alone. The copies of Tables
// 5 and 6 have no separators, so there is nothing to count by.
func countSubcategories(text string) (n int, countable bool) {
	if !strings.Contains(text, " | ") {
		return 0, false
	}
	var seen []string
	for item := range strings.SplitSeq(text, " | ") {
		name, _, _ := strings.Cut(item, ":")
		if name = strings.TrimSpace(name); !slices.Contains(seen, name) {
			seen = append(seen, name)
		}
	}
	return len(seen), true
}

// quoteList writes names for a message, the first twenty of them.
func quoteList(names []string) string {
	const most = 20
	if len(names) > most {
		names = append(names[:most:most], "…")
	}
	quoted := make([]string, len(names))
	for i, n := range names {
		quoted[i] = strconv.Quote(clip(n))
	}
	return strings.Join(quoted, ", ")
}

// clip shortens untrusted text for a message.
func clip(s string) string { return text.Clip(s, 60) }
