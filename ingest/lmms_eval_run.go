package ingest

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io/fs"
	"maps"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/captionlake/captionlake/data"
)

// A run of lmms-eval leaves in its output folder
//
//	<model>/<time>_results.json             figures, the configuration of every task, the model's name, the number of samples
//	<model>/<time>_samples_<task>.jsonl     one line for each sample, with --log_samples
//	capability_results/<X>/{inference,evaluation}/<dimension>.jsonl   captions and judgments of its capability tasks
//
// (loggers/evaluation_tracker.py, tasks/capability/utils.py). <model> is the checkpoint's name with two underscores for
// what a folder cannot hold, nothing when no checkpoint was named; <time> counts seconds, so that two runs may share it;
// <X> is --log_samples_suffix or else the model's class, which many checkpoints share. Sample logs do not say who wrote
// them nor how many lines they should have: the results file beside them does.

// lmmsSampleName is the name of a sample log: the run's time and the task.
var lmmsSampleName = regexp.MustCompile(`^(.+)_samples_(.+)\.jsonl$`)

// lmmsResultsEnding ends the name of a results file, after the run's time.
const lmmsResultsEnding = "_results.json"

// lmmsFile splits a sample log's name into the run's time and the task. Another name is a task's as a whole.
func lmmsFile(s Source) (time, task string) {
	if m := lmmsSampleName.FindStringSubmatch(s.base()); m != nil {
		return m[1], m[2]
	}
	return "", strings.TrimSuffix(s.base(), path.Ext(s.base()))
}

// An lmmsRun is what the results file of a run says.
type lmmsRun struct {
	source Source
	time   string
	file   node
}

// readLmmsRun reads a results file. Faults of the file are reported through fault.
func readLmmsRun(s Source, fault faultFunc) (run *lmmsRun, err error) {
	text, err := s.text()
	if err != nil {
		return nil, err
	}
	file, err := newJSONReader(withoutNaN(text), fault).whole()
	return &lmmsRun{source: s, time: strings.TrimSuffix(s.base(), lmmsResultsEnding), file: file}, err
}

// lmmsRunOf finds the run that wrote a sample log: that of the results file beside it with the same time. It is nil
// when there is none, or none that can be read; loading that file itself says why.
func lmmsRunOf(s Source) *lmmsRun {
	time, _ := lmmsFile(s)
	if time == "" {
		return nil
	}
	return tryLmmsRun(s.sibling(time + lmmsResultsEnding))
}

// tryLmmsRun reads a results file that may be missing or broken; then it is nil.
func tryLmmsRun(s Source) *lmmsRun {
	run, err := readLmmsRun(s, func(int, int, string, ...any) {})
	if err != nil {
		return nil
	}
	return run
}

// Python writes the numbers that JSON does not have under names of their own.
var pythonNumbers = regexp.MustCompile(`"(?:[^"\\]|\\.)*"|-?Infinity|NaN`)

// pythonNaN is the text that stands for each of them. With its quotes it is as long as the shortest, so that no place in
// the file moves.
const pythonNaN = "?"

// withoutNaN makes a JSON text of one that Python wrote: what is no number in JSON becomes the string "?" in the same
// place. A text without such is returned as it is.
func withoutNaN(text []byte) []byte {
	if !bytes.Contains(text, []byte("NaN")) && !bytes.Contains(text, []byte("Infinity")) {
		return text
	}
	return pythonNumbers.ReplaceAllFunc(text, func(found []byte) []byte {
		if found[0] == '"' {
			return found
		}
		text := []byte(strconv.Quote(pythonNaN))
		return append(text, bytes.Repeat([]byte{' '}, len(found)-len(text))...)
	})
}

// at is the value under a path of keys; null where there is none.
func (n node) path(keys ...string) node {
	for _, key := range keys {
		n, _ = n.field(key)
	}
	return n
}

// str is a string's text; empty for other values.
func (n node) str() string {
	if n.kind != kindString {
		return ""
	}
	return n.text
}

// task is the configuration of a task.
func (r *lmmsRun) task(name string) node { return r.file.path("configs", name) }

// class is the name of the model's class, such as qwen2_5_vl.
func (r *lmmsRun) class() string {
	if class := r.file.path("model_source").str(); class != "" {
		return class
	}
	return r.file.path("config", "model").str()
}

// suffix is what capability_results calls the run's folder.
func (r *lmmsRun) suffix() string {
	suffix := r.file.path("config", "resolved_cli_args", "log_samples_suffix").str()
	if suffix == "" || suffix == "model_outputs" {
		return r.class()
	}
	return suffix
}

// samples is how many samples of a task the run asked for; false when the file does not say.
func (r *lmmsRun) samples(task string) (n int, ok bool) {
	n, err := strconv.Atoi(r.file.path("n-samples", task, "effective").text)
	original, err2 := strconv.Atoi(r.file.path("n-samples", task, "original").text)
	if offset, _ := wholeNumber(r.file.path("config", "offset").text); err2 == nil && offset > 0 {
		n = max(0, min(n, original-offset)) // lmms-eval counts the samples before the offset, too.
	}
	return n, err == nil
}

