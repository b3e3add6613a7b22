"""Rules of the values of parameters: they are written as text, and may be left out."""

from collections.abc import Iterator

from devportal.contract import ABSENT
from devportal.differ.normalise.all_of import canonical_json
from devportal.differ.pairs.parameter_pair import ParameterPair
from devportal.differ.phrase import phrase
from devportal.differ.rule import Action, Area, FoundChange, Rule, Verdict
from devportal.differ.rules.parameter_changes import change_of_parameter
from devportal.translation import gettext_noop

_B, _R, _C = Verdict.BREAKING, Verdict.RISKY, Verdict.COMPATIBLE


def _scalar_to_array(pair: ParameterPair) -> Iterator[FoundChange]:
    if not pair.becomes_array:
        return
    is_safe = pair.is_scalar_an_item
    yield change_of_parameter(
        pair,
        old=pair.old_described,
        new=pair.new_described,
        verdict=_C if is_safe and not pair.operation.is_event else None,
        reason=phrase("a single value is a list of one") if is_safe else "",
    )


def _array_to_scalar(pair: ParameterPair) -> Iterator[FoundChange]:
    if not pair.becomes_scalar:
        return
    verdict, reason, hint = _verdict_of_single_value(pair)
    yield change_of_parameter(
        pair,
        old=pair.old_described,
        new=pair.new_described,
        verdict=verdict,
        reason=reason,
        hint=hint,
    )


def _verdict_of_single_value(pair: ParameterPair) -> tuple[Verdict | None, str, str]:
    """Return the verdict on a list that becomes a single value, why, and what to do; None for that of the rule."""
    if pair.operation.is_event:
        return None, "", ""
    if pair.is_item_a_scalar:
        return _C, phrase("a list never had more than one item"), ""
    if pair.is_list_one_text:
        reason = phrase("a list is still accepted, as one text with its delimiters")
        return _R, reason, phrase("check how the text is read now")
    return None, "", phrase("send a single value")


def _text_widened(pair: ParameterPair) -> Iterator[FoundChange]:
    if pair.becomes_text:
        verdict = None if pair.operation.is_event or pair.takes_every_text else _B
        yield change_of_parameter(pair, old=pair.old_described, new=pair.new_described, verdict=verdict)


def _default_changed(pair: ParameterPair) -> Iterator[FoundChange]:
    if pair.changes_notation:
        return
    is_used = not (pair.old.required or pair.new.required)
    old, new = pair.old_form.default, pair.new_form.default
    if _as_sent(old, pair) != _as_sent(new, pair):
        verdict = None if pair.operation.is_event else pair.operation.policy.default_change
        yield change_of_parameter(
            pair,
            old=old,
            new=new,
            verdict=verdict if is_used else Verdict.DOCUMENTATION,
            reason="" if is_used else _unused_reason(pair),
            hint=phrase("send the value that you rely on") if is_used and not pair.operation.is_event else "",
        )


def _unused_reason(pair: ParameterPair) -> str:
    if not pair.new.required:
        return phrase("a value was always sent until now, so nobody relies on the default")
    return phrase("a value is always sent, so the default is never used")


def _as_sent(default: object, pair: ParameterPair) -> str | None:
    """Return a default as it would be sent: where values are text, 1 and "1" are the same."""
    if default is ABSENT:
        return None
    is_plain = pair.position.is_text and isinstance(default, str)
    return str(default) if is_plain else canonical_json(default)


PARAMETER_VALUE_RULES: tuple[Rule[ParameterPair], ...] = (
    Rule(
        id="param.scalar-to-array",
        area=Area.PARAMETER,
        action=Action.CHANGED,
        to_provider=_B,
        to_consumer=_B,
        says=gettext_noop("the %(place)s parameter %(name)s is now an array: %(new)s instead of %(old)s"),
        find=_scalar_to_array,
        mirror="param.array-to-scalar",
    ),
    Rule(
        id="param.array-to-scalar",
        area=Area.PARAMETER,
        action=Action.CHANGED,
        to_provider=_B,
        to_consumer=_B,
        says=gettext_noop(
            "the %(place)s parameter %(name)s is now a single value: %(new)s instead of %(old)s"
        ),
        find=_array_to_scalar,
        mirror="param.scalar-to-array",
    ),
    Rule(
        id="param.text-widened",
        area=Area.PARAMETER,
        action=Action.WIDENED,
        to_provider=_C,
        to_consumer=_B,
        says=gettext_noop("the %(place)s parameter %(name)s is now a string: %(new)s instead of %(old)s"),
        find=_text_widened,
        waiver="numbers instead of texts are a change of the schema, which another rule reports",
    ),
    Rule(
        id="param.default.changed",
        area=Area.PARAMETER,
        action=Action.CHANGED,
        to_provider=_R,
        to_consumer=_C,
        says=gettext_noop(
            "the default of the %(place)s parameter %(name)s is changed from %(old)s to %(new)s"
        ),
        find=_default_changed,
        waiver="who sends nothing relies on the default of the provider, who receives a value relies on none",
    ),
)
