package analytics

import (
	"context"
	"fmt"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/captionlake/captionlake/data"
)

// UnitsAbout lists the units whose rows are all about one of some captioners: its captions, and answers and judgments of it. A captioner
// that no unit is about alone is an error.
func UnitsAbout(ctx context.Context, lake *data.Lake, captioners []string) (units []string, err error) {
	for _, captioner := range captioners {
		before := len(units)
		if err := Read(ctx, lake, `
			select unit from (
				select unit, captioner from captions union all select unit, captioner from answers union all
				select unit, captioner from judgments union all select unit, model from element_answers
			) group by unit having bool_and(captioner = ?) order by unit`, []any{captioner},
			func(batch arrow.RecordBatch) error {
				defer batch.Release()
				for i := range int(batch.NumRows()) {
					units = append(units, batch.Column(0).ValueStr(i))
				}
				return nil
			}); err != nil {
			return nil, err
		}
		if len(units) == before {
			return nil, data.WithHint(fmt.Errorf("no unit is about the captioner %q alone", captioner), "list the captioners with: captionlake sql \"select distinct captioner from captions\"")
		}
	}
	return units, nil
}
