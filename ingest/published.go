package ingest

import (
	"bytes"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"math"
	"path"
	"slices"
	"strconv"
	"strings"

	"github.com/captionlake/captionlake/data"
)

// sourceScores is where a user's table of what models score on other benchmarks comes from.
const sourceScores = "benchmark-scores"

// publishedColumns are those of the files of figures that papers, their texts and leaderboards print: a figure a line. What a paper's text
// says of its tables has the source statement, so that it is never taken for a figure of them. The value is
// written as it is printed, so that its decimals are known; a definition says how published_claims computes a statement from other
// figures.
//
// CaptionQA prints two rates under "Cannot". Tables 11 to 26 have the share of the questions that offer the cannot option;
// yes/no questions do not offer it, which is why accuracy and cannot add up to more than 100 in many rows. That metric is
// called cannot_rate_offered. Table 9 and section 14.5 have the share of all questions, cannot_rate. Table 4 prints differences of
// accuracies: image minus caption, in points.
var publishedColumns = []string{"benchmark", "source", "item", "model", "prompt", "domain", "category", "metric", "value", "unit", "text", "definition"}

// loadPublished writes one of the files of published figures as a unit of the table `published`.
func loadPublished(lake *data.Lake, name string) (Result, error) {
	return loadEmbedded(lake, "published", strings.TrimSuffix(path.Base(name), ".csv"), name, data.PublishedFigures, func(content []byte) ([]data.Published, error) {
		return readPublished(path.Base(name), content)
	})
}

func readPublished(file string, content []byte) (rows []data.Published, err error) {
	models, err := data.Registry()
	if err != nil {
		return nil, err
	}
	r := csv.NewReader(bytes.NewReader(content))
	if header, err := r.Read(); err != nil || !slices.Equal(header, publishedColumns) {
		return nil, fmt.Errorf("%s: the columns are not %s: %w", file, strings.Join(publishedColumns, ", "), err)
	}
	for {
		cells, err := r.Read()
		if errors.Is(err, io.EOF) {
			return rows, nil
		}
		if err != nil {
			return nil, fmt.Errorf("%s: %w", file, err)
		}
		line, _ := r.FieldPos(0)
		row := data.Published{
			Benchmark: cells[0], Source: cells[1], Item: cells[2], Model: cells[3], Prompt: cells[4], Domain: cells[5], Category: cells[6], Metric: cells[7],
			Unit: cells[9], Text: cells[10], Definition: cells[11], File: file, Line: int32(min(line, math.MaxInt32)),
		}
		_, decimals, _ := strings.Cut(cells[8], ".")
		row.Decimals = int32(len(decimals))
		if row.Value, err = strconv.ParseFloat(cells[8], 64); err != nil {
			return nil, fmt.Errorf("%s:%d: %w", file, line, err)
		}
		if row.Model != "" {
			m, known := models.Resolve(row.Model, "")
			if !known {
				return nil, fmt.Errorf("%s:%d: the model %q is not in the registry", file, line, row.Model)
			}
			row.ModelID = m.ModelID
		}
		rows = append(rows, row)
	}
}
