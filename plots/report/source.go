package report

import (
	"context"
	"image"

	"github.com/captionlake/captionlake/plots"
	"github.com/captionlake/captionlake/plots/ggsql"
)

// A Source holds the rows that a report is made from.
type Source interface {
	// Marts lists the marts that there are. Their order does not matter.
	Marts(ctx context.Context) ([]Mart, error)
	// Runs lists the runs that wrote the base tables. Their order does not matter.
	Runs(ctx context.Context) ([]Run, error)
	// Table reads all rows of a mart that Marts lists. Equal lakes must give equal rows in equal order.
	Table(ctx context.Context, mart string) (*plots.Table, error)
	// Rows are what the SELECT of a figure gives, as the table [plots.RowsOf] it.
	Rows(ctx context.Context, figure *ggsql.File) (*plots.Table, error)
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
	Rows        int64  `json:"rows"`   // of all provenances
	// Tables are the base tables behind the inputs; Build finds them.
	Tables []string `json:"tables"`
}
