"""Rules for the stability of single values and keywords of a schema (decision 0011).

A value or keyword that is marked as beta can be removed later without breaking anyone, so the mark itself is
a change.
"""

from collections.abc import Iterator

from devportal.contract import Stability
from devportal.differ.normalise.all_of import canonical_json
from devportal.differ.normalise.forms import NormalSchema
from devportal.differ.rule import Action, FoundChange, Verdict
from devportal.differ.rules.rows import schema_rule
from devportal.differ.schemas.pair import SchemaPair
from devportal.translation import gettext_noop

_LEVELS = (Stability.STABLE, Stability.BETA)
_WAIVER = "a promise taken back may hurt, one that is made does not"


def _value_stability_lowered(pair: SchemaPair) -> Iterator[FoundChange]:
    for value in _values_beta_only_in(pair.old, pair.new):
        yield FoundChange(keyword="enum", old=value, levels=_LEVELS, stability=Stability.STABLE)


def _value_stability_raised(pair: SchemaPair) -> Iterator[FoundChange]:
    for value in _values_beta_only_in(pair.new, pair.old):
        yield FoundChange(keyword="enum", new=value, levels=_LEVELS[::-1], stability=Stability.STABLE)


def _keyword_stability_lowered(pair: SchemaPair) -> Iterator[FoundChange]:
    for keyword in _keywords_beta_only_in(pair.old, pair.new):
        yield FoundChange(keyword=keyword, old=keyword, levels=_LEVELS, stability=Stability.STABLE)


def _keyword_stability_raised(pair: SchemaPair) -> Iterator[FoundChange]:
    for keyword in _keywords_beta_only_in(pair.new, pair.old):
        yield FoundChange(keyword=keyword, new=keyword, levels=_LEVELS[::-1], stability=Stability.STABLE)


def _values_beta_only_in(other_form: NormalSchema, beta_form: NormalSchema) -> Iterator[object]:
    """Yield the values that both sides list, and that only the second one calls beta."""
    listed = {canonical_json(value) for value in other_form.values or ()}
    listed &= {canonical_json(value) for value in beta_form.values or ()}
    beta = {canonical_json(value) for part in other_form.parts for value in part.beta_values}
    for part in beta_form.parts:
        for value in part.beta_values:
            if canonical_json(value) in listed - beta:
                beta.add(canonical_json(value))
                yield value


def _keywords_beta_only_in(other_form: NormalSchema, beta_form: NormalSchema) -> Iterator[str]:
    """Yield the keywords that both sides have, and that only the second one calls beta."""
    beta = {keyword for part in other_form.parts for keyword in part.beta_keywords}
    for part in beta_form.parts:
        for keyword in part.beta_keywords:
            if keyword not in beta and _has_keyword(other_form, keyword) and _has_keyword(beta_form, keyword):
                beta.add(keyword)
                yield keyword


def _has_keyword(form: NormalSchema, keyword: str) -> bool:
    if keyword == "format":
        return any(part.format for part in form.parts)
    if keyword == "enum":
        return form.values is not None
    return any(constraint.keyword == keyword for part in form.parts for constraint in part.constraints)


PROMISE_RULES = (
    schema_rule(
        "schema.value.stability.lowered",
        Action.NARROWED,
        (Verdict.RISKY, Verdict.RISKY),
        gettext_noop("the value %(old)s was stable and is now beta"),
        _value_stability_lowered,
        mirror="schema.value.stability.raised",
        waiver=_WAIVER,
        is_softened=False,
    ),
    schema_rule(
        "schema.value.stability.raised",
        Action.WIDENED,
        (Verdict.COMPATIBLE, Verdict.COMPATIBLE),
        gettext_noop("the value %(new)s was beta and is now stable"),
        _value_stability_raised,
        mirror="schema.value.stability.lowered",
        waiver=_WAIVER,
        is_softened=False,
    ),
    schema_rule(
        "schema.keyword.stability.lowered",
        Action.NARROWED,
        (Verdict.RISKY, Verdict.RISKY),
        gettext_noop("%(old)s was stable and is now beta"),
        _keyword_stability_lowered,
        mirror="schema.keyword.stability.raised",
        waiver=_WAIVER,
        is_softened=False,
    ),
    schema_rule(
        "schema.keyword.stability.raised",
        Action.WIDENED,
        (Verdict.COMPATIBLE, Verdict.COMPATIBLE),
        gettext_noop("%(new)s was beta and is now stable"),
        _keyword_stability_raised,
        mirror="schema.keyword.stability.lowered",
        waiver=_WAIVER,
        is_softened=False,
    ),
)
