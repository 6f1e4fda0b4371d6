package data

import (
	"maps"
	"slices"

	"github.com/captionlake/captionlake/data/spelling"
)

// UnitsAbout lists, for each given captioner, the units in which all rows are about this captioner:
// captions, answers, judgments and element answers. A captioner without such a unit is an error.
func UnitsAbout(l *Lake, captioners []string) (units []string, err error) {
	if len(captioners) == 0 {
		return nil, nil
	}
	// count(distinct captioner) skips nulls; the comparison with count(*) excludes units with nulls.
	// An element answer is about the model that answered, so there the column model is the captioner.
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
	unitsOf := map[string][]string{} // by captioner
	for _, u := range about {
		unitsOf[u.Captioner] = append(unitsOf[u.Captioner], u.Unit)
	}
	for _, captioner := range captioners {
		if unitsOf[captioner] == nil {
			const list = `list the captioners with: captionlake sql "select distinct captioner from captions"`
			hint := spelling.Meant(list, slices.Sorted(maps.Keys(unitsOf)), captioner)
			return nil, Errorf(hint, "no unit is about the captioner %q alone", captioner)
		}
		units = append(units, unitsOf[captioner]...)
	}
	return units, nil
}
