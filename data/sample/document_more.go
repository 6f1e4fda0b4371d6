package sample

import (
	"fmt"
	"image/color"
)

func tableScene() scene {
	heads := []string{"Crop", "Spring", "Summer", "Autumn", "Total"}
	rows := [][]string{
		{"Tomatoes", "42", "118", "65", "225"}, {"Cucumbers", "38", "94", "27", "159"}, {"Peppers*", "12", "56", "40", "108"},
		{"Lettuce", "71", "33", "58", "162"}, {"Radishes", "26", "–", "19", "45"},
	}
	sum := []string{"Total", "189", "301", "209", "699"}
	draw := func(c *canvas) {
		c.sheet("Greenhouse harvest 2025", "Yield by crop and season, in kilograms (kg)", "* Peppers were grown in house B only.")
		const left, top, row = 52.0, 118.0, 50.0
		widths := []float64{176, 122, 122, 122, 122}
		cell := func(x, y float64, col int, s string, st style, k color.NRGBA) {
			if col == 0 {
				c.text(s, x+16, y+row/2, 0, 18, st, k)
				return
			}
			c.text(s, x+widths[col]-22, y+row/2, 1, 18, st, k)
		}
		all := append(append([][]string{heads}, rows...), sum)
		for i, r := range all {
			y, x := top+row*float64(i), left
			switch {
			case i == 0:
				c.box(left, y, 664, row, rgb(0x2f5d50))
			case i == len(all)-1:
				c.box(left, y, 664, row, rgb(0xdde9e2))
			case i%2 == 0:
				c.box(left, y, 664, row, rgb(0xf1f4f2))
			}
			if i == 1 {
				c.box(left+176+122, y, 122, row, rgb(0xfbe08a))
			}
			for j, s := range r {
				st, k := regular, ink
				if i == 0 {
					st, k = bold, snow
				} else if i == len(all)-1 || j == 0 {
					st = bold
				}
				cell(x, y, j, s, st, k)
				x += widths[j]
			}
		}
		for i := range len(all) + 1 {
			c.line(rgb(0xb9c6bf), 1.2, left, top+row*float64(i), left+664, top+row*float64(i))
		}
		for i, x := 0, left; i <= len(widths); i++ {
			c.line(rgb(0xb9c6bf), 1.2, x, top, x, top+row*float64(len(all)))
			if i < len(widths) {
				x += widths[i]
			}
		}
		c.text("Page 4", 716, c.h-42, 1, 13, regular, muted)
	}
	n := &notes{}
	n.four(say{dFigure, 1, "page", "figure", "a table", "The page shows {v} of greenhouse yields."}, "What does the page mainly show?", "a map", "a bar chart", "a photograph", "a flowchart")
	n.four(say{dText, 1, "page", "title", "Greenhouse harvest 2025", "The title reads “{v}”."}, "What is the title of the page?", "Orchard report 2025", "Greenhouse costs 2024", "Seed catalogue 2025", "Market prices 2025")
	n.four(say{dHeaders, 3, "column after Summer", "header", heads[3], "After Summer follows the column {v}."}, "Which column follows the column Summer?", "Winter", "Total", "Spring", "Crop")
	n.four(say{dCell, 3, "tomatoes in summer", "yield", rows[0][2], "In summer {v} kg of tomatoes were harvested."}, "How many kilograms of tomatoes were harvested in summer?", "94", "65", "181", "42")
	n.four(say{dCell, 4, "lettuce in autumn", "yield", rows[3][3], "In autumn {v} kg of lettuce were harvested."}, "How many kilograms of lettuce were harvested in autumn?", "33", "71", "85", "19")
	n.four(say{dCell, 2, "all crops", "total", sum[4], "The grand total is {v} kg."}, "What is the grand total in kilograms?", "669", "301", "599", "966")
	n.four(say{dMissing, 4, "missing cell", "row", "Radishes", "The summer cell of {v} holds only a dash."}, "In which row holds the summer cell only a dash?", "Lettuce", "Peppers", "Cucumbers", "Tomatoes")
	n.four(say{dCellForm, 3, "highlighted cell", "colour", "yellow", "The cell of tomatoes in summer is highlighted in {v}."}, "In which colour is the cell of tomatoes in summer highlighted?", "pink", "blue", "green", "orange")
	n.four(say{dCellUnit, 2, "cells", "unit", "kilograms", "The yields are given in {v}."}, "In which unit are the yields given?", "tonnes", "crates", "pounds", "litres")
	n.four(say{dFootnote, 4, "asterisk", "meaning", "in house B only", "The footnote to the asterisk says that peppers were grown {v}."}, "What does the footnote say of the peppers' place?", "in house A only", "outdoors", "in both houses", "on the roof")
	n.four(say{dFormat, 4, "header row", "colour", "white on dark green", "The header row is set in bold {v}."}, "How is the header row coloured?", "black on yellow", "white on navy blue", "dark red on grey", "black on white")
	n.yes(say{dGrid, 4, "table", "gridlines", "lines", "Thin {v} separate all the rows and columns of the table."}, "Does the table have gridlines between rows and columns?")
	return document("doc_s04", "Table of harvest yields", 768, 576, draw, n)
}

