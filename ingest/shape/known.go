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

// Known is the lake's items: everything with pictures or questions. The first call of a method
// reads the items from the lake.
type Known struct {
	Lake    *data.Lake // nil means no items
	Err     error      // why the lake could not be read; then the results of all calls are worthless
	read    bool
	domains map[string]string   // by image_id
	ids     map[string]string   // image_ids by name, in composed Unicode
	numbers map[string][]string // image_ids by number, without leading zeros
}

// Forget makes the next call read the lake again, after a change.
func (k *Known) Forget() { k.read = false }

// load reads the items, unless they were read before.
func (k *Known) load() {
	type row struct {
		ImageID string `parquet:"image_id"`
		Domain  string `parquet:"domain"`
	}
	if k.read || k.Lake == nil {
		return
	}
	k.read, k.domains, k.ids, k.numbers = true, map[string]string{}, map[string]string{}, map[string][]string{}
	// Questions come last, because an item's domain in the bank counts more than the pictures' domain.
	for _, table := range []data.AnyTable{data.Images, data.Questions} {
		for item, err := range data.Project[row](k.Lake, table, nil) {
			if err != nil {
				k.Err = err
				return
			}
			_, known := k.domains[item.ImageID]
			if number := itemNumber(item.ImageID); number != "" && !known { // An item has many rows, and one number.
				k.numbers[number] = append(k.numbers[number], item.ImageID)
			}
			k.domains[item.ImageID] = item.Domain
			k.ids[norm.NFC.String(item.ImageID)] = item.ImageID
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

// itemNumber is the number in an item's name, without leading zeros; empty for another name.
func itemNumber(id string) string {
	if match := numberedItem.FindStringSubmatch(id); match != nil {
		return match[1]
	}
	return ""
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

// Resolve finds the lake's item for a name that a file gives: by the name, without folders, without
// its ending, or by its number. For an item that the lake does not have, known is false and id is
// its ItemName. If several items have the number, id is empty, known is true, and several lists the
// items.
func (k *Known) Resolve(name string) (id string, known bool, several []string) {
	if id, known = k.named(name); known {
		return id, true, nil
	}
	switch ids := k.numbers[itemNumber(id)]; len(ids) { // No item has the number "".
	case 0:
		return id, false, nil
	case 1:
		return ids[0], true, nil
	default:
		return "", true, slices.Sorted(slices.Values(ids))
	}
}

// named finds the item of a name: by the whole name, without folders, or without its ending. An
// item that the lake does not have gets its ItemName.
func (k *Known) named(name string) (id string, known bool) {
	k.load()
	withoutFolders := name[strings.LastIndexAny(name, `/\`)+1:]
	for _, form := range []string{name, withoutFolders, ItemName(name)} {
		if id, known = k.ids[norm.NFC.String(form)]; known {
			return id, true
		}
	}
	return ItemName(name), false
}

// IsPicture reports whether a name looks like a picture's name: it has the ending of a picture, a
// published prefix, or the lake has it.
func (k *Known) IsPicture(name string) bool {
	_, known, _ := k.Resolve(name)
	return known || DomainOf(name, "") != "" || captionqa.HasPictureName(name)
}
