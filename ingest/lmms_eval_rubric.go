package ingest

import (
	"cmp"
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/rubric"
)

// lmmsRubricFolder is the folder of a run that holds the captions and judgments of its capability tasks.
const lmmsRubricFolder = "capability_results"

// A rubricOrigin is what is known of a folder of captions or judgments before its files are read.
type rubricOrigin struct {
	captioner string   // model_id
	run       *lmmsRun // nil unless a run of lmms-eval is known to have written the folder
	lmms      bool     // the folder is of lmms-eval's kind: inference or evaluation
	notes     []string
}

// isLmmsRubric reports whether a file lies in a folder inference or evaluation, as lmms-eval writes them.
func isLmmsRubric(s Source) bool {
	folder := rubricFolder(s)
	return folder == "inference" || folder == "evaluation"
}

// rubricOriginOf finds whose captions a folder is about: --captioner's, or those of the model that the folder is named
// after; for lmms-eval's folders the model's folder is the one above, and below capability_results, where it is named
// after the model's class or --log_samples_suffix, those of the model of the run that wrote it.
func rubricOriginOf(s Source, o Options) (*rubricOrigin, error) {
	origin := &rubricOrigin{lmms: isLmmsRubric(s)}
	folder := path.Dir(path.Clean(filepath.ToSlash(s.Path)))
	if origin.lmms {
		folder = path.Dir(folder)
	}
	name := path.Base(folder)
	if origin.lmms && path.Base(path.Dir(folder)) == lmmsRubricFolder {
		run, err := lmmsRubricRun(s, name, o)
		if err != nil {
			return nil, err
		}
		origin.run = run
		if run == nil && o.Captioner == "" {
			origin.notes = append(origin.notes, fmt.Sprintf("%s: no results file of the run lies beside %s; the captioner is called %s, which may be the class of the model or a suffix: name it with --captioner", s.Path, lmmsRubricFolder, name))
		} else if run != nil {
			var note string
			if name, note = run.model(); note != "" {
				origin.notes = append(origin.notes, s.Path+": "+note)
			}
		}
	}
	if o.Captioner != "" {
		name, origin.notes = o.Captioner, nil
	} else if slices.Contains(append([]string{"", ".", "..", "/", lmmsRubricFolder}, stageFolders...), name) {
		return nil, missing(s, "which model wrote the captions", "name it with --captioner, or load the folder that holds one folder for each model")
	}
	var err error
	origin.captioner, err = data.ModelIDFor(name)
	return origin, err
}

// lmmsRubricRun finds the run that wrote capability_results/<name>: that of the results files beside it whose suffix or
// class is the name. lmms-eval writes the folder anew with every run, so it is the latest of them. Nil means that there is
// none. Runs of several models are an error, because the folder may be of any of them.
func lmmsRubricRun(s Source, name string, o Options) (*lmmsRun, error) {
	root, shown := outputFolder(s, 3)
	var runs []*lmmsRun
	for _, run := range lmmsRunsBelow(root, shown) {
		if run.suffix() == name && run.hasRubric() {
			runs = append(runs, run)
		}
	}
	slices.SortStableFunc(runs, func(a, b *lmmsRun) int { return cmp.Compare(a.time, b.time) })
	if len(runs) == 0 {
		return nil, nil
	}
	var models []string
	for _, run := range runs {
		if model, _ := run.model(); !slices.Contains(models, model) {
			models = append(models, model)
		}
	}
	if len(models) > 1 && o.Captioner == "" {
		return nil, data.WithHint(fmt.Errorf("%s: the folder %s may be of any of %d models that ran into this output folder: %s", s.Path, name, len(models), strings.Join(models, ", ")),
			"load the folder by itself and name its model with --captioner")
	}
	return runs[len(runs)-1], nil
}

// outputFolder is the folder so many levels above a file's own, and how to show it. It may lie above what the user named.
func outputFolder(s Source, up int) (root fs.FS, shown string) {
	above := strings.Repeat("../", up)
	shown = path.Join(path.Dir(filepath.ToSlash(s.Path)), above)
	if inside := path.Join(path.Dir(s.Name), above); fs.ValidPath(inside) {
		if root, err := fs.Sub(s.FS, inside); err == nil {
			return root, shown
		}
	}
	return os.DirFS(filepath.FromSlash(shown)), shown
}

// hasRubric reports whether a run had a capability task.
func (r *lmmsRun) hasRubric() bool {
	return slices.ContainsFunc(r.file.path("results").fields, func(f field) bool { return strings.HasPrefix(f.key, "capability_") })
}

// rubricBeside is the file of a dimension in another of the folders of a run.
func rubricBeside(s Source, folder, dimension string) Source {
	dir, shown := path.Dir(path.Dir(s.Name)), path.Dir(path.Dir(s.Path))
	return Source{FS: s.FS, Name: path.Join(dir, folder, dimension+".jsonl"), Path: path.Join(shown, folder, dimension+".jsonl")}
}

// rubricCaptionsOf reads the file_ids and captions of a file, one text each, whatever else is wrong with it.
func rubricCaptionsOf(s Source) (captions []string, err error) {
	err = eachRubricLine(&Job{lenient: true}, s, func(l *rubricLine) error {
		object := l.object
		if sample, ok := lmmsRubricSample(object); ok {
			object = sample
		}
		id, _ := object.Get("file_id")
		caption, _ := object.Get("caption")
		captions = append(captions, fmt.Sprintf("%v\x00%v", id, caption))
		return nil
	})
	return captions, err
}

// captionedSamples are the file_ids of a dimension in the folder inference beside s; nil when there is none.
func captionedSamples(s Source, dimension string) map[string]bool {
	captions, err := rubricCaptionsOf(rubricBeside(s, "inference", dimension))
	if err != nil {
		return nil
	}
	ids := map[string]bool{}
	for _, text := range captions {
		id, _, _ := strings.Cut(text, "\x00")
		ids[id] = true
	}
	return ids
}

// rubricUnit is what tells the units of one captioner apart: the folder's name and, in lmms-eval's folders, which the next
// run writes anew, the start of a digest of the captions. Judgments that a resumed evaluation adds thus replace the
// earlier ones of the same captions, and those of other captions do not.
func rubricUnit(s Source) (string, error) {
	folder := rubricFolder(s)
	if !isLmmsRubric(s) {
		return folder, nil
	}
	var digests []string
	for _, d := range rubric.Dimensions() {
		if digest, err := rubricBeside(s, "inference", d.ID).Digest(); err == nil {
			digests = append(digests, d.ID, digest)
		}
	}
	if len(digests) == 0 {
		digest, err := digestOf(s)
		return folder + "/" + digest, err
	}
	return folder + "/" + data.Fingerprint(digests...)[:8], nil
}

// judge is the judge of a run's capability tasks, as their configuration names it; empty when it does not.
func (r *lmmsRun) judge() string {
	if r == nil {
		return ""
	}
	for _, config := range r.file.path("configs").fields {
		if strings.HasPrefix(config.key, "capability_") {
			if name := config.value.path("metadata", "eval_model_name").str(); name != "" {
				return name
			}
		}
	}
	return ""
}

// judgeAllowsMissing is how many samples of a dimension lmms-eval's judge may leave out without being asked again
// (eval_max_allow_missing): with no more samples than that it is not asked at all.
const judgeAllowsMissing = 5
