"""Measures builds of a reference site: CPU and wall seconds, peak memory, pages and bytes.

Each contract is built cold, again with nothing changed, after one edited description, after another summary and after
a new operation, then cold with one process, and then checked; then follows what a reader of the site loads. Without
files it measures contracts made here, of growing size, and says at the end what one operation takes in each as a
multiple of what it takes in the smallest: time and memory should grow no faster than the contract. Where npm is there,
`redocly build-docs` builds the same file in the same run, and each row has its CPU and wall seconds as multiples of
those of redocly. That makes one page which is drawn in the browser, so the ratio compares what people wait for, not
what they get.

CPU seconds are those of the program and of the system on its behalf, which stand beside them. Run it on a
quiet machine, and not right after thousands of files were deleted: ext4 looks past their inodes for minutes,
which can take longer than the build. So nothing is deleted here before the end.
"""

import argparse
import gzip
import json
import os
import platform
import re
import shutil
import statistics
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import yaml

from devportal.contract import load_contract

SIZES = (500, 1000, 2000, 4000, 8000)
"""How many operations the contracts have that are made here."""
REDOCLY = "@redocly/cli@2.77.0"
_HEADS = (
    "contract",
    "command",
    "CPU s",
    "system",
    "wall s",
    "peak MB",
    "pages",
    "site MB",
    "CPU x",
    "wall x",
)
_ALONE = "cold -j1"
"""The name of the build with one process: the ratio of its wall seconds to those of "cold" is what more bring."""
_COLUMNS = "{:<28} {:<8} {:>7} {:>7} {:>7} {:>9} {:>7} {:>9} {:>7} {:>7}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """What one build took and made."""

    cpu_s: float
    system_s: float
    wall_s: float
    peak_bytes: int
    pages: int
    size_bytes: int


def main() -> None:
    """Measure the contracts that are named, or those made here."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("contracts", nargs="*", type=Path, metavar="FILE", help="OpenAPI files to build")
    parser.add_argument("--operations", nargs="*", type=int, default=SIZES, help="sizes to make without FILE")
    parser.add_argument("--no-redocly", action="store_true", help="compare with nobody")
    asked = parser.parse_args()
    with TemporaryDirectory(prefix="bench-") as folder:
        redocly = None if asked.no_redocly else installed_redocly(Path(folder))
        print(f"{platform.platform()}, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")
        print(_COLUMNS.format(*_HEADS))
        made = () if asked.contracts else write_contracts(asked.operations, Path(folder))
        cold = []
        for number, contract in enumerate((*asked.contracts, *made)):
            own = Path(folder) / str(number)
            own.mkdir()
            cold.append(report(contract, own, redocly))
        if not asked.contracts and len(cold) > 1:
            print(growth(asked.operations, cold))


def report(contract: Path, folder: Path, redocly: Path | None) -> Measured:
    """Print a row for each command with a contract, and what its site weighs; return the build of it alone."""
    site = folder / "site"
    theirs = built_by_redocly(redocly, contract, folder) if redocly is not None else None
    if theirs is not None:
        print(_row(contract, "redocly", theirs, theirs), flush=True)
    rows = {}
    for name, rows[name] in measure(contract, folder, site):
        print(_row(contract, name, rows[name], theirs), flush=True)
    print("  " + weights(site, operations=_operations(contract)), flush=True)
    return rows[_ALONE]


def growth(sizes: Sequence[int], cold: Sequence[Measured]) -> str:
    """Return what an operation takes in each contract, as a multiple of what it takes in the first."""
    first = cold[0]
    steps = [
        f"{size:,}: {measured.cpu_s / first.cpu_s * sizes[0] / size:.2f} of the CPU seconds, "
        f"{measured.peak_bytes / first.peak_bytes * sizes[0] / size:.2f} of the memory"
        for size, measured in zip(sizes[1:], cold[1:], strict=True)
    ]
    return f"an operation among {sizes[0]:,} is 1, among {'; '.join(steps)}"


