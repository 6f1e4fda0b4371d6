package stages

import (
	"crypto/md5"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/data/rubric"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/engine"
	"github.com/captionlake/captionlake/stages/llm"
	"github.com/captionlake/captionlake/stages/media"
)

// conditions joins the parts of a name, such as the name of a unit, and leaves out empty parts.
func conditions(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(p string) bool { return p == "" }), " ")
}

// nothing is the error of a stage that is not configured. step says what to write into the
// configuration.
func nothing(why, step string) error {
	return data.WithHint(fmt.Errorf("%w: %s", engine.ErrNothingToAsk, why), "%s in %s", step, config.File)
}

// modelsOf are the models of the configuration with some names, as their servers call them. It
// returns the error missing if there are fewer than least names, or if the first name is empty: a
// setting for one model, such as construct.reader, is empty if it is not configured.
func modelsOf(s *engine.Scope, names []string, least int, missing error) ([]config.Model, error) {
	if len(names) < least || names[0] == "" {
		return nil, missing
	}
	return s.Config.ModelsOf(names)
}

// captionersOf are the captioners of the configuration. No captioner is an error.
func captionersOf(s *engine.Scope) ([]config.Model, error) {
	return modelsOf(s, s.Config.Captions.Captioners, 1,
		nothing("no captioner is named", "name captioners under captions, and readers under answers,"))
}

// judgesOf are the judges of annotated elements. No judge is an error with the text why. The error
// does not wrap ErrNothingToAsk, so it ends the run: the user has named a stage or a benchmark that
// needs a judge.
func judgesOf(s *engine.Scope, why string) ([]config.Model, error) {
	return modelsOf(s, s.Config.Judges.Models, 1,
		data.WithHint(errors.New(why), "name one with --judge, or under judges: in %s", config.File))
}

// A captionSet is the captions of one captioner under one prompt.
type captionSet struct {
	Captioner string `parquet:"captioner"`
	Prompt    string `parquet:"prompt"`
}

// captionSets lists the sets of captions in the lake, and says which sets have simulated captions.
// With Assumed it lists the sets that the run has yet to make, and simulated is nil.
func captionSets(s *engine.Scope) (sets []captionSet, simulated map[captionSet]bool, err error) {
	simulated = map[captionSet]bool{}
	for c, err := range data.Query[struct {
		captionSet
		Simulated bool `parquet:"simulated"`
	}](s.Lake, `
		select captioner, prompt, bool_or(provenance = 'simulated') as simulated
		from captions
		group by all
		order by captioner, prompt`) {
		if err != nil {
			return nil, nil, err
		}
		sets, simulated[c.captionSet] = append(sets, c.captionSet), c.Simulated
	}
	if !s.Assumed {
		return sets, simulated, nil
	}
	captioners, err := s.Config.ModelsOf(s.Config.Captions.Captioners) // no captioners if err is not nil
	prompts := s.Config.Captions.Prompts
	if len(s.Choice.Benchmarks) > 0 { // Captions of media files have the benchmark's name as their prompt.
		prompts = s.Choice.Benchmarks
	}
	sets = nil
	for _, model := range captioners {
		for _, prompt := range prompts {
			set := captionSet{model.ID, prompt}
			if _, inLake := simulated[set]; !inLake {
				sets = append(sets, set)
			}
		}
	}
	return sets, nil, err
}

// assumedCaption stands for a caption that does not exist yet: a text of the length that captions
// of the prompt usually have.
func assumedCaption(prompt string) string {
	// Estimates count four bytes as a token.
	return strings.Repeat("word", captionqa.AssumedTokens(prompt))
}

// An imageItem is one item of a benchmark with its pictures, or with the frames of its video in
// order.
type imageItem struct {
	id, domain string
	pictures   []llm.Part
}

// depictions are the items of the lake with their pictures. Rows of the table images that name no
// file are left out.
func depictions(l *data.Lake) (items []imageItem, err error) {
	for image, err := range data.Select(l, data.Images, nil) {
		if err != nil {
			return nil, err
		}
		if image.Path == "" {
			continue
		}
		path, err := l.LocalPath(image.Path)
		if err != nil {
			return nil, err
		}
		// Select gives the frames of an item one after the other.
		if n := len(items); n == 0 || items[n-1].id != image.ImageID {
			items = append(items, imageItem{id: image.ImageID, domain: image.Domain})
		}
		last := &items[len(items)-1]
		last.pictures = append(last.pictures, llm.Image(path, image.SHA256))
	}
	return items, nil
}

// picturesOf are the pictures of every item with pictures, by image_id.
func picturesOf(l *data.Lake) (map[string][]llm.Part, error) {
	items, err := depictions(l)
	all := map[string][]llm.Part{}
	for _, d := range items {
		all[d.id] = d.pictures
	}
	return all, err
}

// An elementItem is one annotated element of a benchmark, with its media file or its caption if a
// stage needs it.
type elementItem struct {
	dimension *rubric.Dimension
	row       data.Annotation
	media     []llm.Part
	caption   string
}

func (a elementItem) element() rubric.Element {
	return rubric.Element{Name: a.row.Element, Value: a.row.Value}
}

// keys are the keys of requests about the element. Elements of a sample have the same caption and
// media.
func (a elementItem) keys() engine.Keys {
	return engine.Keys{Subject: a.row.SampleID + "/" + a.row.Dimension, Group: a.row.SampleID}
}

