"""The files of a generated tree, from a build that was watched."""

import json
from collections.abc import Collection, Iterator
from importlib.resources import files
from pathlib import Path
from urllib.parse import unquote

from devportal.generating.building import Watched
from devportal.generating.reading import content_of
from devportal.generating.runtime.devportal_pages import body_of
from devportal.generating.settings import EXTENSION, settings_text
from devportal.generating.stubs import Stub, generated_stub, written_stub
from devportal.generating.theme import assets_of, templates_of
from devportal.pages import url_of

_PACKAGE = "devportal.generating"
_SITEMAP = "sitemap.xml"
ICONS = "assets/devportal/icons/"
"""Where the icons of a theme's style sheets go, once the engine has put those there."""


def tree_of(watched: Watched) -> Iterator[tuple[str, bytes]]:
    """Yield each file of the tree by its name. Raises UnreadableInput."""
    yield "mkdocs.yml", settings_text(watched.config).encode()
    yield f"{EXTENSION}.py", _resource("runtime", f"{EXTENSION}.py")
    yield "finish.py", _resource("runtime", "finish.py")
    yield "README.md", _resource("runtime", "README.md")
    yield from (
        (f"overrides/{name}", content) for name, content in templates_of(watched.config, watched.inputs)
    )
    copied = dict(assets_of(watched.config, watched.inputs)) | dict(_files(watched))
    yield from ((f"docs/{name}", content) for name, content in copied.items())
    yield from ((f"beside/{name}", content) for name, content in _beside(watched, copied.keys()))
    canonical: dict[str, str] = {}
    for stub in _stubs(watched):
        body = body_of(stub.uri)
        yield f"docs/{stub.uri}", stub.source.encode()
        yield f"bodies/{body}.html", stub.body.encode("utf-8", "surrogatepass")
        yield f"bodies/{body}.json", stub.headings.encode("utf-8", "surrogatepass")
        if stub.canonical:
            canonical[f"{unquote(url_of(stub.uri))}index.html"] = stub.canonical
    yield "canonical.json", f"{json.dumps(canonical, ensure_ascii=False, indent=0)}\n".encode()


def _stubs(watched: Watched) -> Iterator[Stub]:
    site_name = str(watched.config.site_name)
    yield from (written_stub(page, site_name=site_name) for page in watched.written)
    store = watched.portal.store
    yield from (generated_stub(store.page(head), watched.config) for head in watched.portal.heads)


def _files(watched: Watched) -> Iterator[tuple[str, bytes]]:
    """Yield the files that engines copy: written by hand beside the pages, or generated."""
    docs = Path(watched.config.docs_dir)
    for path in _below(docs):
        name = path.relative_to(docs).as_posix()
        if path.suffix not in _PAGES and not _is_hidden(name) and (watched.site / name).is_file():
            yield name, content_of(path, name=watched.inputs.name(path))
    for artefact in watched.portal.artefacts:
        if not _is_hidden(artefact.uri):
            yield artefact.uri, artefact.content


_PAGES = {".md", ".markdown", ".mdown", ".mkdn", ".mkd"}


def _beside(watched: Watched, copied: Collection[str]) -> Iterator[tuple[str, bytes]]:
    """Yield what lies in the site and comes from no page, copied file or theme: no engine makes it."""
    for path in _below(watched.site):
        name = path.relative_to(watched.site).as_posix()
        themes = (Path(folder) / name for folder in watched.config.theme.dirs)
        is_made = name in copied or path.name.endswith(".html") or name.startswith(ICONS)
        if not is_made and (name == _SITEMAP or not any(one.is_file() for one in themes)):
            yield name, content_of(path, name=name)


def _below(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.rglob("*")) if path.is_file())


def _is_hidden(name: str) -> bool:
    return any(part.startswith(".") for part in name.split("/"))


def _resource(*parts: str) -> bytes:
    return files(_PACKAGE).joinpath(*parts).read_bytes()
