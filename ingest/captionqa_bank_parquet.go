package ingest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/ingest/picture"
	"github.com/parquet-go/parquet-go"
)

// bankParquetFormat reads a question bank as it is distributed: Hugging Face Parquet with the columns id, images (list
// of bytes and path) and questions (list of question, choices, answer, category), in any order and with any other
// columns beside them. Pictures become files of the lake by digest; an image that has a path and no bytes becomes a
// row without a file. A bank that captionlake exported says more, which other files need not: the domain of each item, and of each
// question the candidate and the bank that it came from.
//
// The published option orders run through the whole bank. So the shards of one bank (name-00000-of-00003.parquet and
// so on, in one folder) are loaded together as one unit in the order of their numbers, whichever of them is named, and
// a missing shard is an error. A bank of one file for each split is several banks, each with the orders of that split
// evaluated alone, unless --option-order full-bank joins them; the split "all", which holds the others, takes their place.
//
// Damage shows as far as the file carries checksums of its pages: some writers leave them out, and the library does not
// compare those of dictionaries. Pictures are decoded whole in any case.
func bankParquetFormat() Format {
	return Format{
		Name:    "captionqa-bank-parquet",
		What:    "CaptionQA question bank as Hugging Face Parquet (id, images, questions)",
		Version: "4",
		Detect: func(s Source, head []byte) bool {
			if !bytes.HasPrefix(head, []byte("PAR1")) {
				return false
			}
			// A damaged file is claimed too, so that its fault is reported rather than its kind doubted.
			bank := true
			if err := withParquet(s, func(f *parquet.File) error {
				bank = f.Root().Column("questions") != nil
				return nil
			}); err != nil {
				return true
			}
			return bank
		},
		Unit: func(s Source, o Options) (string, error) {
			base := bankName(s)
			if rule, err := o.orderRule(); err != nil {
				return "", err
			} else if rule == captionqa.OrderFullBank && isSplit(s) {
				base = splitAll
			}
			return bankUnit(s, base, o), nil
		},
		Family: bankFamily,
		Load:   loadBankParquet,
	}
}

var errDamaged = errors.New("the Parquet data is damaged")

// withParquet opens a Parquet file. The library panics on some damaged files; that comes back as an error.
func withParquet(s Source, use func(*parquet.File) error) (err error) {
	f, err := s.Open()
	if err != nil {
		return err
	}
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("%w: %v", errDamaged, r)
		}
		err = errors.Join(err, f.Close())
	}()
	info, err := f.Stat()
	if err != nil {
		return err
	}
	at, ok := f.(io.ReaderAt)
	if !ok {
		return fmt.Errorf("%s: cannot be read out of order, as Parquet needs", s.Path)
	}
	file, err := data.OpenParquet(at, info.Size())
	if err != nil {
		return fmt.Errorf("%w: %w", errDamaged, err)
	}
	if err := data.BoundPages(at, file); err != nil {
		return fmt.Errorf("%s: %w", s.Path, err)
	}
	return use(file)
}

// bankLoad is the loading of a bank of one or more shards. A row is read as the node that a line of JSON would be; the column of a place
// in it is the number of its path among paths.
type bankLoad struct {
	job       *Job
	questions *bankWriter
	images    *data.RowWriter[data.Image]
	ids       keySet
	row       int // number of the row in its file, from 1
	paths     []string
	noDomain  bool
}

func loadBankParquet(ctx context.Context, j *Job) error {
	questions, err := newBankWriter(j.Tx, j.Options)
	if err != nil {
		return err
	}
	images, err := data.NewRowWriter(j.Tx, data.Images)
	if err != nil {
		return err
	}
	b := &bankLoad{job: j, questions: questions, images: images, ids: keySet{}}
	for _, j.Source = range j.Family {
		b.row = 1
		err := withParquet(j.Source, func(f *parquet.File) error { return b.file(ctx, f) })
		if errors.Is(err, errDamaged) {
			j.Fault(0, 0, "row %d: %v; fetch the file again", b.row, err)
		} else if err != nil {
			return err
		}
	}
	return questions.end(j)
}

