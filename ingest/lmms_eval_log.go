package ingest

import (
	"cmp"
	"context"
	"errors"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
)

// An lmmsSamples is a sample log, and what is known of it before its lines are read.
type lmmsSamples struct {
	source        Source
	options       Options
	run           *lmmsRun // nil without a results file beside the log
	time, task    string
	captioner     string
	reader        string // empty where nothing tells it
	captionerNote string
}

func newLmmsLog(s Source, o Options) (*lmmsSamples, error) {
	l := &lmmsSamples{source: s, options: o, run: lmmsRunOf(s)}
	l.time, l.task = lmmsFile(s)
	var err error
	if l.captioner, l.captionerNote, err = lmmsCaptioner(s, l.run, o); err != nil {
		return nil, err
	}
	if name := cmp.Or(o.Reader, lmmsReader(l.run, l.task)); name != "" {
		l.reader, err = data.ModelIDFor(name)
	}
	return l, err
}

// prompt is what the captioner of a sample was asked with, and its name: the option's; or that of the text that the
// sample shows; or that of the text that the run's configuration holds.
func (l *lmmsSamples) prompt(sample node) (name string, asked lmmsPrompt, ok bool) {
	asked, ok = askedWith(sample, l.run)
	if !ok && l.run != nil {
		asked, ok = l.run.prompt(l.task)
	}
	if l.options.Prompt != "" {
		return promptName(l.options.Prompt), asked, true
	}
	return asked.name(captionPrompts()), asked, ok
}

// captionPrompts are the paper's prompts by their texts.
func captionPrompts() map[string]string {
	known := map[string]string{}
	for _, name := range captionqa.CaptionPrompts() {
		if text, ok := captionqa.PromptText(name); ok {
			known[text] = name
		}
	}
	return known
}

var errEnough = errors.New("enough read")

// firstLine is the first sample of the log that can be read; null when there is none.
func (l *lmmsSamples) firstLine() (first node) {
	text, err := l.source.text()
	if err != nil {
		return node{}
	}
	silent := func(int, int, string, ...any) {}
	// Whatever is wrong with the lines, loading them says it.
	_ = eachLine(context.Background(), text, func(number int, line []byte) error {
		n, err := readJSONLine(withoutNaN(line), number, false, silent)
		if err != nil {
			return nil
		}
		first = n
		return errEnough
	})
	return first
}

// rowPrompt is the prompt of rows: its name, and behind it what tells the run from others that the lake holds.
func rowPrompt(name, time, digest string, attempt int) string {
	switch attempt {
	case 0:
		return name
	case 1:
		return name + "/" + cmp.Or(time, digest)
	}
	return name + "/" + strings.TrimPrefix(time+"-"+digest, "-")
}
