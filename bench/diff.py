"""Measures the comparison of two contracts: CPU seconds to read and to compare them, memory, changes.

Each contract is compared with releases made of it: `same`, `texts` (every description is another),
`renamed` (every shared schema has another name), `secured` (every operation asks for another scheme) and
`all` of these at once. Without files it measures contracts made here, of growing size: seconds for each
operation should stay what they are. CPU seconds are those of a process of its own; run it on a quiet machine.
"""

import argparse
import json
import resource
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

from devportal.contract import load_contract
from devportal.differ import compare
from devportal.documents import read_document

SIZES = (250, 500, 1000, 2000)
"""How many operations the contracts have that are made here."""
_HEADS = ("contract", "release", "operations", "reading s", "compare s", "s / 1,000", "peak MB", "changes")
_COLUMNS = "{:<28} {:<9} {:>10} {:>10} {:>10} {:>10} {:>8} {:>8}"
_SCHEMAS = "#/components/schemas/"
_METHODS = frozenset({"get", "put", "post", "delete", "patch", "head", "options", "trace"})


def main() -> None:
    """Measure the contracts that are named, or those made here."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("contracts", nargs="*", type=Path, metavar="FILE", help="OpenAPI files to compare")
    parser.add_argument("--operations", nargs="*", type=int, default=SIZES, help="sizes to make without FILE")
    parser.add_argument("--pair", action="store_true", help="measure two files here, print JSON")
    asked = parser.parse_args()
    if asked.pair:
        print(json.dumps(measure_diff(*asked.contracts)))
        return
    with TemporaryDirectory(prefix="bench-") as folder:
        print(_COLUMNS.format(*_HEADS))
        for contract in asked.contracts or write_contracts(asked.operations, Path(folder)):
            report(contract, Path(folder))


def report(contract: Path, folder: Path) -> None:
    """Print a row for each release of a contract."""
    written = json.dumps(read_document(contract).data)
    for name, change in RELEASES.items():
        release = json.loads(written)
        change(release)
        path = folder / "release.json"
        path.write_text(json.dumps(release), encoding="utf-8")
        row = _in_a_process(contract, path)
        each = 1000 * row["compare_s"] / max(row["operations"], 1)
        told = (f"{row['reading_s']:.2f}", f"{row['compare_s']:.2f}", f"{each:.2f}")
        print(
            _COLUMNS.format(
                contract.name, name, row["operations"], *told, f"{row['peak_mb']:.0f}", row["changes"]
            )
        )


def _in_a_process(old: Path, new: Path) -> Mapping[str, Any]:
    command = [sys.executable, __file__, "--pair", str(old), str(new)]
    ran = subprocess.run(command, check=True, capture_output=True, text=True)
    row: Mapping[str, Any] = json.loads(ran.stdout)
    return row


def measure_diff(old: Path, new: Path) -> Mapping[str, Any]:
    """Return the time that the comparison of two files takes in this process."""
    began = time.process_time()
    before, after = load_contract(old).api, load_contract(new).api
    read = time.process_time()
    found = compare(before, after)
    return {
        "operations": len(before.operations),
        "reading_s": read - began,
        "compare_s": time.process_time() - read,
        "peak_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024,
        "changes": len(found.changes),
    }


def with_other_texts(release: Any) -> None:
    """Write another text wherever one describes something."""
    pending = [release]
    while pending:
        one = pending.pop()
        if isinstance(one, list):
            pending += one
        elif isinstance(one, dict):
            if isinstance(one.get("description"), str):
                one["description"] += " As before."
            pending += one.values()


def with_other_names(release: dict[str, Any]) -> None:
    """Give every shared schema another name."""
    renamed = json.loads(json.dumps(release).replace(_SCHEMAS, f"{_SCHEMAS}Renamed."))
    components = renamed.get("components", {})
    components["schemas"] = {
        f"Renamed.{name}": schema for name, schema in components.get("schemas", {}).items()
    }
    release |= renamed


def with_other_security(release: dict[str, Any]) -> None:
    """Have every operation ask for a scheme that is new."""
    schemes = release.setdefault("components", {}).setdefault("securitySchemes", {})
    schemes["benchToken"] = {"type": "http", "scheme": "bearer"}
    for item in release.get("paths", {}).values():
        for method in item.keys() & _METHODS:
            item[method]["security"] = [{"benchToken": []}]


def with_all(release: dict[str, Any]) -> None:
    """Change texts, names and security."""
    with_other_texts(release)
    with_other_names(release)
    with_other_security(release)


RELEASES: Mapping[str, Callable[[dict[str, Any]], None]] = {
    "same": lambda _: None,
    "texts": with_other_texts,
    "renamed": with_other_names,
    "secured": with_other_security,
    "all": with_all,
}


def write_contracts(sizes: Sequence[int], folder: Path) -> Iterator[Path]:
    """Write contracts of these sizes, whose schemas refer to each other in chains that everything reaches."""
    for size in sizes:
        path = folder / f"{size}-operations.json"
        path.write_text(json.dumps(_contract(size)), encoding="utf-8")
        yield path


def _contract(size: int) -> dict[str, Any]:
    return {
        "openapi": "3.0.3",
        "info": {"title": "Bench", "version": "1.0.0"},
        "paths": {f"/things-{number}": {"post": _operation(number)} for number in range(size)},
        "components": {"schemas": {f"Thing{number}": _object_schema(number) for number in range(size)}},
    }


def _operation(number: int) -> dict[str, Any]:
    content = {"application/json": {"schema": {"$ref": f"{_SCHEMAS}Thing{number}"}}}
    limit = {"name": "limit", "in": "query", "description": "How many.", "schema": {"type": "integer"}}
    return {
        "operationId": f"makeThing{number}",
        "parameters": [limit],
        "requestBody": {"required": True, "content": content},
        "responses": {"200": {"description": "Made.", "content": content}},
    }


def _object_schema(number: int) -> dict[str, Any]:
    fields = {
        f"field{other_number}": {"type": "string", "description": f"Field {other_number}."}
        for other_number in range(_FIELDS)
    }
    below = {"$ref": f"{_SCHEMAS}Thing{number - 1}"} if number % _CHAIN else {"type": "integer"}
    return {"type": "object", "required": ["field0"], "properties": {**fields, "below": below}}


_FIELDS, _CHAIN = 12, 25
"""How many texts a schema has, and how many schemas lead to each other."""


if __name__ == "__main__":
    main()
