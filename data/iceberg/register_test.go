package iceberg

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/apache/arrow-go/v18/arrow"
	"github.com/apache/arrow-go/v18/arrow/array"
	ice "github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/catalog"
	"github.com/apache/iceberg-go/io"
	"github.com/apache/iceberg-go/table"
	"github.com/google/go-cmp/cmp"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/remote"
)

func newLake(t *testing.T) *data.Lake {
	t.Helper()
	l, err := data.Create(filepath.Join(t.TempDir(), "a lake"), "test")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := l.Close(); err != nil {
			t.Error(err)
		}
	})
	return l
}

// write commits a unit of one table.
func write[T any](t *testing.T, l *data.Lake, of data.Table[T], name string, rows ...T) {
	t.Helper()
	tx, err := l.Begin(data.Unit{Stage: "test", Name: name, Provenance: data.ProvenanceSimulated})
	if err != nil {
		t.Fatal(err)
	}
	defer tx.Abort()
	w, err := data.NewRowWriter(tx, of)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(w.Write(rows...), tx.Commit()); err != nil {
		t.Fatal(err)
	}
}

// answer is one of a captioner, with lists before and after which there are columns.
func answer(captioner string, n int) data.Answer {
	var row data.Answer
	fill(reflect.ValueOf(&row).Elem(), n)
	row.Captioner = captioner
	return row
}

// fill gives every column a value that no other row has; the row 0 has zeros, nulls and empty lists.
func fill(row reflect.Value, n int) {
	for i := range row.NumField() {
		fillValue(row.Field(i), n, row.Type().Field(i).Name)
	}
}

func fillValue(v reflect.Value, n int, name string) {
	switch v.Kind() {
	case reflect.String:
		v.SetString(strings.Repeat(name+" ", min(n, 1)) + strings.Repeat("x", min(n, 1)) + fmt.Sprint(n))
	case reflect.Bool:
		v.SetBool(n%2 == 1)
	case reflect.Int32, reflect.Int64:
		v.SetInt(int64(n))
	case reflect.Float32, reflect.Float64:
		v.SetFloat(float64(n) + 0.5)
	case reflect.Pointer:
		if n > 0 {
			v.Set(reflect.New(v.Type().Elem()))
			fillValue(v.Elem(), n, name)
		}
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), n, n))
		for i := range n {
			fillValue(v.Index(i), i+1, name)
		}
	case reflect.Struct:
		v.Set(reflect.ValueOf(time.Unix(int64(n), int64(n)*1000).UTC()))
	}
}

// lakeRows are the rows of a table as the lake reads them, by column.
func lakeRows[T any](t *testing.T, l *data.Lake, of data.Table[T]) (rows []map[string]any) {
	t.Helper()
	for row, err := range data.Scan(l, of) {
		if err != nil {
			t.Fatal(err)
		}
		columns, v := map[string]any{}, reflect.ValueOf(row)
		for i := range v.NumField() {
			name, options, _ := strings.Cut(v.Type().Field(i).Tag.Get("parquet"), ",")
			columns[name] = plain(v.Field(i))
			if columns[name] == "" && strings.HasPrefix(options, "optional") {
				columns[name] = nil
			}
		}
		rows = append(rows, columns)
	}
	return rows
}

func plain(v reflect.Value) any {
	switch {
	case v.Kind() == reflect.Pointer && v.IsNil():
		return nil
	case v.Kind() == reflect.Pointer:
		return plain(v.Elem())
	case v.Kind() == reflect.Slice:
		list := []any{}
		for i := range v.Len() {
			list = append(list, plain(v.Index(i)))
		}
		return list
	}
	return v.Interface()
}

