package analytics

import (
	"bytes"
	"context"
	"fmt"
	"strings"

	"github.com/captionlake/captionlake/data"
)

// UnitsAbout lists the units whose rows are all about one of some captioners: its captions, and answers and judgments of it. A captioner
// that no unit is about alone is an error.
func UnitsAbout(ctx context.Context, lake *data.Lake, captioners []string) ([]string, error) {
	var all []string
	for _, captioner := range captioners {
		var out bytes.Buffer
		_, err := Query(ctx, lake, `
			select unit from (
				select unit, captioner from captions union all select unit, captioner from answers union all
				select unit, captioner from judgments union all select unit, model from element_answers
			) group by unit having bool_and(captioner = `+quote(captioner)+`) order by unit`, QueryOptions{Format: "csv"}, &out)
		if err != nil {
			return nil, err
		}
		units := strings.Fields(out.String())[1:] // after the head
		if len(units) == 0 {
			return nil, data.WithHint(fmt.Errorf("no unit is about the captioner %q alone", captioner), "list the captioners with: captionlake sql \"select distinct captioner from captions\"")
		}
		all = append(all, units...)
	}
	return all, nil
}
