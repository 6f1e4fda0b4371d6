package analytics

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/analytics/spark"
	"github.com/captionlake/captionlake/data"
)

// Folds can be handed over to another engine: what is missing of them is written as a script, and what the engine computed is taken into
// the marts as if DuckDB had computed it (taken.go). A script covers parts that no mart holds, so that it reads the files of new units alone.

// A handover is what a script covers, and the state of the lake that it was written for.
type handover struct {
	Script  string                       `json:"script"` // digest of all else
	Version string                       `json:"tool_version"`
	Tables  map[string]map[string]string `json:"tables"` // units of the tables that the script reads, and digests of their files
	Folds   map[string]coveredFold       `json:"folds"`
}

// A coveredFold is what a script computes of a fold.
type coveredFold struct {
	Meaning string   `json:"sql_sha256"`      // digest of its select and of what decides what that means
	Units   []string `json:"units,omitempty"` // those of its table; none for a fold of a fold, which is covered whole
}

// The files of a handover beside the folders of results.
const (
	FoldsScript  = "folds.sql"
	handoverFile = "folds.json"
)

// A FoldsExport says what was handed over.
type FoldsExport struct {
	Folds  []string `json:"folds"` // that the script computes; none when every mart of a fold is up to date
	Units  int      `json:"units"` // whose rows are read for them
	Script string   `json:"script"`
}

// ExportFolds writes what is missing of the folds as a script of Spark SQL into a folder, for results that come into that folder. at says
// where the engine sees the two. The lake must be open for writing, as for Analyze; nothing of it changes.
func ExportFolds(ctx context.Context, lake *data.Lake, folder string, at Addresses, o RunOptions) (x FoldsExport, err error) {
	models, err := Models()
	if err != nil {
		return x, err
	}
	return exportFolds(ctx, lake, models, folder, at, o)
}

func exportFolds(ctx context.Context, lake *data.Lake, models []Model, folder string, at Addresses, o RunOptions) (x FoldsExport, err error) {
	o.Folds = ""
	b, err := newBuilder(ctx, lake, o)
	if err != nil {
		return x, err
	}
	defer func() { err = errors.Join(err, b.close()) }()
	if lake.Scattered() {
		return x, data.WithHint(errors.New("a commit is pending, so that files are not yet where their names say"), "run the command again when it is complete")
	}
	if models, err = b.forDomains(ctx, models); err != nil {
		return x, err
	}
	if at.Lake == "" {
		at.Lake = localFile + b.folder
	}
	if at.Results == "" {
		full, err := filepath.Abs(folder)
		if err != nil {
			return x, err
		}
		at.Results = localFile + filepath.ToSlash(full)
	}
	h, script, err := b.handOver(ctx, models, Addresses{strings.TrimSuffix(at.Lake, "/"), strings.TrimSuffix(at.Results, "/")})
	if err != nil {
		return x, err
	}
	text, err := script.Text()
	if err != nil {
		return x, err
	}
	record, err := json.MarshalIndent(h, "", " ")
	if err != nil {
		return x, err
	}
	if err := os.MkdirAll(folder, 0o777); err != nil {
		return x, err
	}
	x.Script = filepath.Join(folder, FoldsScript)
	units := map[string]bool{}
	for _, step := range script.Steps {
		if step.Helps {
			continue
		}
		x.Folds = append(x.Folds, step.Name)
		for _, unit := range h.Folds[step.Name].Units {
			units[unit] = true
		}
	}
	x.Units = len(units)
	return x, errors.Join(os.WriteFile(x.Script, []byte(text), 0o666), os.WriteFile(filepath.Join(folder, handoverFile), append(record, '\n'), 0o666))
}

// localFile begins the address of a file here: a cluster takes a path without it for one in its own store.
const localFile = "file://"

// Addresses are where another engine sees the lake's folder and the folder for its results, such as s3a://bucket/lake; where they are here
// when they are empty.
type Addresses struct{ Lake, Results string }

