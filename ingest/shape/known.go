package shape

import (
	"net/url"
	"regexp"
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
)

// Known is the lake's items: everything with pictures or questions. It is read when it is first
// needed.
type Known struct {
	Lake    *data.Lake
	Err     error // why the lake could not be read; results then do not count
	read    bool
	domains map[string]string   // by image_id
	ids     map[string]string   // image_ids by name, in composed Unicode
	numbers map[string][]string // image_ids by number, without leading zeros
}

// Forget makes the next call read the lake again, after a change.
func (k *Known) Forget() { k.read = false }

func (k *Known) load() {
	type item struct {
		ImageID string `parquet:"image_id"`
		Domain  string `parquet:"domain"`
	}
	if k.read || k.Lake == nil {
		return
	}
	k.read, k.domains, k.ids, k.numbers = true, map[string]string{}, map[string]string{}, map[string][]string{}
	// The bank counts more than pictures, so it comes last.
	for _, table := range []data.AnyTable{data.Images, data.Questions} {
		for i, err := range data.Project[item](k.Lake, table, nil) {
			if err != nil {
				k.Err = err
				return
			}
			_, known := k.domains[i.ImageID]
			if number, ok := itemNumber(i.ImageID); ok && !known {
				k.numbers[number] = append(k.numbers[number], i.ImageID)
			}
			k.domains[i.ImageID] = i.Domain
			k.ids[norm.NFC.String(i.ImageID)] = i.ImageID
		}
	}
}

// Domain is the domain of an item's questions or pictures in the lake; empty if it has neither.
func (k *Known) Domain(imageID string) string {
	k.load()
	return k.domains[imageID]
}

// numberedItem matches the name of an item that is a number, alone or in COCO's form:
// COCO_val2014_000000000042.
var numberedItem = regexp.MustCompile(`^(?:COCO_.+_)?0*([0-9]+)$`)

// itemNumber is the number in an item's name, without leading zeros.
func itemNumber(id string) (string, bool) {
	m := numberedItem.FindStringSubmatch(id)
	if m == nil {
		return "", false
	}
	return m[1], true
}

// ItemName is the image_id for a name of a picture: without folders, ending and the query of a URL.
// It is in composed Unicode, since file systems decompose names.
func ItemName(name string) string {
	name = strings.TrimSpace(name)
	if link, err := url.Parse(name); err == nil && strings.Contains(name, "://") && link.Path != "" {
		name = link.Path
	}
	return norm.NFC.String(captionqa.ItemName(name))
}

// Resolve finds the item of a name in a file: by the name, without folders, without its ending, or
// by its number. An unknown item gets its ItemName and is not known. several are the possible items
// of an ambiguous number.
func (k *Known) Resolve(name string) (id string, known bool, several []string) {
	if id, known = k.named(name); known {
		return id, true, nil
	}
	number, _ := itemNumber(id)
	if ids := k.numbers[number]; len(ids) == 1 {
		return ids[0], true, nil
	} else if len(ids) > 1 {
		return "", true, slices.Sorted(slices.Values(ids))
	}
	return id, false, nil
}

// named finds the item of a name, with or without folders and ending.
func (k *Known) named(name string) (id string, known bool) {
	k.load()
	for _, one := range []string{name, name[strings.LastIndexAny(name, `/\`)+1:], ItemName(name)} {
		if id, known = k.ids[norm.NFC.String(one)]; known {
			return id, true
		}
	}
	return ItemName(name), false
}

// IsPicture reports whether a name looks like a picture's name: it has the ending of a picture, a
// published prefix, or the lake has it.
func (k *Known) IsPicture(name string) bool {
	_, known, _ := k.Resolve(name)
	_, published := DomainOf(name, Options{})
	return known || published || captionqa.HasPictureName(name)
}
