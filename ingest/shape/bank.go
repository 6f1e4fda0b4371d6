package shape

import (
	"cmp"
	"crypto/sha256"
	"fmt"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/rubric"
	"github.com/captionlake/captionlake/ingest/file"
	"github.com/captionlake/captionlake/ingest/picture"
)

// letters are the columns of lettered options.
var letters = strings.Split("ABCDEFGHIJ", "")

// Bank is a bank of multiple-choice questions about pictures, in the order of the rows: each row is
// a question, or a picture with the list of its questions.
//
// The picture may come with its questions: in the column image or picture as bytes, in base64, or
// in Hugging Face's form. Several pictures are the frames of one item. A picture without a name is
// named after the file and its first row. Options are a list in choices, or the columns A, B, C …;
// the answer is the text of the right option, or its letter.
var Bank = &Shape{
	Name: "bank",
	What: "multiple-choice questions about pictures; choices is a list, or columns A, B, C …; image may hold the picture",
	Columns: append([]string{
		"image", "question", "answer", "choices", "picture", "category", "subcategory", "domain", "hint", "questions",
		"candidate_id", "bank",
	}, letters...),
	Needs: 3,
	Unit: func(s file.Source, o Options) (string, error) {
		return FolderUnit(s, BankName(s), DomainName(o.Domain)), nil
	},
	Begin: func(j *Job) (Filler, error) {
		f := &bankFiller{naming: newNaming(j), ids: map[string]*captionqa.QuestionIDs{},
			pictures: map[ImageFrame]string{}, unnamed: map[[sha256.Size]byte]string{}}
		var err, rule error
		f.held, err = j.HeldPictures()
		f.questions, rule = NewBankWriter(j)
		return Filler{f.row, f.questions.end}, cmp.Or(err, rule)
	},
}

// A bankFiller fills tables from the questions and pictures of a bank.
type bankFiller struct {
	naming
	questions *BankWriter
	ids       map[string]*captionqa.QuestionIDs // by image
	held      map[ImageFrame]string             // digests of the lake's pictures
	pictures  map[ImageFrame]string             // digests of the file's pictures
	unnamed   map[[sha256.Size]byte]string      // image_ids of pictures without a name, by digest
	rows      int
}

// row writes the picture and the questions of a row.
func (f *bankFiller) row(r *Row) error {
	f.rows++
	name, pictures := f.picture(r)
	if r.Faulty {
		return nil
	}
	imageID, _ := f.Known.named(name)
	if imageID == "" {
		r.Fault("image", "the picture has no name: write the image_id, such as nat_001")
		return nil
	}
	domain := f.domain(r, imageID)
	for frame, v := range pictures {
		if err := f.keep(r, v, data.Image{ImageID: imageID, Frame: int32(frame), Domain: domain,
			Source: f.Source.Base()}); err != nil {
			return err
		}
	}
	if f.ids[imageID] == nil {
		f.ids[imageID] = &captionqa.QuestionIDs{}
	}
	for _, q := range r.questions(imageID) {
		if err := f.question(q, imageID, domain); err != nil {
			return err
		}
	}
	return nil
}

// picture finds the name of a row's picture, and the pictures themselves if the row has them.
func (f *bankFiller) picture(r *Row) (name string, pictures []file.Value) {
	image, own := r.Path("image"), r.Path("picture")
	if _, _, ok := pictureOf(image); ok {
		own, image = image, file.Value{}
	} else if own.Kind == file.String && own.Text == image.Text { // It repeats the name.
		own = file.Value{}
	}
	if pictures = own.Items; own.Kind != file.Array && own.Kind != file.Null {
		pictures = []file.Value{own}
	}
	if image.Kind != file.Null || len(pictures) == 0 {
		return r.Text("image"), pictures
	}
	content, name, _ := pictureOf(pictures[0])
	if digest := sha256.Sum256(content); name == "" {
		if f.unnamed[digest] == "" {
			f.unnamed[digest] = fmt.Sprintf("%s_%d", BankName(f.Source), f.rows)
		}
		name = f.unnamed[digest]
	}
	return name, pictures
}

// keep stores a frame of an item, once.
func (f *bankFiller) keep(r *Row, v file.Value, row data.Image) error {
	content, name, ok := pictureOf(v)
	if name != "" {
		row.Source = name
	}
	if !ok {
		r.Report(v.At, "the picture has neither bytes nor a path: give it one of them")
		return nil
	}
	if len(content) > 0 {
		p, err := picture.Read(content)
		if err != nil {
			r.Report(v.At, "the picture cannot be used: %v; put a whole picture there", err)
			return nil
		}
		if err := f.KeepPicture(content, p, &row); err != nil {
			return err
		}
	}
	key := ImageFrame{row.ImageID, row.Frame}
	switch digest, twice := f.pictures[key]; {
	case twice && digest == row.SHA256:
		return nil
	case twice:
		r.Report(v.At,
			"another picture of the file has the name %q, too: name a column that distinguishes them, --map image=COLUMN",
			Clip(row.ImageID))
		return nil
	case f.held[key] == row.SHA256 && row.SHA256 != "":
		f.Count("%d pictures are in the lake already")
		return nil
	}
	f.pictures[key] = row.SHA256
	return Write(f.Job, data.Images, row)
}

