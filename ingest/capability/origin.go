package capability

import (
	"path/filepath"
	"slices"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/ingest/file"
	"github.com/captionlake/captionlake/ingest/lmmseval"
	"github.com/captionlake/captionlake/ingest/shape"
)

const taskPrefix = "capability_"

// stageFolders are folders that say what their files are and not which model they are of.
var stageFolders = []string{"", ".", "..", "/", "evaluation", "inference", "output", "judge_output", "captions",
	"annotations"}

// captionerOf finds whose captions a file is about: --captioner's, or those of the model that the
// results file beside a log names, or a folder of the release is named after. lmms-eval's folders
// inference and evaluation lie in one that many checkpoints share.
func captionerOf(s file.Source, o shape.Options) (string, error) {
	captioner := o.Captioner
	if time, _ := lmmseval.TaskOf(s); captioner == "" && time != "" {
		captioner = lmmseval.RunOf(s).Model()
	} else if folder := s.Folder(1); captioner == "" && !slices.Contains(stageFolders, folder) {
		captioner = folder
	}
	return captioner, shape.NeedCaptionedBy(s, captioner, "any")
}

// isLmms reports whether a file lies in a folder inference or evaluation, as lmms-eval writes them.
func isLmms(s file.Source) bool { return s.Folder(1) == "inference" || s.Folder(1) == "evaluation" }

// taskOf is lmms-eval's task of a file that is named after a dimension, or of a sample log.
func taskOf(s file.Source) string {
	if d, ok := dimensionOf(s); ok {
		return taskPrefix + d.ID
	}
	_, task := lmmseval.TaskOf(s)
	return task
}

// folderOf is what tells the units of one captioner apart: the folder's name, and of lmms-eval's
// folders, which have the same names in every run, where they are.
func folderOf(s file.Source) string {
	folder := s.Folder(1)
	if isLmms(s) {
		at, _ := filepath.Abs(filepath.FromSlash(s.Path))
		folder += "/" + data.Fingerprint(filepath.Dir(filepath.Dir(at)))[:8]
	}
	return folder
}
