package shape

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/captionlake/captionlake/data"
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
// named after the file and its first row with this picture. Options are a list in choices, or the
// columns A, B, C …; the answer is the text of the right option, or its letter.
var Bank = &Shape{
	Name: "bank",
	What: "multiple-choice questions about pictures; choices is a list, or columns A, B, C …; " +
		"image may hold the picture",
	Columns: append(strings.Fields("image question answer choices picture category subcategory domain hint questions "+
		"candidate_id bank"), letters...),
	Needs: 3,
	Unit: func(s file.Source, o Options) (string, error) {
		return FolderUnit(s, BankName(s), DomainName(o.Domain)), nil
	},
	Begin: func(j *Job) (Filler, error) {
		f := &bankFiller{naming: newNaming(j), pictures: map[ImageFrame]string{},
			unnamed: map[string]string{}}
		var heldErr, ruleErr error
		f.held, heldErr = j.HeldPictures()
		f.questions, ruleErr = NewBankWriter(j)
		return Filler{f.row, f.questions.End}, cmp.Or(heldErr, ruleErr)
	},
}

// A bankFiller fills the tables questions and images from a bank.
type bankFiller struct {
	naming
	questions *BankWriter
	held      map[ImageFrame]string // digests of the pictures in other units
	pictures  map[ImageFrame]string // digests of the file's pictures so far
	unnamed   map[string]string     // names given to pictures without a name, by digest
	rows      int                   // rows of the file so far
}

// row writes the picture and the questions of a row.
func (f *bankFiller) row(r *Row) error {
	f.rows++
	name, pictures := f.picture(r)
	if r.Faulty {
		return nil
	}
	// Resolve would take a picture named 42 for an item COCO_val2014_000000000042 of the lake.
	imageID, _ := f.Known.named(name)
	if imageID == "" {
		r.Fault("image", "the picture has no name: write the image_id, such as nat_001")
		return nil
	}
	domain := f.domain(r, imageID, true)
	for frame, v := range pictures {
		if err := f.keep(r, v, data.Image{ImageID: imageID, Frame: int32(frame), Domain: domain,
			Source: f.Source.Base()}); err != nil {
			return err
		}
	}
	for _, q := range r.questions(imageID) {
		f.question(q, imageID, domain)
	}
	return nil
}

// picture finds the name of a row's picture, and the pictures themselves if the row has them.
func (f *bankFiller) picture(r *Row) (name string, pictures []file.Value) {
	image, content := r.Path("image"), r.Path("picture")
	if _, _, isPicture := pictureOf(image); isPicture { // The column image has the picture, and no name.
		image, content = file.Value{}, image
	} else if content.Kind == file.String && content.Text == image.Text { // The column picture only repeats the name.
		content = file.Value{}
	}
	if pictures = content.Items; content.Kind != file.Array && content.Kind != file.Null {
		pictures = []file.Value{content}
	}
	if image.Kind != file.Null || len(pictures) == 0 {
		return r.Text("image"), pictures
	}
	// The row does not name the picture. The first picture may have a name of its own; otherwise it
	// gets a name from the file and the row, and equal pictures get the same name.
	first, name, _ := pictureOf(pictures[0])
	if digest := data.Fingerprint(string(first)); name == "" {
		if f.unnamed[digest] == "" {
			f.unnamed[digest] = fmt.Sprintf("%s_%d", BankName(f.Source), f.rows)
		}
		name = f.unnamed[digest]
	}
	return name, pictures
}

// keep stores a frame of an item and writes its row, unless the file or the lake had the picture
// before.
func (f *bankFiller) keep(r *Row, v file.Value, row data.Image) error {
	content, name, ok := pictureOf(v)
	if name != "" {
		row.Source = name
	}
	if !ok {
		r.Report(v.At, "the picture has neither bytes nor a path: give it one of them")
		return nil
	}
	if len(content) > 0 { // Otherwise only the path of the picture is known.
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
	switch digest, isSecond := f.pictures[key]; {
	case isSecond && digest == row.SHA256: // Each question of a picture may repeat it.
		return nil
	case isSecond:
		r.Report(v.At,
			"another picture of the file has the name %q, too: name a column that distinguishes them, --map image=COLUMN",
			row.ImageID)
		return nil
	case row.SHA256 != "" && f.held[key] == row.SHA256:
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
		r.Report(list.At, "the value of %q is %s where a list of questions belongs: correct it", imageID,
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

// question adds the question of a row to the bank, unless it has a fault or no domain.
func (f *bankFiller) question(r *Row, imageID, domain string) {
	q, ok := readQuestion(r)
	q.ImageID, q.Domain = imageID, domain
	if !ok || domain == "" || f.questions.ambiguous(r, q) {
		return
	}
	if candidate := r.Text("candidate_id"); candidate != "" {
		q.CandidateID = &candidate
	}
	q.Source = cmp.Or(r.Text("bank"), f.Source.Base())
	f.questions.Add(q.questionRow)
}
