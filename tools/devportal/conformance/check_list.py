"""Every check of a conformance run by its name, with its words: as pages show them (insert
`conformance-checks`).
"""

from collections.abc import Iterator
from typing import Protocol

from devportal.conformance.families.registry import FAMILIES, all_families
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


def every_check() -> tuple[tuple[str, tuple[Explained, ...]], ...]:
    """Return the checks in groups, each with its title."""
    webhooks = tuple(one.family for one in CHECKS)
    plugged = tuple(one for one in all_families() if one not in (*FAMILIES, *webhooks))
    groups: tuple[tuple[str, tuple[Explained, ...]], ...] = (
        ("Checks of our own", FAMILIES),
        ("Webhooks", webhooks),
        ("Of this API", plugged),
        ("Schemathesis", SCHEMATHESIS),
        ("After a run", AFTER_A_RUN),
    )
    return tuple((title, checks) for title, checks in groups if checks)


def conformance_checks(_: Api, arguments: tuple[str, ...]) -> str | Wrong:
    """Return every check with what it promises, how it tests, and what to do when it fails."""
    if arguments:
        return Wrong(
            message=f"the insert 'conformance-checks' has no part {' '.join(arguments)!r}",
            help="write nothing behind it",
        )
    return "\n".join(_lines())


def _lines() -> Iterator[str]:
    for title, checks in every_check():
        yield from (f"## {title}", "")
        for check in checks:
            yield from (f"### {check_anchor(check.name)}", "", f"{_sentence(check.summary)}", "")
            yield from (f"**Promised.** {check.words.promise}", "", f"**Tested.** {check.words.test}", "")
            yield from (f"**When it fails.** {check.words.remedy}", "")
            if check.words.sources:
                yield from (f"**Source.** {escaped(', '.join(check.words.sources))}.", "")


def _sentence(summary: str) -> str:
    return f"{escaped(summary[:1].upper() + summary[1:])}."
