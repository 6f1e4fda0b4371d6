package analytics

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
)

// A diffTable says what is compared of a table: SQL over its row x.
type diffTable struct {
	name           string
	item           []string // columns of the key that say what a row is about; the others are conditions
	group, cluster string
	outcome, value string
	from           string    // further tables
	counted        string    // whether a row is in the denominators; empty for all
	metrics        []string  // two at most
	sums           [2]string // what a row adds to them, 1 for 100 percent
}

// diffTables lists what is compared. Calls come last: they are counted for the rows of the others, and compared themselves only where no
// rows were made from them.
var diffTables = []diffTable{
	{
		name: data.Answers.Name(), item: []string{"question_id"}, group: "x.domain", cluster: "x.image_id", outcome: "x.outcome",
		value: "q.options[x.choice_index + 1]", from: "left join questions as q on q.question_id = x.question_id",
		metrics: []string{"score", "accuracy"}, sums: [2]string{"x.score", "case when x.outcome = 'correct' then 1 else 0 end"},
	},
	{
		name: data.Captions.Name(), item: []string{"image_id"}, group: "x.domain", cluster: "x.image_id", outcome: "''", value: "x.caption",
		metrics: []string{"words"}, sums: [2]string{"x.words / 100", "0"},
	},
	{
		name: data.Judgments.Name(), item: []string{"sample_id", "dimension", "element"}, group: "x.dimension", cluster: "x.sample_id",
		outcome: "x.verdict", value: "array_to_string(x.predicted, ', ')", counted: "x.verdict in ('positive', 'negative', 'miss')",
		metrics: []string{"recall", "hit rate"},
		sums:    [2]string{"case when x.verdict = 'positive' then 1 else 0 end", "case when x.verdict = 'miss' then 0 else 1 end"},
	},
	{
		name: data.ElementAnswers.Name(), item: []string{"sample_id", "dimension", "element"}, group: "x.dimension", cluster: "x.sample_id",
		outcome: "x.outcome", value: "x.answer", counted: "x.outcome in ('correct', 'incorrect') or x.outcome = 'unparsed' and x.judge = ''",
		metrics: []string{"accuracy"}, sums: [2]string{"case when x.outcome = 'correct' then 1 else 0 end", "0"},
	},
	{name: data.Votes.Name(), item: []string{"battle_id"}, group: "''", cluster: "x.battle_id", outcome: "x.winner", value: "''"},
	{name: data.Calls.Name(), item: []string{"subject"}, group: "x.stage", cluster: "x.subject", outcome: "x.state", value: "x.reply"},
}

// diffTable compares what two runs have of a table: rows that they wrote, and rows that were made from calls that they recorded.
func (e *engine) diffTable(ctx context.Context, t diffTable, d *RunDiff) error {
	isCalls := t.name == data.Calls.Name()
	repeat := "0" // of the call that a row was made from: repetitions of a request have one hash
	if table, _ := tableOf(t.name); slices.Contains(table.Key(), "repeat") {
		repeat = "repeat"
	}
	for side, run := range []DiffRun{d.A, d.B} {
		where := "unit = " + quote(run.Unit)
		rest := ""
		if isCalls {
			// Of several attempts at an item the best is compared, and of equal ones the last.
			where += fmt.Sprintf(" or (request_hash, repeat) in (select (request_hash, repeat) from hashes where side = %d)", side)
			rest = " qualify row_number() over (partition by subject, stage, repeat order by state = 'ok' desc, finished_at desc, request_hash) = 1"
		} else {
			where += " or request_hash <> '' and (request_hash, " + repeat + ") in (select (request_hash, repeat) from calls where unit = " + quote(run.Unit) + ")"
		}
		if isCalls {
			if err := e.countCalls(ctx, d, side, where); err != nil {
				return err
			}
			if len(d.Tables) > 0 {
				continue
			}
		}
		if err := e.exec(ctx, fmt.Sprintf("create or replace temp table side_%d as select * from %s where %s%s", side, t.name, where, rest)); err != nil {
			return err
		}
		if isCalls {
			continue
		}
		if err := e.exec(ctx, fmt.Sprintf("insert into hashes select distinct %d, request_hash, %s from side_%[1]d where request_hash <> ''", side, repeat)); err != nil {
			return err
		}
	}
	if isCalls && len(d.Tables) > 0 {
		return nil
	}
	result := TableDiff{Table: t.name, Transitions: []Transition{}, Differences: []Difference{}}
	_, n, err := e.strings(ctx, "select (select count(*) from side_0), (select count(*) from side_1)", 1)
	if err != nil {
		return err
	}
	if err := scanInts(n[0], &result.RowsA, &result.RowsB); err != nil || result.RowsA+result.RowsB == 0 {
		return err
	}
	keys, err := e.pairedBy(ctx, t, d)
	if err != nil {
		return err
	}
	if err := e.pair(ctx, t, keys); err != nil {
		return err
	}
	_, n, err = e.strings(ctx, `select count(*), count(*) filter (where outcome_a is distinct from outcome_b or value_a is distinct from value_b),
		count(*) filter (where outcome_a <> outcome_b) from paired where in_a and in_b`, 1)
	if err != nil {
		return err
	}
	if err := scanInts(n[0], &result.Both, &result.Changed, &result.Outcomes); err != nil {
		return err
	}
	_, rows, err := e.strings(ctx, "select outcome_a, outcome_b, count(*) from paired where outcome_a <> outcome_b group by all order by 3 desc, 1, 2", 0)
	if err != nil {
		return err
	}
	for _, row := range rows {
		transition := Transition{From: row[0], To: row[1]}
		if err := scanInts(row[2:], &transition.Rows); err != nil {
			return err
		}
		result.Transitions = append(result.Transitions, transition)
	}
	if len(t.metrics) > 0 && result.Both > 0 {
		pairs, err := e.pairs(ctx, `
			select group_name, sum(n_a), sum(first_a), sum(second_a), sum(n_b), sum(first_b), sum(second_b)
			from paired where n_a > 0 and n_b > 0 group by group_name, cluster order by group_name, cluster`)
		if err != nil {
			return err
		}
		// The media files of two dimensions may be the same: there is no mean over dimensions with an interval.
		overall := t.name == data.Answers.Name() || t.name == data.Captions.Name()
		result.Differences = slices.DeleteFunc(differencesOf(t.metrics, d.A.RunID, d.B.RunID, pairs, 1, 0.8), func(x Difference) bool {
			return !overall && x.Domain == data.DomainOverall
		})
	}
	d.Tables = append(d.Tables, result)
	return e.exec(ctx, `insert into changed select `+quote(t.name)+`, group_name, item, outcome_a, outcome_b, value_a, value_b from paired
		where in_a <> in_b or outcome_a is distinct from outcome_b or value_a is distinct from value_b`)
}

