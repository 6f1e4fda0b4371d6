package site

import (
	"context"

	"github.com/captionlake/captionlake/plots/report"
)

// A Source holds what a site is made from.
type Source interface {
	report.Source
	// Model describes the SQL model of a mart; false where the mart has none, as one of an earlier version, which the site leaves out.
	Model(mart string) (Model, bool)
	// Holdings lists the base tables that have rows, in the order in which they are described.
	Holdings(ctx context.Context) ([]Holding, error)
	// Warnings are sentences about the lake that whoever reads its results should know, such as rows whose question has changed since.
	Warnings(ctx context.Context) ([]string, error)
}

// A Model is what a mart says of itself, and the SQL that makes it.
type Model struct {
	Key     []string
	Columns []Column
	SQL     string
}

// A Column is a column of a mart.
type Column struct {
	Name, Type string
	Unit       string // one word, such as percent; empty without one
	Comment    string
}

// A Holding says how much of a base table the lake has.
type Holding struct {
	Name, What  string
	Units       int // files, one for each unit of work
	Rows, Bytes int64
}