// tableRows are the rows that a scan of the Iceberg table reads, by column.
func tableRows(t *testing.T, tbl *table.Table) (rows []map[string]any) {
	t.Helper()
	_, records, err := tbl.Scan().ToArrowRecords(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	for record, err := range records {
		if err != nil {
			t.Fatal(err)
		}
		for i := range int(record.NumRows()) {
			row := map[string]any{}
			for j, column := range record.Columns() {
				row[record.ColumnName(j)] = cell(t, column, i)
			}
			rows = append(rows, row)
		}
		record.Release()
	}
	return rows
}

func cell(t *testing.T, column arrow.Array, i int) any {
	if column.IsNull(i) {
		return nil
	}
	switch c := column.(type) {
	case *array.String:
		return strings.Clone(c.Value(i))
	case *array.LargeString:
		return strings.Clone(c.Value(i))
	case *array.Boolean:
		return c.Value(i)
	case *array.Int32:
		return c.Value(i)
	case *array.Int64:
		return c.Value(i)
	case *array.Float32:
		return c.Value(i)
	case *array.Float64:
		return c.Value(i)
	case *array.Timestamp:
		return time.UnixMicro(int64(c.Value(i))).UTC()
	case array.ListLike:
		list := []any{}
		for from, to := c.ValueOffsets(i); from < to; from++ {
			list = append(list, cell(t, c.ListValues(), int(from)))
		}
		return list
	}
	t.Fatalf("a column is %T", column)
	return nil
}

// inTempCatalog reaches the catalog that is in the lake.
func inTempCatalog(t *testing.T, l *data.Lake) *openCatalog {
	t.Helper()
	root, err := filepath.Abs(l.Dir())
	if err != nil {
		t.Fatal(err)
	}
	opened, err := Options{}.open(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := opened.close(); err != nil {
			t.Error(err)
		}
	})
	return opened
}

func loaded(t *testing.T, c catalog.Catalog, name string) *table.Table {
	t.Helper()
	tbl, err := c.LoadTable(t.Context(), catalog.ToIdentifier(DefaultNamespace, name))
	if err != nil {
		t.Fatal(err)
	}
	return tbl
}

// agrees holds that the Iceberg table reads as the lake's does, in any order.
func agrees[T any](t *testing.T, l *data.Lake, c catalog.Catalog, of data.Table[T]) {
	t.Helper()
	text := func(rows []map[string]any) (all []string) {
		for _, row := range rows {
			all = append(all, fmt.Sprintf("%#v", row))
		}
		slices.Sort(all)
		return all
	}
	if diff := cmp.Diff(text(lakeRows(t, l, of)), text(tableRows(t, loaded(t, c, of.Name())))); diff != "" {
		t.Errorf("%s: the lake's rows (-) and those of the catalog (+): %s", of.Name(), diff)
	}
}

