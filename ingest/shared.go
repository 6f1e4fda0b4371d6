package ingest

import (
	"regexp"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
)

// shared is what files that are loaded one after another read of the lake: each thing once, by the first that needs it.
type shared struct {
	annotated map[string]annotatedElements // by benchmark
	items     *itemIndex
}

// annotatedOf is readAnnotated.
func (s *shared) annotatedOf(lake *data.Lake, benchmark string) (annotatedElements, error) {
	if all, ok := s.annotated[benchmark]; ok {
		return all, nil
	}
	all, err := readAnnotated(lake, benchmark)
	if err != nil {
		return nil, err
	}
	if s.annotated == nil {
		s.annotated = map[string]annotatedElements{}
	}
	s.annotated[benchmark] = all
	return all, nil
}

// An itemIndex is what the lake has pictures or questions of.
type itemIndex struct {
	domains map[string]string   // by image_id
	numbers map[string][]string // image_ids by their numbers without the zeros before them
}

// itemsOf reads the items of the lake's pictures and questions.
func (s *shared) itemsOf(lake *data.Lake) (*itemIndex, error) {
	type item struct {
		ImageID string `parquet:"image_id"`
		Domain  string `parquet:"domain"`
	}
	if s.items != nil {
		return s.items, nil
	}
	items := &itemIndex{map[string]string{}, map[string][]string{}}
	for _, table := range []data.AnyTable{data.Images, data.Questions} { // The bank's word counts.
		for i, err := range data.Project[item](lake, table, nil) {
			if err != nil {
				return nil, err
			}
			_, known := items.domains[i.ImageID]
			if number, ok := itemNumber(i.ImageID); ok && !known {
				items.numbers[number] = append(items.numbers[number], i.ImageID)
			}
			items.domains[i.ImageID] = i.Domain
		}
	}
	s.items = items
	return items, nil
}

// domainOf is the domain of an item's questions or pictures in the lake; empty where it has neither.
func (s *shared) domainOf(lake *data.Lake, imageID string) (string, error) {
	items, err := s.itemsOf(lake)
	if err != nil {
		return "", err
	}
	return items.domains[imageID], nil
}

// numberedItem is the name of an item that is a number, alone or as COCO writes its pictures: COCO_val2014_000000000042.
var numberedItem = regexp.MustCompile(`^(?:COCO_.+_)?0*([0-9]+)$`)

// itemNumber is the number that names an item, without the zeros before it.
func itemNumber(id string) (string, bool) {
	m := numberedItem.FindStringSubmatch(id)
	if m == nil {
		return "", false
	}
	return m[1], true
}

// resolve finds the item that a file calls by a name: by the name, without folders, without its ending, or by its number. One that the
// lake does not have keeps its name without folders and ending. several are the items that a number may stand for.
func (x *itemIndex) resolve(name string) (id string, several []string) {
	base := name[strings.LastIndexAny(name, `/\`)+1:]
	stem := captionqa.ItemName(name)
	for _, id := range []string{name, base, stem} {
		if _, known := x.domains[id]; known {
			return id, nil
		}
	}
	number, _ := itemNumber(stem)
	switch ids := x.numbers[number]; len(ids) {
	case 0:
		return stem, nil
	case 1:
		return ids[0], nil
	default:
		return "", slices.Sorted(slices.Values(ids))
	}
}
