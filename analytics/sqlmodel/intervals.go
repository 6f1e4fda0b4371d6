package sqlmodel

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data/dictionary"
	"github.com/captionlake/captionlake/sql"
)

// An interval says how the ends of a column's 95% interval are made. The header has an entry for
// each column, or one entry for several columns:
//
//	intervals:
//	  score, accuracy: share(n_questions, effective_images)
//	  gap: t(seen_images); effective images with such a question - 1 degrees of freedom
//
// The mart gets the columns X_se, X_low and X_high beside X, with meanings, checks and an audit.
// The arguments of the methods are SQL over the columns of the select. The mart does not keep
// columns that only these arguments name.
type interval struct {
	columns []string
	method  string
	args    []string
	note    string // degrees of freedom, or other facts about the ends that people must know
}

// An intervalKind is a method by which the ends are made.
type intervalKind struct {
	least   int    // least number of arguments
	error   string // how the standard error X_se is clustered; empty if X_se is no column of the mart
	name    string // name of the method in the meanings of columns; empty if the note names it
	note    string // the note if the header gives none
	end     string // SQL of an end, with words in braces that interval.end fills in; empty if the select has both ends
	outside string // SQL that finds wrong intervals: without the estimate, or without a width; %[1]s is X
}

var intervalKinds = map[string]intervalKind{
	// share(n, clusters): a share, or another mean of numbers from 0 to 1, in percent, over n
	// questions in so many effective clusters.
	"share": {least: 2, error: "clustered by image", name: "by Korn and Graubard", note: usualFreedom,
		end:     "share_{end}({x}, {se}, {0}, {1})",
		outside: `"%[1]s" not between "%[1]s_low" and "%[1]s_high" or "%[1]s_low" = "%[1]s_high"`},
	// difference(a, b, n, clusters): a - b of two shares over n questions in so many effective
	// clusters. The check allows for rounding, because the ends are computed from a and b, not from X.
	"difference": {least: 4, error: "paired and clustered by image",
		name: "by Student's t, or Newcombe's where no image differs", note: usualFreedom,
		end:     "difference_{end}({0}, {1}, {se}, {2}, {3})",
		outside: `"%[1]s" < "%[1]s_low" - 0.000001 or "%[1]s" > "%[1]s_high" + 0.000001 or "%[1]s_low" = "%[1]s_high"`},
	// t(clusters): the ends are the estimate minus and plus t times X_se. The interval is null if all
	// clusters are alike, because X_se then says nothing of other clusters. t(error, clusters) is for
	// trials, because the error of trials may be 0, and for marts that do not keep the standard error.
	"t": {least: 1, error: "clustered by image", name: "by Student's t", note: usualFreedom,
		end:     "{x} {sign} t_margin({0}, {1})",
		outside: `"%[1]s" not between "%[1]s_low" and "%[1]s_high"`},
	// fisher(n): a correlation over n independent rows.
	"fisher": {least: 1, name: "by Fisher's z", note: "over independent rows; null below four",
		end: "correlation_bound({x}, {0}, {sign}1)",
		// A correlation of 1 comes back from the transformation with its last digits changed.
		outside: `"%[1]s" < "%[1]s_low" - 0.000001 or "%[1]s" > "%[1]s_high" + 0.000001`},
	// z(variance): a rank correlation, by Fisher's transformation; the argument is the variance of the
	// transformed value. The interval is null if the correlation is 1 or -1, or the variance null.
	"z": {least: 1, name: "by Fisher's z", end: "rank_correlation_end({x}, {0}, {sign}1)",
		outside: `"%[1]s" not between "%[1]s_low" and "%[1]s_high"`},
	// given: the select has both ends.
	"given": {outside: `"%[1]s_low" > "%[1]s_high"`},
}

// end is the SQL of an end of the interval of a column: "low" with the sign -, or "high" with +.
func (iv interval) end(column, end, sign string) string {
	se := sql.QuoteName(column + "_se")
	args := iv.args
	// t(clusters) is t(error, clusters) with X_se as the error, in which 0 becomes null.
	if iv.method == "t" && len(args) == 1 {
		args = []string{"nullif(" + se + ", 0)", args[0]}
	}
	words := []string{"{x}", sql.QuoteName(column), "{se}", se, "{end}", end, "{sign}", sign}
	for i, arg := range args {
		words = append(words, fmt.Sprintf("{%d}", i), arg)
	}
	return strings.NewReplacer(words...).Replace(intervalKinds[iv.method].end)
}

// intervalAudit is the name of the audit that addIntervals adds.
const intervalAudit = "interval_holds_estimate"

