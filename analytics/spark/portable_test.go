package spark

import (
	"encoding/json"
	"fmt"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/analytics/engine"
	"github.com/captionlake/captionlake/analytics/sqlmodel"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/sql"
)

// What folds may use of SQL, so that another engine can take them over: each with the reason why it
// means the same there. Macros are not listed: a port defines them.
var (
	portableFunctions = map[string]string{
		"+": "standard", "-": "standard", "*": "standard",
		"/":     "standard; between whole and exact numbers folds use macros",
		"count": "standard", "count_star": "standard", "sum": "standard, exact for whole and exact numbers",
		"min": "standard", "max": "standard",
		"abs": "standard", "floor": "standard",
		"round":          "halves away from zero everywhere for exact numbers; folds round what is never half",
		"nullif":         "standard",
		"concat_ws":      "Spark, Trino and ClickHouse have it under this name; folds give it texts without nulls",
		"chr":            "Spark and Trino; char in ClickHouse",
		"regexp_extract": "with coalesce, because Trino gives null without a match",
		"regexp_replace": "with a pattern that ends in \\z, which matches once at most: Spark and Trino replace every " +
			"match, DuckDB the first; $ matches before a line break in Java",
		"split_part": "Spark and Trino have it under this name; splitByString in ClickHouse",
		"!~~":        "not like with a literal before the per cent sign: standard",
	}
	portableNodes = map[string]string{
		"COLUMN_REF": "", "CONSTANT": "", "COMPARISON": "", "CONJUNCTION": "", "CASE": "", "CAST": "", "FUNCTION": "",
		"OPERATOR": "in, is null, not, coalesce, grouping",
		"STAR":     "all columns of a table",
		"SUBQUERY": "in (select ...) and exists",
	}
	portableSources = map[string]string{
		"SELECT_NODE": "", "SET_OPERATION_NODE": "", "BASE_TABLE": "", "JOIN": "", "SUBQUERY": "",
		"EMPTY":          "a select of constants",
		"TABLE_FUNCTION": "macros alone",
	}
	portableJoins = map[string]string{"INNER": "", "LEFT": ""}
	portableTypes = map[string]string{"VARCHAR": "string in Spark", "INTEGER": "", "BIGINT": "", "DECIMAL": "",
		"DOUBLE": "on the way to a whole number"}
)

var macroName = regexp.MustCompile(`macro (\w+)\(`)

// TestFoldsArePortable reads the parse tree of each fold's select, and finds the macros that it
// calls among the functions of Spark's scripts.
func TestFoldsArePortable(t *testing.T) {
	models := sqlmodel.All()
	macro := map[string]bool{}
	for _, m := range macroName.FindAllStringSubmatch(engine.Macros, -1) {
		macro[m[1]] = true
	}
	e := must.Get(engine.Open(t.Context(), engine.Config{Spill: t.TempDir()}))(t)
	defer e.Close()
	// What stands between two folds is computed with them.
	feeds, needsFold := readByFolds(models), map[string]bool{}
	for _, m := range models {
		needsFold[m.Name] = m.Fold != "" ||
			slices.ContainsFunc(m.Inputs, func(input string) bool { return needsFold[input] })
		if m.Fold == "" && !(feeds[m.Name] && needsFold[m.Name]) {
			continue
		}
		for _, found := range notPortable(parseTree(t, e, m.Select), macro) {
			t.Errorf("%s uses %s", m.Name, found)
		}
		for name := range macro {
			called := regexp.MustCompile(`\b` + name + `\(`).MatchString(sparkQuery(m.Select))
			if called && !strings.Contains(sparkHead, "function "+name+"(") && name != "sampling_seed" &&
				name != "in_pool" {
				t.Errorf("%s calls %s, which sql/macros/spark.sql does not have", m.Name, name)
			}
		}
	}
	for query, want := range map[string]string{
		"select hash(a) from answers":                                            "the function hash",
		"select list(a) from answers":                                            "the function list",
		"select a from answers group by all":                                     "group by all",
		"select string_agg(a order by a) from answers":                           "a order_modifier",
		"select row_number() over (order by a) from answers":                     "a node WINDOW",
		"select a from answers cross join read_parquet('x')":                     "the table function read_parquet",
		"select a::date from answers":                                            "the type DATE",
		"select a from answers full join calls using (a)":                        "a join FULL",
		"select distinct on (a) b from answers":                                  "distinct on",
		"select a from answers asof join calls on answers.a >= calls.a":          "a join ASOF",
		"select a from answers limit 1":                                          "limit_modifier",
		"with n as (select a from answers) select count(*) from n where a = 'x'": "",
	} {
		if found := strings.Join(notPortable(parseTree(t, e, query), macro), ", "); found != want &&
			(want == "" || !strings.Contains(found, want)) {
			t.Errorf("%s: found %q, want %q", query, found, want)
		}
	}
}

