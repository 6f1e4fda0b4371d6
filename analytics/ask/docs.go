package ask

import (
	"slices"

	"github.com/captionlake/captionlake/analytics/sqlmodel"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/dictionary"
)

// The kinds of relations that SQL can ask about.
const (
	KindTable    = "table"    // a base table
	KindMart     = "mart"     // the rows that a SQL model makes
	KindShortcut = "shortcut" // a view or a table macro over tables and marts
)

// A Doc describes a table, a mart or a shortcut for people.
type Doc struct {
	Name    string              `json:"name"`
	Kind    string              `json:"kind"`          // one of the kinds above
	Use     string              `json:"use,omitempty"` // of a shortcut that takes values: how a query calls it
	What    string              `json:"what"`
	Key     []string            `json:"key,omitempty"`
	Source  string              `json:"source,omitempty"`  // of a mart: table or figure of a paper
	SQL     string              `json:"sql,omitempty"`     // of a mart: path of its model in the source
	Example string              `json:"example,omitempty"` // of a shortcut: a query
	Columns []dictionary.Column `json:"columns"`
}

// Docs describes every base table, every mart and every shortcut, in this order.
func Docs() ([]Doc, error) {
	tables, err := dictionary.Tables()
	if err != nil {
		return nil, err
	}
	var docs []Doc
	for _, t := range tables {
		docs = append(docs, Doc{Name: t.Name, Kind: KindTable, What: t.What, Key: t.Key, Columns: t.Columns})
	}
	for _, m := range sqlmodel.All() {
		d := Doc{Name: m.Name, Kind: KindMart, What: m.What, Key: m.Key, Source: m.Source, SQL: "sql/" + m.File,
			Columns: m.Described()}
		docs = append(docs, d)
	}
	for _, s := range sqlmodel.Shortcuts() {
		d := Doc{Name: s.Name, Kind: KindShortcut, What: s.What, Example: s.Example, Columns: s.Columns}
		for _, like := range docs {
			if like.Name == s.Like && s.Columns == nil { // The shortcut has the columns of a mart.
				d.Columns = like.Columns
			}
		}
		if s.IsMacro() {
			d.Use = s.Use()
		}
		docs = append(docs, d)
	}
	return docs, nil
}

// LakeDocs describes the relations of a lake: its base tables, the marts that are built, and the
// shortcuts over them.
func LakeDocs(lake *data.Lake) ([]Doc, error) {
	files, err := data.MartFiles(lake)
	if err != nil {
		return nil, err
	}
	shortcuts, err := sqlmodel.ShortcutsOver(lake)
	if err != nil {
		return nil, err
	}
	docs, err := Docs()
	return slices.DeleteFunc(docs, func(d Doc) bool {
		switch d.Kind {
		case KindMart:
			return len(files[d.Name]) == 0
		case KindShortcut:
			return !slices.ContainsFunc(shortcuts, func(s sqlmodel.Shortcut) bool { return s.Name == d.Name })
		}
		return false
	}), err
}
