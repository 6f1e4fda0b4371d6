package ingest

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strings"

	"github.com/go-json-experiment/json/jsontext"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
)

// What a record calls its picture and its caption: the first of each that it has counts.
var (
	imageKeys   = []string{"image_id", "image", "img_path", "image_path", "file_name", "filename", "id"}
	captionKeys = []string{"caption", "text", "prediction", "pred", "answer", "description"}
)

// captionsFormat reads captions in the shapes that people have them in:
//
//	{"nat_001.png": "A cat.", …}                              the authors' files: an object from pictures to captions
//	[{"image_id": 42, "caption": "A cat."}, …]                records, as COCO's results have them
//	{"file_name": "kitchen.png", "text": "A kettle."}         records as JSON lines
//	file_name,text                                            records as CSV or with tabs, under a header
//	{"annotations": [records], …}, {"captions": …}            records, or such an object, within an object
//	kitchen.txt beside kitchen.jpg                            one file for each picture: all of a folder make one unit
//
// A record has one of imageKeys and one of captionKeys, and may have captioner (or model), prompt and domain; what else it has is
// passed over. Captioner and prompt come from the record, from the options, or from the path <prompt>/<org_model>.json. A picture is
// known by its image_id, by its file's name with or without folders and ending, and by its number, whatever zeros stand before it. The
// empty caption is legal: a model that said nothing; null is a fault, because nobody knows whether the model was asked.
func captionsFormat() Format {
	return Format{
		Name: "captions",
		What: "captions: {image: caption}, records with an image (image_id, image, file_name, …) and a caption (caption, text, …)\n" +
			"                               as a JSON list, JSON lines, CSV or TSV, or NAME.txt beside NAME.jpg",
		Version: "1",
		Detect:  func(s Source, head []byte) bool { return captionShapeOf(s, head) != noCaptions },
		Unit: func(s Source, o Options) (string, error) {
			captioner, prompt, err := captionedBy(s, o)
			if isText(s) || captioner == "" || prompt == "" {
				return bankUnit(s, unitOf(s, captioner, prompt), o), err
			}
			return unitOf(s, captioner, prompt), err
		},
		Family: captionTexts,
		Reads:  []data.AnyTable{data.Images, data.Questions},
		Load:   loadCaptions,
	}
}

// unitOf names a unit after the models and the prompt that its rows are of, and the file.
func unitOf(s Source, parts ...string) string {
	stem := strings.TrimSuffix(s.base(), path.Ext(s.base()))
	if isText(s) {
		stem = "texts"
	}
	return strings.Join(slices.DeleteFunc(append(parts, stem), func(part string) bool { return part == "" }), "/")
}

// The shapes of files of captions.
type captionShape int

const (
	noCaptions     captionShape = iota
	captionObject               // {image: caption}
	captionRecords              // [{…}, …]
	captionLines                // {…} on each line
	captionWithin               // {"captions": …}
	captionTable                // CSV
	captionText                 // NAME.txt
)

// captionWithinKeys are what holds the captions of a file that holds other things, too.
var captionWithinKeys = []string{"captions", "annotations"}

// captionShapeOf tells the shape of a file by its head.
func captionShapeOf(s Source, head []byte) captionShape {
	if isText(s) {
		return captionText
	}
	dec := headDecoder(head)
	switch dec.PeekKind() {
	case '[':
		if isCaptionRecord(firstOfList(head)) {
			return captionRecords
		}
	case '{':
		if isCaptionRecord(firstKeys(headDecoder(head))) {
			return captionLines
		}
		if opens(dec) && isCaptionWithin(dec) {
			return captionWithin
		}
		if shapeOf(head).value == kindString {
			return captionObject
		}
	default:
		if isCaptionRecord(recordColumns(head)) {
			return captionTable
		}
	}
	return noCaptions
}

