"""The captionlake program, which a wheel brings along: what it can do beyond reading is done by it."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import sysconfig
from collections.abc import Sequence
from pathlib import Path

import pyarrow as pa

from ._errors import CaptionlakeError


def program() -> str:
    """The program of this environment, or the first on the path; CAPTIONLAKE_PROGRAM names another."""
    named = os.environ.get("CAPTIONLAKE_PROGRAM")
    beside = Path(sysconfig.get_path("scripts")) / "captionlake"
    found = named or (str(beside) if beside.exists() else shutil.which("captionlake"))
    if found is None:
        raise CaptionlakeError("there is no captionlake program here", "install the wheel of a release, which has it, or put the program on the path")
    return found


class Printed(str):
    """What a command printed. A notebook, where it was shown while it came, does not show it once more."""

    def _ipython_display_(self) -> None:
        pass


def run(lake: Path, arguments: Sequence[str]) -> Printed:
    """Runs a command on a lake and returns what it printed, which is shown while it comes. A failure is an error with the program's own words."""
    lines: list[str] = []
    with subprocess.Popen(_command(lake, arguments), stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, encoding="utf-8") as started:
        try:
            assert started.stdout is not None
            for line in started.stdout:
                lines.append(line)
                sys.stdout.write(line)
            failed = started.wait()
        except BaseException:  # An interrupt: the program ends what is under way, and keeps it.
            started.terminate()
            raise
    if failed:
        raise _failure(failed, "".join(lines))
    return Printed("".join(lines))


def ask(lake: Path, arguments: Sequence[str]) -> str:
    """Runs a command and returns its result. What it notes beside that goes to standard error."""
    return _written(lake, arguments).decode("utf-8")


def rows_of(lake: Path, arguments: Sequence[str]) -> pa.Table:
    """Runs a command that writes Arrow and returns its rows, which stay in the bytes that it wrote."""
    return pa.ipc.open_file(pa.py_buffer(_written(lake, arguments))).read_all()


def _written(lake: Path, arguments: Sequence[str]) -> bytes:
    done = subprocess.run(_command(lake, arguments), stdin=subprocess.DEVNULL, capture_output=True)
    told = done.stderr.decode("utf-8")
    if done.returncode:
        raise _failure(done.returncode, told)
    sys.stderr.write(told)
    return done.stdout


def _command(lake: Path, arguments: Sequence[str]) -> list[str]:
    return [program(), "--lake", str(lake), *arguments]


def _failure(code: int, told: str) -> CaptionlakeError:
    told = told.strip()
    what, _, hint = told[max(told.rfind("Error: "), 0) :].removeprefix("Error: ").partition("\nTry: ")
    return CaptionlakeError(what or f"captionlake ended with {code}", hint)
