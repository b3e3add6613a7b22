"""The description of the service and the table that says where the portal keeps each of its statements."""

import posixpath
import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

DOCS = Path(__file__).parents[2] / "docs"
SERVICE = DOCS / "about" / "service.md"
TABLE = DOCS / "about" / "honesty.md"
_ANCHOR = re.compile(r"\{ #([\w-]+) \}")
_LINK = re.compile(r"\[[^\]]*\]\(([^)]+)\)")
_SILENT = re.compile(r"not shown|not listed|not stated")


@dataclass(frozen=True, slots=True, kw_only=True)
class Row:
    """A row of the table: the statement that it is about, and the places it names, as uris of the site.

    `field` is the first cell of the row of the description's own table, where it is one.
    """

    anchor: str
    field: str
    is_shown: bool
    places: tuple[str, ...]

    def __str__(self) -> str:
        """Return what the row is about."""
        return f"{self.anchor} {self.field}".strip()


def statements() -> Iterator[str]:
    """Yield the anchor of each statement of the description."""
    yield from _ANCHOR.findall(SERVICE.read_text(encoding="utf-8"))


def described_rows() -> Iterator[tuple[str, str, str]]:
    """Yield section, first cell and all text of each row of the description's tables."""
    section = ""
    for line in SERVICE.read_text(encoding="utf-8").splitlines():
        if line.startswith("#"):
            section = line.lstrip("# ")
        elif line.startswith("|") and not line.startswith(("|---", "| Field", "| State")):
            yield section, line.split("|")[1].strip(), line


def silent_statements() -> Iterator[str]:
    """Yield the anchor of each paragraph of the description that says that something is not shown."""
    blocks = re.split(r"\n\n|\n(?=\d+\. |- )", SERVICE.read_text(encoding="utf-8").partition("\n## ")[2])
    for block in blocks:
        if _SILENT.search(block) and not block.startswith("|"):
            yield from _ANCHOR.findall(block) or [f"no anchor: {block}"]


def rows() -> Iterator[Row]:
    """Yield the rows of the table."""
    is_shown = False
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        if line.startswith(("| Statement", "| Not shown")):
            is_shown = line.startswith("| Statement")
        elif line.startswith("| "):
            statement, _, kept = line.strip().strip("|").split("|")
            link = _LINK.match(statement.strip())
            assert link is not None, line
            yield Row(
                anchor=link[1].partition("#")[2],
                field=statement.strip()[link.end() :].strip("` "),
                is_shown=is_shown,
                places=tuple(map(_uri, _LINK.findall(kept))),
            )


def _uri(link: str) -> str:
    page, mark, anchor = link.partition("#")
    return posixpath.normpath(posixpath.join("about", page)) + mark + anchor