// pairedBy are the columns that tell what rows are about. Columns of the key that have one value in each run are settings.
func (e *engine) pairedBy(ctx context.Context, t diffTable, d *RunDiff) (keys []string, err error) {
	table, _ := tableOf(t.name)
	columns := table.Key()
	if t.name == data.Calls.Name() {
		columns = []string{"stage", "model", "protocol", "repeat"}
	}
	keys = slices.Clone(t.item)
	for _, column := range columns {
		if slices.Contains(t.item, column) {
			continue
		}
		var values [2]string
		single := true
		for side := range values {
			_, rows, err := e.strings(ctx, fmt.Sprintf("select distinct cast(%s as varchar) from side_%d", quoteName(column), side), 2)
			if err != nil {
				return nil, err
			}
			single = single && len(rows) < 2
			if len(rows) == 1 {
				values[side] = rows[0][0]
			}
		}
		if !single {
			keys = append(keys, column)
		} else if values[0] != "" || values[1] != "" {
			d.setting(column, values[0], values[1])
		}
	}
	return keys, nil
}

// pair makes the table paired: a row for each item that either run has.
func (e *engine) pair(ctx context.Context, t diffTable, keys []string) error {
	side := func(i int) string {
		counted := t.counted
		if counted == "" {
			counted = "true"
		}
		var columns []string
		for _, k := range keys {
			columns = append(columns, "x."+quoteName(k))
		}
		sums := t.sums
		for j := range sums {
			if sums[j] == "" {
				sums[j] = "0"
			}
		}
		return fmt.Sprintf(`(select %s, %s as group_name, %s as cluster, %s as outcome, cast(%s as varchar) as value,
			case when %s then 1 else 0 end as n, case when %[6]s then %[7]s else 0 end as first, case when %[6]s then %[8]s else 0 end as second
			from side_%[9]d as x %[10]s)`,
			strings.Join(columns, ", "), t.group, t.cluster, t.outcome, t.value, counted, sums[0], sums[1], i, t.from)
	}
	return e.exec(ctx, fmt.Sprintf(`create or replace temp table paired as
		select concat_ws(' ', %s) as item, coalesce(a.group_name, b.group_name) as group_name, coalesce(a.cluster, b.cluster) as cluster,
			a.n is not null as in_a, b.n is not null as in_b, a.outcome as outcome_a, b.outcome as outcome_b, a.value as value_a, b.value as value_b,
			cast(a.n as double) as n_a, cast(b.n as double) as n_b, cast(a.first as double) as first_a, cast(b.first as double) as first_b,
			cast(a.second as double) as second_a, cast(b.second as double) as second_b
		from %s as a full join %s as b using (%[4]s)`, itemText(keys), side(0), side(1), quoteNames(keys)))
}

// itemText names an item by the columns that it is paired by.
func itemText(keys []string) string {
	var parts []string
	for _, k := range keys {
		parts = append(parts, "nullif(cast("+quoteName(k)+" as varchar), '')")
	}
	return strings.Join(parts, ", ")
}
