"""Scripts and style sheets of pages: those that a page names, and ours without comments."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Any

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File, Files

from devportal.translation import Interface, current_interface, interface_of
from devportal.translation.scripts import translated_script

_ENDINGS = {"scripts": ".js", "styles": ".css"}


@dataclass(frozen=True, slots=True, kw_only=True)
class PageAssets:
    """The uris of the assets of a page, by the key of the front matter, and the problems of the others."""

    uris: Mapping[str, tuple[str, ...]]
    problems: tuple[str, ...]


def assets_of(page: str, meta: Mapping[str, Any], files: Files) -> PageAssets:
    """Return the assets that the front matter of a page lists."""
    uris, problems = {}, []
    for key in _ENDINGS:
        listed = meta.get(key, [])
        problem_by_uri = {
            str(uri): _asset_problem(key, uri, files)
            for uri in (listed if isinstance(listed, list) else [listed])
        }
        uris[key] = tuple(uri for uri, problem in problem_by_uri.items() if not problem)
        problems += [
            f"{page}: front matter '{key}': {problem}" for problem in problem_by_uri.values() if problem
        ]
    return PageAssets(uris=uris, problems=tuple(problems))


def _asset_problem(key: str, uri: Any, files: Files) -> str:
    if not isinstance(uri, str) or not uri.endswith(_ENDINGS[key]):
        return f"{uri!r} does not end in {_ENDINGS[key]}; list files, from the folder of the pages on"
    if files.get_file_from_path(uri) is None:
        return f"{uri!r} is not a file of the site; add it, or fix its path from the folder of the pages on"
    return ""


_FOLDER = "assets/devportal/"


def pack_scripts(files: Files, config: MkDocsConfig, theme: Path) -> None:
    """Put each script of our `theme` in its place packed; a project's own in such a place stays as it is."""
    for file in _own_scripts(files, theme):
        packed = File.generated(config, file.src_uri, content=packed_script(file.content_string))
        files.remove(file)
        files.append(packed)


def remove_console_scripts(files: Files, theme: Path) -> None:
    """Take the modules of the console out of a site that has none."""
    for file in _own_scripts(files, theme):
        if is_console_script(file.src_uri):
            files.remove(file)


def is_console_script(uri: str) -> bool:
    """Say whether a file of our theme is a module of the console."""
    return uri == f"{_FOLDER}console.js" or (uri.startswith(f"{_FOLDER}console/") and uri.endswith(".js"))


_HEAD = re.compile(r"(?:\s*(?://.*|import\s+[^;(]+;)\n)*")
"""The comments and imports that a module begins with."""
_TOP_LEVEL = re.compile(r"^(?:export|import)\s", re.MULTILINE)
"""What may not stand in a block."""


def packed_script(text: str) -> str:
    """Return a script in the language of the site, without comments and blanks that nothing needs."""
    return _packed_script(text, current_interface())


@lru_cache(maxsize=256)
def _packed_script(text: str, interface: Interface) -> str:
    """Return a packed script; it is made once for all builds of a process, such as those of a served portal."""
    with interface_of(interface):
        script = translated_script(text)
    head = _HEAD.match(script)
    start = head.end() if head is not None else 0
    if not _TOP_LEVEL.search(
        script, start
    ):  # names in a block are nobody else's, so that they can be shortened
        script = f"{script[:start]}{{{script[start:]}}}"
    import minify  # noqa: PLC0415 - starts threads, beside which no process may be forked

    return f"{minify.string('application/javascript', script)}\n"


def _own_scripts(files: Iterable[File], theme: Path) -> list[File]:
    return [
        file
        for file in files
        if file.src_uri.startswith(_FOLDER) and file.src_uri.endswith(".js") and file.src_dir == str(theme)
    ]
