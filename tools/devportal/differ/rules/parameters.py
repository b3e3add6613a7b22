"""Rules of parameters that came, went, or are called or placed differently."""

from collections.abc import Iterator

from devportal.contract import Parameter, ParameterLocation
from devportal.differ.located_changes import location_or_parent
from devportal.differ.match.credential_parameters import scheme_of_each_request, scheme_of_parameter
from devportal.differ.pairs.parameter_pair import ParameterChange, ParameterChangeKind
from devportal.differ.pairs.query_names import (
    has_undefined_lists,
    names_now_needed,
    names_that_stay,
    names_that_take_less,
    names_that_were_there,
)
from devportal.differ.phrase import and_phrase, or_phrase, phrase
from devportal.differ.policy import UnknownInput
from devportal.differ.rule import Action, Area, FoundChange, Rule, Verdict, join_reasons, quote_value
from devportal.differ.rules.parameter_changes import parameter_names
from devportal.translation import gettext_noop

_B, _R, _C = Verdict.BREAKING, Verdict.RISKY, Verdict.COMPATIBLE
_UNDEFINED_LIST = phrase("OpenAPI does not define how to write an array within an object in a query")
_UNREADABLE = phrase("what its reference leads to cannot be read")


def _required_parameter_added(pair: ParameterChange) -> Iterator[FoundChange]:
    if pair.kind is not ParameterChangeKind.ADDED or pair.new is None or not pair.new.required:
        return
    names = names_that_were_there(pair)
    if names:
        reason = phrase(
            "each request already had %(names)s, as described by other parameters",
            names=and_phrase(map(quote_value, names)),
        )
        yield _added_parameter(pair, pair.new, verdict=_C, reason=reason)
        return
    operation = pair.operation
    scheme = scheme_of_each_request(operation.contracts.old, operation.old, pair.new)
    if scheme is not None and not operation.is_event:
        reason = phrase("each request already had it, as the security scheme %(name)s", name=scheme.name)
        yield _added_parameter(pair, pair.new, verdict=_C, reason=reason)
        return
    hint = "" if operation.is_event else phrase("send it with every request")
    yield _added_parameter(pair, pair.new, hint=hint)


def _optional_parameter_added(pair: ParameterChange) -> Iterator[FoundChange]:
    if pair.kind is ParameterChangeKind.ADDED and pair.new is not None and not pair.new.required:
        needed, others = names_now_needed(pair)
        if needed:
            reason = phrase(
                "a query with %(others)s must now have %(names)s",
                others=or_phrase(map(quote_value, others)),
                names=and_phrase(map(quote_value, needed)),
            )
            hint = phrase("send %(names)s", names=and_phrase(map(quote_value, needed)))
            yield _added_parameter(pair, pair.new, verdict=_B, reason=reason, hint=hint)
            return
        is_unread = bool(pair.new.broken)
        yield _added_parameter(
            pair, pair.new, verdict=_R if is_unread else None, reason=_UNREADABLE if is_unread else ""
        )


def _path_parameter_added(pair: ParameterChange) -> Iterator[FoundChange]:
    if pair.kind is ParameterChangeKind.PLACED and pair.new is not None:
        yield _added_parameter(pair, pair.new, hint=phrase("put its value into the path"))


def _parameter_removed(pair: ParameterChange) -> Iterator[FoundChange]:
    old = pair.old
    if pair.kind is not ParameterChangeKind.REMOVED or old is None:
        return
    is_event = pair.operation.is_event
    names = names_that_stay(pair)
    if names:
        reason = phrase(
            "%(names)s can still be sent, as described by other parameters",
            names=and_phrase(map(quote_value, names)),
        )
        is_undefined = has_undefined_lists(pair)
        yield _removed_parameter(
            pair,
            old,
            verdict=_R if is_undefined else _C,
            reason=join_reasons(reason, _UNDEFINED_LIST if is_undefined else ""),
        )
        return
    narrowed = names_that_take_less(pair)
    if narrowed:
        reason = phrase(
            "%(names)s can still be sent, but not with every value",
            names=and_phrase(map(quote_value, narrowed)),
        )
        hint = phrase("check which values are still accepted")
        yield _removed_parameter(pair, old, verdict=_B, reason=reason, hint=hint)
        return
    scheme = scheme_of_parameter(pair.operation.contracts.new, pair.operation.new, old)
    if scheme is not None and not is_event:
        reason = phrase("it is still sent, as the security scheme %(name)s", name=scheme.name)
        yield _removed_parameter(pair, old, verdict=_C, reason=reason)
        return
    is_refused = pair.policy.unknown_input is UnknownInput.REJECTED and not is_event
    yield _removed_parameter(
        pair,
        old,
        verdict=_B if is_refused else None,
        reason=join_reasons(
            pair.rename_reason, phrase("unknown parameters are rejected") if is_refused else ""
        ),
        hint=_removal_hint(pair.rename.new if pair.rename else "", is_event=is_event),
    )