// handOver says what a script is to compute, and writes it. Values that are the same whatever the engine are computed here.
func (b *builder) handOver(ctx context.Context, models []Model, at Addresses) (h handover, s spark.Script, err error) {
	small, err := b.smallInputs(ctx, models)
	if err != nil {
		return h, s, err
	}
	cover, err := b.toCover(models, small)
	if err != nil {
		return h, s, err
	}
	h = handover{Version: data.Version, Tables: map[string]map[string]string{}, Folds: map[string]coveredFold{}}
	s = spark.Script{Output: at.Results, Title: "Folds of a lake, written by captionlake " + data.Version}
	read := map[string]bool{}
	for _, m := range models {
		units, covered := cover[m.Name]
		if !covered {
			continue
		}
		step := spark.Step{Name: m.Name, What: m.What, Query: m.Select, Helps: m.Fold == "", Key: m.Key}
		for _, c := range m.Columns {
			if c.made == "" {
				step.Columns = append(step.Columns, spark.Column{Name: c.Name, Type: c.Type})
			}
		}
		if err := b.addInputs(ctx, m, at, read, small, h.Tables, &s); err != nil {
			return h, s, err
		}
		if len(units) < len(h.Tables[m.Fold]) {
			step.Of = b.files(m.Fold, units, at)
		}
		if m.stale() {
			step.Views = append(step.Views, spark.View{Name: countedPrefix + m.Fold, Query: countedRows(m, m.Fold, false)})
		}
		if query := m.mergedRows(true); query != "" {
			step.Views = append(step.Views, spark.View{Name: mergedPrefix + m.Name, Query: query})
		}
		s.Steps = append(s.Steps, step)
		if m.Fold != "" {
			_, meaning, err := b.meaning(m)
			if err != nil {
				return h, s, err
			}
			h.Folds[m.Name] = coveredFold{meaning, units}
		}
	}
	print, err := json.Marshal(h)
	if err != nil {
		return h, s, err
	}
	h.Script = data.Fingerprint(string(print), at.Lake, at.Results)[:32]
	s.ID = h.Script
	return h, s, nil
}

// A smallInput is a model that folds read and that reads no fold: its rows, as SQL, and the tables that they come from.
type smallInput struct {
	rows   string
	inputs []string
}

// smallInputs are those models by name. No mart is written for a script.
func (b *builder) smallInputs(ctx context.Context, models []Model) (map[string]smallInput, error) {
	feeds, small := readByFolds(models), map[string]smallInput{}
	needsFold := map[string]bool{}
	for _, m := range models {
		needsFold[m.Name] = m.Fold != "" || slices.ContainsFunc(m.Inputs, func(input string) bool { return needsFold[input] })
		if !feeds[m.Name] || needsFold[m.Name] {
			continue
		}
		if slices.ContainsFunc(m.Inputs, func(input string) bool { _, isTable := tableOf(input); return !isTable }) {
			return nil, fmt.Errorf("%s, which a fold reads, reads a mart; folds read what is made of tables alone, or of folds alone", m.Name)
		}
		provenance, err := b.provenance(m)
		if err != nil {
			return nil, err
		}
		held, _, err := b.held(m)
		if err != nil {
			return nil, err
		}
		if err := b.showInputs(ctx, b.engine, m); err != nil {
			return nil, err
		}
		small[m.Name] = smallInput{"(" + m.typed(m.Select) + ")", m.Inputs}
		if held[printKey] == provenance[printKey] {
			b.keep(m.Name, held[contentKey])
		}
	}
	return small, nil
}

// readByFolds are the inputs of folds.
func readByFolds(models []Model) map[string]bool {
	read := map[string]bool{}
	for _, m := range models {
		for _, input := range m.Inputs {
			read[input] = read[input] || m.Fold != ""
		}
	}
	return read
}