// TestHeadersOfFolds holds what headers say of folds against the rest of them.
func TestHeadersOfFolds(t *testing.T) {
	models := sqlmodel.All()
	whole := regexp.MustCompile(`^(INTEGER|BIGINT|DECIMAL.*)$`)
	for _, m := range models {
		if m.Counts != "" && !m.Merges() {
			t.Errorf("%s counts rows, which is for a fold with rows for each unit", m.Name)
		}
		if m.Merges() && m.Columns[0].Name != sqlmodel.UnitColumn {
			t.Errorf("%s: its first column is not the unit", m.Name)
		}
		if m.By != "" && (m.Key[0] == sqlmodel.UnitColumn || !slices.Contains(m.Key, m.By)) {
			t.Errorf("%s is kept by %s, which is not in its key, or with the unit", m.Name, m.By)
		}
		if m.Fold == "" {
			continue
		}
		alone := slices.IndexFunc(models, func(o sqlmodel.Model) bool {
			return m.OfFold() && o.Fold == m.Fold && o.Merges() && slices.Equal(m.Inputs, []string{o.Name})
		})
		if !big(m.Fold) || !slices.Contains(m.Inputs, m.Fold) && alone < 0 {
			t.Errorf("%s: %q is neither a big base table among the inputs nor that of the one fold that it reads",
				m.Name, m.Fold)
		}
		for _, input := range m.Inputs {
			if big(input) && input != m.Fold && !m.IsStale() {
				t.Errorf("%s folds %s and reads the big table %s, too", m.Name, m.Fold, input)
			}
		}
		if m.Compute != "" ||
			slices.ContainsFunc(m.Columns, func(c sqlmodel.Column) bool { return strings.HasSuffix(c.Name, "_low") }) {
			t.Errorf("%s has a computation or intervals, which belong to the models that read it", m.Name)
		}
		counted := m.Counts == "" || m.Counts == "1"
		for _, c := range m.Columns {
			adds := whole.MatchString(c.Type)
			counted = counted || c.Name == m.Counts && adds && c.Merge == ""
			switch {
			case c.Made != "" && m.Merges():
				t.Errorf("%s: column %s is made of others, which is for a fold whose rows are sums over units",
					m.Name, c.Name)
			case slices.Contains(m.Key, c.Name) || m.IsStale() || c.Made != "":
			case c.Type == "DOUBLE" || c.Type == "DATE" || strings.HasPrefix(c.Type, "TIMESTAMP"):
				t.Errorf("%s: column %s is a %s; a fold has integers, exact decimals and texts", m.Name, c.Name, c.Type)
			case c.Merge == "" && !adds && m.Merges():
				t.Errorf("%s: column %s is not a number: say how two units' values become one, {merge: max} or {merge: "+
					"min}", m.Name, c.Name)
			}
		}
		if !counted {
			t.Errorf("%s: %q is neither a column of sums nor 1, for one row of the mart for each of the table",
				m.Name, m.Counts)
		}
	}
}

// parseTree is how DuckDB reads a query.
func parseTree(t *testing.T, e *engine.Engine, query string) (tree any) {
	t.Helper()
	_, rows, err := e.Strings(t.Context(), "select cast(json_serialize_sql("+sql.Quote(query)+") as varchar)")
	must.Succeed(t, err)
	must.Succeed(t, json.Unmarshal([]byte(rows[0][0]), &tree))
	return tree
}

// ofTheLoader reports whether a function stands for the rows of a table that count, or for the rows
// of a fold without the unit.
func ofTheLoader(function string) bool {
	return strings.HasPrefix(function, sqlmodel.CountedPrefix) || strings.HasPrefix(function, sqlmodel.MergedPrefix)
}

// notPortable lists what a parse tree has that folds may not use.
func notPortable(tree any, macro map[string]bool) (found []string) {
	see := func(format string, args ...any) {
		if text := fmt.Sprintf(format, args...); !slices.Contains(found, text) {
			found = append(found, text)
		}
	}
	allowed := func(list map[string]string, name string) bool { _, ok := list[name]; return ok }
	var walk func(node any)
	walk = func(node any) {
		switch n := node.(type) {
		case []any:
			for _, child := range n {
				walk(child)
			}
		case map[string]any:
			text := func(key string) string { s, _ := n[key].(string); return s }
			class, kind, name := text("class"), text("type"), text("function_name")
			if class != "" && !allowed(portableNodes, class) {
				see("a node %s", class)
			}
			if class == "FUNCTION" && !macro[name] && !ofTheLoader(name) && !allowed(portableFunctions, name) {
				see("the function %s", name)
			}
			if _, source := n["sample"]; source && !allowed(portableSources, kind) {
				see("a source %s", kind)
			}
			if kind == "TABLE_FUNCTION" {
				f, _ := n["function"].(map[string]any)
				if name := fmt.Sprint(f["function_name"]); f != nil && !ofTheLoader(name) && !macro[name] {
					see("the table function %s", name)
				}
			}
			if join := text("join_type"); join != "" && !allowed(portableJoins, join) {
				see("a join %s", join)
			}
			if ref := text("ref_type"); kind == "JOIN" && ref != "REGULAR" && ref != "CROSS" {
				see("a join %s", ref)
			}
			if cast, ok := n["cast_type"].(map[string]any); ok && !allowed(portableTypes, fmt.Sprint(cast["id"])) {
				see("the type %v", cast["id"])
			}
			if text("aggregate_handling") == "FORCE_AGGREGATES" {
				see("group by all")
			}
			if kind == "DISTINCT_MODIFIER" {
				if on, _ := n["distinct_on_targets"].([]any); len(on) > 0 {
					see("distinct on")
				}
			} else if orders, _ := n["orders"].([]any); strings.HasSuffix(kind, "_MODIFIER") &&
				(kind != "ORDER_MODIFIER" || len(orders) > 0) {
				see("a %s", strings.ToLower(kind))
			}
			for _, child := range n {
				walk(child)
			}
		}
	}
	walk(tree)
	slices.Sort(found)
	return found
}

func big(name string) bool {
	t, is := data.TableNamed(name)
	return is && t.Big()
}
