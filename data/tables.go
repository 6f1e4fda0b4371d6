package data

import (
	"cmp"
	"reflect"
	"slices"
	"strings"
)

// A Table ties a name in the lake to its row type, its key and the order of its rows.
type Table[T any] struct {
	name    string
	what    string
	key     string
	compare func(a, b *T) int
}

// Name is the table's name, which is also its folder in the lake.
func (t Table[T]) Name() string { return t.name }

// Key lists the columns that identify a row, in sorting order.
func (t Table[T]) Key() []string { return strings.Split(t.key, ", ") }

// What says in one line what a row of the table is.
func (t Table[T]) What() string { return t.what }

// Compare orders two rows by the table's key.
func (t Table[T]) Compare(a, b *T) int { return t.compare(a, b) }

// bigTables are those that grow with captioners times questions, or with what is tried for every question. Only SQL models that are
// folds read them.
var bigTables = []string{"embeddings", "captions", "calls", "answers", "judgments", "element_answers", "battles", "votes"}

// Big reports whether the table grows with captioners times questions.
func (t Table[T]) Big() bool { return slices.Contains(bigTables, t.name) }

// RowType is the Go type of a row.
func (t Table[T]) RowType() reflect.Type { return reflect.TypeFor[T]() }

// AnyTable is a table whose row type does not matter to the caller.
type AnyTable interface {
	Name() string
	Key() []string
	What() string
	Big() bool
	RowType() reflect.Type

	difference(l, other *Lake, stem string) (rowDifference, error)
	union(tx *Tx, other *Lake, prefer string) error
	collisions(temp, final string) func(*Lake) error
}

// Tables lists every base table of the lake in reading order. To add a table: one row type, one line here and one
// variable below.
func Tables() []AnyTable {
	return []AnyTable{
		Images, Taxonomy, Questions,
		Candidates, BlindTrials, Embeddings, QuestionGroups, Validations, Routes, Reviews, QualitySamples, QualityRatings,
		Captions, Calls, Answers,
		Annotations, Judgments, ElementAnswers,
		Battles, Votes,
		PublishedFigures, Models, Runs,
	}
}

