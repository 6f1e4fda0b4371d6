from __future__ import annotations

import json
import re
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import TYPE_CHECKING, Any, Generic, Literal, TypeVar, overload

import duckdb
import pyarrow as pa
import pyarrow.compute as pc

from . import _frames
from ._errors import CaptionlakeError, NewerLake, unknown
from ._files import BIG, TRIES, File, Snapshot, check_marker, compare, current_runs, restless, snapshot
from ._program import ask, rows_of, run
from ._read import UNIT, Where, condition, read, schema_of

if TYPE_CHECKING:
    import pandas
    import polars

F = TypeVar("F")
T = TypeVar("T")

CATALOG = "captionlake.duckdb"
_ANALYZE = "captionlake analyze computes the results, and writes " + CATALOG


@overload
def open(path: str | Path = "lake") -> Lake[pandas.DataFrame]: ...
@overload
def open(path: str | Path = "lake", *, frames: Literal["pandas"]) -> Lake[pandas.DataFrame]: ...
@overload
def open(path: str | Path = "lake", *, frames: Literal["polars"]) -> Lake[polars.DataFrame]: ...
@overload
def open(path: str | Path = "lake", *, frames: Literal["arrow"]) -> Lake[pa.Table]: ...


def open(path: str | Path = "lake", *, frames: Literal["pandas", "polars", "arrow"] = "pandas") -> Lake[Any]:
    """Opens the lake in a folder, for reading.

    ``frames`` says what rows come as: ``pandas`` data frames, ``polars`` data frames, or Arrow tables (``arrow``). It raises
    :class:`NotALake` or :class:`NewerLake` when the folder is not one that this package reads.
    """
    if frames not in _frames.MAKERS:
        raise unknown("kind of frames", frames, _frames.MAKERS)
    _frames.check(frames)
    return Lake(Path(path), _frames.MAKERS[frames])


def init(path: str | Path = "lake", *, frames: Literal["pandas", "polars", "arrow"] = "pandas") -> Lake[Any]:
    """Makes a lake with the published results, and captionlake.yaml, as ``captionlake init`` does, and opens it. A lake that exists stays."""
    ask(Path(path), ["init"])
    return open(path, frames=frames)


@dataclass(frozen=True)
class Column:
    """A column of a table, mart or view: its SQL type and what it means."""

    name: str
    type: str
    comment: str


@dataclass(frozen=True)
class Relation:
    """A base table, a mart, or a shortcut of the lake, with its first sentence."""

    name: str
    kind: Literal["table", "mart", "shortcut"]
    comment: str


@dataclass(frozen=True)
class Figure:
    """A picture of results. Notebooks show it."""

    name: str
    provenance: str  # what its rows are: measured, published or simulated
    format: Literal["svg", "png", "pdf"]
    content: bytes = field(repr=False)

    def save(self, path: str | Path) -> None:
        Path(path).write_bytes(self.content)

    def _repr_mimebundle_(self, **_: Any) -> dict[str, Any]:
        if self.format == "svg":
            return {"image/svg+xml": self.content.decode("utf-8")}
        return {"image/png" if self.format == "png" else "application/pdf": self.content}


