package data

import (
	"github.com/captionlake/captionlake/data/spelling"
)

// UnitsAbout lists the units in which all rows are about one of some captioners: its captions, and
// answers and judgments about them. A captioner without such a unit is an error.
func UnitsAbout(l *Lake, captioners []string) (units []string, err error) {
	if len(captioners) == 0 {
		return nil, nil
	}
	about, err := QueryAll[struct {
		Unit      string `json:"unit"`
		Captioner string `json:"captioner"`
	}](l, `
		select unit, min(captioner) as captioner from (
			select unit, captioner from captions union all select unit, captioner from answers union all
			select unit, captioner from judgments union all select unit, model from element_answers
		) group by unit having count(distinct captioner) = 1 and count(captioner) = count(*) order by unit`)
	if err != nil {
		return nil, err
	}
	of, known := map[string][]string{}, make([]string, len(about))
	for i, u := range about {
		known[i] = u.Captioner
		of[u.Captioner] = append(of[u.Captioner], u.Unit)
	}
	for _, captioner := range captioners {
		if of[captioner] == nil {
			return nil,
				Errorf(spelling.Meant("list the captioners with: captionlake sql \"select distinct captioner from captions\"",
					known, captioner), "no unit is about the captioner %q alone", captioner)
		}
		units = append(units, of[captioner]...)
	}
	return units, nil
}
