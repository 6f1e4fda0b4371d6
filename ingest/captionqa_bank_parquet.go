package ingest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
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
		Version: "3",
		Detect: func(s Source, head []byte) bool {
			if !bytes.HasPrefix(head, []byte("PAR1")) {
				return false
			}
			// A damaged file is claimed too, so that its fault is reported rather than its kind doubted.
			bank := true
			if err := withParquet(s, func(f *parquet.File) error {
				_, bank = findNested(f.Schema(), "questions", "question")
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

// bankColumns are the columns of a bank. Those that only captionlake's own export has are nil in other files.
type bankColumns struct {
	id, bytes, path                     nestedColumn
	question, choices, answer, category nestedColumn
	domain, candidate, bank             *nestedColumn
}

// bankLoad is the loading of a bank of one or more shards.
type bankLoad struct {
	job       *Job
	questions *bankWriter
	images    *data.RowWriter[data.Image]
	ids       keySet
	columns   bankColumns
	row       int // number of the row in its file, from 1
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
	for _, shard := range j.Family {
		j.Source = shard
		b.row = 0
		err := withParquet(shard, func(f *parquet.File) error {
			if err := checkPages(f); err != nil {
				return err
			}
			return b.file(ctx, f)
		})
		if errors.Is(err, errDamaged) {
			where := ""
			if b.row > 0 {
				where = fmt.Sprintf("row %d: ", b.row)
			}
			j.Fault(0, 0, "%s%v; fetch the file again", where, err)
		} else if err != nil {
			return err
		}
	}
	return questions.end(j)
}

// fault reports a fault of a cell.
func (b *bankLoad) fault(column, format string, args ...any) {
	b.job.Fault(0, 0, "row %d, column %s: %s", b.row, column, fmt.Sprintf(format, args...))
}

func (b *bankLoad) file(ctx context.Context, f *parquet.File) error {
	if !b.findColumns(f.Schema()) {
		return nil
	}
	var read int64
	for _, group := range f.RowGroups() {
		n, err := b.group(ctx, group)
		read += n
		if err != nil {
			return err
		}
	}
	if read != f.NumRows() {
		return fmt.Errorf("%w: it says that it has %d rows and has %d", errDamaged, f.NumRows(), read)
	}
	return nil
}

func (b *bankLoad) findColumns(schema *parquet.Schema) bool {
	ok := true
	find := func(depth int, names ...string) nestedColumn {
		c, found := findNested(schema, names...)
		switch {
		case !found:
			b.job.Fault(0, 0, "the column %s is missing: the file needs id, images (bytes, path) and questions (question, choices, answer, category)", c.name)
			ok = false
		case len(c.lists) != depth && (c.name != "questions.category" || len(c.lists) != 2):
			b.job.Fault(0, 0, "the column %s is nested in %d lists where %d belong", c.name, len(c.lists), depth)
			ok = false
		default:
			if err := c.text(); err != nil {
				b.job.Fault(0, 0, "%v; write the column with text%s", err, numberHint(c.name))
				ok = false
			}
		}
		return c
	}
	b.columns = bankColumns{
		id: find(0, "id"), bytes: find(1, "images", "bytes"), path: find(1, "images", "path"),
		question: find(1, "questions", "question"), choices: find(2, "questions", "choices"),
		answer: find(1, "questions", "answer"), category: find(1, "questions", "category"),
	}
	own := func(depth int, names ...string) *nestedColumn {
		c, found := findNested(schema, names...)
		if !found || len(c.lists) != depth || c.text() != nil {
			return nil // a foreign column of that name
		}
		return &c
	}
	b.columns.domain, b.columns.candidate, b.columns.bank = own(0, "domain"), own(1, "questions", "candidate_id"), own(1, "questions", "bank")
	return ok
}

func numberHint(column string) string {
	if column == "questions.answer" {
		return ": a number may count from 0 or from 1, so write the right option's text"
	}
	return ""
}

// group reads the rows of a row group one by one, so that memory holds one item and the pages that it lies in.
func (b *bankLoad) group(ctx context.Context, group parquet.RowGroup) (read int64, err error) {
	rows := group.Rows()
	defer func() { err = errors.Join(err, rows.Close()) }()
	buffer := make([]parquet.Row, 1)
	for {
		if err := ctx.Err(); err != nil {
			return read, err
		}
		b.row++
		n, err := rows.ReadRows(buffer)
		if n > 0 {
			read++
			if err := b.item(buffer[0]); err != nil {
				return read, err
			}
		}
		if errors.Is(err, io.EOF) || n == 0 && err == nil {
			if n == 0 {
				b.row--
			}
			return read, nil
		}
		if err != nil {
			return read, fmt.Errorf("%w: %w", errDamaged, err)
		}
	}
}

// text is the string of a cell; null and bytes that are not UTF-8 are faults.
func (b *bankLoad) text(v parquet.Value, column string) (string, bool) {
	if v.IsNull() {
		b.fault(column, "null where a string belongs: write a text")
		return "", false
	}
	s := string(v.ByteArray())
	if problem := textProblem(s); problem != "" {
		b.fault(column, "%s", problem)
		return "", false
	}
	return s, true
}

// one is the single value of a column without lists.
func one(cells [][]parquet.Value) parquet.Value {
	if len(cells) != 1 || len(cells[0]) != 1 {
		return parquet.NullValue()
	}
	return cells[0][0]
}

// only is the list of a column with one list around it.
func only(cells [][]parquet.Value) []parquet.Value {
	if len(cells) == 0 {
		return nil
	}
	return cells[0]
}

func (b *bankLoad) item(row parquet.Row) error {
	id, ok := b.text(one(b.columns.id.cells(row)), "id")
	if !ok {
		return nil
	}
	imageID := captionqa.ItemName(id)
	if strings.TrimSpace(imageID) == "" {
		b.fault("id", "the id is empty: write the image_id, such as nat_001")
		return nil
	}
	if _, twice := b.ids.add(imageID, b.row); twice {
		b.fault("id", "the id %q was given in an earlier row already: keep one of the two", clip(id))
	}
	domain, ok := domainOf(imageID, b.job.Options)
	if column := b.columns.domain; column != nil && !ok {
		if cell := one(column.cells(row)); !cell.IsNull() {
			said, valid := b.text(cell, "domain")
			domain, ok = domainName(said), valid && said != ""
		}
	}
	if !ok && !b.noDomain {
		b.fault("id", "the id %q does not tell its domain: name the domain with --domain", clip(imageID))
		b.noDomain = true // one option names the domain of all of them
	}
	if err := b.pictures(row, imageID, domain); err != nil {
		return err
	}
	return b.ask(row, imageID, domain)
}

// pictures stores the frames of an item.
func (b *bankLoad) pictures(row parquet.Row, imageID, domain string) error {
	contents, paths := only(b.columns.bytes.cells(row)), only(b.columns.path.cells(row))
	for i, content := range contents {
		column := fmt.Sprintf("images[%d].bytes", i)
		image := data.Image{ImageID: imageID, Frame: int32(i), Domain: domain, Source: b.job.Source.base()}
		if i < len(paths) && !paths[i].IsNull() {
			name, ok := b.text(paths[i], fmt.Sprintf("images[%d].path", i))
			if !ok {
				continue
			}
			image.Source = name
		} else if content.IsNull() {
			b.fault(column, "the image has neither bytes nor a path: give it one of them")
			continue
		}
		if !content.IsNull() {
			if err := b.store(content.ByteArray(), column, &image); err != nil {
				return err
			}
		}
		if err := b.images.Write(image); err != nil {
			return err
		}
	}
	return nil
}

func (b *bankLoad) store(content []byte, column string, row *data.Image) error {
	p, err := picture.Read(content)
	if err != nil {
		b.fault(column, "the picture cannot be used: %v; put a whole picture there", err)
		return nil
	}
	return keepPicture(b.job.Tx, content, p, row)
}

// ask writes the questions of an item.
func (b *bankLoad) ask(row parquet.Row, imageID, domain string) error {
	questions, answers := only(b.columns.question.cells(row)), only(b.columns.answer.cells(row))
	choices := b.columns.choices.cells(row)
	if len(answers) != len(questions) || len(choices) != len(questions) {
		b.fault("questions", "%d questions, %d lists of choices and %d answers: each question needs one of each", len(questions), len(choices), len(answers))
		return nil
	}
	categories := b.categories(row)
	own := b.ownFields(row)
	var ids captionqa.QuestionIDs
	for i := range questions {
		prefix := fmt.Sprintf("questions[%d].", i)
		var q rawQuestion
		var ok1, ok2 bool
		q.question, ok1 = b.text(questions[i], prefix+"question")
		q.answer, ok2 = b.text(answers[i], prefix+"answer")
		ok := ok1 && ok2
		for k, v := range choices[i] {
			option, fine := b.text(v, fmt.Sprintf("%schoices[%d]", prefix, k))
			ok = ok && fine
			q.options = append(q.options, option)
		}
		if i < len(categories) && !categories[i].IsNull() {
			category, fine := b.text(categories[i], prefix+"category")
			ok = ok && fine
			q.category = category
		}
		if !ok {
			continue
		}
		fault := func(field, format string, args ...any) { b.fault(prefix+field, format, args...) }
		key, ok := q.check(fault)
		if !ok || domain == "" || b.questions.ambiguous(imageID, q, key, fault) {
			continue
		}
		question := q.row(imageID, domain, key, b.job.Source.base())
		if i < len(own) {
			own[i].fill(&question)
		}
		if err := b.questions.add(question, &ids); err != nil {
			return err
		}
	}
	return nil
}

// ownFields are what captionlake's own export says of each question of an item, as far as it says so.
func (b *bankLoad) ownFields(row parquet.Row) []ownFields {
	var fields []ownFields
	for _, c := range []struct {
		column *nestedColumn
		set    func(f *ownFields, text string)
	}{
		{b.columns.candidate, func(f *ownFields, text string) { f.candidate = text }},
		{b.columns.bank, func(f *ownFields, text string) { f.bank = text }},
	} {
		if c.column == nil {
			continue
		}
		for i, cell := range only(c.column.cells(row)) {
			for len(fields) <= i {
				fields = append(fields, ownFields{})
			}
			if cell.IsNull() {
				continue
			}
			if text, ok := b.text(cell, fmt.Sprintf("questions[%d].%s", i, strings.TrimPrefix(c.column.name, "questions."))); ok {
				c.set(&fields[i], text)
			}
		}
	}
	return fields
}

// categories is the category of each question: a string, or the first of a list, as in the authors' code.
func (b *bankLoad) categories(row parquet.Row) []parquet.Value {
	cells := b.columns.category.cells(row)
	if len(b.columns.category.lists) == 1 {
		return only(cells)
	}
	firsts := make([]parquet.Value, len(cells))
	for i, list := range cells {
		if len(list) > 0 {
			firsts[i] = list[0]
		}
	}
	return firsts
}