def _removed_parameter(
    pair: ParameterChange, old: Parameter, *, verdict: Verdict | None, reason: str, hint: str = ""
) -> FoundChange:
    return FoundChange(
        old=_describe_parameter(old),
        old_location=location_or_parent(old.location, pair.operation.old.location),
        new_location=pair.operation.new.location,
        verdict=verdict,
        reason=reason,
        hint=hint,
        names=parameter_names(old),
    )


def _removal_hint(new_name: str, *, is_event: bool) -> str:
    """Return what to do about a removed parameter: the receivers of events read what callers of operations send."""
    if new_name:
        return (
            phrase("read %(name)s instead", name=new_name)
            if is_event
            else phrase("send %(name)s instead", name=new_name)
        )
    return phrase("stop reading it") if is_event else phrase("stop sending it")


def _parameter_relocated(pair: ParameterChange) -> Iterator[FoundChange]:
    old, new = pair.old, pair.new
    if pair.kind is not ParameterChangeKind.RELOCATED or old is None or new is None:
        return
    yield FoundChange(
        old=_describe_parameter(old),
        new=_describe_parameter(new),
        old_location=location_or_parent(old.location, pair.operation.old.location),
        new_location=location_or_parent(new.location, pair.operation.new.location),
        hint="" if pair.operation.is_event else _SENT_IN[new.location_in],
        names={"before": _describe_parameter(old), "now": _describe_parameter(new)},
    )


_SENT_IN = {
    ParameterLocation.PATH: phrase("send it in the path"),
    ParameterLocation.QUERY: phrase("send it in the query"),
    ParameterLocation.QUERYSTRING: phrase("send it in the querystring"),
    ParameterLocation.HEADER: phrase("send it in the header"),
    ParameterLocation.COOKIE: phrase("send it in the cookie"),
}


def _added_parameter(
    pair: ParameterChange,
    new: Parameter,
    *,
    verdict: Verdict | None = None,
    reason: str = "",
    hint: str = "",
) -> FoundChange:
    return FoundChange(
        new=_describe_parameter(new),
        old_location=pair.operation.old.location,
        new_location=location_or_parent(new.location, pair.operation.new.location),
        verdict=verdict,
        reason=join_reasons(pair.rename_reason, reason),
        hint="" if pair.operation.is_event else hint,
        names=parameter_names(new),
    )


def _describe_parameter(parameter: Parameter) -> str:
    return phrase("%(place)s parameter %(name)s", **parameter_names(parameter))


_WAIVER = "what is removed may still be sent and ignored, and what is added may be left out"

PARAMETER_CHANGE_RULES: tuple[Rule[ParameterChange], ...] = (
    Rule(
        id="param.added.required",
        area=Area.PARAMETER,
        action=Action.ADDED,
        to_provider=_B,
        to_consumer=_C,
        says=gettext_noop("the required %(place)s parameter %(name)s is added"),
        find=_required_parameter_added,
        mirror="param.removed",
        waiver=_WAIVER,
    ),
    Rule(
        id="param.added.optional",
        area=Area.PARAMETER,
        action=Action.ADDED,
        to_provider=_C,
        to_consumer=_C,
        says=gettext_noop("the optional %(place)s parameter %(name)s is added"),
        find=_optional_parameter_added,
        mirror="param.removed",
        waiver=_WAIVER,
    ),
    Rule(
        id="param.path.added",
        area=Area.PARAMETER,
        action=Action.ADDED,
        to_provider=_B,
        to_consumer=_B,
        says=gettext_noop("the path parameter %(name)s is added"),
        find=_path_parameter_added,
        waiver="without the parameter the path is a different one, which its operation reports",
    ),
    Rule(
        id="param.removed",
        area=Area.PARAMETER,
        action=Action.REMOVED,
        to_provider=_R,
        to_consumer=_B,
        says=gettext_noop("the %(place)s parameter %(name)s is removed"),
        find=_parameter_removed,
        mirror="param.added.optional",
        waiver=_WAIVER,
    ),
    Rule(
        id="param.location.changed",
        area=Area.PARAMETER,
        action=Action.CHANGED,
        to_provider=_B,
        to_consumer=_B,
        says=gettext_noop("the %(before)s is now the %(now)s"),
        find=_parameter_relocated,
    ),
)
