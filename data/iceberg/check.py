"""Reads a lake's Iceberg tables with pyiceberg or with Spark, and compares every row with the lake's own files.

    check.py --program captionlake --folder FOLDER --engine pyiceberg|spark [--files s3://BUCKET/PREFIX] [--catalog ADDRESS]

makes an environment from PyPI and a demo lake in the folder, and registers it; for pyiceberg it changes the lake, too, and registers it
again. With --files the lake is pushed there first, each time, and registered where it was pushed; credentials and the address of the server are
those of the environment. With --catalog the catalog is a REST catalog, of which nothing is known before. Spark needs Java 17 and gets
Iceberg's runtime from Maven. Exit code 3: what is needed cannot be had.
"""

from __future__ import annotations

import argparse
import json
import os
import shutil
import subprocess
import sys
import venv
from pathlib import Path

HERE = Path(__file__).resolve().parent
PACKAGES = "org.apache.iceberg:iceberg-spark-runtime-4.0_2.13:1.11.0,org.xerial:sqlite-jdbc:3.50.3.0"


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--program", required=True, help="the captionlake program")
    parser.add_argument("--folder", required=True, type=Path, help="where the environment and the lake go")
    parser.add_argument("--engine", required=True, choices=["pyiceberg", "spark"])
    parser.add_argument("--files", help="where the lake is pushed and registered, s3://BUCKET/PREFIX; for pyiceberg")
    parser.add_argument("--catalog", help="address of a REST catalog rather than the lake's own catalog; for pyiceberg")
    parser.add_argument("--installed", action="store_true", help="the environment is that of the script, which calls itself with this")
    asked = parser.parse_args()
    folder = asked.folder.resolve()
    lake = folder / "lake"
    if asked.installed:
        return with_pyiceberg(lake, asked.program, asked.files, asked.catalog) if asked.engine == "pyiceberg" else with_spark(lake, asked.program)

    folder.mkdir(parents=True, exist_ok=True)
    program = shutil.which(asked.program)
    if program is None:
        sys.exit(f"there is no program {asked.program}")
    environment = folder / f"venv-{asked.engine}"
    python = environment / "bin" / "python"
    if not python.exists():
        venv.create(environment, with_pip=True)
    step("environment")
    install = [python, "-m", "pip", "install", "--quiet", "--disable-pip-version-check", "--requirement", HERE / f"requirements-{asked.engine}.txt"]
    if subprocess.run(install).returncode != 0:
        print("the environment cannot be made: PyPI, or a version that is asked for, cannot be had", file=sys.stderr)
        return 3
    if not lake.exists():
        step("demo lake")
        captionlake(program, lake, "demo")
    step(asked.engine)
    return subprocess.run([python, __file__, *sys.argv[1:], "--installed"]).returncode


def step(what: str) -> None:
    print(f"== {what}", flush=True)


def captionlake(program: str, lake: Path, *arguments: str) -> str:
    done = subprocess.run([program, "-q", "--lake", str(lake), *arguments], stdout=subprocess.PIPE, text=True)
    if done.returncode != 0:
        sys.exit(f"captionlake {' '.join(arguments)} failed")
    return done.stdout


def register(program: str, lake: Path, *arguments: str) -> dict[str, dict]:
    return {r["table"].removeprefix("captionlake."): r for r in json.loads(captionlake(program, lake, "--json", "register", *arguments))}


def keys(program: str, lake: Path) -> dict[str, list[str]]:
    return {t["name"]: t["key"] for t in json.loads(captionlake(program, lake, "--json", "tables")) if (lake / t["name"]).is_dir()}


def own_rows(lake: Path, table: str):
    """The rows of the lake's own files. Files of earlier versions may have fewer columns; the demo's have all."""
    import pyarrow
    import pyarrow.parquet

    return pyarrow.concat_tables([pyarrow.parquet.read_table(f, partitioning=None) for f in sorted((lake / table).glob("*.parquet"))])