// toCover says which models a script computes, and for each fold of a table of which units. Which of their rows do not count is not known
// yet: where that turns out to have changed for other units, they are computed here. A fold of a fold, and what stands between two folds,
// needs all rows of the folds that it reads: where the script has but some, DuckDB adds these to the mart of the others.
func (b *builder) toCover(models []Model, small map[string]smallInput) (map[string][]string, error) {
	cover := map[string][]string{}
	whole := map[string]bool{} // models of which the script has all rows
	feeds := readByFolds(models)
	for _, m := range models {
		if m.Fold == "" && !feeds[m.Name] || small[m.Name].rows != "" || slices.ContainsFunc(m.Inputs, func(input string) bool {
			_, isTable := tableOf(input)
			return !isTable && small[input].rows == "" && !whole[input] && input != stalePrefix+m.Fold
		}) {
			continue
		}
		if m.Fold == "" || m.By != nil {
			cover[m.Name], whole[m.Name] = nil, true
			continue
		}
		missing, all, err := b.unitsToCover(m)
		if err != nil {
			return nil, err
		}
		if len(missing) > 0 {
			cover[m.Name], whole[m.Name] = missing, len(missing) == all
		}
	}
	// Rows that count can only be told where the script knows those that do not.
	for _, m := range models {
		if stale := stalePrefix + m.Fold; cover[m.Name] != nil && slices.Contains(m.Inputs, stale) {
			cover[stale] = slices.Compact(slices.Sorted(slices.Values(slices.Concat(cover[stale], cover[m.Name]))))
		}
	}
	return cover, nil
}

// unitsToCover are the units of a fold's table, sorted, that have to be computed, and how many it has.
func (b *builder) unitsToCover(m Model) (units []string, all int, err error) {
	digests, err := b.units(m.Fold)
	if err != nil {
		return nil, 0, err
	}
	metadata, _, err := b.held(m)
	if err != nil {
		return nil, 0, err
	}
	old := heldState(metadata)
	if b.own {
		old = foldState{}
	}
	now := foldState{Units: map[string]string{}}
	for unit, digest := range digests {
		now.Units[unit] = digest
		if strings.HasPrefix(old.Units[unit], digest) {
			now.Units[unit] = old.Units[unit]
		}
	}
	if now.Sides, err = b.sides(m); err != nil {
		return nil, 0, err
	}
	// Without a fingerprint of a mart that is made later, all units are computed.
	if provenance, err := b.provenance(m); err == nil {
		now.Rest = provenance[printKey]
	}
	if m.sums() {
		return missing(now.Units, m.kept(old, now, nil)), len(digests), nil
	}
	parts, err := b.parts(m, now)
	if err != nil {
		return nil, 0, err
	}
	_, lost := m.missingParts(parts, old, now)
	for _, i := range lost {
		units = append(units, parts[i]...)
	}
	slices.Sort(units)
	return units, len(digests), nil
}

// files is a base table with the files of some units, as another engine sees them.
func (b *builder) files(table string, units []string, at Addresses) spark.Table {
	t := spark.Table{Name: table}
	for _, c := range b.tables[table].columns {
		if c.stem {
			t.Stem = unitColumn
		} else if c.made == "" {
			t.Columns = append(t.Columns, spark.Column{Name: c.name, Type: c.sqlType})
		}
	}
	for _, unit := range units {
		t.Files = append(t.Files, at.Lake+"/"+table+"/"+unit+".parquet")
	}
	return t
}

var callForm = regexp.MustCompile(`\b([a-z_]+)\(`)

