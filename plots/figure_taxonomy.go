package plots

import (
	"cmp"
	"fmt"
	"image/color"
	"slices"

	"gonum.org/v1/plot/vg"
	"gonum.org/v1/plot/vg/draw"
)

var taxonomyFigure = Figure{
	Name:  "taxonomy",
	Title: "What questions are asked about: the taxonomies of the domains",
	Paper: "CaptionQA, Figure 14",
	Needs: []string{"taxonomy_nodes"},
	draw:  drawTaxonomy,
}

// A branch is a node of a taxonomy with those below it.
type branch struct {
	name   string
	below  []branch
	leaves int // nodes of the third level below it
}

// Measures of trees: their least width, the height of a line, and gaps.
const (
	leastTree          = vg.Length(190)
	treeLine           = vg.Length(9.4)
	branchGap, treeGap = vg.Length(3.5), vg.Length(16)
	trunk              = vg.Length(7) // the room of the lines before a name
)

// tree is the taxonomy of a domain, laid out for a width.
type tree struct {
	title    string
	tone     color.Color
	branches []branch
	names    [][]string  // lines of the names of the branches
	heights  []vg.Length // of the branches
	column   vg.Length   // width of the names
	width    vg.Length
}

func drawTaxonomy(ts Tables, domains domainSet, on Page) (*Drawing, error) {
	from := ts.Read("taxonomy_nodes")
	provenance, found := from.provenance(), from.domains()
	if from.Err != nil {
		return nil, from.Err
	}
	across := on.across(leastTree, treeGap, 2)
	width := (on.inner() - treeGap*vg.Length(across-1)) / vg.Length(across)
	var trees []tree
	for _, d := range found {
		branches, err := readBranches(from.Where("domain", d))
		if err != nil {
			return nil, err
		}
		trees = append(trees, newTree(d, domains.text(d), branches, width))
	}
	rows := slices.Collect(slices.Chunk(trees, across))
	height := -treeGap
	for _, row := range rows {
		height += treeGap + tallest(row)
	}
	return &Drawing{
		Subtitle:   "Categories, their subcategories and, in brackets, the number of aspects below a subcategory.",
		Source:     "mart taxonomy_nodes.",
		Provenance: provenance,
		Height:     height,
		Body: func(c draw.Canvas) {
			y := c.Max.Y
			for _, row := range rows {
				for k, r := range row {
					r.draw(c, vg.Point{X: c.Min.X + vg.Length(k)*(width+treeGap), Y: y})
				}
				y -= tallest(row) + treeGap
			}
		},
	}, nil
}

// readBranches reads the categories of a domain and their subcategories.
func readBranches(from *Reading) ([]branch, error) {
	levels, places, below := from.Floats("level"), from.Floats("place"), from.Floats("n_below")
	categories, subcategories := from.Text("category"), from.TextOrNone("subcategory")
	if from.Err != nil {
		return nil, from.Err
	}
	var out []branch
	for _, i := range ordered(len(places), func(a, b int) int { return cmp.Compare(places[a], places[b]) }) {
		switch levels[i] {
		case 1:
			out = append(out, branch{name: categories[i]})
		case 2:
			k := slices.IndexFunc(out, func(b branch) bool { return b.name == categories[i] })
			if k < 0 {
				return nil, from.Table.fault("category", i, "%s comes before its category %s", subcategories[i], categories[i])
			}
			out[k].below = append(out[k].below, branch{name: subcategories[i], leaves: int(below[i])})
		}
	}
	if len(out) == 0 {
		return nil, noRows("table %s has no category", from.Table.Name())
	}
	return out, nil
}

func newTree(name string, tone color.Color, branches []branch, width vg.Length) tree {
	r := tree{tone: tone, branches: branches, width: width, column: width * 0.4}
	sty := textStyle(labelSize, ink, true)
	n := 0
	for _, b := range branches {
		lines := wrap(sty, b.name, r.column-trunk-6, 3)
		r.names = append(r.names, lines)
		r.heights = append(r.heights, treeLine*vg.Length(max(len(lines), len(b.below), 1)))
		n += len(b.below)
	}
	r.title = fmt.Sprintf("%s: %s, %s", name, plural(len(branches), "category", "categories"), plural(n, "subcategory", "subcategories"))
	return r
}

// height is the height of the tree with its title.
func (r tree) height() vg.Length {
	height := titleHeight
	for _, h := range r.heights {
		height += h + branchGap
	}
	return height
}

// tallest is the height of the highest of several trees.
func tallest(trees []tree) vg.Length {
	height := vg.Length(0)
	for _, t := range trees {
		height = max(height, t.height())
	}
	return height
}

// draw draws the tree below a corner.
func (r tree) draw(c draw.Canvas, corner vg.Point) {
	line := lineStyle(r.tone, hairline)
	title, bold, plain := textStyle(labelSize+0.5, r.tone, true), textStyle(labelSize, ink, true), textStyle(labelSize, ink, false)
	write(c, title, []string{fit(title, r.title, r.width)}, corner, 0)
	y := corner.Y - titleHeight
	root, stem := corner.X+1, corner.X+r.column+2
	var ends []vg.Length // where branches leave the trunk
	for i, b := range r.branches {
		mid := y - r.heights[i]/2
		ends = append(ends, mid)
		c.StrokeLine2(line, root, mid, root+trunk-2, mid)
		widest := vg.Length(0)
		for k, l := range r.names[i] {
			widest = max(widest, bold.Width(l))
			middle(c, bold, vg.Point{X: root + trunk, Y: mid + treeLine*(vg.Length(len(r.names[i])-1)/2-vg.Length(k))}, l)
		}
		if n := vg.Length(len(b.below)); n > 0 {
			top := mid + treeLine*(n-1)/2
			c.StrokeLine2(line, root+trunk+widest+2, mid, stem, mid)
			c.StrokeLine2(line, stem, top, stem, top-treeLine*(n-1))
			for k, leaf := range b.below {
				at := top - treeLine*vg.Length(k)
				c.StrokeLine2(line, stem, at, stem+trunk-2, at)
				text := leaf.name
				if leaf.leaves > 0 {
					text += fmt.Sprintf(" (%d)", leaf.leaves)
				}
				middle(c, plain, vg.Point{X: stem + trunk, Y: at}, fit(plain, text, corner.X+r.width-stem-trunk))
			}
		}
		y -= r.heights[i] + branchGap
	}
	c.StrokeLine2(line, root, ends[0], root, ends[len(ends)-1])
}
