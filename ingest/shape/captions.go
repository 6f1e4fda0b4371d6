package shape

import (
	"cmp"
	"fmt"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/arena"
	"github.com/captionlake/captionlake/data/text"
	"github.com/captionlake/captionlake/ingest/file"
)

// PromptReference is the prompt of captions that people wrote without a prompt.
const PromptReference = "reference"

// Captions are captions of pictures: one of each picture by a model under a prompt, or several by
// people.
//
// A picture is identified by its image_id, by its file's name with or without folders and ending,
// or by its number, with any leading zeros. In a list of names, the first that the lake has counts.
// The empty caption is valid: the model said nothing. Null is a fault, because nobody knows whether
// the model was asked. People's captions of one picture have the prompts reference, reference-2,
// reference-3 …
var Captions = &Shape{
	Name:    "captions",
	What:    "captions of pictures; references are captions of people that come with them",
	Columns: strings.Fields("image caption captioner prompt domain references"),
	Needs:   2, Stage: "captions",
	Reads: []data.AnyTable{data.Images, data.Questions},
	Unit: func(s file.Source, o Options) (string, error) {
		captioner, prompt := CaptionedBy(s, o)
		name := UnitOf(s, modelID(captioner), prompt)
		if captioner == "" || prompt == "" { // Files of one name in several folders need different units.
			name = FolderUnit(s, name, DomainName(o.Domain))
		}
		return name, nil
	},
	Begin: func(j *Job) (Filler, error) {
		f := &captionFiller{naming: newNaming(j), counts: map[captionKey]captionCount{},
			held: map[captionKey]map[string]string{}}
		return Filler{Row: f.row}, nil
	},
}

// References are captions by people. A picture may have several.
var References = func() *Shape {
	s := *Captions
	s.Name, s.What, s.Columns = "references",
		"captions of people, several of one picture", strings.Fields("image caption domain")
	s.Begin = func(j *Job) (Filler, error) {
		j.Options.Captioner = cmp.Or(j.Options.Captioner, arena.Human)
		return Captions.Begin(j)
	}
	return &s
}()

// A captionFiller fills the table captions.
type captionFiller struct {
	naming
	counts map[captionKey]captionCount
	// digests of other units' captions: by captioner and prompt, and then by image
	held    map[captionKey]map[string]string
	refused bool // a second caption of a picture was reported; the next ones are only counted
}

// A captionKey identifies a caption, or, without image, the captions of a captioner under a prompt.
type captionKey struct{ image, captioner, prompt string }

// A captionCount is the number of captions of a key in the file. name and where are the picture's
// name and the place of the first of these captions.
type captionCount struct {
	number      int
	name, where string
}

// row writes the captions of a row.
func (f *captionFiller) row(r *Row) error {
	image, imageID := r.item()
	captioner, prompt, err := f.captionedBy(r)
	row := data.Caption{ImageID: imageID, Captioner: captioner, Prompt: prompt, Domain: f.domain(r, imageID, false)}
	if err != nil || row.Domain == "" { // A row with a fault has no domain.
		return err
	}
	for _, caption := range f.texts(r, image) {
		if err := f.write(r, image, row, caption); err != nil {
			return err
		}
	}
	references, _ := r.Field("references")
	row.Captioner, row.Prompt = arena.Human, PromptReference
	for _, reference := range references.Items {
		if err := f.write(r, image, row, reference.Str()); err != nil {
			return err
		}
	}
	return nil
}

// texts are the captions of a row, one or several in a list; invalid ones are faults. image is the
// picture's name for messages.
func (f *captionFiller) texts(r *Row, image string) (texts []string) {
	column, _ := r.Field("caption")
	captions := []file.Value{column}
	if column.Kind == file.Array && len(column.Items) > 0 { // An empty list is a fault, as below.
		captions = column.Items
	}
	for _, caption := range captions {
		switch problem := file.TextProblem(caption.Text); {
		case caption.Kind == file.Null:
			r.Fault("caption",
				"the caption of %q is null: write \"\" in JSON if the model said nothing, or remove the image",
				image)
		case caption.Kind != file.String:
			r.Fault("caption", "the caption of %q is %s; write a string", image, caption.Kind)
		case problem != nil:
			r.Fault("caption", "the caption of %q is %v", image, problem)
		default:
			texts = append(texts, caption.Text)
		}
	}
	return texts
}

// write writes a caption, unless the lake has it word for word. name is the picture's name for
// messages.
func (f *captionFiller) write(r *Row, name string, row data.Caption, caption string) error {
	// Within the file, only people may have several captions of a picture: they get numbered prompts.
	key := captionKey{row.ImageID, row.Captioner, row.Prompt}
	count := f.counts[key]
	if count.number++; count.number == 1 {
		count.name, count.where = name, r.where("image")
	} else if row.Captioner == arena.Human {
		row.Prompt = fmt.Sprintf("%s-%d", row.Prompt, count.number)
	} else {
		f.refuse(r, "there is another caption of %q by %s (%q %s): keep one of the two; "+
			"people may have several captions of a picture: load theirs with --captioner human",
			name, row.Captioner, count.name, count.where)
		return nil
	}
	f.counts[key] = count
	if !f.clean(&row, caption) {
		return nil
	}
	// Another unit may have the same caption of the picture, but not another caption. The key of held
	// has no image, because held has all captions of the captioner under the prompt.
	key = captionKey{captioner: row.Captioner, prompt: row.Prompt}
	if f.held[key] == nil {
		where := data.Where{"captioner": row.Captioner, "prompt": row.Prompt}
		held, err := Held(f.Job, data.Captions, where, func(c data.Caption) (string, string) {
			return c.ImageID, data.Fingerprint(c.Caption)
		})
		if err != nil {
			return err
		}
		f.held[key] = held
	}
	switch digest, held := f.held[key][row.ImageID]; {
	case !held:
		return Write(f.Job, data.Captions, row)
	case digest == data.Fingerprint(row.Caption):
		f.Count("%d captions are in the lake already, word for word")
	default:
		f.Lenient = false // Leaving the caption out would mix two runs, so the file is refused.
		f.refuse(r,
			"the lake has another caption of %q by %s with the prompt %s: give this run another --prompt or --captioner",
			name, row.Captioner, row.Prompt)
	}
	return nil
}

// refuse reports a second caption of a picture. There may be thousands, so the file gets one fault,
// and the next captions are only counted. A lenient job reports each, because it leaves each out.
func (f *captionFiller) refuse(r *Row, format string, args ...any) {
	if f.refused {
		f.Faults.Dropped++
		return
	}
	f.refused = !f.Lenient
	r.Fault("image", format, args...)
}

// clean sets the text of a row: the caption without the model's thoughts and marks. clean is false
// for a caption that ends within its thoughts and is left out.
func (f *captionFiller) clean(row *data.Caption, caption string) bool {
	if answer := text.Answer(caption); answer != strings.TrimSpace(caption) {
		if answer == "" {
			f.Count("%d captions end within the model's thoughts and are left out, such as the caption of %s",
				row.ImageID)
			return false
		}
		f.Count("%d captions are stored without the thoughts or the marks of turns in them, such as the caption of %s",
			row.ImageID)
		caption = answer
	}
	row.Caption, row.Words = caption, int32(len(strings.Fields(caption)))
	if row.Words == 0 {
		f.Count("%d captions are empty")
	}
	return true
}
