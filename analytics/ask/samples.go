package ask

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/apache/arrow-go/v18/arrow"

	"github.com/captionlake/captionlake/analytics/batches"
	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/sql"
)

// Samples hands over a part of the samples of a kind, batch by batch. A kind is questions, elements
// or battles. The parts conditions and items are handed over whole. The parts details and captions
// are about some items: the first of these is at the place from, and the last one before the place
// to. sql/queries/samples_PART.sql describes the columns of a part. A Reader keeps the samples of a
// kind that it found at the first call, whatever is written later. A lake without built marts has
// no samples.
func (r *Reader) Samples(ctx context.Context, kind, part string, from, to int,
	hand func(arrow.RecordBatch) error) error {
	r.mu.Lock()
	defer r.mu.Unlock()
	if err := r.readSamples(ctx, kind); err != nil || !r.samples[kind] {
		return err
	}
	query := strings.NewReplacer("{kind}", kind, "{from}", strconv.Itoa(from), "{to}",
		strconv.Itoa(to)).Replace(sql.Text("queries/samples_" + part + ".sql"))
	return batches.Each(ctx, r.engine.Conn, batchRows, query, nil, hand)
}

// readSamples makes the tables of a kind of samples, once, and remembers whether the lake has the
// marts for them.
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
	text := sql.Filled(sql.Text("queries/"+kind+".sql")+sql.Text("queries/said.sql"), "{kind}", kind)
	missing := func(mart string) bool { return len(files[mart]) == 0 }
	if slices.ContainsFunc(MartsIn(text), missing) {
		r.samples[kind] = false
		return nil
	}
	if err := r.retried(ctx, text, func() error { return r.engine.Exec(ctx, text) }); err != nil {
		return fmt.Errorf("samples of %s: %w", kind, err)
	}
	r.samples[kind] = true
	return nil
}