def read_column(file: Path, column: str) -> list:
    import pyarrow.parquet

    return pyarrow.parquet.read_table(file, columns=[column], partitioning=None)[column].to_pylist()


def compare(table: str, key: list[str], own, read) -> None:
    """Fails unless both have the same rows in every column, lists included."""
    if own.column_names != read.column_names:
        sys.exit(f"{table}: columns {read.column_names}, want {own.column_names}")
    own, read = (rows.sort_by([(column, "ascending") for column in key]) for rows in (own, read))
    for column in own.column_names:
        want, got = own[column].to_pylist(), read[column].to_pylist()
        if want != got:
            first = next((i for i, (a, b) in enumerate(zip(want, got)) if a != b), min(len(want), len(got)))
            sys.exit(f"{table}.{column}: {len(got)} rows, want {len(want)}; row {first}: {got[first : first + 1]}, want {want[first : first + 1]}")


def with_pyiceberg(lake: Path, program: str, files: str | None, address: str | None) -> int:
    from pyiceberg.catalog import load_catalog

    def catalog():
        properties = {"uri": address or f"sqlite:///{lake}/iceberg/catalog.db"}
        if files:
            properties |= {
                "s3.endpoint": os.environ["AWS_ENDPOINT_URL"],
                "s3.access-key-id": os.environ["AWS_ACCESS_KEY_ID"],
                "s3.secret-access-key": os.environ["AWS_SECRET_ACCESS_KEY"],
                "s3.region": "us-east-1",
            }
        return load_catalog("captionlake", **properties)

    where = [f"--{name}={value}" for name, value in (("files", files), ("catalog", address)) if value]

    def registered(*removed: str) -> dict[str, dict]:
        if files:
            captionlake(program, lake, "push", files, *(f"--remove={unit}" for unit in removed))
        return register(program, lake, *where)

    def all_agree() -> None:
        rows = columns = lists = 0
        reached = catalog()
        for name, key in keys(program, lake).items():
            read = reached.load_table(f"captionlake.{name}").scan().to_arrow()
            own = own_rows(lake, name)
            compare(name, key, own, read)
            rows += read.num_rows
            columns += read.num_columns
            lists += sum(str(f.type).startswith(("list", "large_list")) for f in read.schema)
        if lists < 5:
            sys.exit(f"only {lists} columns of lists were compared")
        print(f"{rows} rows of {columns} columns agree, {lists} of them lists")

    if not address:  # The lake's own catalog may have files of an earlier check, which were elsewhere.
        shutil.rmtree(lake / "iceberg", ignore_errors=True)
    registered()
    if files:  # The tables are those of what was pushed, which can be more than the lake has.
        captionlake(program, lake, "pull", files)
    all_agree()

    answers = catalog().load_table("captionlake.answers")
    held = [set(zip(*(read_column(f, c) for c in ("captioner", "prompt")))) for f in sorted((lake / "answers").glob("*.parquet"))]
    for captioner, prompt in sorted(set().union(*held) - {("", "")}):
        planned = len(list(answers.scan(row_filter=f"captioner = '{captioner}' and prompt = '{prompt}'").plan_files()))
        having = sum((captioner, prompt) in pairs for pairs in held)
        # Answers without a caption have an empty captioner or prompt, and to pyiceberg an empty bound is none.
        most = sum(any(c in (captioner, "") and p in (prompt, "") for c, p in pairs) for pairs in held)
        print(f"{captioner}, {prompt or 'no prompt'}: {planned} of {len(held)} files are planned, {having} have such rows")
        if not having <= planned <= most:
            sys.exit("bounds of columns do not keep a filter from opening other files")

    before = answers.scan().to_arrow().num_rows
    unit = sorted((lake / "answers").glob("*.parquet"))[0].stem
    captionlake(program, lake, "remove", unit)
    if catalog().load_table("captionlake.answers").scan().to_arrow().num_rows != before:
        sys.exit("the catalog's table changed before it was registered again")
    done = registered(unit)["answers"]
    if done["removed"] < 1 or done["added"] or done["replaced"]:
        sys.exit(f"after a unit was removed, the registration is {done}")
    all_agree()
    answers = catalog().load_table("captionlake.answers")
    summary = answers.current_snapshot().summary
    if unit not in summary["captionlake.removed"] or len(answers.history()) != 2:
        sys.exit(f"the snapshot says {summary.additional_properties}, the history {answers.history()}")
    first = answers.scan(snapshot_id=answers.history()[0].snapshot_id).to_arrow().num_rows
    if first != before:
        sys.exit(f"the first snapshot has {first} rows, and had {before}")

    image = read_column(sorted((lake / "images").glob("*.parquet"))[0], "image_id")[0]
    new = lake.parent / "captions.json"
    new.write_text(json.dumps({image: "A caption of a new captioner."}))
    units = len(list((lake / "captions").glob("*.parquet")))
    captionlake(program, lake, "ingest", "--captioner", f"captioner number {units}", "--prompt", "Simple", str(new))
    done = registered()["captions"]
    if done["added"] != 1 or done["removed"] or done["replaced"]:
        sys.exit(f"after a unit was added, the registration is {done}")
    all_agree()

    # Whatever others do to the table, the lake has its files.
    if files:
        locations = [task.file.file_path for task in catalog().load_table("captionlake.captions").scan().plan_files()]
        if not locations or not all(location.startswith(files + "/captions/") for location in locations):
            sys.exit(f"the files of captions are {locations}")
        if address:  # The server deletes what a table that is purged may take with it.
            catalog().purge_table("captionlake.captions")
        copy = lake.parent / f"pulled-{units}"
        captionlake(program, copy, "pull", files)
        captionlake(program, copy, "status", "--verify")
        return 0
    catalog().drop_table("captionlake.answers")
    shutil.rmtree(lake / "iceberg" / "files")
    captionlake(program, lake, "status", "--verify")
    if address:
        return 0
    shutil.rmtree(lake / "iceberg")
    registered()
    all_agree()
    return 0


