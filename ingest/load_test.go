package ingest

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"image/color"
	"maps"
	"os"
	"path/filepath"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

var update = flag.Bool("update", false, "rewrite what the files of testdata expect")

// TestLoads carries out the files of testdata: foreign files, commands, and a transcript of the
// commands' output. -update rewrites the transcripts; read the difference. The commands are the
// methods of loading.
func TestLoads(t *testing.T) {
	paths := must.Get(filepath.Glob("testdata/*.txtar"))(t)
	for _, path := range paths {
		t.Run(strings.TrimSuffix(filepath.Base(path), ".txtar"), func(t *testing.T) {
			t.Parallel()
			archive := must.Get(txtar.ParseFile(path))(t)
			l := &loading{T: t, dir: t.TempDir(), lake: laketest.New(t), released: "shared/"}
			files := len(archive.Files) - 1
			if files < 0 || archive.Files[files].Name != "want" {
				archive.Files = append(archive.Files, txtar.File{Name: "want"})
				files++
			}
			must.Succeed(t, txtar.Write(&txtar.Archive{Files: archive.Files[:files]}, l.dir))
			want := &archive.Files[files].Data
			for line := range strings.Lines(string(archive.Comment)) {
				if line = strings.TrimSpace(line); line != "" && !strings.HasPrefix(line, "#") {
					l.do(line)
				}
			}
			got := strings.NewReplacer(filepath.ToSlash(l.dir)+"/", "", l.released, "shared/").Replace(l.said.String())
			if *update {
				*want = []byte(got)
				must.Write(t, path, txtar.Format(archive))
			} else if got != string(*want) {
				t.Errorf("got\n%s\nwant\n%s", got, *want)
			}
		})
	}
}

// examples are the files of an archive of testdata, without its transcript.
func examples(t testing.TB, archive string) map[string]string {
	t.Helper()
	a := must.Get(txtar.ParseFile("testdata/" + archive + ".txtar"))(t)
	files := map[string]string{}
	for _, file := range a.Files[:len(a.Files)-1] {
		files[file.Name] = string(file.Data)
	}
	return files
}

func example(t testing.TB, archive, name string) string { return examples(t, archive)[name] }

// A byte order mark and the line ends of Windows change neither the content of files nor their
// formats.
func TestByteOrderMarkAndCRLF(t *testing.T) {
	t.Parallel()
	for table, content := range map[string]string{
		"captions": example(t, "captions", "captions.json"), "questions": example(t, "bank_json", "bank.json"),
		"answers": example(t, "results", "results.json"),
	} {
		load := func(content string) string {
			l := laketest.New(t)
			r := mustLoad(t, l, textSource(t, "file.json", content), resultsOptions)
			var rows strings.Builder
			for _, row := range tableRows[table](t, l) {
				must.Succeed(t, json.NewEncoder(&rows).Encode(row.Interface()))
			}
			return r.Format + "\n" + rows.String()
		}
		if want, got := load(content), load("\ufeff"+strings.ReplaceAll(content, "\n", "\r\n")); got != want {
			t.Errorf("%s\nwithout mark %s", got, want)
		}
	}
}

// A loading is a file of testdata under way.
type loading struct {
	*testing.T
	dir  string
	lake *data.Lake
	said strings.Builder

	released string // where the folder shared is
}

var words = regexp.MustCompile(`'[^']*'|\S+`)

