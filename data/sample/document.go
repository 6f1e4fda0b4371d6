package sample

import (
	"fmt"
	"image/color"
	"math"
	"strings"
)

// Nodes of the document taxonomy that the questions use (CaptionQA Table 6).
const (
	dKey       = "Structural Elements > Layout > Key structural elements"
	dSections  = "Structural Elements > Layout > Hierarchical structure"
	dAlign     = "Structural Elements > Spatial Relationships > Alignment"
	dPosition  = "Structural Elements > Spatial Relationships > Relative positioning"
	dText      = "Content-Level Evaluation > Text-Content > Textual information"
	dFormat    = "Content-Level Evaluation > Text-Content > Formatting"
	dNumber    = "Content-Level Evaluation > Text-Content > Accurate recognition of numbers"
	dSymbol    = "Content-Level Evaluation > Text-Content > Symbols and special characters"
	dComplete  = "Content-Level Evaluation > Text-Content > Completeness"
	dFigure    = "Content-Level Evaluation > Visual Elements > Presence and identification of figures"
	dChart     = "Chart-Specific Elements > Chart Types"
	dAxis      = "Chart-Specific Elements > Axes and Labels > Presence of x-axis and y-axis labels"
	dAxisUnit  = "Chart-Specific Elements > Axes and Labels > Units of measurement"
	dLegend    = "Chart-Specific Elements > Legends"
	dPoint     = "Chart-Specific Elements > Data Points > Correctness of data points"
	dTrend     = "Chart-Specific Elements > Data Points > Trend identification"
	dHeaders   = "Table-Specific Elements > Table Structure > Presence of headers"
	dGrid      = "Table-Specific Elements > Table Structure > Gridlines"
	dCell      = "Table-Specific Elements > Content > Correctness of textual and numeric content in cells"
	dMissing   = "Table-Specific Elements > Content > Completeness of table content"
	dCellForm  = "Table-Specific Elements > Content > Formatting"
	dCellUnit  = "Table-Specific Elements > Content > Units in cells"
	dFootnote  = "Table-Specific Elements > Relationships > Cross-references"
	dDiagram   = "Diagram-Specific Elements > Types of Diagrams"
	dNodes     = "Diagram-Specific Elements > Components > Nodes"
	dEdges     = "Diagram-Specific Elements > Components > Connections"
	dDirection = "Diagram-Specific Elements > Relationships > Directionality of connections"
	dHierarchy = "Diagram-Specific Elements > Relationships > Hierarchical structure"
	dFinance   = "Domain-Specific Evaluation > Domain-Specific Information > Financial reports"
)

func documentScenes() []scene {
	return []scene{barScene(), lineScene(), pieScene(), tableScene(), flowScene(), invoiceScene(), treeScene()}
}

func document(id, title string, w, h int, draw func(*canvas), n *notes) scene {
	return scene{id: id, domain: Document, title: title, width: w, height: h, draw: []func(*canvas){draw}, notes: n}
}

// series is a named list of values in one colour.
type series struct {
	name   string
	hue    string
	values []float64
}

// sheet draws the white page with its title and the line below it.
func (c *canvas) sheet(title, subtitle, footer string) {
	c.box(0, 0, c.w, c.h, rgb(0xe8ebef))
	c.shadow(18, 16, c.w-36, c.h-36, 8)
	c.rbox(18, 16, c.w-36, c.h-36, 8, paper)
	c.text(title, 52, 54, 0, 27, bold, ink)
	c.text(subtitle, 52, 84, 0, 16, regular, muted)
	c.text(footer, 52, c.h-42, 0, 13, italic, muted)
}

// plain writes a number without trailing zeros.
func plain(v float64) string { return strings.TrimSuffix(fmt.Sprintf("%.1f", v), ".0") }

