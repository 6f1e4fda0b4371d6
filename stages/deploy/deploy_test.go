// Package deploy has the files that start vLLM on AMD Instinct. There is no GPU, container engine
// or cluster where the tests run: programs that stand in for these note how they are called, and
// the slow tests hand what they noted to vLLM's own parsers.
package deploy

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"go.yaml.in/yaml/v3"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
)

// A line is a command line of vLLM, beginning with vllm.
type line []string

func (l line) flags() []string {
	var flags []string
	for _, word := range l {
		if flag, _, _ := strings.Cut(word, "="); strings.HasPrefix(flag, "--") {
			flags = append(flags, flag)
		}
	}
	return flags
}

// everywhere are the flags without which a server records or decodes something else, with their
// values.
var everywhere = []string{
	"--generation-config vllm", "--enable-prefix-caching", "--enable-prompt-tokens-details", "--max-model-len 32768",
	"--max-num-batched-tokens 16384", "--max-num-seqs 256", "--gpu-memory-utilization 0.92",
}

// check fails where a command line has a flag that vLLM does not have, or is without one that it
// needs.
func (l line) check(t *testing.T) {
	t.Helper()
	content := must.Read(t, filepath.Join("testdata", "vllm-"+vllmVersion+".flags"))
	_, known, found := strings.Cut("\n"+string(content), "\n"+l[1]+":")
	known, _, _ = strings.Cut(known, "\n")
	if !found {
		t.Errorf("%q is no command of vLLM", l[:2])
	}
	for _, flag := range l.flags() {
		if !slices.Contains(strings.Fields(known), flag) {
			t.Errorf("%s: vllm %s has no such flag", flag, l[1])
		}
	}
	text := strings.ReplaceAll(strings.Join(l, " "), "=", " ") + " "
	for _, part := range append([]string{"--served-model-name"}, everywhere...) {
		expect.Contains(t, text, " "+part+" ")
	}
}

// program writes a script that stands in for a program.
func program(t *testing.T, dir, name, text string) {
	t.Helper()
	must.Succeed(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/bash\n"+text+"\n"), 0o777))
}

// noting is a stand-in that keeps its arguments, each in a line of a file of its own.
const noting = `printf '%s\n' "${0##*/}" "$@" > "called-${0##*/}-$HIP_VISIBLE_DEVICES-$$"`

// called are the command lines that stand-ins have noted.
func called(t *testing.T, dir, name string) []line {
	t.Helper()
	paths := must.Get(filepath.Glob(filepath.Join(dir, "called-"+name+"-*")))(t)
	var lines []line
	for _, path := range paths {
		content := must.Read(t, path)
		lines = append(lines, strings.Split(strings.TrimSuffix(string(content), "\n"), "\n"))
	}
	return lines
}

// A service is what Compose makes of one of the file.
type service struct {
	Image       string
	Entrypoint  []string
	Command     []string
	Devices     []string
	SecurityOpt []string `yaml:"security_opt"`
	IPC         string
	Profiles    []string
	Ports       []string
	Environment map[string]string
	Restart     string
	Logging     struct{ Options map[string]string }
	Healthcheck struct{ Test []string }
}

// composed are the services of compose.yaml with the variables of the environment, which Compose
// and bash write alike.
func composed(t *testing.T, environment ...string) map[string]service {
	t.Helper()
	content := must.Read(t, "compose.yaml")
	text := regexp.MustCompile(`(?m)^#.*$`).ReplaceAllString(string(content), "")
	cmd := exec.Command("bash", "-uc", "cat <<END\n"+strings.ReplaceAll(text, "$$", `\$`)+"\nEND")
	cmd.Env = append([]string{"PATH=" + os.Getenv("PATH")}, environment...)
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v: %s", err, errs.String())
	}
	var file struct{ Services map[string]service }
	must.Succeed(t, yaml.Unmarshal(out, &file))
	return file.Services
}