// annotations reads the annotated elements of a benchmark, grouped by sample. With a captioner, it
// reads only the elements that have a caption of that captioner: the caption for the prompt of the
// element's dimension, or else the caption for the benchmark's own prompt.
func annotations(l *data.Lake, benchmark, captioner string) (all []elementItem, err error) {
	known := map[string]*rubric.Dimension{} // by id
	for _, d := range rubric.Dimensions() {
		known[d.ID] = &d
	}
	loaded := false
	for row, err := range data.Query[struct {
		data.Annotation
		Caption   string `parquet:"caption"`
		Captioned bool   `parquet:"captioned"`
	}](l, `
		with mine as (select image_id, prompt, caption from captions where captioner = $2)
		select a.* exclude (unit), coalesce(d.caption, c.caption) as caption,
			coalesce(d.caption, c.caption) is not null as captioned
		from annotations as a
		left join mine as d on d.image_id = a.sample_id and d.prompt = $1 || '/' || a.dimension
		left join mine as c on c.image_id = a.sample_id and c.prompt = $1
		where a.benchmark = $1
		order by a.sample_id, a.dimension, a.ordinal`, benchmark, captioner) {
		if err != nil {
			return nil, err
		}
		dimension, ok := known[row.Dimension]
		if !ok {
			return nil, data.WithHint(fmt.Errorf("annotation of %s: there is no dimension %q", row.SampleID,
				row.Dimension), "load the annotations of %s again", benchmark)
		}
		loaded = true
		if captioner == "" || row.Captioned {
			all = append(all, elementItem{dimension: dimension, row: row.Annotation, caption: row.Caption})
		}
	}
	if !loaded {
		return nil, data.Errorf("load them with: captionlake ingest FOLDER", "the lake has no annotations of %s",
			benchmark)
	}
	return all, nil
}

// withMedia calls each for the elements of a benchmark that have a file in the media folder. If no
// element has a file, withMedia returns an error.
func withMedia(s *engine.Scope, benchmark string, each func(elementItem) error) error {
	files, err := media.Open(s.Lake, s.Config.Media)
	if err != nil {
		return err
	}
	defer files.Save()
	all, err := annotations(s.Lake, benchmark, "")
	if err != nil {
		return err
	}
	found := false
	for _, a := range all {
		if a.media, err = files.Of(a.row); err != nil {
			return err
		}
		if len(a.media) == 0 {
			continue
		}
		found = true
		if err := each(a); err != nil {
			return err
		}
	}
	if !found { // There is an all[0], because annotations returns an error if there are no elements.
		return data.WithHint(fmt.Errorf("%s has none of the media files of the annotations, such as %s",
			s.Config.Media.Folder, all[0].row.Media),
			"correct media.folder in %s: the annotations' paths are relative to it", config.File)
	}
	return nil
}

// ofBenchmark reports whether captions under a prompt are for a benchmark. The prompt of most
// captions is the benchmark's name. A caption for a single dimension has the prompt
// BENCHMARK/DIMENSION.
func ofBenchmark(prompt, benchmark string) bool {
	return prompt == benchmark || strings.HasPrefix(prompt, benchmark+"/")
}

// maxTemplateBytes bounds a judge's template, since every request contains it.
const maxTemplateBytes = 256 << 10

// judgePrompts are the papers' templates. The user's own templates in the folder dir replace
// templates of the same names; an empty dir replaces none.
func judgePrompts(dir string) (*rubric.JudgePrompts, error) {
	own := map[string]string{}
	if dir != "" {
		entries, err := os.ReadDir(dir)
		if err != nil {
			return nil, data.WithHint(fmt.Errorf("templates of the judges: %w", err),
				"correct judges.templates in %s", config.File)
		}
		for _, e := range entries {
			if path := filepath.Join(dir, e.Name()); filepath.Ext(path) == ".txt" {
				content, err := data.ReadInput(path, maxTemplateBytes)
				if err != nil {
					return nil, err
				}
				own[path] = string(content)
			}
		}
	}
	prompts, err := rubric.NewJudgePrompts(own)
	// If err is nil, WithHint returns nil, too.
	return prompts, data.WithHint(err,
		"correct the templates, or leave judges.templates out of %s for the built-in ones", config.File)
}

// judgeSampling is how a judge decodes. Each sampled repetition has its own seed. The seeds are far
// apart, to leave room for the seeds of further attempts. Repetitions of greedy decoding differ
// only if a server does not repeat exactly, as in the paper (section 4.3).
func judgeSampling(temperature float64, maxTokens, repeat int) llm.Sampling {
	if temperature == 0 {
		return llm.Greedy(maxTokens)
	}
	return llm.Sampled(temperature, int64(repeat)<<16, maxTokens)
}

// judgeRequest makes a request that compares texts only.
func judgeRequest(prompt string, s llm.Sampling) llm.Request {
	return llm.Request{Messages: []llm.Message{llm.User(prompt)}, Sampling: s}
}

// readable returns an error if a judge's reply about an element cannot be read.
func readable(a elementItem, r llm.Reply) error {
	_, err := a.dimension.ReadReply(a.element(), r.Text)
	return err
}

// textDigest is the digest by which a row identifies the text that it is about; see the macro
// text_digest.
func textDigest(text string) *string {
	return new(fmt.Sprintf("%x", md5.Sum([]byte(text))))
}
