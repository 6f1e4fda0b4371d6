package deploy

import (
	"errors"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
)

// A job is what Slurm is given, and when it tells the script to end: as soon as there is a file of
// that name.
type job struct {
	arguments, environment []string
	files                  map[string]string // in the folder of the job, by name
	ends                   string
}

// An outcome is what became of a job.
type outcome struct {
	noted []string // what stand-ins noted, in the order of time
	lines []line   // command lines of vLLM
	said  string
	code  int
	dir   string
}

// standIns are the programs that a job finds. Apptainer refuses what vLLM 0.32 refuses when it is
// imported on ROCm (platforms/rocm.py, _sync_hip_cuda_env_vars), and GPUs that HIP does not find
// among the GPUs that ROCR_VISIBLE_DEVICES leaves.
var standIns = map[string]string{
	"apptainer": `
		while [[ $1 == exec || $1 == --* ]]; do [[ $1 == exec ]] || shift; shift; done
		shift
		if [[ $CUDA_VISIBLE_DEVICES && $CUDA_VISIBLE_DEVICES != "$HIP_VISIBLE_DEVICES" ]]; then
			echo "ValueError: Inconsistent GPU visibility env vars:" \
				"HIP_VISIBLE_DEVICES='$HIP_VISIBLE_DEVICES' vs CUDA_VISIBLE_DEVICES='$CUDA_VISIBLE_DEVICES'."
			exit 1
		fi
		IFS=, read -ra visible <<< "${ROCR_VISIBLE_DEVICES-$GPUS}"
		(( ${HIP_VISIBLE_DEVICES##*,} < ${#visible[@]} )) || { echo "No HIP GPUs are available"; exit 1; }
		exec "$@"`,
	// A server is a child of the process that the script starts, as in a container.
	"vllm": noting + `
		trap : TERM; while [[ $1 != --port ]]; do shift; done
		sh -c 'trap "echo server of $0 ended >> noted; exit" TERM; touch "up-$0"; while :; do sleep 0.02; done' "$2"`,
	"captionlake": `echo "captionlake $*" >> noted
		[[ $ENDS ]] || exit 0
		trap 'echo "the run was told to end" >> noted; exit 130' TERM; touch runs; while :; do sleep 0.02; done`,
	"curl":  `for url; do :; done; port=${url##*:}; [[ -e up-${port%/health} ]]`,
	"sleep": `exec /bin/sleep 0.02`,
}

// runBatch stands in for vLLM's module of that name: it notes loads and files, writes replies in
// two steps, and never ends with a slow one.
const runBatch = `
import argparse, asyncio, os, sys
def parse_args():
    parser = argparse.ArgumentParser()
    parser.add_argument("-i", dest="input_file"), parser.add_argument("-o", dest="output_file")
    args, more = parser.parse_known_args()
    with open("called-vllm-%s-%d" % (os.environ["HIP_VISIBLE_DEVICES"], os.getpid()), "w") as f:
        f.write("\n".join(["vllm", "run-batch", "-i", args.input_file, "-o", args.output_file, *more]) + "\n")
    return args
class Engine:
    async def check_health(self): pass
async def run_batch(engine, args):
    requests = open(args.input_file).read()
    if requests == "bad":
        raise ValueError("not JSON")
    with open(args.output_file, "w") as f:
        f.write("replies ")
        f.flush()
        if requests == "slow":
            open("slow", "w")
            await asyncio.sleep(60)
        f.write("to " + requests)
    print("ran", args.input_file, file=open("noted", "a"))
async def main(args):
    print("loaded on", os.environ["HIP_VISIBLE_DEVICES"], file=open("noted", "a"))
    await run_batch(Engine(), args)
`