// isCaptionRecord tells records of captions by their keys. A record with a question is of something else.
func isCaptionRecord(keys map[string]bool) bool {
	lower := map[string]bool{}
	for key := range keys {
		lower[columnOf(key)] = true
	}
	has := func(key string) bool { return lower[key] }
	return slices.ContainsFunc(imageKeys, has) && slices.ContainsFunc(captionKeys, has) && !has("question") && !has("choices")
}

// isCaptionWithin reports whether one of the members of the object that a decoder is in holds captions.
func isCaptionWithin(dec *jsontext.Decoder) bool {
	for dec.PeekKind() == '"' {
		key, err := dec.ReadToken()
		if err != nil {
			return false
		}
		if !slices.Contains(captionWithinKeys, key.String()) {
			if dec.SkipValue() != nil {
				return false
			}
			continue
		}
		switch dec.PeekKind() {
		case '[':
			_, _ = dec.ReadToken() // It is there.
			return isCaptionRecord(firstKeys(dec))
		case '{':
			_, _ = dec.ReadToken()
			_, err := dec.ReadToken()
			return err == nil && dec.PeekKind() == '"'
		}
		return false
	}
	return false
}

// isText reports whether a source is a text with a picture of its name beside it.
func isText(s Source) bool {
	stem, ok := strings.CutSuffix(s.Name, ".txt")
	if !ok {
		return false
	}
	entries, err := fs.ReadDir(s.FS, path.Dir(s.Name))
	return err == nil && slices.ContainsFunc(entries, func(e fs.DirEntry) bool {
		return captionqa.HasPictureName(e.Name()) && strings.TrimSuffix(e.Name(), path.Ext(e.Name())) == path.Base(stem)
	})
}

// captionTexts lists the texts beside pictures of a folder; a file of another shape is alone.
func captionTexts(s Source, _ Options) ([]Source, error) {
	if !isText(s) {
		return []Source{s}, nil
	}
	entries, err := fs.ReadDir(s.FS, path.Dir(s.Name))
	if err != nil {
		return nil, fmt.Errorf("%s: %w", s.Path, cause(err))
	}
	pictures := map[string]bool{}
	for _, e := range entries {
		if captionqa.HasPictureName(e.Name()) {
			pictures[strings.TrimSuffix(e.Name(), path.Ext(e.Name()))] = true
		}
	}
	var texts []Source
	for _, e := range entries {
		if stem, ok := strings.CutSuffix(e.Name(), ".txt"); ok && pictures[stem] {
			texts = append(texts, s.sibling(e.Name()))
		}
	}
	return texts, nil
}

// captionLoad is the loading of a file of captions.
type captionLoad struct {
	ctx               context.Context
	job               *Job
	rows              *data.RowWriter[data.Caption]
	captioner, prompt string // by the options or the path; empty where neither says
	items             *itemIndex
	seen              keySet
	taken             int
	domainTold        bool
}

func loadCaptions(ctx context.Context, j *Job) error {
	l := &captionLoad{ctx: ctx, job: j, seen: keySet{}}
	var err error
	if l.captioner, l.prompt, err = captionedBy(j.Source, j.Options); err != nil {
		return err
	}
	if l.items, err = j.known.itemsOf(j.Lake); err != nil {
		return err
	}
	if l.rows, err = data.NewRowWriter(j.Tx, data.Captions); err != nil {
		return err
	}
	head, err := j.Source.Head(headBytes)
	if err != nil {
		return err
	}
	var text []byte
	shape := captionShapeOf(j.Source, head)
	if shape == captionText {
		err = l.texts()
	} else if text, err = j.Source.text(); err == nil {
		err = l.read(shape, text)
	}
	if err == nil && l.taken == 0 && len(j.faults.All) == 0 {
		j.Fault(1, 1, "the file holds no captions: get the whole file")
	}
	return err
}

