"""Executes the notebooks on a lake: execute.py --lake LAKE --out FOLDER [NAME...].

Each is executed from top to bottom in a fresh kernel; a cell that fails is an error, and so is one that warns. FOLDER gets the executed
notebooks, without numbers of execution and times, so that two runs of one lake are equal, and their pictures.
"""

from __future__ import annotations

import argparse
import base64
import os
import sys
from pathlib import Path

import nbclient
import nbformat

HERE = Path(__file__).resolve().parent


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lake", required=True, type=Path)
    parser.add_argument("--out", required=True, type=Path)
    parser.add_argument("names", nargs="*", help="notebooks to execute; all without")
    asked = parser.parse_args()
    os.environ["CAPTIONLAKE_LAKE"] = str(asked.lake.resolve())
    asked.out.mkdir(parents=True, exist_ok=True)
    for path in sorted(HERE.glob("*.ipynb")):
        if asked.names and path.stem not in asked.names:
            continue
        notebook = nbformat.read(path, as_version=4)
        try:
            nbclient.NotebookClient(notebook, timeout=600, kernel_name="python3", record_timing=False, resources={"metadata": {"path": str(asked.out)}}).execute()
        except nbclient.exceptions.CellExecutionError as e:
            print(f"{path.name}: {e}", file=sys.stderr)
            return 1
        pictures = 0
        for cell in notebook.cells:
            cell.metadata.clear()
            for output in cell.get("outputs", []):
                if output.output_type == "stream" and output.name == "stderr":
                    print(f"{path.name}: a cell warns: {output.text}", file=sys.stderr)
                    return 1
                output.pop("execution_count", None)
                if output.output_type == "execute_result":
                    output["execution_count"] = None
                if "image/png" in output.get("data", {}):
                    pictures += 1
                    (asked.out / f"{path.stem}-{pictures}.png").write_bytes(base64.b64decode(output.data["image/png"]))
            if cell.cell_type == "code":
                cell.execution_count = None
        notebook.metadata.pop("language_info", None)
        nbformat.write(notebook, asked.out / path.name)
        print(f"{path.name}: {sum(c.cell_type == 'code' for c in notebook.cells)} cells, {pictures} pictures")
    return 0


if __name__ == "__main__":
    sys.exit(main())
