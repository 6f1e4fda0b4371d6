package ingest

import (
	"math"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/rubric"
)

// A publishedRole says what a column of a published table holds.
type publishedRole int

const (
	roleFigure       publishedRole = iota // a number: one row of the lake
	roleTable                             // number of the table in the paper
	roleItem                              // section or figure of the paper
	roleDomain                            // domain of the items
	rolePrompt                            // caption prompt
	roleModel                             // model, metric or judge, as printed
	roleSize                              // number of parameters, part of the model's name
	roleType                              // open or proprietary, checked against the registry
	roleOrganization                      // maker, checked against the registry
	roleCategory                          // taxonomy category, checked against the domain's taxonomy
	roleDimension                         // dimension of CAPability or CV-CapBench, or their average
	roleGroup                             // free name of the row, such as a stage: becomes category
	roleMetric                            // name of the figure in the same row
	roleUnit                              // unit of the figure in the same row, checked against its metric
	roleYesNo                             // Yes or No: a row with value 1 or 0 and the printed word
	roleWords                             // words: a row with the printed text
	roleBenchmark                         // benchmark whose paper prints the row
	roleDefinition                        // how the statement is recomputed from other figures
	roleStatement                         // what the text states with the figure of the same row, in our words
)

// A publishedColumn is one column of a published table. The fields after role matter to figures only.
type publishedColumn struct {
	name     string
	role     publishedRole
	metric   string
	domain   string // domain of the figure where the columns are domains
	unit     string
	min, max float64
	whole    bool // only whole numbers
	optional bool // some cells are empty: figures that the paper does not print, names that not every row has
}

// A publishedLayout is one kind of published table, told by its header row.
type publishedLayout struct {
	benchmark string
	source    string
	item      string // table of the paper; empty where the row's own columns tell it
	columns   []publishedColumn
	// place finds item and benchmark of a row whose columns tell them; what it returns beside is the fault.
	place func(r *publishedRow) (fault string)
}

const (
	sourcePaper       = "paper"
	sourceLeaderboard = "leaderboard"
	sourceStatement   = "statement"        // what a paper's text says of its tables: apart, so that it is never taken for a figure of them
	sourceScores      = "benchmark-scores" // a user's table of what models score on other benchmarks
	overallDomain     = data.DomainOverall // mean of the four domains (CaptionQA Table 3)
)

func figureColumn(name, metric, unit string, lo, hi float64) publishedColumn {
	return publishedColumn{name: name, metric: metric, unit: unit, min: lo, max: hi}
}

func percentColumn(name, metric string) publishedColumn {
	return figureColumn(name, metric, "percent", 0, 100)
}

func pointsColumn(name, metric string) publishedColumn {
	return figureColumn(name, metric, "points", -100, 100)
}

func countColumn(name, metric string) publishedColumn {
	c := figureColumn(name, metric, "count", 0, math.MaxInt32)
	c.whole = true
	return c
}

func shareColumn(name, metric string) publishedColumn {
	return figureColumn(name, metric, "share", 0, 1)
}

// correlationColumn may be empty: people are not ranked against themselves (CapArena Table 2).
func correlationColumn(name string) publishedColumn {
	c := figureColumn(name, name, "correlation", -1, 1)
	c.optional = true
	return c
}

func namedColumn(name string, role publishedRole) publishedColumn {
	return publishedColumn{name: name, role: role}
}

// optionalColumn is a name that not every row has. Such a domain may also be Overall.
func optionalColumn(name string, role publishedRole) publishedColumn {
	return publishedColumn{name: name, role: role, optional: true}
}

// domainColumns makes one column of each domain, all of one metric.
func domainColumns(metric, unit string, lo, hi float64) []publishedColumn {
	var columns []publishedColumn
	for _, d := range data.CaptionQA().Domains {
		c := figureColumn(d.Column, metric, unit, lo, hi)
		c.domain = d.Name
		columns = append(columns, c)
	}
	return columns
}

