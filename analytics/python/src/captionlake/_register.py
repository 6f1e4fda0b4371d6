"""Adds the tables of a lake to an Apache Iceberg catalog, without rewriting a file."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ._errors import CaptionlakeError
from ._files import File, check_marker, restless, snapshot
from ._lake import Lake
from ._read import schema_of

if TYPE_CHECKING:
    from pyiceberg.catalog import Catalog

_MARK = "captionlake.registered"


def register(lake: Lake[Any] | str | Path, catalog: Catalog, *, namespace: str = "captionlake", at: str | None = None) -> dict[str, int]:
    """Makes the tables of a namespace those of the lake's committed units, and returns how many files each has.

    ``catalog`` is any catalog of pyiceberg. Files are registered where they are: the lake's folder must be where readers find it, or ``at`` is
    the address that ``captionlake push`` brought it to. Each table changes in one commit, and one whose files are the registered ones does
    not. A table of the namespace that was not made here raises :class:`CaptionlakeError`.
    """
    from pyiceberg.expressions import AlwaysTrue

    root = lake.path if isinstance(lake, Lake) else Path(lake)
    check_marker(root)
    catalog.create_namespace_if_not_exists(namespace)
    counts: dict[str, int] = {}
    for name, files in snapshot(root).tables.items():
        identifier = f"{namespace}.{name}"
        if not files and not catalog.table_exists(identifier):
            continue
        if any(f.path.parent.name != name for f in files):
            raise restless(root)  # A commit is under way: its files have no names yet.
        # Readers that drop a table may not take the lake's files with it.
        properties = {_MARK: "true", "gc.enabled": "false"}
        if not catalog.table_exists(identifier):
            catalog.create_table(identifier, schema_of(files), properties=properties)
        table = catalog.load_table(identifier)
        if _MARK not in table.properties:
            raise CaptionlakeError(f"the table {identifier} of the catalog was not made from a lake", "name another namespace, or drop the table")
        addresses = [_address(name, f, at) for f in files]
        state = hashlib.sha256(repr([addresses, [f.stamp for f in files]]).encode()).hexdigest()
        if table.properties[_MARK] != state:
            with table.transaction() as change:
                if table.current_snapshot() is not None:
                    change.delete(AlwaysTrue())
                if files:
                    with change.update_schema() as update:
                        update.union_by_name(schema_of(files))
                    change.add_files(addresses, check_duplicate_files=False)
                change.set_properties({_MARK: state})
        counts[name] = len(files)
    return counts


def _address(table: str, file: File, at: str | None) -> str:
    """Where readers find a file. Pushed files have their digest in their names."""
    if at is None:
        return f"file://{file.path.resolve()}"  # as it is: neither pyiceberg nor Spark takes escapes back
    return f"{at.rstrip('/')}/{table}/{file.unit}.{hashlib.sha256(file.path.read_bytes()).hexdigest()}.parquet"