// noteMissing notes that a log has fewer samples than its run asked for.
func (r *lmmsRun) noteMissing(j *Job, log Source, task string, has int) bool {
	if r == nil {
		return false
	}
	n, ok := r.samples(task)
	if !ok || has >= n {
		return false
	}
	j.Note("%s: the log has %d of the %d samples that the run asked for (n-samples of %s): it broke off, or lines of it cannot be used", log.Path, has, n, r.source.base())
	return true
}

// hubSnapshot is the place of a checkpoint in a model hub's cache.
var hubSnapshot = regexp.MustCompile(`models--(.+?)(?:[/\\]|__)snapshots(?:[/\\]|__)`)

// modelArgument finds the checkpoint in a model's arguments, in lmms-eval's own order of preference.
var modelArgument = regexp.MustCompile(`(?:^|,)(?:pretrained|model|model_version|model_name|model_id|path|engine)=([^,]+)`)

// model is the name of the model that wrote the captions; note says what is to be known about it.
func (r *lmmsRun) model() (name, note string) {
	name = r.file.path("model_name").str()
	arguments := r.file.path("config", "model_args")
	if name == "" {
		if m := modelArgument.FindStringSubmatch(arguments.str()); m != nil {
			name = m[1]
		}
	}
	for _, key := range []string{"pretrained", "model", "model_version", "model_name", "model_id", "path", "engine"} {
		if name == "" {
			name = arguments.path(key).str()
		}
	}
	if name == "" && r.class() != "" {
		return r.class(), fmt.Sprintf("the run names no checkpoint; its captioner is called after the model class %s: name it with --captioner", clip(r.class()))
	}
	return checkpointName(name), ""
}

// checkpointName is the name of a checkpoint: a place in the cache of a model hub is the hub's name; another path loses
// what says nothing.
func checkpointName(name string) string {
	if m := hubSnapshot.FindStringSubmatch(name); m != nil {
		return strings.Replace(m[1], "--", "/", 1)
	}
	if name == "" {
		return ""
	}
	return strings.Trim(path.Clean(filepath.ToSlash(name)), "/")
}

// lmmsCaptioner finds the captioner of a sample log: --captioner, the model of the results file beside it, or the folder,
// which lmms-eval names after the model, with two underscores for the slash of a model hub.
func lmmsCaptioner(s Source, run *lmmsRun, o Options) (id, note string, err error) {
	name := o.Captioner
	if name == "" && run != nil {
		name, note = run.model()
	}
	if name == "" {
		folder := path.Base(path.Dir(path.Clean(filepath.ToSlash(s.Path))))
		switch {
		case hubSnapshot.MatchString(folder):
			name = checkpointName(folder)
		case strings.Contains(folder, "__") && !strings.HasPrefix(folder, "snapshots__"):
			name = strings.Replace(folder, "__", "/", 1)
		}
	}
	if name == "" {
		return "", "", missing(s, "which model wrote the captions", "name it with --captioner, such as --captioner qwen2.5-vl-3b, "+
			"or leave the log beside the results file of its run, which names the model")
	}
	id, err = data.ModelIDFor(name)
	return id, note, err
}

// lmmsReader is the name of a captionqa task's reader: the judge that the run launched, or that of the task's configuration. Most runs name
// none: it comes from an environment variable that no file records.
func lmmsReader(run *lmmsRun, task string) string {
	if run == nil {
		return ""
	}
	launched := run.file.path("config", "resolved_cli_args", "launcher_args").str()
	if m := launcherModel.FindStringSubmatch(launched); m != nil {
		return m[1]
	}
	return run.task(task).path("metadata", "judge_model").str()
}

// launcherModel finds the judge in the arguments of lmms-eval's server launcher.
var launcherModel = regexp.MustCompile(`(?:^|,)model=([^,]+)`)

// lmmsDomain is the domain of a task: --domain; that of the split that it evaluates; that of the split that its name
// begins with, as in captionqa_natural_short; or else a domain of the user's own, named after the task. A task of all
// splits has none.
func lmmsDomain(run *lmmsRun, task string, o Options) string {
	if o.Domain != "" {
		return domainName(o.Domain)
	}
	if run != nil {
		split := run.task(task).path("test_split").str()
		if split == "all" {
			return ""
		}
		if name := domainName(split); isDomain(name) {
			return name
		}
	}
	rest := strings.TrimPrefix(strings.TrimPrefix(task, data.BenchmarkCaptionQA), "_")
	for _, d := range captionqaDomains {
		if rest == d.Split || strings.HasPrefix(rest, d.Split+"_") {
			return d.Name
		}
	}
	return domainName(rest)
}

// isDomain reports whether a name is one of the four domains.
func isDomain(name string) bool { return slices.Contains(data.CaptionQA().DomainNames(), name) }

// An lmmsPrompt is what a captioner was asked with.
type lmmsPrompt struct {
	System string `json:"system_instruction,omitempty"`
	Text   string `json:"text"`
}

