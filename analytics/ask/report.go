package ask

import (
	"bytes"
	"context"
	"errors"
	"strings"

	"github.com/captionlake/captionlake/analytics/engine"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/sql"
)

// A Section is a part of a report: the rows of a query, in the form that was asked for.
type Section struct {
	Name, Title string
	Rows        []byte
}

// Report answers the queries of a file of the program's own, such as queries/bank.sql. Each query
// stands below a comment with its name and title. words are pairs of a word in braces and the SQL
// that replaces it in the queries.
func Report(ctx context.Context, lake *data.Lake, file string, o Options, words ...string) (report []Section,
	err error) {
	r, err := OpenReader(ctx, lake, engine.Options{})
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	// The file is split before words are replaced, because a replacement may contain a comment. The
	// first piece is the comment at the top of the file, and no section.
	for _, section := range strings.Split(sql.Text(file), "\n-- ")[1:] {
		head, query, _ := strings.Cut(section, "\n")
		name, title, _ := strings.Cut(head, ": ")
		var rows bytes.Buffer
		if _, err := r.Query(ctx, sql.Filled(query, words...), o, &rows); err != nil {
			return nil, err
		}
		report = append(report, Section{name, title, rows.Bytes()})
	}
	return report, nil
}
