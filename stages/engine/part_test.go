package engine

import (
	"fmt"
	"testing"

	"github.com/captionlake/captionlake/data/laketest"
	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/stages/config"
)

// Every picture is in one part, whatever asks about it, and parts are about as large as each other.
func TestPartsDivideThePictures(t *testing.T) {
	const pictures, of = 3200, 16
	sizes := make([]int, of)
	for i := range pictures {
		in := 0
		for n := range of {
			if (Part{n + 1, of}).has(fmt.Sprintf("nat_%05d", i)) {
				sizes[n]++
				in++
			}
		}
		if in != 1 {
			t.Fatalf("picture %d is in %d parts", i, in)
		}
	}
	for n, size := range sizes { // 200 ± 14 by chance
		if size < 140 || size > 260 {
			t.Errorf("part %d has %d pictures: %v", n+1, size, sizes)
		}
	}
}

func TestParsePart(t *testing.T) {
	for text, want := range map[string]Part{"": {}, "1/1": {1, 1}, "3/16": {3, 16}, "100000/100000": {100000, 100000}} {
		if p, err := ParsePart(text); err != nil || p != want || p.String() != text {
			t.Errorf("%q is %v, %v", text, p, err)
		}
	}
	for _, text := range []string{"0/4", "5/4", "-1/4", "3", "3/", "/4", "a/4", "3/16/2", "1/100001", "1/99999999999999999999"} {
		if p, err := ParsePart(text); err == nil {
			t.Errorf("%q is %v", text, p)
		}
	}
}

// The parts of a run ask for everything once, what the items of a group share staying together, and each says that the rest is pending.
func TestPartsAskEachRequestOnce(t *testing.T) {
	c := &config.Config{Endpoints: []config.Endpoint{{Name: "test", Replicas: []string{"http://127.0.0.1:1/v1"}}}}
	var groups [][]string
	for g := range 40 {
		groups = append(groups, []string{fmt.Sprintf("%d a", g), fmt.Sprintf("%d b", g)})
	}
	asked := map[string]int{}
	for n := range 4 {
		l, f := laketest.New(t), &scriptedCaller{}
		units := func(*Scope) ([]AnyUnit, error) { return []AnyUnit{withRows(testUnit("unit", groups...))}, nil }
		r := New(l, []Stage{{Name: "test", Units: units}}, c, config.Choice{})
		r.Part = Part{n + 1, 4}
		r.Connect = func(config.Endpoint) (Client, error) { return quietClient{f}, nil }
		estimates, err := r.Estimate()
		must.Succeed(t, err)
		reports, err := r.Run(t.Context())
		if err != nil || len(reports) != 1 {
			t.Fatal(reports, err)
		}
		got := reports[0]
		if got.Answered == 0 || got.Answered%2 != 0 || got.Rows != got.Answered || got.Note != OtherParts || estimates[0].Pending != got.Answered {
			t.Errorf("part %d: %+v, estimated %+v", n+1, got, estimates)
		}
		for hash := range calls(t, l) {
			asked[hash]++
		}
	}
	if len(asked) != 80 {
		t.Errorf("%d requests were asked", len(asked))
	}
	for hash, times := range asked {
		if times != 1 {
			t.Errorf("%s was asked %d times", hash, times)
		}
	}
}
