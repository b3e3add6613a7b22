"""The theme's frame around generated pages: rendered once per kind of page, then filled like a form.

Rendering the theme's templates for each page costs more than making most bodies, although what stands
around the bodies of one kind is the same but for a few texts. A frame is cut from a page that was rendered
with marks in place of these texts. That it is right is not assumed: the first pages of each kind are rendered
in full too, and where a filled frame differs from one of them, all pages of that kind are rendered in full.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from posixpath import dirname
from typing import Any

import jinja2
from mkdocs.commands.build import get_context
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page as SitePage

from devportal.pages import Page, PageHead, url_of
from devportal.site.page_texts import SLOTS, area_of, dress, head_texts_of, texts_of

PROOFS = 2
"""How many pages of a kind are rendered in full to prove its frame."""
_MARK = "\ue000"
_OWN_PLUGINS = ("devportal.", "material.", "mkdocs.", "mkdocstrings.", "mkdocs_autorefs.")

Kind = tuple[Any, ...]


def can_frame(config: MkDocsConfig) -> bool:
    """Say whether nobody but the theme and plugins that we know has a say in how a page is rendered."""
    handlers = config.plugins.events["page_context"]
    owners = {type(getattr(handler, "__self__", handler)).__module__ for handler in handlers}
    return config.theme.custom_dir is None and all(owner.startswith(_OWN_PLUGINS) for owner in owners)


@dataclass(frozen=True, slots=True)
class _Frame:
    """A page in pieces: by turns what is the same on all pages of a kind, and the name of a slot."""

    pieces: tuple[str, ...]

    def filled(self, texts: Mapping[str, str]) -> str:
        parts = list(self.pieces)
        parts[1::2] = [texts[name] for name in self.pieces[1::2]]
        return "".join(parts)


class Frames:
    """The frames of one build."""

    def __init__(
        self, *, env: jinja2.Environment, config: MkDocsConfig, nav: Navigation, files: Sequence[File]
    ) -> None:
        """Take what MkDocs renders pages with."""
        self._env = env
        self._config = config
        self._nav = nav
        self._files = files
        self._listed = {area_of(page.file.src_uri) for page in nav.pages if page.url.count("/") > 1}
        self._frames: dict[Kind, _Frame | None] = {}
        self._proofs: dict[Kind, int] = {}

    def page(self, page: SitePage, generated: Page) -> str:
        """Return the whole text of a generated page."""
        texts = texts_of(page, generated)
        kind = self._kind(generated, texts)
        frame = self._frame(kind, page, generated, texts)
        proofs = self._proofs.get(kind, 0)
        if frame is not None and proofs >= PROOFS:
            return frame.filled(texts)
        whole = self._rendered(page, generated, texts)
        if frame is not None:
            self._proofs[kind] = proofs + 1
            if frame.filled(texts) != whole:
                self._frames[kind] = None
        return whole

    def digest(self, page: SitePage, head: PageHead, *, has_sidebar: bool) -> str:
        """Return a digest of the frame that a page gets; empty where pages of its kind have none."""
        texts = {**head_texts_of(page, head), "body": "", "sidebar": "x" if has_sidebar else ""}
        frame = self._frame(self._kind(head, texts), page, head, texts)
        return blake2b("\0".join(frame.pieces).encode(), digest_size=16).hexdigest() if frame else ""

    def _kind(self, head: PageHead, texts: Mapping[str, str]) -> Kind:
        """Return what all pages with one frame have in common.

        Links to other pages are relative: they depend on the page's depth and area, and where the site's
        navigation lists pages inside that area, on its folder.
        """
        area, url = area_of(head.uri), url_of(head.uri)
        place = dirname(url.rstrip("/")) if area in self._listed else area
        filled = tuple(bool(texts[name]) for name in SLOTS if name != "body")
        told = (head.layout, head.headings, head.feeds, head.scripts, head.styles, head.is_listed)
        return (place, url.count("/"), *told, filled)

    def _frame(self, kind: Kind, page: SitePage, head: PageHead, texts: Mapping[str, str]) -> _Frame | None:
        """Return the frame of a kind; a page of the kind and its texts are there to make it from."""
        if kind not in self._frames:
            marks = {name: f"{_MARK}{name}{_MARK}" if texts[name] else "" for name in SLOTS}
            marks["body"] = f"{_MARK}body{_MARK}"
            pieces = tuple(self._rendered(page, head, marks).split(_MARK))
            is_sound = len(pieces) % 2 == 1 and all(name in SLOTS for name in pieces[1::2])
            self._frames[kind] = _Frame(pieces) if is_sound else None
        return self._frames[kind]

    def _rendered(self, page: SitePage, head: PageHead, texts: Mapping[str, str]) -> str:
        """Return the page as the theme renders it, with these texts."""
        canonical = page.canonical_url
        dress(page, head, texts)
        page.active = True
        try:
            context = get_context(self._nav, self._files, self._config, page)
            plugins = self._config.plugins
            context = plugins.on_page_context(context, page=page, config=self._config, nav=self._nav)
            return self._env.get_template("main.html").render(context)
        finally:
            page.active = False
            page.content = ""
            page.canonical_url = canonical
