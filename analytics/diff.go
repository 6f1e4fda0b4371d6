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
	"github.com/captionlake/captionlake/data/spelling"
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

// Diff compares two runs: the names are run_ids, or the first characters of one, or units, which stand for their current runs. Rows are
// paired by what they are about: a question, an image, an annotated element, a battle. What is the same for all rows of a run, such as its
// reader, is a setting. Rows of a run that a later run of its unit replaced are not there any more; then only settings are compared.
func Diff(ctx context.Context, lake *data.Lake, a, b string, o DiffOptions) (d *RunDiff, err error) {
	if o.Format != "" && !slices.Contains(Formats(), o.Format) {
		return nil, data.WithHint(fmt.Errorf("there is no output format %q", o.Format), "%s", spelling.Meant("choose one of: "+strings.Join(Formats(), ", "), Formats(), o.Format))
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
		create temp table hashes (side integer, request_hash varchar, repeat integer);
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