func registered(t *testing.T, l *data.Lake, o Options) []Registered {
	t.Helper()
	all, err := Register(t.Context(), l, o)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

func everyColumn[T any](t *testing.T, l *data.Lake, of data.Table[T]) {
	t.Helper()
	rows := make([]T, 4)
	for n := range rows {
		fill(reflect.ValueOf(&rows[n]).Elem(), n)
	}
	write(t, l, of, of.Name(), rows...)
}

// Every column of every table comes back through the catalog as the lake has it: lists, nulls and times included.
func TestEveryColumnComesBack(t *testing.T) {
	t.Parallel()
	l := newLake(t)
	everyColumn(t, l, data.Images)
	everyColumn(t, l, data.Taxonomy)
	everyColumn(t, l, data.Questions)
	everyColumn(t, l, data.Candidates)
	everyColumn(t, l, data.BlindTrials)
	everyColumn(t, l, data.Embeddings)
	everyColumn(t, l, data.QuestionGroups)
	everyColumn(t, l, data.Validations)
	everyColumn(t, l, data.Routes)
	everyColumn(t, l, data.Reviews)
	everyColumn(t, l, data.QualitySamples)
	everyColumn(t, l, data.QualityRatings)
	everyColumn(t, l, data.Captions)
	everyColumn(t, l, data.Calls)
	everyColumn(t, l, data.Answers)
	everyColumn(t, l, data.Annotations)
	everyColumn(t, l, data.Judgments)
	everyColumn(t, l, data.ElementAnswers)
	everyColumn(t, l, data.Battles)
	everyColumn(t, l, data.Votes)
	everyColumn(t, l, data.PublishedFigures)
	everyColumn(t, l, data.Models)
	if all := registered(t, l, Options{}); len(all) != len(data.Tables()) {
		t.Fatalf("%d tables were registered, of %d", len(all), len(data.Tables()))
	}
	c := inTempCatalog(t, l)
	agrees(t, l, c, data.Images)
	agrees(t, l, c, data.Taxonomy)
	agrees(t, l, c, data.Questions)
	agrees(t, l, c, data.Candidates)
	agrees(t, l, c, data.BlindTrials)
	agrees(t, l, c, data.Embeddings)
	agrees(t, l, c, data.QuestionGroups)
	agrees(t, l, c, data.Validations)
	agrees(t, l, c, data.Routes)
	agrees(t, l, c, data.Reviews)
	agrees(t, l, c, data.QualitySamples)
	agrees(t, l, c, data.QualityRatings)
	agrees(t, l, c, data.Captions)
	agrees(t, l, c, data.Calls)
	agrees(t, l, c, data.Answers)
	agrees(t, l, c, data.Annotations)
	agrees(t, l, c, data.Judgments)
	agrees(t, l, c, data.ElementAnswers)
	agrees(t, l, c, data.Battles)
	agrees(t, l, c, data.Votes)
	agrees(t, l, c, data.PublishedFigures)
	agrees(t, l, c, data.Models)
	agrees(t, l, c, data.Runs)
	docs, err := data.Dictionary()
	if err != nil {
		t.Fatal(err)
	}
	for _, doc := range docs {
		tbl := loaded(t, c, doc.Name)
		want, err := fields(doc)
		if err != nil {
			t.Fatal(err)
		}
		if diff := cmp.Diff(ids(want), ids(tbl.Schema().Fields())); diff != "" {
			t.Errorf("%s: field ids of the files (-) and of the catalog (+): %s", doc.Name, diff)
		}
		for _, f := range tbl.Schema().Fields() {
			if f.Doc == "" {
				t.Errorf("%s.%s has no comment in the catalog", doc.Name, f.Name)
			}
		}
	}
}

// The Iceberg table follows the lake: new units are appended, replaced ones change place in one snapshot, removed ones go, and what agrees
// is left alone. Snapshots name units and runs, and old ones can still be read.
func TestRegisterFollowsTheLake(t *testing.T) {
	t.Parallel()
	l := newLake(t)
	answers := Options{Tables: []string{"answers"}}
	write(t, l, data.Answers, "one", answer("a", 1), answer("a", 2))
	write(t, l, data.Answers, "two", answer("b", 3))
	all := registered(t, l, answers)
	c := inTempCatalog(t, l)
	agrees(t, l, c, data.Answers)
	first := all[0]
	if first.Added != 2 || first.Files != 2 || first.Rows != 3 || first.Snapshot == 0 {
		t.Errorf("the first registration is %+v", first)
	}
	before := tableRows(t, loaded(t, c, "answers"))

	if again := registered(t, l, answers)[0]; again.Changed() || again.Snapshot != first.Snapshot || again.Metadata != first.Metadata {
		t.Errorf("registered again, the table is %+v, and was %+v", again, first)
	}

	write(t, l, data.Answers, "three", answer("c", 4))
	write(t, l, data.Answers, "two", answer("b", 5), answer("b", 6))
	if err := l.Remove(data.Unit{Stage: "test", Name: "one"}.FileStem()); err != nil {
		t.Fatal(err)
	}
	dry := answers
	dry.DryRun = true
	if would := registered(t, l, dry)[0]; would.Added != 1 || would.Replaced != 1 || would.Removed != 1 || would.Snapshot != first.Snapshot {
		t.Errorf("a dry run says %+v", would)
	}
	// What was registered is as it was, although a unit was replaced and one removed.
	if diff := cmp.Diff(before, tableRows(t, loaded(t, c, "answers"))); diff != "" {
		t.Errorf("the registered table changed with the lake: %s", diff)
	}
	second := registered(t, l, answers)[0]
	agrees(t, l, c, data.Answers)
	if second.Added != 1 || second.Replaced != 1 || second.Removed != 1 || second.Files != 2 || second.Rows != 3 {
		t.Errorf("the second registration is %+v", second)
	}
	tbl := loaded(t, c, "answers")
	if n := len(tbl.Metadata().Snapshots()); n != 2 {
		t.Errorf("there are %d snapshots, want 2", n)
	}
	runs := map[string]string{}
	for run, err := range data.Scan(l, data.Runs) {
		if err != nil {
			t.Fatal(err)
		}
		runs[run.Unit] = run.RunID // The last execution comes last, or it is the only one.
	}
	summary := tbl.CurrentSnapshot().Summary.Properties
	three := data.Unit{Stage: "test", Name: "three"}.FileStem()
	one := data.Unit{Stage: "test", Name: "one"}.FileStem()
	if summary["captionlake.added"] != three+"@"+runs[three] || summary["captionlake.removed"] != one || !strings.HasPrefix(summary["captionlake.replaced"], "test-two-") {
		t.Errorf("the snapshot says %v", summary)
	}
	old := *tbl.CurrentSnapshot().ParentSnapshotID
	_, records, err := tbl.Scan(table.WithSnapshotID(old)).ToArrowRecords(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	rows := int64(0)
	for record, err := range records {
		if err != nil {
			t.Fatal(err)
		}
		rows += record.NumRows()
	}
	if rows != 3 {
		t.Errorf("the first snapshot has %d rows, want 3", rows)
	}

	expire := answers
	expire.Expire = time.Nanosecond
	if third := registered(t, l, expire)[0]; third.Expired != 1 || third.Rows != 3 {
		t.Errorf("with old snapshots given up, the table is %+v", third)
	}
	agrees(t, l, c, data.Answers)
	pinned, err := filepath.Glob(filepath.Join(l.Dir(), Folder, "files", "answers-*", "*"))
	if err != nil || len(pinned) != 2 {
		t.Errorf("there are files %q, want two: %v", pinned, err)
	}

	for _, unit := range []string{"two", "three"} {
		if err := l.Remove(data.Unit{Stage: "test", Name: unit}.FileStem()); err != nil {
			t.Fatal(err)
		}
	}
	if last := registered(t, l, answers)[0]; last.Removed != 2 || last.Files != 0 || last.Rows != 0 {
		t.Errorf("of an empty table, the registration is %+v", last)
	}
	agrees(t, l, c, data.Answers)
	write(t, l, data.Answers, "one", answer("a", 1))
	registered(t, l, answers)
	agrees(t, l, c, data.Answers)
}

// What was pushed is registered under the names that it has there, whichever lake has the bytes: the table follows the commits, and a lake that
// has more than the last one is told to push.
func TestRegisterWhatWasPushed(t *testing.T) {
	t.Parallel()
	l, other, behind := newLake(t), newLake(t), newLake(t)
	write(t, l, data.Answers, "one", answer("a", 1), answer("a", 2))
	write(t, other, data.Answers, "two", answer("b", 3))
	address := remote.Address{Bucket: "bucket", Prefix: "lakes/one"}
	commit := map[string]data.UnitFiles{}
	push := func(lake *data.Lake) {
		all, err := lake.Inventory()
		if err != nil {
			t.Fatal(err)
		}
		for _, u := range all {
			commit[u.Unit] = u
		}
	}
	push(l)
	push(other)
	o := Options{Tables: []string{"answers"}, Files: address, Catalog: Catalog{Warehouse: "file://" + t.TempDir()}}
	root := t.TempDir()
	opened, err := o.open(t.Context(), root)
	if err != nil {
		t.Fatal(err)
	}
	defer opened.close()
	stored := stored{t, address.String() + "/", []*data.Lake{l, other}, &atomic.Int64{}}
	register := func(lake *data.Lake) ([]Registered, error) {
		at, err := pushedTo(address, commit, lake, func() (io.IO, error) { return stored, nil })
		if err != nil {
			return nil, err
		}
		return registerAt(t.Context(), opened, at, o)
	}
	all, err := register(l)
	if err != nil || all[0].Added != 2 || all[0].Rows != 3 || stored.read.Load() == 0 {
		t.Fatalf("registered %+v: %v, %d reads", all, err, stored.read.Load())
	}
	stored.read.Store(0)
	for _, lake := range []*data.Lake{l, other, behind} {
		if again, err := register(lake); err != nil || again[0].Changed() || stored.read.Load() > 0 {
			t.Errorf("registered again %+v: %v, %d reads", again, err, stored.read.Load())
		}
	}
	located := func() (names []string) {
		tasks, err := loaded(t, opened, "answers").Scan().PlanFiles(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		for _, task := range tasks {
			names = append(names, task.File.FilePath())
		}
		slices.Sort(names)
		return names
	}
	pushedNames := func() (names []string) {
		for unit, u := range commit {
			names = append(names, address.String()+"/"+remote.ObjectName("answers", unit, u.Tables["answers"]))
		}
		slices.Sort(names)
		return names
	}
	if diff := cmp.Diff(pushedNames(), located()); diff != "" {
		t.Errorf("the pushed names (-) and those of the catalog (+): %s", diff)
	}
	if loaded(t, opened, "answers").Properties()["gc.enabled"] != "false" {
		t.Error("an engine may delete the pushed files")
	}

	write(t, l, data.Answers, "one", answer("a", 4))
	write(t, l, data.Answers, "three", answer("c", 5))
	if _, err := register(l); !errors.Is(err, ErrNotPushed) || !strings.Contains(err.Error(), ": test-one-") || !strings.Contains(err.Error(), " and 1 more") {
		t.Errorf("of a lake that is ahead the error is %v", err)
	}
	push(l)
	delete(commit, data.Unit{Stage: "test", Name: "two"}.FileStem())
	stored.read.Store(0)
	all, err = register(l)
	if err != nil || all[0].Added != 1 || all[0].Replaced != 1 || all[0].Removed != 1 || all[0].Rows != 2 || stored.read.Load() > 0 {
		t.Errorf("registered %+v: %v, %d reads", all, err, stored.read.Load())
	}
	if diff := cmp.Diff(pushedNames(), located()); diff != "" {
		t.Errorf("the pushed names (-) and those of the catalog (+): %s", diff)
	}
	o.Expire = time.Nanosecond
	if all, err := register(l); err != nil || all[0].Expired != 1 || loaded(t, opened, "answers").Properties()["gc.enabled"] != "false" {
		t.Errorf("with old snapshots given up: %+v, %v", all, err)
	}
	// The lake's own files are another table's.
	if _, err := Register(t.Context(), l, Options{Tables: o.Tables, Catalog: Catalog{URI: sqlitePrefix + filepath.Join(root, catalogFile)}}); err == nil || !strings.Contains(err.Error(), "did not register") {
		t.Errorf("of other files the error is %v", err)
	}
}

// stored is object storage to which lakes were pushed. What deletes fails.
type stored struct {
	t     *testing.T
	base  string
	lakes []*data.Lake
	read  *atomic.Int64
}

func (s stored) Open(location string) (io.File, error) {
	s.read.Add(1)
	table, file := path.Split(strings.TrimPrefix(location, s.base))
	unit := remote.UnitOf(path.Clean(table), table+file)
	for _, l := range s.lakes {
		if f, err := os.Open(l.Path(table + unit + ".parquet")); err == nil {
			return f, nil
		}
	}
	return nil, fmt.Errorf("%s: %w", location, fs.ErrNotExist)
}

func (s stored) Remove(location string) error {
	s.t.Errorf("%s is removed", location)
	return nil
}

// A dry run of a lake that was never registered writes nothing.
func TestDryRunWritesNothing(t *testing.T) {
	t.Parallel()
	l := newLake(t)
	write(t, l, data.Answers, "one", answer("a", 1))
	all := registered(t, l, Options{DryRun: true})
	if len(all) != 2 || all[0].Table != "captionlake.answers" || all[0].Added != 1 || all[0].Metadata != "" {
		t.Errorf("a dry run says %+v", all)
	}
	found, err := filepath.Glob(filepath.Join(l.Dir(), Folder, "*"))
	if err != nil || len(found) > 0 {
		t.Errorf("a dry run left %q: %v", found, err)
	}
}

// A filter on captioner or prompt plans few files: every column has counts and bounds in the catalog, and the bounds tell names apart that
// begin alike.
func TestFiltersPlanFewFiles(t *testing.T) {
	t.Parallel()
	l := newLake(t)
	for n := range 12 {
		write(t, l, data.Answers, fmt.Sprint(n), answer(fmt.Sprintf("Organization/A-Model-With-A-Long-Name-%02d", n), n+1))
	}
	registered(t, l, Options{Tables: []string{"answers"}})
	tbl := loaded(t, inTempCatalog(t, l), "answers")
	tasks, err := tbl.Scan(table.WithRowFilter(ice.EqualTo(ice.Reference("captioner"), "Organization/A-Model-With-A-Long-Name-07"))).PlanFiles(t.Context())
	if err != nil || len(tasks) != 1 {
		t.Errorf("a filter plans %d files, want 1: %v", len(tasks), err)
	}
	tasks, err = tbl.Scan().PlanFiles(t.Context())
	if err != nil || len(tasks) != 12 {
		t.Fatalf("all rows are in %d files: %v", len(tasks), err)
	}
	for _, task := range tasks {
		for _, f := range tbl.Schema().Fields() {
			if isList(f) {
				continue
			}
			if task.File.ValueCounts()[f.ID] != 1 || len(task.File.LowerBoundValues()[f.ID]) == 0 || len(task.File.UpperBoundValues()[f.ID]) == 0 {
				t.Errorf("%s has %d values in the catalog, from %q to %q", f.Name, task.File.ValueCounts()[f.ID], task.File.LowerBoundValues()[f.ID], task.File.UpperBoundValues()[f.ID])
			}
		}
	}
}

// A table whose columns Iceberg has numbered in its own way is refused, before anything is registered in it.
func TestOtherFieldIDsAreRefused(t *testing.T) {
	t.Parallel()
	l := newLake(t)
	write(t, l, data.Questions, "bank", data.Question{QuestionID: "q"})
	c := inTempCatalog(t, l)
	docs, err := chosen([]string{"questions"})
	if err != nil {
		t.Fatal(err)
	}
	want, err := fields(docs[0])
	if err != nil {
		t.Fatal(err)
	}
	if err := c.CreateNamespace(t.Context(), catalog.ToIdentifier(DefaultNamespace), nil); err != nil {
		t.Fatal(err)
	}
	ident := catalog.ToIdentifier(DefaultNamespace, "questions")
	if _, err := c.CreateTable(t.Context(), ident, ice.NewSchema(0, want[0])); err != nil {
		t.Fatal(err)
	}
	// As Spark and pyiceberg number them: all columns, and then the elements of lists.
	next := len(want)
	for i := range want {
		want[i].ID = i + 1
		if list, ok := want[i].Type.(*ice.ListType); ok {
			next++
			want[i].Type = &ice.ListType{ElementID: next, Element: list.Element}
		}
	}
	if _, _, err := c.CommitTable(t.Context(), ident, nil, []table.Update{table.NewAddSchemaUpdate(ice.NewSchema(1, want...)), table.NewSetCurrentSchemaUpdate(-1)}); err != nil {
		t.Fatal(err)
	}
	_, err = Register(t.Context(), l, Options{Tables: []string{"questions"}})
	if !errors.Is(err, ErrFieldIDs) || !strings.Contains(err.Error(), "captionlake.questions.options.element is 16 there, and 10 in the files") {
		t.Errorf("the error is %v", err)
	}
	if loaded(t, c, "questions").CurrentSnapshot() != nil {
		t.Error("something was registered")
	}
}

// Rows of others are refused rather than doubled or dropped: of an engine that rewrote the table, or of another lake.
func TestRowsOfOthersAreRefused(t *testing.T) {
	t.Parallel()
	l, other := newLake(t), newLake(t)
	write(t, l, data.Answers, "one", answer("a", 1))
	write(t, other, data.Answers, "two", answer("b", 2))
	registered(t, l, Options{})
	shared := Options{Catalog: Catalog{URI: sqlitePrefix + filepath.Join(l.Dir(), catalogFile)}}
	_, err := Register(t.Context(), other, shared)
	if err == nil || !strings.Contains(err.Error(), "that this lake did not register") {
		t.Errorf("the error is %v", err)
	}
	shared.Namespace = "others.lake"
	registered(t, other, shared)
}

// A brokenCatalog fails at one of its writes, before or after it is done, as a kill or a lost connection would have it.
type brokenCatalog struct {
	catalog.Catalog
	left   int
	after  bool
	before func()
}

var errBroken = errors.New("the connection is gone")

func (c *brokenCatalog) breaks() bool {
	c.left--
	return c.left == 0
}

func (c *brokenCatalog) CreateTable(ctx context.Context, ident table.Identifier, s *ice.Schema, o ...catalog.CreateTableOpt) (*table.Table, error) {
	breaks := c.breaks()
	if breaks && !c.after {
		return nil, errBroken
	}
	tbl, err := c.Catalog.CreateTable(ctx, ident, s, o...)
	if breaks {
		return nil, errBroken
	}
	return table.New(tbl.Identifier(), tbl.Metadata(), tbl.MetadataLocation(), tbl.FS, c), err
}

func (c *brokenCatalog) LoadTable(ctx context.Context, ident table.Identifier) (*table.Table, error) {
	tbl, err := c.Catalog.LoadTable(ctx, ident)
	if err != nil {
		return nil, err
	}
	return table.New(tbl.Identifier(), tbl.Metadata(), tbl.MetadataLocation(), tbl.FS, c), nil
}

func (c *brokenCatalog) CommitTable(ctx context.Context, ident table.Identifier, r []table.Requirement, u []table.Update) (table.Metadata, string, error) {
	if c.before != nil {
		before := c.before
		c.before = nil
		before()
	}
	breaks := c.breaks()
	if breaks && !c.after {
		return nil, "", errBroken
	}
	m, at, err := c.Catalog.CommitTable(ctx, ident, r, u)
	if breaks {
		return nil, "", errBroken
	}
	return m, at, err
}

// A registration that ends between any two of its steps is carried on by the next one, with every file once.
func TestInterruptedRegistrationGoesOn(t *testing.T) {
	t.Parallel()
	for _, after := range []bool{false, true} {
		broken := 0
		for step := 1; ; step++ {
			l := newLake(t)
			write(t, l, data.Answers, "one", answer("a", 1))
			write(t, l, data.Questions, "bank", data.Question{QuestionID: "q", Options: []string{"a", "b"}})
			o := Options{Tables: []string{"questions", "answers"}}
			opened := inTempCatalog(t, l)
			breaking := &brokenCatalog{Catalog: opened, left: step, after: after}
			_, err := registerIn(t.Context(), &openCatalog{Catalog: breaking}, l, o)
			if err != nil && !errors.Is(err, errBroken) {
				t.Fatal(err)
			}
			if breaking.left > 0 {
				break
			}
			broken++
			registered(t, l, o)
			agrees(t, l, opened, data.Answers)
			agrees(t, l, opened, data.Questions)
		}
		if broken != 6 { // for each table: made, columns added, files registered
			t.Errorf("there were %d steps to break at, want 6", broken)
		}
	}
}

// Two registrations at a time add no file twice: who comes second looks again.
func TestConflictsAreLookedAtAgain(t *testing.T) {
	t.Parallel()
	l := newLake(t)
	write(t, l, data.Answers, "one", answer("a", 1))
	o := Options{Tables: []string{"answers"}}
	registered(t, l, o)
	write(t, l, data.Answers, "two", answer("b", 2))
	opened := inTempCatalog(t, l)
	meanwhile := &brokenCatalog{Catalog: opened, before: func() { registered(t, l, o) }}
	all, err := registerIn(t.Context(), &openCatalog{Catalog: meanwhile}, l, o)
	if err != nil || all[0].Changed() || all[0].Files != 2 {
		t.Errorf("who came second did %+v: %v", all, err)
	}
	agrees(t, l, opened, data.Answers)

	write(t, l, data.Answers, "three", answer("c", 3))
	write(t, l, data.Questions, "bank", data.Question{QuestionID: "q"})
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			if _, err := Register(t.Context(), l, Options{}); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	agrees(t, l, opened, data.Answers)
	agrees(t, l, opened, data.Questions)
}

// Who always loses is told, and nothing is half done.
func TestEndlessConflictsAreTold(t *testing.T) {
	t.Parallel()
	l := newLake(t)
	write(t, l, data.Answers, "one", answer("a", 1))
	_, err := registerIn(t.Context(), &openCatalog{Catalog: losing{inTempCatalog(t, l)}}, l, Options{Tables: []string{"answers"}})
	var hint *data.HintError
	if !errors.Is(err, errMoved) || !errors.As(err, &hint) || !strings.Contains(hint.Hint, "register again") {
		t.Errorf("the error is %v", err)
	}
}

// losing is a catalog to which somebody else always commits first.
type losing struct{ catalog.Catalog }

func (c losing) LoadTable(ctx context.Context, ident table.Identifier) (*table.Table, error) {
	tbl, err := c.Catalog.LoadTable(ctx, ident)
	if err != nil {
		return nil, err
	}
	return table.New(tbl.Identifier(), tbl.Metadata(), tbl.MetadataLocation(), tbl.FS, c), nil
}

func (c losing) CreateTable(ctx context.Context, ident table.Identifier, s *ice.Schema, o ...catalog.CreateTableOpt) (*table.Table, error) {
	if _, err := c.Catalog.CreateTable(ctx, ident, s, o...); err != nil {
		return nil, err
	}
	return c.LoadTable(ctx, ident)
}

func (c losing) CommitTable(ctx context.Context, ident table.Identifier, r []table.Requirement, u []table.Update) (table.Metadata, string, error) {
	if slices.ContainsFunc(u, func(u table.Update) bool { return u.Action() == "add-snapshot" }) {
		first := ice.Properties{"somebody": time.Now().String()}
		if _, _, err := c.Catalog.CommitTable(ctx, ident, nil, []table.Update{table.NewSetPropertiesUpdate(first)}); err != nil {
			return nil, "", err
		}
		return nil, "", table.ErrCommitFailed
	}
	return c.Catalog.CommitTable(ctx, ident, r, u)
}

// Secrets come from the environment by name, and are in no error.
func TestSecretsAreNotShown(t *testing.T) {
	t.Setenv("TEST_CATALOG_CREDENTIAL", "somebody:hush")
	for _, key := range []string{"token", "credential", "s3.secret-access-key", "s3.session-token", "oauth.Password"} {
		if err := (Catalog{Properties: map[string]string{key: "x"}}).Check(); err == nil || !strings.Contains(err.Error(), "is a secret") {
			t.Errorf("the property %s is taken in the open: %v", key, err)
		}
	}
	for _, key := range []string{"scope", "prefix", "oauth2-server-uri", "s3.endpoint", "s3.region", "token-refresh-enabled"} {
		if err := (Catalog{Properties: map[string]string{key: "x"}}).Check(); err != nil {
			t.Error(err)
		}
	}
	if err := (Catalog{Secrets: map[string]string{"token": "TEST_CATALOG_ABSENT"}}).Check(); err == nil || !strings.Contains(err.Error(), "TEST_CATALOG_ABSENT") {
		t.Errorf("an absent variable gives %v", err)
	}
	for _, uri := range []string{"ftp://x", "https://somebody:hush@catalog.example.org"} {
		if err := (Catalog{URI: uri}).Check(); err == nil || strings.Contains(err.Error(), "hush") {
			t.Errorf("of the address of a catalog, the error is %v", err)
		}
	}
	c := openCatalog{secrets: []string{"somebody:hush"}}
	if err := c.safe(fmt.Errorf("%w: client_secret=hush", errBroken)); strings.Contains(err.Error(), "hush") || !errors.Is(err, errBroken) {
		t.Errorf("the error is %v", err)
	}
}
