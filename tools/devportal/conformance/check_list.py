"""Every check of a conformance run by its name, with its words: as pages show them (insert
`conformance-checks`).
"""

from collections.abc import Iterable, Iterator
from typing import Protocol

from devportal.conformance.families.registry import FAMILIES, families_of
from devportal.conformance.family import Words
from devportal.conformance.other_checks import AFTER_A_RUN, SCHEMATHESIS
from devportal.conformance.reports.pages import check_anchor
from devportal.conformance.webhooks.checks import CHECKS
from devportal.contract import Api
from devportal.pages import escaped
from devportal.pages.inserts import Wrong


class Explained(Protocol):
    """A check that says what it is about."""

    @property
    def name(self) -> str:
        """Its name in results."""

    @property
    def summary(self) -> str:
        """What is promised, in a few words."""

    @property
    def words(self) -> Words:
        """What its page says."""


def every_check(plugins: Iterable[str]) -> tuple[tuple[str, tuple[Explained, ...]], ...]:
    """Return the checks in groups, each with its title: ours, and those of some plug-ins."""
    webhooks = tuple(one.family for one in CHECKS)
    groups: tuple[tuple[str, tuple[Explained, ...]], ...] = (
        ("Checks of our own", FAMILIES),
        ("Webhooks", webhooks),
        ("Of this API", families_of(plugins)),
        ("Schemathesis", SCHEMATHESIS),
        ("After a run", AFTER_A_RUN),
    )
    return tuple((title, checks) for title, checks in groups if checks)


def conformance_checks(api: Api, arguments: tuple[str, ...]) -> str | Wrong:
    """Return every check with what it promises, how it tests, and what to do when it fails."""
    if arguments:
        return Wrong(
            message=f"the insert 'conformance-checks' has no part {' '.join(arguments)!r}",
            help="write nothing behind it",
        )
    return "\n".join(_lines(api.plugins))


def _lines(plugins: Iterable[str]) -> Iterator[str]:
    for title, checks in every_check(plugins):
        yield from (f"## {title}", "")
        for check in checks:
            yield from (f"### {check_anchor(check.name)}", "", f"{_sentence(check.summary)}", "")
            yield from (f"**Promised.** {check.words.promise}", "", f"**Tested.** {check.words.test}", "")
            yield from (f"**When it fails.** {check.words.remedy}", "")
            if check.words.sources:
                yield from (f"**Source.** {escaped(', '.join(check.words.sources))}.", "")


def _sentence(summary: str) -> str:
    return f"{escaped(summary[:1].upper() + summary[1:])}."