func (l *loading) do(line string) {
	args := words.FindAllString(line, -1)
	for i, a := range args {
		args[i] = string(withBytes([]byte(strings.Trim(a, "'"))))
	}
	fmt.Fprintf(&l.said, "$ %s\n", line)
	switch command := args[0]; command {
	case "ingest":
		l.ingest(args[1:])
	case "rows", "count":
		l.rows(command == "count", args[1], args[2:])
	case "lake": // a new one, which has what the files hold
		l.lake = laketest.New(l)
		if len(args) > 1 {
			loadFolder(l, l.lake, judged, l.paths(args[1:])...)
		}
	case "sample": // the sample set
		must.Get(LoadSample(l.Context(), l.lake, true))(l)
	case "slow":
		must.Slow(l)
	case "move":
		must.Succeed(l, os.Rename(filepath.Join(l.dir, args[1]), l.place(args[2])))
	case "link":
		must.Succeed(l, os.Symlink(args[2], l.place(args[1])))
	case "remove":
		for _, path := range l.paths(args[1:]) {
			must.Succeed(l, os.Remove(path))
		}
	case "draw": // a picture of one colour: its kind, width and height, and where it goes
		width, height := 0, 0
		must.Get(fmt.Sscanf(args[2], "%dx%d", &width, &height))(l)
		for _, name := range args[3:] {
			must.Succeed(l, os.WriteFile(l.place(name), drawn(l, args[1], width, height, color.White), 0o666))
		}
	case "parquet": // what the SELECT of a file gives
		parquetOf(l, l.place(args[1]), strings.ReplaceAll(string(must.Read(l, filepath.Join(l.dir, args[2]))), "FOLDER",
			l.dir))
	case "edit":
		l.edit(args[1], args[2], args[3:])
	case "raw":
		l.raw(args[1:])
	default:
		l.Fatalf("no command %q", command)
	}
}

// parquetOf writes what a SELECT gives, uncompressed.
func parquetOf(t testing.TB, path, query string) {
	t.Helper()
	db := must.Get(sql.Open("duckdb", ""))(t)
	defer db.Close()
	must.Get(db.Exec("copy (" + query + ") to '" + path + "' (format parquet, compression uncompressed)"))(t)
}

// ingest loads files, as the command does. A refused file leaves every byte of the lake as it was,
// and a file that was loaded is not loaded again.
func (l *loading) ingest(args []string) {
	var o Options
	f := flag.NewFlagSet("ingest", flag.ContinueOnError)
	for name, value := range map[string]*string{"as": &o.Format, "captioner": &o.Captioner, "prompt": &o.Prompt,
		"reader": &o.Reader, "domain": &o.Domain,
		"provenance": &o.Provenance, "option-order": &o.Order} {
		f.StringVar(value, name, "", "")
	}
	f.BoolVar(&o.Frames, "frames", false, "")
	must.Succeed(l, f.Parse(args))
	before := lakeFiles(l, l.lake)
	paths := l.paths(f.Args())
	results, skipped, err := loadPaths(l.Context(), l.lake, paths, o)
	changed := false
	for _, r := range results {
		changed = changed || r.Changed
		if r.State == StateRefused {
			continue // the error says so
		}
		fmt.Fprintf(&l.said, "%s: %s", r.Path, r.Format)
		for _, table := range slices.Sorted(maps.Keys(r.Rows)) {
			fmt.Fprintf(&l.said, ", %d %s", r.Rows[table], table)
		}
		fmt.Fprintf(&l.said, ", %s\n", r.State)
		for _, note := range r.Notes {
			fmt.Fprintln(&l.said, "note:", note)
		}
	}
	for _, path := range skipped {
		fmt.Fprintln(&l.said, "skipped:", path)
	}
	if err != nil {
		fmt.Fprintln(&l.said, err)
		var hint *data.HintError
		if errors.As(err, &hint) {
			fmt.Fprintln(&l.said, "Try:", hint.Hint)
		}
	}
	if !changed && !maps.Equal(before, lakeFiles(l, l.lake)) {
		l.Errorf("nothing was loaded from %q, and the lake changed", args)
	}
	again, _, fault := loadPaths(l.Context(), l.lake, paths, o)
	if fmt.Sprint(fault) != fmt.Sprint(err) {
		l.Errorf("the second time %v, the first %v", fault, err)
	}
	for _, r := range again {
		if r.Changed {
			l.Errorf("%s was loaded twice", r.Path)
		}
	}
}

