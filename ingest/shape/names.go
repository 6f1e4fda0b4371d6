package shape

import (
	"cmp"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/arena"
	"github.com/captionlake/captionlake/data/captionqa"
	"github.com/captionlake/captionlake/ingest/file"
)

// PublishedDomains are the four domains of CaptionQA, in the order of the split "all".
var PublishedDomains = data.CaptionQA().Domains

// DomainOf returns the domain of an item: the given domain, or else by the prefix of the item's
// name. The domain is empty if neither of them gives one.
func DomainOf(imageID, given string) string {
	for _, d := range PublishedDomains {
		if given == "" && strings.HasPrefix(imageID, d.Prefix) {
			return d.Name
		}
	}
	return DomainName(given)
}

// DomainName spells one of the four published domains as the tables do; another domain's name stays
// unchanged.
func DomainName(name string) string {
	key := strings.NewReplacer(" ", "", "-", "", "_", "").Replace(strings.ToLower(name))
	for _, d := range PublishedDomains {
		if key == d.Split {
			return d.Name
		}
	}
	return name
}

// IsDomain reports whether a name is one of the four published domains.
func IsDomain(name string) bool { return slices.Contains(data.CaptionQA().DomainNames(), name) }

// A naming finds the domain, the captioner and the prompt of rows: from the rows themselves, the
// command, the path, or the lake.
type naming struct {
	*Job
	captioner, prompt string // from the command or the path; empty if neither gives it
	// A missing domain, or an unknown prompt, was reported. One fault is enough, because one option
	// of the command gives the value for all rows.
	domainAsked, promptAsked bool
}

func newNaming(j *Job) naming {
	n := naming{Job: j}
	n.captioner, n.prompt = CaptionedBy(j.Source, j.Options)
	return n
}

// domain is the domain of an item; empty if the row has a fault, or if nothing gives the domain.
// The first row without a domain gets a fault. A bank says what its domain is; what is about the
// items of the lake has their domain.
func (n *naming) domain(r *Row, imageID string, isBank bool) string {
	given, known := cmp.Or(n.Options.Domain, r.Text("domain")), n.Known.Domain(imageID)
	domain := cmp.Or(DomainOf(imageID, given), known)
	if !isBank && known != "" && domain != known {
		if given != "" {
			n.Count("%d rows are said to be of another domain than their pictures in the lake, which counts; "+
				"the picture %s is of %s", imageID, known)
		}
		domain = known
	}
	switch {
	case r.Faulty:
		return ""
	case domain == "" && !n.domainAsked:
		r.Fault("image",
			"the name %q does not give its domain, and the lake has no questions or pictures of it: "+
				"load its question bank first, or name the domain with --domain", imageID)
		n.domainAsked = true
	}
	return domain
}

// captionedBy finds the captioner and the prompt of a row. The row must not contradict the command
// or the path.
func (n *naming) captionedBy(r *Row) (captioner, prompt string, err error) {
	if name := cmp.Or(r.Text("captioner"), n.captioner); name != "" {
		if captioner, err = n.ModelID(name); err != nil {
			return "", "", err
		}
	}
	if id := modelID(n.captioner); n.captioner != "" && id != captioner {
		r.Fault("captioner", "the row is of %s, and the command or the path says %s: leave one of the two out",
			captioner, id)
	}
	// The row may have a prompt's name, or the text of a prompt.
	given := r.Text("prompt")
	prompt = cmp.Or(PromptOfText(given), PromptName(given))
	isUnknownText := prompt == given && strings.ContainsAny(given, " \n") // A name has no blanks.
	switch {
	case given == "", isUnknownText && n.prompt != "": // The command or the path names an unknown text's prompt.
		prompt = n.prompt
	case isUnknownText && !n.promptAsked:
		r.Fault("prompt", "the prompt %q is not one of the paper's: name it with --prompt", given)
		n.promptAsked = true
	case n.prompt != "" && n.prompt != prompt:
		r.Fault("prompt", "the row is of the prompt %s, and the command or the path says %s: leave one of the two out",
			prompt, n.prompt)
	}
	if prompt == "" && captioner == arena.Human {
		prompt = PromptReference
	}
	// After an unknown prompt the file is refused, so no further row is needed.
	if r.Faulty = r.Faulty || n.promptAsked; r.Faulty {
		return "", "", nil
	}
	return captioner, prompt, NeedCaptionedBy(n.Source, captioner, prompt)
}

