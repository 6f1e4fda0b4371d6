"""Which files make up a lake at one moment.

A unit of work commits its files together: temporary files in the folder ``journal`` are moved to their tables, after a record of the moves
was made durable. Whoever sees the record takes the unit for committed. A snapshot is what all commits together have made, seen at one
moment: it is taken again until no commit came between its beginning and its end.
"""

from __future__ import annotations

import json
import os
import re
from dataclasses import dataclass
from pathlib import Path

import pyarrow.parquet as pq

from ._errors import CaptionlakeError, DamagedLake, NewerLake, NotALake

LAYOUT = 3
TRIES = 10
_marker = re.compile(r"captionlake lake, layout ([1-9][0-9]{0,8})\n")
_stem = re.compile(r"[a-z0-9.-]*-[0-9a-f]{8}")
_temp = re.compile(r"journal/[A-Za-z0-9._-]+\.tmp")
_picture = re.compile(r"pictures/[0-9a-f]{64}\.[a-z0-9]{1,8}")
_NOT_TABLES = {"marts", "journal", "cache", "report", "pictures", "figures"}


@dataclass(frozen=True)
class File:
    """A file of a table. Its rows were written by the unit."""

    unit: str
    path: Path
    stamp: tuple[int, int, int]  # inode, size and time of change, by which another file in its place is noticed

    def changed(self) -> bool:
        try:
            return _stamp(self.path.stat()) != self.stamp
        except FileNotFoundError:
            return True


@dataclass(frozen=True)
class Snapshot:
    """The files of every table at one moment, by the names of the tables."""

    tables: dict[str, list[File]]


def check_marker(root: Path) -> None:
    try:
        text = (root / "LAKE").read_text("utf-8")
    except (FileNotFoundError, NotADirectoryError):
        raise NotALake(f"there is no lake in {root}", f"name the folder of a lake, or make one: captionlake.init({str(root)!r})") from None
    found = _marker.fullmatch(text)
    if found is None:
        raise NotALake(f"{root} is not a lake: its file LAKE does not say which layout it has")
    if int(found[1]) != LAYOUT:
        raise NewerLake(
            f"{root} was written by another captionlake: its layout is {found[1]}, this package knows {LAYOUT}",
            "install the package of the captionlake that wrote it",
        )


def snapshot(root: Path) -> Snapshot:
    """Lists the files of a lake as all commits have left them, and holds them against what its units say that they wrote."""
    fault: DamagedLake | None = None
    for _ in range(TRIES):
        check_marker(root)
        before = _state(root)
        try:
            taken = _committed(root, before)
            _check(root, taken)
            fault = None
        except (FileNotFoundError, DamagedLake) as e:
            fault = e if isinstance(e, DamagedLake) else DamagedLake(f"{e.filename}: the file is gone", "captionlake status --verify")
        if _state(root) == before:
            if fault is not None:
                raise fault
            return taken
    raise restless(root)


def restless(root: Path) -> CaptionlakeError:
    return CaptionlakeError(f"{root}: units change faster than the lake can be read", "wait for the command that writes, and try again")


def _stamp(stat: os.stat_result) -> tuple[int, int, int]:
    return stat.st_ino, stat.st_size, stat.st_mtime_ns


_State = tuple[dict[str, str], dict[str, tuple[int, int, int]]]


def _state(root: Path) -> _State:
    """What changes with every commit: the records of commits that are under way, and the files of runs, of which each commit writes one."""
    records: dict[str, str] = {}
    for path in sorted((root / "journal").glob("*.commit.json")) if (root / "journal").is_dir() else []:
        if path.name == "marts.commit.json":  # No row of a table is in marts.
            continue
        try:
            records[path.name] = path.read_text("utf-8")
        except FileNotFoundError:  # It was carried out meanwhile.
            continue
    return records, {name: _stamp(entry.stat()) for name, entry in _entries(root / "runs").items()}