// usualFreedom is the note about the degrees of freedom of most intervals.
const usualFreedom = "effective images - 1 degrees of freedom, over domains Satterthwaite's"

// interval reads an entry of the header. columns has the form "NAME, NAME", and text has the form
// "METHOD(ARGUMENTS); NOTE".
func (m *Model) interval(columns, text string) error {
	form, note, _ := strings.Cut(text, "; ")
	method, args, _ := strings.Cut(strings.TrimSuffix(form, ")"), "(")
	if _, known := intervalKinds[method]; !known {
		return fmt.Errorf("%s: %q is not an interval: %s", columns, form, intervalForms)
	}
	iv := interval{columns: splitArguments(columns), method: method, note: note}
	if args != "" { // The method given has no arguments.
		iv.args = splitArguments(args)
	}
	m.intervals = append(m.intervals, iv)
	return nil
}

const intervalForms = "share(N, CLUSTERS), difference(A, B, N, CLUSTERS), t(CLUSTERS), t(ERROR, CLUSTERS), " +
	"fisher(N), z(VARIANCE) or given"

// splitArguments splits at the commas that are outside of brackets.
func splitArguments(text string) []string {
	var args []string
	depth, start := 0, 0
	for i, r := range text {
		switch r {
		case '(', '[':
			depth++
		case ')', ']':
			depth--
		case ',':
			if depth == 0 {
				args = append(args, strings.TrimSpace(text[start:i]))
				start = i + 1
			}
		}
	}
	return append(args, strings.TrimSpace(text[start:]))
}

// addIntervals adds the columns of each interval, with their checks, after the column of the
// estimate. It also adds one audit for all intervals.
func (m *Model) addIntervals() {
	var outside []string
	shown := slices.Clone(m.Key)
	for _, iv := range m.intervals {
		for _, name := range iv.columns {
			i := slices.Index(m.ColumnNames(), name)
			m.Columns = slices.Insert(m.Columns, i+1, iv.added(m, m.Columns[i])...)
			outside = append(outside, fmt.Sprintf(intervalKinds[iv.method].outside, name))
			shown = append(shown, name, name+"_low", name+"_high")
		}
	}
	if len(outside) > 0 {
		m.Audits = append(m.Audits, Audit{
			Name: intervalAudit, Reason: "an interval holds its estimate, and that of a share has a width",
			Query: fmt.Sprintf("select %s\nfrom %s\nwhere %s", sql.QuoteNames(shown), sql.QuoteName(m.Name),
				strings.Join(outside, "\n    or ")),
		})
	}
}

// added are the columns that an interval adds after a column, without the columns that the header
// lists itself. The checks of the added columns go to m.
func (iv interval) added(m *Model, c Column) []Column {
	kind := intervalKinds[iv.method]
	listed := m.ColumnNames()
	how := strings.TrimPrefix(kind.name+", "+cmp.Or(iv.note, kind.note), ", ") // The kind may have no name.
	var columns []Column
	se := c.Name + "_se"
	givesError := len(iv.args) > kind.least // the form t(ERROR, CLUSTERS)
	// X_se is not added if an argument is the error, or if the header lists X_se itself.
	if kind.error != "" && !givesError && !slices.Contains(listed, se) {
		columns = append(columns, Column{Column: dictionary.Column{Name: se, Type: "DOUBLE", Unit: c.Unit,
			Comment: fmt.Sprintf("standard error of %s, %s; null for published rows and for a single image", c.Name,
				kind.error)}})
		m.Checks = append(m.Checks, Check{se, se + " 0..", "not (" + sql.QuoteName(se) + " >= 0)"})
	}
	for _, end := range []struct{ name, sign, what string }{
		{"low", "-", fmt.Sprintf("lower end of the 95%% interval of %s, %s", c.Name, how)},
		{"high", "+", "upper end of that interval"},
	} {
		name := c.Name + "_" + end.name
		if slices.Contains(listed, name) {
			continue
		}
		columns = append(columns, Column{
			Column: dictionary.Column{Name: name, Type: c.Type, Unit: c.Unit, Comment: end.what},
			Made:   iv.end(c.Name, end.name, end.sign), // empty if the select has both ends
		})
		for _, check := range m.Checks { // The ends of a share have the range of the share.
			if iv.method == "share" && check.Column == c.Name && strings.Contains(check.Text, "..") {
				m.Checks = append(m.Checks, Check{name, strings.Replace(check.Text, c.Name, name, 1),
					strings.Replace(check.broken, c.Name, name, 1)})
			}
		}
	}
	return columns
}
