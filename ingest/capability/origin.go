package capability

import (
	"path"
	"path/filepath"
	"slices"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/ingest/file"
	"github.com/captionlake/captionlake/ingest/lmmseval"
	"github.com/captionlake/captionlake/ingest/shape"
)

// taskPrefix begins the names of lmms-eval's tasks of CAPability; the dimension follows.
const taskPrefix = "capability_"

// stageFolders are folders with a name that gives the kind of their files and not the model.
var stageFolders = []string{"", ".", "..", "/", "evaluation", "inference", "output", "judge_output", "captions",
	"annotations"}

// captionerOf finds the captioner of a file's captions: --captioner, the model in the results file
// beside a log, or the name of a folder of the release. lmms-eval's folders inference and
// evaluation do not name the captioner. The folder above them does not count either, because many
// checkpoints may share it.
func captionerOf(s file.Source, o shape.Options) (string, error) {
	captioner := o.Captioner
	if run := lmmseval.RunOf(s); captioner == "" && run.Time != "" {
		captioner = run.Model()
	} else if folder := s.Folder(); captioner == "" && !slices.Contains(stageFolders, folder) {
		captioner = folder
	}
	return captioner, shape.NeedCaptionedBy(s, captioner, "any") // The prompt is not checked here.
}

// isLmms reports whether a file is in lmms-eval's folder inference or evaluation.
func isLmms(s file.Source) bool { return s.Folder() == "inference" || s.Folder() == "evaluation" }

// folderOf is a file's folder as units name it, to distinguish the units of one captioner. It is
// the folder's name. lmms-eval's folders have the same names in every run, so a digest of the
// folder's place follows their name.
func folderOf(s file.Source) string {
	folder := s.Folder()
	if isLmms(s) {
		// The folder above inference or evaluation is different in every run.
		folder += "/" + data.Fingerprint(filepath.Dir(shape.Full(path.Dir(s.Path))))[:8]
	}
	return folder
}