def _entries(folder: Path) -> dict[str, os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return {e.name: e for e in sorted(entries, key=lambda e: e.name) if e.name.endswith(".parquet") and not e.name.startswith(".")}
    except (FileNotFoundError, NotADirectoryError):
        return {}


def _committed(root: Path, state: _State) -> Snapshot:
    files: dict[str, dict[str, Path]] = {}
    for folder in sorted(p for p in root.iterdir() if p.is_dir() and p.name not in _NOT_TABLES and not p.name.startswith(".")):
        files[folder.name] = {name: folder / name for name in _entries(folder)}
    for name, text in state[0].items():
        record = _record(root / "journal" / name, text)
        for source, to in record.moves:
            table, _, file = to.partition("/")
            if table != "pictures":
                path = root / source
                files.setdefault(table, {})[file] = path if path.exists() else root / to
        for gone in record.removes:
            table, _, file = gone.partition("/")
            files.get(table, {}).pop(file, None)
    return Snapshot(
        {
            table: [File(name.removesuffix(".parquet"), path, _stamp(path.stat())) for name, path in sorted(found.items())]
            for table, found in files.items()
        }
    )


@dataclass(frozen=True)
class _Record:
    moves: list[tuple[str, str]]
    removes: list[str]


def _record(path: Path, text: str) -> _Record:
    """Reads the record of a commit. A lake may come from somebody else, so a record is believed only if it names files of units."""
    hint = "nothing was read; if the lake is your own, its disk has damaged the record, and captionlake status says more"
    try:
        content = json.loads(text)
        if set(content) - {"moves", "removes", "sum"}:
            raise NewerLake(f"{path}: the record of a commit has fields that this package does not know", "install a newer captionlake")
        moves = [(m["from"], m["to"]) for m in content["moves"] or []]
        removes = list(content["removes"] or [])
        good = all(_temp.fullmatch(source) and (_ours(to) or _picture.fullmatch(to)) for source, to in moves)
        if not good or not all(_ours(name) for name in removes):
            raise ValueError("it names files that are not those of units")
    except (ValueError, KeyError, TypeError) as e:
        raise DamagedLake(f"{path}: the record of a commit is not one that captionlake wrote: {e}", hint) from None
    return _Record(moves, removes)


def _ours(name: str) -> bool:
    table, _, file = name.partition("/")
    stem = file.removesuffix(".parquet")
    return bool(stem != file and re.fullmatch(r"[a-z_]+", table) and table not in _NOT_TABLES and _stem.fullmatch(stem))


def _check(root: Path, taken: Snapshot) -> None:
    """Holds the files against the runs: which tables the last execution of each unit wrote, and with how many bytes."""
    wrote = {(table, run.unit): size for run in current_runs(taken) for table, size in run.sizes.items()}
    hint = f"captionlake --lake {root} status --verify"
    for table, files in taken.tables.items():
        if table == "runs":
            continue
        for file in files:
            if (table, file.unit) not in wrote:
                raise DamagedLake(f"{file.path}: no unit of the lake wrote this file", f"move it out of the lake, or see: {hint}")
            size = wrote.pop((table, file.unit))
            if size != file.stamp[1]:
                raise DamagedLake(f"{file.path} has {file.stamp[1]} bytes; its unit wrote {size}", hint)
    if wrote:
        table, unit = min(wrote)
        raise DamagedLake(f"{root / table / unit}.parquet is missing, which its unit wrote", hint)


@dataclass(frozen=True)
class Run:
    """What the last execution of a unit wrote."""

    run_id: str
    unit: str
    sizes: dict[str, int]  # bytes of its file in each table


_runs: dict[Path, tuple[tuple[int, int, int], Run | None]] = {}


def current_runs(taken: Snapshot) -> list[Run]:
    """The executions that wrote the rows that the units have now."""
    runs = []
    for file in taken.tables.get("runs", []):
        known = _runs.get(file.path)
        if known is None or known[0] != file.stamp:
            known = _runs[file.path] = file.stamp, _last_run(file.path)
        if known[1] is not None:
            runs.append(known[1])
    return runs


def _last_run(path: Path) -> Run | None:
    rows = pq.ParquetFile(path).read(columns=["run_id", "unit", "tables", "execution", "table_bytes"]).to_pylist()
    last = max(rows, key=lambda r: r["execution"], default=None)
    if last is None:
        return None
    return Run(last["run_id"], last["unit"], dict(zip(last["tables"], last["table_bytes"], strict=True)))
