package site

import (
	"context"
	"html/template"
)

// A Page is one kind of page.
type Page struct {
	Name string // of its file and of its template
	// Build adds its documents, and files that they load, in an order that depends on the rows alone. It adds none where there is
	// nothing to show.
	Build func(ctx context.Context, b *Builder) error
}

// pages lists every kind of page in the order of the navigation. To add one: a file page_NAME.go, a template and one line here.
func pages() []Page {
	return []Page{
		overviewPage, benchmarksPage, agreementPage, modelsPage, samplesPage, figuresPage, auditPage, provenancePage,
	}
}

// A Document is one HTML file of the site.
type Document struct {
	Path     string   // from the site's folder, with slashes, at most one folder deep
	Title    string   // of the window, and the heading
	Nav      string   // its words in the navigation of every page; empty for a document that others link to
	Template string   // templates/NAME.html.tmpl, which defines "main"
	Data     any      // for the template
	Scripts  []string // paths of scripts that it loads after the site's own
	Styles   []string // paths of styles that it loads after the site's own

	Body template.HTML // of a document without a template, which a server makes
}

// A Link is one entry of the navigation.
type Link struct{ Path, Words string }
