"""Reads exports with the programs of the places that they are for: exports.py FOLDER has FOLDER/out, and makes FOLDER/venv. Exit code 3: PyPI
cannot be had, or Python is too old for it."""

import pathlib
import subprocess
import sys
import venv

folder = pathlib.Path(sys.argv[1])
if sys.version_info < (3, 12):
    print("every-eval-ever needs Python 3.12", file=sys.stderr)
    sys.exit(3)
python = folder / "venv" / "bin" / "python"
venv.create(folder / "venv", with_pip=True)
install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "every-eval-ever", "huggingface_hub", "pyyaml"]
if subprocess.run(install).returncode != 0:
    sys.exit(3)
records = sorted(str(f.relative_to(folder / "out")) for f in (folder / "out" / "data").rglob("*.json*"))
subprocess.run([python, "-m", "every_eval_ever", "validate", *records], cwd=folder / "out", check=True)
print(len(records), "records and samples are valid")
subprocess.run([python, "-c", """
import pathlib, sys, huggingface_hub, yaml
for file in sorted(pathlib.Path(sys.argv[1]).rglob(".eval_results/*.yaml")):
    (entry,) = huggingface_hub.parse_eval_result_entries(yaml.safe_load(file.read_text()))
    print(file.name, entry.dataset_id, entry.task_id, entry.value)
""", folder / "out"], check=True)