// The tables of the lake.
var (
	Images = Table[Image]{"images", "a picture of the benchmark", "image_id, frame", func(a, b *Image) int {
		return cmp.Or(cmp.Compare(a.ImageID, b.ImageID), cmp.Compare(a.Frame, b.Frame))
	}}
	Taxonomy = Table[TaxonomyNode]{"taxonomy", "a node of a domain's taxonomy, with its examples", "domain, category, subcategory, aspect", func(a, b *TaxonomyNode) int {
		return cmp.Or(cmp.Compare(a.Domain, b.Domain), cmp.Compare(a.Category, b.Category),
			cmp.Compare(a.Subcategory, b.Subcategory), cmp.Compare(a.Aspect, b.Aspect))
	}}
	Questions = Table[Question]{"questions", "a multiple-choice question of the bank", "question_id", func(a, b *Question) int {
		return cmp.Compare(a.QuestionID, b.QuestionID)
	}}
	Candidates = Table[Candidate]{"candidates", "a generated question before any filter", "candidate_id, generator", func(a, b *Candidate) int {
		return cmp.Or(cmp.Compare(a.CandidateID, b.CandidateID), cmp.Compare(a.Generator, b.Generator))
	}}
	BlindTrials = Table[BlindTrial]{"blind_trials", "a text-only attempt at a candidate", "candidate_id, reader, trial", func(a, b *BlindTrial) int {
		return cmp.Or(cmp.Compare(a.CandidateID, b.CandidateID), cmp.Compare(a.Reader, b.Reader), cmp.Compare(a.Trial, b.Trial))
	}}
	Embeddings = Table[Embedding]{"embeddings", "the vector of a candidate", "candidate_id, model", func(a, b *Embedding) int {
		return cmp.Or(cmp.Compare(a.CandidateID, b.CandidateID), cmp.Compare(a.Model, b.Model))
	}}
	QuestionGroups = Table[QuestionGroup]{"question_groups", "a candidate's place in a group of near-duplicates", "image_id, candidate_id", func(a, b *QuestionGroup) int {
		return cmp.Or(cmp.Compare(a.ImageID, b.ImageID), cmp.Compare(a.CandidateID, b.CandidateID))
	}}
	Validations = Table[Validation]{"validations", "a vision-language model's check of a candidate", "candidate_id, validator", func(a, b *Validation) int {
		return cmp.Or(cmp.Compare(a.CandidateID, b.CandidateID), cmp.Compare(a.Validator, b.Validator))
	}}
	Routes = Table[Route]{"routes", "what becomes of a candidate after validation", "candidate_id", func(a, b *Route) int {
		return cmp.Compare(a.CandidateID, b.CandidateID)
	}}
	Reviews = Table[Review]{"reviews", "a person's decision on a candidate", "candidate_id, reviewer", func(a, b *Review) int {
		return cmp.Or(cmp.Compare(a.CandidateID, b.CandidateID), cmp.Compare(a.Reviewer, b.Reviewer))
	}}
	QualitySamples = Table[QualitySample]{"quality_samples", "a question that was drawn to be checked by people", "stage, candidate_id", func(a, b *QualitySample) int {
		return cmp.Or(cmp.Compare(a.Stage, b.Stage), cmp.Compare(a.CandidateID, b.CandidateID))
	}}
	QualityRatings = Table[QualityRating]{"quality_ratings", "a person's rating of a drawn question, right or wrong", "stage, candidate_id, reviewer", func(a, b *QualityRating) int {
		return cmp.Or(cmp.Compare(a.Stage, b.Stage), cmp.Compare(a.CandidateID, b.CandidateID), cmp.Compare(a.Reviewer, b.Reviewer))
	}}
	Captions = Table[Caption]{"captions", "a caption of an item by a captioner under a prompt", "image_id, captioner, prompt", func(a, b *Caption) int {
		return cmp.Or(cmp.Compare(a.ImageID, b.ImageID), cmp.Compare(a.Captioner, b.Captioner), cmp.Compare(a.Prompt, b.Prompt))
	}}
	Calls = Table[Call]{"calls", "what a model said to one request", "request_hash, repeat", func(a, b *Call) int {
		return cmp.Or(cmp.Compare(a.RequestHash, b.RequestHash), cmp.Compare(a.Repeat, b.Repeat))
	}}
	Answers = Table[Answer]{"answers", "a parsed and scored answer", "protocol, reader, evidence, captioner, prompt, question_id, repeat", func(a, b *Answer) int {
		return cmp.Or(cmp.Compare(a.Protocol, b.Protocol), cmp.Compare(a.Reader, b.Reader), cmp.Compare(a.Evidence, b.Evidence),
			cmp.Compare(a.Captioner, b.Captioner), cmp.Compare(a.Prompt, b.Prompt),
			cmp.Compare(a.QuestionID, b.QuestionID), cmp.Compare(a.Repeat, b.Repeat))
	}}
	Annotations = Table[Annotation]{"annotations", "an annotated visual element", "benchmark, sample_id, dimension, element", func(a, b *Annotation) int {
		return cmp.Or(cmp.Compare(a.Benchmark, b.Benchmark), cmp.Compare(a.SampleID, b.SampleID),
			cmp.Compare(a.Dimension, b.Dimension), cmp.Compare(a.Element, b.Element))
	}}
	Judgments = Table[Judgment]{"judgments", "a judge's verdict on one caption and one annotation", "benchmark, judge, captioner, repeat, sample_id, dimension, element", func(a, b *Judgment) int {
		return cmp.Or(cmp.Compare(a.Benchmark, b.Benchmark), cmp.Compare(a.Judge, b.Judge), cmp.Compare(a.Captioner, b.Captioner),
			cmp.Compare(a.Repeat, b.Repeat), cmp.Compare(a.SampleID, b.SampleID), cmp.Compare(a.Dimension, b.Dimension),
			cmp.Compare(a.Element, b.Element))
	}}
	ElementAnswers = Table[ElementAnswer]{"element_answers", "an answer to the question form of an annotation", "benchmark, model, judge, repeat, sample_id, dimension, element", func(a, b *ElementAnswer) int {
		return cmp.Or(cmp.Compare(a.Benchmark, b.Benchmark), cmp.Compare(a.Model, b.Model), cmp.Compare(a.Judge, b.Judge),
			cmp.Compare(a.Repeat, b.Repeat), cmp.Compare(a.SampleID, b.SampleID), cmp.Compare(a.Dimension, b.Dimension),
			cmp.Compare(a.Element, b.Element))
	}}
	Battles = Table[Battle]{"battles", "two captions of one item", "battle_id", func(a, b *Battle) int {
		return cmp.Compare(a.BattleID, b.BattleID)
	}}
	Votes = Table[Vote]{"votes", "a judge's preference in a battle", "battle_id, judge, protocol, position", func(a, b *Vote) int {
		return cmp.Or(cmp.Compare(a.BattleID, b.BattleID), cmp.Compare(a.Judge, b.Judge), cmp.Compare(a.Protocol, b.Protocol),
			cmp.Compare(a.Position, b.Position))
	}}
	PublishedFigures = Table[Published]{"published", "a figure printed in a paper or on a public leaderboard", "benchmark, source, item, model, prompt, domain, category, metric", func(a, b *Published) int {
		return cmp.Or(cmp.Compare(a.Benchmark, b.Benchmark), cmp.Compare(a.Source, b.Source), cmp.Compare(a.Item, b.Item),
			cmp.Compare(a.Model, b.Model), cmp.Compare(a.Prompt, b.Prompt), cmp.Compare(a.Domain, b.Domain),
			cmp.Compare(a.Category, b.Category), cmp.Compare(a.Metric, b.Metric))
	}}
	Models = Table[Model]{"models", "a model of the registry, with its names in each benchmark", "model_id", func(a, b *Model) int {
		return cmp.Compare(a.ModelID, b.ModelID)
	}}
	Runs = Table[Run]{"runs", "one execution of one unit of work", "run_id", func(a, b *Run) int {
		return cmp.Compare(a.RunID, b.RunID)
	}}
)
