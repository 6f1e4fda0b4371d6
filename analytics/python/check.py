"""Checks the Python package and the notebooks as somebody who installs them would: in an environment of its own, from PyPI.

    check.py --program captionlake --folder FOLDER [--small LAKE] [--big LAKE]

makes FOLDER/venv, installs this package with pandas and polars, builds a demo lake with its report in FOLDER/lake, runs the tests and mypy,
builds a wheel, looks into it and imports it without extras, executes the notebooks on that lake and on a small one, and measures the memory that a big lake takes. Exit code 3: PyPI cannot be had.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import venv
import zipfile
from pathlib import Path

HERE = Path(__file__).resolve().parent
NOTEBOOKS = HERE.parent / "notebooks"
LIMITS = {"pandas": 300, "polars": 330}  # megabytes, interpreter and libraries included


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True, help="the captionlake program")
    parser.add_argument("--folder", required=True, type=Path, help="where the environment and the lake go")
    parser.add_argument("--small", type=Path, help="another lake for the notebooks, of few answers")
    parser.add_argument("--big", type=Path, help="a lake of millions of answers, whose reading is measured")
    asked = parser.parse_args()
    folder = asked.folder.resolve()
    folder.mkdir(parents=True, exist_ok=True)
    program = shutil.which(asked.program)
    if program is None:
        sys.exit(f"there is no program {asked.program}")

    python = folder / "venv" / "bin" / "python"
    if not python.exists():
        venv.create(folder / "venv", with_pip=True)
    source = folder / "package"
    shutil.rmtree(source, ignore_errors=True)
    shutil.copytree(HERE, source, ignore=shutil.ignore_patterns("__pycache__", "*.egg-info", "build", ".mypy_cache"))
    files = sorted(source.rglob("*"))
    step("environment")
    install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    if subprocess.run([*install, "--requirement", HERE / "requirements.txt", f"{source}[pandas,polars]"]).returncode != 0:
        print("the environment cannot be made: PyPI, or a version that is asked for, cannot be had", file=sys.stderr)
        return 3

    lake = folder / "lake"
    if not (lake / "report").exists():
        step("demo lake")
        run(program, "-q", "--lake", lake, "demo", stdout=subprocess.DEVNULL)
        run(program, "-q", "--lake", lake, "report", stdout=subprocess.DEVNULL)
    environment = {**os.environ, "CAPTIONLAKE_LAKE": str(lake), "CAPTIONLAKE_PROGRAM": program}

    step("tests")
    run(python, "-m", "unittest", "discover", "-s", source / "tests", env=environment)
    step("mypy --strict")
    run(python, "-m", "mypy", "--strict", "--config-file", source / "pyproject.toml", "--cache-dir", folder / "mypy", cwd=source)
    step("wheel")
    shutil.rmtree(folder / "wheels", ignore_errors=True)
    run(python, "-m", "pip", "wheel", "--quiet", "--no-deps", "--wheel-dir", folder / "wheels", source)
    (wheel,) = (folder / "wheels").glob("*.whl")
    names = zipfile.ZipFile(wheel).namelist()
    odd = [n for n in names if not n.endswith((".py", "py.typed")) and ".dist-info/" not in n]
    if not wheel.name.endswith("-py3-none-any.whl") or odd or "captionlake/py.typed" not in names:
        sys.exit(f"{wheel.name}: not a wheel of Python alone: {odd}")
    if left := [f for f in source.rglob("*") if f not in files and "__pycache__" not in f.parts]:
        sys.exit(f"building left {left}")
    step("without extras")
    bare = folder / "bare" / "bin" / "python"
    venv.create(bare.parent.parent, with_pip=True)
    run(bare, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", wheel)
    run(bare, "-c", "import sys, captionlake; captionlake.open(sys.argv[1], frames='arrow').leaderboard()", lake)

    step("notebooks")
    for number, one in enumerate(filter(None, [lake, asked.small])):
        run(python, NOTEBOOKS / "execute.py", "--lake", one, "--out", folder / f"notebooks{number}")
    if asked.big is not None:
        step("memory")
        for frames, limit in LIMITS.items():
            told = json.loads(run(python, source / "tests" / "memory.py", asked.big, frames, stdout=subprocess.PIPE))
            print(f"{frames}: {told['rows']} answers, {told['megabytes']:.0f} MB")
            if told["megabytes"] >= limit:
                sys.exit(f"{frames} took {told['megabytes']:.0f} MB; {limit} are allowed")
    return 0


def step(what: str) -> None:
    print(f"== {what}", flush=True)


def run(*command: str | Path, stdout: int | None = None, env: dict[str, str] | None = None, cwd: Path | None = None) -> str:
    done = subprocess.run([str(c) for c in command], stdout=stdout, env=env, cwd=cwd, text=True)
    if done.returncode != 0:
        sys.exit(f"{command[0]} {' '.join(map(str, command[1:4]))}… failed")
    return done.stdout or ""


if __name__ == "__main__":
    sys.exit(main())
