package ingest

import (
	"fmt"
	"slices"
)

// A textItem is a section or a figure of the CaptionQA paper whose numbers are in its text or in its caption alone.
type textItem struct {
	names      []publishedRole   // what a row of it names; the other names are empty
	figures    []publishedColumn // the figures that it states
	categories []string          // the only categories that its rows may name; nil when the taxonomy tells
}

// pearsonColumn is a correlation that is always printed.
func pearsonColumn() publishedColumn { return figureColumn("", "pearson", "correlation", -1, 1) }

// transitionItem is a figure about changes of the caption prompt. Rows name the change where others name a category.
func transitionItem(transitions []string, figures ...publishedColumn) textItem {
	return textItem{[]publishedRole{roleCategory}, figures, transitions}
}

// textItems are the sections and figures that the copy of the text's numbers may name (CaptionQA section 3.5, 4.4, 8.1, 12
// and 14.5, Figures 13 and 17 to 23). Section 14.5 prints the share of all questions, as Table 9 does, and not that of the
// questions that offer the cannot option, which Tables 11 to 26 print.
var textItems = map[string]textItem{
	"Section 3.5": {[]publishedRole{roleModel}, []publishedColumn{
		figureColumn("", "questions_per_second", "per_second", 0, 1e6), figureColumn("", "accuracy_sd", "points", 0, 100),
		percentColumn("", "faithfulness"), percentColumn("", "accuracy")}, nil},
	"Section 4.4": {nil, []publishedColumn{countColumn("", "quality_questions")}, nil},
	"Section 8.1": {[]publishedRole{roleDomain, roleCategory}, []publishedColumn{percentColumn("", "question_share")}, nil},
	"Figure 13":   {[]publishedRole{rolePrompt, roleDomain}, []publishedColumn{figureColumn("", "mean_words", "words", 0, 1e6)}, nil},
	"Figure 17":   transitionItem([]string{"Short to Simple"}, countColumn("", "categories")),
	"Figure 18":   transitionItem([]string{"Simple to Long"}, countColumn("", "categories"), countColumn("", "flat_categories"), pointsColumn("", "mean_accuracy_gain")),
	"Figure 19": transitionItem([]string{"Long to Taxonomy-Hinted"}, countColumn("", "categories"), countColumn("", "losing_categories"),
		countColumn("", "losing_categories_5"), pointsColumn("", "least_gain"), pointsColumn("", "greatest_gain")),
	"Figure 20": transitionItem([]string{"Short to Long"}, pearsonColumn()),
	"Figure 21": transitionItem([]string{"Short to Simple", "Short to Long"}, pearsonColumn(), pointsColumn("", "mean_coverage_gain"),
		pointsColumn("", "mean_accuracy_gain"), percentColumn("", "share_of_long")),
	"Figure 22": transitionItem([]string{"Simple to Long"}, pearsonColumn(), pointsColumn("", "mean_coverage_gain"), pointsColumn("", "mean_accuracy_gain")),
	"Figure 23": transitionItem([]string{"Long to Taxonomy-Hinted"}, pearsonColumn(), pointsColumn("", "mean_coverage_gain"), pointsColumn("", "mean_accuracy_gain")),
	"Section 12": {nil, []publishedColumn{
		figureColumn("", "construction_tokens", "tokens", 0, 1e12), figureColumn("", "construction_cost_low", "USD", 0, 1e9),
		figureColumn("", "construction_cost_high", "USD", 0, 1e9), countColumn("", "construction_questions")}, nil},
	"Section 14.5": {[]publishedRole{rolePrompt, roleDomain, roleCategory}, []publishedColumn{percentColumn("", "cannot_rate")}, nil},
}

// placeText finds what the row's section or figure states under the row's metric: its unit and its range.
func placeText(r *publishedRow) string {
	name, _ := r.cell(roleItem)
	item, ok := textItems[name]
	if !ok {
		return fmt.Sprintf("item %q states no figure that is known; write a section or figure such as \"Figure 13\", or add it to the list in published_text.go", clip(name))
	}
	r.row.Item = name
	metric, _ := r.cell(roleMetric)
	i := slices.IndexFunc(item.figures, func(c publishedColumn) bool { return c.metric == metric })
	if i < 0 {
		return fmt.Sprintf("%s does not state the metric %q; correct item or metric", name, clip(metric))
	}
	r.figure = item.figures[i]
	if unit, _ := r.cell(roleUnit); unit != r.figure.unit {
		return fmt.Sprintf("the unit of %s is %q; write %s", metric, clip(unit), r.figure.unit)
	}
	for _, c := range r.layout.columns {
		switch c.role {
		case roleModel, rolePrompt, roleDomain, roleCategory:
			field, _ := r.cell(c.role)
			switch named := slices.Contains(item.names, c.role); {
			case named && field == "":
				return fmt.Sprintf("%s is empty; %s states %s by %s", c.name, name, metric, c.name)
			case !named && field != "":
				return fmt.Sprintf("%s is %q, but %s states %s without a %s; leave it empty", c.name, clip(field), name, metric, c.name)
			}
		}
	}
	if item.categories != nil && !slices.Contains(item.categories, r.row.Category) {
		return fmt.Sprintf("category is %q, but %s is about %s; write the change of the prompt", clip(r.row.Category), name, quoteList(item.categories))
	}
	return ""
}
