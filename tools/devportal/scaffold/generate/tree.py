"""The files of a generated tree, and pages as an engine reads them: front matter and a mark."""

import json
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from importlib.resources import files
from pathlib import Path
from typing import Any
from urllib.parse import quote, unquote

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File
from mkdocs.structure.pages import Page as SitePage

from devportal.documents import to_yaml
from devportal.markup import Page, url_of
from devportal.scaffold.generate.building import ObservedBuild, RenderedPage, toc_token
from devportal.scaffold.generate.runtime.devportal_pages import body_of
from devportal.scaffold.generate.settings import EXTENSION, settings_text
from devportal.scaffold.generate.theme import assets_of, content_of, templates_of
from devportal.site.rendering.page_texts import set_page_texts, slot_texts


@dataclass(frozen=True, slots=True, kw_only=True)
class Stub:
    """A page in three files: its source for the engine, its body, and the headings of that."""

    uri: str
    source: str = field(repr=False)
    body: str = field(repr=False)
    headings: str = field(repr=False)
    canonical: str = ""
    """The address that the page has in place of its own for those who know both."""


def generated_stub(page: Page, config: MkDocsConfig) -> Stub:
    """Return a generated page. What the theme is told of it stands in its front matter."""
    told = SitePage(None, File.generated(config, page.uri, content=""), config)
    own = told.canonical_url
    set_page_texts(told, page, slot_texts(told, page))
    stub = _stub(page.uri, _plain_value(told.meta), page.body, [*map(toc_token, told.toc)])
    return replace(stub, canonical=told.canonical_url or "") if told.canonical_url != own else stub


def hand_written_stub(page: RenderedPage, *, site_name: str) -> Stub:
    """Return a hand-written page under the title that it had; the home page is called as the site."""
    meta = _plain_value({name: value for name, value in page.meta.items() if name != "template" or value})
    meta = {"title": site_name if page.is_home else page.title} | meta
    return _stub(page.uri, meta | {"twin": page.uri}, page.html, page.headings)


def _stub(uri: str, meta: dict[str, Any], body: str, headings: Sequence[dict[str, Any]]) -> Stub:
    told = json.dumps([*headings], ensure_ascii=False)
    digest = blake2b(f"{told}\0{body}".encode(), digest_size=8).hexdigest()
    source = f"---\n{to_yaml(meta)}---\n\n<!-- devportal-body {quote(uri)} {digest} -->\n"
    return Stub(uri=uri, source=source, body=f"{body.strip()}\n", headings=f"{told}\n")


def _plain_value(value: Any) -> Any:
    """Return what front matter can say of a value: text that is marked as ready becomes text."""
    if isinstance(value, dict):
        return {str(name): _plain_value(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain_value(one) for one in value]
    return str(value) if isinstance(value, str) else value


_PACKAGE = "devportal.scaffold.generate"
_SITEMAP = "sitemap.xml"
ICONS = "assets/devportal/icons/"
"""Where the icons of a theme's style sheets go, once the engine has put those there."""


def tree_of(watched: ObservedBuild) -> Iterator[tuple[str, bytes]]:
    """Yield each file of the tree by its name. Raises UnreadableInput."""
    yield "mkdocs.yml", settings_text(watched.config).encode()
    yield f"{EXTENSION}.py", _resource("runtime", f"{EXTENSION}.py")
    yield "finish.py", _resource("runtime", "finish.py")
    yield "README.md", _resource("runtime", "README.md")
    yield from (
        (f"overrides/{name}", content) for name, content in templates_of(watched.config, watched.inputs)
    )
    copied = dict(assets_of(watched.config, watched.inputs)) | dict(_copied_files(watched))
    yield from ((f"docs/{name}", content) for name, content in copied.items())
    yield from ((f"beside/{name}", content) for name, content in _other_site_files(watched, copied.keys()))
    canonical: dict[str, str] = {}
    for stub in _stubs(watched):
        body = body_of(stub.uri)
        yield f"docs/{stub.uri}", stub.source.encode()
        yield f"bodies/{body}.html", stub.body.encode("utf-8", "surrogatepass")
        yield f"bodies/{body}.json", stub.headings.encode("utf-8", "surrogatepass")
        if stub.canonical:
            canonical[f"{unquote(url_of(stub.uri))}index.html"] = stub.canonical
    yield "canonical.json", f"{json.dumps(canonical, ensure_ascii=False, indent=0)}\n".encode()


def _stubs(watched: ObservedBuild) -> Iterator[Stub]:
    site_name = str(watched.config.site_name)
    yield from (hand_written_stub(page, site_name=site_name) for page in watched.written)
    store = watched.portal.store
    yield from (generated_stub(store.page(head), watched.config) for head in watched.portal.heads)


def _copied_files(watched: ObservedBuild) -> Iterator[tuple[str, bytes]]:
    """Yield the files that engines copy: written by hand beside the pages, or generated."""
    docs = Path(watched.config.docs_dir)
    for path in _files_below(docs):
        name = path.relative_to(docs).as_posix()
        if path.suffix not in _PAGES and not _is_hidden(name) and (watched.site / name).is_file():
            yield name, content_of(path, name=watched.inputs.name(path))
    for artefact in watched.portal.artefacts:
        if not _is_hidden(artefact.uri):
            yield artefact.uri, artefact.content


_PAGES = {".md", ".markdown", ".mdown", ".mkdn", ".mkd"}


def _other_site_files(watched: ObservedBuild, copied: Collection[str]) -> Iterator[tuple[str, bytes]]:
    """Yield what lies in the site and comes from no page, copied file or theme: no engine makes it."""
    for path in _files_below(watched.site):
        name = path.relative_to(watched.site).as_posix()
        themes = (Path(folder) / name for folder in watched.config.theme.dirs)
        is_made = name in copied or path.name.endswith(".html") or name.startswith(ICONS)
        if not is_made and (name == _SITEMAP or not any(one.is_file() for one in themes)):
            yield name, content_of(path, name=name)


def _files_below(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.rglob("*")) if path.is_file())


def _is_hidden(name: str) -> bool:
    return any(part.startswith(".") for part in name.split("/"))


def _resource(*parts: str) -> bytes:
    return files(_PACKAGE).joinpath(*parts).read_bytes()
