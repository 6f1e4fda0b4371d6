package rubric

import (
	"math"
	"slices"
	"strings"
	"testing"
)

func TestDimensionsAreThoseOfThePapers(t *testing.T) {
	all := Dimensions()
	if len(all) != 13 {
		t.Fatalf("%d dimensions, want 13 (9 static and 4 dynamic, CAPability section 3.1)", len(all))
	}
	views := map[string][]string{}
	dynamic := 0
	for _, d := range all {
		views[d.View] = append(views[d.View], d.ID)
		if d.Dynamic {
			dynamic++
		}
		if d.Dynamic != (d.Media == MediaVideo) {
			t.Errorf("%s: dynamic %v on %s: static data are images, dynamic data videos", d.ID, d.Dynamic, d.Media)
		}
		if d.Closed() == (d.ReplyField != "") {
			t.Errorf("%s: a judge copies the element exactly when there is no closed set", d.ID)
		}
		if d.Name == "" || d.Heading == "" || d.Explanation == "" {
			t.Errorf("%s: a name, a heading or an explanation is missing", d.ID)
		}
		if again, ok := ByID(strings.ToUpper(d.ID)); !ok || again.ID != d.ID {
			t.Errorf("ByID does not find %s", d.ID)
		}
	}
	if dynamic != 4 {
		t.Errorf("%d dynamic dimensions, want 4", dynamic)
	}
	// Table 1 of both papers; the object view counts object number twice, static and dynamic.
	want := map[string]int{ViewObject: 5, ViewGlobal: 2, ViewText: 1, ViewCamera: 2, ViewTemporal: 2, ViewKnowledge: 1}
	for view, n := range want {
		if len(views[view]) != n {
			t.Errorf("view %s has %v, want %d dimensions", view, views[view], n)
		}
	}
	for id, n := range map[string]int{"camera_angle": 4, "camera_movement": 7, "style": 9, "scene": 0} {
		if d, _ := ByID(id); len(d.Categories) != n {
			t.Errorf("%s has %d categories, want %d", id, len(d.Categories), n)
		}
	}
	if _, ok := ByID("colour"); ok {
		t.Error("ByID finds a dimension that does not exist")
	}
}

func TestDimensionsAreCopies(t *testing.T) {
	Dimensions()[5].Categories[0].Name = "changed"
	d, _ := ByID("camera_angle")
	d.Categories[1].Name = "changed"
	again, _ := ByID("camera_angle")
	if got := again.CategoryNames(); slices.Contains(got, "changed") {
		t.Errorf("a caller changed the table: %v", got)
	}
}

func TestCountsGiveThePapersFigures(t *testing.T) {
	// By hand: 6 positive, 2 negative, 4 miss, so all 12, hit 8. Precision 6/8 = 75, recall 6/12 = 50, hit rate 8/12 =
	// 66.67, F1 = 2 · 75 · 50 / 125 = 60. Unparsed and failed judgments change nothing.
	c := Counts{Positive: 6, Negative: 2, Miss: 4, Unparsed: 9, Failed: 3}
	f, ok := c.Figures()
	if !ok || f.Precision != 75 || f.Recall != 50 || f.F1 != 60 || math.Abs(f.HitRate-200.0/3) > 1e-12 {
		t.Errorf("figures %+v, %v", f, ok)
	}
	if f, ok := (Counts{Miss: 3}).Figures(); !ok || f != (Figures{}) {
		t.Errorf("without a hit: %+v, %v, want zeros as in the authors' evaluator", f, ok)
	}
	if _, ok := (Counts{Unparsed: 3}).Figures(); ok {
		t.Error("figures of nothing judged")
	}
	var sum Counts
	for _, v := range []Verdict{Positive, Negative, Miss, Unparsed, Failed} {
		if !sum.Add(v) {
			t.Errorf("%s is not counted", v)
		}
	}
	if sum.Add("maybe") || sum != (Counts{1, 1, 1, 1, 1}) {
		t.Errorf("counts %+v", sum)
	}
}

