package data

import "fmt"

// UnitsAbout lists the units whose rows are all about one of some captioners: its captions, and answers and judgments of it. A captioner
// that no unit is about alone is an error.
func UnitsAbout(l *Lake, captioners []string) (units []string, err error) {
	for _, captioner := range captioners {
		about, err := QueryAll[Run](l, `
			select unit from (
				select unit, captioner from captions union all select unit, captioner from answers union all
				select unit, captioner from judgments union all select unit, model from element_answers
			) group by unit having bool_and(captioner = ?) order by unit`, captioner)
		if err != nil {
			return nil, err
		}
		if len(about) == 0 {
			return nil, WithHint(fmt.Errorf("no unit is about the captioner %q alone", captioner),
				"list the captioners with: captionlake sql \"select distinct captioner from captions\"")
		}
		for _, run := range about {
			units = append(units, run.Unit)
		}
	}
	return units, nil
}
