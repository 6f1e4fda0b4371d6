"""Tests of the package on a demo lake: CAPTIONLAKE_LAKE is its folder, CAPTIONLAKE_PROGRAM the captionlake program."""

from __future__ import annotations

import contextlib
import io
import json
import os
import shutil
import subprocess
import tempfile
import unittest
import unittest.mock
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import duckdb
import pandas
import polars
import pyarrow as pa
import pyarrow.dataset as ds
import pyarrow.parquet as pq

import captionlake
from captionlake._files import Snapshot, _stamp as stamp, snapshot

LAKE = Path(os.environ["CAPTIONLAKE_LAKE"])
PROGRAM = os.environ["CAPTIONLAKE_PROGRAM"]


class OfTheDemo(unittest.TestCase):
    def test_equal_to_the_program(self) -> None:
        """What SQL gives here and in the terminal is equal to the last digit, shortcuts included."""
        lake = captionlake.open(LAKE, frames="arrow")
        for query in [
            "from leaderboard('Simple')",
            "from gap('rehearsal-captioner-large')",
            "select * exclude (caption_a, caption_b) from versus('rehearsal-captioner-large', 'Rehearsal captioner S') limit 50",
            "from hardest(5)",
            "select stage, model, sum(n_calls)::bigint as n, sum(prompt_tokens)::bigint as t from spent() group by all order by all",
            "select captioner, domain, sum(score::decimal(18, 9)) as score, count(*) as n, min(unit) as unit from answers group by all order by all",
            "select question_id, reply, picture from answers_wide where outcome <> 'correct' order by all limit 20",
            "select run_id, unit, current from runs order by all",
            "select series_a, series_b, spearman, kendall_p from benchmark_agreement order by all",
            "from votes order by battle_id, judge, protocol, position limit 9",
            "from judgments",
        ]:
            with self.subTest(query):
                told = subprocess.run(
                    [PROGRAM, "--lake", str(LAKE), "sql", "--format", "parquet", query], check=True, capture_output=True, timeout=120
                ).stdout
                with tempfile.NamedTemporaryFile(suffix=".parquet") as file:
                    file.write(told)
                    file.flush()
                    with duckdb.connect() as con:
                        con.execute("set timezone = 'UTC'")
                        want = con.sql(f"from '{file.name}'").to_arrow_table()
                got = lake.sql(query)
                self.assertEqual(got.column_names, want.column_names)
                self.assertEqual(got.to_pylist(), want.to_pylist())
                told = subprocess.run([PROGRAM, "--lake", str(LAKE), "sql", "--format", "arrow", query], check=True, capture_output=True, timeout=120).stdout
                for arrow in pa.ipc.open_file(told).read_all(), pa.ipc.open_stream(told[8:]).read_all():
                    self.assertEqual([(f.name, f.type) for f in arrow.schema], [(f.name, f.type) for f in want.schema])
                    self.assertEqual(arrow.to_pylist(), want.to_pylist())

    def test_leaderboard(self) -> None:
        lake = captionlake.open(LAKE)
        shown = lake.leaderboard(prompt="simple")
        want = lake.sql("from leaderboard('Simple')")
        self.assertEqual(list(shown["captioner_name"]), list(want["captioner_name"]))
        self.assertEqual(list(shown["overall"]), list(want["overall"]))
        self.assertEqual(shown["captioner"].iloc[0], "gpt-5")
        with self.assertRaisesRegex(captionlake.UnknownName, "'Smple'\nTry: one of: Simple"):
            lake.leaderboard("Smple")

    def test_table(self) -> None:
        lake = captionlake.open(LAKE)
        answers = lake.table("answers", ["captioner", "score", "unit"], where={"prompt": ["Simple", "Long"], "evidence": "caption"})
        self.assertIsInstance(answers, pandas.DataFrame)
        self.assertEqual(list(map(str, answers.dtypes)), ["category", "float64", "category"])
        (want,) = lake.sql("select count(*), sum(score) from answers where prompt in ('Simple', 'Long') and evidence = 'caption'").itertuples(index=False)
        self.assertEqual(len(answers), want[0])
        self.assertAlmostEqual(answers["score"].sum(), want[1], places=6)
        unit = answers["unit"].iloc[0]
        self.assertEqual(set(lake.table("answers", ["unit"], {"unit": unit})["unit"]), {unit})
        # Nulls stay nulls: a choice is null unless one of the options was chosen.
        cannot = lake.table("answers", ["choice_index", "outcome"], where=ds.field("outcome") == "cannot")
        self.assertEqual(str(cannot["choice_index"].dtype), "Int32")
        self.assertTrue(cannot["choice_index"].isna().all())
        self.assertEqual(len(lake.table("answers", ["score"], {"choice_index": None})), lake.sql("select count(*) from answers where choice_index is null").iat[0, 0])
        # A table without rows has its columns, and texts are no categories where each differs.
        self.assertEqual(list(lake.table("judgments").columns), [c.name for c in lake.columns("judgments")])
        self.assertNotEqual(str(lake.table("captions", ["caption"])["caption"].dtype), "category")
        self.assertTrue(lake.table("runs")["current"].any())

    def test_polars(self) -> None:
        lake = captionlake.open(LAKE, frames="polars")
        answers = lake.table("answers", ["captioner", "outcome", "caption_digest", "repeat"])
        self.assertIsInstance(answers, polars.DataFrame)
        self.assertIsInstance(answers.schema["captioner"], polars.Enum)
        self.assertGreater(answers["caption_digest"].null_count(), 0)
        pandas_rows = captionlake.open(LAKE).table("answers", ["captioner", "outcome"])
        self.assertEqual(answers["captioner"].to_list(), pandas_rows["captioner"].tolist())
        self.assertEqual(answers["outcome"].to_list(), pandas_rows["outcome"].tolist())

    def test_names(self) -> None:
        lake = captionlake.open(LAKE)
        kinds = {r.name: r.kind for r in lake.relations()}
        self.assertEqual((kinds["answers"], kinds["leaderboard"], kinds["versus(a, b)"]), ("table", "mart", "shortcut"))
        macros = lake.sql("select function_name from duckdb_functions() where not internal order by all")["function_name"]
        self.assertEqual(list(macros), ["gap", "hardest", "leaderboard", "spent", "versus"])
        (score,) = [c for c in lake.columns("answers") if c.name == "score"]
        self.assertEqual(score.type, "DOUBLE")
        self.assertIn("1 correct", score.comment)
        for wrong, says in [
            (lambda: lake.table("answer"), "no table or mart 'answer'\nTry: one of: answers"),
            (lambda: lake.table("answers", ["captoner"]), "no column of answers 'captoner'\nTry: one of: captioner"),
            (lambda: lake.table("answers", where={"captoner": "x"}), "no column 'captoner'\nTry: one of: captioner"),
            (lambda: lake.columns("answer"), "Try: one of: answers"),
            (lambda: captionlake.open(LAKE, frames="panda"), "Try: one of: pandas"),  # type: ignore[call-overload]
        ]:
            with self.assertRaisesRegex(captionlake.UnknownName, says):
                wrong()  # type: ignore[no-untyped-call]

    def test_sql_reads_the_lake_alone(self) -> None:
        lake = captionlake.open(LAKE)
        for query in ["from read_csv('/etc/hostname')", "copy (select 1) to 'x.csv'", "set memory_limit = '9GB'", "install httpfs"]:
            with self.assertRaises(duckdb.Error):
                lake.sql(query)
        self.assertEqual(lake.sql("select $x + 1 as y", {"x": 1}).iat[0, 0], 2)

    def test_figure(self) -> None:
        lake = captionlake.open(LAKE)
        figure = lake.show("benchmark_slopes")
        assert isinstance(figure, captionlake.Figure)
        self.assertEqual(figure.provenance, "published")
        self.assertTrue(figure.content.lstrip().startswith(b"<"))
        self.assertIn("image/svg+xml", figure._repr_mimebundle_())
        figure = lake.show("leaderboard", format="png", provenance="simulated", no_title=True)
        assert isinstance(figure, captionlake.Figure)
        self.assertEqual((figure.provenance, figure.content[1:4]), ("simulated", b"PNG"))
        self.assertGreater(len(lake.show("table_03_main")), 20)  # type: ignore[arg-type]

    def test_rows_by_name(self) -> None:
        """The rows of a name are those of its Parquet file, with their types, whatever frames are asked for, and leave no file behind."""
        lake = captionlake.open(LAKE, frames="arrow")
        with tempfile.TemporaryDirectory() as folder, unittest.mock.patch("tempfile.tempdir", folder):
            for name in "best_captioner", "ranks", "table_03_main", "rows_not_counted":
                got = lake.show(name)
                assert isinstance(got, pa.Table)
                self.assertEqual(os.listdir(folder), [])
                file = Path(folder) / "rows.parquet"
                lake.command(["-q", "show", name, "--out", str(file)])
                want = pq.read_table(file)
                file.unlink()
                self.assertEqual([(f.name, f.type) for f in got.schema], [(f.name, f.type) for f in want.schema])
                self.assertEqual(got.to_pylist(), want.to_pylist())
        self.assertIsInstance(captionlake.open(LAKE).show("best_captioner"), pandas.DataFrame)
        self.assertIsInstance(captionlake.open(LAKE, frames="polars").show("best_captioner"), polars.DataFrame)

    def test_program(self) -> None:
        """Figures and answers by name, and any command: done by the program on the same files, its errors told in its words."""
        lake = captionlake.open(LAKE, frames="arrow")
        rows = lake.show("best_captioner", prompt="Simple")
        assert not isinstance(rows, captionlake.Figure)
        self.assertGreater(rows.num_rows, 0)
        with contextlib.redirect_stdout(io.StringIO()) as shown:
            told = lake.command(["status"])
        self.assertEqual(shown.getvalue(), told)
        self.assertIn("answers", told)
        self.assertIsNone(told._ipython_display_())  # type: ignore[attr-defined]
        self.addCleanup(os.chdir, os.getcwd())
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            self.assertGreater(captionlake.init("new", frames="arrow").table("published").num_rows, 1000)
        for call in lambda: lake.show("utility_gab"), lambda: lake.run(["answr"]):
            with self.assertRaisesRegex(captionlake.CaptionlakeError, "did you mean (utility_gap|answer)"), contextlib.redirect_stdout(io.StringIO()):
                call()