// slurm runs the script as a job with two GPUs, unless the environment says otherwise.
func slurm(t *testing.T, j job) outcome {
	t.Helper()
	dir := t.TempDir()
	for name, text := range standIns {
		program(t, dir, name, text)
	}
	module := filepath.Join(dir, "python", "vllm", "entrypoints", "launchers")
	must.Succeed(t, os.MkdirAll(module, 0o777))
	must.Write(t, filepath.Join(module, "run_batch.py"), runBatch)
	for name, content := range j.files {
		must.Write(t, filepath.Join(dir, name), content)
	}
	script, err := filepath.Abs("vllm.slurm")
	must.Succeed(t, err)
	cmd := exec.Command("bash", append([]string{script}, j.arguments...)...)
	cmd.Dir = dir
	cmd.Env = append([]string{"PATH=" + dir + string(os.PathListSeparator) + os.Getenv("PATH"),
		"PYTHONPATH=" + filepath.Join(dir, "python"), "HOME=" + dir,
		"IMAGE=vllm.sif", "MODEL=Qwen/Qwen2.5-72B-Instruct", "CACHE=" + filepath.Join(dir, "cache"),
		"SLURM_GPUS_ON_NODE=2", "GPUS=0,1"}, j.environment...)
	if j.ends != "" {
		cmd.Env = append(cmd.Env, "ENDS=yes")
	}
	var said strings.Builder
	cmd.Stdout, cmd.Stderr = &said, &said
	must.Succeed(t, cmd.Start())
	if j.ends != "" {
		for end := time.Now().Add(20 * time.Second); time.Now().Before(end); time.Sleep(5 * time.Millisecond) {
			if _, err := os.Stat(filepath.Join(dir, j.ends)); err == nil {
				break
			}
		}
		must.Succeed(t, cmd.Process.Signal(syscall.SIGTERM))
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
	noted := slices.DeleteFunc(strings.Split(string(content), "\n"), func(s string) bool { return s == "" })
	return outcome{noted, called(t, dir, "vllm"), said.String(), cmd.ProcessState.ExitCode(), dir}
}

// What cannot be run is refused before anything is started, and the words say what to do.
func TestSlurmRefuses(t *testing.T) {
	for _, c := range []struct {
		arguments, environment []string
		want                   string
	}{
		{nil, nil, "say what to do: serve STAGE, or batch FILE"},
		{[]string{"serve"}, nil, "say which stage MODEL is for"},
		{[]string{"serve", "--part", "1/2"}, nil, "say which stage MODEL is for"},
		{[]string{"batch"}, nil, "which files to run"},
		{[]string{"batch", "a.replies.jsonl"}, nil, "is no file of requests"},
		{[]string{"serve", "answer"}, []string{"MODEL="}, "set MODEL"},
		{[]string{"serve", "answer"}, []string{"IMAGE="}, "set IMAGE"},
		{[]string{"serve", "answer"}, []string{"SLURM_GPUS_ON_NODE="}, "run this script with sbatch"},
		{[]string{"serve", "answer"}, []string{"TP=4"}, "TP=4 needs more than the 2 GPUs of the job"},
	} {
		got := slurm(t, job{arguments: c.arguments, environment: c.environment})
		if got.code == 0 || !strings.Contains(got.said, c.want) || len(got.noted)+len(got.lines) != 0 {
			t.Errorf("%v %v: exit %d, %s; %v", c.arguments, c.environment, got.code, got.said, got.noted)
		}
	}
}

// A task of an array asks about its own part, in the array of all parts and in one that repeats
// some, and leaves no server behind.
func TestSlurmArray(t *testing.T) {
	task := func(id, least, most, n string, more ...string) []string {
		return append(more, "SLURM_ARRAY_TASK_ID="+id, "SLURM_ARRAY_TASK_MIN="+least, "SLURM_ARRAY_TASK_MAX="+most,
			"SLURM_ARRAY_TASK_COUNT="+n)
	}
	for _, c := range []struct {
		name        string
		environment []string
		files       map[string]string
		part        string // part that is asked about; empty for none
		want        string // what is said where the script refuses
	}{
		{name: "no array"},
		{name: "array of all parts", environment: task("3", "1", "16", "16"), part: "3/16"},
		{name: "two tasks repeated", environment: task("7", "3", "7", "2", "PARTS=16"), part: "7/16"},
		{name: "first task repeated", environment: task("1", "1", "1", "1", "PARTS=16"), part: "1/16"},
		{name: "two tasks repeated, of nobody knows how many", environment: task("7", "3", "7", "2"),
			want: "set PARTS to the number of all parts"},
		{name: "first task repeated, of nobody knows how many", environment: task("1", "1", "1", "1"),
			want: "set PARTS to the number of all parts"},
		{name: "numbered from 0", environment: task("0", "0", "15", "16"), want: "--array=1-16"},
		{name: "not a part", environment: task("17", "17", "17", "1", "PARTS=16"), want: "numbered from 1"},
		{name: "another server has a port", files: map[string]string{"up-8001": ""}, want: "port 8001"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := slurm(t, job{arguments: []string{"serve", "answer"}, environment: c.environment, files: c.files})
			if c.want != "" {
				if got.code == 0 || !strings.Contains(got.said, c.want) || len(got.noted) != 0 {
					t.Fatalf("exit %d, %s; %v", got.code, got.said, got.noted)
				}
				return
			}
			want := []string{"captionlake --lake lake run --config captionlake.yaml answer"}
			if id, _, ok := strings.Cut(c.part, "/"); ok {
				lake := "lake-part-" + id
				want = []string{"captionlake --lake " + lake + " merge lake",
					"captionlake --lake " + lake + " run --config captionlake.yaml --part " + c.part + " answer"}
			}
			want = append(want, "server of 8000 ended", "server of 8001 ended")
			slices.Sort(got.noted[max(0, len(got.noted)-2):])
			if got.code != 0 || !slices.Equal(got.noted, want) {
				t.Errorf("exit %d, %s;\n%q, want\n%q", got.code, got.said, got.noted, want)
			}
		})
	}
}

