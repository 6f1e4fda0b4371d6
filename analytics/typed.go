package analytics

import (
	"context"
	"errors"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
)

// compute makes the table of a model, or adds rows to it: those of its select, or what its computation makes of them, typed as the header
// says, with the columns of the intervals.
func (e *engine) compute(ctx context.Context, m Model, more bool) error {
	query := m.Select
	if m.Compute != "" {
		var err error
		if query, err = e.computeRows(ctx, m); err != nil {
			return err
		}
	}
	if err := e.checkColumns(ctx, m, query); err != nil {
		return err
	}
	to := fmt.Sprintf("create or replace temp table %s as\n", quoteName(m.Name))
	if more {
		to = fmt.Sprintf("insert into %s\n", quoteName(m.Name))
	}
	if err := e.exec(ctx, to+m.typed(query)); err != nil {
		return fmt.Errorf("the select failed: %w", err)
	}
	return nil
}

// checkColumns holds the columns of a select against the header: one that does not give a column of the header, or gives one that neither
// the header nor an interval names, is an error. Planning the select for this takes as long as planning it to run, so it is done once.
func (e *engine) checkColumns(ctx context.Context, m Model, query string) error {
	if m.checked {
		return nil
	}
	_, given, err := e.strings(ctx, "select column_name from (describe "+query+")", 0)
	if err != nil {
		return fmt.Errorf("the select failed: %w", err)
	}
	return m.compare(slices.Concat(given...))
}

// typed is the select with the types and the interval columns of the header.
func (m Model) typed(query string) string {
	var columns []string
	for _, c := range m.Columns {
		made := c.made
		if made == "" {
			made = quoteName(c.Name)
		}
		columns = append(columns, fmt.Sprintf("cast(%s as %s) as %s", made, c.Type, quoteName(c.Name)))
	}
	return fmt.Sprintf("select %s\nfrom (\n%s\n) as given", strings.Join(columns, ", "), query)
}

var wordForm = regexp.MustCompile(`[a-z_][a-z0-9_]*`)

// compare holds the columns that the select gives against those that the header names.
func (m Model) compare(given []string) error {
	var faults []error
	known := map[string]bool{}
	for _, iv := range m.intervals {
		for _, arg := range iv.args {
			for _, word := range wordForm.FindAllString(arg, -1) {
				known[word] = true
			}
		}
	}
	for _, c := range m.Columns {
		known[c.Name] = c.made == ""
		if c.made == "" && !slices.Contains(given, c.Name) {
			faults = append(faults, fmt.Errorf("column %s of the header is not in the select", c.Name))
		}
	}
	for i, name := range given {
		if !known[name] {
			faults = append(faults, fmt.Errorf("column %s of the select is not in the header", name))
		} else if slices.Contains(given[:i], name) {
			faults = append(faults, fmt.Errorf("column %s is a duplicate in the select", name))
		}
	}
	return data.WithHint(errors.Join(faults...), "make the final select and the header of %s agree", m.File)
}
