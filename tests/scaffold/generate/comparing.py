"""What two sites of the same portal have apart: article by article, and file by file.

`python -m tests.scaffold.generate.comparing SITE OTHER` tells it. Frames may differ: engines bring their own.
"""

import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urljoin

from lxml import html as parser  # type: ignore[import-untyped]

from devportal.site.rendering.environments import THEME

_ENGINES = ("assets/", "search.json", "sitemap.xml")
"""What engines name or make as they like. Our own assets are compared."""
_OURS = "assets/devportal/"
_ICONS = "assets/devportal/icons/"
_JOINED = "assets/devportal/immutable/"
"""What MkDocs loads in few files. Other engines load each by itself."""
_THEIRS = {"__skip"}
"""Ids that an engine puts into every article."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Article:
    """What a page says: its words, its ids in order, and where its links lead."""

    title: str
    words: str
    ids: tuple[str, ...]
    links: tuple[tuple[str, str], ...]


def article_of(html: str, address: str) -> Article | None:
    """Return the article of a page that is served at an address; pages that only lead on have none."""
    page = parser.document_fromstring(html)
    found = page.find(".//article")
    if found is None:
        return None
    elements = [item for item in found.iter() if isinstance(item.tag, str)]
    links = ((element.tag, element.get("href") or element.get("src")) for element in elements)
    return Article(
        title=page.findtext(".//title") or "",
        words=" ".join(found.text_content().split()),
        ids=tuple(
            element.get("id")
            for element in elements
            if element.get("id") and element.get("id") not in _THEIRS
        ),
        links=tuple((tag, urljoin(address, link)) for tag, link in links if link),
    )


def differences(site: Path, other: Path) -> Iterator[str]:
    """Yield each difference of the second site from the first, in order."""
    one, two = _names(site), _names(other)
    two -= {name for name in two - one if name.startswith(_OURS) and (THEME / name).is_file()}
    yield from (f"{name}: not there" for name in sorted(one - two))
    yield from (f"{name}: more than was asked for" for name in sorted(two - one))
    for name in sorted(one & two):
        if name.endswith(".html"):
            yield from _article_differences(name, site, other)
        elif (site / name).read_bytes() != (other / name).read_bytes():
            yield f"{name}: other bytes"


def pages_of(site: Path) -> int:
    """Return how many pages a site has."""
    return sum(1 for _ in site.rglob("index.html"))


def _names(site: Path) -> set[str]:
    names = {path.relative_to(site).as_posix() for path in site.rglob("*") if path.is_file()}
    return {name for name in names if _is_compared(name)}


def _is_compared(name: str) -> bool:
    if name.startswith(_OURS):
        return not name.startswith((_ICONS, _JOINED))
    return not name.startswith(_ENGINES)


def _article_differences(name: str, site: Path, other: Path) -> Iterator[str]:
    address = f"https://site.example/{name.removesuffix('index.html')}"
    one, two = (article_of((folder / name).read_text(encoding="utf-8"), address) for folder in (site, other))
    if one is None or two is None:
        if one is not two:
            yield f"{name}: only one of them has an article"
        return
    for part in ("title", "words", "ids", "links"):
        if getattr(one, part) != getattr(two, part):
            yield f"{name}: other {part}"


def main(site: str, other: str) -> None:
    """Print how two sites differ."""
    found = [*differences(Path(site), Path(other))]
    lines = [*found[:50], *([f"and {len(found) - 50} more"] if len(found) > 50 else [])]
    lines.append(f"{pages_of(Path(other))} pages, {len(found)} differences from the site of MkDocs")
    sys.stdout.write("".join(f"{line}\n" for line in lines))


if __name__ == "__main__":
    main(*sys.argv[1:])
