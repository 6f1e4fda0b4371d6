package analytics

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/captionlake/captionlake/data"
)

// DiffOptions say how two runs are compared.
type DiffOptions struct {
	Engine EngineOptions
	Rows   int       // changed rows that the result lists at most; all when negative
	Format string    // one of Formats, in which all changed rows are written to Out; none are when empty
	Out    io.Writer // for Format
}

// A RunDiff is what two runs differ in: how they were made, and what came of the same items.
type RunDiff struct {
	A        DiffRun     `json:"a"`
	B        DiffRun     `json:"b"`
	Settings []Setting   `json:"settings"` // those that differ
	Calls    [2]Spending `json:"calls"`    // behind the rows of A and of B
	Tables   []TableDiff `json:"tables"`   // that either run has rows of, the calls last
	Changes  []Change    `json:"changes"`
	Notes    []string    `json:"notes"` // what a reader must know
}

// A DiffRun is one of the runs.
type DiffRun struct {
	RunID      string    `json:"run_id"`
	Unit       string    `json:"unit"`
	Stage      string    `json:"stage"`
	Provenance string    `json:"provenance"`
	FinishedAt time.Time `json:"finished_at"`
	Current    bool      `json:"current"` // the rows of the unit are those of this run; a later run of it replaced them otherwise

	run map[string]string // further settings
}

// A Setting is something that was set in another way. A setting that a run does not have is empty.
type Setting struct {
	Name string `json:"name"`
	A    string `json:"a"`
	B    string `json:"b"`
}

// Spending counts calls.
type Spending struct {
	Calls            int64 `json:"calls"`
	Failed           int64 `json:"failed"`
	PromptTokens     int64 `json:"prompt_tokens"`
	CachedTokens     int64 `json:"cached_tokens"`
	CompletionTokens int64 `json:"completion_tokens"`
}

// A TableDiff counts the rows of a table, paired by what they are about.
type TableDiff struct {
	Table       string       `json:"table"`
	RowsA       int64        `json:"rows_a"`
	RowsB       int64        `json:"rows_b"`
	Both        int64        `json:"rows_of_both"`     // about the same items
	Changed     int64        `json:"changed"`          // of these, rows with another outcome or another text
	Outcomes    int64        `json:"changed_outcomes"` // of these, rows with another outcome
	Transitions []Transition `json:"transitions"`
	Differences []Difference `json:"differences"` // over the items of both, paired by image or media file
}

// A Transition counts rows whose outcome became another one.
type Transition struct {
	From string `json:"from"`
	To   string `json:"to"`
	Rows int64  `json:"rows"`
}

// A Change is a row with another outcome or text, or one that only one run has: the outcome of the other is nil then.
type Change struct {
	Table    string  `json:"table"`
	Group    string  `json:"group"` // domain, dimension or stage
	Item     string  `json:"item"`  // what the row is about
	OutcomeA *string `json:"outcome_a"`
	OutcomeB *string `json:"outcome_b"`
	ValueA   *string `json:"value_a"` // the option, the caption, the categories, the answer or the reply
	ValueB   *string `json:"value_b"`
}

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