def with_spark(lake: Path, program: str) -> int:
    from pyspark.sql import SparkSession

    register(program, lake)
    name = "spark.sql.catalog.captionlake"
    try:
        spark = (
            SparkSession.builder.master("local[2]")
            .config("spark.jars.packages", PACKAGES)
            .config("spark.ui.enabled", "false")
            .config("spark.ui.showConsoleProgress", "false")
            .config("spark.sql.session.timeZone", "UTC")
            .config(name, "org.apache.iceberg.spark.SparkCatalog")
            .config(f"{name}.type", "jdbc")
            .config(f"{name}.uri", f"jdbc:sqlite:{lake}/iceberg/catalog.db")
            .config(f"{name}.warehouse", f"file://{lake}/iceberg/warehouse")
            .getOrCreate()
        )
    except Exception as e:  # The JVM says no more than that it has ended.
        print(f"Spark with Iceberg cannot be had: {e}", file=sys.stderr)
        return 3
    rows = columns = 0
    for name in sorted(t.tableName for t in spark.sql("show tables in captionlake.captionlake").collect()):
        own = spark.read.parquet(*sorted(str(f) for f in (lake / name).glob("*.parquet")))
        read = spark.table(f"captionlake.captionlake.{name}")
        if own.columns != read.columns:
            sys.exit(f"{name}: columns {read.columns}, want {own.columns}")
        differ = own.exceptAll(read).count() + read.exceptAll(own).count()
        if differ:
            sys.exit(f"{name}: {differ} rows differ")
        rows += read.count()
        columns += len(read.columns)
    print(f"{rows} rows of {columns} columns agree")
    spark.stop()
    return 0


if __name__ == "__main__":
    os.environ.setdefault("PYTHONDONTWRITEBYTECODE", "1")
    sys.exit(main())
