"""What is generated for another engine: pages, their places, and files of the theme."""

import json
import re
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

from devportal.documents import read_text, to_yaml
from devportal.errors import Place, UnreadableInput
from devportal.markup import Page, url_of
from devportal.project.inputs import Inputs
from devportal.scaffold.generate.runtime.devportal_pages import body_of
from devportal.scaffold.generate.settings import EXTENSION, settings_text
from devportal.scaffold.generate.site_build import ObservedBuild, RenderedPage, toc_token
from devportal.site.rendering.bundles import IMMUTABLE
from devportal.site.rendering.environments import FRAME, THEME, extend_frame
from devportal.site.rendering.page_assets import is_console_script, packed_script
from devportal.site.rendering.page_links import PageLinks
from devportal.site.rendering.page_texts import SiteTexts, set_page_texts, slot_texts
from devportal.site.rendering.structured_data import StructuredData


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
"""Expressions in templates that only MkDocs understands, and equivalents that both engines do.

MiniJinja raises for a member of an undefined value, and the error page has no front matter.
"""
_MKDOCS_ONLY = {"devportal-filled.html", "sitemap.xml"}
"""Templates of files that a tree has ready."""


def templates_of(config: MkDocsConfig, inputs: Inputs) -> Iterator[tuple[str, bytes]]:
    """Yield name and content of each template; those of the project win. Raises UnreadableInput."""
    paths = {
        path.relative_to(folder).as_posix(): path
        for folder in _folders(config)
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }
    if config.theme.custom_dir:
        paths[FRAME] = THEME / "main.html"
    for name, path in paths.items():
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
    return (text if path.is_relative_to(THEME) else extend_frame(text)).encode()


def assets_of(config: MkDocsConfig, inputs: Inputs, *, has_console: bool) -> Iterator[tuple[str, bytes]]:
    """Yield name and content of each style sheet, script and image that comes with the templates."""
    for folder in _folders(config):
        for path in sorted((folder / "assets").rglob("*")):
            is_unused = (
                folder == THEME and not has_console and is_console_script(path.relative_to(folder).as_posix())
            )
            if path.is_file() and not is_unused:
                content = content_of(path, name=inputs.name(path))
                is_ours = folder == THEME and path.suffix == ".js"
                packed = packed_script(content.decode()).encode() if is_ours else content
                yield path.relative_to(folder).as_posix(), packed


@dataclass(frozen=True, slots=True, kw_only=True)
class Stub:
    """A page in three files: its source for the engine, its body, and the headings of that."""

    uri: str
    source: str = field(repr=False)
    body: str = field(repr=False)
    headings: str = field(repr=False)
    canonical: str = ""
    """The canonical address of the page, if it is not its own."""


def generated_stub(page: Page, config: MkDocsConfig, site: SiteTexts) -> Stub:
    """Return a generated page, with the values for the theme in its front matter."""
    site_page = SitePage(None, File.generated(config, page.uri, content=""), config)
    own_url = site_page.canonical_url
    set_page_texts(site_page, page, slot_texts(site_page, page, site))
    stub = _stub(page.uri, _plain_value(site_page.meta), page.body, [*map(toc_token, site_page.toc)])
    return (
        replace(stub, canonical=site_page.canonical_url or "") if site_page.canonical_url != own_url else stub
    )


def hand_written_stub(page: RenderedPage, *, site_name: str) -> Stub:
    """Return a hand-written page under the title that it had; the home page is called as the site."""
    meta = _plain_value({name: value for name, value in page.meta.items() if name != "template" or value})
    meta = {"title": site_name if page.is_home else page.title} | meta
    return _stub(page.uri, meta | {"twin": page.uri}, page.html, page.headings)


def _stub(uri: str, meta: dict[str, Any], body: str, headings: Sequence[dict[str, Any]]) -> Stub:
    headings_json = json.dumps([*headings], ensure_ascii=False)
    digest = blake2b(f"{headings_json}\0{body}".encode(), digest_size=8).hexdigest()
    source = f"---\n{to_yaml(meta)}---\n\n<!-- devportal-body {quote(uri)} {digest} -->\n"
    return Stub(uri=uri, source=source, body=f"{body.strip()}\n", headings=f"{headings_json}\n")


def _plain_value(value: Any) -> Any:
    """Return a value as front matter can hold it: `Markup` becomes plain text."""
    if isinstance(value, dict):
        return {str(name): _plain_value(member) for name, member in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain_value(item) for item in value]
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
    assets = assets_of(watched.config, watched.inputs, has_console=watched.portal.has_console)
    copied = dict(assets) | dict(_copied_files(watched))
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
    site = SiteTexts(
        structured_data=StructuredData.of_site(watched.config, watched.portal.heads),
        links=PageLinks.of_project(watched.inputs),
    )
    yield from (generated_stub(store.page(head), watched.config, site) for head in watched.portal.heads)


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
        is_generated = name in copied or path.name.endswith(".html") or name.startswith((ICONS, IMMUTABLE))
        if not is_generated and (name == _SITEMAP or not any(theme.is_file() for theme in themes)):
            yield name, content_of(path, name=name)


def _files_below(folder: Path) -> Iterator[Path]:
    return (path for path in sorted(folder.rglob("*")) if path.is_file())


def _is_hidden(name: str) -> bool:
    return any(part.startswith(".") for part in name.split("/"))


def _resource(*parts: str) -> bytes:
    return files(_PACKAGE).joinpath(*parts).read_bytes()
