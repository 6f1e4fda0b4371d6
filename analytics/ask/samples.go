package ask

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/captionlake/captionlake/analytics/batches"
	"github.com/captionlake/captionlake/analytics/engine"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/sql"
)

// Samples hands over a part of the samples of a kind, which is questions, elements or battles, batch by batch: their conditions or items, whole, or the
// details or captions of those from one place up to another, which is left out; sql/queries/samples_PART.sql says what its columns are. Of a
// reader they stay those of its first look, whatever is written meanwhile. A lake whose marts are not built has none.
func (r *Reader) Samples(ctx context.Context, kind, part string, from, to int, hand func(arrow.RecordBatch) error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.readSamples(ctx, kind); err != nil || !r.samples[kind] {
		return err
	}
	return samples(ctx, r.engine, kind, part, from, to, hand)
}

// samples reads a part of samples that are made.
func samples(ctx context.Context, e *engine.Engine, kind, part string, from, to int, hand func(arrow.RecordBatch) error) error {
	query := strings.NewReplacer("{kind}", kind, "{from}", strconv.Itoa(from), "{to}", strconv.Itoa(to)).Replace(sql.Text("queries/samples_" + part + ".sql"))
	return batches.Each(ctx, e.Conn, batchRows, query, nil, hand)
}

// readSamples makes the tables of a kind of samples, once.
func (r *Reader) readSamples(ctx context.Context, kind string) error {
	if _, done := r.samples[kind]; done {
		return nil
	}
	if kinds := []string{"questions", "elements", "battles"}; !slices.Contains(kinds, kind) {
		return fmt.Errorf("there are no samples of %q; choose one of %s", kind, strings.Join(kinds, ", "))
	}
	files, err := data.MartFiles(r.lake)
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
	if err := r.retried(ctx, text, func() error { return r.engine.Exec(ctx, text) }); err != nil {
		return fmt.Errorf("samples of %s: %w", kind, err)
	}
	r.samples[kind] = true
	return nil
}

// samplesSQL are the statements that make the tables of a kind of samples.
func samplesSQL(kind string) string {
	return sql.Filled(sql.Text("queries/"+kind+".sql")+sql.Text("queries/said.sql"), "{kind}", kind)
}