// file reads rows one by one, so that memory holds one item and the pages that it lies in.
func (b *bankLoad) file(ctx context.Context, f *parquet.File) (err error) {
	for _, name := range []string{"id", "images", "questions"} {
		if f.Root().Column(name) == nil {
			b.job.Fault(0, 0, "the column %s is missing: the file needs id, images (bytes, path) and questions (question, choices, answer, category)", name)
			return errFaulted
		}
	}
	in := parquet.NewGenericReader[any](f, f.Schema())
	defer func() { err = errors.Join(err, in.Close()) }()
	for ; ; b.row++ {
		if err := ctx.Err(); err != nil {
			return err
		}
		row := []any{nil}
		switch n, err := in.Read(row); {
		case n > 0:
			b.paths = nil
			if err := b.item(b.node(row[0], "")); err != nil {
				return err
			}
		case !errors.Is(err, io.EOF):
			return fmt.Errorf("%w: %w", errDamaged, err)
		case int64(b.row) <= f.NumRows():
			return fmt.Errorf("%w: it says that it has %d rows and has %d", errDamaged, f.NumRows(), b.row-1)
		default:
			return nil
		}
	}
}

// node is a value of the row, through lists in any of the forms that Parquet writers use. Texts must be of UTF-8, but for pictures.
func (b *bankLoad) node(value any, path string) node {
	b.paths = append(b.paths, path)
	n := node{at: pos{b.row, len(b.paths)}}
	switch v := value.(type) {
	case nil:
	case map[string]any:
		for _, wrapper := range []string{"list", "element", "item", "array", "bag", "array_element"} {
			if only, ok := v[wrapper]; ok && len(v) == 1 {
				return b.node(only, path)
			}
		}
		n.kind = kindObject
		for _, key := range slices.Sorted(maps.Keys(v)) {
			n.fields = append(n.fields, field{key: key, at: n.at, value: b.node(v[key], strings.TrimPrefix(path+"."+key, "."))})
		}
	case []any:
		n.kind = kindArray
		for i, item := range v {
			n.items = append(n.items, b.node(item, fmt.Sprintf("%s[%d]", path, i)))
		}
	case string:
		n.kind, n.text = kindString, v
		if problem := textProblem(v); problem != "" && !strings.HasSuffix(path, "].bytes") {
			b.fault(n.at.line, n.at.col, "%s", problem)
		}
	default:
		n.kind, n.text = kindNumber, fmt.Sprint(v)
	}
	return n
}

// fault reports a fault of a row at a place in it.
func (b *bankLoad) fault(row, path int, format string, args ...any) {
	b.job.Fault(0, 0, "row %d, column %s: %s", row, b.paths[path-1], fmt.Sprintf(format, args...))
}

func (b *bankLoad) item(row node) error {
	q := &questionFields{at: row.at, value: row, fault: b.fault, ok: true}
	id := q.string("id")
	if !q.ok {
		return nil
	}
	imageID := captionqa.ItemName(id)
	if strings.TrimSpace(imageID) == "" {
		q.report(q.place("id"), "the id is empty: write the image_id, such as nat_001")
		return nil
	}
	if _, twice := b.ids.add(imageID, b.row); twice {
		q.report(q.place("id"), "the id %q was given in an earlier row already: keep one of the two", clip(id))
	}
	domain, ok := domainOf(imageID, b.job.Options)
	if said := row.path("domain").str(); !ok && said != "" {
		domain, ok = domainName(said), true
	}
	if !ok && !b.noDomain {
		q.report(q.place("id"), "the id %q does not tell its domain: name the domain with --domain", clip(imageID))
		b.noDomain = true // one option names the domain of all of them
	}
	for i, image := range row.path("images").items {
		if err := b.picture(image, data.Image{ImageID: imageID, Frame: int32(i), Domain: domain, Source: b.job.Source.base()}); err != nil {
			return err
		}
	}
	questions := row.path("questions")
	if questions.kind == kindNull {
		questions.kind = kindArray
	}
	return b.questions.ask(b.fault, imageID, domain, b.job.Source.base(), questions)
}

// picture stores a frame of an item.
func (b *bankLoad) picture(image node, row data.Image) error {
	content, path := image.path("bytes"), image.path("path")
	if path.kind == kindString {
		row.Source = path.text
	} else if content.kind != kindString {
		b.fault(image.at.line, image.at.col, "the image has neither bytes nor a path: give it one of them")
		return nil
	}
	if content.kind == kindString {
		original := []byte(content.text)
		p, err := picture.Read(original)
		if err != nil {
			b.fault(content.at.line, content.at.col, "the picture cannot be used: %v; put a whole picture there", err)
			return nil
		}
		if err := b.job.keepPicture(original, p, &row); err != nil {
			return err
		}
	}
	return b.images.Write(row)
}
