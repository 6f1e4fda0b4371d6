package iceberg

import (
	"encoding/json"
	"errors"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"strings"
	"sync/atomic"
	"testing"

	ice "github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/catalog"
	"github.com/apache/iceberg-go/table"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
)

// A restServer speaks as much of Iceberg's REST catalog as register needs, over another catalog. It is a fake: it shows what register sends and
// what it makes of the answers. Like the servers that there are, it numbers the columns of a new table itself, breadth-first.
type restServer struct {
	t         *testing.T
	inner     catalog.Catalog
	conflicts atomic.Int32 // commits to answer with 409
	lost      atomic.Int32 // commits to carry out and answer with 504
}

func (s *restServer) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if got := r.Header.Get("Authorization"); got != "Bearer hush" {
		s.fail(w, http.StatusUnauthorized, errors.New("not authorized: "+got))
		return
	}
	ctx := r.Context()
	parts := strings.Split(strings.TrimPrefix(r.URL.Path, "/v1/"), "/")
	ident := func() table.Identifier {
		return append(strings.Split(parts[1], "\x1f"), parts[3:]...)
	}
	var err error
	switch {
	case parts[0] == "config":
		s.answer(w, map[string]any{"defaults": map[string]string{}, "overrides": map[string]string{}})
	case len(parts) == 1 && r.Method == http.MethodPost:
		var asked struct{ Namespace []string }
		if err = json.NewDecoder(r.Body).Decode(&asked); err == nil {
			err = s.inner.CreateNamespace(ctx, asked.Namespace, nil)
		}
		s.answerOr(w, map[string]any{"namespace": asked.Namespace, "properties": map[string]string{}}, err)
	case len(parts) == 2:
		properties, err := s.inner.LoadNamespaceProperties(ctx, strings.Split(parts[1], "\x1f"))
		s.answerOr(w, map[string]any{"namespace": strings.Split(parts[1], "\x1f"), "properties": properties}, err)
	case len(parts) == 3 && r.Method == http.MethodPost:
		var asked struct {
			Name       string
			Schema     *ice.Schema
			Properties ice.Properties
		}
		if err = json.NewDecoder(r.Body).Decode(&asked); err != nil {
			s.fail(w, http.StatusBadRequest, err)
			return
		}
		tbl, err := s.create(r, append(ident(), asked.Name), asked.Schema, asked.Properties)
		s.table(w, tbl, err)
	case r.Method == http.MethodPost:
		var asked struct {
			Requirements table.Requirements
			Updates      table.Updates
		}
		if err = json.NewDecoder(r.Body).Decode(&asked); err != nil {
			s.fail(w, http.StatusBadRequest, err)
			return
		}
		if s.conflicts.Add(-1) >= 0 {
			s.fail(w, http.StatusConflict, errors.New("somebody else was first"))
			return
		}
		if _, _, err := s.inner.CommitTable(ctx, ident(), asked.Requirements, asked.Updates); err != nil {
			s.fail(w, http.StatusConflict, err)
			return
		}
		if s.lost.Add(-1) >= 0 {
			s.fail(w, http.StatusGatewayTimeout, errors.New("the answer is lost"))
			return
		}
		tbl, err := s.inner.LoadTable(ctx, ident())
		s.table(w, tbl, err)
	default:
		tbl, err := s.inner.LoadTable(ctx, ident())
		s.table(w, tbl, err)
	}
}

// create makes a table with ids of its own: all columns, and then the elements of lists.
func (s *restServer) create(r *http.Request, ident table.Identifier, schema *ice.Schema, properties ice.Properties) (*table.Table, error) {
	columns := schema.Fields()
	next := len(columns)
	for i := range columns {
		columns[i].ID = i + 1
		if list, ok := columns[i].Type.(*ice.ListType); ok {
			next++
			columns[i].Type = &ice.ListType{ElementID: next, Element: list.Element}
		}
	}
	if _, err := s.inner.CreateTable(r.Context(), ident, ice.NewSchema(0, columns[0]), catalog.WithProperties(properties)); err != nil {
		return nil, err
	}
	updates := []table.Update{table.NewAddSchemaUpdate(ice.NewSchema(1, columns...)), table.NewSetCurrentSchemaUpdate(-1)}
	if _, _, err := s.inner.CommitTable(r.Context(), ident, nil, updates); err != nil {
		return nil, err
	}
	return s.inner.LoadTable(r.Context(), ident)
}