class Lake(Generic[F]):
    """A lake that is open for reading: see :func:`open`.

    Each call sees the lake as all commits have left it at one moment. Other processes may write to it meanwhile.
    """

    def __init__(self, path: Path, frame: Callable[[pa.Table], F]) -> None:
        self.path = path
        self._frame = frame
        check_marker(path)

    def __repr__(self) -> str:
        return f"captionlake.open({str(self.path)!r})"

    def relations(self) -> list[Relation]:
        """The base tables, marts and shortcuts that there are."""
        return list(self._catalog.relations.values())

    def columns(self, name: str) -> list[Column]:
        """The columns of a base table, a mart or a view, with their types and meanings."""
        if name not in self._catalog.columns:
            raise unknown("table, mart or view", name, self._catalog.columns)
        return self._catalog.columns[name]

    def table(self, name: str, columns: Sequence[str] | None = None, where: Where | pc.Expression | None = None) -> F:
        """The rows of a base table or mart.

        ``columns`` chooses columns, in their order; all by default. ``where`` chooses rows: a mapping of columns to a value, to several
        values of which one will do, or to None for null; or an expression of ``pyarrow.dataset.field``. Base tables have a column ``unit``
        beside those of their files: the unit of work that wrote the row. Texts with few different values come as categories.

        A file that no unit of the lake wrote, that is missing or has another size than recorded, and a mart or small table that is not as it was
        written, byte for byte, raise :class:`DamagedLake`; an unknown name raises :class:`UnknownName`.
        """
        return self._frame(self._consistent(lambda taken: self._rows(taken, name, columns, where)))

    def leaderboard(self, prompt: str = "Simple") -> F:
        """The boards of a caption prompt: the mart ``leaderboard``, that of the paper first and simulated ones last, of each the best first."""
        rows = self._consistent(lambda taken: self._rows(taken, "leaderboard", None, None))
        prompts = {p.lower(): p for p in pc.unique(rows["prompt"]).to_pylist()}
        if prompt.lower() not in prompts:
            raise unknown("caption prompt", prompt, prompts.values())
        rows = rows.filter(pc.equal(rows["prompt"], prompts[prompt.lower()]))
        keys = pa.table({key: rows[key].cast(pa.string()) if key == "captioner" else rows[key] for key in ("board_place", "rank", "captioner")})
        return self._frame(rows.take(pc.sort_indices(keys, sort_keys=[(key, "ascending") for key in keys.column_names])))

    def sql(self, query: str, parameters: Mapping[str, Any] | Sequence[Any] | None = None, *, memory: str = "1GB") -> F:
        """The answer of DuckDB to a query over the base tables, marts and shortcuts, such as ``from versus('gpt-5', 'gpt-4o')``.

        ``parameters`` are values for ``$name`` or ``?`` in the query. SQL reads the lake and nothing else; ``memory`` bounds what it takes
        before it spills. What is wrong with a query raises :class:`duckdb.Error`.
        """
        return self._frame(self._consistent(lambda taken: self._answer(taken, query, parameters, memory)))

    def show(self, name: str, *, format: Literal["svg", "png", "pdf"] | None = None, **options: str | bool) -> Figure | F:
        """A figure by its name, or the rows of a question or of a table, as ``captionlake show`` lists them.

        ``options`` are those of that command: ``prompt="Long"`` for a question that has this parameter, and for figures
        ``provenance="published"``, ``width="acl"`` or ``no_title=True``. Of a figure, measured rows are drawn before published before
        simulated ones. A file of your own, ``"mine.sql"``, is drawn when ``format`` is given. An unknown name raises
        :class:`CaptionlakeError`, which names those that come near it.
        """
        figures = {one["name"] for one in json.loads(ask(self.path, ["--json", "show"])) if one["form"] == "figure"}
        flags = [f"--{key.replace('_', '-')}={'true' if value is True else value}" for key, value in options.items()]
        if format is None and name not in figures:
            return self._frame(rows_of(self.path, ["show", name, "--format", "arrow", *flags]))
        with tempfile.TemporaryDirectory() as folder:
            drawn = Path(folder) / f"figure.{format or 'svg'}"
            told = json.loads(ask(self.path, ["--json", "show", name, "--out", str(drawn), *flags]))
            return Figure(name, told["provenance"], format or "svg", drawn.read_bytes())

    def run(self, arguments: Sequence[str] = ()) -> str:
        """Asks the models, as ``captionlake run`` does: ``lake.run(["answer", "--captioner", "my-model"])``. Shows and returns what it prints."""
        return self.command(["run", *arguments])

    def command(self, arguments: Sequence[str]) -> str:
        """Carries out any command of the program on this lake, such as ``["ingest", "captions.csv"]`` or ``["analyze"]``.

        What it prints is shown and returned. A failure raises :class:`CaptionlakeError` with the program's words.
        """
        answer = run(self.path, arguments)
        self.__dict__.pop("_catalog", None)  # The command may have made other results.
        return answer

    def _consistent(self, ask: Callable[[Snapshot], T]) -> T:
        """Asks of a snapshot; again when a unit was replaced or removed meanwhile."""
        for _ in range(TRIES):
            taken = snapshot(self.path)
            try:
                answer = ask(taken)
            except (OSError, duckdb.Error, CaptionlakeError):
                if taken.moved_on(self.path):
                    continue
                raise
            if not taken.moved_on(self.path):
                return answer
        raise restless(self.path)

    def _rows(self, taken: Snapshot, name: str, columns: Sequence[str] | None, where: Where | pc.Expression | None) -> pa.Table:
        files = self._files(taken, name)
        if not files:  # a table that is known and has no rows
            known = [c.name for c in self._catalog.columns[name]]
            for c in columns or ():
                if c not in known:
                    raise unknown("column of " + name, c, known)
            return pa.table({c: pa.array([], _arrow_type(t.type)) for c in columns or known for t in self.columns(name) if t.name == c})
        schema = schema_of(files)
        known = [*schema.names] + ([UNIT] if name not in taken.marts and UNIT not in schema.names else [])
        chosen = list(columns) if columns is not None else known
        for c in chosen:
            if c not in known:
                raise unknown("column of " + name, c, known)
        units: set[str] | None = None
        if isinstance(where, Mapping) and UNIT in where and UNIT not in schema.names:
            asked = where[UNIT]
            units = {asked} if isinstance(asked, str) else set(asked)
            where = {c: v for c, v in where.items() if c != UNIT}
        rows = read(files, chosen, schema, condition(where, schema), units)
        if name == "runs" and columns is None:
            last = pa.array(sorted(r.run_id for r in current_runs(taken)))
            rows = rows.append_column("current", pc.is_in(rows["run_id"].cast(pa.string()), value_set=last))
        return rows

    def _files(self, taken: Snapshot, name: str) -> list[File]:
        """The files of a base table or mart, those of marts and small tables as they are recorded; none of a table that has no rows."""
        files = taken.tables.get(name) or taken.marts.get(name)
        if files:
            if name not in BIG and name != "runs":  # whose own record a file of runs is
                compare(files)
            return files
        if self._has_catalog and name in self._catalog.relations and self._catalog.relations[name].kind == "table":
            return []
        names = {t for t, files in taken.tables.items() if files} | set(taken.marts)
        if self._has_catalog and name in self._catalog.relations:
            raise CaptionlakeError(f"{name} is a shortcut", f'ask lake.sql("from {name}")')
        raise unknown("table or mart", name, names)

    def _answer(self, taken: Snapshot, query: str, parameters: Mapping[str, Any] | Sequence[Any] | None, memory: str) -> pa.Table:
        with duckdb.connect(":memory:") as con:
            con.execute(f"set memory_limit = {_text(memory)}")
            con.execute("set timezone = 'UTC'")
            self._make(con, taken, query)
            # DuckDB holds patterns, too, against the folders that may be read.
            folder = str(self.path.resolve()) + "/"
            con.execute(f"set allowed_directories = [{_text(folder)}, {_text(_glob_escaped(folder))}]")
            con.execute("set enable_external_access = false")
            con.execute("set lock_configuration = true")
            return con.sql(query, params=parameters).to_arrow_table()

    def _make(self, con: duckdb.DuckDBPyConnection, taken: Snapshot, query: str) -> None:
        """Makes the views and macros that a query names, and those that these name."""
        words = set(re.findall(r"\w+", query.lower()))
        listing = words & {"show", "information_schema", "duckdb_views", "duckdb_columns", "duckdb_tables", "duckdb_functions"}
        shortcuts = [s for s in (self._catalog.shortcuts if self._has_catalog else []) if listing or s.name in words]
        for s in shortcuts:
            words |= set(re.findall(r"\w+", s.statement.lower()))
        names = {t for t, files in taken.tables.items() if files} | set(taken.marts)
        if self._has_catalog:
            names |= {r.name for r in self._catalog.relations.values() if r.kind == "table"}
        for name in sorted(names if listing else names & words):
            con.execute(f"create view {_name(name)} as {self._select(taken, name)}")
        for s in shortcuts:
            con.execute(s.statement)

    def _select(self, taken: Snapshot, name: str) -> str:
        files = self._files(taken, name)
        if not files:
            return "select " + ", ".join(f"cast(null as {c.type}) as {_name(c.name)}" for c in self.columns(name)) + " where false"
        paths = "[" + ", ".join(_text(_glob_escaped(str(f.path.resolve()))) for f in files) + "]"
        if name in taken.marts:
            return f"select * from read_parquet({paths})"
        schema = schema_of(files)
        unit = "" if UNIT in schema.names else ", parse_filename(filename, true) as unit"
        pending = {str(f.path.resolve()): f.unit for f in files if f.path.stem != f.unit}
        if unit and pending:
            cases = " ".join(f"when {_text(p)} then {_text(u)}" for p, u in pending.items())
            unit = f", case filename {cases} else parse_filename(filename, true) end as unit"
        select = f"select * exclude (filename){unit} from read_parquet({paths}, union_by_name = true, filename = true)"
        if name == "runs":
            select = f'select *, row_number() over (partition by unit order by execution desc) = 1 as "current" from ({select})'
        return select

    @property
    def _has_catalog(self) -> bool:
        return (self.path / CATALOG).is_file()

    @cached_property
    def _catalog(self) -> _Catalog:
        return _Catalog(self.path)


