"""Hand-written pages for some audiences only: those with `only_for` in their front matter."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files
from mkdocs.utils.meta import get_data

from devportal.errors import Place
from devportal.findings import Finding, Level
from devportal.project.inputs import Inputs

_FIELD = "only_for"
_MOST_FRONT_MATTER = 4000
"""In how many characters of a page the field is looked for if MkDocs reads no front matter."""
_MAY_BE_FIELD = re.compile(rf"^\s*{_FIELD}\s*:", re.MULTILINE)


def remove_pages_of_others(files: Files, config: MkDocsConfig, inputs: Inputs) -> tuple[Finding, ...]:
    """Remove pages that are for other audiences from the files and `nav`; return what is wrong with their fields.

    In a project without audiences the field has no effect.
    """
    if not inputs.audiences:
        return ()
    findings: list[Finding] = []
    removed: set[str] = set()
    names = [audience.name for audience in inputs.audiences]
    for file in tuple(files.documentation_pages()):
        listed = _audiences_of(file)
        if listed is None:
            continue
        findings += _unknown_names(inputs.name(Path(file.abs_src_path or file.src_uri)), listed, names)
        if inputs.audience and inputs.audience not in listed:
            files.remove(file)
            removed.add(file.src_uri)
    if removed and config.nav:
        config.nav = _without_pages(config.nav, removed)
    return tuple(findings)


def _audiences_of(file: File) -> tuple[str, ...] | None:
    """Return the audiences of a page; None if it is for all. A page whose front matter has the field and cannot be
    read is for nobody, and so is one that names nobody.
    """
    try:
        text = file.content_string
    except (OSError, ValueError):
        return None  # reported when the page is read
    meta = get_data(text)[1]
    if _FIELD not in meta:
        return () if _MAY_BE_FIELD.search(text[:_MOST_FRONT_MATTER]) else None
    written = meta[_FIELD]
    if isinstance(written, list):
        return tuple(map(str, written))
    return (str(written),) if written else ()


def _unknown_names(page: str, listed: tuple[str, ...], names: list[str]) -> Iterator[Finding]:
    if not listed:
        yield Finding(
            rule="contract-audience",
            level=Level.ERROR,
            place=Place(file=page, line=1, column=1),
            message=f"{_FIELD!r} of this page names no audience, or its front matter cannot be read: nobody sees it",
            help=f"write the front matter as YAML, with {_FIELD}: [{names[0]}]",
        )
    for name in listed:
        if name not in names:
            yield Finding(
                rule="contract-audience",
                level=Level.WARNING,
                place=Place(file=page, line=2, column=1),
                message=f"{name!r} is not an audience of this project",
                help=f"the audiences are {', '.join(names)}",
            )


def _without_pages(nav: list[Any], removed: set[str]) -> list[Any]:
    """Return entries of `nav` without pages, and without groups that have no other entry."""
    left: list[Any] = []
    for entry in nav:
        if isinstance(entry, dict):
            members = {title: _without_page(value, removed) for title, value in entry.items()}
            members = {title: member for title, member in members.items() if member}
            left += [members] if members else []
        elif entry not in removed:
            left.append(entry)
    return left


def _without_page(entry: Any, removed: set[str]) -> Any:
    if isinstance(entry, list):
        return _without_pages(entry, removed)
    return None if entry in removed else entry