def measure(contract: Path, folder: Path, site: Path) -> Iterator[tuple[str, Measured]]:
    """Yield the builds of a copy of a contract in a folder without anything in it, nor in the cache, one of them
    with one process, and a check of it.
    """
    copy = folder / "input" / contract.name
    copy.parent.mkdir()
    copy.write_bytes(contract.read_bytes())
    environment = {**os.environ, "XDG_CACHE_HOME": str(folder / "cache")}
    yield "cold", build(copy, site, environment)
    yield "again", build(copy, site, environment)
    text = copy.read_text(encoding="utf-8")
    edited = edit(text)
    if edited != text:
        copy.write_text(edited, encoding="utf-8")
        yield "edited", build(copy, site, environment)
    for name, further in edits_of_operation(edited):
        copy.write_text(further, encoding="utf-8")
        yield name, build(copy, site, environment)
    yield _ALONE, build(copy, folder / "alone", environment, "--no-cache", "--jobs", "1")
    checked = run([sys.executable, "-m", "devportal", "check", "--contract", str(copy)], environment, copy)
    if checked is not None:
        yield "check", checked


def edit(text: str) -> str:
    """Return a contract with the description edited that stands in the middle of it."""
    places = list(re.finditer(r"""["']?description["']?: *["']?(?=\w)""", text))
    if not places:
        return text
    end = places[len(places) // 2].end()
    return f"{text[:end]}Edited. {text[end:]}"


def edits_of_operation(text: str) -> Iterator[tuple[str, str]]:
    """Yield a contract with another summary of the operation in the middle of it, then with one like it beside it."""
    document = yaml.load(text, yaml.CSafeLoader) if not text.lstrip().startswith("{") else json.loads(text)
    places = [
        (path, method)
        for path, item in document.get("paths", {}).items()
        for method in item
        if method in ("get", "put", "post", "delete", "patch")
    ]
    if not places:
        return
    path, method = places[len(places) // 2]
    operation = document["paths"][path][method]
    operation["summary"] = f"Another title of {path}"
    yield "retitled", json.dumps(document, default=str)
    document["paths"][f"{path}/added"] = {method: {**operation, "operationId": "addedOperation"}}
    yield "added", json.dumps(document, default=str)


def build(contract: Path, site: Path, environment: Mapping[str, str], *options: str) -> Measured:
    """Build once in a process of its own. Ends the program where that fails for want of a site."""
    command = [sys.executable, "-m", "devportal", "build", "--quiet", *options]
    measured = run([*command, "--contract", str(contract), "--site-dir", str(site)], environment, site)
    if measured is None:
        sys.exit(f"{contract.name}: the build has failed; run it by hand to see why")
    return measured


def run(
    command: Sequence[str], environment: Mapping[str, str], made: Path, *, folder: Path | None = None
) -> Measured | None:
    """Run a command in a folder that makes a site or a file; None if it could not."""
    started = time.monotonic()
    process = subprocess.Popen(
        command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=dict(environment), cwd=folder
    )
    _, status, usage = os.wait4(process.pid, 0)
    wall_s = time.monotonic() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1) or not made.exists():
        return None
    files = [path for path in made.rglob("*") if path.is_file()] if made.is_dir() else [made]
    return Measured(
        cpu_s=usage.ru_utime + usage.ru_stime,
        system_s=usage.ru_stime,
        wall_s=wall_s,
        peak_bytes=usage.ru_maxrss * 1024,
        pages=sum(path.suffix == ".html" for path in files),
        size_bytes=sum(path.stat().st_size for path in files),
    )


def weights(site: Path, *, operations: int) -> str:
    """Return what a reader of a site loads, in words."""
    pages = [path.read_bytes() for path in site.rglob("*.html")]
    nodes = [len(re.findall(rb"<[a-zA-Z]", page)) for page in pages]
    html = [len(gzip.compress(page)) for page in pages]
    scripts = sum(len(gzip.compress(path.read_bytes())) for path in _own_assets(site, "*.js"))
    index = sum(len(gzip.compress(path.read_bytes())) for path in site.glob("search/*.json"))
    return (
        f"HTML gzipped {statistics.median(html) / 1e3:.1f} kB at the median, {max(html) / 1e3:.1f} at most; "
        f"elements {statistics.median(nodes):.0f} at the median, {max(nodes)} at most; "
        f"our JavaScript {scripts / 1e3:.1f} kB; "
        f"search {index / 1e3:.1f} kB, {index / max(1, operations):.0f} kB per 1,000 operations"
    )


def _own_assets(site: Path, pattern: str) -> Iterator[Path]:
    return (site / "assets" / "devportal").rglob(pattern)


def _operations(contract: Path) -> int:
    return len(load_contract(contract).api.operations)


def installed_redocly(folder: Path) -> Path | None:
    """Install Redocly's command line into a folder; where that cannot be done, say so and return None."""
    npm = shutil.which("npm")
    if npm is not None:
        command = [npm, "install", "--silent", "--no-fund", "--no-audit", "--prefix", str(folder), REDOCLY]
        subprocess.run(command, capture_output=True, check=False)
    program = folder / "node_modules" / ".bin" / "redocly"
    if program.exists():
        return program
    print("redocly is not measured: npm is not there, or could not install it")
    return None


def built_by_redocly(program: Path, contract: Path, folder: Path) -> Measured:
    """Build the page that Redocly makes of a contract."""
    page = folder / "redocly.html"
    command = [str(program), "build-docs", str(contract), "-o", str(page)]
    measured = run(command, {**os.environ, "REDOCLY_TELEMETRY": "off"}, page)
    if measured is None:
        sys.exit(f"{contract.name}: redocly has failed")
    return measured


def write_contracts(sizes: Sequence[int], folder: Path) -> Iterator[Path]:
    """Write a contract of each size into the folder."""
    for size in sizes:
        path = folder / f"made-{size}.json"
        path.write_text(json.dumps(contract_of(size), indent=1), encoding="utf-8")
        yield path


def contract_of(operations: int) -> dict[str, Any]:
    """Return a contract with this many operations, ten to a tag, two to a path."""
    paths: dict[str, Any] = {}
    for number in range(operations):
        verb = ("get", "post")[number % 2]
        item = paths.setdefault(f"/area{number // 10}/things{number // 2}/{{id}}", {})
        item[verb] = _operation(number, has_body=verb == "post")
    return {
        "openapi": "3.0.3",
        "info": {"title": f"{operations} operations", "version": "1"},
        "paths": paths,
        "components": {"schemas": {"Thing": _object_schema(depth=3)}},
    }


def _operation(number: int, *, has_body: bool) -> dict[str, Any]:
    thing = {"application/json": {"schema": {"$ref": "#/components/schemas/Thing"}}}
    operation: dict[str, Any] = {
        "operationId": f"do{number}",
        "tags": [f"Area {number // 10}"],
        "summary": f"Do thing {number}",
        "description": f"Does thing **{number}**, as the one before.\n\n- once\n- or `twice`",
        "parameters": [
            {"name": "id", "in": "path", "required": True, "schema": {"type": "string"}},
            {"name": "limit", "in": "query", "schema": {"type": "integer", "minimum": 1, "maximum": 100}},
        ],
        "responses": {"200": {"description": "Done.", "content": thing}, "404": {"description": "No thing."}},
    }
    return operation | ({"requestBody": {"required": True, "content": thing}} if has_body else {})


def _object_schema(*, depth: int) -> dict[str, Any]:
    properties: dict[str, Any] = {
        f"field{number}": {"type": "string", "maxLength": 40, "description": f"Field {number} of a thing."}
        for number in range(8)
    }
    if depth:
        properties["parts"] = {"type": "array", "items": _object_schema(depth=depth - 1)}
    return {"type": "object", "required": ["field0"], "properties": properties}


def _row(contract: Path, name: str, measured: Measured, theirs: Measured | None) -> str:
    return _COLUMNS.format(
        contract.name[:28],
        name,
        f"{measured.cpu_s:.1f}",
        f"{measured.system_s:.1f}",
        f"{measured.wall_s:.1f}",
        f"{measured.peak_bytes / 1e6:.0f}",
        measured.pages,
        f"{measured.size_bytes / 1e6:.1f}",
        f"{measured.cpu_s / theirs.cpu_s:.2f}" if theirs is not None else "",
        f"{measured.wall_s / theirs.wall_s:.2f}" if theirs is not None else "",
    )


if __name__ == "__main__":
    main()
