"""Rules for the stability of single values and keywords of a schema (decision 0011).

A value or a keyword that is only called beta can be taken back later without breaking anything, so calling it
so is a change that has to be told.
"""

from collections.abc import Iterator

from devportal.contract import Stability
from devportal.differ.forms import Form
from devportal.differ.merging import canonical
from devportal.differ.pair import SchemaPair
from devportal.differ.rule import Action, Hit
from devportal.differ.rules.rows import row
from devportal.differ.verdict import Verdict

_LEVELS = (Stability.STABLE, Stability.BETA)
_WAIVER = "a promise taken back may hurt, one that is made does not"


def _value_lowered(pair: SchemaPair) -> Iterator[Hit]:
    for value in _values_between(pair.old, pair.new):
        yield Hit(keyword="enum", old=value, levels=_LEVELS, stability=Stability.STABLE)


def _value_raised(pair: SchemaPair) -> Iterator[Hit]:
    for value in _values_between(pair.new, pair.old):
        yield Hit(keyword="enum", new=value, levels=_LEVELS[::-1], stability=Stability.STABLE)


def _keyword_lowered(pair: SchemaPair) -> Iterator[Hit]:
    for keyword in _keywords_between(pair.old, pair.new):
        yield Hit(keyword=keyword, old=keyword, levels=_LEVELS, stability=Stability.STABLE)


def _keyword_raised(pair: SchemaPair) -> Iterator[Hit]:
    for keyword in _keywords_between(pair.new, pair.old):
        yield Hit(keyword=keyword, new=keyword, levels=_LEVELS[::-1], stability=Stability.STABLE)


def _values_between(firm: Form, loose: Form) -> Iterator[object]:
    """Yield the values that both sides list, and that only the second one calls beta."""
    listed = {canonical(value) for value in firm.values or ()}
    listed &= {canonical(value) for value in loose.values or ()}
    beta = {canonical(value) for part in firm.parts for value in part.beta_values}
    for part in loose.parts:
        for value in part.beta_values:
            if canonical(value) in listed - beta:
                beta.add(canonical(value))
                yield value


def _keywords_between(firm: Form, loose: Form) -> Iterator[str]:
    """Yield the keywords that both sides have, and that only the second one calls beta."""
    beta = {keyword for part in firm.parts for keyword in part.beta_keywords}
    for part in loose.parts:
        for keyword in part.beta_keywords:
            if keyword not in beta and _has(firm, keyword) and _has(loose, keyword):
                beta.add(keyword)
                yield keyword


def _has(form: Form, keyword: str) -> bool:
    if keyword == "format":
        return any(part.format for part in form.parts)
    if keyword == "enum":
        return form.values is not None
    return any(one.keyword == keyword for part in form.parts for one in part.constraints)


PROMISE_RULES = (
    row(
        "schema.value.stability.lowered",
        Action.NARROWED,
        (Verdict.RISKY, Verdict.RISKY),
        "the value {old} was stable and is only beta now",
        _value_lowered,
        mirror="schema.value.stability.raised",
        waiver=_WAIVER,
        is_softened=False,
    ),
    row(
        "schema.value.stability.raised",
        Action.WIDENED,
        (Verdict.COMPATIBLE, Verdict.COMPATIBLE),
        "the value {new} was beta and is stable now",
        _value_raised,
        mirror="schema.value.stability.lowered",
        waiver=_WAIVER,
        is_softened=False,
    ),
    row(
        "schema.keyword.stability.lowered",
        Action.NARROWED,
        (Verdict.RISKY, Verdict.RISKY),
        "{old} was stable and is only beta now",
        _keyword_lowered,
        mirror="schema.keyword.stability.raised",
        waiver=_WAIVER,
        is_softened=False,
    ),
    row(
        "schema.keyword.stability.raised",
        Action.WIDENED,
        (Verdict.COMPATIBLE, Verdict.COMPATIBLE),
        "{new} was beta and is stable now",
        _keyword_raised,
        mirror="schema.keyword.stability.lowered",
        waiver=_WAIVER,
        is_softened=False,
    ),
)
