"""Rules of schemas for formats (JSON Schema 2020-12 Validation §7, OAS 3.0.3 §4.4)."""

from collections.abc import Iterator

from devportal.contract import ABSENT
from devportal.differ.phrase import phrase
from devportal.differ.rule import Action, FoundChange, Verdict
from devportal.differ.rules.rows import narrowing_rule, schema_rule, widening_rule
from devportal.differ.schemas.format_changes import FormatChange, format_change
from devportal.differ.schemas.pair import SchemaPair
from devportal.translation import gettext_noop

_B, _R, _C = Verdict.BREAKING, Verdict.RISKY, Verdict.COMPATIBLE

_TYPED_FORMATS = frozenset({"int32", "int64", "float", "double", "date", "date-time", "byte", "uuid"})
"""Formats that typed clients read into a special type, which other values do not fit."""


def _format_set(pair: SchemaPair) -> Iterator[FoundChange]:
    if format_change(pair) is FormatChange.SET:
        is_enforced = pair.new.format in pair.policy.format_enforced
        is_doubtful = pair.is_sent and not is_enforced
        yield _format_change(
            pair, _R if is_doubtful else None, phrase("few validators look at it") if is_doubtful else ""
        )


def _format_unset(pair: SchemaPair) -> Iterator[FoundChange]:
    if format_change(pair) is FormatChange.UNSET:
        is_typed = not pair.is_sent and pair.old.format in _TYPED_FORMATS
        yield _format_change(
            pair,
            _B if is_typed else None,
            phrase("clients may parse it into a typed value") if is_typed else "",
        )


def _format_widened(pair: SchemaPair) -> Iterator[FoundChange]:
    if format_change(pair) is FormatChange.WIDENED:
        yield _format_change(pair)


def _format_narrowed(pair: SchemaPair) -> Iterator[FoundChange]:
    if format_change(pair) is FormatChange.NARROWED:
        yield _format_change(pair)


def _format_changed(pair: SchemaPair) -> Iterator[FoundChange]:
    if format_change(pair) is FormatChange.CHANGED:
        yield _format_change(pair)


def _format_change(pair: SchemaPair, verdict: Verdict | None = None, reason: str = "") -> FoundChange:
    return FoundChange(
        keyword="format",
        old=pair.old.format or ABSENT,
        new=pair.new.format or ABSENT,
        verdict=verdict,
        reason=reason,
    )


_WAIVER = "a removed format only affects receivers that parse it into a specific type"

FORMAT_RULES = (
    narrowing_rule(
        "schema.format.set",
        gettext_noop("the format %(new)s is added"),
        _format_set,
        mirror="schema.format.unset",
        waiver=_WAIVER,
    ),
    schema_rule(
        "schema.format.unset",
        Action.WIDENED,
        (_C, _R),
        gettext_noop("the format %(old)s is removed"),
        _format_unset,
        mirror="schema.format.set",
        waiver=_WAIVER,
    ),
    widening_rule(
        "schema.format.widened",
        gettext_noop("the format is widened from %(old)s to %(new)s"),
        _format_widened,
        mirror="schema.format.narrowed",
    ),
    narrowing_rule(
        "schema.format.narrowed",
        gettext_noop("the format is narrowed from %(old)s to %(new)s"),
        _format_narrowed,
        mirror="schema.format.widened",
    ),
    schema_rule(
        "schema.format.changed",
        Action.CHANGED,
        (_B, _B),
        gettext_noop("the format is changed from %(old)s to %(new)s"),
        _format_changed,
    ),
)
