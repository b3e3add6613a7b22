"""The theme's frame around generated pages: rendered once per kind of page, then filled like a form."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import blake2b
from posixpath import dirname
from typing import Any

import jinja2
from mkdocs.commands.build import get_context
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File
from mkdocs.structure.nav import Navigation
from mkdocs.structure.pages import Page as SitePage

from devportal.markup import Page, PageHead, url_of
from devportal.site.cache.store import StoredPage
from devportal.site.rendering.page_texts import (
    SLOTS,
    SiteTexts,
    area_of,
    head_slot_texts,
    set_page_texts,
    slot_texts,
)

VERIFIED_PAGES = 2
"""How many pages of a kind are rendered in full to prove its frame."""
_SLOT_MARK = "\ue000"
_TEXTS_OF_SITE = ("structured_data", "edit", "feedback")
"""The slots whose texts depend on more than the page itself."""
_OWN_PLUGINS = ("devportal.", "material.", "mkdocs.", "mkdocstrings.", "mkdocs_autorefs.")

PageKind = tuple[Any, ...]


@dataclass(slots=True)
class KnownFrames:
    """The frames of kinds of pages, and how many pages have proven each.

    Those of one build serve the next one too, if settings and navigation are the same.
    """

    frames: "dict[PageKind, _Frame | None]" = field(default_factory=dict)
    proofs: dict[PageKind, int] = field(default_factory=dict)
    site: SiteTexts | None = None
    """What the site contributed to the texts of the pages."""
    heads: "dict[str, _KnownHead]" = field(default_factory=dict)
    """What is known of pages by uri."""


@dataclass(frozen=True, slots=True)
class _KnownHead:
    """The digest of a page as it is stored, its kind, and a digest of what other pages contribute to its texts."""

    stored: str
    kind: PageKind
    texts_of_site: str


def can_frame(config: MkDocsConfig) -> bool:
    """Return whether only the theme and plugins that we know take part in rendering a page."""
    handlers = config.plugins.events["page_context"]
    owners = {type(getattr(handler, "__self__", handler)).__module__ for handler in handlers}
    return config.theme.custom_dir is None and all(owner.startswith(_OWN_PLUGINS) for owner in owners)


@dataclass(frozen=True, slots=True)
class _Frame:
    """A page in parts: alternately the text that all pages of a kind share, and the name of a slot."""

    parts: tuple[str, ...]
    digest: str
    """That of the parts, made once: all pages of a kind ask for it."""

    def fill(self, texts: Mapping[str, str]) -> str:
        filled = list(self.parts)
        filled[1::2] = [texts[name] for name in self.parts[1::2]]
        return "".join(filled)


class Frames:
    """The frames of one build."""

    def __init__(
        self,
        *,
        env: jinja2.Environment,
        config: MkDocsConfig,
        nav: Navigation,
        files: Sequence[File],
        site: SiteTexts,
        known: KnownFrames | None = None,
    ) -> None:
        """Take the environment, configuration, navigation and files that MkDocs renders pages with.

        `known` are the frames of a build whose settings and navigation were the same.
        """
        self._site = site
        self._env = env
        self._config = config
        self._nav = nav
        self._files = files
        self._listed = {area_of(page.file.src_uri) for page in nav.pages if page.url.count("/") > 1}
        known = known or KnownFrames()
        if known.site != site:
            known.site, known.heads = site, {}
        self._frames, self._proofs, self._heads = known.frames, known.proofs, known.heads

    def page(self, page: SitePage, generated: Page) -> str:
        """Return the whole text of a generated page."""
        texts = slot_texts(page, generated, self._site)
        kind = self._kind(generated, texts)
        frame = self._frame(kind, page, generated, texts)
        proofs = self._proofs.get(kind, 0)
        if frame is not None and proofs >= VERIFIED_PAGES:
            return frame.fill(texts)
        whole = self._render_page(page, generated, texts)
        if frame is not None:
            self._proofs[kind] = proofs + 1
            if frame.fill(texts) != whole:
                self._frames[kind] = None
        return whole

    def digest(self, page: SitePage, stored: StoredPage) -> str:
        """Return a digest of the frame of a page, and of what other pages contribute to its texts; empty if pages
        of its kind have no frame.
        """
        known = self._known_head(page, stored)
        frame = self._frames[known.kind]  # there may be none any more
        return f"{frame.digest}{known.texts_of_site}" if frame is not None else ""

    def is_proven(self, page: SitePage, stored: StoredPage) -> bool:
        """Return whether enough pages have proven the frame of a page: that of others is only to be filled."""
        kind = self._known_head(page, stored).kind
        return self._frames[kind] is not None and self._proofs.get(kind, 0) >= VERIFIED_PAGES

    def _known_head(self, page: SitePage, stored: StoredPage) -> _KnownHead:
        """Return what is known of a page; the frame of its kind has been made, if it can have one."""
        head, has_sidebar = stored.head, stored.has_sidebar
        known = self._heads.get(head.uri)
        if known is None or known.stored != stored.digest:
            head_texts = head_slot_texts(page, head, self._site)
            texts = {**head_texts, "body": "", "sidebar": "x" if has_sidebar else ""}
            kind, of_site = self._kind(head, texts), "\0".join(texts[name] for name in _TEXTS_OF_SITE)
            self._frame(kind, page, head, texts)
            known = self._heads[head.uri] = _KnownHead(stored.digest, kind, _digest_of(of_site))
        return known

    def _kind(self, head: PageHead, texts: Mapping[str, str]) -> PageKind:
        """Return what all pages with one frame have in common.

        Links to other pages are relative: they depend on the page's depth and area, and on its folder if the
        site's navigation lists pages inside that area.
        """
        area, url = area_of(head.uri), url_of(head.uri)
        place = dirname(url.rstrip("/")) if area in self._listed else area
        filled = tuple(bool(texts[name]) for name in SLOTS if name != "body")
        head_facts = (head.layout, head.headings, head.feeds, head.scripts, head.styles, head.is_listed)
        return (place, url.count("/"), *head_facts, filled)

    def _frame(
        self, kind: PageKind, page: SitePage, head: PageHead, texts: Mapping[str, str]
    ) -> _Frame | None:
        """Return the frame of a kind, made from a page of the kind and its texts."""
        if kind not in self._frames:
            placeholders = {name: f"{_SLOT_MARK}{name}{_SLOT_MARK}" if texts[name] else "" for name in SLOTS}
            placeholders["body"] = f"{_SLOT_MARK}body{_SLOT_MARK}"
            parts = tuple(self._render_page(page, head, placeholders).split(_SLOT_MARK))
            is_sound = len(parts) % 2 == 1 and all(name in SLOTS for name in parts[1::2])
            self._frames[kind] = _Frame(parts, _digest_of("\0".join(parts))) if is_sound else None
        return self._frames[kind]

    def _render_page(self, page: SitePage, head: PageHead, texts: Mapping[str, str]) -> str:
        """Return the page as the theme renders it, with these texts."""
        canonical = page.canonical_url
        set_page_texts(page, head, texts)
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


def _digest_of(text: str) -> str:
    return blake2b(text.encode(), digest_size=16).hexdigest()