// flowBox is a node of a flowchart, centred on x, y.
type flowBox struct {
	text  string
	shape string // round, box or diamond
	x, y  float64
	w, h  float64
}

func flowScene() scene {
	boxes := []flowBox{
		{"Book arrives", "round", 170, 152, 176, 54}, {"Scan barcode", "box", 384, 152, 176, 54}, {"Returned late?", "diamond", 384, 282, 216, 116},
		{"Charge fee", "box", 626, 282, 150, 54}, {"Damaged?", "diamond", 384, 428, 180, 104}, {"Back to shelf", "round", 626, 428, 170, 54}, {"Send to repair", "round", 146, 428, 170, 54},
	}
	draw := func(c *canvas) {
		c.sheet("Returning a library book", "Process at the front desk", "Process sheet 7, revised in March 2025")
		gray := rgb(0x5a6673)
		c.arrow(gray, 2.5, 258, 152, 295, 152)
		c.arrow(gray, 2.5, 384, 179, 384, 223)
		c.arrow(gray, 2.5, 492, 282, 550, 282)
		c.arrow(gray, 2.5, 384, 340, 384, 375)
		c.line(gray, 2.5, 626, 309, 626, 358, 396, 358)
		c.poly(gray, 386, 358, 398, 352, 398, 364)
		c.arrow(gray, 2.5, 474, 428, 540, 428)
		c.arrow(gray, 2.5, 294, 428, 232, 428)
		c.text("yes", 519, 268, 0.5, 15, bold, ink)
		c.text("no", 371, 353, 1, 15, bold, ink)
		c.text("no", 505, 414, 0.5, 15, bold, ink)
		c.text("yes", 264, 414, 0.5, 15, bold, ink)
		for _, b := range boxes {
			switch b.shape {
			case "round":
				c.shadow(b.x-b.w/2, b.y-b.h/2, b.w, b.h, b.h/2)
				c.rbox(b.x-b.w/2, b.y-b.h/2, b.w, b.h, b.h/2, rgb(0xcfe6d6))
				c.outline(b.x-b.w/2, b.y-b.h/2, b.w, b.h, b.h/2, 2, rgb(0x4c8a63))
			case "box":
				c.shadow(b.x-b.w/2, b.y-b.h/2, b.w, b.h, 6)
				c.rbox(b.x-b.w/2, b.y-b.h/2, b.w, b.h, 6, rgb(0xd5e4f4))
				c.outline(b.x-b.w/2, b.y-b.h/2, b.w, b.h, 6, 2, rgb(0x3d6ea5))
			default:
				xy := []float64{b.x, b.y - b.h/2, b.x + b.w/2, b.y, b.x, b.y + b.h/2, b.x - b.w/2, b.y}
				c.poly(rgb(0xfce9bd), xy...)
				c.line(rgb(0xc7922e), 2, append(xy, xy[0], xy[1])...)
			}
			c.text(b.text, b.x, b.y, 0.5, 18, bold, ink)
		}
	}
	n := &notes{}
	n.four(say{dDiagram, 1, "figure", "diagram type", "flowchart", "The page shows a {v} of a desk process."}, "Which type of diagram is shown?", "Venn diagram", "network diagram", "organisation chart", "timeline")
	n.four(say{dText, 1, "page", "title", "Returning a library book", "The title is “{v}”."}, "What is the title of the diagram?", "Borrowing a bicycle", "Opening a bank account", "Repairing a bookcase", "Ordering a new passport")
	n.four(say{dNodes, 2, "first step", "label", boxes[0].text, "The process starts with “{v}”."}, "With which step does the process start?", "Scan barcode", "Charge fee", "Send to repair", "Back to shelf")
	n.four(say{dNodes, 3, "decisions", "shape", "diamond", "Decisions are drawn with a {v} shape."}, "Which shape do the decisions have?", "circle", "rectangle", "hexagon", "triangle")
	n.four(say{dNodes, 3, "decisions", "count", "two", "The diagram has {v} decisions."}, "How many decisions has the diagram?", near(2)...)
	n.four(say{dEdges, 3, "late return", "next step", boxes[3].text, "If the book was returned late, the next step is “{v}”."}, "What is the next step if the book was returned late?", "Back to shelf", "Send to repair", "Scan barcode", "Book arrives")
	n.four(say{dEdges, 3, "damage", "next step", boxes[6].text, "If the book is damaged, the process ends with “{v}”."}, "With which step does the process end if the book is damaged?", "Back to shelf", "Charge fee", "Scan barcode", "Book arrives")
	n.four(say{dEdges, 3, "no damage", "next step", boxes[5].text, "If the book is not damaged, it goes “{v}”."}, "What happens to a book that is not damaged?", "Charge fee", "Scan barcode", "Send to repair", "Book arrives")
	n.four(say{dDirection, 4, "arrow after the fee", "target", "question of damage", "From “Charge fee” an arrow leads back to the {v}."}, "Where does the arrow from “Charge fee” lead?", "start of the process", "barcode scan", "shelf", "repair shop")
	n.four(say{dFormat, 4, "decisions", "colour", "yellow", "The decisions are filled in light {v}."}, "In which light colour are the decisions filled?", "blue", "green", "pink", "grey")
	n.four(say{dKey, 4, "footer", "date", "March 2025", "The footer says that the sheet was revised in {v}."}, "When was the sheet revised according to the footer?", "May 2025", "March 2024", "June 2023", "January 2025")
	n.no(say{dEdges, 4, "arrows", "unlabelled decision", "yes and no", "The arrows out of the decisions are labelled {v}."}, "Do the arrows out of the decisions lack labels?")
	return document("doc_s05", "Flowchart of a book return", 768, 576, draw, n)
}

