"""Makes data frames of Arrow tables."""

from __future__ import annotations

import importlib.util
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import pyarrow as pa

from ._errors import CaptionlakeError

if TYPE_CHECKING:
    import pandas
    import polars


_SLICE = 1 << 18  # rows that are made categories of at a time, because polars takes eight bytes each on the way


def check(frames: str) -> None:
    if frames != "arrow" and importlib.util.find_spec(frames) is None:
        other = "polars" if frames == "pandas" else "pandas"
        raise CaptionlakeError(f"{frames} is not installed", f"pip install {frames}, or open the lake with frames={other!r} or frames='arrow'")


def to_pandas(table: pa.Table) -> pandas.DataFrame:
    """Categories stay categories, and whole numbers and truth values with nulls among them stay what they are."""
    import pandas as pd

    nullable = {pa.bool_(): pd.BooleanDtype(), pa.int32(): pd.Int32Dtype(), pa.int64(): pd.Int64Dtype()}
    columns: dict[str, Any] = {}
    names = table.column_names
    for name in names:
        column = table.column(name)
        table = table.drop_columns([name])  # The memory of a column goes once it is copied.
        columns[name] = column.to_pandas(types_mapper=nullable.get) if column.null_count else column.to_pandas()
        del column
    return pd.DataFrame(columns, copy=False)


def to_polars(table: pa.Table) -> polars.DataFrame:
    """Categories become enumerations, which take one or two bytes a row."""
    import polars as pl

    columns: list[polars.Series] = []
    names = table.column_names
    for name in names:
        column = table.column(name).combine_chunks()
        table = table.drop_columns([name])
        if isinstance(column, pa.ChunkedArray):  # without rows
            column = pa.concat_arrays(column.chunks) if column.num_chunks else pa.array([], column.type)
        if pa.types.is_dictionary(column.type):
            kind = pl.Enum(column.dictionary.to_pylist())
            parts = [pl.Series(name, column.slice(at, _SLICE)).cast(kind) for at in range(0, len(column), _SLICE)]
            series = pl.concat(parts) if parts else pl.Series(name, [], dtype=kind)
        else:
            series = pl.Series(name, column)
        columns.append(series)
        del column
    return pl.DataFrame(columns)


def to_arrow(table: pa.Table) -> pa.Table:
    return table


MAKERS: dict[str, Callable[[pa.Table], Any]] = {"pandas": to_pandas, "polars": to_polars, "arrow": to_arrow}