// Servers start whichever variables Slurm names the GPUs in, and each has its own.
func TestSlurmDevices(t *testing.T) {
	for name, environment := range map[string][]string{
		"none": nil,
		"all that Slurm may set": {"CUDA_VISIBLE_DEVICES=0,1", "GPU_DEVICE_ORDINAL=0,1",
			"ROCR_VISIBLE_DEVICES=0,1"},
		"one server of all":            {"CUDA_VISIBLE_DEVICES=0,1", "TP=2"},
		"numbers of a larger node":     {"ROCR_VISIBLE_DEVICES=5"},
		"HIP's own, for all of a node": {"HIP_VISIBLE_DEVICES=0,1"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			got := slurm(t, job{arguments: []string{"serve", "answer"},
				environment: append(environment, "FLAGS=--max-num-seqs 512")})
			gpus := []string{"0", "1"}
			if slices.Contains(environment, "TP=2") {
				gpus = []string{"0,1"}
			}
			if got.code != 0 || len(got.lines) != len(gpus) {
				t.Fatalf("exit %d, %s; %q", got.code, got.said, got.lines)
			}
			for i, l := range got.lines {
				l.check(t)
				expect.Equal(t, len(must.Get(filepath.Glob(filepath.Join(got.dir, "called-vllm-"+gpus[i]+"-*")))(t)),
					1, gpus[i])
				if got, want := strings.Join(l, " "), "--port 800"+strconv.Itoa(i)+" "; !strings.Contains(got, want) ||
					!strings.HasSuffix(got, " --max-num-seqs 512") {
					t.Errorf("%s is without %s, or the job's flags are not last", got, want)
				}
			}
		})
	}
}

// The signal that Slurm sends before the time is up reaches the run, and the script waits for the
// run's end.
func TestSlurmEnds(t *testing.T) {
	got := slurm(t, job{arguments: []string{"serve", "answer"}, ends: "runs"})
	if got.code != 130 || len(got.noted) != 4 || got.noted[1] != "the run was told to end" {
		t.Errorf("exit %d, %s; %q", got.code, got.said, got.noted)
	}
}

// replies are the files of a folder that begin or have replies.
func replies(t *testing.T, dir string) map[string]string {
	t.Helper()
	paths := must.Get(filepath.Glob(filepath.Join(dir, "*.replies.jsonl*")))(t)
	found := map[string]string{}
	for _, path := range paths {
		content := must.Read(t, path)
		found[filepath.Base(path)] = string(content)
	}
	return found
}

// A batch loads the model once for all files of a replica, leaves out what has replies, and goes on
// after a file that cannot be run.
func TestSlurmBatch(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("no python3")
	}
	files := map[string]string{"a.requests.jsonl": "a", "b.requests.jsonl": "bad", "c.requests.jsonl": "c",
		"d.requests.jsonl": "d", "e.requests.jsonl": "e",
		"d.replies.jsonl": "of before"}
	got := slurm(t, job{arguments: []string{"batch", "a.requests.jsonl", "b.requests.jsonl", "c.requests.jsonl",
		"d.requests.jsonl", "e.requests.jsonl"}, files: files,
		environment: []string{"CUDA_VISIBLE_DEVICES=0,1"}})
	slices.Sort(got.noted)
	if want := []string{"loaded on 0", "loaded on 1", "ran a.requests.jsonl", "ran c.requests.jsonl",
		"ran e.requests.jsonl"}; got.code != 1 || !slices.Equal(got.noted, want) {
		t.Errorf("exit %d, %s; %q", got.code, got.said, got.noted)
	}
	expect.Contains(t, got.said, "replica 1 left files without replies: see vllm-local-1.log")
	if log, err := os.ReadFile(filepath.Join(got.dir, "vllm-local-1.log")); err != nil ||
		!strings.Contains(string(log), "b.requests.jsonl was not run:\nTraceback") {
		t.Errorf("%v %s", err, log)
	}
	for _, l := range got.lines {
		l.check(t)
	}
	want := map[string]string{"a.replies.jsonl": "replies to a", "c.replies.jsonl": "replies to c",
		"d.replies.jsonl": "of before", "e.replies.jsonl": "replies to e"}
	if found := replies(t, got.dir); len(found) != len(want) || found["c.replies.jsonl"] != want["c.replies.jsonl"] ||
		found["d.replies.jsonl"] != "of before" {
		t.Errorf("%q, want %q", found, want)
	}
}

// A batch that is told to end keeps the files that are done; half a file of replies does not have
// their name.
func TestSlurmBatchEnds(t *testing.T) {
	if _, err := exec.LookPath("python3"); err != nil {
		t.Skip("no python3")
	}
	got := slurm(t, job{arguments: []string{"batch", "a.requests.jsonl", "b.requests.jsonl", "c.requests.jsonl"},
		ends:        "slow",
		environment: []string{"SLURM_GPUS_ON_NODE=1"}, files: map[string]string{"a.requests.jsonl": "a",
			"b.requests.jsonl": "slow", "c.requests.jsonl": "c"}})
	found := replies(t, got.dir)
	delete(found, "b.replies.jsonl.partial")
	if got.code != 143 || len(found) != 1 || found["a.replies.jsonl"] != "replies to a" {
		t.Errorf("exit %d, %s; %q", got.code, got.said, found)
	}
}
