package report

import (
	"context"
	"image"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/plots"
	"github.com/captionlake/captionlake/plots/ggsql"
)

// A Source holds the rows that a report is made from.
type Source interface {
	// Marts lists the marts that there are. Their order does not matter.
	Marts(ctx context.Context) ([]Mart, error)
	// Rows are what the SELECT of a file gives with values of its parameters, over the rows of some kinds of the lake alone; over all when there
	// are none. Equal lakes must give equal rows in equal order.
	Rows(ctx context.Context, f *ggsql.File, values map[string]string, kinds ...string) (*plots.Table, error)
	// Picture opens the first picture of an item; nil, without an error, when there is none.
	Picture(ctx context.Context, imageID string) (image.Image, error)
}

// A Mart says where rows come from.
type Mart struct {
	Name        string `json:"name"`
	What        string `json:"what"`        // what the mart is, in one line
	Source      string `json:"source"`      // table or figure of a paper
	Fingerprint string `json:"fingerprint"` // digest of the mart's SQL and of all that its rows depend on
	ToolVersion string `json:"tool_version"`
	Inputs      string `json:"inputs"` // what the mart was built from, each with its fingerprint
	Rows        int64  `json:"rows"`
	// Tables are the base tables behind the inputs; Build finds them.
	Tables []string `json:"tables"`
}

// InputNames are the names of what the mart was built from.
func (m Mart) InputNames() (names []string) {
	for _, input := range strings.Fields(m.Inputs) {
		name, _, _ := strings.Cut(input, "=")
		names = append(names, name)
	}
	return names
}

// baseTables are the base tables that a mart was built from, itself or through other marts. A name that is no mart is one.
func baseTables(mart string, marts map[string]Mart) (out []string) {
	names := []string{mart}
	for i := 0; i < len(names); i++ {
		m, ok := marts[names[i]]
		if !ok {
			out = append(out, names[i])
		}
		for _, input := range m.InputNames() {
			if !slices.Contains(names, input) {
				names = append(names, input)
			}
		}
	}
	slices.Sort(out)
	return out
}
