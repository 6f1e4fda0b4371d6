package data

import (
	"cmp"
	"embed"
	"encoding/binary"
	"fmt"
	"io"
	"reflect"
	"slices"
	"strings"

	"github.com/parquet-go/parquet-go"
)

// RowTypes are the files with the declarations of the row types. The comments of the fields are the
// text of the data dictionary.
//
//go:embed rows_*.go
var RowTypes embed.FS

// A Table ties a name in the lake to its row type and its key.
type Table[T any] struct{ *table }

// Compare orders two rows by the table's key.
func (t Table[T]) Compare(a, b *T) int {
	return cmp.Compare(t.sortText(reflect.ValueOf(a).Elem()), t.sortText(reflect.ValueOf(b).Elem()))
}

// AnyTable is a table whose row type does not matter to the caller.
type AnyTable interface {
	Name() string
	Key() []string
	What() string
	Big() bool
	RowType() reflect.Type

	stored() *table
}

// A table is a Table without its type parameter: the same code reads, sorts and writes rows of
// every type. Fields of the row type are given by their indexes.
type table struct {
	name          string
	what          string
	key           []string
	row           reflect.Type
	schema        *parquet.Schema
	fields        []int                      // the fields of the key
	order         func(a, b parquet.Row) int // compares rows by key
	models        []int                      // the fields that name a model
	provenance    int                        // the field with the provenance of a row
	hasProvenance bool                       // whether there is such a field
	encode        func(io.Writer, ...parquet.WriterOption) encoder
}

// newTable makes the table with the row type T. what is the text that Table.What gives, and key
// lists the columns of the key, with ", " between two columns.
func newTable[T any](name, what, key string) Table[T] {
	t := &table{name: name, what: what, key: strings.Split(key, ", "), row: reflect.TypeFor[T](),
		schema: parquet.SchemaOf(*new(T))}
	fields := fieldIndexes(t.row)
	for _, column := range t.key {
		t.fields = append(t.fields, fields[column])
	}
	t.provenance, t.hasProvenance = fields["provenance"]
	for _, column := range modelColumns {
		if i, ok := fields[column]; ok {
			t.models = append(t.models, i)
		}
	}
	t.order = t.schema.Comparator(t.sorting()...)
	t.encode = newTypedWriter[T]
	return Table[T]{t}
}

// Name is the table's name, which is also its folder in the lake.
func (t *table) Name() string { return t.name }

// Key lists the columns that identify a row, in sorting order.
func (t *table) Key() []string { return slices.Clone(t.key) }

// What says in one line what a row of the table is.
func (t *table) What() string { return t.what }

// bigTables grow with captioners times questions, or with the attempts at every question. Only SQL
// models that are folds read them.
var bigTables = []string{"embeddings", "captions", "calls", "answers", "judgments", "element_answers", "battles",
	"votes"}

// Big reports whether the table is one of the bigTables.
func (t *table) Big() bool { return slices.Contains(bigTables, t.name) }

// RowType is the Go type of a row.
func (t *table) RowType() reflect.Type { return t.row }

func (t *table) stored() *table { return t }

// sorting is the key as the Parquet library needs it for the order of rows.
func (t *table) sorting() (columns []parquet.SortingColumn) {
	for _, column := range t.key {
		columns = append(columns, parquet.Ascending(column))
	}
	return columns
}

// sortText is a row's key as one text. Such texts sort like the keys, and equal keys have equal
// texts. So that no column of the key runs into the next column, a text column ends in two zero
// bytes, and a byte 1 follows each zero byte within the column.
func (t *table) sortText(row reflect.Value) string {
	var b []byte
	for _, field := range t.fields {
		if v := row.Field(field); v.Kind() == reflect.String {
			b = append(append(b, strings.ReplaceAll(v.String(), "\x00", "\x00\x01")...), 0, 0)
		} else {
			b = binary.BigEndian.AppendUint64(b, uint64(v.Int())^1<<63) // The changed bit sorts negative numbers first.
		}
	}
	return string(b)
}

// keyText is the key of a row in error messages.
func (t *table) keyText(row reflect.Value) string {
	var parts []string
	for i, column := range t.key {
		parts = append(parts, fmt.Sprintf("%s=%v", column, row.Field(t.fields[i])))
	}
	return strings.Join(parts, " ")
}

// keyOf is keyText for a row of a file.
func (t *table) keyOf(values parquet.Row) string {
	row := t.newRow()
	if err := fill(row, t.schema, values); err != nil {
		return err.Error()
	}
	return t.keyText(reflect.ValueOf(row).Elem())
}