func invoiceScene() scene {
	type item struct {
		name       string
		count      int
		each, cost float64
	}
	items := []item{{"Oak shelf board", 6, 18.5, 111}, {"Steel bracket", 12, 4.25, 51}, {"Wood oil, 1 l", 2, 16, 32}, {"Delivery", 1, 26, 26}}
	const number, vat = "2047", 41.8
	net := 0.0
	for _, it := range items {
		net += it.cost
	}
	euro := func(v float64) string { return fmt.Sprintf("€%.2f", v) }
	draw := func(c *canvas) {
		c.box(0, 0, c.w, c.h, rgb(0xdfe3e8))
		c.shadow(30, 28, 660, 904, 4)
		c.box(30, 28, 660, 904, snow)
		c.box(30, 28, 660, 12, rgb(0x2c5f7c))
		c.rbox(76, 84, 52, 52, 10, rgb(0x2c5f7c))
		c.poly(snow, 88, 124, 102, 96, 116, 124)
		c.box(98, 112, 8, 12, rgb(0x2c5f7c))
		c.text("Hillside Joinery", 144, 100, 0, 24, bold, ink)
		c.text("4 Mill Lane, Brookfield", 144, 128, 0, 15, regular, muted)
		c.text("INVOICE", 644, 102, 1, 30, bold, rgb(0x2c5f7c))
		c.text("No. "+number, 644, 134, 1, 16, regular, ink)
		c.line(rgb(0xd3dae0), 1.5, 76, 176, 644, 176)
		c.text("Billed to", 76, 204, 0, 14, bold, muted)
		c.text("Ms Clara Winter", 76, 230, 0, 18, bold, ink)
		c.text("17 Station Road", 76, 254, 0, 15, regular, ink)
		c.text("Northport", 76, 276, 0, 15, regular, ink)
		c.text("Date", 430, 230, 0, 15, regular, muted)
		c.text("12 May 2025", 644, 230, 1, 15, bold, ink)
		c.text("Due", 430, 256, 0, 15, regular, muted)
		c.text("11 June 2025", 644, 256, 1, 15, bold, ink)
		c.rbox(76, 324, 568, 42, 4, rgb(0x2c5f7c))
		for _, h := range []struct {
			s     string
			x, ax float64
		}{{"Item", 92, 0}, {"Quantity", 388, 1}, {"Unit price", 510, 1}, {"Amount", 628, 1}} {
			c.text(h.s, h.x, 345, h.ax, 15, bold, snow)
		}
		y := 392.0
		for i, it := range items {
			if i%2 == 1 {
				c.box(76, y-24, 568, 48, rgb(0xf1f5f8))
			}
			c.text(it.name, 92, y, 0, 17, regular, ink)
			c.text(fmt.Sprint(it.count), 388, y, 1, 17, regular, ink)
			c.text(euro(it.each), 510, y, 1, 17, regular, ink)
			c.text(euro(it.cost), 628, y, 1, 17, regular, ink)
			y += 48
		}
		c.line(rgb(0xd3dae0), 1.5, 76, y-20, 644, y-20)
		c.text("Net", 430, y+10, 0, 16, regular, muted)
		c.text(euro(net), 628, y+10, 1, 16, regular, ink)
		c.text("VAT 19 %", 430, y+40, 0, 16, regular, muted)
		c.text(euro(vat), 628, y+40, 1, 16, regular, ink)
		c.rbox(410, y+62, 234, 48, 6, rgb(0xe2eef5))
		c.text("Total", 430, y+86, 0, 20, bold, rgb(0x2c5f7c))
		c.text(euro(net+vat), 628, y+86, 1, 20, bold, rgb(0x2c5f7c))
		c.dc.Push()
		c.dc.RotateAbout(-0.16, 190, y+76)
		c.outline(110, y+46, 160, 60, 8, 4, fade(rgb(0xc23b33), 0.85))
		c.paid(190, y+76, rgb(0xcb5850))
		c.dc.Pop()
		c.text("Notes", 76, 758, 0, 15, bold, muted)
		c.text("Goods remain our property until they are paid in full.", 76, 784, 0, 15, italic, ink)
		c.text("Please give the invoice number with your payment.", 76, 808, 0, 15, italic, ink)
		c.line(rgb(0xd3dae0), 1.5, 76, 862, 644, 862)
		c.text("Hillside Joinery · office@hillside.example", 76, 888, 0, 13, regular, muted)
		c.text("Page 1 of 1", 644, 888, 1, 13, regular, muted)
	}
	n := &notes{}
	n.four(say{dText, 1, "page", "kind of document", "invoice", "The page is an {v} from a joinery."}, "Which kind of document is the page?", "contract", "train ticket", "menu", "job application", "recipe")
	n.four(say{dText, 2, "seller", "name", "Hillside Joinery", "The seller is {v}."}, "Who issued the document?", "Riverside Bakery", "Northport Timber", "Brookfield Garage", "Station Road Florist")
	n.four(say{dNumber, 3, "invoice", "number", number, "The invoice has the number {v}."}, "Which invoice number is given?", "2074", "2407", "1047", "2025")
	n.four(say{dFinance, 1, "invoice", "total", euro(net + vat), "The total comes to {v}."}, "To how much does the total come?", "€220.00", "€241.80", "€281.60", "€261.08")
	n.four(say{dFinance, 3, "invoice", "net sum", euro(net), "The net sum is {v}."}, "How much is the net sum?", "€202.00", "€194.00", "€261.80", "€210.00")
	n.four(say{dCell, 3, "steel brackets", "quantity", word(items[1].count), "{v} steel brackets were bought."}, "How many steel brackets were bought?", "six", "two", "ten", "four")
	n.four(say{dCell, 4, "oak shelf board", "unit price", euro(items[0].each), "An oak shelf board costs {v}."}, "What does one oak shelf board cost?", "€15.80", "€16.00", "€26.00", "€111.00")
	n.four(say{dText, 2, "buyer", "name", "Clara Winter", "The bill goes to Ms {v}."}, "To whom does the bill go?", "Anna Summer", "Clara Miller", "Helen Winter", "Laura Stone")
	n.four(say{dKey, 3, "stamp", "text", "PAID", "A red stamp says {v}."}, "What does the red stamp say?", "COPY", "OVERDUE", "DRAFT", "URGENT")
	n.four(say{dSymbol, 3, "amounts", "currency sign", "€", "All amounts carry the sign {v}."}, "Which currency sign do the amounts carry?", "$", "£", "¥", "₹")
	n.four(say{dText, 4, "payment", "due date", "11 June 2025", "The payment is due on {v}."}, "When is the payment due?", "12 May 2025", "1 July 2025", "21 June 2025", "31 May 2025")
	n.three(say{dSections, 4, "last section", "heading", "Notes", "The last section above the footer is headed “{v}”."}, "Which heading has the last section above the footer?", "Terms", "Delivery", "Contact", "Signature")
	return document("doc_s06", "Invoice of a joinery", 720, 960, draw, n)
}

