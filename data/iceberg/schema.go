package iceberg

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	ice "github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/catalog"
	"github.com/apache/iceberg-go/table"

	"github.com/captionlake/captionlake/data"
)

// ErrFieldIDs is wrapped by the error of a table whose columns have other ids than those of the lake's files. Engines find columns by their
// ids: some refuse such files, and some read nulls, or another column, without a word.
var ErrFieldIDs = errors.New("the catalog has other field ids than the lake's files")

// types are Iceberg's types by the dictionary's.
var types = map[string]ice.Type{
	"VARCHAR": ice.PrimitiveTypes.String, "BOOLEAN": ice.PrimitiveTypes.Bool, "INTEGER": ice.PrimitiveTypes.Int32, "BIGINT": ice.PrimitiveTypes.Int64,
	"FLOAT": ice.PrimitiveTypes.Float32, "DOUBLE": ice.PrimitiveTypes.Float64, "TIMESTAMP WITH TIME ZONE": ice.PrimitiveTypes.TimestampTz,
}

// fields are the columns of a table of the lake, with the ids that its files have. Those of the key are required. No other is, although
// none is null in the files of this version: files of earlier versions do not have every column.
func fields(doc data.TableDoc) ([]ice.NestedField, error) {
	var all []ice.NestedField
	for _, column := range doc.Columns {
		element, list := strings.CutSuffix(column.Type, "[]")
		known, ok := types[element]
		if !ok {
			return nil, fmt.Errorf("the column %s.%s has the type %s, which Iceberg does not know", doc.Name, column.Name, column.Type)
		}
		if list {
			known = &ice.ListType{ElementID: column.FieldID + 1, Element: known} // Ids count lists' elements, too.
		}
		all = append(all, ice.NestedField{
			ID: column.FieldID, Name: column.Name, Type: known, Doc: column.Comment, Required: slices.Contains(doc.Key, column.Name),
		})
	}
	return all, nil
}

// ids are the ids of columns by name, that of a list's element under NAME.element.
func ids(fields []ice.NestedField) map[string]int {
	all := map[string]int{}
	for _, f := range fields {
		all[f.Name] = f.ID
		if list, ok := f.Type.(*ice.ListType); ok {
			all[f.Name+".element"] = list.ElementID
		}
	}
	return all
}

// sameIDs checks that the columns that a table and a file both have have the same ids.
func sameIDs(ident table.Identifier, has, file map[string]int) error {
	for _, name := range slices.SortedFunc(maps.Keys(file), func(a, b string) int { return file[a] - file[b] }) {
		if id, ok := has[name]; ok && id != file[name] {
			return data.WithHint(fmt.Errorf("%w: %s.%s is %d there, and %d in the files", ErrFieldIDs, strings.Join(ident, "."), name, id, file[name]),
				"nothing was registered, since engines would read other columns or nulls; drop the table in the catalog and register again, or choose another --namespace")
		}
	}
	return nil
}

// ensure loads the table of the catalog, makes it where there is none, and adds the columns that it does not have.
//
// Iceberg numbers the columns of a new table breadth-first, all columns before the first list's element, and the lake's files number them
// depth-first. So a table is made of its columns up to the first list, for which both agree, and the others are added, each of which
// gets the next ids. A table that was made by an interrupted call, or from files of an earlier version, gets what it does not have in the
// same way. Nothing is committed to a table whose ids then differ from those of the files.
func (r *registration) ensure(ctx context.Context, ident table.Identifier, want []ice.NestedField, what string) (*table.Table, error) {
	tbl, err := r.catalog.LoadTable(ctx, ident)
	if errors.Is(err, catalog.ErrNoSuchTable) {
		first := want
		if i := slices.IndexFunc(want, isList); i >= 0 {
			first = want[:i+1]
		}
		tbl, err = r.catalog.CreateTable(ctx, ident, ice.NewSchema(0, first...), catalog.WithProperties(properties(what)))
		if errors.Is(err, catalog.ErrTableAlreadyExists) {
			tbl, err = r.catalog.LoadTable(ctx, ident)
		}
	}
	if err != nil {
		return nil, err
	}
	has := ids(tbl.Schema().Fields())
	if err := sameIDs(ident, has, ids(want)); err != nil {
		return nil, err
	}
	tx := tbl.NewTransaction()
	update := tx.UpdateSchema(true, true)
	added := false
	for _, f := range want {
		if _, ok := has[f.Name]; !ok {
			update = update.AddColumn([]string{f.Name}, f.Type, f.Doc, f.Required, nil)
			added = true
		}
	}
	if !added {
		return tbl, nil
	}
	if err := update.Commit(); err != nil {
		return nil, err
	}
	staged, err := tx.StagedTable()
	if err != nil {
		return nil, err
	}
	if err := sameIDs(ident, ids(staged.Schema().Fields()), ids(want)); err != nil {
		return nil, err
	}
	return r.committed(ctx, tbl, tx)
}

func isList(f ice.NestedField) bool {
	_, list := f.Type.(*ice.ListType)
	return list
}