// keepPrompts keeps the texts of prompts in the detail of the run, and notes those that are not of the paper.
func (j *Job) keepPrompts(prompts map[string]lmmsPrompt) {
	j.detail["prompts"] = prompts
	for _, name := range slices.Sorted(maps.Keys(prompts)) {
		p := prompts[name]
		if _, known := captionPrompts()[p.Text]; !known || p.System != "" {
			j.Note("%s: the prompt is not one of the paper's; it is called %s: %q", j.Source.Path, name, clip(strings.TrimSpace(p.System+" "+p.Text)))
		}
	}
}

// name is one of the known prompts, by their texts, if the captioner was asked with nothing else. Another prompt is one of
// the user's own: its name tells the known prompt that it contains, the first words of what is not known, and a digest of
// it all, so that one text has one name and two texts have two.
func (p lmmsPrompt) name(known map[string]string) string {
	if name, ok := known[p.Text]; ok && p.System == "" {
		return name
	}
	base, longest := "", ""
	for text, name := range known {
		if strings.Contains(p.Text, text) && (len(text) > len(longest) || len(text) == len(longest) && name < base) {
			base, longest = name, text
		}
	}
	rest := p.System + " " + p.Text
	if base != "" {
		rest = p.System + " " + strings.Replace(p.Text, longest, " ", 1)
		base += "+"
	}
	if words := promptWords(rest); words != "" {
		base += words + "-"
	} else if base == "" {
		base = "prompt-"
	}
	sum := sha256.Sum256([]byte(p.System + "\x00" + p.Text))
	return base + hex.EncodeToString(sum[:4])
}

// promptWords are the first words of a text, in lower case and joined by dashes, 40 letters at most.
func promptWords(text string) string {
	const most = 40
	var b strings.Builder
	for word := range strings.FieldsFuncSeq(strings.ToLower(text), func(r rune) bool { return (r < 'a' || r > 'z') && (r < '0' || r > '9') }) {
		if b.Len() > 0 {
			if b.Len()+1+len(word) > most {
				break
			}
			b.WriteByte('-')
		}
		b.WriteString(word[:min(len(word), most)])
	}
	return b.String()
}

// system is what the run told the captioner before every prompt.
func (r *lmmsRun) system() string {
	if r == nil {
		return ""
	}
	if text := r.file.path("system_instruction").str(); text != "" {
		return strings.TrimSpace(text)
	}
	return strings.TrimSpace(r.file.path("config", "resolved_cli_args", "system_instruction").str())
}

// prompt is what a task of the run asks with: the description, and before, caption and after of the captionqa tasks
// (captionqa_doc_to_text), of which those chosen for the model come before the default ones.
func (r *lmmsRun) prompt(task string) (p lmmsPrompt, ok bool) {
	config := r.task(task)
	arguments := config.path("lmms_eval_specific_kwargs")
	text := func(key string) string {
		if n, ok := arguments.field(key); ok {
			return n.str()
		}
		return arguments.path("default", key).str()
	}
	caption := text("caption_prompt")
	whole := config.path("description").str() + text("pre_prompt") + caption + text("post_prompt")
	return lmmsPrompt{r.system(), strings.TrimSpace(whole)}, caption != ""
}

// askedWith is what a sample says that the captioner was asked with: under "input" or, in older logs, "arguments"; a text,
// the first of a list, or the messages of a chat. lmms-eval puts the system instruction before the text.
func askedWith(sample node, run *lmmsRun) (p lmmsPrompt, ok bool) {
	n, ok := sample.field("input")
	if !ok {
		n, ok = sample.field("arguments")
	}
	for ok && n.kind == kindArray && len(n.items) > 0 && n.items[0].path("role").str() == "" {
		n = n.items[0]
	}
	p = lmmsPrompt{System: run.system()}
	switch {
	case n.kind == kindString:
		p.Text = n.text
	case n.kind == kindArray:
		for _, message := range n.items {
			if text := messageText(message.path("content")); message.path("role").str() == "system" {
				p.System = strings.TrimSpace(text)
			} else {
				p.Text += text
			}
		}
	default:
		return p, false
	}
	p.Text = strings.TrimSpace(strings.ReplaceAll(p.Text, "<image>", ""))
	p.Text = strings.TrimSpace(strings.TrimPrefix(p.Text, p.System))
	return p, true
}

// messageText is the text of a chat message's content: a text, or parts of which some are texts.
func messageText(content node) string {
	text := content.str()
	for _, part := range content.items {
		text += part.path("text").str()
	}
	return text
}

// lmmsRunsBelow lists the runs whose results files lie in a folder or in one below it, ordered by their names.
func lmmsRunsBelow(root fs.FS, shown string) []*lmmsRun {
	var runs []*lmmsRun
	for _, pattern := range []string{"*" + lmmsResultsEnding, "*/*" + lmmsResultsEnding} {
		names, err := fs.Glob(root, pattern)
		if err != nil {
			continue // The patterns are good; a folder that cannot be read has no runs to tell of.
		}
		for _, name := range names {
			if run := tryLmmsRun(Source{FS: root, Name: name, Path: path.Join(shown, name)}); run != nil {
				runs = append(runs, run)
			}
		}
	}
	return runs
}