func TestProtocolsAverageDifferently(t *testing.T) {
	// Every dimension alike but one: precision 80, recall 40, so F1 = 2·80·40/120 = 53.33; the scene has 100, 100, 100.
	figures := map[string]Figures{}
	for _, d := range Dimensions() {
		figures[d.ID] = Figures{Precision: 80, Recall: 40, F1: 160.0 / 3, HitRate: 50}
	}
	figures["scene"] = Figures{Precision: 100, Recall: 100, F1: 100, HitRate: 100}
	capability, _ := ProtocolOf(BenchmarkCAPability)
	first, _ := ProtocolOf(BenchmarkCVCapBench)
	// CAPability: thirteen columns: precision (12·80 + 100)/13 = 81.538, F1 (12·53.33 + 100)/13 = 56.923.
	if got, ok := capability.Average(figures); !ok || math.Abs(got.Precision-1060.0/13) > 1e-9 || math.Abs(got.F1-740.0/13) > 1e-9 {
		t.Errorf("CAPability averages %+v", got)
	}
	// CV-CapBench: twelve columns: precision (11·80 + 100)/12 = 81.667, recall (11·40 + 100)/12 = 45,
	// F1 = 2 · 81.667 · 45 / 126.667 = 58.026.
	if got, ok := first.Average(figures); !ok || got.Recall != 45 || math.Abs(got.F1-58.02631578947368) > 1e-9 {
		t.Errorf("CV-CapBench averages %+v", got)
	}
	delete(figures, "event")
	if _, ok := capability.Average(figures); ok {
		t.Error("an average over twelve of thirteen dimensions")
	}
	if _, ok := first.Average(figures); !ok {
		t.Error("CV-CapBench prints no column for events, so it needs none")
	}
	if _, ok := ProtocolOf("captionqa"); ok {
		t.Error("a protocol of another benchmark")
	}
}

func TestElements(t *testing.T) {
	parse := func(text string) any {
		value, n, err := ParseLiteral(text)
		if err != nil || n != len(text) {
			t.Fatalf("%s: %v", text, err)
		}
		return value
	}
	for _, c := range []struct {
		dimension, annotation, want string
	}{
		{"object_number", `{"teapot": 3}`, "teapot=3"},
		{"object_number", `{"teapot": 3, "lamp": null}`, "teapot=3"},
		{"object_number", `"{teapot: 3}"`, "teapot=3"},
		{"object_color", `"Ark: The Game: deep blue"`, "Ark: The Game=deep blue"},
		{"dynamic_object_number", `{"bench": 1, "tree": 12}`, "bench=1 tree=12"},
		{"scene", `"a quiet harbour"`, "=a quiet harbour"},
		{"OCR", `1984`, "=1984"},
		{"style", `"Pixel Art"`, "=pixel art"},
	} {
		d, _ := ByID(c.dimension)
		elements, err := d.Elements(parse(c.annotation))
		if err != nil {
			t.Errorf("%s %s: %v", c.dimension, c.annotation, err)
			continue
		}
		var got []string
		for _, e := range elements {
			got = append(got, e.Name+"="+e.Value)
		}
		if s := strings.Join(got, " "); s != c.want {
			t.Errorf("%s %s: %s, want %s", c.dimension, c.annotation, s, c.want)
		}
	}
	for _, c := range [][2]string{
		{"object_number", `{"teapot": 3, "lamp": 1}`}, {"object_number", `{}`}, {"object_number", `{"teapot": [3]}`},
		{"object_number", `{"": 3}`}, {"object_color", `"blue"`}, {"scene", `{"scene": "harbour"}`}, {"scene", `" "`},
		{"scene", `null`}, {"scene", `["harbour"]`}, {"style", `"baroque"`}, {"camera_angle", `"angle"`},
	} {
		d, _ := ByID(c[0])
		if elements, err := d.Elements(parse(c[1])); err == nil {
			t.Errorf("%s takes %s for %v", c[0], c[1], elements)
		}
	}
	if got := (Element{"teapot", "3"}).Text(); got != "{teapot: 3}" {
		t.Errorf("text %q", got)
	}
	if got := (Element{"", "harbour"}).Text(); got != "harbour" {
		t.Errorf("text %q", got)
	}
}
