package stages

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/goccy/go-yaml"

	"github.com/captionlake/captionlake/data/must"
	"github.com/captionlake/captionlake/stages/config"
	"github.com/captionlake/captionlake/stages/engine"
)

// documented are the flags of vllm serve and vllm run-batch that the files may use, from vLLM's command line reference
// (vllm serve: Frontend, config.ModelSettings, ParallelConfig, CacheConfig, SchedulerConfig and MultiModalConfig; vllm run-batch).
var documented = []string{
	"--served-model-name", "--host", "--port", "--tensor-parallel-size", "--generation-config", "--enable-prefix-caching",
	"--enable-prompt-tokens-details", "--max-model-len", "--max-num-batched-tokens", "--max-num-seqs", "--gpu-memory-utilization",
	"--api-server-count", "--limit-mm-per-prompt", "--model", "--input-file", "--output-file",
}

// everywhere are the flags without which a server records or decodes something else.
var everywhere = []string{
	"--served-model-name", "--generation-config", "--enable-prefix-caching", "--enable-prompt-tokens-details", "--max-num-batched-tokens",
	"--max-num-seqs", "--tensor-parallel-size",
}

var longFlag = regexp.MustCompile(`(?:^|[\s(])(--[a-z][a-z-]+)`)

func checkFlags(t *testing.T, what string, flags []string) {
	t.Helper()
	for _, f := range flags {
		if !slices.Contains(documented, f) {
			t.Errorf("%s: %s is no documented flag of vLLM", what, f)
		}
	}
	for _, f := range everywhere {
		if !slices.Contains(flags, f) {
			t.Errorf("%s does not have %s", what, f)
		}
	}
}

func TestDeployCompose(t *testing.T) {
	content, err := os.ReadFile(filepath.Join("deploy", "compose.yaml"))
	must.Succeed(t, err)
	var file struct {
		Services map[string]struct {
			Image       string            `yaml:"image"`
			Entrypoint  []string          `yaml:"entrypoint"`
			Devices     []string          `yaml:"devices"`
			GroupAdd    []string          `yaml:"group_add"`
			SecurityOpt []string          `yaml:"security_opt"`
			IPC         string            `yaml:"ipc"`
			Profiles    []string          `yaml:"profiles"`
			Ports       []string          `yaml:"ports"`
			Environment map[string]string `yaml:"environment"`
			Command     []string          `yaml:"command"`
		} `yaml:"services"`
	}
	must.Succeed(t, yaml.Unmarshal(content, &file))
	if len(file.Services) != 6 {
		t.Fatalf("%d services", len(file.Services))
	}
	taken := map[string]string{} // of a profile: ports and GPUs
	for name, s := range file.Services {
		if !strings.Contains(s.Image, "rocm") || !slices.Equal(s.Entrypoint, []string{"vllm", "serve"}) || !slices.Equal(s.Devices, []string{"/dev/kfd", "/dev/dri"}) ||
			len(s.GroupAdd) != 2 || s.GroupAdd[0] != "video" || !slices.Equal(s.SecurityOpt, []string{"seccomp:unconfined"}) || s.IPC != "host" ||
			len(s.Profiles) != 1 || len(s.Ports) != 1 || s.Environment["HF_HOME"] != "/models" {
			t.Errorf("%s does not have all that a ROCm container needs: %+v", name, s)
			continue
		}
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
		var flags []string
		for i, argument := range s.Command {
			flag, _, _ := strings.Cut(argument, "=")
			if i > 0 {
				flags = append(flags, flag)
			}
		}
		checkFlags(t, name, flags)
		if slices.Contains(flags, "--limit-mm-per-prompt") != (name == "captioner") {
			t.Errorf("%s: pictures are limited where there are none, or not where there are", name)
		}
	}
}

func TestDeploySlurm(t *testing.T) {
	path := filepath.Join("deploy", "vllm.slurm")
	content, err := os.ReadFile(path)
	must.Succeed(t, err)
	var flags []string
	for line := range strings.Lines(string(content)) {
		line = strings.TrimSpace(line)
		// Flags of other programs than vLLM.
		if strings.HasPrefix(line, "#") || strings.Contains(line, "curl ") || strings.Contains(line, "apptainer exec") || strings.Contains(line, "captionlake --lake") || strings.HasPrefix(line, "part=(") || strings.HasPrefix(line, "echo ") {
			continue
		}
		for _, m := range longFlag.FindAllStringSubmatch(line, -1) {
			flags = append(flags, m[1])
		}
	}
	checkFlags(t, path, flags)
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash to check the script with")
	}
	if out, err := exec.Command(bash, "-n", path).CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	// Without a mode it says what to do.
	out, err := exec.Command(bash, path).CombinedOutput()
	if err == nil || !strings.Contains(string(out), "say what to do: serve, or batch") {
		t.Fatalf("%v: %s", err, out)
	}
}

