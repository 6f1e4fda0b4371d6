package data

import (
	"bytes"
	"encoding/csv"
	"fmt"
	"strconv"
	"strings"
)

// PublishedRows are the rows of a file of figures that papers and leaderboards print. A line of the
// file is one figure, with benchmark, source, item, model, prompt, domain, category, metric, value,
// unit, text and definition. A statement that a paper's text makes about its tables is a line with
// the source "statement", so that nothing takes the statement for a figure. The value is written as
// the paper prints it, because the row also keeps the number of decimals. A definition says how the
// SQL model published_claims computes a statement from other figures.
//
// CaptionQA prints two rates under "Cannot". Tables 11 to 26 divide by the questions that offer the
// cannot option. Yes/no questions do not offer the option, so in many rows this rate and the
// accuracy add up to more than 100. The metric of this rate is cannot_rate_offered. Table 9 and
// section 14.5 divide by all questions; the metric of their rate is cannot_rate. Table 4 prints
// differences of accuracies: image minus caption, in points.
func PublishedRows(name string, content []byte) (rows []Published, err error) {
	models, err := Registry()
	if err != nil {
		return nil, err
	}
	reader := csv.NewReader(bytes.NewReader(content))
	reader.FieldsPerRecord = 12 // as listed above
	lines, err := reader.ReadAll()
	if err != nil {
		return nil, fmt.Errorf("%s: %w", name, err)
	}
	// Line 1 names the columns. Cells have no line feeds, so row i is line i+2 of the file.
	for i, cells := range lines[1:] {
		row := Published{
			Benchmark: cells[0], Source: cells[1], Item: cells[2], Model: cells[3], Prompt: cells[4], Domain: cells[5],
			Category: cells[6], Metric: cells[7],
			Unit: cells[9], Text: cells[10], Definition: cells[11], File: name, Line: int32(i + 2),
		}
		_, decimals, _ := strings.Cut(cells[8], ".")
		row.Decimals = int32(len(decimals))
		row.Value, err = strconv.ParseFloat(cells[8], 64)
		if m, known := models.Resolve(row.Model); known {
			row.ModelID = m.ModelID
		} else if row.Model != "" {
			err = fmt.Errorf("the model %q is not in the registry", row.Model)
		}
		if err != nil {
			return nil, fmt.Errorf("%s:%d: %w", name, i+2, err)
		}
		rows = append(rows, row)
	}
	return rows, nil
}
