package engine

import (
	"errors"
	"testing"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/stages/config"
)

func TestNothingCame(t *testing.T) {
	report := func(answered, failed int, cause string) Report {
		return Report{Summary: Summary{Answered: answered, Failed: failed}, Cause: cause}
	}
	for _, c := range []struct {
		reports []Report
		want    string
	}{
		{nil, ""},
		{[]Report{report(0, 0, "")}, ""},
		{[]Report{report(3, 2, "server (HTTP 500)")}, ""},
		{[]Report{report(3, 3, "server (HTTP 500)"), report(1, 0, "")}, ""},
		{[]Report{report(3, 3, "server (HTTP 500)"), report(0, 0, "")}, "every request failed (3), most often because: server (HTTP 500)"},
		{[]Report{report(3, 3, "b"), report(2, 2, "a"), report(2, 2, "a")}, "every request failed (7), most often because: a"},
	} {
		err := NothingCame(c.reports)
		var hint *data.HintError
		if c.want == "" && err != nil || c.want != "" && (err == nil || err.Error() != c.want || !errors.As(err, &hint)) {
			t.Errorf("%+v: got %v, want %q", c.reports, err, c.want)
		}
	}
	if got := commonest(map[string]int{"x": 1, "b": 2, "a": 2}); got != "a" {
		t.Errorf("commonest %q", got)
	}
}

// A price that nobody has named is unknown, not nothing; so is the sum that it is a part of.
func TestUnknownPrice(t *testing.T) {
	r := Runner{Config: &config.Config{Models: []config.ModelSettings{{Name: "priced", Price: config.Price{Input: 2}}}}}
	price := func(served string, pending int) Estimate {
		e := Estimate{Pending: pending, Prompt: 1_000_000}
		r.price(&e, served)
		return e
	}
	priced, free, nothing := price("priced", 1), price("free", 1), price("free", 0)
	if !priced.Priced || priced.Cost != 2 || free.Priced || !nothing.Priced {
		t.Errorf("%+v %+v %+v", priced, free, nothing)
	}
	if Total([]Estimate{priced, free}).Priced || !Total([]Estimate{priced, nothing}).Priced {
		t.Error("a sum with an unknown price is known, or the other way round")
	}
}
