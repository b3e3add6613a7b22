"""Rules of parameters that came, went, or are called or placed differently."""

from collections.abc import Iterator

from devportal.contract import Parameter
from devportal.differ.parameter_pair import ParameterFate, ParameterFatePair
from devportal.differ.places import within
from devportal.differ.policy import UnknownInput
from devportal.differ.rule import Action, Area, Hit, Rule
from devportal.differ.rules.parameter_hits import parameter_names
from devportal.differ.verdict import Verdict

_B, _R, _C = Verdict.BREAKING, Verdict.RISKY, Verdict.COMPATIBLE
_UNREAD = "what its reference leads to cannot be read"


def _added_required(pair: ParameterFatePair) -> Iterator[Hit]:
    if pair.fate is ParameterFate.ADDED and pair.new is not None and pair.new.required:
        yield _added_hit(pair, pair.new, hint="send it with every request")


def _added_optional(pair: ParameterFatePair) -> Iterator[Hit]:
    if pair.fate is ParameterFate.ADDED and pair.new is not None and not pair.new.required:
        is_unread = bool(pair.new.broken)
        yield _added_hit(
            pair, pair.new, verdict=_R if is_unread else None, reason=_UNREAD if is_unread else ""
        )


def _path_added(pair: ParameterFatePair) -> Iterator[Hit]:
    if pair.fate is ParameterFate.PLACED and pair.new is not None:
        yield _added_hit(pair, pair.new, hint="put its value into the path")


def _removed(pair: ParameterFatePair) -> Iterator[Hit]:
    old = pair.old
    if pair.fate is not ParameterFate.REMOVED or old is None:
        return
    is_refused = pair.policy.unknown_input is UnknownInput.REJECTED
    yield Hit(
        old=_named(old),
        old_location=within(old.location, pair.operation.old.location),
        new_location=pair.operation.new.location,
        verdict=_B if is_refused else None,
        reason="unknown parameters are refused" if is_refused else "",
        hint="stop sending it",
        names=parameter_names(old),
    )


def _renamed(pair: ParameterFatePair) -> Iterator[Hit]:
    old, new = pair.old, pair.new
    if pair.fate is not ParameterFate.RENAMED or old is None or new is None:
        return
    is_needed = new.required or pair.policy.unknown_input is UnknownInput.REJECTED
    yield Hit(
        old=old.name,
        new=new.name,
        old_location=within(old.location, pair.operation.old.location),
        new_location=within(new.location, pair.operation.new.location),
        verdict=_B if is_needed else None,
        hint=f"send {new.name} instead of {old.name}",
        names=parameter_names(old),
    )


def _relocated(pair: ParameterFatePair) -> Iterator[Hit]:
    old, new = pair.old, pair.new
    if pair.fate is not ParameterFate.RELOCATED or old is None or new is None:
        return
    yield Hit(
        old=_named(old),
        new=_named(new),
        old_location=within(old.location, pair.operation.old.location),
        new_location=within(new.location, pair.operation.new.location),
        hint=f"send it in the {new.location_in.value}",
        names=parameter_names(old),
    )


def _added_hit(
    pair: ParameterFatePair,
    new: Parameter,
    *,
    verdict: Verdict | None = None,
    reason: str = "",
    hint: str = "",
) -> Hit:
    return Hit(
        new=_named(new),
        old_location=pair.operation.old.location,
        new_location=within(new.location, pair.operation.new.location),
        verdict=verdict,
        reason=reason,
        hint=hint,
        names=parameter_names(new),
    )


def _named(parameter: Parameter) -> str:
    return f"{parameter.location_in.value} parameter {parameter.name}"


_ADDED_FREELY = "what is removed may still be sent and ignored, and what is added may be left out"

PARAMETER_FATE_RULES: tuple[Rule[ParameterFatePair], ...] = (
    Rule(
        id="param.added.required",
        area=Area.PARAMETER,
        action=Action.ADDED,
        to_provider=_B,
        to_consumer=_C,
        says="the {place} parameter {name} is new and has to be sent",
        find=_added_required,
        mirror="param.removed",
        waiver=_ADDED_FREELY,
    ),
    Rule(
        id="param.added.optional",
        area=Area.PARAMETER,
        action=Action.ADDED,
        to_provider=_C,
        to_consumer=_C,
        says="the {place} parameter {name} is new and may be sent",
        find=_added_optional,
        mirror="param.removed",
        waiver=_ADDED_FREELY,
    ),
    Rule(
        id="param.path.added",
        area=Area.PARAMETER,
        action=Action.ADDED,
        to_provider=_B,
        to_consumer=_B,
        says="the path has the new parameter {name}",
        find=_path_added,
        waiver="without the parameter the path is another one, which its operation tells",
    ),
    Rule(
        id="param.removed",
        area=Area.PARAMETER,
        action=Action.REMOVED,
        to_provider=_R,
        to_consumer=_B,
        says="the {place} parameter {name} is gone",
        find=_removed,
        mirror="param.added.optional",
        waiver=_ADDED_FREELY,
    ),
    Rule(
        id="param.renamed",
        area=Area.PARAMETER,
        action=Action.CHANGED,
        to_provider=_R,
        to_consumer=_B,
        says="the {place} parameter {old} is called {new}",
        find=_renamed,
        waiver="a provider may ignore a name that it does not know, a receiver misses the one it reads",
    ),
    Rule(
        id="param.location.changed",
        area=Area.PARAMETER,
        action=Action.CHANGED,
        to_provider=_B,
        to_consumer=_B,
        says="the parameter {name} is moved: {old} has become {new}",
        find=_relocated,
    ),
)
