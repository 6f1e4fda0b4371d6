package main

import (
	"fmt"
	"net/url"
	"os"
	"syscall"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/construct"
	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/stages/web/webtest"
)

// People review questions and rate drawn questions on the command's pages. Both signals stop the
// command.
func TestReview(t *testing.T) {
	made := webtest.NewLake(t)
	var candidates []data.Candidate
	var routes []data.Route
	var samples []data.QualitySample
	for i, route := range []string{construct.RouteAccept, construct.RouteDiscard, construct.RouteReview,
		construct.RouteReview} {
		c := data.Candidate{
			CandidateID: "nat_s01/" + string(rune('a'+i)), ImageID: "nat_s01", Domain: "Natural", Category: "Attribute",
			Generator: "g", Question: "What colour is the kite?",
			Options: []string{"Red", "Blue"}, Provenance: data.ProvenanceMeasured,
		}
		candidates = append(candidates, c)
		routes = append(routes,
			data.Route{CandidateID: c.CandidateID, Route: route, Validators: 2, Provenance: c.Provenance})
		samples = append(samples,
			data.QualitySample{Stage: "pre_quality", CandidateID: c.CandidateID, ImageID: c.ImageID, Domain: c.Domain,
				Question: c.Question, Options: c.Options, Provenance: c.Provenance})
	}
	laketest.Put(t, made, data.Candidates, "candidates", candidates...)
	laketest.Put(t, made, data.Routes, "routes", routes...)
	laketest.Put(t, made, data.QualitySamples, "samples", samples...)
	lake := made.Dir()
	must.Succeed(t, made.Close())
	do := onLake(t, lake)
	expect.Contains(t, do(exitFailure, "bank", "review", "--port", "0", "--domain", "kitchen"),
		"in the domain kitchen\nTry: these domains have some: Natural")

	s := startPage(t, "bank", "review", "--lake", lake)
	expect.Contains(t, s.said, "3 questions; 0 of 3 decisions are in")
	do(exitLocked, "bank", "review", "--port", "0")
	decide := func(what string, more url.Values) {
		t.Helper()
		ada := s.visitor("Ada")
		ada.Get("/review?as=Ada")
		form := url.Values{"do": {what}, "id": {ada.Field("id")}, "version": {ada.Field("version")}}
		for name, values := range more {
			form[name] = values
		}
		ada.Send("/review", form)
		ada.Wants("Stored: <b>")
	}
	decide("discard", url.Values{"reason": {"ambiguous"}})
	var got pageSession
	s.stop(os.Interrupt, &got)
	expect.Equal(t, fmt.Sprint(got.Rows, got.Made, got.Items), "1 1 3")
	s = startPage(t, "bank", "review", "--lake", lake, "--route", "all")
	decide("accept", url.Values{"key": {"1"}})
	s.stop(syscall.SIGTERM, &got)
	expect.Equal(t, got.Rows, 1)
	s = startPage(t, "bank", "review", "--lake", lake, "--route", "review", "--domain", "natural")
	expect.Contains(t, s.said, "2 questions; 0 of 2 decisions are in")
	decide("accept", url.Values{"key": {"0"}})
	s.stop(os.Interrupt, &got)
	s = startPage(t, "bank", "review", "--lake", lake, "--samples")
	decide("right", nil)
	decide("wrong", url.Values{"note": {"it is red"}})
	s.stop(os.Interrupt, &got)
	expect.Equal(t, fmt.Sprint(got.Rows, got.Items), "2 4")
	want := "decision,question,answer_index,note,n\ndrop,\"\",,ambiguous,1\nfix,What colour is the kite?,1,\"\",1\n" +
		"keep,\"\",,\"\",1\n"
	expect.Equal(t, do(exitOK, "sql", "--format", "csv",
		"select decision, question, answer_index, note, count(*) as n from reviews "+
			"where reviewer = 'Ada' and seconds >= 0 and reviewed_at is not null group by all order by decision"), want)
	expect.Equal(t, do(exitOK, "sql", "--format", "csv",
		"select is_right, note, stage from quality_ratings order by all"),
		"is_right,note,stage\nfalse,it is red,pre_quality\ntrue,\"\",pre_quality\n")
}
