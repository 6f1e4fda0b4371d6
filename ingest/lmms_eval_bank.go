package ingest

import (
	"slices"
	"strconv"

	"github.com/captionlake/captionlake/data"
)

// wholeNumber reads a number that is a place in a list, also one written as 3.0.
func wholeNumber(text string) (int, bool) {
	x, err := strconv.ParseFloat(text, 64)
	return int(x), err == nil && x == float64(int(x))
}

// readBank reads the lake's questions: memory grows with the bank, not with the log.
func (l *lmmsLoad) readBank() error {
	if l.bank != nil {
		return nil
	}
	l.bank = map[string][]data.Question{}
	for question, err := range data.Scan(l.job.Lake, data.Questions) {
		if err != nil {
			return err
		}
		l.bank[question.ImageID] = append(l.bank[question.ImageID], question)
	}
	for _, questions := range l.bank {
		slices.SortFunc(questions, func(a, b data.Question) int { return int(a.Ordinal - b.Ordinal) })
	}
	return nil
}
