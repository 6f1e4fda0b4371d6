package analytics

import (
	"context"
	"errors"
	"fmt"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/spelling"
)

// A Session answers one question after another about a lake, in one DuckDB. It sees what is ingested and built meanwhile. It is for one
// goroutine at a time.
type Session struct {
	lake    *data.Lake
	folder  string
	temp    scratch
	engine  *engine
	models  []Model
	file    string // that DuckDB writes rows into
	outside bool
	locked  bool
	views   string // the views as they were made, to tell when others are needed
	opened  bool   // views were made
	told    bool   // all shortcuts and comments are there
}

// OpenSession starts DuckDB over a lake. What SQL may reach is as for Query.
func OpenSession(ctx context.Context, lake *data.Lake, options EngineOptions, allowOutside bool) (*Session, error) {
	folder, err := lakeFolder(lake)
	if err != nil {
		return nil, err
	}
	temp, err := newScratch()
	if err != nil {
		return nil, err
	}
	s := &Session{lake: lake, folder: folder, temp: temp, file: temp.path("result"), outside: allowOutside}
	if s.models, err = Models(); err == nil {
		s.engine, err = openEngine(ctx, engineConfig{
			spill: temp.path("spill"), folders: []string{folder}, files: []string{s.file}, unlocked: allowOutside, options: options,
		})
	}
	if err != nil {
		return nil, errors.Join(err, temp.remove())
	}
	return s, nil
}

// Close ends DuckDB and removes its temporary files.
func (s *Session) Close() error { return errors.Join(s.engine.close(), s.temp.remove()) }

// Query answers SQL as the function Query does.
func (s *Session) Query(ctx context.Context, text string, o QueryOptions, out io.Writer) (report QueryReport, err error) {
	if err := o.complete(); err != nil {
		return report, err
	}
	o.AllowOutside = s.outside
	statements, err := s.engine.selects(ctx, text)
	if err != nil {
		return report, err
	}
	if len(statements) > 1 && slices.Contains([]string{"json", "parquet"}, o.Format) {
		return report, data.WithHint(fmt.Errorf("the format %s takes one select", o.Format), "ask them one by one, or choose another format")
	}
	for _, statement := range statements {
		one, err := s.answer(ctx, statement, o, out)
		if err != nil {
			return report, err
		}
		report = QueryReport{Rows: report.Rows + one.Rows, More: report.More || one.More}
	}
	return report, nil
}

// answer answers one statement, or several that are not all selects.
func (s *Session) answer(ctx context.Context, text string, o QueryOptions, out io.Writer) (report QueryReport, err error) {
	for tries := 1; ; tries++ {
		if err := s.prepare(ctx, text); err != nil {
			return report, err
		}
		report, err = s.engine.ask(ctx, text, o, out, s.file)
		// DuckDB reads every file before the first row is written, so the question can be asked again.
		if !vanished(err) || s.outside || tries == listings {
			return report, explain(err, s.models)
		}
		s.views = ""
	}
}

// prepare makes what the question may name and is not there yet.
func (s *Session) prepare(ctx context.Context, text string) error {
	relations, err := s.relations()
	if err != nil {
		return err
	}
	var views strings.Builder
	for _, r := range relations {
		views.WriteString(r.view("") + "\n")
	}
	if views.String() != s.views {
		if err := s.open(ctx, relations); err != nil {
			return err
		}
		s.views = views.String()
	}
	if !s.told {
		if err := s.engine.createShortcuts(ctx, s.lake, s.models, text); err != nil {
			return err
		}
		if listsComments.MatchString(text) {
			if err := s.tell(ctx, relations); err != nil {
				return err
			}
		}
	}
	if s.outside || s.locked {
		return nil
	}
	s.locked = true
	return s.engine.exec(ctx, "set lock_configuration = true")
}

// relations are the tables and the marts that the lake has now.
func (s *Session) relations() ([]relation, error) { return relationsOf(s.lake, s.models) }

func relationsOf(lake *data.Lake, models []Model) ([]relation, error) {
	tables, err := tableRelations(lake)
	if err != nil {
		return nil, err
	}
	marts, err := martsOf(lake, models)
	return append(tables, marts...), err
}

// Words of a query that lists what there is, and of those the ones that give comments.
var (
	listsCatalog  = regexp.MustCompile(`(?i)\b(duckdb_\w+|information_schema|pg_\w+|sqlite_\w+|show)\b`)
	listsComments = regexp.MustCompile(`(?i)\b(duckdb_(tables|views|functions|columns)|information_schema|pg_\w+)\b`)
)

// open makes the views: those of the lake's DuckDB file, which come with all shortcuts and comments, where it has what would be made now.
// SQL that may reach everything gets none of the file, which may have come from somebody else with the lake.
func (s *Session) open(ctx context.Context, relations []relation) (err error) {
	s.told = false
	if !s.opened && !s.outside {
		s.told, err = s.engine.copyCatalog(ctx, s.lake, s.folder, relations)
	}
	if err == nil && !s.told {
		err = s.engine.openLake(ctx, s.lake, s.folder, s.models)
	}
	s.opened = true
	return err
}

// tell gives views, macros and columns the comments that the lake's DuckDB file has. There are thousands: DuckDB takes as long for them as
// for most queries.
func (s *Session) tell(ctx context.Context, relations []relation) error {
	var statements []string
	for _, r := range relations {
		statements = append(statements, r.comments()...)
	}
	for _, shortcut := range shortcutsOver(relations) {
		statements = append(statements, shortcut.comments()...)
	}
	if err := s.engine.exec(ctx, strings.Join(statements, ";\n")); err != nil {
		return fmt.Errorf("comments: %w", err)
	}
	s.told = true
	return nil
}

// complete fills in the format and refuses one that is not there.
func (o *QueryOptions) complete() error {
	if o.Format == "" {
		o.Format = "table"
	}
	if !slices.Contains(Formats(), o.Format) {
		return data.WithHint(fmt.Errorf("there is no output format %q", o.Format), "%s", spelling.Meant("choose one of: "+strings.Join(Formats(), ", "), Formats(), o.Format))
	}
	return nil
}
