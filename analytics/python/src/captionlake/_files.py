"""Which files make up a lake at one moment.

A unit of work commits its files together: temporary files in the folder ``journal`` are moved to their tables, after a record of the moves
was made durable. Whoever sees the record takes the unit for committed. A snapshot is what all commits together have made, seen at one
moment: it is taken again until no commit came between its beginning and its end.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import warnings
from collections.abc import Sequence
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
_mart = re.compile(r"marts/(?:([a-z0-9_]+)/)?([a-z0-9_]+)\.parquet")
BIG = frozenset({"embeddings", "captions", "calls", "answers", "judgments", "element_answers", "battles", "votes"})  # whose digests are not compared
_MARTS = "marts/files.json"  # the record of the files of marts
_NOT_TABLES = {"marts", "journal", "cache", "report", "pictures", "figures"}


@dataclass(frozen=True)
class File:
    """A file of a table, whose rows were written by the unit, or of a mart."""

    unit: str
    path: Path
    stamp: tuple[int, int, int]  # inode, size and time of change, by which another file in its place is noticed
    sha256: str = ""  # as it is recorded

    def changed(self) -> bool:
        try:
            return _stamp(self.path.stat()) != self.stamp
        except FileNotFoundError:
            return True


@dataclass(frozen=True)
class Snapshot:
    """The files of every table and mart at one moment, by their names."""

    tables: dict[str, list[File]]
    marts: dict[str, list[File]]
    state: _State

    def moved_on(self, root: Path) -> bool:
        return _state(root) != self.state or any(f.changed() for of in (self.tables, self.marts) for files in of.values() for f in files)


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
        try:
            before = _state(root)
            try:
                taken = _checked(root, _committed(root, before))
            except DamagedLake:
                if _state(root) == before:
                    raise
            else:
                if _state(root) == before:
                    return taken
            fault = None
        except FileNotFoundError as e:  # A commit that is under way may have moved it.
            fault = DamagedLake(f"{e.filename}: the file is gone", "captionlake status --verify")
    raise fault or restless(root)


def restless(root: Path) -> CaptionlakeError:
    return CaptionlakeError(f"{root}: units change faster than the lake can be read", "wait for the command that writes, and try again")


def _stamp(stat: os.stat_result) -> tuple[int, int, int]:
    return stat.st_ino, stat.st_size, stat.st_mtime_ns


_State = tuple[dict[str, str], dict[str, tuple[int, int, int]]]


def _state(root: Path) -> _State:
    """What changes with every commit: the records of commits that are under way, the files of runs, of which each commit writes one, and the record of marts."""
    records: dict[str, str] = {}
    for path in sorted((root / "journal").glob("*.commit.json")) if (root / "journal").is_dir() else []:
        try:
            records[path.name] = path.read_text("utf-8")
        except FileNotFoundError:  # It was carried out meanwhile.
            continue
    stamps = {name: _stamp(entry.stat()) for name, entry in _entries(root / "runs").items()}
    if (root / _MARTS).exists():
        stamps[_MARTS] = _stamp((root / _MARTS).stat())
    return records, stamps


def _entries(folder: Path) -> dict[str, os.DirEntry[str]]:
    try:
        with os.scandir(folder) as entries:
            return {e.name: e for e in sorted(entries, key=lambda e: e.name) if e.name.endswith(".parquet") and not e.name.startswith(".")}
    except (FileNotFoundError, NotADirectoryError):
        return {}


def _committed(root: Path, state: _State) -> Snapshot:
    files: dict[str, dict[str, Path]] = {}
    for folder in sorted(p for p in root.iterdir() if p.is_dir() and p.name not in _NOT_TABLES and not p.name.startswith(".")):
        files[folder.name] = {}
        for name in _entries(folder):
            if _stem.fullmatch(name.removesuffix(".parquet")):
                files[folder.name][name] = folder / name
            else:
                _left_out(folder / name, "no unit of the lake wrote this file")
    marts: dict[str, str] = {}  # where the files of a commit that is under way are
    for name, text in state[0].items():
        record = _record(root / "journal" / name, text)
        if name == "marts.commit.json":
            marts = {to: source for source, to in record.moves if (root / source).exists()}
            continue
        for source, to in record.moves:
            table, _, file = to.partition("/")
            if table != "pictures":
                path = root / source
                files.setdefault(table, {})[file] = path if path.exists() else root / to
        for gone in record.removes:
            table, _, file = gone.partition("/")
            files.get(table, {}).pop(file, None)
    tables = {
        table: [File(name.removesuffix(".parquet"), path, _stamp(path.stat())) for name, path in sorted(found.items())]
        for table, found in files.items()
    }
    return Snapshot(tables, _marts(root, marts), state)


def _marts(root: Path, moved: dict[str, str]) -> dict[str, list[File]]:
    """The files of marts: those that are recorded. Any other file beside them is left out."""
    try:
        record = json.loads((root / moved.get(_MARTS, _MARTS)).read_text("utf-8"))
    except (FileNotFoundError, ValueError):
        record = {}
    marts: dict[str, list[File]] = {}
    for name, wrote in sorted(record.items()):
        found = _mart.fullmatch(name)
        if found is None:
            continue
        path = root / moved.get(name, name)
        if not path.exists():
            raise DamagedLake(f"{path}: the file is recorded and not there", f"captionlake --lake {root} analyze")
        marts.setdefault(found[1] or found[2], []).append(File("", path, _stamp(path.stat()), wrote["sha256"]))
    for folder in {root / "marts", *((root / name).parent for name in record)}:
        for name in _entries(folder):
            if str((folder / name).relative_to(root)) not in record and not moved:
                _left_out(folder / name, "it is not among the files that analyze has recorded")
    return marts


def _left_out(path: Path, why: str) -> None:
    warnings.warn(f"{path} is left out: {why}; move it out of the lake", stacklevel=2)


def compare(files: Sequence[File]) -> None:
    """Compares files with their recorded digests."""
    for file in files:
        with file.path.open("rb") as content:
            if hashlib.file_digest(content, "sha256").hexdigest() != file.sha256:
                raise DamagedLake(f"{file.path}: the file is not the one that was committed", "captionlake status --verify")


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
        good = all(_temp.fullmatch(source) and (_ours(to) or _picture.fullmatch(to) or to == _MARTS) for source, to in moves)
        if not good or not all(_ours(name) for name in removes):
            raise ValueError("it names files that are not those of units")
    except (ValueError, KeyError, TypeError) as e:
        raise DamagedLake(f"{path}: the record of a commit is not one that captionlake wrote: {e}", hint) from None
    return _Record(moves, removes)


def _ours(name: str) -> bool:
    if _mart.fullmatch(name):
        return True
    table, _, file = name.partition("/")
    stem = file.removesuffix(".parquet")
    return bool(stem != file and re.fullmatch(r"[a-z_]+", table) and table not in _NOT_TABLES and _stem.fullmatch(stem))


def _checked(root: Path, taken: Snapshot) -> Snapshot:
    """Holds the files against the runs: which tables the last execution of each unit wrote, and with how many bytes. It gives them their digests."""
    runs = current_runs(taken)
    wrote = {(table, run.unit): found for run in runs for table, found in run.wrote.items()}
    hint = f"captionlake --lake {root} status --verify"
    tables: dict[str, list[File]] = {"runs": taken.tables.get("runs", [])}
    for table, files in taken.tables.items():
        if table == "runs":
            continue
        tables[table] = []
        for file in files:
            if (table, file.unit) not in wrote:
                raise DamagedLake(f"{file.path}: no unit of the lake wrote this file", f"move it out of the lake, or see: {hint}")
            size, sha256 = wrote.pop((table, file.unit))
            if size != file.stamp[1]:
                raise DamagedLake(f"{file.path} has {file.stamp[1]} bytes; its unit wrote {size}", hint)
            tables[table].append(File(file.unit, file.path, file.stamp, sha256))
    if wrote:
        table, unit = min(wrote)
        raise DamagedLake(f"{root / table / unit}.parquet is missing, which its unit wrote", hint)
    units = root / "marts" / "units"
    gone = set(units.read_text("utf-8").split() if units.exists() else ()) - {run.unit for run in runs}
    if gone:
        raise DamagedLake(f"the unit {min(gone)} is gone with its record, and the results were computed with it", hint)
    return Snapshot(tables, taken.marts, taken.state)


@dataclass(frozen=True)
class Run:
    """What the last execution of a unit wrote."""

    run_id: str
    unit: str
    wrote: dict[str, tuple[int, str]]  # bytes and digest of its file in each table


_runs: dict[Path, tuple[tuple[int, ...], Run | None]] = {}


def current_runs(taken: Snapshot) -> list[Run]:
    """The executions that wrote the rows that the units have now."""
    runs = []
    for file in taken.tables.get("runs", []):
        known, stamp = _runs.get(file.path), (*file.stamp, file.path.stat().st_ctime_ns)
        if known is None or known[0] != stamp:
            known = _runs[file.path] = stamp, _last_run(file.path)
        if known[1] is not None:
            runs.append(known[1])
    return runs


_SEAL = b"captionlake/seal/1\0"


def _last_run(path: Path) -> Run | None:
    content = path.read_bytes()
    at = len(content) - 8 - int.from_bytes(content[-8:-4], "little")  # A record vouches for its other bytes before its footer.
    seal = content[max(at - len(_SEAL) - 32, 0) : at]
    if seal != _SEAL + hashlib.sha256(content[: at - len(seal)] + content[at:]).digest():
        raise DamagedLake(f"{path}: the record of the unit cannot be read", "captionlake status --verify")
    rows = pq.ParquetFile(path).read(columns=["run_id", "unit", "tables", "execution", "table_bytes", "table_sha256"]).to_pylist()
    last = max(rows, key=lambda r: r["execution"], default=None)
    if last is None:
        return None
    wrote = zip(last["table_bytes"], last["table_sha256"], strict=True)
    return Run(last["run_id"], last["unit"], dict(zip(last["tables"], wrote, strict=True)))