class OfOtherLakes(unittest.TestCase):
    def setUp(self) -> None:
        temp = tempfile.TemporaryDirectory()
        self.addCleanup(temp.cleanup)
        self.lake = Path(temp.name) / "a 'lake' [of] 100 %?"
        shutil.copytree(LAKE, self.lake, ignore=shutil.ignore_patterns("report", "pictures", "cache"))

    def answers(self) -> int:
        """The number of answers, by table and by SQL."""
        lake = captionlake.open(self.lake)
        n = len(lake.table("answers", ["score"]))
        self.assertEqual(lake.sql("select count(*) from answers").iat[0, 0], n)
        return n

    def unit(self) -> str:
        return min(p.stem for p in (self.lake / "answers").glob("score-*.parquet"))

    def test_not_a_lake(self) -> None:
        with self.assertRaisesRegex(captionlake.NotALake, r"no lake in [^\n]*\nTry: .*captionlake\.init\("):
            captionlake.open(self.lake / "nothing")
        (self.lake / "LAKE").write_text("captionlake lake, layout 99\n")
        with self.assertRaisesRegex(captionlake.NewerLake, r"its layout is 99, this package knows \d"):
            captionlake.open(self.lake)

    def test_a_file_of_no_unit(self) -> None:
        shutil.copy(self.lake / "answers" / f"{self.unit()}.parquet", self.lake / "answers" / "mine-00000000.parquet")
        with self.assertRaisesRegex(captionlake.DamagedLake, "mine-00000000.parquet: no unit of the lake wrote this file"):
            captionlake.open(self.lake).table("answers")

    def test_a_missing_file(self) -> None:
        (self.lake / "answers" / f"{self.unit()}.parquet").unlink()
        with self.assertRaisesRegex(captionlake.DamagedLake, f"{self.unit()[:20]}.* is missing|is missing, which its unit wrote"):
            captionlake.open(self.lake).table("leaderboard")

    def test_a_unit_that_is_gone(self) -> None:
        unit = self.unit()
        for table in "answers", "runs":
            (self.lake / table / f"{unit}.parquet").unlink()
        with self.assertRaisesRegex(captionlake.DamagedLake, "is gone with its record"):
            captionlake.open(self.lake).table("leaderboard")

    def test_stray_files(self) -> None:
        """A file beside those of a lake, as a file manager makes it, is named and left out."""
        before, fold = self.answers(), "captionqa_image_sums"
        rows = len(captionlake.open(self.lake).table(fold))
        shutil.copy(self.lake / "answers" / f"{self.unit()}.parquet", self.lake / "answers" / f"{self.unit()} (1).parquet")
        for name in "00 (1)", "77":
            shutil.copy(self.lake / "marts" / fold / "00.parquet", self.lake / "marts" / fold / f"{name}.parquet")
        with self.assertWarnsRegex(UserWarning, r"77\.parquet is left out"):
            self.assertEqual(self.answers(), before)
        lake = captionlake.open(self.lake)
        self.assertEqual(len(lake.table(fold)), rows)
        self.assertEqual(lake.sql(f"select count(*) from {fold}").iat[0, 0], rows)

    def test_rot(self) -> None:
        """A mart or a small table with another bit is not shown, although it has its size and time; and so is the record of a unit."""
        for name in "marts/leaderboard.parquet", "questions", "runs":
            path = self.lake / name
            if path.is_dir():
                path = min(path.glob("*.parquet"))
            stat, content = path.stat(), bytearray(path.read_bytes())
            content[len(content) // 2] ^= 1
            path.write_bytes(content)
            os.utime(path, ns=(stat.st_atime_ns, stat.st_mtime_ns))
            table = path.stem if name.endswith(".parquet") else name
            lake = captionlake.open(self.lake)
            for look in "table", "sql":
                with self.subTest(name, look=look), self.assertRaisesRegex(captionlake.DamagedLake, "is not the one that was committed|cannot be read"):
                    lake.table(table) if look == "table" else lake.sql(f"from {table}")
            content[len(content) // 2] ^= 1
            path.write_bytes(content)

    def test_a_shorter_file(self) -> None:
        path = self.lake / "answers" / f"{self.unit()}.parquet"
        path.write_bytes(path.read_bytes()[:-9])
        with self.assertRaisesRegex(captionlake.DamagedLake, "bytes; its unit wrote"):
            captionlake.open(self.lake).sql("select count(*) from answers")

    def test_a_commit_under_way(self) -> None:
        """Once the record of a commit is there, the unit is committed, whichever of its files were moved."""
        before, unit = self.answers(), self.unit()
        (self.lake / "marts" / "units").unlink()  # The unit is new.
        journal = self.lake / "journal"
        moves = []
        for i, table in enumerate(["answers", "runs"]):
            temp = f"journal/commit-{i}.tmp"
            (self.lake / table / f"{unit}.parquet").rename(self.lake / temp)
            moves.append({"from": temp, "to": f"{table}/{unit}.parquet"})
        rows = len(captionlake.open(self.lake).table("answers", ["score"]))
        self.assertLess(rows, before, "without the record the unit is not there")
        record = journal / f"{unit}.commit.json"
        record.write_text(json.dumps({"moves": moves, "removes": None, "sum": ""}))
        self.assertEqual(self.answers(), before)
        got = captionlake.open(self.lake).sql("select unit, count(*) as n from answers group by all").set_index("unit")["n"]
        self.assertEqual(got[unit], before - rows)
        (self.lake / moves[1]["from"]).rename(self.lake / moves[1]["to"])
        self.assertEqual(self.answers(), before)
        record.write_text(json.dumps({"moves": [{"from": "journal/commit-0.tmp", "to": "../../out.parquet"}], "removes": []}))
        with self.assertRaisesRegex(captionlake.DamagedLake, "not one that captionlake wrote"):
            self.answers()
        record.write_text(json.dumps({"moves": [], "removes": [], "more": 1}))
        with self.assertRaisesRegex(captionlake.NewerLake, "newer captionlake"):
            self.answers()

    def test_a_file_that_is_moved_while_it_is_listed(self) -> None:
        """A commit moves a file between two looks at it, although its record says the same before and after."""
        want, looks = self.answers(), 0

        def gone(stat: os.stat_result) -> tuple[int, int, int]:
            nonlocal looks
            looks += 1
            if looks in (2, 5, 9):
                raise FileNotFoundError(2, "gone", "journal/x.tmp")
            return stamp(stat)

        with unittest.mock.patch("captionlake._files._stamp", gone):
            self.assertEqual(self.answers(), want)

    def test_a_unit_that_is_replaced_while_it_is_read(self) -> None:
        """A snapshot that was overtaken is taken again, so that rows of two moments are never mixed."""
        lake = captionlake.open(self.lake, frames="arrow")
        want = lake.table("answers", ["score"]).num_rows
        path = self.lake / "answers" / f"{self.unit()}.parquet"
        seen: list[Snapshot] = []

        def overtaken(root: Path) -> Snapshot:
            taken = snapshot(root)
            seen.append(taken)
            if len(seen) < 3:
                shutil.copy(path, path.with_suffix(".new"))
                path.with_suffix(".new").rename(path)
            return taken

        with unittest.mock.patch("captionlake._lake.snapshot", overtaken):
            self.assertEqual(lake.table("answers", ["score"]).num_rows, want)
        self.assertEqual(len(seen), 3)

    def test_marts_that_are_being_published(self) -> None:
        """Once the record of their commit is there, the new marts count, whichever were moved."""
        lake, moves = captionlake.open(self.lake), []
        want = lake.table("leaderboard")
        for i, name in enumerate(["marts/leaderboard.parquet", "marts/files.json"]):
            temp = f"journal/marts-{i}.tmp"
            (self.lake / name).rename(self.lake / temp)
            moves.append({"from": temp, "to": name})
        (self.lake / "journal" / "marts.commit.json").write_text(json.dumps({"moves": moves, "removes": None, "sum": ""}))
        for move in moves:
            pandas.testing.assert_frame_equal(lake.table("leaderboard"), want)
            (self.lake / move["from"]).rename(self.lake / move["to"])
        pandas.testing.assert_frame_equal(lake.table("leaderboard"), want)

    def test_beside_a_writer(self) -> None:
        """Captions are loaded, and replaced by more, again and again; each look sees all rows of one load or of the other."""
        file = self.lake.parent / "captions.json"
        command = [PROGRAM, "-q", "--lake", str(self.lake), "ingest", "--captioner", "mine", "--prompt", "Simple", str(file)]

        def load(n: int) -> int:
            file.write_text(json.dumps({f"nat_s0{i + 1}": "words " * n for i in range(n)}))
            subprocess.run(command, check=True, capture_output=True, timeout=120)
            return n

        load(3)
        with ThreadPoolExecutor(1) as writer:
            loads = writer.submit(lambda: list(map(load, [5, 3] * 6 + [5])))
            lake, seen = captionlake.open(self.lake, frames="arrow"), set[Any]()
            while True:
                done = loads.done()
                seen.add(tuple(lake.table("captions", ["words"], where={"captioner": "mine"})["words"].to_pylist()))
                seen.add(tuple(lake.sql("select words from captions where captioner = 'mine'")["words"].to_pylist()))
                if done:
                    break
            loads.result()
        self.assertLessEqual(seen, {(3, 3, 3), (5, 5, 5, 5, 5)})
        self.assertIn((5, 5, 5, 5, 5), seen)


if __name__ == "__main__":
    unittest.main()