// questions are the questions of a row: a list, or the row itself.
func (r *Row) questions(imageID string) (questions []*Row) {
	list, nested := r.Field("questions")
	if !nested {
		return []*Row{r}
	}
	if list.Kind != file.Array && list.Kind != file.Null {
		r.Report(list.At, "the value of %q is %s where a list of questions belongs: correct it", Clip(imageID),
			list.Kind)
	}
	for _, item := range list.Items {
		if item.Kind != file.Object {
			r.Report(item.At, "this is %s, and a question object belongs here: correct it", item.Kind)
			continue
		}
		questions = append(questions, r.Child(item))
	}
	return questions
}

// question writes a question if it can be asked.
func (f *bankFiller) question(q *Row, imageID, domain string) error {
	raw := readQuestion(q)
	if q.Faulty || domain == "" {
		return nil
	}
	key, ok := raw.check(q)
	if !ok || f.questions.ambiguous(q, imageID, raw, key) {
		return nil
	}
	question := raw.row(imageID, domain, key, f.Source.Base())
	if candidate := q.Text("candidate_id"); candidate != "" {
		question.CandidateID = &candidate
	}
	question.Source = cmp.Or(q.Text("bank"), question.Source)
	return f.questions.Add(question, f.ids[imageID])
}

// A rawQuestion is a question as a file writes it.
type rawQuestion struct {
	question              string
	options               []string
	optionsKey            string // the file's name of the options
	lettered              bool   // the options are in columns named by their letters
	answer, answerKey     string
	category, subcategory string
}

// readQuestion reads the columns of a question.
func readQuestion(r *Row) rawQuestion {
	q := rawQuestion{question: r.String("question"), optionsKey: "choices", answerKey: "answer"}
	if r.Has("ground_truth") {
		q.answerKey = "ground_truth"
	}
	if hint := r.Text("hint"); hint != "" {
		q.question = hint + "\n" + q.question
	}
	q.readOptions(r)
	if answer, ok := r.Field(q.answerKey); ok && answer.Kind == file.Number {
		r.Report(answer.At, "the answer is a number, which may count from 0 or from 1: write the right option's text")
	} else {
		q.answer = r.String(q.answerKey)
	}
	q.category, q.subcategory = q.readCategory(r), r.Text("subcategory")
	return q
}

// readOptions reads the options: a list, a text that contains a list, or the columns A, B, C and so
// on. A whole number becomes its digits, as in the authors' code; other numbers have several
// spellings and are faults.
func (q *rawQuestion) readOptions(r *Row) {
	choices, has := r.Field("choices")
	if options, both := r.Field("options"); both {
		if has {
			r.Report(options.At, "the question has both \"choices\" and \"options\": keep the right one")
		}
		q.optionsKey, choices = "options", options
	}
	if a, _ := r.Field("A"); choices.Kind == file.Null && a.Kind != file.Null {
		q.readLetters(r)
		return
	}
	list, length, err := rubric.ParseLiteral(choices.Str())
	if items, isList := list.([]any); isList && err == nil && length == len(choices.Text) {
		choices.Kind = file.Array
		for _, item := range items {
			choices.Items = append(choices.Items, file.Value{At: choices.At, Kind: file.String, Text: fmt.Sprint(item)})
		}
	}
	if choices.Kind != file.Array {
		r.need(q.optionsKey, file.Array)
		return
	}
	for i, item := range choices.Items {
		whole := item.Kind == file.Number && !strings.ContainsAny(item.Text, ".eE")
		if item.Kind != file.String && !whole {
			r.Report(item.At, "option %d is %s where a string belongs: write its text in quotes", i+1, item.Kind)
		}
		q.options = append(q.options, item.Text)
	}
}

// readLetters reads options from the columns of their letters. The columns of options that a
// question does not have are empty.
func (q *rawQuestion) readLetters(r *Row) {
	q.lettered, q.optionsKey = true, "A"
	for i, letter := range letters {
		option := r.Text(letter)
		if option != "" && i != len(q.options) {
			r.Fault(letter, "there is an option %s, and none before it: write the options from A on", letter)
			return
		}
		if option != "" {
			q.options = append(q.options, option)
		}
	}
}

// readCategory reads the taxonomy node: a string, or the first of a list of strings, as in the
// authors' code. It may be missing.
func (q *rawQuestion) readCategory(r *Row) string {
	v, _ := r.Field("category")
	if v.Kind == file.Array {
		v = v.First()
	}
	if v.Kind != file.String && v.Kind != file.Null {
		r.Report(v.At, "\"category\" is %s where a string belongs: write it as in \"Attribute - Color\"", v.Kind)
	}
	return v.Text
}

// row makes the row of a checked question, without the columns that depend on its position in the
// bank.
func (q rawQuestion) row(imageID, domain string, key int, source string) data.Question {
	category, subcategory, aspect := captionqa.SplitCategory(q.category)
	return data.Question{
		ImageID: imageID, Domain: domain, Category: category, Subcategory: cmp.Or(q.subcategory, subcategory),
		Aspect:   aspect,
		Question: q.question, Options: q.options, AnswerIndex: int32(key), Source: source,
	}
}