// paid writes the word in strokes around x, y, because the letters of a font turn ragged when they are tilted.
func (c *canvas) paid(x, y float64, col color.NRGBA) {
	top, bottom := y-16, y+16
	c.line(col, 6, x-52, bottom, x-52, top, x-42, top)
	c.ring(x-42, top+9, 9, -90, 90, 6, col)
	c.line(col, 6, x-42, top+18, x-52, top+18)
	c.line(col, 6, x-22, bottom, x-9, top, x+4, bottom)
	c.line(col, 6, x-17, y+6, x-1, y+6)
	c.line(col, 6, x+19, top, x+19, bottom)
	c.line(col, 6, x+38, top, x+34, top, x+34, bottom, x+38, bottom)
	c.ring(x+38, y, 16, -90, 90, 6, col)
}

func treeScene() scene {
	type unit struct {
		name, head string
		x, y       float64
		parent     int
	}
	units := []unit{
		{"City Zoo", "Director", 384, 146, -1}, {"Animals", "12 keepers", 160, 282, 0}, {"Visitors", "8 guides", 384, 282, 0}, {"Grounds", "6 gardeners", 608, 282, 0},
		{"Mammals", "7 keepers", 100, 426, 1}, {"Birds", "5 keepers", 226, 426, 1}, {"School tours", "3 guides", 384, 426, 2}, {"Paths", "2 gardeners", 542, 426, 3}, {"Ponds", "4 gardeners", 668, 426, 3},
	}
	draw := func(c *canvas) {
		c.sheet("How the City Zoo is organised", "Departments and teams", "Staff handbook, page 9")
		gray := rgb(0x8a95a1)
		for _, u := range units {
			if u.parent < 0 {
				continue
			}
			p := units[u.parent]
			mid := (p.y + u.y) / 2
			c.line(gray, 2.5, p.x, p.y, p.x, mid, u.x, mid, u.x, u.y)
		}
		for i, u := range units {
			w, col, edge := 118.0, rgb(0xfdf3dc), rgb(0xd1a54a)
			switch {
			case i == 0:
				w, col, edge = 180, rgb(0x2f6b5a), rgb(0x2f6b5a)
			case u.parent == 0:
				w, col, edge = 156, rgb(0xd5e8e0), rgb(0x4f8f7b)
			}
			c.shadow(u.x-w/2, u.y-32, w, 64, 8)
			c.rbox(u.x-w/2, u.y-32, w, 64, 8, col)
			c.outline(u.x-w/2, u.y-32, w, 64, 8, 2, edge)
			k, m := ink, muted
			if i == 0 {
				k, m = snow, rgb(0xd5e8e0)
			}
			c.text(u.name, u.x, u.y-11, 0.5, 17, bold, k)
			c.text(u.head, u.x, u.y+13, 0.5, 14, regular, m)
		}
	}
	n := &notes{}
	n.four(say{dDiagram, 1, "figure", "diagram type", "organisation tree", "The diagram is an {v} with three levels."}, "Which kind of diagram is shown?", "flowchart with decisions", "Venn diagram", "timeline", "circuit diagram")
	n.four(say{dText, 1, "organisation", "name", "City Zoo", "It shows how the {v} is organised."}, "Whose organisation does the diagram show?", "Harbour Museum", "Botanical Garden", "Public Library", "Town Theatre")
	n.four(say{dHierarchy, 2, "tree", "levels", "three", "The tree has {v} levels."}, "How many levels has the tree?", near(3)...)
	n.four(say{dHierarchy, 3, "Birds", "parent", units[1].name, "The team Birds belongs to the department {v}."}, "To which department does the team Birds belong?", "Visitors", "Grounds", "Ponds", "Mammals")
	n.four(say{dHierarchy, 3, "Ponds", "parent", units[3].name, "The team Ponds belongs to the department {v}."}, "To which department does the team Ponds belong?", "Animals", "Visitors", "Paths", "Birds")
	n.four(say{dNodes, 3, "Visitors", "team", units[6].name, "The department Visitors has the single team {v}."}, "Which is the single team of the department Visitors?", "Mammals", "Paths", "Birds", "Ponds")
	n.four(say{dNumber, 3, "Animals", "staff", "12 keepers", "The department Animals has {v}."}, "How many people work in the department Animals?", "8 keepers", "7 keepers", "5 keepers", "6 keepers")
	n.four(say{dNumber, 4, "Ponds", "staff", "4 gardeners", "The team Ponds has {v}."}, "How many people work in the team Ponds?", "2 gardeners", "6 gardeners", "3 gardeners", "7 gardeners")
	n.four(say{dNodes, 2, "departments", "count", "three", "{v} departments stand below the director."}, "How many departments stand below the director?", near(3)...)
	n.four(say{dNodes, 4, "teams", "count", "five", "The lowest level has {v} teams."}, "How many teams has the lowest level?", near(5)...)
	n.four(say{dFormat, 4, "top box", "colour", "dark green", "The box at the top is {v}."}, "What colour is the box at the top?", "light yellow", "navy blue", "pale grey", "bright red")
	n.two(say{dDirection, 4, "connections", "line style", "plain lines", "{v} without arrowheads connect the boxes."}, "What connects the boxes?", "dashed arrows")
	return document("doc_s07", "Organisation tree of a zoo", 768, 576, draw, n)
}
