"""Rules of parameters that both contracts have: whether they are needed, and how they are written."""

from collections.abc import Iterator
from functools import partial

from devportal.contract import ABSENT, In, Parameter
from devportal.differ.examples import told
from devportal.differ.merging import canonical
from devportal.differ.parameter_pair import ParameterPair
from devportal.differ.rule import Action, Area, Hit, Rule
from devportal.differ.serialisation import prints_alike
from devportal.differ.verdict import Verdict

_B, _R, _C, _N = Verdict.BREAKING, Verdict.RISKY, Verdict.COMPATIBLE, Verdict.DOCUMENTATION


def _became_required(pair: ParameterPair) -> Iterator[Hit]:
    if pair.new.required and not pair.old.required:
        yield _hit(pair, hint="send it with every request")


def _became_optional(pair: ParameterPair) -> Iterator[Hit]:
    if pair.old.required and not pair.new.required:
        yield _hit(pair)


def _style_changed(pair: ParameterPair) -> Iterator[Hit]:
    if pair.old.style != pair.new.style and not _is_written_alike(pair):
        yield _hit(pair, old=pair.old.style, new=pair.new.style)


def _explode_changed(pair: ParameterPair) -> Iterator[Hit]:
    if pair.old.style == pair.new.style and not _is_written_alike(pair):
        yield _hit(pair, old=pair.old.explode, new=pair.new.explode)


def _is_written_alike(pair: ParameterPair) -> bool:
    """Say whether style and explode make no difference, or none that another rule does not tell."""
    if pair.is_in_content or pair.becomes_array or pair.becomes_scalar:
        return True
    return prints_alike(
        pair.kinds,
        pair.old.style,
        pair.new.style,
        old_explode=pair.old.explode,
        new_explode=pair.new.explode,
    )


def _reserved(pair: ParameterPair, *, is_on: bool) -> Iterator[Hit]:
    """Reserved characters and empty values are a matter of the query alone (OAS 3.0.3 §4.7.12.2)."""
    old, new = pair.old.allow_reserved, pair.new.allow_reserved
    if pair.old.location_in is In.QUERY and old is not new and new is is_on:
        yield _hit(pair, old=old, new=new)


def _empty(pair: ParameterPair, *, is_on: bool) -> Iterator[Hit]:
    old, new = pair.old.allow_empty, pair.new.allow_empty
    if pair.old.location_in is In.QUERY and old is not new and new is is_on:
        yield _hit(pair, old=old, new=new)


def _schema_to_content(pair: ParameterPair) -> Iterator[Hit]:
    if pair.changes_notation:
        yield _hit(pair, old=_notation(pair.old), new=_notation(pair.new))


def _notation(parameter: Parameter) -> str:
    return parameter.content.name if parameter.content is not None else f"style {parameter.style}"


def _scalar_to_array(pair: ParameterPair) -> Iterator[Hit]:
    if not pair.becomes_array:
        return
    is_safe = pair.is_scalar_an_item
    yield _hit(
        pair,
        old=pair.old_described,
        new=pair.new_described,
        verdict=_C if is_safe and not pair.operation.is_event else None,
        reason="a single value is a list of one" if is_safe else "",
    )


def _array_to_scalar(pair: ParameterPair) -> Iterator[Hit]:
    if pair.becomes_scalar:
        yield _hit(pair, old=pair.old_described, new=pair.new_described)


def _text_widened(pair: ParameterPair) -> Iterator[Hit]:
    if pair.becomes_text:
        yield _hit(pair, old=pair.old_described, new=pair.new_described)


def _default_changed(pair: ParameterPair) -> Iterator[Hit]:
    if pair.old.required or pair.new.required or pair.changes_notation:
        return
    old, new = pair.old_form.default, pair.new_form.default
    if _as_sent(old, pair) != _as_sent(new, pair):
        verdict = None if pair.operation.is_event else pair.operation.policy.default_change
        yield _hit(pair, old=old, new=new, verdict=verdict, hint="send the value that you rely on")


def _as_sent(default: object, pair: ParameterPair) -> str | None:
    """Return a default as it would be sent: where values are text, 1 and "1" are the same."""
    if default is ABSENT:
        return None
    is_plain = pair.position.is_text and isinstance(default, str)
    return str(default) if is_plain else canonical(default)


def _text_changed(pair: ParameterPair) -> Iterator[Hit]:
    if _texts(pair.old) != _texts(pair.new):
        yield _hit(pair)


def _texts(parameter: Parameter) -> tuple[object, ...]:
    content = parameter.content.examples if parameter.content is not None else ()
    return parameter.description, parameter.successor, told(parameter.examples), told(content)