// slurm runs the script as a task of Slurm, with programs that note how they were called; servers note how they ended.
func slurm(t *testing.T, environment []string, arguments ...string) (noted []string, out string, code int) {
	t.Helper()
	bash, err := exec.LookPath("bash")
	if err != nil {
		t.Skip("no bash to run the script with")
	}
	dir := t.TempDir()
	for name, text := range map[string]string{
		"captionlake": `echo "captionlake $*" >> noted
			[ "$ENDS" ] || exit 0
			trap 'echo "the run was told to end" >> noted; exit 130' TERM; touch runs; while :; do sleep 0.02; done`,
		"curl": `for url; do :; done; port=${url##*:}; [ -e "up-${port%/health}" ]`,
		// The server is a child of what the script starts, as in a container.
		"apptainer": `trap : TERM; while [ "$1" != --port ]; do shift; done
			sh -c 'trap "echo server of $0 ended >> noted; exit" TERM; touch "up-$0"; while :; do sleep 0.02; done' "$2"`,
		"sleep": `exec /bin/sleep 0.02`,
	} {
		must.Succeed(t, os.WriteFile(filepath.Join(dir, name), []byte("#!/bin/sh\n"+text+"\n"), 0o777))
	}
	script, err := filepath.Abs(filepath.Join("deploy", "vllm.slurm"))
	must.Succeed(t, err)
	if slices.Contains(environment, "BUSY=8001") {
		must.Succeed(t, os.WriteFile(filepath.Join(dir, "up-8001"), nil, 0o666))
	}
	cmd := exec.Command(bash, append([]string{script}, arguments...)...)
	cmd.Dir = dir
	cmd.Env = append([]string{"PATH=" + dir + string(os.PathListSeparator) + os.Getenv("PATH"), "IMAGE=vllm.sif", "REPLICAS=2"}, environment...)
	var said strings.Builder
	cmd.Stdout, cmd.Stderr = &said, &said
	must.Succeed(t, cmd.Start())
	if slices.Contains(environment, "ENDS=yes") {
		for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
			if _, err := os.Stat(filepath.Join(dir, "runs")); err == nil {
				break
			}
		}
		if err := cmd.Process.Signal(syscall.SIGTERM); err != nil {
			t.Error(err)
		}
	}
	err = cmd.Wait()
	var exit *exec.ExitError
	if err != nil && !errors.As(err, &exit) {
		t.Fatal(err)
	}
	content, err := os.ReadFile(filepath.Join(dir, "noted"))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		t.Fatal(err)
	}
	noted = strings.Split(strings.TrimSpace(string(content)), "\n")
	return noted, said.String(), cmd.ProcessState.ExitCode()
}

// A task of an array asks about its own part, in the array of all parts and in one that repeats some, and leaves no server behind.
func TestDeploySlurmArray(t *testing.T) {
	task := func(id, least, most, n string, more ...string) []string {
		return append(more, "SLURM_ARRAY_TASK_ID="+id, "SLURM_ARRAY_TASK_MIN="+least, "SLURM_ARRAY_TASK_MAX="+most, "SLURM_ARRAY_TASK_COUNT="+n)
	}
	for _, c := range []struct {
		name        string
		environment []string
		part        string // part that is asked about; empty for none
		want        string // what is said where the script refuses
	}{
		{name: "no array"},
		{name: "array of all parts", environment: task("3", "1", "16", "16"), part: "3/16"},
		{name: "two tasks repeated", environment: task("7", "3", "7", "2", "PARTS=16"), part: "7/16"},
		{name: "first task repeated", environment: task("1", "1", "1", "1", "PARTS=16"), part: "1/16"},
		{name: "two tasks repeated, of nobody knows how many", environment: task("7", "3", "7", "2"), want: "set PARTS to the number of all parts"},
		{name: "first task repeated, of nobody knows how many", environment: task("1", "1", "1", "1"), want: "set PARTS to the number of all parts"},
		{name: "numbered from 0", environment: task("0", "0", "15", "16"), want: "--array=1-16"},
		{name: "not a part", environment: task("17", "17", "17", "1", "PARTS=16"), want: "numbered from 1"},
		{name: "another server has a port", environment: []string{"BUSY=8001"}, want: "port 8001"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			noted, out, code := slurm(t, c.environment, "serve", "answer")
			if c.want != "" {
				if code == 0 || !strings.Contains(out, c.want) || noted[0] != "" {
					t.Fatalf("exit %d, %s; %v", code, out, noted)
				}
				return
			}
			want := []string{"captionlake --lake lake run --config captionlake.yaml answer"}
			if id, _, ok := strings.Cut(c.part, "/"); ok {
				lake := "lake-part-" + id
				want = []string{"captionlake --lake " + lake + " merge lake", "captionlake --lake " + lake + " run --config captionlake.yaml --part " + c.part + " answer"}
			}
			want = append(want, "server of 8000 ended", "server of 8001 ended")
			slices.Sort(noted[len(noted)-min(2, len(noted)):])
			if code != 0 || !slices.Equal(noted, want) {
				t.Errorf("exit %d, %s;\n%q, want\n%q", code, out, noted, want)
			}
		})
	}
}

// What Slurm says before the time is up reaches the run, whose end is waited for.
func TestDeploySlurmEnds(t *testing.T) {
	noted, out, code := slurm(t, []string{"ENDS=yes"}, "serve")
	if code != 130 || len(noted) != 4 || noted[1] != "the run was told to end" {
		t.Errorf("exit %d, %s; %q", code, out, noted)
	}
}

// The command that a manifest gives has documented flags only, and those that matter.
func TestBatchCommandFlags(t *testing.T) {
	_, _, _, manifests := exportAnswers(t, config.Choice{}, engine.BatchOptions{Dir: t.TempDir()})
	for _, argument := range manifests[0].Command {
		if strings.HasPrefix(argument, "--") && !slices.Contains(documented, argument) {
			t.Errorf("%s is no documented flag of vLLM", argument)
		}
	}
	for _, f := range []string{"--served-model-name", "--generation-config", "--enable-prefix-caching", "--enable-prompt-tokens-details"} {
		if !slices.Contains(manifests[0].Command, f) {
			t.Errorf("the command does not have %s", f)
		}
	}
}
