"""Reads files of one table into one Arrow table, with texts as categories and little memory."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc
import pyarrow.dataset as ds
import pyarrow.fs as fs
import pyarrow.parquet as pq

from ._errors import DamagedLake, unknown
from ._files import File

Where = Mapping[str, Any]
UNIT = "unit"


def schema_of(files: Sequence[File]) -> pa.Schema:
    """The columns of all files."""
    schemas = []
    for file in files:
        try:
            schemas.append(pq.read_schema(file.path).remove_metadata())
        except (pa.ArrowInvalid, OSError) as e:
            if isinstance(e, FileNotFoundError):
                raise
            raise DamagedLake(f"{file.path}: {e}", "captionlake status --verify") from None
    most = max(schemas, key=len)
    return pa.unify_schemas([pa.schema([f.with_nullable(True).remove_metadata() for f in s]) for s in [most, *schemas]])


def condition(where: Where | pc.Expression | None, schema: pa.Schema) -> pc.Expression | None:
    """What rows must be: a value for a column, several of which one will do, or None for null."""
    if where is None or isinstance(where, pc.Expression):
        return where
    all_of = None
    for column, value in where.items():
        if column not in schema.names:
            raise unknown("column", column, schema.names)
        if value is None:
            one = ds.field(column).is_null()
        elif isinstance(value, Iterable) and not isinstance(value, str | bytes):
            one = ds.field(column).isin(list(value))
        else:
            one = ds.field(column) == value
        all_of = one if all_of is None else all_of & one
    return all_of


def read(files: Sequence[File], columns: Sequence[str], schema: pa.Schema, where: pc.Expression | None, unit_is: set[str] | None) -> pa.Table:
    """Rows of files in their order. Texts that a file holds as a dictionary become categories, and so does the unit."""
    texts = {n for n in _dictionaries(files) if n in columns and pa.types.is_string(schema.field(n).type)}
    formats = ds.ParquetFileFormat(dictionary_columns=texts)
    codes = {c: _Categories() for c in columns if c in texts or c == UNIT and UNIT not in schema.names}
    chunks: dict[str, list[pa.Array]] = {c: [] for c in columns if c not in codes}
    typed = pa.schema([pa.field(f.name, pa.dictionary(pa.int32(), pa.string())) if f.name in texts else f for f in schema])
    scan = ds.ParquetFragmentScanOptions(pre_buffer=False, use_buffered_stream=True)  # less memory than whole row groups at once
    for file in files:
        if unit_is is not None and file.unit not in unit_is:
            continue
        try:
            fragment = formats.make_fragment(str(file.path), filesystem=fs.LocalFileSystem())
            batches = fragment.scanner(
                schema=typed, columns=[c for c in columns if c in schema.names], filter=where, use_threads=False, batch_readahead=1, fragment_scan_options=scan
            ).to_batches()
            for batch in batches:
                for c in columns:
                    if c not in schema.names:
                        codes[c].repeat(file.unit, batch.num_rows)
                    elif c in codes:
                        codes[c].add(batch.column(c))
                    else:
                        chunks[c].append(batch.column(c))
            pa.default_memory_pool().release_unused()  # what reading the file took
        except (pa.ArrowInvalid, OSError) as e:
            if isinstance(e, FileNotFoundError):
                raise
            raise DamagedLake(f"{file.path}: {e}", "captionlake status --verify") from None
    arrays = []
    for c in columns:
        arrays.append(codes.pop(c).array() if c in codes else pa.chunked_array(chunks.pop(c), schema.field(c).type))
    return pa.Table.from_arrays(arrays, names=list(columns))


def _dictionaries(files: Sequence[File]) -> set[str]:
    """The columns of text that the files hold as dictionaries: few different values, unlike texts and digests."""
    for file in files:
        meta = pq.ParquetFile(file.path).metadata
        if meta.num_row_groups:
            group = meta.row_group(0)
            found = (group.column(i) for i in range(group.num_columns))
            return {c.path_in_schema for c in found if "RLE_DICTIONARY" in c.encodings or "PLAIN_DICTIONARY" in c.encodings}
    return set()


class _Categories:
    """A column of categories, of one or two bytes a row where they suffice, however many dictionaries it comes from."""

    def __init__(self) -> None:
        self.numbers: dict[str, int] = {}
        self.codes: list[np.ndarray[Any, Any]] = []

    def _of(self, values: Iterable[str]) -> list[int]:
        return [self.numbers.setdefault(v, len(self.numbers)) for v in values]

    def _smallest(self) -> type[np.signedinteger[Any]]:
        return np.int8 if len(self.numbers) <= 127 else np.int16 if len(self.numbers) <= 32767 else np.int32

    def repeat(self, value: str, n: int) -> None:
        (number,) = self._of([value])
        self.codes.append(np.full(n, number, self._smallest()))

    def add(self, column: pa.Array) -> None:
        if not pa.types.is_dictionary(column.type):
            column = column.dictionary_encode()
        to = np.array([*self._of(column.dictionary.to_pylist()), -1])
        indices = column.indices.fill_null(len(to) - 1).to_numpy(zero_copy_only=False)
        self.codes.append(to.astype(self._smallest())[indices])

    def array(self) -> pa.DictionaryArray:
        """The column, its categories in the order of their texts, so that groups come in it."""
        kind = self._smallest()
        names = sorted(self.numbers)
        place = np.full(len(names) + 1, -1, kind)  # the last one is that of -1, which is null
        for i, name in enumerate(names):
            place[self.numbers[name]] = i
        codes = np.empty(sum(map(len, self.codes)), kind)
        end = len(codes)
        while self.codes:  # The memory of a chunk goes once it is copied.
            chunk = self.codes.pop()
            codes[end - len(chunk) : end] = place[chunk]
            end -= len(chunk)
        mask = codes < 0 if len(codes) and codes.min() < 0 else None
        return pa.DictionaryArray.from_arrays(pa.array(codes, mask=mask), pa.array(names, pa.string()))