// Diff compares two runs: the names are run_ids, or the first characters of one, or units, which stand for their current runs. Rows are
// paired by what they are about: a question, an image, an annotated element, a battle. What is the same for all rows of a run, such as its
// reader, is a setting. Rows of a run that a later run of its unit replaced are not there any more; then only settings are compared.
func Diff(ctx context.Context, lake *data.Lake, a, b string, o DiffOptions) (d *RunDiff, err error) {
	if o.Format != "" && !slices.Contains(Formats(), o.Format) {
		return nil, data.WithHint(fmt.Errorf("there is no output format %q", o.Format), "choose one of: %s", strings.Join(Formats(), ", "))
	}
	r, err := OpenReader(ctx, lake, o.Engine)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, r.Close()) }()
	e := r.engine
	d = &RunDiff{Settings: []Setting{}, Tables: []TableDiff{}, Changes: []Change{}, Notes: []string{}}
	for i, name := range []string{a, b} {
		run, err := e.findRun(ctx, name)
		if err != nil {
			return nil, err
		}
		*[]*DiffRun{&d.A, &d.B}[i] = *run
		if !run.Current {
			d.Notes = append(d.Notes, fmt.Sprintf("a later run of %s replaced the rows of %s, so that only settings are compared", run.Unit, run.RunID))
		}
	}
	if d.A.RunID == d.B.RunID {
		return nil, data.WithHint(fmt.Errorf("%s and %s are one run", a, b), "name two runs; list them with: captionlake sql \"select unit, run_id from runs\"")
	}
	if err := e.exec(ctx, `
		create temp table hashes (side integer, request_hash varchar);
		create temp table changed (table_name varchar, "group" varchar, item varchar, outcome_a varchar, outcome_b varchar, value_a varchar, value_b varchar)`); err != nil {
		return nil, err
	}
	if d.A.Current && d.B.Current {
		for _, t := range diffTables {
			if err := e.diffTable(ctx, t, d); err != nil {
				return nil, fmt.Errorf("%s: %w", t.name, err)
			}
		}
		if len(d.Tables) == 0 {
			d.Notes = append(d.Notes, "neither run has answers, captions, judgments, votes or calls")
		} else if !slices.ContainsFunc(d.Tables, func(t TableDiff) bool { return t.Both > 0 }) {
			d.Notes = append(d.Notes, "no row of one run is about the same item as a row of the other")
		}
	}
	for _, name := range slices.Sorted(maps.Keys(d.A.run)) {
		d.setting(name, d.A.run[name], d.B.run[name])
	}
	for _, name := range slices.Sorted(maps.Keys(d.B.run)) {
		if _, both := d.A.run[name]; !both {
			d.setting(name, "", d.B.run[name])
		}
	}
	if err := e.readChanges(ctx, d, o.Rows); err != nil || o.Format == "" {
		return d, err
	}
	_, err = e.answer(ctx, "select * from changed order by all", QueryOptions{Format: o.Format, TableRows: o.Rows}, o.Out, r.temp.path("result.parquet"))
	return d, err
}

// setting notes a setting that differs.
func (d *RunDiff) setting(name, a, b string) {
	if a != b && !slices.ContainsFunc(d.Settings, func(s Setting) bool { return s.Name == name }) {
		d.Settings = append(d.Settings, Setting{name, a, b})
	}
}

// leastRunID is how many characters of a run_id name a run.
const leastRunID = 6

// findRun is the run of a name.
func (e *engine) findRun(ctx context.Context, name string) (*DiffRun, error) {
	where := fmt.Sprintf("run_id = %[1]s or unit = %[1]s and current", quote(name))
	if len(name) >= leastRunID {
		where += fmt.Sprintf(" or starts_with(run_id, %s)", quote(name))
	}
	_, rows, err := e.strings(ctx, `select run_id, unit, stage, provenance, cast(epoch_us(finished_at) as varchar), current, protocol, source, tool_version, detail
		from runs where `+where+" order by finished_at, run_id", 0)
	if err != nil {
		return nil, err
	}
	switch len(rows) {
	case 1:
		row := rows[0]
		micros, err := strconv.ParseInt(row[4], 10, 64)
		if err != nil {
			return nil, err
		}
		run := &DiffRun{
			RunID: row[0], Unit: row[1], Stage: row[2], Provenance: row[3], FinishedAt: time.UnixMicro(micros).UTC(), Current: row[5] == "true",
			run: map[string]string{"stage": row[2], "provenance": row[3], "protocol": row[6], "source": row[7], "captionlake": row[8]},
		}
		flatten(run.run, "", row[9])
		return run, nil
	case 0:
		_, similar, err := e.strings(ctx, fmt.Sprintf(`select unit from runs where current
			order by contains(unit, %[1]s) desc, jaro_winkler_similarity(unit, %[1]s) desc, unit limit 3`, quote(name)), 3)
		if err != nil {
			return nil, err
		}
		err = fmt.Errorf("there is no run and no unit %q", name)
		if len(similar) == 0 {
			return nil, data.WithHint(err, "the lake has no runs yet")
		}
		return nil, data.WithHint(err, "did you mean %s? List all with: captionlake sql \"select unit, run_id, finished_at from runs\"",
			strings.Join(slices.Concat(similar...), " or "))
	}
	var ids []string
	for _, row := range rows {
		ids = append(ids, row[0]+" ("+row[1]+")")
	}
	return nil, data.WithHint(fmt.Errorf("%q begins the names of %d runs", name, len(rows)), "name one of them: %s", strings.Join(ids, ", "))
}

