"""Prints how many rows of answers a lake has and how many megabytes reading the columns of a leaderboard took at most, with the interpreter
and the libraries: memory.py LAKE pandas|polars."""

import json
import resource
import sys

import captionlake

COLUMNS = ["protocol", "reader", "evidence", "captioner", "prompt", "provenance", "domain", "image_id", "outcome", "offers_cannot", "score"]

lake = captionlake.open(sys.argv[1], frames=sys.argv[2])  # type: ignore[call-overload]
answers = lake.table("answers", columns=COLUMNS)
print(json.dumps({"rows": len(answers), "megabytes": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024}))