// paths are the files of patterns, or below the folder shared released ones.
func (l *loading) paths(patterns []string) (paths []string) {
	for _, pattern := range patterns {
		if name, shared := strings.CutPrefix(pattern, "shared/"); shared {
			path := filepath.ToSlash(must.Shared(l, name))
			paths, l.released = append(paths, path), strings.TrimSuffix(path, name)
			continue
		}
		found := must.Get(filepath.Glob(filepath.Join(l.dir, pattern)))(l)
		if len(found) == 0 {
			found = []string{filepath.Join(l.dir, pattern)}
		}
		paths = append(paths, found...)
	}
	return paths
}

var tableRows = map[string]func(testing.TB, *data.Lake) []reflect.Value{
	"annotations": rowsOf(data.Annotations), "answers": rowsOf(data.Answers), "battles": rowsOf(data.Battles),
	"calls": rowsOf(data.Calls), "captions": rowsOf(data.Captions),
	"images": rowsOf(data.Images), "judgments": rowsOf(data.Judgments), "published": rowsOf(data.PublishedFigures),
	"questions": rowsOf(data.Questions), "taxonomy": rowsOf(data.Taxonomy), "votes": rowsOf(data.Votes),
}

func rowsOf[T any](table data.Table[T]) func(testing.TB, *data.Lake) []reflect.Value {
	return func(t testing.TB, l *data.Lake) (rows []reflect.Value) {
		for _, row := range laketest.All(t, l, table) {
			rows = append(rows, reflect.ValueOf(row))
		}
		return rows
	}
}

// rows shows columns of a table, a line a row, or how many rows have the same.
func (l *loading) rows(counted bool, name string, columns []string) {
	var lines []string
	for _, row := range tableRows[name](l, l.lake) {
		var cells []string
		for _, column := range columns {
			cells = append(cells, cellOf(row, column))
		}
		lines = append(lines, strings.Join(cells, " | "))
	}
	slices.Sort(lines)
	if counted {
		n := map[string]int{}
		for _, line := range lines {
			n[line]++
		}
		lines = nil
		for _, line := range slices.Sorted(maps.Keys(n)) {
			lines = append(lines, fmt.Sprint(n[line], " ", line))
		}
	}
	for _, line := range lines {
		fmt.Fprintln(&l.said, line)
	}
}

func cellOf(row reflect.Value, column string) string {
	for i := range row.NumField() {
		if name, _, _ := strings.Cut(row.Type().Field(i).Tag.Get("parquet"), ","); name != column {
			continue
		}
		switch v := reflect.Indirect(row.Field(i)); {
		case !v.IsValid():
			return "null"
		case v.Kind() == reflect.String:
			return strings.ReplaceAll(v.String(), "\n", `\n`)
		default:
			return fmt.Sprint(v.Interface())
		}
	}
	return "no column " + column
}

// edit makes a file of another one, with the first of each text replaced by the one after it.
func (l *loading) edit(from, to string, texts []string) {
	content := must.Read(l, filepath.Join(l.dir, from))
	for pair := range slices.Chunk(texts, 2) {
		if !strings.Contains(string(content), pair[0]) {
			l.Fatalf("%s has no %s", from, pair[0])
		}
		content = []byte(strings.Replace(string(content), pair[0], pair[1], 1))
	}
	must.Succeed(l, os.WriteFile(l.place(to), content, 0o666))
}

// place is the path of a file to be made.
func (l *loading) place(name string) string {
	path := filepath.Join(l.dir, name)
	must.Succeed(l, os.MkdirAll(filepath.Dir(path), 0o777))
	return path
}

var byteMark = regexp.MustCompile(`«[0-9a-f]{2}»`)

// raw makes files what an archive of texts cannot hold: without a line feed at the end, and «ff» is
// a byte, as in commands.
func (l *loading) raw(patterns []string) {
	for _, path := range l.paths(patterns) {
		content := must.Read(l, path)
		must.Succeed(l, os.WriteFile(path, withBytes(bytes.TrimSuffix(content, []byte("\n"))), 0o666))
	}
}

func withBytes(text []byte) []byte {
	return byteMark.ReplaceAllFunc(text, func(mark []byte) []byte {
		b, err := strconv.ParseUint(string(mark[2:4]), 16, 8)
		if err != nil {
			panic(err)
		}
		return []byte{byte(b)}
	})
}
