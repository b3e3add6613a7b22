"""Pages as an engine reads them: front matter, and a mark that names the body."""

import json
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from hashlib import blake2b
from typing import Any
from urllib.parse import quote

from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File
from mkdocs.structure.pages import Page as SitePage

from devportal.documents import to_yaml
from devportal.generating.building import Written, token
from devportal.pages import Page
from devportal.site.page_texts import dress, texts_of


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
    dress(told, page, texts_of(told, page))
    stub = _stub(page.uri, _plain(told.meta), page.body, [*map(token, told.toc)])
    return replace(stub, canonical=told.canonical_url or "") if told.canonical_url != own else stub


def written_stub(page: Written, *, site_name: str) -> Stub:
    """Return a hand-written page under the title that it had; the home page is called as the site."""
    meta = _plain({name: value for name, value in page.meta.items() if name != "template" or value})
    meta = {"title": site_name if page.is_home else page.title} | meta
    return _stub(page.uri, meta | {"twin": page.uri}, page.html, page.headings)


def _stub(uri: str, meta: dict[str, Any], body: str, headings: Sequence[dict[str, Any]]) -> Stub:
    told = json.dumps([*headings], ensure_ascii=False)
    digest = blake2b(f"{told}\0{body}".encode(), digest_size=8).hexdigest()
    source = f"---\n{to_yaml(meta)}---\n\n<!-- devportal-body {quote(uri)} {digest} -->\n"
    return Stub(uri=uri, source=source, body=f"{body.strip()}\n", headings=f"{told}\n")


def _plain(value: Any) -> Any:
    """Return what front matter can say of a value: text that is marked as ready becomes text."""
    if isinstance(value, dict):
        return {str(name): _plain(one) for name, one in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(one) for one in value]
    return str(value) if isinstance(value, str) else value
