"""Rules of schemas for texts: lengths, patterns and encoded content (JSON Schema Validation §6.3, §8)."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from devportal.contract import ABSENT
from devportal.differ.normalise.forms import NormalSchema
from devportal.differ.patterns.pattern_relations import PatternRelation, pattern_relation
from devportal.differ.phrase import phrase
from devportal.differ.rule import Action, FoundChange, Verdict, quote_value
from devportal.differ.rules.counts import (
    maximum_count_lowered,
    maximum_count_raised,
    minimum_count_lowered,
    minimum_count_raised,
)
from devportal.differ.rules.rows import Find, narrowing_rule, schema_rule, widening_rule
from devportal.differ.schemas.effective_keywords import has_effective_constraints, type_applies
from devportal.differ.schemas.format_changes import content_besides_encoding, is_format_respelled
from devportal.differ.schemas.number_texts import patterns_as_text
from devportal.differ.schemas.pair import SchemaPair
from devportal.translation import gettext_noop

_B, _R, _C = Verdict.BREAKING, Verdict.RISKY, Verdict.COMPATIBLE


def _only_for_strings(find: Find) -> Find:
    """Return a decorator that limits a rule to texts that are not listed by an enum."""

    def find_for_strings(pair: SchemaPair) -> Iterator[FoundChange]:
        return (change for change in find(pair) if has_effective_constraints(pair, "string"))

    return find_for_strings


def _pattern_set(pair: SchemaPair) -> Iterator[FoundChange]:
    old, new = _one_sided_patterns(pair)
    for pattern in new[len(old) :]:
        if not _is_implied(pattern, _all_patterns(pair, pair.old)):
            hint = phrase("check texts before they are sent") if pair.is_sent else ""
            yield FoundChange(keyword="pattern", new=pattern, hint=hint)


def _pattern_unset(pair: SchemaPair) -> Iterator[FoundChange]:
    old, new = _one_sided_patterns(pair)
    others = pair.new.patterns if pair.is_sent else _all_patterns(pair, pair.new)
    for pattern in old[len(new) :]:
        if not _is_implied(pattern, others):
            yield FoundChange(keyword="pattern", old=pattern)


def _pattern_changed(pair: SchemaPair) -> Iterator[FoundChange]:
    for old, new in zip(*_one_sided_patterns(pair), strict=False):
        match pattern_relation(old, new):
            case PatternRelation.WIDER:
                verdict, reason = (
                    (_C if pair.is_sent else _B),
                    phrase("each text that matched still does, and more"),
                )
            case PatternRelation.NARROWER:
                verdict, reason = (
                    (_B if pair.is_sent else _C),
                    phrase("only some of the texts that matched still do"),
                )
            case PatternRelation.DISJOINT:
                verdict, reason = _B, phrase("none of the texts that matched still does")
            case PatternRelation.UNKNOWN:
                verdict, reason = _R, phrase("neither is shown to match all that the other does")
            case PatternRelation.SAME:
                continue
        yield FoundChange(keyword="pattern", old=old, new=new, verdict=verdict, reason=reason)


def _one_sided_patterns(pair: SchemaPair) -> tuple[Sequence[str], Sequence[str]]:
    """Return the patterns that only one side has."""
    if not has_effective_constraints(pair, "string"):
        return (), ()
    old, new = pair.old.patterns, pair.new.patterns
    return sorted(old - new), sorted(new - old)


def _all_patterns(pair: SchemaPair, form: NormalSchema) -> frozenset[str]:
    """Return what each text of a form matches: its patterns, and the texts that numbers and truth values are."""
    return form.patterns | (patterns_as_text(form) if pair.position.is_text else frozenset())


def _is_implied(pattern: str, others: frozenset[str]) -> bool:
    """Say whether a pattern is shown to match whatever one of others does."""
    return any(
        pattern_relation(other, pattern) in (PatternRelation.SAME, PatternRelation.WIDER) for other in others
    )


def _content_changed(pair: SchemaPair) -> Iterator[FoundChange]:
    old, new = (dict(content_besides_encoding(form, pair.position)) for form in (pair.old, pair.new))
    if old == new or not type_applies(pair, "string") or is_format_respelled(pair):
        return
    keywords = [key for key in _CONTENT_SENTENCES if old.get(key, "") != new.get(key, "")]
    found = FoundChange(keyword=keywords[0], old=old or ABSENT, new=new or ABSENT)
    if len(keywords) == 1:
        names = {
            side: quote_value(values.get(keywords[0], ABSENT))
            for side, values in (("old", old), ("new", new))
        }
        found = replace(found, says=_CONTENT_SENTENCES[keywords[0]], names=names)
    yield found


_CONTENT_SENTENCES = {
    "contentEncoding": gettext_noop("contentEncoding is changed from %(old)s to %(new)s"),
    "contentMediaType": gettext_noop("contentMediaType is changed from %(old)s to %(new)s"),
}


def _content_schema_set(pair: SchemaPair) -> Iterator[FoundChange]:
    if _has_content_schema(pair) == (False, True):
        yield FoundChange(keyword="contentSchema")


def _content_schema_unset(pair: SchemaPair) -> Iterator[FoundChange]:
    if _has_content_schema(pair) == (True, False):
        yield FoundChange(keyword="contentSchema")


def _has_content_schema(pair: SchemaPair) -> tuple[bool, bool]:
    return "contentSchema" in pair.old.others, "contentSchema" in pair.new.others


_WAIVER = "few receivers check a pattern: texts that do not match are a risk for them, not a certain failure"

STRING_RULES = (
    narrowing_rule(
        "schema.min-length.raised",
        gettext_noop("minLength is raised from %(old)s to %(new)s"),
        _only_for_strings(minimum_count_raised("minLength")),
        mirror="schema.min-length.lowered",
    ),
    widening_rule(
        "schema.min-length.lowered",
        gettext_noop("minLength is lowered from %(old)s to %(new)s"),
        _only_for_strings(minimum_count_lowered("minLength")),
        mirror="schema.min-length.raised",
    ),
    narrowing_rule(
        "schema.max-length.lowered",
        gettext_noop("maxLength is lowered from %(old)s to %(new)s"),
        _only_for_strings(maximum_count_lowered("maxLength")),
        mirror="schema.max-length.raised",
    ),
    widening_rule(
        "schema.max-length.raised",
        gettext_noop("maxLength is raised from %(old)s to %(new)s"),
        _only_for_strings(maximum_count_raised("maxLength")),
        mirror="schema.max-length.lowered",
    ),
    narrowing_rule(
        "schema.pattern.set",
        gettext_noop("the pattern %(new)s is added"),
        _pattern_set,
        mirror="schema.pattern.unset",
        waiver=_WAIVER,
    ),
    schema_rule(
        "schema.pattern.unset",
        Action.WIDENED,
        (_C, _R),
        gettext_noop("the pattern %(old)s is removed"),
        _pattern_unset,
        mirror="schema.pattern.set",
        waiver=_WAIVER,
    ),
    schema_rule(
        "schema.pattern.changed",
        Action.CHANGED,
        (_R, _R),
        gettext_noop("the pattern is changed from %(old)s to %(new)s"),
        _pattern_changed,
    ),
    schema_rule(
        "schema.content-encoding.changed",
        Action.CHANGED,
        (_B, _B),
        gettext_noop("the content of the string is %(new)s instead of %(old)s"),
        _content_changed,
    ),
    narrowing_rule(
        "schema.content-schema.set",
        gettext_noop("contentSchema is added: the content of the string must match it"),
        _content_schema_set,
        mirror="schema.content-schema.unset",
    ),
    widening_rule(
        "schema.content-schema.unset",
        gettext_noop("contentSchema is removed: the content of the string can be anything"),
        _content_schema_unset,
        mirror="schema.content-schema.set",
    ),
)
