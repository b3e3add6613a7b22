"""The insert `licences`: what the toolkit is made with that is not its own, and under which licence.

The rows are those of `licences.yaml`: assets that a site or the repository holds, packages that are installed
with the toolkit and the plug-ins beside it, and packages that they are developed with.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from importlib.resources import files

import yaml

from devportal.contract import Api
from devportal.manual.definitions import refuse_arguments
from devportal.markup import code_span, escape_markdown
from devportal.markup.page import InsertProblem

_LICENCE_NAMES: Mapping[str, str] = {
    "LicenseRef-public-domain": "public domain",
    "LicenseRef-RFC-3978": "text of an RFC (RFC 3978 §3.3)",
}
"""Licences that SPDX has no name for."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Asset:
    """Files of others: where they are used and come from, their licence as an SPDX expression, and the file
    with its text. `files` are patterns in the repository, or in a package that brings them.
    """

    name: str
    use: str
    files: tuple[str, ...]
    source: str
    licence: str
    notice: str = ""
    package: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Licences:
    """All rows. Packages are SPDX expressions by name."""

    assets: tuple[Asset, ...]
    runtime: Mapping[str, str] = field(repr=False)
    development: Mapping[str, str] = field(repr=False)


@lru_cache(maxsize=1)
def all_licences() -> Licences:
    """Return the rows."""
    read = yaml.safe_load(files("devportal.manual").joinpath("licences.yaml").read_text("utf-8"))
    return Licences(
        assets=tuple(
            Asset(
                name=row["name"],
                use=row["use"],
                files=tuple(row["files"]),
                source=row["from"],
                licence=row["licence"],
                notice=row.get("notice", ""),
                package=row.get("package", ""),
            )
            for row in read["assets"]
        ),
        runtime=read["runtime"],
        development=read["development"],
    )


def licences(_: Api, arguments: tuple[str, ...]) -> str | InsertProblem:
    """Return every row, in a table for each kind."""
    wrong = refuse_arguments("licences", arguments)
    return wrong if wrong is not None else "\n".join(_licence_tables(all_licences()))


def _licence_tables(every: Licences) -> Iterator[str]:
    yield from ("## Fonts, maps and other files", "", "| what | used for | licence |", "|---|---|---|")
    for asset in every.assets:
        name, use = escape_markdown(asset.name), escape_markdown(asset.use)
        yield f"| [{name}]({asset.source}) | {use} | {_licence_text(asset.licence)} |"
    yield from ("", "## Packages that are installed", "", *_package_rows(every.runtime))
    yield from ("", "## Packages to develop and test", "", *_package_rows(every.development))


def _package_rows(licence_by_name: Mapping[str, str]) -> Iterator[str]:
    yield from ("| package | licence |", "|---|---|")
    for name, licence in sorted(licence_by_name.items()):
        yield f"| {code_span(name)} | {_licence_text(licence)} |"


def _licence_text(licence: str) -> str:
    return escape_markdown(_LICENCE_NAMES.get(licence, licence))
