package plots

import (
	"hash/fnv"
	"image/color"
	"math"
	"slices"
	"strings"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

// Look is how a model is drawn wherever it appears: families share a hue, members differ in tone, marker and dashes.
type Look struct {
	Color  color.NRGBA
	Shape  draw.GlyphDrawer
	Dashes []vg.Length
}

// variants are the tones, markers and dashes of a family's members, first member first. Tone is the share of white (positive) or black
// (negative) that is mixed into the family's colour.
var variants = []struct {
	tone   float64
	shape  draw.GlyphDrawer
	dashes []vg.Length
}{
	{0, draw.CircleGlyph{}, nil},
	{0.38, draw.SquareGlyph{}, []vg.Length{4, 1.5}},
	{-0.38, draw.PyramidGlyph{}, []vg.Length{1.2, 1.2}},
	{0.2, draw.RingGlyph{}, []vg.Length{6, 1.5, 1.2, 1.5}},
	{-0.2, draw.TriangleGlyph{}, []vg.Length{2.5, 2.5}},
	{0.3, draw.BoxGlyph{}, []vg.Length{7, 3}},
	{-0.3, draw.CrossGlyph{}, []vg.Length{1, 2.5}},
	{0.1, draw.PlusGlyph{}, []vg.Length{3, 1, 1, 1, 1, 1}},
}

// families lists the model families of CaptionQA, each with the prefixes of its model_ids and its members in the order that fixes their
// variants; to give a model a place of its own, append it to its family. Hues are those of Tol's muted palette and of Okabe-Ito with
// three more, chosen so that members of different families with the same marker and dashes stay apart under colour deficiencies.
var families = []struct {
	prefixes []string
	hue      color.NRGBA
	members  []string
}{
	{[]string{"gpt", "o1", "o3", "o4", "chatgpt"}, color.NRGBA{0x11, 0x77, 0x33, 0xff}, []string{"gpt-5", "o4-mini", "gpt-4o"}},
	{[]string{"gemini"}, color.NRGBA{0x33, 0x22, 0x88, 0xff}, []string{"gemini-2.5-pro", "gemini-2.5-flash"}},
	{[]string{"claude"}, color.NRGBA{0xd5, 0x5e, 0x00, 0xff}, []string{"claude-sonnet-4.5"}},
	{[]string{"qwen3-vl"}, color.NRGBA{0xa0, 0x3c, 0x8c, 0xff}, []string{"qwen3-vl-30b-a3b", "qwen3-vl-8b", "qwen3-vl-4b"}},
	{[]string{"qwen"}, color.NRGBA{0x00, 0x72, 0xb2, 0xff}, []string{"qwen2.5-vl-72b", "qwen2.5-vl-32b", "qwen2.5-vl-7b"}},
	{[]string{"glm", "cogvlm"}, color.NRGBA{0xc2, 0x9b, 0x00, 0xff}, []string{"glm-4.1v-9b"}},
	{[]string{"internvl3.5"}, color.NRGBA{0x44, 0xaa, 0x99, 0xff}, []string{"internvl3.5-38b", "internvl3.5-30b-a3b", "internvl3.5-8b", "internvl3.5-1b"}},
	{[]string{"internvl"}, color.NRGBA{0x88, 0x22, 0x55, 0xff}, []string{"internvl3-78b", "internvl3-14b", "internvl3-8b"}},
	{[]string{"nvlm"}, color.NRGBA{0x99, 0x99, 0x3a, 0xff}, []string{"nvlm-d-72b"}},
	{[]string{"mistral", "pixtral"}, color.NRGBA{0x3f, 0x3f, 0x3f, 0xff}, []string{"mistral-small-24b"}},
	{[]string{"llava"}, color.NRGBA{0xcc, 0x66, 0x77, 0xff}, []string{"llava-onevision-7b", "llava-1.5-7b"}},
}

// place returns the family and variant of a model_id, and whether the model is listed. The family of an unlisted model is that of the
// longest prefix, or one chosen by a hash of the id; its variant, too, comes from the hash, from among those that no listed member holds.
func place(modelID string) (family, variant int, listed bool) {
	id := strings.ToLower(modelID)
	family, best := -1, 0
	for f, fam := range families {
		if v := slices.Index(fam.members, id); v >= 0 {
			return f, v, true
		}
		for _, p := range fam.prefixes {
			if strings.HasPrefix(id, p) && len(p) > best {
				family, best = f, len(p)
			}
		}
	}
	h := fnv.New32a()
	h.Write([]byte(id)) // a hash never fails to take bytes
	sum := int(h.Sum32() >> 1)
	if family < 0 {
		family = sum % len(families)
	}
	taken := len(families[family].members)
	return family, taken + (sum/len(families))%(len(variants)-taken), false
}

func look(family, variant int) Look {
	v := variants[variant]
	return Look{Color: tint(families[family].hue, v.tone), Shape: v.shape, Dashes: v.dashes}
}

// Looks returns the looks of the models of one figure, in their order. A look depends on the model_id alone, so that a model looks the
// same in every figure; but unlisted models whose hashes collide with another model of the figure move on to the next free look, in the
// order of their ids.
func Looks(modelIDs []string) []Look {
	type seat struct{ family, variant int }
	taken := map[seat]bool{}
	seats := map[string]seat{}
	var guests []string
	for _, id := range modelIDs {
		f, v, listed := place(id)
		if _, dup := seats[id]; dup {
			continue
		}
		seats[id] = seat{f, v}
		if listed {
			taken[seat{f, v}] = true
		} else {
			guests = append(guests, id)
		}
	}
	slices.Sort(guests)
	n := len(families) * len(variants)
	for _, id := range guests {
		s := seats[id]
		// Variants of the same family are tried first. When all looks are taken, the hash's own is shared.
		for k := range n {
			at := (s.family*len(variants) + (s.variant+k)%len(variants) + k/len(variants)*len(variants)) % n
			try := seat{at / len(variants), at % len(variants)}
			if !taken[try] {
				s = try
				break
			}
		}
		taken[s], seats[id] = true, s
	}
	out := make([]Look, len(modelIDs))
	for i, id := range modelIDs {
		out[i] = look(seats[id].family, seats[id].variant)
	}
	return out
}

// line returns the look's line.
func (l Look) line(width vg.Length) draw.LineStyle { return lineStyle(l.Color, width, l.Dashes...) }

// glyph returns the look's marker.
func (l Look) glyph(radius vg.Length) draw.GlyphStyle {
	return draw.GlyphStyle{Color: l.Color, Radius: radius, Shape: l.Shape}
}

// tint mixes a share of white (t > 0) or black (t < 0) into a colour.
func tint(c color.NRGBA, t float64) color.NRGBA {
	to := 255.0
	if t < 0 {
		to, t = 0, -t
	}
	mix := func(v uint8) uint8 { return uint8(math.Round(float64(v) + (to-float64(v))*t)) }
	return color.NRGBA{mix(c.R), mix(c.G), mix(c.B), c.A}
}

// textColor returns the look's colour, darkened where text in it would be hard to read on white (contrast below 4.5 to 1).
func (l Look) textColor() color.NRGBA {
	c := l.Color
	for contrast(c) < 4.5 {
		c = tint(c, -0.08)
	}
	return c
}

// contrast is the WCAG 2 contrast ratio of a colour with white, 1 to 21.
func contrast(c color.NRGBA) float64 {
	lin := func(v uint8) float64 {
		s := float64(v) / 255
		if s <= 0.04045 {
			return s / 12.92
		}
		return math.Pow((s+0.055)/1.055, 2.4)
	}
	return 1.05 / (0.2126*lin(c.R) + 0.7152*lin(c.G) + 0.0722*lin(c.B) + 0.05)
}

// modelNames returns the names to draw for rows of models: name, with the size where the name does not hold it. Where two ids share a name the
// id is drawn, so that no two models look like one.
func modelNames(ids, names, sizes []string) []string {
	out := make([]string, len(ids))
	owner := map[string]string{}
	shared := map[string]bool{}
	for i := range ids {
		out[i] = names[i]
		if sizes != nil && sizes[i] != "" && !strings.Contains(names[i], sizes[i]) {
			out[i] += " " + sizes[i]
		}
		if id, ok := owner[out[i]]; ok && id != ids[i] {
			shared[out[i]] = true
		}
		owner[out[i]] = ids[i]
	}
	for i, n := range out {
		if n == "" || shared[n] {
			out[i] = ids[i]
		}
	}
	return out
}

// A modelRows is what a table says of one model: its name and look in the figure, and the numbers of its rows.
type modelRows struct {
	id, name string
	look     Look
	rows     []int
}

// modelID is the id that captioners are ordered by.
func (m modelRows) modelID() string { return m.id }

// modelLabels are the labels of rows of captioners.
func modelLabels(models []modelRows) []rowLabel {
	out := make([]rowLabel, len(models))
	for i, m := range models {
		out[i] = rowLabel{m.name, ink}
	}
	return out
}

// byModel gathers the rows of a table by the names of models that rowNames gives, in the order of their first rows.
func byModel(t *Table) ([]modelRows, error) {
	from := Read(t)
	names, ids := from.names(), from.Text("captioner")
	if from.Err != nil {
		return nil, from.Err
	}
	var out []modelRows
	var owners []string
	at := map[string]int{}
	for i, n := range names {
		k, ok := at[n]
		if !ok {
			k = len(out)
			at[n] = k
			out, owners = append(out, modelRows{id: ids[i], name: n}), append(owners, ids[i])
		}
		out[k].rows = append(out[k].rows, i)
	}
	for k, l := range Looks(owners) {
		out[k].look = l
	}
	return out, nil
}
