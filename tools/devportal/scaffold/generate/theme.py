"""The templates and other files that go into a generated tree, in words that both engines know."""

import re
from collections.abc import Iterator
from pathlib import Path

from mkdocs.config.defaults import MkDocsConfig

from devportal.documents import read_text
from devportal.errors import Place, UnreadableInput
from devportal.site.inputs import Inputs
from devportal.site.plugin import THEME
from devportal.site.rendering.page_assets import packed_script


def content_of(path: Path, *, name: str) -> bytes:
    """Return what is in a file. Raises UnreadableInput, which calls it `name`."""
    try:
        return path.read_bytes()
    except OSError as error:
        raise UnreadableInput(
            f"this file cannot be read: {error.strerror or error}",
            place=Place(file=name),
            help="check the path and its permissions",
        ) from error


_ENGINE_REPLACEMENTS = (
    (re.compile(r"page\.file\.src_uri \| urlencode \| url"), "page.meta.twin | urlencode | url"),
    (re.compile(r"\{% if \"material/search\" in [^%]*%\}"), "{% if config.extra.devportal.search %}"),
    (re.compile(r"(\{% (?:el)?if page)(?= %\})"), r"\1 and page.meta"),
    (re.compile(r"\bpage and (?=(?:not )?page\.meta\b)"), "page and page.meta and "),
)
"""What templates say for MkDocs alone, and what says the same to both.

MiniJinja refuses to ask what is not there for more, and the page of unknown addresses has no front matter.
"""
_OVERRIDES = Path(__file__).parent / "overrides"
"""Templates that only a tree needs, where no plugin tells the theme which page belongs where."""
_MKDOCS_ONLY = {"devportal-filled.html", "sitemap.xml"}
"""Templates of files that a tree has ready."""


def templates_of(config: MkDocsConfig, inputs: Inputs) -> Iterator[tuple[str, bytes]]:
    """Yield name and content of each template; those of the project win. Raises UnreadableInput."""
    found = {
        path.relative_to(folder).as_posix(): path
        for folder in (_OVERRIDES, *_folders(config))
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
    for name, path in found.items():
        if name not in _MKDOCS_ONLY and not name.startswith("assets/"):
            yield name, _portable_content(path, inputs.name(path))


def _folders(config: MkDocsConfig) -> tuple[Path, ...]:
    return (THEME, Path(config.theme.custom_dir)) if config.theme.custom_dir else (THEME,)


def _portable_content(path: Path, name: str) -> bytes:
    if path.suffix != ".html":
        return content_of(path, name=name)
    text = read_text(path, name=name)
    for pattern, other in _ENGINE_REPLACEMENTS:
        text = pattern.sub(other, text)
    return text.encode()


def assets_of(config: MkDocsConfig, inputs: Inputs) -> Iterator[tuple[str, bytes]]:
    """Yield name and content of each style sheet, script and image that comes with the templates."""
    for folder in _folders(config):
        for path in sorted((folder / "assets").rglob("*")):
            if path.is_file():
                content = content_of(path, name=inputs.name(path))
                is_ours = folder == THEME and path.suffix == ".js"
                packed = packed_script(content.decode()).encode() if is_ours else content
                yield path.relative_to(folder).as_posix(), packed
