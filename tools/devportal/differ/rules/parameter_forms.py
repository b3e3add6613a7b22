"""Rules of parameters that both contracts have: whether they are needed, and how they are written."""

from collections.abc import Iterator
from functools import partial

from devportal.contract import Parameter, ParameterLocation
from devportal.differ.pairs.parameter_pair import (
    ParameterPair,
    may_be_percent_encoded,
    may_have_reserved_characters,
    serialise_alike,
)
from devportal.differ.pairs.written_examples import rewritten_example, write_parameter
from devportal.differ.phrase import phrase
from devportal.differ.rule import Action, Area, FoundChange, Rule, Verdict
from devportal.differ.rules.parameter_changes import change_of_parameter, parameter_names
from devportal.differ.rules.part_changes import change_between, edited_texts
from devportal.differ.schemas.text_changes import comparable_examples
from devportal.translation import gettext_noop

_B, _C, _N = Verdict.BREAKING, Verdict.COMPATIBLE, Verdict.DOCUMENTATION


def _became_required(pair: ParameterPair) -> Iterator[FoundChange]:
    if pair.new.required and not pair.old.required:
        hint = "" if pair.operation.is_event else phrase("send it with every request")
        yield change_of_parameter(pair, hint=hint)


def _became_optional(pair: ParameterPair) -> Iterator[FoundChange]:
    if pair.old.required and not pair.new.required:
        yield change_of_parameter(pair)


def _style_changed(pair: ParameterPair) -> Iterator[FoundChange]:
    if pair.old.style != pair.new.style and not _is_written_alike(pair):
        reason = _example_of_rewriting(pair)
        yield change_of_parameter(pair, old=pair.old.style, new=pair.new.style, reason=reason)


def _explode_changed(pair: ParameterPair) -> Iterator[FoundChange]:
    is_changed = pair.old.style == pair.new.style and pair.old.explode is not pair.new.explode
    if is_changed and not _is_written_alike(pair):
        reason = _example_of_rewriting(pair)
        yield change_of_parameter(pair, old=pair.old.explode, new=pair.new.explode, reason=reason)


def _example_of_rewriting(pair: ParameterPair) -> str:
    return rewritten_example(
        pair.kinds, partial(write_parameter, pair.old), partial(write_parameter, pair.new)
    )


def _is_written_alike(pair: ParameterPair) -> bool:
    """Return whether style and explode make no difference, or only one that another rule finds."""
    if pair.is_in_content or pair.becomes_array or pair.becomes_scalar:
        return True
    if {pair.old.style, pair.new.style} == {"form", "cookie"}:
        # the value of a cookie is the same in both unless percent-encoded (OAS 3.2.0 §4.12.2.2)
        return not (may_be_percent_encoded(pair.old_form) and may_be_percent_encoded(pair.new_form))
    return serialise_alike(
        pair.kinds,
        pair.old.style,
        pair.new.style,
        old_explode=pair.old.explode,
        new_explode=pair.new.explode,
    )


def _allow_reserved_changed(pair: ParameterPair, *, is_on: bool) -> Iterator[FoundChange]:
    old, new = pair.old.allow_reserved, pair.new.allow_reserved
    if old is new or new is not is_on or not pair.may_allow_reserved:
        return
    is_idle = not (
        may_have_reserved_characters(pair.old_form) and may_have_reserved_characters(pair.new_form)
    )
    yield change_of_parameter(
        pair,
        old=old,
        new=new,
        verdict=_N if is_idle else None,
        reason=phrase("no value has reserved characters") if is_idle else "",
    )


def _allow_empty_changed(pair: ParameterPair, *, is_on: bool) -> Iterator[FoundChange]:
    """Empty values are a matter of the query alone (OAS 3.0.3 §4.7.12.2)."""
    old, new = pair.old.allow_empty, pair.new.allow_empty
    if pair.old.location_in is ParameterLocation.QUERY and old is not new and new is is_on:
        yield change_of_parameter(pair, old=old, new=new)


def _schema_to_content(pair: ParameterPair) -> Iterator[FoundChange]:
    if pair.changes_notation:
        yield change_of_parameter(
            pair,
            old=_notation_name(pair.old),
            new=_notation_name(pair.new),
            verdict=_C if pair.keeps_content else None,
            reason=phrase("the text holds the same values") if pair.keeps_content else "",
        )


def _notation_name(parameter: Parameter) -> str:
    if parameter.content is not None:
        return parameter.content.name
    return phrase("style %(style)s", style=parameter.style)


def _path_parameter_described(pair: ParameterPair) -> Iterator[FoundChange]:
    if pair.is_described_after and not pair.is_described_before:
        yield change_of_parameter(pair)


def _path_parameter_undescribed(pair: ParameterPair) -> Iterator[FoundChange]:
    if pair.is_described_before and not pair.is_described_after:
        yield change_of_parameter(pair)