// addInputs adds to a script what a model reads beside folds and is not in it yet, and notes the units of tables.
func (b *builder) addInputs(ctx context.Context, m Model, at Addresses, read map[string]bool, small map[string]smallInput, tables map[string]map[string]string, s *spark.Script) (err error) {
	for _, name := range m.Inputs {
		if read[name] {
			continue
		}
		read[name] = true
		if _, isTable := tableOf(name); isTable {
			if tables[name], err = b.units(name); err != nil {
				return err
			}
			s.Tables = append(s.Tables, b.files(name, missing(tables[name], nil), at))
		} else if query, ok := small[name]; ok {
			for _, input := range query.inputs {
				if tables[input], err = b.units(input); err != nil {
					return err
				}
			}
			if err := b.addRows(ctx, name, query.rows, s); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	for _, call := range callForm.FindAllStringSubmatch(m.Select, -1) {
		if name := call[1] + "()"; !read[name] {
			read[name] = true
			if err := b.addMacro(ctx, call[1], s); err != nil {
				return fmt.Errorf("%s: %w", name, err)
			}
		}
	}
	return nil
}

// addMacro gives a script what a macro without parameters says: its rows, or its value. Functions of the script have the others.
func (b *builder) addMacro(ctx context.Context, macro string, s *spark.Script) error {
	if macro == "in_pool" {
		_, rows, err := b.engine.strings(ctx, "select unnest(pool_prompts())", 0)
		s.Constants = append(s.Constants, spark.Constant{Name: macro, Among: slices.Concat(rows...)})
		return err
	}
	_, found, err := b.engine.strings(ctx, "select function_type from duckdb_functions() where function_name = "+quote(macro)+
		" and function_type in ('macro', 'table_macro') and len(parameters) = 0", 1)
	if err != nil || len(found) == 0 {
		return err
	}
	if found[0][0] == "table_macro" {
		return b.addRows(ctx, macro, macro+"()", s)
	}
	_, rows, err := b.engine.strings(ctx, fmt.Sprintf("select cast(x as varchar), typeof(x) in ('INTEGER', 'BIGINT') from (select %s() as x)", macro), 1)
	if err == nil {
		s.Constants = append(s.Constants, spark.Constant{Name: macro, Value: rows[0][0], Number: rows[0][1] == "true"})
	}
	return err
}

// addRows gives a script the rows of a small relation.
func (b *builder) addRows(ctx context.Context, name, relation string, s *spark.Script) error {
	_, columns, err := b.engine.strings(ctx, "select column_name, column_type from (describe select * from "+relation+")", 0)
	if err != nil {
		return err
	}
	r := spark.Rows{Name: name}
	var texts []string
	for _, c := range columns {
		r.Columns = append(r.Columns, spark.Column{Name: c[0], Type: c[1]})
		texts = append(texts, fmt.Sprintf("coalesce('=' || cast(%s as varchar), '')", quoteName(c[0])))
	}
	_, rows, err := b.engine.strings(ctx, "select "+strings.Join(texts, ", ")+" from "+relation+" order by all", 0)
	for _, row := range rows {
		values := make([]*string, len(row))
		for i, text := range row {
			if value, known := strings.CutPrefix(text, "="); known {
				values[i] = &value
			}
		}
		r.Rows = append(r.Rows, values)
	}
	s.Rows = append(s.Rows, r)
	return err
}

// readHandover reads what was handed over to the engine whose results a folder has.
func readHandover(folder string) (h handover, err error) {
	content, err := os.ReadFile(filepath.Join(folder, handoverFile))
	if errors.Is(err, os.ErrNotExist) {
		return h, data.WithHint(fmt.Errorf("%s has no %s, which says what its folds were computed from", folder, handoverFile),
			"name the folder that captionlake analyze --engine spark --export wrote, with the folders that Spark wrote beside the script")
	}
	if err != nil {
		return h, err
	}
	decoder := json.NewDecoder(bytes.NewReader(content))
	decoder.DisallowUnknownFields()
	if err := decoder.Decode(&h); err != nil {
		return h, data.WithHint(fmt.Errorf("%s: %w", filepath.Join(folder, handoverFile), err), "export the script again, and run it")
	}
	return h, nil
}
