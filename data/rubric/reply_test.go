package rubric

import (
	"slices"
	"strings"
	"testing"

	"github.com/captionlake/captionlake/data/must"
)

func TestReadReply(t *testing.T) {
	for _, c := range []struct {
		name, dimension, value, reply string
		want                          Verdict
		predicted                     []string
		reason                        string
	}{
		{"plain JSON", "scene", "harbour", `{"scene": "harbour", "score": 1, "reason": "It says so."}`, Positive, nil,
			"It says so."},
		{"score as text", "scene", "harbour", `{"scene": "harbour", "score": "-1", "reason": "r"}`, Negative, nil, "r"},
		{"score with spaces", "scene", "harbour", `{"score": " 0 ", "reason": "r"}`, Miss, nil, "r"},
		{"typographic minus", "scene", "harbour", `{"score": "−1"}`, Negative, nil, ""},
		{"float score", "scene", "harbour", `{"score": 1.0}`, Positive, nil, ""},
		{"fence", "scene", "harbour", "```json\n{\"score\": 1}\n```", Positive, nil, ""},
		{"fence without a language and talk", "scene", "harbour",
			"Sure! Here it is:\n```\n{\"score\": 1}\n```\nAnything else?", Positive, nil, ""},
		{"Python", "scene", "fisher's pier",
			`{'scene': "fisher's pier", 'score': 1, 'reason': 'the pier is the fisher\'s',}`, Positive, nil,
			"the pier is the fisher's"},
		{"Python constants", "scene", "harbour", `{'score': 0, 'reason': None, 'sure': True}`, Miss, nil, ""},
		{"line break in a string", "scene", "harbour", "{\"score\": 1, \"reason\": \"first\nsecond\"}", Positive, nil,
			"first\nsecond"},
		{"after thinking", "scene", "harbour", `<think>maybe {"score": 0}?</think> {"score": 1}`, Positive, nil, ""},
		{"braces in the talk", "object_number", "3",
			`The number {teapot: 3} is there. {"object_number": "{teapot: 3}", "score": 1}`, Positive, nil, ""},
		{"the same answer twice", "scene", "harbour", `{"score": 1} and again {"score": 1}`, Positive, nil, ""},
		{"two answers", "scene", "harbour", `{"score": 1} or rather {"score": 0}`, Unparsed, nil, ""},
		{"score out of range", "scene", "harbour", `{"score": 2, "reason": "r"}`, Unparsed, nil, ""},
		{"half a score", "scene", "harbour", `{"score": 0.5}`, Unparsed, nil, ""},
		{"score in words", "scene", "harbour", `{"score": "positive"}`, Unparsed, nil, ""},
		{"true is 1", "scene", "harbour", `{"score": true}`, Positive, nil, ""},
		{"False is 0", "scene", "harbour", `{"score": False}`, Miss, nil, ""},
		{"no score", "scene", "harbour", `{"scene": "harbour"}`, Unparsed, nil, ""},
		{"score given twice", "scene", "harbour", `{"score": 1, "score": 0}`, Unparsed, nil, ""},
		{"cut off", "scene", "harbour", `{"score": 1, "reason": "it was`, Unparsed, nil, ""},
		{"a refusal", "scene", "harbour", "I cannot judge this.", Unparsed, nil, ""},
		{"empty", "scene", "harbour", "", Unparsed, nil, ""},
		{"list of one", "camera_angle", "low angle", `{"pred": ["low angle"], "reason": "r"}`, Positive,
			[]string{"low angle"}, "r"},
		{"several, one is right", "camera_movement", "up", `{"pred": ["in", "up"]}`, Positive,
			[]string{"in", "up"}, ""},
		{"text", "camera_movement", "up", `{"pred": "up"}`, Positive, []string{"up"}, ""},
		{"text in another case", "camera_angle", "low angle", `{"pred": "Low Angle"}`, Positive,
			[]string{"low angle"}, ""},
		{"text that is a list", "camera_movement", "up", `{"pred": "['up', 'left']"}`, Positive,
			[]string{"up", "left"}, ""},
		{"text with commas", "camera_movement", "fixed", `{"pred": "up, left"}`, Negative, []string{"up", "left"}, ""},
		{"with the explanation", "camera_movement", "left",
			`{"pred": ["left: the camera angle swings left (pan left), or more"]}`, Positive, []string{"left"}, ""},
		{"N/A", "style", "sketch art", `{"pred": "N/A"}`, Miss, []string{"N/A"}, ""},
		{"list of N/A", "style", "sketch art", `{"pred": ["n/a"]}`, Miss, []string{"N/A"}, ""},
		{"N/A overrides", "style", "sketch art", `{"pred": ["sketch art", "N/A"]}`, Miss, []string{"N/A"}, ""},
		{"another category", "style", "sketch art", `{"pred": ["realistic"]}`, Negative, []string{"realistic"}, ""},
		{"unknown category", "style", "sketch art", `{"pred": ["sketch art", "baroque"]}`, Unparsed, nil, ""},
		{"empty list", "style", "sketch art", `{"pred": []}`, Negative, nil, ""},
		{"empty list in a text", "style", "sketch art", `{"pred": "[]"}`, Negative, nil, ""},
		{"empty text", "style", "sketch art", `{"pred": ""}`, Unparsed, nil, ""},
		{"a number as category", "style", "sketch art", `{"pred": [1]}`, Unparsed, nil, ""},
		{"a score for a closed set", "style", "sketch art", `{"score": 1}`, Unparsed, nil, ""},
	} {
		d, _ := ByID(c.dimension)
		got, err := d.ReadReply(Element{Value: c.value}, c.reply)
		if got.Verdict != c.want || !slices.Equal(got.Predicted, c.predicted) || got.Reason != c.reason {
			t.Errorf("%s: %+v (%v), want %s %v %q", c.name, got, err, c.want, c.predicted, c.reason)
		}
		if (err != nil) != (c.want == Unparsed) {
			t.Errorf("%s: verdict %s with error %v", c.name, got.Verdict, err)
		}
	}
}