func overallColumn(metric string) publishedColumn {
	c := percentColumn("overall", metric)
	c.domain = overallDomain
	return c
}

func joinColumns(groups ...any) []publishedColumn {
	var all []publishedColumn
	for _, g := range groups {
		switch g := g.(type) {
		case publishedColumn:
			all = append(all, g)
		case []publishedColumn:
			all = append(all, g...)
		}
	}
	return all
}

// statementColumns are those of what a text states; how it is recomputed may stand in one more.
var statementColumns = joinColumns(
	namedColumn("benchmark", roleBenchmark), namedColumn("item", roleItem), namedColumn("form", roleGroup), namedColumn("quantity", roleMetric),
	figureColumn("value", "", "", -1e6, 1e6), namedColumn("unit", roleUnit), namedColumn("statement", roleStatement))

// publishedLayouts lists the kinds of published tables. To add a kind: one entry here.
//
// CaptionQA prints two rates under "Cannot". Tables 11 to 26 have the share of the questions that offer the cannot option;
// yes/no questions do not offer it, which is why accuracy and cannot add up to more than 100 in many rows. That metric is
// called cannot_rate_offered. Table 9 has the share of all questions, cannot_rate. Table 4 prints differences of accuracies: image minus caption, in points.
var publishedLayouts = []publishedLayout{
	{benchmark: data.BenchmarkCaptionQA, source: sourcePaper, place: placeResults, columns: joinColumns(
		namedColumn("paper_table", roleTable), namedColumn("domain", roleDomain), namedColumn("prompt", rolePrompt), namedColumn("model_type", roleType),
		namedColumn("model", roleModel), namedColumn("size", roleSize),
		percentColumn("score", "score"), percentColumn("accuracy", "accuracy"), percentColumn("cannot", "cannot_rate_offered"))},
	{benchmark: data.BenchmarkCaptionQA, source: sourcePaper, item: "Table 1", columns: joinColumns(
		namedColumn("domain", roleDomain), countColumn("questions", "questions"), countColumn("top_level", "top_level"),
		countColumn("subcategories", "subcategories"), countColumn("images", "images"))},
	{benchmark: data.BenchmarkCaptionQA, source: sourcePaper, item: "Table 2", columns: joinColumns(
		namedColumn("stage", roleGroup), domainColumns("accuracy", "percent", 0, 100))},
	{benchmark: data.BenchmarkCaptionQA, source: sourcePaper, item: "Table 3", columns: joinColumns(
		namedColumn("prompt", rolePrompt), namedColumn("model_type", roleType), namedColumn("model", roleModel), namedColumn("size", roleSize),
		overallColumn("score"), domainColumns("score", "percent", 0, 100))},
	{benchmark: data.BenchmarkCaptionQA, source: sourcePaper, item: "Table 4", columns: joinColumns(
		namedColumn("model_type", roleType), namedColumn("model", roleModel), domainColumns("utility_gap", "points", -100, 100))},
	{benchmark: data.BenchmarkCaptionQA, source: sourcePaper, place: placeTaxonomy, columns: joinColumns(
		namedColumn("domain", roleDomain), namedColumn("category", roleCategory), namedColumn("subcategories", roleWords))},
	{benchmark: data.BenchmarkCaptionQA, source: sourcePaper, item: "Table 9", columns: joinColumns(
		namedColumn("domain", roleDomain), namedColumn("category", roleCategory), percentColumn("mean_score", "mean_score"), figureColumn("std", "std", "points", 0, 100),
		percentColumn("min", "min"), percentColumn("max", "max"), percentColumn("cannot", "cannot_rate"), countColumn("questions", "questions"))},
	{benchmark: data.BenchmarkCaptionQA, source: sourcePaper, item: "Table 10", columns: joinColumns(
		namedColumn("domain", roleDomain), percentColumn("easy", "easy_share"), percentColumn("medium", "medium_share"), percentColumn("hard", "hard_share"),
		countColumn("questions", "questions"))},
	{benchmark: data.BenchmarkCaptionQA, source: sourceLeaderboard, item: "CaptionQA leaderboard by category", columns: joinColumns(
		namedColumn("prompt", rolePrompt), namedColumn("domain", roleDomain), namedColumn("category", roleCategory), namedColumn("model", roleModel),
		namedColumn("organization", roleOrganization), namedColumn("model_type", roleType), namedColumn("size", roleSize), percentColumn("score", "score"))},
	{benchmark: data.BenchmarkCaptionQA, source: sourcePaper, place: placeText, columns: joinColumns(
		namedColumn("item", roleItem), optionalColumn("model", roleModel), optionalColumn("prompt", rolePrompt), optionalColumn("domain", roleDomain),
		optionalColumn("category", roleCategory), namedColumn("metric", roleMetric), figureColumn("value", "", "", -math.MaxFloat64, math.MaxFloat64), namedColumn("unit", roleUnit))},
	{source: sourceStatement, place: placeStatement, columns: statementColumns},
	{source: sourceStatement, place: placeStatement, columns: joinColumns(statementColumns, optionalColumn("definition", roleDefinition))},
	{source: sourcePaper, place: placeRubric, columns: joinColumns(
		namedColumn("paper_table", roleTable), namedColumn("model", roleModel), namedColumn("dimension", roleDimension), namedColumn("metric", roleMetric),
		percentColumn("value", ""))},
	{benchmark: data.BenchmarkCapArena, source: sourcePaper, item: "Figure 1", columns: joinColumns(
		countColumn("rank", "rank"), namedColumn("model", roleModel))},
	{benchmark: data.BenchmarkCapArena, source: sourcePaper, item: "Table 2", columns: joinColumns(
		namedColumn("group", roleGroup), namedColumn("metric", roleModel), namedColumn("needs_reference", roleYesNo), shareColumn("overall", "agreement"),
		shareColumn("level1", "agreement_level1"), shareColumn("level2", "agreement_level2"), shareColumn("level3", "agreement_level3"),
		shareColumn("level4", "agreement_level4"), correlationColumn("spearman"), correlationColumn("kendall"))},
	{benchmark: data.BenchmarkCapArena, source: sourcePaper, item: "Table 3", columns: joinColumns(
		namedColumn("benchmark", roleGroup), correlationColumn("spearman"), correlationColumn("kendall"))},
	{benchmark: data.BenchmarkCapArena, source: sourcePaper, item: "Table 8", columns: joinColumns(
		namedColumn("model", roleModel), pointsColumn("score_avg", "score_avg"), pointsColumn("score_gpt", "score_gpt"), pointsColumn("score_cog", "score_cog"),
		pointsColumn("score_cpm", "score_cpm"), figureColumn("length_avg", "length_avg", "words", 0, 1e6))},
}

// publishedDomains are the domains that CaptionQA's tables name. Their order is that of Tables 5 to 8, and of the
// groups of four in Tables 11 to 26.
var publishedDomains = data.CaptionQA().DomainNames()

// publishedPrompts are the caption prompts in the order of Tables 11 to 26 within a domain.
var publishedPrompts = captionqa.TablePrompts()

// publishedDimensions are the dimensions of CAPability, with the average that its tables end in.
var publishedDimensions = func() []string {
	var names []string
	for _, d := range rubric.Dimensions() {
		names = append(names, d.ID)
	}
	return append(names, "average")
}()

// table9Names are the taxonomy categories that CaptionQA's Table 9 prints in short. The lake has the taxonomy's name,
// so that the categories of all tables can be joined.
var table9Names = map[string]string{
	"Contextual and Scene Info":    "Contextual and Scene Information",
	"Brand and Marketing Info":     "Brand and Marketing Information",
	"Visual Appearance":            "Visual Appearance and Presentation",
	"Sensor and Embodiment Info":   "Sensor and Embodiment Information",
	"Functional/Semantic Underst.": "Functional and Semantic Understanding",
	"Spatial and Environment":      "Spatial and Environment Context",
}
