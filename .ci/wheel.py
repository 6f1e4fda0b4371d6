"""Makes the wheel of a release: the Python package and the program in one.

    wheel.py VERSION RELEASE PLATFORM FOLDER

RELEASE is the unpacked release, with the program `captionlake`, its manual and its licences; PLATFORM is the tag of the machines that run it, such as
manylinux_2_35_x86_64. Prints the name of the file. The same input gives the same bytes: entries are sorted, and their time is
SOURCE_DATE_EPOCH.
"""

import base64
import hashlib
import os
import re
import sys
import time
import tomllib
import zipfile
from pathlib import Path

PACKAGE = Path(__file__).resolve().parent.parent / "analytics" / "python"


def main() -> None:
    version, release, platform, folder = sys.argv[1], Path(sys.argv[2]), sys.argv[3], Path(sys.argv[4])
    project = tomllib.loads((PACKAGE / "pyproject.toml").read_text())["project"]
    version = public(version, project["version"])
    info = f"captionlake-{version}.dist-info"
    files = {f"captionlake/{f.name}": f.read_bytes() for f in (PACKAGE / "src" / "captionlake").iterdir() if f.is_file()}
    files[f"captionlake-{version}.data/scripts/captionlake"] = (release / "captionlake").read_bytes()
    for page in (release / "man").iterdir():
        files[f"captionlake-{version}.data/data/share/man/man1/{page.name}"] = page.read_bytes()
    files[f"{info}/METADATA"] = metadata(project, version).encode()
    files[f"{info}/WHEEL"] = f"Wheel-Version: 1.0\nGenerator: captionlake\nRoot-Is-Purelib: false\nTag: py3-none-{platform}\n".encode()
    files[f"{info}/licenses/LICENSE"] = (release / "LICENSE").read_bytes()
    for f in (release / "licences").rglob("*"):
        if f.is_file():
            files[f"{info}/licenses/{f.relative_to(release)}"] = f.read_bytes()
    record = f"{info}/RECORD"
    files[record] = "".join([*(f"{name},{digest(content)},{len(content)}\n" for name, content in sorted(files.items())), f"{record},,\n"]).encode()
    name = f"captionlake-{version}-py3-none-{platform}.whl"
    made = time.gmtime(max(int(os.environ["SOURCE_DATE_EPOCH"]), 315532800))[:6]  # A zip's time begins in 1980.
    with zipfile.ZipFile(folder / name, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as wheel:
        for path, content in sorted(files.items(), key=lambda f: (".dist-info/" in f[0], f[0])):
            entry = zipfile.ZipInfo(path, made)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = (0o100755 if "/scripts/" in path else 0o100644) << 16
            wheel.writestr(entry, content, compresslevel=9)
    print(name)


def public(version: str, planned: str) -> str:
    """The version of a tag, or a development version before the planned one, in Python's notation."""
    version = version.removeprefix("v")
    if re.fullmatch(r"\d+\.\d+\.\d+((a|b|rc)\d+)?", version):
        return version
    return f"{planned}.dev0+{re.sub('[^0-9a-z]+', '.', version.lower()).strip('.')}"


def metadata(project: dict, version: str) -> str:
    """Says what the wheel is and needs (core metadata 2.4)."""
    lines = [
        "Metadata-Version: 2.4", f"Name: {project['name']}", f"Version: {version}", f"Summary: {project['description']}",
        f"Requires-Python: {project['requires-python']}", f"License-Expression: {project['license']}", "License-File: LICENSE",
        *(f"Requires-Dist: {need}" for need in project["dependencies"]),
    ]
    for extra, needs in project["optional-dependencies"].items():
        lines += [f"Provides-Extra: {extra}", *(f"Requires-Dist: {need}; extra == '{extra}'" for need in needs)]
    return "\n".join([*lines, "Description-Content-Type: text/markdown", "", (PACKAGE / project["readme"]).read_text()])


def digest(content: bytes) -> str:
    return "sha256=" + base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b"=").decode()


if __name__ == "__main__":
    main()
