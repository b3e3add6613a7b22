"""Small contracts written in the tests, and the parts of their models."""

from pathlib import Path
from textwrap import dedent, indent

from devportal.contract import Api, Contract, Operation, Schema, load_contract, read_contract
from devportal.documents import parse_document

HEAD = """\
openapi: {version}
info: {{title: Test, version: '1'}}
"""
PATHS = """\
paths:
  /things:
    get:
      operationId: listThings
      responses:
        '200': {description: Things}
"""


def contract(text: str, *, version: str = "3.1.0", paths: str = PATHS) -> Contract:
    """Return a contract: head, `paths` unless the text has its own, and the text."""
    text = dedent(text)
    own = text.startswith(("paths:", "webhooks:", "x-webhooks:"))
    whole = HEAD.format(version=version) + ("" if own else paths) + text
    return read_contract(parse_document(whole, name="api.yaml"))


def api(text: str, *, version: str = "3.1.0") -> Api:
    """Return the model of a contract in which nothing is wrong."""
    read = contract(text, version=version)
    assert read.findings == (), read.findings
    return read.api


def operation(text: str, *, version: str = "3.1.0") -> Operation:
    """Return the only operation of `/things`, given what stands under its `get`."""
    whole = "paths:\n  /things:\n    get:\n" + indent(dedent(text), " " * 6)
    return api(whole, version=version).operations[0]


def schemas(text: str, *, version: str = "3.1.0") -> dict[str, Schema]:
    """Return the schemas by name, given what stands under `components.schemas`."""
    found = api("components:\n  schemas:\n" + indent(dedent(text), " " * 4), version=version)
    return {schema.name: schema for schema in found.schemas.values()}


def schema(text: str, *, version: str = "3.1.0") -> Schema:
    """Return the one schema with these keywords."""
    return schemas("S:\n" + indent(dedent(text), "  "), version=version)["S"]


def reading_findings(text: str, *, version: str = "3.1.0") -> list[tuple[str, str, str]]:
    """Return rule, line:column and message of each finding on reading a contract."""
    return [
        (finding.rule, f"{finding.place.line}:{finding.place.column}", finding.message)
        for finding in contract(text, version=version).findings
    ]


def write(folder: Path, files: dict[str, str]) -> Contract:
    """Write files into a folder and load `api.yaml` among them."""
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(dedent(text), encoding="utf-8")
    return load_contract(folder / "api.yaml", name="api.yaml")