// promptFolders are the authors' folders for captions, and their prompts (CaptionQA section 3.3).
var promptFolders = map[string]string{
	"long": captionqa.PromptLong, "short": captionqa.PromptShort, "simple": captionqa.PromptSimple,
	"taxonomy": captionqa.PromptTaxonomyHinted, "taxonomy-hinted": captionqa.PromptTaxonomyHinted,
	"taxonomy_hinted": captionqa.PromptTaxonomyHinted, "taxonomy-default": captionqa.PromptTaxonomyHinted,
	"taxonomy_default": captionqa.PromptTaxonomyHinted,
}

// PromptName spells one of the paper's prompts as the tables do; another prompt's name only loses
// blanks around it.
func PromptName(name string) string {
	name = strings.TrimSpace(name)
	if known, ok := promptFolders[strings.ToLower(name)]; ok {
		return known
	}
	return name
}

// PromptOfText is the name of the paper's prompt with this text; empty for another text.
func PromptOfText(text string) string {
	for _, name := range captionqa.CaptionPrompts() {
		if known, ok := captionqa.PromptText(name); ok && known == strings.TrimSpace(text) {
			return name
		}
	}
	return ""
}

// CaptionedBy finds the captioner's name and the prompt of a file: from the options, or from the
// authors' path convention <prompt>/<org_model>.json if the folder is one of theirs. A value that
// neither the options nor the path gives is empty.
func CaptionedBy(s file.Source, o Options) (captioner, prompt string) {
	folder, known := promptFolders[strings.ToLower(s.Folder())]
	captioner, prompt = o.Captioner, PromptName(o.Prompt)
	if prompt == "" {
		prompt = folder
	}
	if captioner == "" && known {
		// The authors write the slash of a model hub's name as the first underscore. The registry
		// ignores punctuation, but a model that is new to it gets the hub's own name.
		captioner = strings.Replace(s.Stem(), "_", "/", 1)
	}
	return captioner, prompt
}

// NeedCaptionedBy is the error of rows without a captioner, or without a prompt; nil if they have
// both.
func NeedCaptionedBy(s file.Source, captioner, prompt string) error {
	if captioner == "" {
		return s.Refuse("name it with --captioner, such as --captioner qwen2.5-vl-3b, or human for captions of people,"+
			" or give the file the authors' place <prompt>/<org_model>.json", Unsaid+"which model wrote the captions")
	}
	if prompt == "" {
		return s.Refuse("name it with --prompt, one of "+strings.Join(captionqa.CaptionPrompts(), ", ")+
			" or a name of your own, or put the file into a folder named after the prompt",
			Unsaid+"which prompt the captions were asked for with")
	}
	return nil
}

// UnitOf names a unit after the given parts, such as captioner and prompt, and the file. Empty
// parts are left out.
func UnitOf(s file.Source, parts ...string) string { return unitName(append(parts, s.Stem())...) }

// FolderUnit names a unit after the folder with the file, and the given parts, so that files of one
// name in several folders have different units.
func FolderUnit(s file.Source, parts ...string) string {
	// The base of the root is a separator, which cannot be in a name.
	folder := strings.TrimPrefix(filepath.Base(Full(path.Dir(s.Path))), string(filepath.Separator))
	return unitName(append([]string{folder}, parts...)...)
}

// Full is the absolute path of a folder.
func Full(folder string) string {
	full, _ := filepath.Abs(filepath.FromSlash(folder))
	return full
}

// readerUnit names a unit after the folder, the file and the reader.
func readerUnit(s file.Source, o Options) (name string, err error) {
	return FolderUnit(s, s.Stem(), modelID(o.Reader)), nil
}

// unitName joins the parts that are not empty.
func unitName(parts ...string) string {
	return strings.Join(slices.DeleteFunc(parts, func(part string) bool { return part == "" }), "/")
}

// modelID is the model_id of a name; empty for an empty name. An invalid name is no error
// here, because naming.captionedBy and Job.ModelID report the invalid name.
func modelID(name string) (id string) {
	if name != "" {
		id, _ = data.ModelIDFor(name)
	}
	return id
}