func barScene() scene {
	months := []string{"April", "May", "June", "July", "August"}
	visits := series{"Visitors", "blue", []float64{120, 180, 260, 340, 300}}
	const best = 3
	draw := func(c *canvas) {
		c.sheet("Visitors of the Harbour Museum", "Summer season 2025, by month", "Source: ticket desk. Counts are in thousands.")
		const left, right, base, top, full = 110.0, 716.0, 462.0, 126.0, 400.0
		for v := 0.0; v <= full; v += 100 {
			y := base - (base-top)*v/full
			c.line(rgb(0xd9dde2), 1.2, left, y, right, y)
			c.text(plain(v), left-12, y, 1, 14, regular, muted)
		}
		step := (right - left) / float64(len(months))
		for i, v := range visits.values {
			h := (base - top) * v / full
			x := left + step*(float64(i)+0.5)
			col := paints[visits.hue]
			if i == best {
				col = paints["orange"]
			}
			c.rbox(x-35, base-h, 70, h, 5, col)
			c.box(x-35, base-8, 70, 8, col)
			c.text(plain(v), x, base-h-14, 0.5, 16, bold, ink)
			c.text(months[i], x, base+20, 0.5, 15, regular, ink)
		}
		c.line(ink, 2, left, base, right, base)
		c.upright("Visitors (thousands)", 54, (base+top)/2, 15, regular, ink)
		c.text("Month", (left+right)/2, base+46, 0.5, 15, regular, ink)
	}
	n := &notes{}
	n.four(say{dChart, 1, "figure", "chart type", "bar chart", "The page shows a {v} of museum visitors."}, "Which type of chart does the page show?", "line chart", "pie chart", "scatter plot", "area chart")
	n.four(say{dText, 1, "page", "title", "Visitors of the Harbour Museum", "The title reads “{v}”."}, "What is the title of the chart?", "Guests of the Castle Hotel", "Readers of the City Library", "Passengers of the Island Ferry")
	n.four(say{dPoint, 3, "July", "visitors", plain(visits.values[3]), "In July {v} thousand visitors came."}, "How many thousand visitors came in July?", "240", "300", "380", "260")
	n.four(say{dPoint, 3, "May", "visitors", plain(visits.values[1]), "In May {v} thousand visitors came."}, "How many thousand visitors came in May?", "120", "210", "150", "260")
	n.four(say{dPoint, 2, "peak", "month", months[best], "The most visitors came in {v}."}, "In which month did the most visitors come?", "April", "May", "June", "August")
	n.four(say{dPoint, 3, "lowest bar", "month", months[0], "The fewest visitors came in {v}."}, "In which month did the fewest visitors come?", "May", "June", "July", "August")
	n.four(say{dTrend, 2, "visitors", "trend", "rise until July and fall in August", "The numbers {v}."}, "How do the visitor numbers develop?", "fall from month to month", "rise until the last month", "stay level all season", "fall until June and rise afterwards")
	n.four(say{dFormat, 3, "July bar", "colour", "orange", "The bar of July is {v}, all the others are blue."}, "What colour has the bar of July?", "blue", "green", "red", "purple")
	n.four(say{dAxis, 3, "horizontal axis", "label", "Month", "The horizontal axis is labelled “{v}”."}, "What is the label of the horizontal axis?", "Season", "Visitors", "Museum", "Ticket type")
	n.four(say{dAxisUnit, 3, "vertical axis", "unit", "thousands", "The vertical axis counts visitors in {v}."}, "In which unit does the vertical axis count the visitors?", "hundreds", "percent", "single persons", "millions")
	n.four(say{dKey, 4, "footnote", "source", "ticket desk", "A footnote names the {v} as the source."}, "Which source does the footnote name?", "visitor survey", "tourist office", "annual report", "city council")
	n.yes(say{dComplete, 4, "bars", "value labels", "value", "Every bar carries its {v} on top."}, "Does every bar carry a number on top?")
	return document("doc_s01", "Bar chart of museum visitors", 768, 576, draw, n)
}

