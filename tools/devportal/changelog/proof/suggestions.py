"""What to write so that an entry covers a change: selectors as YAML, and the change in one sentence."""

from collections.abc import Iterable
from textwrap import indent

from devportal.changelog.entries.entry import Cover
from devportal.changelog.proof.severity import PINNED_VERDICTS, least_impact
from devportal.differ import Change, SubjectKind
from devportal.documents import to_yaml
from devportal.reporting.printable import capitalise
from devportal.translation import pgettext

COVER_KEYS = ("operation", "schema", "component", "field", "rule", "finding")
"""The keys of a selector in the order in which they are written."""


def cover_of(change: Change) -> Cover:
    """Return a selector of one change, with its fingerprint if it needs one."""
    subject = change.subject
    is_component = subject.kind is SubjectKind.COMPONENT
    is_schema = is_component and subject.section == "schemas"
    return Cover(
        operation=subject.name if subject.kind in {SubjectKind.OPERATION, SubjectKind.EVENT} else "",
        schema=subject.name if is_schema else "",
        component=f"{subject.section}/{subject.name}" if is_component and not is_schema else "",
        field=change.field,
        rule=change.rule,
        finding=change.fingerprint if change.verdict in PINNED_VERDICTS else "",
    )


def cover_fields(cover: Cover) -> dict[str, str]:
    """Return a selector as it is written in front matter."""
    return {key: getattr(cover, key) for key in COVER_KEYS if getattr(cover, key)}


def covers_text(covers: Iterable[Cover]) -> str:
    """Return selectors as the lines below `covers:`, without the last line break."""
    return indent(to_yaml([cover_fields(cover) for cover in covers]), "  ").rstrip("\n")


def cover_lines(changes: Iterable[Change]) -> str:
    """Return the selectors of changes as lines to put below `covers:`."""
    return covers_text(dict.fromkeys(cover_of(change) for change in changes))


def describe_change(change: Change) -> str:
    """Return one sentence about a change: its subject, what happened, and its impact."""
    location = f"{change.subject}{f', {change.field}' if change.field else ''}"
    return f"{location}: {change.message} ({least_impact(change).label.lower()}, {change.rule})"


def as_sentence(message: str, *, is_english: bool = False) -> str:
    """Return the message of a change or a hint as a sentence; `is_english` if it is in English in any language."""
    text = capitalise(message)
    if text.endswith((".", "?", "!", "…", "。")):
        return text
    return f"{text}." if is_english else pgettext("the end of a sentence", "%(text)s.", text=text)
