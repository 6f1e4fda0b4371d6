package iceberg

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	ice "github.com/apache/iceberg-go"
	"github.com/apache/iceberg-go/catalog"
	"github.com/apache/iceberg-go/table"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/laketest"
)

// A brokenCatalog fails at one of its writes, before or after it is done, as a kill or a lost connection would have it.
type brokenCatalog struct {
	catalog.Catalog
	left   int
	after  bool
	before func()
}

var errBroken = errors.New("the connection is gone")

func (c *brokenCatalog) breaks() bool {
	c.left--
	return c.left == 0
}

func (c *brokenCatalog) CreateTable(ctx context.Context, ident table.Identifier, s *ice.Schema, o ...catalog.CreateTableOpt) (*table.Table, error) {
	breaks := c.breaks()
	if breaks && !c.after {
		return nil, errBroken
	}
	tbl, err := c.Catalog.CreateTable(ctx, ident, s, o...)
	if breaks {
		return nil, errBroken
	}
	return table.New(tbl.Identifier(), tbl.Metadata(), tbl.MetadataLocation(), tbl.FS, c), err
}

func (c *brokenCatalog) LoadTable(ctx context.Context, ident table.Identifier) (*table.Table, error) {
	tbl, err := c.Catalog.LoadTable(ctx, ident)
	if err != nil {
		return nil, err
	}
	return table.New(tbl.Identifier(), tbl.Metadata(), tbl.MetadataLocation(), tbl.FS, c), nil
}

func (c *brokenCatalog) CommitTable(ctx context.Context, ident table.Identifier, r []table.Requirement, u []table.Update) (table.Metadata, string, error) {
	if c.before != nil {
		before := c.before
		c.before = nil
		before()
	}
	breaks := c.breaks()
	if breaks && !c.after {
		return nil, "", errBroken
	}
	m, at, err := c.Catalog.CommitTable(ctx, ident, r, u)
	if breaks {
		return nil, "", errBroken
	}
	return m, at, err
}

// A registration that ends between any two of its steps is carried on by the next one, with every file once.
func TestInterruptedRegistrationGoesOn(t *testing.T) {
	t.Parallel()
	for _, after := range []bool{false, true} {
		broken := 0
		for step := 1; ; step++ {
			l := laketest.New(t)
			write(t, l, data.Answers, "one", answer("a", 1))
			write(t, l, data.Questions, "bank", data.Question{QuestionID: "q", Options: []string{"a", "b"}})
			o := Options{Tables: []string{"questions", "answers"}}
			opened := inTempCatalog(t, l)
			breaking := &brokenCatalog{Catalog: opened, left: step, after: after}
			_, err := registerIn(t.Context(), &openCatalog{Catalog: breaking}, l, o)
			if err != nil && !errors.Is(err, errBroken) {
				t.Fatal(err)
			}
			if breaking.left > 0 {
				break
			}
			broken++
			registered(t, l, o)
			agrees(t, l, opened, data.Answers)
			agrees(t, l, opened, data.Questions)
		}
		if broken != 6 { // for each table: made, columns added, files registered
			t.Errorf("there were %d steps to break at, want 6", broken)
		}
	}
}

// Two registrations at a time add no file twice: who comes second looks again.
func TestConflictsAreLookedAtAgain(t *testing.T) {
	t.Parallel()
	l := laketest.New(t)
	write(t, l, data.Answers, "one", answer("a", 1))
	o := Options{Tables: []string{"answers"}}
	registered(t, l, o)
	write(t, l, data.Answers, "two", answer("b", 2))
	opened := inTempCatalog(t, l)
	meanwhile := &brokenCatalog{Catalog: opened, before: func() { registered(t, l, o) }}
	all, err := registerIn(t.Context(), &openCatalog{Catalog: meanwhile}, l, o)
	if err != nil || all[0].Changed() || all[0].Files != 2 {
		t.Errorf("who came second did %+v: %v", all, err)
	}
	agrees(t, l, opened, data.Answers)

	write(t, l, data.Answers, "three", answer("c", 3))
	write(t, l, data.Questions, "bank", data.Question{QuestionID: "q"})
	var group sync.WaitGroup
	for range 4 {
		group.Go(func() {
			if _, err := Register(t.Context(), l, Options{}); err != nil {
				t.Error(err)
			}
		})
	}
	group.Wait()
	agrees(t, l, opened, data.Answers)
	agrees(t, l, opened, data.Questions)
}