def _hit(
    pair: ParameterPair,
    *,
    old: object = ABSENT,
    new: object = ABSENT,
    verdict: Verdict | None = None,
    reason: str = "",
    hint: str = "",
) -> Hit:
    return Hit(
        old=old,
        new=new,
        old_location=pair.old.location,
        new_location=pair.new.location,
        verdict=verdict,
        reason=reason,
        hint=hint,
        names={"name": pair.new.name, "place": pair.new.location_in.value},
    )


PARAMETER_RULES: tuple[Rule[ParameterPair], ...] = (
    Rule(
        id="param.became-required",
        area=Area.PARAMETER,
        action=Action.NARROWED,
        to_provider=_B,
        to_consumer=_C,
        says="the {place} parameter {name} has to be sent",
        find=_became_required,
        mirror="param.became-optional",
    ),
    Rule(
        id="param.became-optional",
        area=Area.PARAMETER,
        action=Action.WIDENED,
        to_provider=_C,
        to_consumer=_B,
        says="the {place} parameter {name} may be left out",
        find=_became_optional,
        mirror="param.became-required",
    ),
    Rule(
        id="param.style.changed",
        area=Area.PARAMETER,
        action=Action.CHANGED,
        to_provider=_B,
        to_consumer=_B,
        says="the {place} parameter {name} is written in the style {new} instead of {old}",
        find=_style_changed,
    ),
    Rule(
        id="param.explode.changed",
        area=Area.PARAMETER,
        action=Action.CHANGED,
        to_provider=_B,
        to_consumer=_B,
        says="explode of the {place} parameter {name} is {new} instead of {old}",
        find=_explode_changed,
    ),
    Rule(
        id="param.allow-reserved.on",
        area=Area.PARAMETER,
        action=Action.WIDENED,
        to_provider=_C,
        to_consumer=_B,
        says="the {place} parameter {name} may hold reserved characters as they are",
        find=partial(_reserved, is_on=True),
        mirror="param.allow-reserved.off",
    ),
    Rule(
        id="param.allow-reserved.off",
        area=Area.PARAMETER,
        action=Action.NARROWED,
        to_provider=_B,
        to_consumer=_C,
        says="the {place} parameter {name} may no longer hold reserved characters as they are",
        find=partial(_reserved, is_on=False),
        mirror="param.allow-reserved.on",
    ),
    Rule(
        id="param.allow-empty.on",
        area=Area.PARAMETER,
        action=Action.WIDENED,
        to_provider=_C,
        to_consumer=_B,
        says="the {place} parameter {name} may be empty",
        find=partial(_empty, is_on=True),
        mirror="param.allow-empty.off",
    ),
    Rule(
        id="param.allow-empty.off",
        area=Area.PARAMETER,
        action=Action.NARROWED,
        to_provider=_B,
        to_consumer=_C,
        says="the {place} parameter {name} may no longer be empty",
        find=partial(_empty, is_on=False),
        mirror="param.allow-empty.on",
    ),
    Rule(
        id="param.schema-to-content",
        area=Area.PARAMETER,
        action=Action.CHANGED,
        to_provider=_B,
        to_consumer=_B,
        says="the {place} parameter {name} is written as {new} instead of {old}",
        find=_schema_to_content,
    ),
    Rule(
        id="param.scalar-to-array",
        area=Area.PARAMETER,
        action=Action.CHANGED,
        to_provider=_B,
        to_consumer=_B,
        says="the {place} parameter {name} takes a list: {new} instead of {old}",
        find=_scalar_to_array,
        mirror="param.array-to-scalar",
    ),
    Rule(
        id="param.array-to-scalar",
        area=Area.PARAMETER,
        action=Action.CHANGED,
        to_provider=_B,
        to_consumer=_B,
        says="the {place} parameter {name} takes a single value: {new} instead of {old}",
        find=_array_to_scalar,
        mirror="param.scalar-to-array",
    ),
    Rule(
        id="param.text-widened",
        area=Area.PARAMETER,
        action=Action.WIDENED,
        to_provider=_C,
        to_consumer=_B,
        says="the {place} parameter {name} is text: {new} instead of {old}",
        find=_text_widened,
        waiver="numbers in the place of texts are a change of the schema, which its own rule tells",
    ),
    Rule(
        id="param.default.changed",
        area=Area.PARAMETER,
        action=Action.CHANGED,
        to_provider=_R,
        to_consumer=_C,
        says="the value of the {place} parameter {name} where none is sent is {new} instead of {old}",
        find=_default_changed,
        waiver="who sends nothing relies on the default of the provider, who receives a value relies on none",
    ),
    Rule(
        id="param.text.changed",
        area=Area.PARAMETER,
        action=Action.CHANGED,
        to_provider=_N,
        to_consumer=_N,
        says="the {place} parameter {name} is described differently",
        find=_text_changed,
    ),
)