// newRow is a pointer to an empty row.
func (t *table) newRow() any { return reflect.New(t.row).Interface() }

// fieldIndexes maps the columns of a row type to the indexes of its fields.
func fieldIndexes(t reflect.Type) map[string]int {
	fields := make(map[string]int, t.NumField())
	for i := range t.NumField() {
		fields[columnName(t.Field(i))] = i
	}
	return fields
}

// columnName is the name of the column that a field of a row type is stored in.
func columnName(f reflect.StructField) string {
	name, _, _ := strings.Cut(f.Tag.Get("parquet"), ",")
	return name
}

// Tables lists every base table of the lake, in the order in which documents describe the tables.
// To add a table: one row type, one line here and one variable below.
func Tables() []AnyTable {
	return []AnyTable{
		Images, Taxonomy, Questions,
		Candidates, BlindTrials, Embeddings, QuestionGroups, Validations, Routes, Reviews, QualitySamples,
		QualityRatings,
		Captions, Calls, Answers,
		Annotations, Judgments, ElementAnswers,
		Battles, Votes,
		PublishedFigures, Models, Runs,
	}
}

// TableNamed is the base table of a name.
func TableNamed(name string) (t AnyTable, known bool) {
	for _, t := range Tables() {
		if t.Name() == name {
			return t, true
		}
	}
	return nil, false
}

// The tables of the lake.
var (
	Images   = newTable[Image]("images", "a picture of the benchmark", "image_id, frame")
	Taxonomy = newTable[TaxonomyNode]("taxonomy", "a node of a domain's taxonomy, with its examples",
		"domain, category, subcategory, aspect")
	Questions  = newTable[Question]("questions", "a multiple-choice question of the bank", "question_id")
	Candidates = newTable[Candidate]("candidates", "a generated question before any filter",
		"candidate_id, generator")
	BlindTrials = newTable[BlindTrial]("blind_trials", "a text-only attempt at a candidate",
		"candidate_id, reader, trial")
	Embeddings     = newTable[Embedding]("embeddings", "the vector of a candidate", "candidate_id, model")
	QuestionGroups = newTable[QuestionGroup]("question_groups", "a candidate's place in a group of near-duplicates",
		"image_id, candidate_id")
	Validations = newTable[Validation]("validations", "a vision-language model's check of a candidate",
		"candidate_id, validator")
	Routes         = newTable[Route]("routes", "what becomes of a candidate after validation", "candidate_id")
	Reviews        = newTable[Review]("reviews", "a person's decision on a candidate", "candidate_id, reviewer")
	QualitySamples = newTable[QualitySample]("quality_samples", "a question that was drawn to be checked by people",
		"stage, candidate_id")
	QualityRatings = newTable[QualityRating]("quality_ratings",
		"a person's rating of a drawn question, right or wrong", "stage, candidate_id, reviewer")
	Captions = newTable[Caption]("captions", "a caption of an item by a captioner under a prompt",
		"image_id, captioner, prompt")
	Calls   = newTable[Call]("calls", "what a model said to one request", "request_hash, repeat")
	Answers = newTable[Answer]("answers", "a parsed and scored answer",
		"protocol, reader, evidence, captioner, prompt, question_id, repeat")
	Annotations = newTable[Annotation]("annotations", "an annotated visual element",
		"benchmark, sample_id, dimension, element")
	Judgments = newTable[Judgment]("judgments", "a judge's verdict on one caption and one annotation",
		"benchmark, judge, captioner, repeat, sample_id, dimension, element")
	ElementAnswers = newTable[ElementAnswer]("element_answers", "an answer to the question form of an annotation",
		"benchmark, model, judge, repeat, sample_id, dimension, element")
	Battles = newTable[Battle]("battles", "two captions of one item", "battle_id")
	Votes   = newTable[Vote]("votes", "a judge's preference in a battle",
		"battle_id, judge, protocol, position")
	PublishedFigures = newTable[Published]("published", "a figure printed in a paper or on a public leaderboard",
		"benchmark, source, item, model, prompt, domain, category, metric")
	Models = newTable[Model]("models", "a model of the registry, with its names in each benchmark",
		"model_id")
	Runs = newTable[Run]("runs", "one execution of one unit of work", "run_id")
)

// file is the name of a unit's file of the table.
func (t *table) file(stem string) string { return t.name + "/" + stem + ".parquet" }
