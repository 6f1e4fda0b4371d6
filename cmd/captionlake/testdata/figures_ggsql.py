"""figures_ggsql.py FOLDER: ggsql of PyPI validates and executes figures, NAME.sql, over lake.duckdb, and prints why it refuses which.

A figure that has rows of its own, NAME.json, is clauses alone. Of one whose name begins with stacked, it writes where the marks begin and end,
NAME.ends."""
import json
import pathlib
import subprocess
import sys

NEEDS = ["ggsql==0.5.2", "polars", "pyarrow"]
WITHOUT_PACKAGES = 3  # the exit code that skips the test


def refusal(figure: pathlib.Path) -> str:
    import ggsql
    import polars as pl

    text = figure.read_text()
    reader = ggsql.DuckDBReader(f"duckdb://{figure.parent}/lake.duckdb")
    own = figure.with_suffix(".json")
    if own.exists():
        reader.register("shown", pl.from_dicts(json.loads(own.read_text())))
        text = "select * from shown\n" + text
    if faults := ggsql.validate(text).errors():
        return str(faults)
    try:
        spec = reader.execute(text)
        ggsql.SVGWriter().render(spec)
        if figure.name.startswith("stacked"):
            rows = json.loads(ggsql.VegaLiteWriter().render(spec))["data"]["values"]
            ends = [[row[key], row[key.replace("end__", "__")]] for row in rows for key in row if key.endswith("end__")]
            figure.with_suffix(".ends").write_text(json.dumps(sorted(ends)))
    except Exception as e:
        return str(e)
    return ""


def main() -> None:
    folder = pathlib.Path(sys.argv[1])
    python = folder / "venv/bin/python"
    if not python.exists():
        for command in ([sys.executable, "-m", "venv", folder / "venv"], [python, "-m", "pip", "install", "--quiet", *NEEDS]):
            if subprocess.run(command, capture_output=True).returncode:
                print("pip cannot get", *NEEDS)
                sys.exit(WITHOUT_PACKAGES)
        sys.exit(subprocess.run([python, *sys.argv]).returncode)
    for figure in sorted(folder.glob("*.sql")):
        if why := refusal(figure):
            print(f"{figure.name}: {why}")


main()
