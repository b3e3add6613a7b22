"""Measures how commands grow with contracts of many kinds: many files, one tag, one long list of values and so on.

Each kind is made in three sizes, each twice the last. `devportal check`, `devportal build` (one process, no cache) and
`devportal diff` with a release of other descriptions run on each, in a process of its own. The last column says what
doubling the contract the second time multiplies the CPU seconds by, without those of the smallest contract: 2 is
linear, 4 is the square. Run it on a quiet machine.
"""

import argparse
import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

SIZES = (400, 800, 1600)
"""How many operations, schemas or values the contracts have."""
_COLUMNS = "{:<16} {:<7} {:>9} {:>9} {:>9} {:>8} {:>6}"
_MIN_SECONDS = 0.3
"""Growth of fewer seconds is not told from noise."""


def main() -> None:
    """Measure all kinds of contracts, or those that are named."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("kinds", nargs="*", metavar="KIND", help=f"among {', '.join(KINDS)}")
    parser.add_argument("--sizes", nargs=3, type=int, default=SIZES)
    asked = parser.parse_args()
    if unknown := set(asked.kinds) - set(KINDS):
        parser.error(f"{', '.join(sorted(unknown))}: choose among {', '.join(KINDS)}")
    print(_COLUMNS.format("contract", "command", *(f"{size:,}" for size in asked.sizes), "peak MB", "x"))
    with TemporaryDirectory(prefix="bench-") as folder:
        for kind in asked.kinds or KINDS:
            pairs = [write_pair(kind, size, Path(folder)) for size in asked.sizes]
            for command in ("check", "build", "diff"):
                print(row(kind, command, [measure(command, *pair) for pair in pairs]), flush=True)


def row(kind: str, command: str, measured: Sequence[tuple[float, int]]) -> str:
    """Return the row of a command with the contracts of a kind: CPU seconds of each, the largest peak, the growth."""
    least, middle, most = (seconds for seconds, _ in measured)
    growth = (most - least) / (middle - least) if middle - least > _MIN_SECONDS else None
    return _COLUMNS.format(
        kind,
        command,
        *(f"{seconds:.2f}" for seconds, _ in measured),
        f"{measured[-1][1] / 1e6:.0f}",
        f"{growth - 1:.1f}" if growth is not None else "",
    )


def write_pair(kind: str, size: int, folder: Path) -> tuple[Path, Path]:
    """Write a contract of a kind and size, and its next release; return their paths."""
    paths = []
    for release in ("Before", "After"):
        own = folder / f"{kind}-{size}-{release}"
        for name, content in KINDS[kind](size, release).items():
            path = own / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(json.dumps(content), encoding="utf-8")
        paths.append(own / "openapi.json")
    return paths[0], paths[1]


def measure(command: str, old: Path, new: Path) -> tuple[float, int]:
    """Return the CPU seconds and the peak of memory, in bytes, of a command. Ends the program if it fails."""
    options = {
        "check": ["check", "--contract", str(old)],
        "build": ["build", "--quiet", "--no-cache", "--jobs", "1", "--contract", str(old)],
        "diff": ["diff", str(old), str(new)],
    }[command]
    if command == "build":
        options += ["--site-dir", str(old.parent / "site")]
    environment = {**os.environ, "XDG_CACHE_HOME": str(old.parent / "cache")}
    process = subprocess.Popen(
        [sys.executable, "-m", "devportal", *options],
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env=environment,
    )
    _, status, usage = os.wait4(process.pid, 0)
    process.returncode = os.waitstatus_to_exitcode(status)
    if process.returncode not in (0, 1):
        sys.exit(f"devportal {' '.join(options)}: exit code {process.returncode}; run it by hand to see why")
    return usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024


Files = Mapping[str, Any]
"""The files of a contract by their names, the root among them: `openapi.json`."""


def _contract(paths: dict[str, Any], schemas: dict[str, Any] | None = None, **members: Any) -> Files:
    components = {"schemas": schemas or {}, **members.pop("components", {})}
    root = {"openapi": "3.1.0", "info": {"title": "Made", "version": "1"}, "paths": paths}
    return {"openapi.json": {**root, "components": components, **members}}


def _operation(number: int, schema: Any = None, **members: Any) -> dict[str, Any]:
    content = {"application/json": {"schema": schema or {"type": "object", "properties": {"id": _TEXT}}}}
    done = {"200": {"description": "Done.", "content": content}}
    return {"operationId": f"do{number}", "summary": f"Do thing {number}", "responses": done, **members}


def _ref(name: str) -> dict[str, str]:
    return {"$ref": f"#/components/schemas/{name}"}


_TEXT = {"type": "string"}


def _dense_schemas(size: int, release: str) -> dict[str, Any]:
    """Return schemas that all lead to all others."""
    return {
        f"S{number}": {
            "type": "object",
            "description": f"{release} {number}.",
            "properties": {
                "id": _TEXT,
                **{f"to{way}": _ref(f"S{(number * 7 + way * 13 + 1) % size}") for way in range(3)},
            },
        }
        for number in range(size)
    }


def _schemas(size: int, release: str) -> Files:
    return _contract({"/a": {"get": _operation(0, _ref("S0"))}}, _dense_schemas(size, release))


def _files(size: int, release: str) -> Files:
    files: dict[str, Any] = {}
    paths = {}
    for number in range(size // 2):
        ways = {f"to{way}": {"$ref": f"S{(number * 7 + way * 13) % (size // 2)}.json"} for way in range(3)}
        files[f"schemas/S{number}.json"] = {
            "type": "object",
            "description": f"{release} {number}.",
            "properties": {"id": _TEXT, **ways},
        }
        files[f"paths/p{number}.json"] = {
            "get": _operation(number, {"$ref": f"../schemas/S{number}.json"}, description=f"{release}.")
        }
        paths[f"/p{number}"] = {"$ref": f"paths/p{number}.json"}
    return {**_contract(paths), **files}


def _one_tag(size: int, release: str) -> Files:
    return _contract(
        {
            f"/a{number}": {"get": _operation(number, tags=["all"], description=f"{release}.")}
            for number in range(size)
        }
    )


def _tags(size: int, release: str) -> Files:
    names = [f"Topic {number}" for number in range(size)]
    paths = {f"/a{number}": {"get": _operation(number, tags=[name])} for number, name in enumerate(names)}
    return _contract(paths, tags=[{"name": name, "description": f"{release}."} for name in names])


def _events(size: int, release: str) -> Files:
    body = {"content": {"application/json": {"schema": {"type": "object", "properties": {"x": _TEXT}}}}}
    events = {
        f"thing.{number}": {"post": _operation(number, requestBody=body, description=f"{release}.")}
        for number in range(size)
    }
    return _contract({}, webhooks=events)


def _values(size: int, release: str) -> Files:
    values = {"type": "string", "description": release, "enum": [f"value_{n}" for n in range(size * 5)]}
    parameter = {"name": "e", "in": "query", "schema": _ref("Values")}
    return _contract(
        {"/a": {"get": _operation(0, _ref("Values"), parameters=[parameter])}}, {"Values": values}
    )


def _properties(size: int, release: str) -> Files:
    members = {f"member_{n}": {"type": "string", "description": f"{release} {n}."} for n in range(size)}
    whole = {"type": "object", "properties": members, "required": [*members][::2]}
    body = {"content": {"application/json": {"schema": _ref("Whole")}}}
    return _contract({"/a": {"post": _operation(0, _ref("Whole"), requestBody=body)}}, {"Whole": whole})


def _union(size: int, release: str) -> Files:
    branches = {
        f"V{n}": {
            "type": "object",
            "description": release,
            "required": ["kind"],
            "properties": {"kind": {"const": f"v{n}"}, f"p{n}": _TEXT},
        }
        for n in range(size // 8)
    }
    mapping = {f"v{n}": _ref(f"V{n}")["$ref"] for n in range(size // 8)}
    union = {
        "oneOf": [_ref(name) for name in branches],
        "discriminator": {"propertyName": "kind", "mapping": mapping},
    }
    body = {"content": {"application/json": {"schema": _ref("Union")}}}
    paths = {"/a": {"post": _operation(0, _ref("Union"), requestBody=body)}}
    return _contract(paths, {**branches, "Union": union})


def _parameters(size: int, release: str) -> Files:
    parameters = [
        {"name": f"p{n}", "in": "query", "description": f"{release} {n}.", "schema": {"type": "integer"}}
        for n in range(size)
    ]
    return _contract({"/a": {"get": _operation(0, parameters=parameters)}})


def _introduction(size: int, release: str) -> Files:
    chapter = "\n\nSome *words* about `it` and [a link](https://example.com/).\n\n- one\n- two\n\n|a|b|\n|-|-|\n|1|2|"
    text = "\n\n".join(f"## {release} {n}{chapter}" for n in range(size))
    files = _contract({"/a": {"get": _operation(0)}})
    files["openapi.json"]["info"]["description"] = text
    return files


def _resources(size: int, release: str) -> Files:
    paths: dict[str, Any] = {}
    schemas = {}
    for n in range(size // 5):
        schemas[f"Thing{n}"] = {
            "type": "object",
            "description": f"{release} {n}.",
            "required": ["id", "name"],
            "properties": {"id": {"type": "string", "readOnly": True}, "name": _TEXT},
        }
        thing = _ref(f"Thing{n}")
        body = {"required": True, "content": {"application/json": {"schema": thing}}}
        path_id = {"name": "id", "in": "path", "required": True, "schema": _TEXT}
        paths[f"/things{n}"] = {
            "get": _operation(5 * n, {"type": "array", "items": thing}),
            "post": _operation(5 * n + 1, thing, requestBody=body),
        }
        paths[f"/things{n}/{{id}}"] = {
            "parameters": [path_id],
            "get": _operation(5 * n + 2, thing),
            "put": _operation(5 * n + 3, thing, requestBody=body),
            "delete": {"operationId": f"do{5 * n + 4}", "responses": {"204": {"description": "Gone."}}},
        }
    return _contract(paths, schemas)


KINDS: Mapping[str, Callable[[int, str], Files]] = {
    "schemas": _schemas,
    "files": _files,
    "one-tag": _one_tag,
    "tags": _tags,
    "events": _events,
    "values": _values,
    "properties": _properties,
    "union": _union,
    "parameters": _parameters,
    "introduction": _introduction,
    "resources": _resources,
}
"""What makes the files of a contract of a size, with a word for its release."""

if __name__ == "__main__":
    main()
