package ingest

import (
	"crypto/sha256"
	"fmt"

	"github.com/captionlake/captionlake/data"
)

// knownCaptions writes captions that the lake does not hold yet. A caption that another unit holds word for word is not
// written again; one that it holds otherwise belongs to another run.
type knownCaptions struct {
	job  *Job
	rows *data.RowWriter[data.Caption]
	own  map[string]bool                         // keys of the captions that this unit wrote before and is about to replace
	held map[string]map[string][sha256.Size]byte // digests of the lake's captions by prompt and image
}

func newKnownCaptions(j *Job) (*knownCaptions, error) {
	rows, err := data.NewRowWriter(j.Tx, data.Captions)
	if err != nil {
		return nil, err
	}
	k := &knownCaptions{job: j, rows: rows, own: map[string]bool{}, held: map[string]map[string][sha256.Size]byte{}}
	for row, err := range data.UnitRows(j.Lake, data.Captions, j.Tx.Unit()) {
		if err != nil {
			return nil, err
		}
		k.own[row.Captioner+"\x00"+row.Prompt+"\x00"+row.ImageID] = true
	}
	return k, nil
}

func (k *knownCaptions) write(row data.Caption) error {
	if row.Words == 0 {
		k.job.Count("%d captions are empty")
	}
	held, read := k.held[row.Prompt]
	if !read {
		held = map[string][sha256.Size]byte{}
		for other, err := range data.Select(k.job.Lake, data.Captions, data.Where{"captioner": row.Captioner, "prompt": row.Prompt}) {
			if err != nil {
				return err
			}
			if !k.own[other.Captioner+"\x00"+other.Prompt+"\x00"+other.ImageID] {
				held[other.ImageID] = sha256.Sum256([]byte(other.Caption))
			}
		}
		k.held[row.Prompt] = held
	}
	switch digest, ok := held[row.ImageID]; {
	case !ok:
		return k.rows.Write(row)
	case digest == sha256.Sum256([]byte(row.Caption)):
		k.job.Count("%d captions are in the lake already, word for word")
		return nil
	}
	return data.WithHint(fmt.Errorf("%s: %w: another caption of %s by %s with the prompt %s", k.job.Source.Path, data.ErrDuplicateKey, row.ImageID, row.Captioner, row.Prompt),
		"name the prompt of this run with --prompt, or its captioner with --captioner")
}