// flatten puts the leaves of a JSON object into a map, by their paths. What servers counted is no setting.
func flatten(into map[string]string, path, text string) {
	var object map[string]json.RawMessage
	if json.Unmarshal([]byte(text), &object) == nil && object != nil {
		for name, value := range object {
			if name != "metrics" {
				flatten(into, strings.TrimPrefix(path+"."+name, "."), string(value))
			}
		}
		return
	}
	var list []json.RawMessage
	if json.Unmarshal([]byte(text), &list) == nil && len(list) > 0 && strings.HasPrefix(string(list[0]), "{") {
		for i, value := range list {
			flatten(into, fmt.Sprintf("%s[%d]", path, i), string(value))
		}
		return
	}
	var plain string
	if json.Unmarshal([]byte(text), &plain) == nil {
		text = plain
	}
	if path != "" {
		into[path] = text
	}
}

// diffTable compares what two runs have of a table: rows that they wrote, and rows that were made from calls that they recorded.
func (e *engine) diffTable(ctx context.Context, t diffTable, d *RunDiff) error {
	isCalls := t.name == data.Calls.Name()
	for side, run := range []DiffRun{d.A, d.B} {
		where := "unit = " + quote(run.Unit)
		rest := ""
		if isCalls {
			// Of several attempts at an item the best is compared, and of equal ones the last.
			where += fmt.Sprintf(" or request_hash in (select request_hash from hashes where side = %d)", side)
			rest = " qualify row_number() over (partition by subject, stage, repeat order by state = 'ok' desc, finished_at desc, request_hash) = 1"
		} else {
			where += " or request_hash <> '' and request_hash in (select request_hash from calls where unit = " + quote(run.Unit) + ")"
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
		if err := e.exec(ctx, fmt.Sprintf("insert into hashes select distinct %d, request_hash from side_%[1]d where request_hash <> ''", side)); err != nil {
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

// countCalls counts the calls behind the rows of a side and notes how they were sampled.
func (e *engine) countCalls(ctx context.Context, d *RunDiff, side int, where string) error {
	_, rows, err := e.strings(ctx, `select count(*), count(*) filter (where state = 'failed'), coalesce(sum(prompt_tokens), 0), coalesce(sum(cached_tokens), 0),
		coalesce(sum(completion_tokens), 0) from calls where `+where, 1)
	if err != nil {
		return err
	}
	c := &d.Calls[side]
	if err := scanInts(rows[0], &c.Calls, &c.Failed, &c.PromptTokens, &c.CachedTokens, &c.CompletionTokens); err != nil {
		return err
	}
	const most = 100 // kinds of sampling that a run has at most, captions of a kind of prompt each
	if _, rows, err = e.strings(ctx, "select distinct sampling from calls where "+where+" order by 1", most); err != nil {
		return err
	}
	values := map[string]map[string]bool{}
	for _, row := range rows {
		flat := map[string]string{}
		flatten(flat, "sampling", row[0])
		for name, value := range flat {
			if values[name] == nil {
				values[name] = map[string]bool{}
			}
			values[name][value] = true
		}
	}
	if _, rows, err = e.strings(ctx, "select distinct endpoint from calls where "+where+" order by 1", most); err != nil {
		return err
	}
	values["endpoint"] = map[string]bool{}
	for _, row := range rows {
		values["endpoint"][row[0]] = true
	}
	run := []*DiffRun{&d.A, &d.B}[side].run
	for name, all := range values {
		run[name] = strings.Join(slices.Sorted(maps.Keys(all)), " | ")
	}
	return nil
}

// readChanges lists the changed rows, at most so many.
func (e *engine) readChanges(ctx context.Context, d *RunDiff, most int) error {
	if most == 0 {
		return nil
	}
	rows, err := e.conn.QueryContext(ctx, fmt.Sprintf("select * from changed order by all limit %s", map[bool]string{true: "all", false: strconv.Itoa(most)}[most < 0]))
	if err != nil {
		return err
	}
	for rows.Next() {
		var c Change
		if err := rows.Scan(&c.Table, &c.Group, &c.Item, &c.OutcomeA, &c.OutcomeB, &c.ValueA, &c.ValueB); err != nil {
			return errors.Join(err, rows.Close())
		}
		d.Changes = append(d.Changes, c)
	}
	return errors.Join(rows.Err(), rows.Close())
}

// scanInts reads whole numbers.
func scanInts(texts []string, into ...*int64) error {
	for i, to := range into {
		n, err := strconv.ParseInt(texts[i], 10, 64)
		if err != nil {
			return err
		}
		*to = n
	}
	return nil
}