func lineScene() scene {
	months := []string{"Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug"}
	cities := []series{
		{"Brookfield", "red", []float64{2, 4, 8, 13, 18, 22, 25, 24}},
		{"Northport", "blue", []float64{-4, -3, 1, 6, 11, 15, 17, 16}},
	}
	draw := func(c *canvas) {
		c.sheet("Mean temperature in two towns", "Monthly means, January to August 2025", "Fig. 3: Weather service, stations at 2 m above ground.")
		const left, right, base, top = 104.0, 716.0, 440.0, 128.0
		at := func(i int, v float64) (float64, float64) {
			return left + 20 + (right-left-40)*float64(i)/7, base - (base-top)*(v+5)/35
		}
		for v := -5.0; v <= 30; v += 5 {
			_, y := at(0, v)
			c.line(rgb(0xdfe3e8), 1.2, left, y, right, y)
			c.text(strings.Replace(plain(v), "-", "−", 1), left-12, y, 1, 14, regular, muted)
		}
		for i, m := range months {
			x, _ := at(i, 0)
			c.text(m, x, base+18, 0.5, 14, regular, ink)
		}
		_, zero := at(0, 0)
		c.line(muted, 1.6, left, zero, right, zero)
		for _, s := range cities {
			var xy []float64
			for i, v := range s.values {
				x, y := at(i, v)
				xy = append(xy, x, y)
			}
			c.line(paints[s.hue], 3.5, xy...)
			for i := 0; i < len(xy); i += 2 {
				c.disc(xy[i], xy[i+1], 6, paints[s.hue])
				c.disc(xy[i], xy[i+1], 3, snow)
			}
		}
		c.rbox(left+18, top+4, 150, 62, 6, snow)
		c.outline(left+18, top+4, 150, 62, 6, 1, rgb(0xc9d0d8))
		for i, s := range cities {
			y := top + 22 + 27*float64(i)
			c.line(paints[s.hue], 4, left+30, y, left+56, y)
			c.text(s.name, left+66, y, 0, 15, regular, ink)
		}
		c.upright("Temperature (°C)", 50, (base+top)/2, 15, regular, ink)
		c.text("Month", (left+right)/2, base+44, 0.5, 15, regular, ink)
		x, y := at(6, 25)
		c.text("25 °C", x, y-18, 0.5, 14, bold, darker(paints["red"], 0.2))
	}
	n := &notes{}
	n.four(say{dChart, 1, "figure", "chart type", "line chart", "A {v} compares the temperatures of two towns."}, "Which type of chart compares the two towns?", "bar chart", "pie chart", "scatter plot", "box plot")
	n.four(say{dLegend, 2, "legend", "entries", "Brookfield and Northport", "The legend names {v}."}, "Which towns does the legend name?", "Easton and Westbury", "Lakeside and Hilltop", "Brookfield and Southgate", "Northport and Millbank")
	n.four(say{dLegend, 3, "Northport", "line colour", cities[1].hue, "The line of Northport is {v}."}, "Which colour has the line of Northport?", "red", "green", "orange", "purple")
	n.four(say{dPoint, 2, "warmest point", "month", "July", "Brookfield is warmest in {v}."}, "In which month is Brookfield warmest?", "May", "June", "August", "April")
	n.four(say{dPoint, 3, "Brookfield in July", "temperature", "25 °C", "The peak of Brookfield is labelled {v}."}, "Which temperature is written at the peak of Brookfield?", "20 °C", "22 °C", "28 °C", "30 °C")
	n.four(say{dTrend, 2, "both lines", "trend", "upward", "Both lines show an {v} trend from January to July."}, "Which trend do both lines show from January to July?", "downward", "level", "zigzag", "first falling, then level")
	n.four(say{dPoint, 4, "Northport in January", "temperature", "−4 °C", "Northport starts at {v} in January."}, "At which temperature does Northport start in January?", "2 °C", "0 °C", "−10 °C", "6 °C")
	n.four(say{dAxisUnit, 3, "vertical axis", "unit", "degrees Celsius", "The vertical axis gives the temperature in {v}."}, "In which unit is the temperature given?", "degrees Fahrenheit", "kelvin", "percent", "hectopascal")
	n.four(say{dPosition, 3, "legend", "position", "upper left", "The legend stands in the {v} of the plot."}, "In which part of the plot does the legend stand?", "lower right", "upper right", "lower left", "centre")
	n.four(say{dText, 4, "footer", "figure number", "Fig. 3", "The footer calls the chart {v}."}, "What does the footer call the chart?", "Fig. 1", "Fig. 2", "Table 3", "Plate 7")
	n.four(say{dAxis, 4, "horizontal axis", "last month", "Aug", "The horizontal axis runs from Jan to {v}."}, "At which month does the horizontal axis, starting in Jan, end?", "Dec", "Oct", "Jun", "Sep")
	n.no(say{dPoint, 3, "lines", "crossing", "never cross", "The two lines {v}: Brookfield is warmer all the time."}, "Do the two lines cross each other?")
	return document("doc_s02", "Line chart of temperatures", 768, 576, draw, n)
}

