"""Reads a captionlake lake: a folder of Parquet files about how good image captions are.

    >>> import captionlake
    >>> lake = captionlake.open("lake")
    >>> lake.leaderboard(prompt="Simple")
    >>> lake.table("answers", columns=["captioner", "outcome"], where={"prompt": "Simple"})
    >>> lake.sql("select question, winner from versus($a, $b)", {"a": "gpt-5", "b": "gpt-4o"})
    >>> lake.figure("leaderboard")

Rows come as pandas data frames, or as polars data frames or Arrow tables if ``open`` is told so. The package never writes into a
lake; it needs numpy, pyarrow and duckdb, and no captionlake program. ``captionlake.register(lake, catalog)`` adds a lake to a catalog of pyiceberg.
"""

from ._errors import CaptionlakeError, DamagedLake, NewerLake, NotALake, UnknownName
from ._lake import Column, Figure, Lake, Relation, open
from ._register import register

__all__ = [
    "CaptionlakeError",
    "Column",
    "DamagedLake",
    "Figure",
    "Lake",
    "NewerLake",
    "NotALake",
    "Relation",
    "UnknownName",
    "open",
    "register",
]
