package analytics

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/analytics/spark"
	"github.com/captionlake/captionlake/data"
)

// Folds can be handed over to another engine: they are written as a script, and what the engine computed is taken into the marts as if
// DuckDB had computed it (taken.go).

// FoldsScript is the file of the script beside the folders of results.
const FoldsScript = "folds.sql"

// A FoldsExport says what was handed over.
type FoldsExport struct {
	Folds  []string `json:"folds"` // that the script computes
	Script string   `json:"script"`
}

// ExportFolds writes the folds as a script of Spark SQL into a folder, for results that come into that folder. at says where the engine
// sees the two. The lake must be open for writing, as for Analyze; nothing of it changes.
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
	script, err := b.handOver(ctx, models, Addresses{strings.TrimSuffix(at.Lake, "/"), strings.TrimSuffix(at.Results, "/")})
	if err != nil {
		return x, err
	}
	text, err := script.Text()
	if err != nil {
		return x, err
	}
	for _, step := range script.Steps {
		if !step.Helps {
			x.Folds = append(x.Folds, step.Name)
		}
	}
	x.Script = filepath.Join(folder, FoldsScript)
	return x, errors.Join(os.MkdirAll(folder, 0o777), os.WriteFile(x.Script, []byte(text), 0o666))
}

// localFile begins the address of a file here: a cluster takes a path without it for one in its own store.
const localFile = "file://"

// Addresses are where another engine sees the lake's folder and the folder for its results, such as s3a://bucket/lake; where they are here
// when they are empty.
type Addresses struct{ Lake, Results string }

// handOver writes the script of all folds. Values that are the same whatever the engine are computed here. The script's ID tells the
// queries and the state of the tables, wherever these are.
func (b *builder) handOver(ctx context.Context, models []Model, at Addresses) (s spark.Script, err error) {
	small, err := b.smallInputs(ctx, models)
	if err != nil {
		return s, err
	}
	feeds, tables, read := readByFolds(models), map[string]map[string]string{}, map[string]bool{}
	s = spark.Script{Output: at.Results, Title: "Folds of a lake, written by captionlake " + data.Version}
	for _, m := range models {
		if m.Fold == "" && !feeds[m.Name] || small[m.Name].rows != "" {
			continue
		}
		step := spark.Step{Name: m.Name, What: m.What, Query: m.Select, Helps: m.Fold == "", Key: m.Key}
		for _, c := range m.Columns {
			if c.made == "" {
				step.Columns = append(step.Columns, spark.Column{Name: c.Name, Type: c.Type})
			}
		}
		if err := b.addInputs(ctx, m, at, read, small, tables, &s); err != nil {
			return s, err
		}
		if m.stale() {
			step.Views = append(step.Views, spark.View{Name: countedPrefix + m.Fold, Query: countedRows(m, m.Fold, false)})
		}
		if m.inBuckets() {
			step.Views = append(step.Views, spark.View{Name: mergedPrefix + m.Name, Query: m.mergedRows()})
		}
		s.Steps = append(s.Steps, step)
	}
	print, err := json.Marshal([]any{data.Version, tables, s.Rows, s.Constants, s.Steps})
	s.ID = data.Fingerprint(string(print))[:32]
	return s, err
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
		if err := b.showInputs(ctx, b.engine, m); err != nil {
			return nil, err
		}
		small[m.Name] = smallInput{"(" + m.typed(m.Select) + ")", m.Inputs}
	}
	return small, nil
}

// readByFolds are the inputs of folds, and of the models among these.
func readByFolds(models []Model) map[string]bool {
	read := map[string]bool{}
	for _, m := range slices.Backward(models) { // Each stands behind those that it reads.
		for _, input := range m.Inputs {
			read[input] = read[input] || m.Fold != "" || read[m.Name]
		}
	}
	return read
}

// files is a base table, as another engine sees it.
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
			s.Tables = append(s.Tables, b.files(name, slices.Sorted(maps.Keys(tables[name])), at))
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
