"""What all pages and feeds of a changelog share: names, addresses, templates, rendered sections."""

import re
from collections.abc import Callable, Hashable, Mapping
from dataclasses import dataclass, field
from functools import lru_cache, partial
from typing import Any, TypeVar

from jinja2 import Environment, pass_context
from jinja2.runtime import Context
from markdown_it import MarkdownIt
from markupsafe import Markup

from devportal.changelog.entries.body import relative_link, resolve_in_site, rewrite_html_links
from devportal.changelog.entries.entry import Entry, SectionName
from devportal.changelog.pages.channels import Channel
from devportal.changelog.pages.differences import Places
from devportal.changelog.pages.filters import Filter, ImpactChoice
from devportal.changelog.pages.release_history import ReleaseHistory
from devportal.changelog.proof.severity import Severity
from devportal.changelog.proof.suggestions import as_sentence
from devportal.language import OURS, mark_blocks
from devportal.last_results import LastResults
from devportal.markup import PageDraft, environment, plain_text, render_markdown, render_page
from devportal.project.settings import PortalApi, Settings
from devportal.translation import current_interface, format_day

FEEDS = "changelog/feeds.md"
MOST_CARDS = 60
"""How many entries a page lists; older ones are on further pages."""
STYLES = ("assets/devportal/releases.css",)
"""The style sheet of pages that show what changed in the contract."""


_Result = TypeVar("_Result")


def no_link(owner: str, place: str) -> str:  # noqa: ARG001 - as `Places` asks
    """Return no page for any part: the contract has no reference."""
    return ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ChangelogContext:
    """What the pages of one changelog have in common. `site_url` ends in `/`, or is empty if not known."""

    settings: Settings
    title: str
    site_url: str
    filters: tuple[Filter, ...]
    apis: Mapping[str, str]
    slugs: Mapping[str, str]
    operations: Mapping[str, str]
    channels: tuple[Channel, ...] = ()
    """What there are feeds of, that of everything first; nothing if the changelog has no feed."""
    impacts: tuple[ImpactChoice, ...] = ()
    """The impacts that readers can choose."""
    severities: Mapping[str, Severity] = field(default_factory=dict, repr=False)
    """What each entry means for readers, by its key."""
    places: Places = field(default=no_link, repr=False)
    release_history: ReleaseHistory | None = field(default=None, repr=False)
    references: Mapping[str, str] = field(default_factory=dict)
    """The uri of the reference of each release that has one."""
    language: str = OURS
    """The language of the entries."""
    api: PortalApi | None = None
    """The API that the pages are of, in a portal of several; None for those of all."""

    has_several: bool = False
    """Whether the portal has several APIs."""

    last: LastResults | None = field(default=None, repr=False, compare=False)
    """What was rendered for the last build of a served portal."""

    def render(self, name: str, uri: str, values: Mapping[str, Any]) -> tuple[str, str]:
        """Return the body and the Markdown twin of a page, which show nothing but these values."""
        return self.result((name, uri), values, lambda: render_page(templates(), name, uri, dict(values)))

    def result(self, name: Hashable, causes: object, make: Callable[[], _Result]) -> _Result:
        """Return what was made from the same causes, in the same language, for the last build, or make it."""
        if self.last is None:
            return make()
        return self.last.result(name, (causes, current_interface().digest), make)

    def severity(self, entry: Entry) -> Severity:
        """Return what an entry means for readers."""
        return self.severities[entry.key]

    def other_impacts(self, entry: Entry) -> tuple[str, ...]:
        """Return the other choices that include an entry, by their names in addresses; not its own severity."""
        severity = self.severity(entry)
        values = (impact.value for impact in self.impacts if severity in impact.severities)
        return tuple(value for value in values if value != severity.value)

    @property
    def has_beta(self) -> bool:
        """Return whether readers can choose what breaks parts in beta."""
        return Severity.BREAKING_BETA in self.shown_severities

    @property
    def shown_severities(self) -> tuple[Severity, ...]:
        """Return the severities to explain: that of beta parts only if readers can choose it."""
        values = {impact.value for impact in self.impacts}
        return tuple(severity for severity in Severity if severity.value in values)

    @property
    def releases_uri(self) -> str:
        """Return the uri of the page of all releases; empty if there are none."""
        return self.release_history.releases_uri if self.release_history is not None else ""

    @property
    def comparisons_uri(self) -> str:
        """Return the uri of the page that offers all comparisons; empty if there is nothing to compare."""
        history = self.release_history
        return history.comparisons_uri if history is not None and history.intervals else ""

    @property
    def feeds_uri(self) -> str:
        """Return the uri of the page of all feeds; empty if there are none."""
        return FEEDS if self.channels else ""


_SUMMARY = 240
"""The length of the summary of an entry in code points."""

