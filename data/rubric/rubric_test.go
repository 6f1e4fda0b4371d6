package rubric

import (
	"slices"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
)

func TestDimensionsAreThoseOfThePapers(t *testing.T) {
	all := Dimensions()
	must.Equal(t, len(all), 13)
	views := map[string][]string{}
	dynamic := 0
	for _, d := range all {
		views[d.View] = append(views[d.View], d.ID)
		if d.Dynamic {
			dynamic++
		}
		expect.Equal(t, d.Dynamic, (d.Media == MediaVideo), d.ID, d.Media)
		if d.Closed() == (d.ReplyField != "") {
			t.Errorf("%s: a judge copies the element exactly when there is no closed set", d.ID)
		}
		if d.Name == "" || d.Heading == "" {
			t.Errorf("%s: a name, a heading or an explanation is missing", d.ID)
		}
		if again, ok := ByID(strings.ToUpper(d.ID)); !ok || again.ID != d.ID {
			t.Errorf("ByID does not find %s", d.ID)
		}
	}
	expect.Equal(t, dynamic, 4)
	// Table 1 of both papers; the object view counts object number twice, static and dynamic.
	want := map[string]int{ViewObject: 5, ViewGlobal: 2, ViewText: 1, ViewCamera: 2, ViewTemporal: 2, ViewKnowledge: 1}
	for view, n := range want {
		expect.Equal(t, len(views[view]), n, view, views[view])
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
	if got := again.categoryNames(); slices.Contains(got, "changed") {
		t.Errorf("a caller changed the table: %v", got)
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
		expect.Equal(t, strings.Join(got, " "), c.want, c.dimension, c.annotation)
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
	expect.Equal(t, (Element{"teapot", "3"}).Text(), "{teapot: 3}")
	expect.Equal(t, (Element{"", "harbour"}).Text(), "harbour")
}
