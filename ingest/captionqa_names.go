package ingest

import (
	"path"
	"path/filepath"
	"slices"
	"strings"

	"github.com/captionlake/captionlake/data"
	"github.com/captionlake/captionlake/data/captionqa"
)

// captionqaDomains are the four domains, in the order that the split "all" has them in.
var captionqaDomains = data.CaptionQA().Domains

// domainOf returns the domain of an item: by the start of its name, or else the one that the user names.
func domainOf(imageID string, o Options) (string, bool) {
	for _, d := range captionqaDomains {
		if strings.HasPrefix(imageID, d.Prefix) {
			return d.Name, true
		}
	}
	return domainName(o.Domain), o.Domain != ""
}

// namedDomain is the domain of an item by its name or by the options; empty where neither tells it.
func (j *Job) namedDomain(imageID string) (string, error) {
	domain, _ := domainOf(imageID, j.Options)
	return domain, nil
}

// unknownToBank says what to do about an item whose domain knownDomain does not find.
const unknownToBank = ", and the lake has neither questions nor pictures of it: load its question bank first, or name the domain with --domain"

// knownDomain finds domains as namedDomain does, and where that finds none, takes the domain of the item's questions or
// pictures in the lake, which it reads at the first such item.
func (j *Job) knownDomain() func(imageID string) (string, error) {
	return func(imageID string) (string, error) {
		if domain, ok := domainOf(imageID, j.Options); ok {
			return domain, nil
		}
		return j.known.domainOf(j.Lake, imageID)
	}
}

// domainName spells one of the four domains as the tables do; another domain's name stays as it is.
func domainName(name string) string {
	key := strings.NewReplacer(" ", "", "-", "", "_", "").Replace(strings.ToLower(name))
	for _, d := range captionqaDomains {
		if key == d.Split {
			return d.Name
		}
	}
	return name
}

// promptFolders are the folders that the authors' tools write captions to, and the prompts that they stand for
// (CaptionQA section 3.3).
var promptFolders = map[string]string{
	"long": captionqa.PromptLong, "short": captionqa.PromptShort, "simple": captionqa.PromptSimple,
	"taxonomy": captionqa.PromptTaxonomyHinted, "taxonomy-hinted": captionqa.PromptTaxonomyHinted,
	"taxonomy_hinted": captionqa.PromptTaxonomyHinted, "taxonomy-default": captionqa.PromptTaxonomyHinted,
	"taxonomy_default": captionqa.PromptTaxonomyHinted,
}

// promptName spells one of the paper's prompts as the tables do; another prompt's name stays as it is, without blanks around it.
func promptName(name string) string {
	name = strings.TrimSpace(name)
	if known, ok := promptFolders[strings.ToLower(name)]; ok {
		return known
	}
	return name
}

// captionedBy finds the captioner's model_id and the prompt of a file: from the options, or from the authors' path
// convention <prompt>/<org_model>.json where the folder is one of theirs. What neither tells is left empty.
func captionedBy(s Source, o Options) (captioner, prompt string, err error) {
	file := path.Clean(filepath.ToSlash(s.Path))
	folder, known := promptFolders[strings.ToLower(path.Base(path.Dir(file)))]
	prompt, name := promptName(o.Prompt), o.Captioner
	if prompt == "" {
		prompt = folder
	}
	if name == "" && known {
		// The authors write the slash of a model hub's name as the first underscore; the registry does not mind
		// punctuation, but a model that is new to it gets the hub's own name.
		stem := strings.TrimSuffix(path.Base(file), path.Ext(file))
		name = strings.Replace(stem, "_", "/", 1)
	}
	if name == "" {
		return "", prompt, nil
	}
	captioner, err = data.ModelIDFor(name)
	return captioner, prompt, err
}

// needCaptionedBy is captionedBy for formats that cannot do without either.
func needCaptionedBy(s Source, o Options) (captioner, prompt string, err error) {
	captioner, prompt, err = captionedBy(s, o)
	if err != nil {
		return "", "", err
	}
	if captioner == "" {
		return "", "", missing(s, "which model wrote the captions", "name it with --captioner, such as --captioner qwen2.5-vl-3b, "+
			"or give the file the authors' place <prompt>/<org_model>.json")
	}
	if prompt == "" {
		return "", "", missing(s, "which prompt the captions were asked for with", "name it with --prompt, one of "+
			strings.Join(captionqa.CaptionPrompts(), ", ")+" or a name of your own, or put the file into a folder named after the prompt")
	}
	return captioner, prompt, nil
}

// errNoReader says that nobody names the reader of a file. None is assumed: a row under another reader's name is a wrong result.
func errNoReader(s Source) error {
	return missing(s, "which model answered the questions", "name it with --reader, such as --reader qwen2.5-72b, the reader of the published scores")
}

// readerID is the model_id of the reader that the options name.
func readerID(s Source, o Options) (string, error) {
	if o.Reader == "" {
		return "", errNoReader(s)
	}
	return data.ModelIDFor(o.Reader)
}

// bankUnit names a bank after its file and the folder that holds it, so that banks of one file name stay apart.
func bankUnit(s Source, base string, o Options) string {
	parts := []string{base}
	if full, err := filepath.Abs(filepath.FromSlash(s.Path)); err == nil {
		if folder := filepath.Base(filepath.Dir(full)); folder != string(filepath.Separator) {
			parts = slices.Insert(parts, 0, folder)
		}
	}
	if o.Domain != "" {
		parts = append(parts, domainName(o.Domain))
	}
	return strings.Join(parts, "/")
}
