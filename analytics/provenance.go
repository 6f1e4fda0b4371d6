package analytics

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"strings"

	"github.com/captionlake/captionlake/data"
)

// provenance is what the file of a mart says of itself: the tool, the model, its SQL, and the fingerprint of all that
// its rows depend on.
func (b *builder) provenance(ctx context.Context, m Model) (map[string]string, error) {
	domains, err := json.Marshal(m.domainNames())
	if err != nil {
		return nil, err
	}
	sum := data.Fingerprint(m.Text, macros, intervalMethod, b.sampling.of(m), string(domains), m.computed())
	parts := []string{"mart", data.Version, sum}
	var inputs []string
	for _, input := range m.Inputs {
		print, err := b.fingerprint(ctx, input)
		if err != nil {
			return nil, fmt.Errorf("input %s: %w", input, err)
		}
		parts = append(parts, input, print)
		inputs = append(inputs, input+"="+print)
	}
	described := map[string]string{
		"captionlake.tool_version": data.Version,
		"captionlake.stage":        "analyze",
		"captionlake.unit":         m.Name,
		"captionlake.sql_sha256":   sum,
		"captionlake.inputs":       strings.Join(inputs, " "),
		"captionlake.fingerprint":  data.Fingerprint(parts...),
		"captionlake.source":       m.Source,
	}
	if m.domains != nil {
		described[domainsKey] = string(domains)
	}
	return described, nil
}

// domainNames are those for which lines are repeated; nil without such lines.
func (m Model) domainNames() []string {
	var names []string
	for _, d := range m.domains {
		names = append(names, d.Name)
	}
	return names
}

// fingerprint digests an input. Of a mart it is the mart's own; of a base table it is made from the names of the
// files, their sizes and the runs that wrote them.
func (b *builder) fingerprint(ctx context.Context, input string) (string, error) {
	if print, ok := b.fingerprints[input]; ok {
		return print, nil
	}
	for _, t := range data.Tables() {
		if t.Name() == input {
			print, err := b.tableFingerprint(ctx, t)
			if err == nil {
				b.fingerprints[input] = print
			}
			return print, err
		}
	}
	return "", errors.New("it is not built")
}

func (b *builder) tableFingerprint(ctx context.Context, t data.AnyTable) (string, error) {
	files, err := b.lake.Files(t)
	if err != nil || len(files) == 0 {
		return data.Fingerprint(t.Name()), err
	}
	_, rows, err := b.engine.strings(ctx, fmt.Sprintf(
		"select file_name, decode(value) from parquet_kv_metadata(%s || %s) where decode(key) = 'captionlake.run_id'",
		b.from(), quote(t.Name()+"/*.parquet")), 0)
	if err != nil {
		return "", err
	}
	runs := map[string]string{}
	for _, row := range rows {
		runs[path.Base(row[0])] = row[1]
	}
	parts := []string{t.Name()}
	for _, name := range files {
		f, err := b.lake.Store().Open(name)
		if err != nil {
			return "", err
		}
		parts = append(parts, name, fmt.Sprint(f.Size()), runs[path.Base(name)])
		if err := f.Close(); err != nil {
			return "", err
		}
	}
	return data.Fingerprint(parts...), nil
}

// held reads the fingerprint and the rows of the mart that the lake holds; both are zero when it holds none, or one
// that cannot be read and is to be built anew.
func (b *builder) held(ctx context.Context, m Model) (fingerprint string, rows int64, err error) {
	f, err := b.lake.Store().Open(martFile(m.Name))
	if errors.Is(err, fs.ErrNotExist) {
		return "", 0, nil
	}
	if err != nil {
		return "", 0, err
	}
	if err := f.Close(); err != nil {
		return "", 0, err
	}
	file := fmt.Sprintf("%s || %s", b.from(), quote(martFile(m.Name)))
	_, values, err := b.engine.strings(ctx, fmt.Sprintf(
		"select decode(value) from parquet_kv_metadata(%s) where decode(key) = 'captionlake.fingerprint'", file), 1)
	if ctx.Err() != nil {
		return "", 0, ctx.Err()
	}
	if err != nil || len(values) == 0 {
		return "", 0, nil
	}
	rows, err = b.engine.count(ctx, "read_parquet("+file+")")
	return values[0][0], rows, err
}