_CODE = re.compile(r"(?<!`)`([^`]+)`(?!`)")


@lru_cache(maxsize=1)
def templates() -> Environment:
    """Return the environment of this package's templates."""
    template_environment = environment("devportal.changelog")
    template_environment.filters |= {
        "day": format_day,
        "section_beginning": section_beginning,
        "linked": _relative_link,
        "linked_text": _linked_text,
        "without_paragraph": _without_paragraph,
        "uri": entry_uri,
        "anchor": entry_anchor,
        "sentence": as_sentence,
        "pieces": split_code_spans,
    }
    template_environment.globals |= {
        "who": SectionName.WHO,
        "migration": SectionName.MIGRATION,
    }
    return template_environment


def split_code_spans(text: str) -> tuple[tuple[str, bool], ...]:
    """Split a text at backticks; each part comes with whether it is code. Without backticks all of it is."""
    spans = _CODE.split(text)
    if len(spans) == 1:
        return ((text, True),)
    return tuple((span, number % 2 == 1) for number, span in enumerate(spans) if span)


def entry_uri(entry: Entry) -> str:
    """Return the uri of an entry's page."""
    return f"{entry.folder}/{entry.id}.md"


@dataclass(frozen=True, slots=True, kw_only=True)
class EntryLink:
    """An entry as other pages name it."""

    title: str
    uri: str
    severity: Severity


def entry_link(entry: Entry, frame: ChangelogContext) -> EntryLink:
    """Return an entry as other pages name it."""
    return EntryLink(title=entry.title, uri=entry_uri(entry), severity=frame.severity(entry))


def entry_anchor(entry: Entry) -> str:
    """Return the id of an entry in a list of entries."""
    return entry.key.replace("/", ".")


def list_uri(shown: Filter, position: int) -> str:
    """Return the uri of the page of a list that has the entry at a position."""
    number = position // MOST_CARDS
    folder = shown.uri.removesuffix(".md").removesuffix("/index")
    return f"{folder}/page-{number + 1}.md" if number else shown.uri


def section_beginning(entry: Entry, name: SectionName = SectionName.WHAT) -> str:
    """Return the first block of a section, as CommonMark, with the one that it introduces by a colon; nothing if the
    entry does not have it.
    """
    section = entry.section(name)
    if section is None:
        return ""
    first, *others = _blocks(section.text) or (section.text,)
    return f"{first}\n\n{others[0]}" if others and first.endswith(":") else first


def _blocks(text: str) -> list[str]:
    """Return the blocks of CommonMark: paragraphs, whole lists and tables."""
    lines = text.split("\n")
    spans = (token.map for token in _BLOCK_PARSER.parse(text) if token.level == 0 and token.nesting >= 0)
    return ["\n".join(lines[slice(*span)]).strip("\n") for span in spans if span is not None]


_BLOCK_PARSER = MarkdownIt("commonmark").enable("table")


def entry_summary(entry: Entry) -> str:
    """Return the beginning of what changed, as plain text."""
    section = entry.section(SectionName.WHAT)
    return plain_text(section.text.partition("\n\n")[0], limit=_SUMMARY) if section else ""


@pass_context
def _relative_link(context: Context, link: str, source: str = "") -> str:
    """Return a link of an entry relative to the page that is rendered.

    `source` is the uri of the page that the author wrote it for, if that is another. A link to a folder stays
    one to a page in the twin too: what its twin is called is not to be seen from it.
    """
    draft: PageDraft = context["draft"]
    page = context["source"]
    target = resolve_in_site(link, source=source or page)
    if target is None or target.endswith("/index.md"):
        return relative_link(link, source=source or page, page=page)
    return draft.href(target)


@pass_context
def _linked_text(context: Context, commonmark: str, source: str = "") -> Markup:
    """Return CommonMark of an entry as safe HTML, with links relative to the page that is rendered."""
    return render_html(commonmark, partial(_relative_link, context, source=source))


_ONE_PARAGRAPH = re.compile(r"\s*<p[^>]*>((?:(?!<p[ >]).)*)</p>\s*", re.DOTALL)


def _without_paragraph(html: Markup) -> Markup:
    """Return HTML of a single paragraph as the text in it; other HTML as it is."""
    paragraph = _ONE_PARAGRAPH.fullmatch(html)
    return Markup(paragraph[1]) if paragraph else html  # noqa: S704 - a part of safe HTML


def render_html(text: str, change: Callable[[str], str]) -> Markup:
    """Return CommonMark as safe HTML, its blocks marked as text, each link changed by `change`."""
    safe = mark_blocks(rewrite_html_links(render_markdown(text), change))
    return Markup(safe)  # noqa: S704 - sanitised by render_markdown; change_html escapes what it puts in