// read reads a file of captions of several pictures.
func (l *captionLoad) read(shape captionShape, text []byte) error {
	json := newJSONReader(text, l.job.Fault)
	first := json.dec.PeekKind()
	switch {
	case shape == captionLines:
		return l.lines(text)
	case shape == captionWithin:
		return json.within(captionWithinKeys, l.member, l.element)
	case first == '{':
		return json.entries(nil, l.member)
	case first == '[':
		return json.elements(l.element)
	}
	return csvRecords(l.job, text, captionColumns, l.record)
}

// texts reads the captions of pictures from files of their names.
func (l *captionLoad) texts() error {
	j := l.job
	named := j.Source
	defer func() { j.Source = named }()
	for _, j.Source = range j.Family {
		content, err := j.Source.Head(maxText + 1)
		if err != nil {
			return err
		}
		text := strings.TrimRight(strings.TrimPrefix(string(content), byteOrderMark), "\r\n")
		start := pos{1, 1}
		r := &record{job: j, start: start, cells: map[string]cell{}, ok: true}
		if err := l.caption(r, cell{start, strings.TrimSuffix(j.Source.base(), ".txt"), kindString}, cell{start, text, kindString}); err != nil {
			return err
		}
	}
	return nil
}

// lines reads a record from each line. A file of one record that is written over several lines is read, too.
func (l *captionLoad) lines(text []byte) error {
	first, _, _ := bytes.Cut(text, []byte("\n"))
	if !jsontext.Value(first).IsValid(lenient...) {
		value, err := newJSONReader(text, l.job.Fault).whole()
		if err != nil {
			return err
		}
		return l.element(0, value)
	}
	return eachLine(l.ctx, text, func(number int, line []byte) error {
		value, err := readJSONLine(line, number, false, l.job.Fault)
		if errors.Is(err, errFaulted) {
			return nil // The next lines have faults of their own.
		}
		if err != nil {
			return err
		}
		return l.element(0, value)
	})
}

// member reads a picture and its caption.
func (l *captionLoad) member(key string, at pos, value node) error {
	r := &record{job: l.job, start: at, cells: map[string]cell{}, ok: true}
	return l.caption(r, cell{at, key, kindString}, cell{value.at, value.text, value.kind})
}

// element reads a record of JSON.
func (l *captionLoad) element(_ int, value node) error {
	return jsonRecord(l.job, value, l.record)
}

// record reads a record.
func (l *captionLoad) record(r *record) error {
	image, imageOK := r.first(imageKeys)
	caption, captionOK := r.first(captionKeys)
	if !imageOK {
		r.fault("", "the record does not say which picture it is about: name it under one of %s", strings.Join(imageKeys, ", "))
	}
	if !captionOK {
		r.fault("", "the record has no caption: write it under one of %s", strings.Join(captionKeys, ", "))
	}
	if !r.ok {
		return nil
	}
	return l.caption(r, image, caption)
}

// first is the first of these cells that a record has.
func (r *record) first(columns []string) (cell, bool) {
	for _, column := range columns {
		if c, ok := r.cells[column]; ok {
			return c, true
		}
	}
	return cell{}, false
}

