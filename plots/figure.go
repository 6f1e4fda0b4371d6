package plots

import (
	"errors"
	"fmt"
	"image"
)

// Pictures opens the first picture of an item of a benchmark. A nil picture means that it is not at hand.
type Pictures func(imageID string) (image.Image, error)

// Figure is one picture of a paper: a function from the marts it needs to a drawing.
type Figure struct {
	Name  string   // file name stem, lower case with underscores
	Title string   // one line that heads the drawing
	Paper string   // paper and figure or table that it renders
	Needs []string // names of the marts
	Also  []string // names of marts that are drawn as well, or instead, where they have rows
	// All is true of figures that compare readers, protocols or question banks; others are drawn of one of each at a time.
	All        bool
	draw       func(Tables) (*Drawing, error)
	illustrate func(Tables, Pictures) (*Drawing, error) // takes the place of draw in figures that show pictures
}

// Figures returns all figures in the order of the papers.
func Figures() []Figure {
	return []Figure{
		leaderboard,
		promptsFigure,
		readersFigure,
		gapFigure,
		optionsFigure,
		densityFigure,
		categoryFigure("Natural", "Figure 9"),
		categoryFigure("Document", "Figure 10"),
		categoryFigure("E-commerce", "Figure 11"),
		categoryFigure("Embodied AI", "Figure 12"),
		lengthsFigure,
		utilityFigure,
		trajectoriesFigure("accuracy", "Figure 15"),
		trajectoriesFigure("score", "Figure 16"),
		rankingStability,
		transitionFigure(shortToSimple),
		transitionFigure(simpleToLong),
		transitionFigure(shortToLong),
		transitionFigure(longToHinted),
		longShare,
		coverageFigure(shortToLong, "Figure 20"),
		coverageFigure(shortToSimple, "Figure 21"),
		coverageFigure(simpleToLong, "Figure 22"),
		coverageFigure(longToHinted, "Figure 23"),
		radarFigure("Natural", "Figure 24"),
		radarFigure("Document", "Figure 25"),
		radarFigure("E-commerce", "Figure 26"),
		radarFigure("Embodied AI", "Figure 27"),
		radarFigure("", "Figure 28"),
		difficultyFigure,
		examplesFigure,
		rubricRadar("capability", "CAPability, Figure 3"),
		annotationValues,
		judgeRepeats,
		judgesFigure,
		rubricMap("capability"),
		rubricRadar("cv-capbench", "CV-CapBench, Table 2"),
		rubricMap("cv-capbench"),
	}
}

// Draw makes the drawing without pictures of the benchmark. The error names the figure, and below it the table, column and row that
// cannot be drawn; it is an [ErrNoRows] when there is nothing to draw.
func (f Figure) Draw(ts Tables) (*Drawing, error) { return f.DrawWith(ts, nil) }

// DrawWith is Draw with pictures for the figures that show them.
func (f Figure) DrawWith(ts Tables, pictures Pictures) (*Drawing, error) {
	var faults []error
	for _, n := range f.Needs {
		if _, err := ts.Get(n); err != nil {
			faults = append(faults, err)
		}
	}
	if err := errors.Join(faults...); err != nil {
		return nil, fmt.Errorf("figure %s: %w", f.Name, err)
	}
	draw := f.draw
	if f.illustrate != nil {
		draw = func(ts Tables) (*Drawing, error) { return f.illustrate(ts, pictures) }
	}
	d, err := draw(ts)
	if err != nil {
		return nil, fmt.Errorf("figure %s: %w", f.Name, err)
	}
	if d.Title == "" {
		d.Title = f.Title
	}
	if err := d.check(); err != nil {
		return nil, fmt.Errorf("figure %s: %w", f.Name, err)
	}
	return d, nil
}
