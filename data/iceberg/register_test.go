package iceberg

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	ice "github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/catalog"
	"github.com/apache/iceberg-go/table"
	"github.com/google/go-cmp/cmp"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/laketest"
)

// Every column of every table comes back through the catalog as the lake has it: lists, nulls and times included.
func TestEveryColumnComesBack(t *testing.T) {
	t.Parallel()
	l := laketest.New(t)
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
	l := laketest.New(t)
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

// A dry run of a lake that was never registered writes nothing.
func TestDryRunWritesNothing(t *testing.T) {
	t.Parallel()
	l := laketest.New(t)
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

// A lake without rows, such as one that has marts alone, gets no catalog.
func TestNothingToRegister(t *testing.T) {
	t.Parallel()
	l := laketest.New(t)
	if all := registered(t, l, Options{}); len(all) > 0 {
		t.Errorf("registered %+v", all)
	}
	if _, err := os.Stat(filepath.Join(l.Dir(), Folder)); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the lake has a folder %s: %v", Folder, err)
	}
}

// A lake that has moved is told what to do with the catalog in it.
func TestRegisterAMovedLake(t *testing.T) {
	t.Parallel()
	l, err := data.Create(filepath.Join(t.TempDir(), "lake"), "test")
	if err != nil {
		t.Fatal(err)
	}
	write(t, l, data.Answers, "one", answer("a", 1))
	registered(t, l, Options{})
	moved := filepath.Join(t.TempDir(), "moved")
	if err := errors.Join(l.Close(), os.Rename(l.Dir(), moved)); err != nil {
		t.Fatal(err)
	}
	there, err := data.Open(moved)
	if err != nil {
		t.Fatal(err)
	}
	_, err = Register(t.Context(), there, Options{})
	var hint *data.HintError
	if !errors.As(err, &hint) || !strings.Contains(hint.Hint, "the lake has moved") {
		t.Fatalf("got %v", err)
	}
	if err := os.RemoveAll(filepath.Join(moved, Folder)); err != nil {
		t.Fatal(err)
	}
	if all := registered(t, there, Options{}); len(all) == 0 || all[0].Added != 1 {
		t.Errorf("registered again: %+v", all)
	}
}

// A filter on captioner or prompt plans few files: every column has counts and bounds in the catalog, and the bounds tell names apart that
// begin alike.
func TestFiltersPlanFewFiles(t *testing.T) {
	t.Parallel()
	l := laketest.New(t)
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
	l := laketest.New(t)
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
	l, other := laketest.New(t), laketest.New(t)
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