// starts is the command line of vLLM that a service runs.
func (s service) starts(t *testing.T) line {
	t.Helper()
	dir := t.TempDir()
	program(t, dir, "vllm", noting)
	argv := slices.Concat(s.Entrypoint, s.Command)
	cmd := exec.Command(argv[0], argv[1:]...)
	cmd.Dir, cmd.Env = dir, []string{"PATH=" + dir + string(os.PathListSeparator) + os.Getenv("PATH")}
	for name, value := range s.Environment {
		cmd.Env = append(cmd.Env, name+"="+value)
	}
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	lines := called(t, dir, "vllm")
	must.Equal(t, len(lines), 1, "servers of one service")
	return lines[0]
}

func TestCompose(t *testing.T) {
	services := composed(t)
	taken := map[string]string{} // of a profile: ports and GPUs
	profiles := map[string]int{}
	for name, s := range services {
		if !slices.Equal(s.Devices, []string{"/dev/kfd", "/dev/dri"}) ||
			!slices.Equal(s.SecurityOpt, []string{"seccomp:unconfined"}) || s.IPC != "host" ||
			len(s.Profiles) != 1 || len(s.Ports) != 1 || s.Environment["HF_HOME"] != "/models" ||
			s.Restart != "on-failure:3" ||
			s.Logging.Options["max-size"] == "" || len(s.Healthcheck.Test) == 0 {
			t.Errorf("%s does not have all that a ROCm container needs: %+v", name, s)
			continue
		}
		for _, name := range []string{"HF_TOKEN", "HF_HUB_OFFLINE", "VLLM_API_KEY"} {
			if value, handed := s.Environment[name]; !handed || value != "" {
				t.Errorf("%s is not handed on", name)
			}
		}
		profiles[s.Profiles[0]]++
		for _, what := range []string{"port " + s.Ports[0], "GPU " + s.Environment["HIP_VISIBLE_DEVICES"]} {
			key := s.Profiles[0] + " " + what
			if other, twice := taken[key]; twice {
				t.Errorf("%s and %s both have the %s", other, name, what)
			}
			taken[key] = name
		}
		if !strings.HasPrefix(s.Ports[0], "127.0.0.1:") {
			t.Errorf("%s is open to the network", name)
		}
		s.starts(t).check(t)
	}
	expect.Equal(t, profiles, map[string]int{"captioner": 1, "reader": 1, "readers": 8})
}

// Every setting that the file lists has an effect, and it has no other.
func TestComposeSettings(t *testing.T) {
	content := must.Read(t, "compose.yaml")
	head, body, _ := strings.Cut(string(content), "x-vllm:")
	listed := regexp.MustCompile(`\b[A-Z]+(_[A-Z]+)*\b`).FindAllString(head[strings.Index(head, "Settings"):], -1)
	var used []string
	for _, m := range regexp.MustCompile(`\$\{([A-Z_]+)|(?m)^  ([A-Z_]+):(?:  .*)?$`).FindAllStringSubmatch(body, -1) {
		used = append(used, m[1]+m[2])
	}
	slices.Sort(listed)
	slices.Sort(used)
	if used = slices.Compact(used); !slices.Equal(slices.Compact(listed), used) {
		t.Errorf("listed %v, used %v", listed, used)
	}
	services := composed(t, "READER=/models/mine", "READER_NAME=mine", "READER_GPUS=0,1,2,3",
		"READER_FLAGS=--tensor-parallel-size 4 --max-num-seqs 512",
		"CAPTIONER=/models/own", "CAPTIONER_NAME=own",
		"CAPTIONER_FLAGS=--chat-template /models/own.jinja --trust-remote-code", "BIND=10.0.0.1", "VLLM_IMAGE=other")
	reader, captioner := services["reader"], services["captioner"]
	if reader.Image != "other" || reader.Ports[0] != "10.0.0.1:8000:8000" ||
		reader.Environment["HIP_VISIBLE_DEVICES"] != "0,1,2,3" ||
		services["reader-3"].Environment["HIP_VISIBLE_DEVICES"] != "3" {
		t.Errorf("%+v", reader)
	}
	for got, want := range map[string]string{
		strings.Join(reader.starts(t),
			" "): "vllm serve /models/mine --served-model-name mine … --tensor-parallel-size 4 --max-num-seqs 512",
		strings.Join(captioner.starts(t),
			" "): "vllm serve /models/own --served-model-name own … --chat-template /models/own.jinja --trust-remote-code",
	} {
		begins, ends, _ := strings.Cut(want, "…")
		if !strings.HasPrefix(got, begins) || !strings.HasSuffix(got, ends) {
			t.Errorf("got %s, want %s", got, want)
		}
	}
}

