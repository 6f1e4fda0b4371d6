"""Reads a captionlake lake: a folder of Parquet files about how good image captions are.

    >>> import captionlake
    >>> lake = captionlake.open("lake")
    >>> lake.leaderboard(prompt="Simple")
    >>> lake.table("answers", columns=["captioner", "outcome"], where={"prompt": "Simple"})
    >>> lake.sql("select question, winner from versus($a, $b)", {"a": "gpt-5", "b": "gpt-4o"})
    >>> lake.show("utility_gap")
    >>> lake.run(["answer", "--captioner", "my-model"])

Rows come as pandas data frames, or as polars data frames or Arrow tables if ``open`` is told so. Reading needs
numpy, pyarrow and duckdb; ``init``, ``show``, ``run`` and ``command`` use the captionlake program, which the wheel of a release brings along.
``captionlake.register(lake, catalog)`` adds a lake to a catalog of pyiceberg.
"""

from ._errors import CaptionlakeError, DamagedLake, NewerLake, NotALake, UnknownName
from ._lake import Column, Figure, Lake, Relation, init, open
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
    "init",
    "open",
    "register",
]