// Who always loses is told, and nothing is half done.
func TestEndlessConflictsAreTold(t *testing.T) {
	t.Parallel()
	l := laketest.New(t)
	write(t, l, data.Answers, "one", answer("a", 1))
	_, err := registerIn(t.Context(), &openCatalog{Catalog: losing{inTempCatalog(t, l)}}, l, Options{Tables: []string{"answers"}})
	var hint *data.HintError
	if !errors.Is(err, errMoved) || !errors.As(err, &hint) || !strings.Contains(hint.Hint, "register again") {
		t.Errorf("the error is %v", err)
	}
}

// losing is a catalog to which somebody else always commits first.
type losing struct{ catalog.Catalog }

func (c losing) LoadTable(ctx context.Context, ident table.Identifier) (*table.Table, error) {
	tbl, err := c.Catalog.LoadTable(ctx, ident)
	if err != nil {
		return nil, err
	}
	return table.New(tbl.Identifier(), tbl.Metadata(), tbl.MetadataLocation(), tbl.FS, c), nil
}

func (c losing) CreateTable(ctx context.Context, ident table.Identifier, s *ice.Schema, o ...catalog.CreateTableOpt) (*table.Table, error) {
	if _, err := c.Catalog.CreateTable(ctx, ident, s, o...); err != nil {
		return nil, err
	}
	return c.LoadTable(ctx, ident)
}

func (c losing) CommitTable(ctx context.Context, ident table.Identifier, r []table.Requirement, u []table.Update) (table.Metadata, string, error) {
	if slices.ContainsFunc(u, func(u table.Update) bool { return u.Action() == "add-snapshot" }) {
		first := ice.Properties{"somebody": time.Now().String()}
		if _, _, err := c.Catalog.CommitTable(ctx, ident, nil, []table.Update{table.NewSetPropertiesUpdate(first)}); err != nil {
			return nil, "", err
		}
		return nil, "", table.ErrCommitFailed
	}
	return c.Catalog.CommitTable(ctx, ident, r, u)
}

// Secrets come from the environment by name, and are in no error.
func TestSecretsAreNotShown(t *testing.T) {
	t.Setenv("TEST_CATALOG_CREDENTIAL", "somebody:hush")
	for _, key := range []string{"token", "credential", "s3.secret-access-key", "s3.session-token", "oauth.Password"} {
		if err := (Catalog{Properties: map[string]string{key: "x"}}).Check(); err == nil || !strings.Contains(err.Error(), "is a secret") {
			t.Errorf("the property %s is taken in the open: %v", key, err)
		}
	}
	for _, key := range []string{"scope", "prefix", "oauth2-server-uri", "s3.endpoint", "s3.region", "token-refresh-enabled"} {
		if err := (Catalog{Properties: map[string]string{key: "x"}}).Check(); err != nil {
			t.Error(err)
		}
	}
	// What is no variable may be the secret itself.
	if err := (Catalog{Secrets: map[string]string{"token": "TEST_CATALOG_ABSENT"}}).Check(); err == nil || strings.Contains(err.Error(), "ABSENT") || !strings.Contains(err.Error(), "token") {
		t.Errorf("an absent variable gives %v", err)
	}
	for _, uri := range []string{"ftp://x", "https://somebody:hush@catalog.example.org"} {
		if err := (Catalog{URI: uri}).Check(); err == nil || strings.Contains(err.Error(), "hush") {
			t.Errorf("of the address of a catalog, the error is %v", err)
		}
	}
	c := openCatalog{secrets: []string{"somebody:hush"}}
	if err := c.safe(fmt.Errorf("%w: client_secret=hush", errBroken)); strings.Contains(err.Error(), "hush") || !errors.Is(err, errBroken) {
		t.Errorf("the error is %v", err)
	}
}