// Kubernetes serves with the same flags as Compose.
func TestKubernetes(t *testing.T) {
	l := kubernetes(t)
	l.check(t)
	compose := composed(t)["reader"].starts(t)
	if got, want := strings.ReplaceAll(strings.Join(l, " "), "=", " "), strings.Replace(strings.Join(compose, " "),
		" --host 0.0.0.0", "", 1); got != strings.TrimSpace(want) {
		t.Errorf("got %s, want %s", got, want)
	}
}

// kubernetes is the command line of the servers on Kubernetes.
func kubernetes(t *testing.T) line {
	t.Helper()
	content := must.Read(t, "kubernetes.yaml")
	for document := range strings.SplitSeq(string(content), "\n---\n") {
		var set struct {
			Kind string
			Spec struct {
				Template struct {
					Spec struct {
						Containers []struct{ Command, Args []string }
					}
				}
			}
		}
		must.Succeed(t, yaml.Unmarshal([]byte(document), &set))
		if set.Kind == "StatefulSet" {
			c := set.Spec.Template.Spec.Containers[0]
			return slices.Concat(c.Command, c.Args)
		}
	}
	t.Fatal("no servers")
	return nil
}

// All files run the same image, and the page names it.
func TestOneImage(t *testing.T) {
	image := regexp.MustCompile(`vllm/vllm-openai-rocm:v[0-9.]+[0-9]`)
	var first string
	for _, path := range []string{"compose.yaml", "vllm.slurm", "kubernetes.yaml", "README.md", "CLUSTER.md",
		"../config/template.yaml"} {
		content := must.Read(t, path)
		found := image.FindAllString(string(content), -1)
		if len(found) == 0 {
			t.Errorf("%s does not name the image", path)
		}
		for _, name := range found {
			if first == "" {
				first = name
			}
			expect.Equal(t, name, first, path)
		}
	}
}

// Shell files are what ShellCheck passes.
func TestShellCheck(t *testing.T) {
	check, err := exec.LookPath("shellcheck")
	if err != nil {
		t.Skip("no shellcheck (Debian: shellcheck)")
	}
	if out, err := exec.Command(check, "vllm.slurm", filepath.Join("..", "..", ".ci", "run"),
		filepath.Join("..", "..", ".ci", "release")).CombinedOutput(); err != nil {
		t.Errorf("%v\n%s", err, out)
	}
}

// suggested are the flags that the pages give to servers.
func suggested(t *testing.T) []string {
	t.Helper()
	var all []string
	for _, path := range []string{"README.md", "CLUSTER.md"} {
		content := must.Read(t, path)
		for _, m := range regexp.MustCompile(`FLAGS="([^"]*)"`).FindAllStringSubmatch(string(content), -1) {
			all = append(all, m[1])
		}
	}
	if len(all) < 4 {
		t.Errorf("the pages give only the flags %q", all)
	}
	return all
}

// Flags that the pages give are ones that vLLM has.
func TestSuggestedFlags(t *testing.T) {
	for _, flags := range suggested(t) {
		composed(t, "CAPTIONER_FLAGS="+flags)["captioner"].starts(t).check(t)
	}
}
