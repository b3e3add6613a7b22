"""Projects to build in tests, and the sites made of them, as something to ask questions."""

import os
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Any

import yaml
from click.testing import CliRunner, Result

from devportal.cli import cli
from devportal.contract import Contract
from devportal.reporting import Format
from devportal.site.cache.last_build import ContractBuild
from devportal.site.commands.build import BuildResult, build_contract, build_project
from tests.conformance.values import result, write_result

ROOT = Path(__file__).parents[2]
DAY = "1796083200"
"""`SOURCE_DATE_EPOCH` of the tests: 2026-12-01."""
CONTRACT: dict[str, Any] = {
    "openapi": "3.1.0",
    "info": {"title": "Parcel Tracking", "version": "2"},
    "paths": {
        "/parcels/{id}": {
            "get": {
                "operationId": "getParcel",
                "summary": "Find a parcel",
                "tags": ["Parcels"],
                "parameters": [{"name": "id", "in": "path", "required": True, "schema": {"type": "string"}}],
                "responses": {
                    "200": {
                        "description": "The parcel.",
                        "content": {
                            "application/json": {
                                "schema": {"type": "object", "properties": {"weight": {"type": "number"}}}
                            }
                        },
                    }
                },
            }
        }
    },
}


def run_command(*arguments: str | Path) -> Result:
    """Run a command of the toolkit in this process."""
    return CliRunner().invoke(cli, [str(argument) for argument in arguments])


def write_contract(path: Path, document: Mapping[str, Any] = CONTRACT) -> Path:
    """Write a contract and return where."""
    path.write_text(
        yaml.dump(dict(document), Dumper=yaml.CSafeDumper, allow_unicode=True, sort_keys=False),
        encoding="utf-8",
    )
    return path


def write_project(folder: Path, *, plugin: Mapping[str, Any] | None = None, **settings: Any) -> Path:
    """Write a project around `CONTRACT` with a home page, and return its `mkdocs.yml`."""
    (folder / "docs").mkdir(parents=True, exist_ok=True)
    (folder / "docs" / "index.md").write_text(
        "# Welcome\n\n[Reference](reference/index.md)\n", encoding="utf-8"
    )
    write_contract(folder / "openapi.yaml")
    whole = {
        "site_name": "Parcels",
        "theme": {"name": "material"},
        "plugins": ["search", {"devportal": {"contract": "openapi.yaml", **(plugin or {})}}],
        **settings,
    }
    path = folder / "mkdocs.yml"
    path.write_text(yaml.dump(whole, Dumper=yaml.CSafeDumper, sort_keys=False), encoding="utf-8")
    return path


def built_from(document: Mapping[str, Any], folder: Path) -> BuildResult:
    """Build a reference site around a contract given as data."""
    folder.mkdir(exist_ok=True)
    return build_contract(
        ContractBuild(contract=write_contract(folder / "contract.yaml", document), site_dir=folder / "site")
    )


def built_project(config_file: Path, site: Path) -> BuildResult:
    """Build a project into a folder."""
    return build_project(config_file, site_dir=site)


def contents(site: Path) -> dict[str, bytes]:
    """Return every file of a site by its name."""
    return {
        path.relative_to(site).as_posix(): path.read_bytes() for path in site.rglob("*") if path.is_file()
    }


@contextmanager
def environment(**values: str) -> Iterator[None]:
    """Set environment variables for the time of a `with` block."""
    before = {name: os.environ.get(name) for name in values}
    os.environ.update(values)
    try:
        yield
    finally:
        for name, value in before.items():
            if value is None:
                os.environ.pop(name, None)
            else:
                os.environ[name] = value


class Tags(HTMLParser):
    """The start tags of a page, and what stands inside scripts."""

    def __init__(self, html: str) -> None:
        """Read a page."""
        super().__init__(convert_charrefs=True)
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.scripts: list[str] = []
        self._inside = ""
        self.feed(html)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Keep a start tag; of an attribute written twice browsers take the first."""
        self.tags.append((tag, {name: value or "" for name, value in reversed(attrs)}))
        self._inside = tag

    def handle_endtag(self, tag: str) -> None:  # noqa: ARG002 - as HTMLParser calls it
        """Leave an element."""
        self._inside = ""

    def handle_data(self, data: str) -> None:
        """Keep what stands in a script."""
        if self._inside == "script":
            self.scripts.append(data)


def write_report(folder: Path, contract: Contract, *, label: str) -> None:
    """Write the report of a conformance run against a contract, of one operation, into a new folder."""
    run = result()
    (operation,) = run.operations
    run = replace(
        run,
        contract_version=contract.api.version,
        contract_digest=contract.digest,
        operations=(replace(operation, label=label),),
    )
    folder.mkdir()
    (folder / "first.json").write_text(write_result(run, Format.JSON), encoding="utf-8")