func TestReadRecord(t *testing.T) {
	for _, c := range []struct {
		name, dimension, record string
		elements                []Element
		want                    string
		stray                   int
	}{
		{"by order", "dynamic_object_number",
			`{"response": [{"object_number": "{tree: 9}", "score": 1}, {"object_number": "bench: 2", "score": "0"}]}`,
			[]Element{{"tree", "9"}, {"bench", "2"}}, "positive miss", 0},
		{"by order though a name is misspelt", "dynamic_object_number",
			`{"response": [{"object_number": "{tre: 9}", "score": 1}, {"object_number": {"bench": "2"}, "score": -1}]}`,
			[]Element{{"tree", "9"}, {"bench", "2"}}, "positive negative", 0},
		{"one is missing, so by name", "dynamic_object_number",
			`{"response": [{"object_number": "{Bench: 2}", "score": -1}]}`,
			[]Element{{"tree", "9"}, {"bench", "2"}}, "missing negative", 0},
		{"one too many", "dynamic_object_number",
			`{"response": [{"object_number": "{bench: 2}", "score": -1}, {"object_number": {"sun": 1}, "score": 1}]}`,
			[]Element{{"bench", "2"}}, "negative", 1},
		{"the same name twice", "dynamic_object_number",
			`{"response": [{"object_number": "{bench: 2}", "score": -1}, {"object_number": "{bench: 2}", "score": 1}, 7]}`,
			[]Element{{"bench", "2"}, {"tree", "9"}}, "negative missing", 2},
		{"no list for one element", "dynamic_object_number", `{"object_number": "{bench: 2}", "score": 1}`,
			[]Element{{"bench", "2"}}, "positive", 0},
		{"raw text", "scene", `{"response": "{'score': 1}"}`, []Element{{"", "pier"}}, "positive", 0},
		{"one answer under response", "scene", `{"response": {"score": 0}}`, []Element{{"", "pier"}}, "miss", 0},
		{"unreadable", "scene", `{"score": "?"}`, []Element{{"", "pier"}}, "unparsed", 0},
		{"response is null", "scene", `{"response": null}`, []Element{{"", "pier"}}, "unparsed", 0},
	} {
		value, _, err := ParseLiteral(c.record)
		must.Succeed(t, err)
		d, _ := ByID(c.dimension)
		replies, stray := d.ReadRecord(c.elements, value.(Object))
		var got []string
		for _, r := range replies {
			if r.Missing {
				got = append(got, "missing")
			} else {
				got = append(got, string(r.Verdict))
			}
			if (r.Err != nil) != (r.Verdict == Unparsed) {
				t.Errorf("%s: verdict %s with error %v", c.name, r.Verdict, r.Err)
			}
		}
		if s := strings.Join(got, " "); s != c.want || stray != c.stray {
			t.Errorf("%s: %s and %d stray, want %s and %d", c.name, s, stray, c.want, c.stray)
		}
	}
}

