"""Tests of registering a demo lake in an Iceberg catalog: CAPTIONLAKE_LAKE is its folder, CAPTIONLAKE_PROGRAM the captionlake program."""

from __future__ import annotations

import importlib.util
import json
import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import pyarrow as pa
import pyarrow.parquet as pq
from pyiceberg.catalog.sql import SqlCatalog

import captionlake

LAKE = Path(os.environ["CAPTIONLAKE_LAKE"])
PROGRAM = os.environ["CAPTIONLAKE_PROGRAM"]
# The Spark that Iceberg's runtime is made for which it names, and the driver of the catalog's file.
JARS = "org.apache.iceberg:iceberg-spark-runtime-4.0_2.13:1.11.0,org.xerial:sqlite-jdbc:3.50.3.0"


class OfIceberg(unittest.TestCase):
    def setUp(self) -> None:
        temp = tempfile.TemporaryDirectory()
        self.addCleanup(temp.cleanup)
        self.folder = Path(temp.name)
        self.lake = self.folder / "a lake"
        shutil.copytree(LAKE, self.lake, ignore=shutil.ignore_patterns("report", "pictures", "cache"))
        self.catalog = SqlCatalog("captionlake", uri=f"sqlite:///{self.folder}/catalog.db", warehouse=f"file://{self.folder}/warehouse")
        self.addCleanup(self.catalog.close)

    def own(self, table: str) -> pa.Table:
        return pa.concat_tables([pq.read_table(f, partitioning=None) for f in sorted((self.lake / table).glob("*.parquet"))])

    def registered(self) -> None:
        """Registers the lake, and compares every row of every column with those of its files."""
        rows = columns = 0
        for name in captionlake.register(self.lake, self.catalog):
            with self.subTest(name):
                read, own = self.catalog.load_table(f"captionlake.{name}").scan().to_arrow(), self.own(name)
                self.assertEqual(read.column_names, own.column_names)
                keys = [(c, "ascending") for c in own.column_names if not pa.types.is_list(own.schema.field(c).type)]
                self.assertEqual(read.sort_by(keys).to_pylist(), own.sort_by(keys).to_pylist())
                rows, columns = rows + read.num_rows, columns + read.num_columns
        self.assertGreater(rows, 10_000)
        self.assertGreater(columns, 100)

    def snapshots(self, table: str) -> int:
        return len(self.catalog.load_table(f"captionlake.{table}").snapshots())

    def run_program(self, *arguments: str) -> None:
        subprocess.run([PROGRAM, "-q", "--lake", str(self.lake), *arguments], check=True, capture_output=True, timeout=120)

    def test_tables_follow_the_lake(self) -> None:
        self.registered()
        self.registered()
        self.assertEqual(self.snapshots("answers"), 1, "what has not changed is left alone")
        scan = self.catalog.load_table("captionlake.answers").scan(row_filter="captioner = 'rehearsal-captioner-large'")
        self.assertLess(len(list(scan.plan_files())), len(list((self.lake / "answers").glob("*.parquet"))), "bounds spare files")

        file = self.folder / "captions.json"
        for text in ("A new caption.", "Another one."):  # a unit that is added, and replaced
            file.write_text(json.dumps({"nat_s01": text}))
            self.run_program("ingest", "--captioner", "mine", "--prompt", "Simple", str(file))
            self.registered()
        (unit,) = (f.stem for f in (self.lake / "captions").glob("ingest-*mine*.parquet"))
        self.run_program("remove", unit)
        self.registered()
        self.assertEqual(self.snapshots("answers"), 1)

    def test_tables_of_others_stay(self) -> None:
        self.catalog.create_namespace("captionlake")
        self.catalog.create_table("captionlake.captions", pa.schema([("mine", pa.string())]))
        with self.assertRaisesRegex(captionlake.CaptionlakeError, "captionlake.captions of the catalog was not made from a lake"):
            captionlake.register(self.lake, self.catalog)

    @unittest.skipUnless(importlib.util.find_spec("pyspark") and shutil.which("java"), "Spark cannot be had")
    def test_spark(self) -> None:
        from pyspark.sql import SparkSession

        self.registered()
        name = "spark.sql.catalog.captionlake"
        spark = (
            SparkSession.builder.master("local[2]")
            .config("spark.jars.packages", JARS)
            .config("spark.ui.enabled", "false")
            .config("spark.sql.shuffle.partitions", "2")
            .config("spark.sql.session.timeZone", "UTC")
            .config(name, "org.apache.iceberg.spark.SparkCatalog")
            .config(f"{name}.type", "jdbc")
            .config(f"{name}.uri", f"jdbc:sqlite:{self.folder}/catalog.db")
            .config(f"{name}.warehouse", f"file://{self.folder}/warehouse")
            .getOrCreate()
        )
        self.addCleanup(spark.stop)
        for _, table in self.catalog.list_tables("captionlake"):
            with self.subTest(table):
                own = spark.read.parquet(*map(str, (self.lake / table).glob("*.parquet")))
                read = spark.table(f"captionlake.captionlake.{table}")
                self.assertEqual(own.columns, read.columns)
                rows = ["count(*)", "sum(cast(xxhash64(*) as decimal(38, 0)))"]  # A sum of the rows' hashes knows no order.
                self.assertEqual(own.selectExpr(*rows).first(), read.selectExpr(*rows).first())


if __name__ == "__main__":
    unittest.main()
