package analytics

import (
	"context"
	"database/sql"
	"errors"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/captionlake/captionlake/data"
)

// A Mart is a mart as its file in the lake says of itself.
type Mart struct {
	Name        string `json:"name"`
	What        string `json:"what"`        // what the mart is, from its model's header
	Source      string `json:"source"`      // table or figure of a paper
	Rows        int64  `json:"rows"`        // rows of all provenances
	Fingerprint string `json:"fingerprint"` // digest of the SQL and of everything that its rows depend on
	ToolVersion string `json:"tool_version"`
	Inputs      string `json:"inputs"` // inputs with their fingerprints; of a fold's table that of a part
}

// A Reader reads rows of a lake's tables and marts as Go values, many queries over one DuckDB. It reaches the lake's
// folder and nothing else. Calls are answered one after another; none may be made from within the function of another.
type Reader struct {
	*Session
	mu      sync.Mutex
	samples map[string]bool // whether the kinds that were asked for are there
}

// OpenReader starts DuckDB over a lake. Close must be called.
func OpenReader(ctx context.Context, lake *data.Lake, o EngineOptions) (*Reader, error) {
	s, err := OpenSession(ctx, lake, o, false)
	return &Reader{Session: s, samples: map[string]bool{}}, err
}

// partForm is what the inputs of a part say of it after their table.
var partForm = regexp.MustCompile(`/\d\d=`)

// Marts lists the marts that the lake holds, by name.
func (r *Reader) Marts(context.Context) ([]Mart, error) {
	files, err := martFiles(r.lake)
	if err != nil {
		return nil, err
	}
	var marts []Mart
	for _, m := range Models() {
		mart := Mart{Name: m.Name, What: m.What}
		var prints []string
		for _, file := range files[m.Name] {
			says, rows := fileMetadata(r.lake, file)
			mart.Source, mart.ToolVersion = says["captionlake.source"], says["captionlake.tool_version"]
			mart.Inputs = partForm.ReplaceAllString(says[inputsKey], "=")
			mart.Rows += rows
			prints = append(prints, says[printKey])
		}
		if len(prints) > 0 {
			mart.Fingerprint = martContent(prints)
			marts = append(marts, mart)
		}
	}
	if len(marts) == 0 {
		return nil, data.WithHint(errors.New("the lake holds no marts"), "compute them: captionlake analyze")
	}
	slices.SortFunc(marts, func(a, b Mart) int { return strings.Compare(a.Name, b.Name) })
	return marts, nil
}

// Model returns the SQL model of a mart; false where the mart is of no model.
func (r *Reader) Model(mart string) (Model, bool) {
	for _, m := range modelsNamed([]string{mart}) {
		return m, true
	}
	return Model{}, false
}

// Rows runs a select of the program's own and hands each row to the function: text, numbers (decimals as the driver's decimal type), truth
// values, times, lists as []any, and nil for null. The slice is only valid during the call. The columns come first, so
// that they are known when there are no rows.
func (r *Reader) Rows(ctx context.Context, query string, columns func([]string) error, row func([]any) error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	var result *sql.Rows
	if err := r.retried(ctx, query, func() (err error) {
		result, err = r.engine.conn.QueryContext(ctx, query)
		return err
	}); err != nil {
		return err
	}
	return eachRow(result, columns, row)
}

// eachRow hands each row of a result to a function, and closes the result.
func eachRow(result *sql.Rows, columns func([]string) error, row func([]any) error) (err error) {
	defer func() { err = errors.Join(err, result.Close()) }()
	names, err := result.Columns()
	if err != nil {
		return err
	}
	if err := columns(names); err != nil {
		return err
	}
	values, targets := make([]any, len(names)), make([]any, len(names))
	for i := range values {
		targets[i] = &values[i]
	}
	for result.Next() {
		if err := result.Scan(targets...); err != nil {
			return err
		}
		if err := row(values); err != nil {
			return err
		}
	}
	return result.Err()
}
