"""The pages of a built site that differ from those of another build of it, and a folder that shows both."""

import difflib
import shutil
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from html.parser import HTMLParser
from pathlib import Path

from devportal.errors import EnvironmentProblem, InvalidSettings

_MOST_COPIED = 200
"""How many pages are copied: the list has all of them."""
_MOST_DIFF_LINES = 20_000
_MAX_PAGE_BYTES = 8 * 1024 * 1024
_ASSETS = "assets"
_BLOCKS = frozenset(
    {
        "article",
        "br",
        "dd",
        "details",
        "div",
        "dl",
        "dt",
        "figure",
        "h1",
        "h2",
        "h3",
        "h4",
        "h5",
        "h6",
        "hr",
        "li",
    }
    | {"ol", "p", "pre", "section", "summary", "table", "tr", "ul"}
)
_UNREAD = frozenset({"script", "style", "svg", "template"})


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedPage:
    """A page that differs; `kind` is added, removed or changed."""

    path: str
    kind: str
    before: tuple[str, ...] = ()
    after: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangedPages:
    """The pages that differ between two builds, by path."""

    pages: tuple[ChangedPage, ...]


class _ArticleText(HTMLParser):
    """Collects the text of the article of a page, a line for each block; of all of it if it has no article."""

    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.lines: list[str] = []
        self.has_article = False
        self._words: list[str] = []
        self._depth = 0
        self._unread = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "article":
            if not self.has_article:
                self.has_article = True
                self.lines, self._words = [], []
            self._depth += 1
        if tag in _UNREAD:
            self._unread += 1
        if tag in _BLOCKS:
            self._end_line()
        for name, value in attrs:
            if name in ("href", "src") and self._is_read() and tag != "link":
                self._words.append(f"<{value or ''}>")

    def handle_endtag(self, tag: str) -> None:
        if tag in _BLOCKS:
            self._end_line()
        if tag == "article":
            self._depth = max(0, self._depth - 1)
        if tag in _UNREAD:
            self._unread = max(0, self._unread - 1)

    def handle_data(self, data: str) -> None:
        if self._is_read():
            self._words.append(data)

    def close(self) -> None:
        super().close()
        self._end_line()

    def _is_read(self) -> bool:
        return not self._unread and (self._depth > 0 or not self.has_article)

    def _end_line(self) -> None:
        line = " ".join("".join(self._words).split())
        self._words = []
        if line:
            self.lines.append(line)


def article_lines(html: str) -> tuple[str, ...]:
    """Return the text of a page without header, navigation and footer, which change with every other page."""
    parser = _ArticleText()
    parser.feed(html)
    parser.close()
    return tuple(parser.lines)


def compare_sites(before: Path, after: Path) -> ChangedPages:
    """Return the pages whose articles differ. Raises InvalidSettings or EnvironmentProblem."""
    old, new = _pages(before), _pages(after)
    return ChangedPages(pages=tuple(_differences(old, new)))


def _pages(folder: Path) -> Mapping[str, Path]:
    if not folder.is_dir():
        raise InvalidSettings(
            f"{folder}: this is not a folder of a built site", help="build both sites first"
        )
    return {
        path.relative_to(folder).as_posix(): path for path in sorted(folder.rglob("*.html")) if path.is_file()
    }


def _differences(old: Mapping[str, Path], new: Mapping[str, Path]) -> Iterator[ChangedPage]:
    for path in sorted({*old, *new}):
        if path not in old:
            yield ChangedPage(path=path, kind="added", after=_article(new[path]))
        elif path not in new:
            yield ChangedPage(path=path, kind="removed", before=_article(old[path]))
        elif (was := _read(old[path])) != (now := _read(new[path])):
            before, after = article_lines(was), article_lines(now)
            if before != after:
                yield ChangedPage(path=path, kind="changed", before=before, after=after)


def _article(path: Path) -> tuple[str, ...]:
    return article_lines(_read(path))


def _read(path: Path) -> str:
    try:
        with path.open("rb") as file:
            return file.read(_MAX_PAGE_BYTES).decode("utf-8", "replace")
    except OSError as error:
        raise EnvironmentProblem(f"{path} cannot be read: {error.strerror or error}") from error


def write_changed_pages(changes: ChangedPages, before: Path, after: Path, folder: Path) -> None:
    """Write the list, the difference of the texts, and the first pages of both builds with their assets.

    Raises EnvironmentProblem, or InvalidSettings if the folder has something in it already.
    """
    if folder.exists() and any(folder.iterdir()):
        raise InvalidSettings(f"{folder}: this folder is not empty", help="name a new one")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        names = "".join(f"{page.kind:8} {page.path}\n" for page in changes.pages)
        (folder / "changed-pages.txt").write_text(names, encoding="utf-8")
        (folder / "changed-pages.diff").write_text(text_difference(changes), encoding="utf-8")
        if changes.pages:
            for side, site in (("before", before), ("after", after)):
                _copy_side(changes, site, folder / side)
    except OSError as error:
        raise EnvironmentProblem(
            f"{folder} cannot be written: {error.strerror or error}",
            help="check the folder and its permissions",
        ) from error


def _copy_side(changes: ChangedPages, site: Path, folder: Path) -> None:
    for page in changes.pages[:_MOST_COPIED]:
        source = site / page.path
        if source.is_file():
            target = folder / page.path
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
    if (site / _ASSETS).is_dir() and folder.is_dir():
        shutil.copytree(site / _ASSETS, folder / _ASSETS, dirs_exist_ok=True)


def text_difference(changes: ChangedPages) -> str:
    """Return the texts of the articles as a unified difference, cut with a count."""
    lines: list[str] = []
    for page in changes.pages:
        lines += difflib.unified_diff(
            page.before, page.after, f"before/{page.path}", f"after/{page.path}", n=2, lineterm=""
        )
        if len(lines) > _MOST_DIFF_LINES:
            lines = [*lines[:_MOST_DIFF_LINES], "… cut: changed-pages.txt lists every page"]
            break
    return "".join(f"{line}\n" for line in lines)