@dataclass(frozen=True)
class _Shortcut:
    name: str
    statement: str


class _Catalog:
    """What the lake's DuckDB file says of tables, marts and shortcuts. Rows are not read through it: it may be older than they are."""

    def __init__(self, root: Path) -> None:
        file = root / CATALOG
        if not file.is_file():
            raise CaptionlakeError(f"{root} has no {CATALOG}, which describes its tables and has the shortcuts", _ANALYZE)
        try:
            con = duckdb.connect(str(file), read_only=True)
        except (duckdb.SerializationException, duckdb.IOException) as e:
            raise NewerLake(f"{file} cannot be read by DuckDB {duckdb.__version__}: {e}", "install a newer duckdb, or run captionlake analyze") from e
        with con:
            views = con.execute("select view_name, coalesce(comment, ''), sql from duckdb_views() where not internal order by view_name").fetchall()
            macros = con.execute(
                "select function_name, parameters, macro_definition, coalesce(comment, '') from duckdb_functions() "
                "where not internal and function_type = 'table_macro' and comment is not null order by function_name"
            ).fetchall()
            columns = con.execute(
                "select table_name, column_name, data_type, coalesce(comment, '') from duckdb_columns() where not internal order by table_name, column_index"
            ).fetchall()
        self.relations: dict[str, Relation] = {}
        self.shortcuts: list[_Shortcut] = []
        for name, comment, statement in views:
            kind: Literal["table", "mart", "shortcut"]
            kind = "table" if comment.startswith("Base table.") else "mart" if comment.startswith("Mart:") else "shortcut"
            self.relations[name] = Relation(name, kind, comment)
            if kind == "shortcut":
                self.shortcuts.append(_Shortcut(name, statement))
        for name, parameters, definition, comment in macros:
            use = f"{name}({', '.join(parameters)})"
            self.relations.setdefault(use, Relation(use, "shortcut", comment))
            self.shortcuts.append(_Shortcut(name, f"create macro {_name(name)}({', '.join(map(_name, parameters))}) as table {definition}"))
        self.columns: dict[str, list[Column]] = {}
        for table, column, kind_of, comment in columns:
            self.columns.setdefault(table, []).append(Column(column, kind_of, comment))


def _text(value: str) -> str:
    return "'" + value.replace("'", "''") + "'"


def _name(value: str) -> str:
    return '"' + value.replace('"', '""') + '"'


def _glob_escaped(path: str) -> str:
    return re.sub(r"([\[*?])", r"[\1]", path)


def _arrow_type(sql: str) -> pa.DataType:
    with duckdb.connect(":memory:") as con:
        con.execute("set timezone = 'UTC'")
        kind = con.sql(f"select cast(null as {sql}) as x where false").to_arrow_table().schema.field("x").type
    return pa.dictionary(pa.int8(), pa.string()) if pa.types.is_string(kind) else kind