func (s *restServer) table(w http.ResponseWriter, tbl *table.Table, err error) {
	if err != nil {
		s.answerOr(w, nil, err)
		return
	}
	s.answer(w, map[string]any{"metadata-location": tbl.MetadataLocation(), "metadata": tbl.Metadata(), "config": map[string]string{}})
}

func (s *restServer) answerOr(w http.ResponseWriter, v any, err error) {
	switch {
	case err == nil:
		s.answer(w, v)
	case errors.Is(err, catalog.ErrNoSuchNamespace), errors.Is(err, catalog.ErrNoSuchTable):
		s.fail(w, http.StatusNotFound, err)
	case errors.Is(err, catalog.ErrNamespaceAlreadyExists), errors.Is(err, catalog.ErrTableAlreadyExists):
		s.fail(w, http.StatusConflict, err)
	default:
		s.fail(w, http.StatusInternalServerError, err)
	}
}

func (s *restServer) answer(w http.ResponseWriter, v any) {
	w.Header().Set("Content-Type", "application/json")
	if err := json.NewEncoder(w).Encode(v); err != nil {
		s.t.Error(err)
	}
}

func (s *restServer) fail(w http.ResponseWriter, code int, err error) {
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(code)
	kind := map[int]string{http.StatusNotFound: "NoSuchTableException", http.StatusConflict: "CommitFailedException"}[code]
	if errors.Is(err, catalog.ErrNoSuchNamespace) {
		kind = "NoSuchNamespaceException"
	}
	_ = json.NewEncoder(w).Encode(map[string]any{"error": map[string]any{"message": err.Error(), "type": kind, "code": code}})
}

// A REST catalog gets the same tables, with the ids of the files although it numbers columns in its own way; conflicts are looked at again, and
// so is a commit whose answer was lost. The token goes along and is in no message.
func TestRESTCatalog(t *testing.T) {
	l, behind := laketest.New(t), t.TempDir()
	inner, err := Options{}.open(t.Context(), behind)
	must.Succeed(t, err)
	defer func() {
		if err := inner.close(); err != nil {
			t.Error(err)
		}
	}()
	fake := &restServer{t: t, inner: inner}
	server := httptest.NewServer(fake)
	defer server.Close()
	t.Setenv("TEST_CATALOG_TOKEN", "hush")
	o := Options{Tables: []string{"answers", "questions"}, Catalog: Catalog{URI: server.URL, Secrets: map[string]string{"token": "TEST_CATALOG_TOKEN"}}}
	write(t, l, data.Answers, "one", answer("a", 1))
	write(t, l, data.Questions, "bank", data.Question{QuestionID: "q", Options: []string{"a", "b"}, OptionOrder: []int32{1, 0}})
	dry := o
	dry.DryRun = true
	if all := registered(t, l, dry); len(all) != 2 || all[1].Added != 1 {
		t.Errorf("a dry run says %+v", all)
	}
	registered(t, l, o)
	agrees(t, l, inner, data.Answers)
	agrees(t, l, inner, data.Questions)
	if again := registered(t, l, o); again[0].Changed() || again[1].Changed() {
		t.Errorf("registered again, the tables are %+v", again)
	}

	write(t, l, data.Answers, "two", answer("b", 2))
	fake.lost.Store(1)
	if all := registered(t, l, o); all[1].Files != 2 || all[1].Added != 0 {
		t.Errorf("after a lost answer the tables are %+v", all)
	}
	agrees(t, l, inner, data.Answers)
	write(t, l, data.Answers, "three", answer("c", 3))
	fake.conflicts.Store(100)
	if _, err := Register(t.Context(), l, o); err == nil || strings.Contains(err.Error(), "hush") {
		t.Errorf("of endless conflicts the error is %v", err)
	}
	fake.conflicts.Store(0)
	registered(t, l, o)
	agrees(t, l, inner, data.Answers)

	t.Setenv("TEST_CATALOG_TOKEN", "wrong-hush")
	if _, err := Register(t.Context(), l, o); err == nil || strings.Contains(err.Error(), "wrong-hush") {
		t.Errorf("of a wrong token the error is %v", err)
	}
	if _, err := os.Stat(filepath.Join(l.Dir(), catalogFile)); err == nil {
		t.Error("a catalog was made in the lake, too")
	}
}