// caption writes a caption.
func (l *captionLoad) caption(r *record, image, caption cell) error {
	if err := l.ctx.Err(); err != nil {
		return err
	}
	j := l.job
	name := strings.TrimSpace(image.text)
	switch {
	case image.kind != kindString && image.kind != kindNumber:
		j.Fault(image.at.line, image.at.col, "the picture is %s where its name or number belongs: correct it", image.kind)
		return nil
	case captionqa.ItemName(name) == "":
		j.Fault(image.at.line, image.at.col, "the key %q names no image: write the image_id, such as nat_001", clip(image.text))
		return nil
	}
	imageID, several := l.items.resolve(name)
	if len(several) > 0 {
		j.Fault(image.at.line, image.at.col, "%q may be any of %s: write the image_id", clip(name), quoteList(several))
		return nil
	}
	captioner, prompt, err := l.by(r)
	if err != nil || !r.ok {
		return err
	}
	if first, twice := l.seen.add(strings.Join([]string{imageID, captioner, prompt}, "\x00"), image.at.line); twice {
		what := "a caption of"
		if len(r.cells) == 0 {
			what = "the key"
		}
		j.Fault(image.at.line, image.at.col, "%s %q was given on line %d already: keep one of the two", what, clip(image.text), first)
		return nil
	}
	switch problem := textProblem(caption.text); {
	case caption.kind == kindNull:
		j.Fault(caption.at.line, caption.at.col, "the caption of %q is null: write \"\" if the model said nothing, or take the image out", clip(name))
		return nil
	case caption.kind != kindString:
		j.Fault(caption.at.line, caption.at.col, "the value of %q is %s where a caption belongs: write the caption in quotes", clip(name), caption.kind)
		return nil
	case problem != "":
		j.Fault(caption.at.line, caption.at.col, "%s", problem)
		return nil
	}
	domain := l.domain(r, imageID, image.at)
	l.taken++
	if domain == "" {
		return nil
	}
	return l.rows.Write(captionRow(imageID, domain, captioner, prompt, caption.text))
}

// by finds who wrote the caption of a record, and under which prompt. What a record says must not contradict the command.
func (l *captionLoad) by(r *record) (captioner, prompt string, err error) {
	captioner, prompt = l.captioner, l.prompt
	column := "captioner"
	if _, ok := r.cells[column]; !ok {
		column = "model"
	}
	if name := r.text(column); name != "" {
		if captioner, err = data.ModelIDFor(name); err != nil {
			return "", "", err
		}
		if l.captioner != "" && l.captioner != captioner {
			r.fault(column, "the record is of %s, and the command or the path says %s: leave one of the two out", captioner, l.captioner)
		}
	}
	if text := r.text("prompt"); text != "" {
		if prompt = promptName(text); strings.ContainsAny(text, " \n") {
			prompt = lmmsPrompt{Text: text}.name(captionPrompts())
		}
		if l.prompt != "" && l.prompt != prompt {
			r.fault("prompt", "the record is of the prompt %s, and the command or the path says %s: leave one of the two out", clip(prompt), l.prompt)
		}
	}
	if captioner == "" || prompt == "" {
		o := l.job.Options
		o.Captioner, o.Prompt = captioner, prompt
		_, _, err = needCaptionedBy(l.job.Source, o)
	}
	return captioner, prompt, err
}

// domain is the domain of a picture; empty where nothing tells it.
func (l *captionLoad) domain(r *record, imageID string, at pos) string {
	if named := r.text("domain"); named != "" {
		return domainName(named)
	}
	domain, ok := domainOf(imageID, l.job.Options)
	if !ok {
		domain = l.items.domains[imageID]
	}
	if domain == "" && !l.domainTold {
		l.job.Fault(at.line, at.col, "the name %q does not tell its domain%s", clip(imageID), unknownToBank)
		l.domainTold = true // One option says it for all.
	}
	return domain
}

// captionRow is the row of a caption that a file holds.
func captionRow(imageID, domain, captioner, prompt, text string) data.Caption {
	return data.Caption{
		ImageID: imageID, Captioner: captioner, Prompt: prompt, Domain: domain, Caption: text,
		Words: int32(len(strings.Fields(text))),
	}
}

// captionColumns reports a table of which no column is a picture or none a caption.
func captionColumns(j *Job, columns []string) (ok bool) {
	has := func(key string) bool { return slices.Contains(columns, key) }
	if !slices.ContainsFunc(imageKeys, has) {
		j.Fault(1, 1, "no column says which picture a row is about: call one of %s", strings.Join(imageKeys, ", "))
	}
	if !slices.ContainsFunc(captionKeys, has) {
		j.Fault(1, 1, "no column holds the captions: call one of %s", strings.Join(captionKeys, ", "))
	}
	return len(j.faults.All) == 0
}
