package analytics

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/captionlake/captionlake/sql"
)

// The parts of the samples of a kind, and their columns.
const (
	// SampleConditions are under what samples were tried: number from 0, id of the model, its name, reader or judge, prompt, protocol, form (of
	// questions the evidence, of elements caption or question, of battles the order of the captions), repetition and provenance.
	SampleConditions = "select c, captioner, name, reader, prompt, protocol, evidence, repeat, provenance from {kind}_conditions order by c"
	// SampleItems are the samples: id, image, list of facets, title and marks: for each condition that tried it, three digits of the
	// condition's number in base 36, a digit for the outcome and a letter for the option chosen, or a dash. The marks are in no order: to
	// put millions of them into one takes more memory than all else.
	SampleItems = `select i.id, i.image, i.facets, i.title, coalesce(m.marks, '')
		from {kind}_items as i
		left join (
			select i, string_agg(lower(to_base(c, 36, 3)) || outcome || substr('ABCDEFGHIJKLMNOPQRSTUVWXYZ-?', choice + 1, 1), '') as marks
			from {kind}_tried group by i
		) as m on m.i = i.i
		order by i.i`
	// SampleDetails are the texts of samples: list of options, place of the key (-1 without one), list of pairs of a name and a text, and JSON
	// of what models said, null when they did not.
	SampleDetails = `select i.options, i.key, i.fields, s.said
		from {kind}_items as i
		left join (
			select i, '[' || string_agg(said, ',' order by c) || ']' as said
			from {kind}_said where i >= {from} and i < {to} group by i
		) as s on s.i = i.i
		where i.i >= {from} and i.i < {to} order by i.i`
	// SampleCaptions are the captions of the pictures of samples: image, captioner, prompt, text, words, tokens, finish reason and
	// provenance.
	SampleCaptions = `select * from {kind}_captions
		where image_id in (select image from {kind}_items where i >= {from} and i < {to})
		order by image_id, captioner, prompt`
)

// Samples reads a part of the samples of a kind, which is questions, elements or battles: those from one place up to another, which is left
// out; conditions and items whole. Of a reader they stay those of its first look, whatever is written meanwhile. A lake whose marts are not
// built has none.
func (r *Reader) Samples(ctx context.Context, kind, part string, from, to int, row func([]any) error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.readSamples(ctx, kind); err != nil || !r.samples[kind] {
		return err
	}
	return r.engine.samples(ctx, kind, part, from, to, row)
}

// samples reads a part of samples that are made.
func (e *engine) samples(ctx context.Context, kind, part string, from, to int, row func([]any) error) error {
	query := strings.NewReplacer("{kind}", kind, "{from}", strconv.Itoa(from), "{to}", strconv.Itoa(to)).Replace(part)
	result, err := e.conn.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	return eachRow(result, func([]string) error { return nil }, row)
}

// readSamples makes the tables of a kind of samples, once.
func (r *Reader) readSamples(ctx context.Context, kind string) error {
	if _, done := r.samples[kind]; done {
		return nil
	}
	if kinds := []string{"questions", "elements", "battles"}; !slices.Contains(kinds, kind) {
		return fmt.Errorf("there are no samples of %q; choose one of %s", kind, strings.Join(kinds, ", "))
	}
	files, err := martFiles(r.lake)
	if err != nil {
		return err
	}
	for _, mart := range []string{"question_difficulty", "stale_answers", "stale_judgments", "stale_element_answers", "stale_votes"} {
		if len(files[mart]) == 0 {
			r.samples[kind] = false
			return nil
		}
	}
	text := samplesSQL(kind)
	if err := r.retried(ctx, text, func() error { return r.engine.exec(ctx, text) }); err != nil {
		return fmt.Errorf("samples of %s: %w", kind, err)
	}
	r.samples[kind] = true
	return nil
}

// samplesSQL are the statements that make the tables of a kind of samples.
func samplesSQL(kind string) string {
	return sql.Filled(sql.Text("queries/"+kind+".sql")+sql.Text("queries/said.sql"), "{kind}", kind)
}
