"""Measures builds of a reference site: CPU and wall seconds, peak memory, pages and bytes.

Each contract is built cold, again with nothing changed, and after one edited description. Without files it
measures contracts made here, of growing size: time and memory should grow no faster than they do.
"""

import argparse
import json
import os
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

SIZES = (100, 200, 400)
"""How many operations the contracts have that are made here."""
_COLUMNS = "{:<28} {:<7} {:>7} {:>7} {:>9} {:>7} {:>9}"


@dataclass(frozen=True, slots=True, kw_only=True)
class Measured:
    """What one build took and made."""

    cpu_s: float
    wall_s: float
    peak_bytes: int
    pages: int
    size_bytes: int


def main() -> None:
    """Measure the contracts that are named, or those made here."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("contracts", nargs="*", type=Path, metavar="FILE", help="OpenAPI files to build")
    parser.add_argument("--operations", nargs="*", type=int, default=SIZES, help="sizes to make without FILE")
    asked = parser.parse_args()
    print(_COLUMNS.format("contract", "build", "CPU s", "wall s", "peak MB", "pages", "site MB"))
    with TemporaryDirectory(prefix="bench-") as folder:
        made = () if asked.contracts else written(asked.operations, Path(folder))
        for contract in (*asked.contracts, *made):
            for name, measured in measure(contract, Path(folder)):
                print(_row(contract, name, measured), flush=True)


def measure(contract: Path, folder: Path) -> Iterator[tuple[str, Measured]]:
    """Yield the three builds of a copy of a contract."""
    copy = folder / "input" / contract.name
    copy.parent.mkdir(exist_ok=True)
    copy.write_bytes(contract.read_bytes())
    site = folder / "site"
    yield "cold", build(copy, site)
    yield "again", build(copy, site)
    text = copy.read_text(encoding="utf-8")
    edited = re.sub(r"""(["']?description["']?: *["']?)(?=\w)""", r"\1Edited. ", text, count=1)
    if edited != text:
        copy.write_text(edited, encoding="utf-8")
        yield "edited", build(copy, site)


def build(contract: Path, site: Path) -> Measured:
    """Build once in a process of its own. Ends the program where that fails for want of a site."""
    command = [sys.executable, "-m", "devportal", "build", "--quiet"]
    started = time.monotonic()
    process = subprocess.Popen(
        [*command, "--contract", str(contract), "--site-dir", str(site)],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    _, status, usage = os.wait4(process.pid, 0)
    wall_s = time.monotonic() - started
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        sys.exit(f"{contract.name}: the build ended with {process.returncode}; run it by hand to see why")
    files = [path for path in site.rglob("*") if path.is_file()]
    return Measured(
        cpu_s=usage.ru_utime + usage.ru_stime,
        wall_s=wall_s,
        peak_bytes=usage.ru_maxrss * 1024,
        pages=sum(path.suffix == ".html" for path in files),
        size_bytes=sum(path.stat().st_size for path in files),
    )


def written(sizes: tuple[int, ...], folder: Path) -> Iterator[Path]:
    """Write a contract of each size into the folder."""
    for size in sizes:
        path = folder / f"made-{size}.json"
        path.write_text(json.dumps(contract_of(size), indent=1), encoding="utf-8")
        yield path


def contract_of(operations: int) -> dict[str, Any]:
    """Return a contract with so many operations, ten to a tag, two to a path."""
    paths: dict[str, Any] = {}
    for number in range(operations):
        verb = ("get", "post")[number % 2]
        item = paths.setdefault(f"/area{number // 10}/things{number // 2}/{{id}}", {})
        item[verb] = _operation(number, has_body=verb == "post")
    return {
        "openapi": "3.0.3",
        "info": {"title": f"{operations} operations", "version": "1"},
        "paths": paths,
        "components": {"schemas": {"Thing": _thing(depth=3)}},
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


def _thing(*, depth: int) -> dict[str, Any]:
    properties: dict[str, Any] = {
        f"field{number}": {"type": "string", "maxLength": 40, "description": f"Field {number} of a thing."}
        for number in range(8)
    }
    if depth:
        properties["parts"] = {"type": "array", "items": _thing(depth=depth - 1)}
    return {"type": "object", "required": ["field0"], "properties": properties}


def _row(contract: Path, name: str, measured: Measured) -> str:
    return _COLUMNS.format(
        contract.name[:28],
        name,
        f"{measured.cpu_s:.1f}",
        f"{measured.wall_s:.1f}",
        f"{measured.peak_bytes / 1e6:.0f}",
        measured.pages,
        f"{measured.size_bytes / 1e6:.1f}",
    )


if __name__ == "__main__":
    main()