def _text_changed(pair: ParameterPair) -> Iterator[FoundChange]:
    is_described = pair.is_described_before and pair.is_described_after
    texts = edited_texts(_texts(pair.old), _texts(pair.new)) if is_described else ""
    if texts:
        yield change_between(pair.old, pair.new, names={**parameter_names(pair.new), "texts": texts})


def _texts(parameter: Parameter) -> dict[str, object]:
    content = parameter.content.examples if parameter.content is not None else ()
    return {
        phrase("description"): parameter.description,
        phrase("successor"): parameter.successor,
        phrase("examples"): comparable_examples((*parameter.examples, *content)),
    }


PARAMETER_RULES: tuple[Rule[ParameterPair], ...] = (
    Rule(
        id="param.became-required",
        area=Area.PARAMETER,
        action=Action.NARROWED,
        to_provider=_B,
        to_consumer=_C,
        says=gettext_noop("the %(place)s parameter %(name)s is now required"),
        find=_became_required,
        mirror="param.became-optional",
    ),
    Rule(
        id="param.became-optional",
        area=Area.PARAMETER,
        action=Action.WIDENED,
        to_provider=_C,
        to_consumer=_B,
        says=gettext_noop("the %(place)s parameter %(name)s is now optional"),
        find=_became_optional,
        mirror="param.became-required",
    ),
    Rule(
        id="param.style.changed",
        area=Area.PARAMETER,
        action=Action.CHANGED,
        to_provider=_B,
        to_consumer=_B,
        says=gettext_noop("the style of the %(place)s parameter %(name)s is %(new)s instead of %(old)s"),
        find=_style_changed,
    ),
    Rule(
        id="param.explode.changed",
        area=Area.PARAMETER,
        action=Action.CHANGED,
        to_provider=_B,
        to_consumer=_B,
        says=gettext_noop("explode of the %(place)s parameter %(name)s is %(new)s instead of %(old)s"),
        find=_explode_changed,
    ),
    Rule(
        id="param.allow-reserved.on",
        area=Area.PARAMETER,
        action=Action.WIDENED,
        to_provider=_C,
        to_consumer=_B,
        says=gettext_noop(
            "the %(place)s parameter %(name)s can now contain reserved characters without encoding"
        ),
        find=partial(_allow_reserved_changed, is_on=True),
        mirror="param.allow-reserved.off",
    ),
    Rule(
        id="param.allow-reserved.off",
        area=Area.PARAMETER,
        action=Action.NARROWED,
        to_provider=_B,
        to_consumer=_C,
        says=gettext_noop(
            "the %(place)s parameter %(name)s can no longer contain reserved characters without encoding"
        ),
        find=partial(_allow_reserved_changed, is_on=False),
        mirror="param.allow-reserved.on",
    ),
    Rule(
        id="param.allow-empty.on",
        area=Area.PARAMETER,
        action=Action.WIDENED,
        to_provider=_C,
        to_consumer=_B,
        says=gettext_noop("the %(place)s parameter %(name)s can now be empty"),
        find=partial(_allow_empty_changed, is_on=True),
        mirror="param.allow-empty.off",
    ),
    Rule(
        id="param.allow-empty.off",
        area=Area.PARAMETER,
        action=Action.NARROWED,
        to_provider=_B,
        to_consumer=_C,
        says=gettext_noop("the %(place)s parameter %(name)s can no longer be empty"),
        find=partial(_allow_empty_changed, is_on=False),
        mirror="param.allow-empty.on",
    ),
    Rule(
        id="param.schema-to-content",
        area=Area.PARAMETER,
        action=Action.CHANGED,
        to_provider=_B,
        to_consumer=_B,
        says=gettext_noop("the %(place)s parameter %(name)s is now serialised as %(new)s instead of %(old)s"),
        find=_schema_to_content,
    ),
    Rule(
        id="param.path.described",
        area=Area.PARAMETER,
        action=Action.ADDED,
        to_provider=_N,
        to_consumer=_N,
        says=gettext_noop("the path parameter %(name)s, which could be any text, is now declared"),
        find=_path_parameter_described,
        mirror="param.path.undescribed",
    ),
    Rule(
        id="param.path.undescribed",
        area=Area.PARAMETER,
        action=Action.REMOVED,
        to_provider=_N,
        to_consumer=_N,
        says=gettext_noop("the path parameter %(name)s is no longer declared, so it can be any text"),
        find=_path_parameter_undescribed,
        mirror="param.path.described",
    ),
    Rule(
        id="param.text.changed",
        area=Area.PARAMETER,
        action=Action.CHANGED,
        to_provider=_N,
        to_consumer=_N,
        says=gettext_noop("the documentation of the %(place)s parameter %(name)s is changed (%(texts)s)"),
        find=_text_changed,
    ),
)
