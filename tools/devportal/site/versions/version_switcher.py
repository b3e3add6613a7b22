"""The version switcher: links from each page to the same part in other releases."""

import json
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace
from functools import lru_cache
from hashlib import blake2b

from jinja2 import Environment

from devportal.changelog import Release
from devportal.contract.semantic_version import Version, read_version
from devportal.contract.wording import quote_value
from devportal.errors import InvalidSettings
from devportal.language import mark_directions
from devportal.markup import Page, environment
from devportal.project.setting_kinds import MAJORS, NONE, VERSIONS_ADVICE, VersionsSetting
from devportal.reference.redirects.matching_pages import DocumentedPart
from devportal.site.cache.store import dataclass_members
from devportal.site.versions.edition import Edition, Editions
from devportal.site.versions.removal_notices import PartStatus, RemovalHistory, VersionNotice, version_notice
from devportal.translation import format_day, gettext

STYLES = ("assets/devportal/switcher.css", "assets/devportal/versions.css")
_CRUMBS = re.compile(r'\s*<nav\b[^>]*\bclass="dp-crumbs".*?</nav>\n?', re.DOTALL)
"""The breadcrumbs that a body begins with."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VersionLink:
    """A link to an edition. `title` is that of the page it leads to; empty if that is of the same part."""

    version: str
    date: str
    uri: str
    title: str = ""
    is_current: bool = False
    is_newest: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class PageVersionLinks:
    """The version links and the notice on the pages of one part."""

    links: tuple[VersionLink, ...]
    notice: VersionNotice | None = None


@dataclass(frozen=True, kw_only=True)
class VersionSwitcher:
    """The version links of one edition's pages, by the uri of the part that they belong to."""

    edition: Edition
    releases_uri: str
    links_by_part: dict[str, PageVersionLinks] = field(repr=False)

    def digest(self) -> str:
        """Return a digest of all that the switcher adds to pages."""
        whole = json.dumps([self.releases_uri, self.links_by_part], default=dataclass_members, sort_keys=True)
        return blake2b(whole.encode(), digest_size=16).hexdigest()

    def page(self, page: Page) -> Page:
        """Return a page with its switcher; pages of earlier releases are not in search and sitemap."""
        part = self.edition.parts.shown_at(page.uri)
        page_links = self.links_by_part[part.uri]
        values = {
            "source": page.uri,
            "edition": self.edition,
            "links": page_links.links,
            "releases": self.releases_uri,
            "notice": page_links.notice,
        }
        switcher = _render("switcher.html.jinja", values)
        switched = replace(page, sidebar=switcher + page.sidebar, styles=(*page.styles, *STYLES))
        if page_links.notice is None:
            return switched
        head, _, rest = page.markdown.partition("\n")
        return replace(
            switched,
            title=f"{page.title} ({self.edition.version})",
            body=_insert_below_crumbs(page.body, _render("notice.html.jinja", values)),
            markdown=f"{head}\n\n{_render('notice.md.jinja', values)}{rest}",
            search=(),
            is_listed=False,
            canonical=page_links.notice.canonical if part.uri == page.uri else "",
        )


def _insert_below_crumbs(body: str, html: str) -> str:
    """Return a body with HTML inserted below its breadcrumbs, or at its top."""
    crumbs = _CRUMBS.match(body)
    end = crumbs.end() if crumbs is not None else 0
    return f"{body[:end]}{html}{body[end:]}"


def version_switcher_for(edition: Edition, editions: Editions, removals: RemovalHistory) -> VersionSwitcher:
    """Return the version switcher of one of the editions."""
    links_by_part = {}
    for part in edition.parts.parts:
        links = tuple(_version_links(part, edition, editions))
        links_by_part[part.uri] = PageVersionLinks(
            links=links, notice=_version_notice(part, edition, links[0], removals)
        )
    return VersionSwitcher(edition=edition, releases_uri=removals.releases_uri, links_by_part=links_by_part)


def _version_links(part: DocumentedPart, edition: Edition, editions: Editions) -> Iterator[VersionLink]:
    """Yield the links to all editions, this one included: the present one first."""
    for other in editions.all:
        same = part if other is edition else other.parts.same(part)
        shown = same or other.parts.nearest(part)
        is_newest = other is editions.current
        yield VersionLink(
            version=other.version,
            date=str(other.date or (gettext("not released yet") if is_newest else "")),
            uri=shown.uri,
            title="" if same else shown.title,
            is_current=other is edition,
            is_newest=is_newest,
        )


def _version_notice(
    part: DocumentedPart, edition: Edition, present: VersionLink, removals: RemovalHistory
) -> VersionNotice | None:
    """Return the notice on the pages of a part; None if they are of the present contract."""
    if present.is_current or edition.release is None:
        return None
    status = PartStatus(
        noun=part.noun,
        present=present.version,
        uri=present.uri,
        title=present.title,
        removal=removals.removal(part, edition.release) if present.title else None,
        since=removals.since(edition.version),
    )
    return version_notice(edition.version, format_day(edition.date) if edition.date else "", status)


@lru_cache(maxsize=1)
def _templates() -> Environment:
    return environment("devportal.site.versions")


def _render(template: str, values: dict[str, object]) -> str:
    return mark_directions(_templates().get_template(template).render(values))


def choose_releases(
    setting: VersionsSetting, releases: Sequence[Release], *, current: str
) -> tuple[Release, ...]:
    """Return the releases that have a reference beside that of the version `current`, the newest first.

    Raises InvalidSettings for a version that was not released, for the present one and for one after it.
    """
    number = read_version(current)
    earlier = [release for release in releases if number is None or release.number < number]
    if isinstance(setting, tuple):
        by_version = {release.version: release for release in releases}
        for version in setting:
            _check_version(version, by_version, current)
            if number is not None and by_version[version].number > number:
                raise InvalidSettings(
                    f"'versions' lists {quote_value(version)}, which comes after the present version "
                    f"{quote_value(current)}",
                    help="leave it out, or see whether 'info.version' of the contract is right",
                )
        earlier = [by_version[version] for version in dict.fromkeys(setting)]
    elif setting == MAJORS:
        newest = {
            _compatibility_key(release.number): release
            for release in sorted(earlier, key=lambda item: item.number)
        }
        earlier = [
            release
            for line, release in newest.items()
            if number is None or line != _compatibility_key(number)
        ]
    elif setting == NONE:
        earlier = []
    return tuple(sorted(earlier, key=lambda item: item.number, reverse=True))


def _compatibility_key(number: Version) -> tuple[int, ...]:
    """Return the numbers that compatible versions share: the first, below 1.0.0 the first two."""
    return (number.major,) if number.major else (0, number.minor)


def _check_version(version: str, by_version: dict[str, Release], current: str) -> None:
    if version == current:
        raise InvalidSettings(
            f"'versions' lists {quote_value(version)}, which is the present version: it has the reference itself",
            help="leave it out: name earlier releases",
        )
    if version not in by_version:
        released = f"released are {', '.join(by_version)}" if by_version else "nothing was released yet"
        raise InvalidSettings(
            f"'versions' lists {quote_value(version)}, which was not released: {released}",
            help=VERSIONS_ADVICE,
        )