func pieScene() scene {
	parts := []struct {
		name  string
		share float64
		col   color.NRGBA
	}{{"Rent", 35, rgb(0x3d7cc2)}, {"Food", 25, rgb(0x4c9a5a)}, {"Transport", 15, rgb(0xec8a32)}, {"Leisure", 15, rgb(0x8457b0)}, {"Savings", 10, rgb(0xf4c53d)}}
	draw := func(c *canvas) {
		c.sheet("Where the household budget goes", "Share of monthly spending, in percent", "Survey of 1,200 households, autumn 2025")
		const x, y, r = 262.0, 304.0, 176.0
		c.shadow(x-r, y-r, 2*r, 2*r, r)
		from := -90.0
		for _, p := range parts {
			to := from + 3.6*p.share
			c.wedge(x, y, r, from, to, p.col)
			from = to
		}
		for _, p := range parts {
			a := from * math.Pi / 180
			c.line(paper, 3, x, y, x+r*math.Cos(a), y+r*math.Sin(a))
			m := (from + 1.8*p.share) * math.Pi / 180
			col := snow
			if p.name == "Savings" {
				col = ink
			}
			c.text(plain(p.share)+" %", x+r*0.66*math.Cos(m), y+r*0.66*math.Sin(m), 0.5, 20, bold, col)
			from += 3.6 * p.share
		}
		for i, p := range parts {
			ly := 214 + 44*float64(i)
			c.rbox(516, ly-11, 22, 22, 4, p.col)
			c.text(p.name, 550, ly, 0, 18, regular, ink)
			c.text(plain(p.share)+" %", 706, ly, 1, 18, bold, ink)
		}
		c.text("Legend", 516, 172, 0, 15, bold, muted)
		c.line(rgb(0xd2d8de), 1.2, 516, 186, 706, 186)
	}
	n := &notes{}
	n.four(say{dChart, 1, "figure", "chart type", "pie chart", "A {v} shows how households spend their money."}, "Which type of chart shows the spending?", "bar chart", "line chart", "scatter plot", "histogram")
	n.four(say{dPoint, 1, "largest slice", "category", parts[0].name, "The largest slice is {v}."}, "Which category is the largest slice?", "Food", "Transport", "Leisure", "Savings")
	n.four(say{dNumber, 3, "Food", "share", "25 %", "Food takes {v} of the budget."}, "Which share of the budget does food take?", "15 %", "20 %", "30 %", "35 %")
	n.four(say{dNumber, 2, "Rent", "share", "35 %", "Rent takes {v} of the budget."}, "Which share of the budget does rent take?", "25 %", "30 %", "40 %", "45 %")
	n.four(say{dPoint, 2, "smallest slice", "category", parts[4].name, "The smallest slice is {v}."}, "Which category is the smallest slice?", "Rent", "Food", "Leisure", "Transport")
	n.four(say{dLegend, 3, "Transport", "colour", "orange", "The slice for transport is {v}."}, "What colour is the slice for transport?", "purple", "blue", "yellow", "green")
	n.four(say{dLegend, 4, "Leisure", "colour", "purple", "The slice for leisure is {v}."}, "What colour is the slice for leisure?", "orange", "blue", "yellow", "green")
	n.four(say{dComplete, 2, "slices", "count", word(len(parts)), "The chart has {v} slices."}, "How many slices has the chart?", near(len(parts))...)
	n.four(say{dPoint, 4, "Transport", "equal slice", "Leisure", "Transport and {v} have the same share."}, "Which category has the same share as transport?", "Food", "Savings", "Rent", "Clothing")
	n.four(say{dPosition, 3, "legend", "position", "to the right of the chart", "The legend stands {v}."}, "Where does the legend stand?", "below the title on the left", "inside the slices", "at the bottom of the page")
	n.four(say{dKey, 4, "footnote", "sample size", "1,200", "The footnote tells of a survey of {v} households."}, "How many households were surveyed according to the footnote?", "1,000", "2,100", "120", "12,000")
	n.three(say{dAlign, 4, "title", "alignment", "left-aligned", "The title is {v}."}, "How is the title aligned?", "centred", "right-aligned")
	return document("doc_s03", "Pie chart of a household budget", 768, 576, draw, n)
}
