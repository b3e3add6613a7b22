"""The cards of the APIs of a portal: what each is, how stable, how large, and whether its deployments conform."""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from devportal.contract import Api
from devportal.language import is_of_interface
from devportal.markup import PageDraft, plain_text
from devportal.project.inputs import Inputs
from devportal.reference.addresses import event_operations
from devportal.reference.pages.introduction import introduction_of
from devportal.site.apis.switcher import templates
from devportal.site.sections.section import SectionRecords
from devportal.translation import current_interface, format_number, gettext, ngettext

_LONGEST_SUMMARY = 160
"""How many code points a card has of what a contract says of itself."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ConformanceSummary:
    """How many operations of an API were tested in the newest runs, and how many of them failed or are doubtful."""

    tested: int
    failed: int
    doubtful: int

    @property
    def kind(self) -> str:
        """Return the worst result: the class of its badge."""
        return "failed" if self.failed else "doubtful" if self.doubtful else "passed"

    @property
    def text(self) -> str:
        """Return the result in a few words."""
        if self.failed:
            return ngettext(
                "%(failed)s of %(number)s tested operation failed",
                "%(failed)s of %(number)s tested operations failed",
                self.tested,
                failed=self.failed,
            )
        if self.doubtful:
            return ngettext(
                "%(doubtful)s of %(number)s tested operation unclear",
                "%(doubtful)s of %(number)s tested operations unclear",
                self.tested,
                doubtful=self.doubtful,
            )
        return ngettext("%(number)s operation verified", "%(number)s operations verified", self.tested)


@dataclass(frozen=True, slots=True, kw_only=True)
class ApiCard:
    """An API as home shows it. `stability` is empty for a contract that does not say it of any part."""

    name: str
    title: str
    summary: str
    uri: str
    version: str
    stability: tuple[tuple[str, str], ...]
    """The levels of the operations, the most frequent first: the level, and its words on the card."""
    operations: int
    events: int
    conformance: ConformanceSummary | None
    language: str = ""
    """The language of the summary, if it is not that of the words around it."""

    @property
    def size(self) -> str:
        """Return how many operations and events there are."""
        counts = []
        if self.operations or not self.events:
            counts.append(ngettext("%(number)s operation", "%(number)s operations", self.operations))
        if self.events:
            counts.append(ngettext("%(number)s event", "%(number)s events", self.events))
        return ", ".join(counts)


def api_card(api: Api, inputs: Inputs, records: Iterable[SectionRecords]) -> ApiCard:
    """Return the card of an API; `records` is what the sections of it say for programs."""
    assert inputs.portal_api is not None  # noqa: S101 - it is one of several
    return ApiCard(
        name=inputs.portal_api.name,
        title=inputs.portal_api.title,
        summary=plain_text(api.summary or introduction_of(api).partition("\n\n")[0], limit=_LONGEST_SUMMARY),
        uri=inputs.overview,
        version=api.version,
        stability=tuple(_stability(api)),
        operations=len(api.operations),
        events=len(event_operations(api)),
        conformance=_conformance(records),
        language="" if is_of_interface(api.language or current_interface().language) else api.language,
    )


def _stability(api: Api) -> Iterable[tuple[str, str]]:
    if not api.is_marked:
        return
    counts = Counter(str(operation.stability) for operation in api.operations)
    for level, count in counts.most_common():
        words = gettext(level)
        yield level, words if len(counts) == 1 else f"{format_number(count)} {words}"


def _conformance(records: Iterable[SectionRecords]) -> ConformanceSummary | None:
    """Return the results of all deployments together: an operation counts by its worst result."""
    worst: list[str] = []
    for record in records:
        for results in record.test_results.values():
            kinds = {str(result["result"]) for result in results}
            worst.append(next((kind for kind in ("failed", "doubtful") if kind in kinds), "passed"))
    if not worst:
        return None
    return ConformanceSummary(
        tested=len(worst), failed=worst.count("failed"), doubtful=worst.count("doubtful")
    )


def render_cards(cards: Sequence[ApiCard], source: str, *, level: int) -> tuple[str, str]:
    """Return the cards as HTML for the page `source`, and as Markdown for its twin. Titles are headings of a level."""
    draft = PageDraft(source)
    rendered = (
        templates()
        .get_template("cards.html.jinja")
        .render(source=source, draft=draft, cards=cards, level=level)
    )
    return draft.body(rendered), draft.markdown(rendered)