func TestParseLiteral(t *testing.T) {
	for text, want := range map[string]any{
		`"a\u00e9\ud83d\ude00\n"`: "aé😀\n",
		`'it\'s \x41 \d'`:         `it's A \d`,
		`"\ud83d alone"`:          "\ufffd alone",
		`"""two "words" here"""`:  `two "words" here`,
		`-1.5e3`:                  Number("-1.5e3"),
		`None`:                    nil,
		`True`:                    true,
		`''`:                      "",
	} {
		got, n, err := ParseLiteral(text)
		if err != nil || got != want || n != len(text) {
			t.Errorf("%s: %#v, %d, %v", text, got, n, err)
		}
	}
	if got, n, err := ParseLiteral(` (1, 'a',) tail`); err != nil || n != 10 || len(got.([]any)) != 2 {
		t.Errorf("tuple: %v, %d, %v", got, n, err)
	}
	for _, text := range []string{``, `{`, `{"a"}`, `{"a": }`, `{a: 1}`, `[1 2]`, `"open`, `Nonesuch`, `nan`, `0x10`,
		`1_000`, `+`, `{"a": 1, "a": 1}`, strings.Repeat("[", 100)} {
		if got, _, err := ParseLiteral(text); err == nil {
			t.Errorf("%q is read as %#v", text, got)
		}
	}
}

func FuzzReadReply(f *testing.F) {
	for _, seed := range []string{
		`{"scene": "harbour", "score": 1, "reason": "r"}`, "```json\n{'score': '-1'}\n```", `{"pred": ["up", "N/A"]}`,
		`{"pred": "['left']"}`, `{"pred": []}`,
		`{"response": [{"object_number": "{a: 1}", "score": 0}]}`, `{"score": 1}{"score": 0}`, `{{{"a":`, `'''`, `"\u`,
		`{"a": "\U0010ffff"}`,
	} {
		f.Add(seed)
	}
	all := Dimensions()
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 4096 {
			return
		}
		for i := range all {
			d := &all[i]
			e := Element{Value: "x"}
			if d.Closed() {
				e.Value = d.Categories[0].Name
			}
			reply, err := d.ReadReply(e, text)
			switch reply.Verdict {
			case Positive, Negative, Miss:
				if err != nil {
					t.Fatalf("%s: verdict %s and error %v", d.ID, reply.Verdict, err)
				}
			case Unparsed:
				if err == nil {
					t.Fatalf("%s: unparsed without an error", d.ID)
				}
			default:
				t.Fatalf("%s: verdict %q", d.ID, reply.Verdict)
			}
			if d.Closed() && err == nil {
				if want := categoryVerdict(e.Value, reply.Predicted); len(reply.Predicted) == 0 &&
					reply.Verdict != Negative || len(reply.Predicted) > 0 && reply.Verdict != want {
					t.Fatalf("%s: %+v", d.ID, reply)
				}
				for _, name := range reply.Predicted {
					if _, ok := d.Category(name); !ok && name != NotMentioned {
						t.Fatalf("%s: %q is no category", d.ID, name)
					}
				}
			}
		}
		if value, n, err := ParseLiteral(text); err == nil {
			if n < 0 || n > len(text) {
				t.Fatalf("took %d of %d bytes", n, len(text))
			}
			if o, ok := value.(Object); ok {
				for i := range all {
					if elements, err := all[i].Elements(o); err == nil && len(elements) == 0 {
						t.Fatalf("%s: no elements and no error", all[i].ID)
					}
				}
			}
		}
	})
}
