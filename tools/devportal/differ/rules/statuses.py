"""Rules of the statuses that responses are described for."""

from collections.abc import Iterator
from dataclasses import replace

from devportal.contract import Response
from devportal.differ.located_changes import location_or_parent
from devportal.differ.match.statuses import DEFAULT
from devportal.differ.pairs.content import ResponsesPair
from devportal.differ.phrase import phrase
from devportal.differ.rule import Action, Area, FoundChange, Rule, Verdict
from devportal.translation import gettext_noop

_B, _R, _C = Verdict.BREAKING, Verdict.RISKY, Verdict.COMPATIBLE
_NOT_MODIFIED = "304"
"""What callers get who ask with a precondition whether what they have is current (RFC 9110 §15.4.5)."""
_FOR_THE_AUTHORISED = frozenset({"401", "403"})


def _is_default(response: Response) -> bool:
    return response.status.upper() == DEFAULT


def _is_error(response: Response) -> bool:
    return not response.is_success and not _is_default(response)


def _success_removed(pair: ResponsesPair) -> Iterator[FoundChange]:
    for response in pair.matching.removed:
        if response.is_success:
            is_covered = response in pair.matching.covered
            change = _removed_status(pair, response)
            yield replace(change, verdict=_C, reason=_COVERED) if is_covered else change


def _success_added(pair: ResponsesPair) -> Iterator[FoundChange]:
    operation = pair.operation
    is_usual = len(operation.old.successes) > 1
    for response in pair.matching.added:
        if not response.is_success:
            continue
        if response in pair.matching.covered:
            yield _added_status(pair, response, verdict=_C, reason=_COVERED)
            continue
        verdict = _C if is_usual else operation.policy.success_status_added
        reason = (
            "" if is_usual or operation.is_event else phrase("a caller may expect the only status there was")
        )
        yield _added_status(pair, response, verdict=None if operation.is_event else verdict, reason=reason)


def _success_replaced(pair: ResponsesPair) -> Iterator[FoundChange]:
    for old, new in pair.matching.replaced:
        yield FoundChange(
            old=old.status,
            new=new.status,
            at=f"response.{old.status}",
            old_location=location_or_parent(old.location, pair.operation.old.location),
            new_location=location_or_parent(new.location, pair.operation.new.location),
            hint=phrase("return %(new)s instead of %(old)s", new=new.status, old=old.status)
            if pair.operation.is_event
            else phrase("expect %(new)s instead of %(old)s", new=new.status, old=old.status),
            stability=old.stability,
        )


def _range_narrowed(pair: ResponsesPair) -> Iterator[FoundChange]:
    for response, listed in pair.matching.narrowed:
        yield _range_change(pair, (response,), listed)


def _range_widened(pair: ResponsesPair) -> Iterator[FoundChange]:
    for response, listed in pair.matching.widened:
        yield _range_change(pair, listed, (response,))


def _range_change(pair: ResponsesPair, old: tuple[Response, ...], new: tuple[Response, ...]) -> FoundChange:
    """Return the change between a range and the statuses that are listed in it."""
    at = old[0] if len(old) == 1 else new[0]
    stabilities = {response.stability for response in old}
    return FoundChange(
        old=", ".join(response.status for response in old),
        new=", ".join(response.status for response in new),
        at=f"response.{at.status}",
        old_location=location_or_parent(old[0].location, pair.operation.old.location),
        new_location=location_or_parent(new[0].location, pair.operation.new.location),
        verdict=None if old[0].is_success else _C,
        stability=stabilities.pop() if len(stabilities) == 1 else None,
    )


def _error_removed(pair: ResponsesPair) -> Iterator[FoundChange]:
    for response in pair.matching.removed:
        if _is_error(response):
            is_unlike = pair.is_unlike_default(response, None)
            yield replace(
                _removed_status(pair, response),
                verdict=_R if is_unlike else None,
                reason=_unlike_default_reason(is_unlike=is_unlike),
            )


def _unlike_default_reason(*, is_unlike: bool) -> str:
    return phrase("its body is not that of the default response") if is_unlike else ""


def _error_added(pair: ResponsesPair) -> Iterator[FoundChange]:
    for response in pair.matching.added:
        if not _is_error(response):
            continue
        verdict, reason = None, ""
        if not pair.operation.is_event and response.status in _FOR_THE_AUTHORISED:
            verdict, reason = _R, phrase("callers may need credentials or rights that they did not need")
        elif not pair.operation.is_event and response.status == _NOT_MODIFIED:
            verdict, reason = _R, phrase("callers that send a precondition may get a response without a body")
        elif not pair.operation.is_event and response.status.startswith("3"):
            verdict, reason = _R, phrase("callers may have to follow a redirect")
        elif pair.is_unlike_default(None, response):
            verdict, reason = _R, _unlike_default_reason(is_unlike=True)
        yield _added_status(pair, response, verdict=verdict, reason=reason)


def _default_removed(pair: ResponsesPair) -> Iterator[FoundChange]:
    for response in pair.matching.removed:
        if _is_default(response):
            yield _removed_status(pair, response)


def _default_added(pair: ResponsesPair) -> Iterator[FoundChange]:
    for response in pair.matching.added:
        if _is_default(response):
            yield _added_status(pair, response)


def _removed_status(pair: ResponsesPair, old: Response) -> FoundChange:
    return FoundChange(
        old=old.status,
        at=f"response.{old.status}",
        old_location=location_or_parent(old.location, pair.operation.old.location),
        new_location=pair.operation.new.location,
        stability=old.stability,
    )


def _added_status(
    pair: ResponsesPair, new: Response, *, verdict: Verdict | None = None, reason: str = ""
) -> FoundChange:
    return FoundChange(
        new=new.status,
        at=f"response.{new.status}",
        old_location=pair.operation.old.location,
        new_location=location_or_parent(new.location, pair.operation.new.location),
        verdict=verdict,
        reason=reason,
    )


_COVERED = phrase("the default response covers it")
_EXPECTED = "a status that comes surprises who tests for the old one, one that goes is missed"
_ERRORS = "who handles errors handles those that come and misses none that goes"

STATUS_RULES: tuple[Rule[ResponsesPair], ...] = (
    Rule(
        id="response.success.removed",
        area=Area.RESPONSE,
        action=Action.REMOVED,
        to_provider=_B,
        to_consumer=_B,
        says=gettext_noop("the success status %(old)s is removed"),
        find=_success_removed,
        mirror="response.success.added",
        waiver=_EXPECTED,
    ),
    Rule(
        id="response.success.added",
        area=Area.RESPONSE,
        action=Action.ADDED,
        to_provider=_C,
        to_consumer=_R,
        says=gettext_noop("the success status %(new)s is added"),
        find=_success_added,
        mirror="response.success.removed",
        waiver=_EXPECTED,
    ),
    Rule(
        id="response.success.replaced",
        area=Area.RESPONSE,
        action=Action.CHANGED,
        to_provider=_B,
        to_consumer=_B,
        says=gettext_noop("the success status is %(new)s instead of %(old)s"),
        find=_success_replaced,
    ),
    Rule(
        id="response.range.narrowed",
        area=Area.RESPONSE,
        action=Action.NARROWED,
        to_provider=_B,
        to_consumer=_C,
        says=gettext_noop("the status can only be %(new)s, not any of %(old)s"),
        find=_range_narrowed,
        mirror="response.range.widened",
        waiver=_EXPECTED,
    ),
    Rule(
        id="response.range.widened",
        area=Area.RESPONSE,
        action=Action.WIDENED,
        to_provider=_C,
        to_consumer=_R,
        says=gettext_noop("the status can be any of %(new)s, not only %(old)s"),
        find=_range_widened,
        mirror="response.range.narrowed",
        waiver=_EXPECTED,
    ),
    Rule(
        id="response.error.removed",
        area=Area.RESPONSE,
        action=Action.REMOVED,
        to_provider=_C,
        to_consumer=_C,
        says=gettext_noop("the status %(old)s is removed"),
        find=_error_removed,
        mirror="response.error.added",
    ),
    Rule(
        id="response.error.added",
        area=Area.RESPONSE,
        action=Action.ADDED,
        to_provider=_C,
        to_consumer=_C,
        says=gettext_noop("the status %(new)s is added"),
        find=_error_added,
        mirror="response.error.removed",
    ),
    Rule(
        id="response.default.removed",
        area=Area.RESPONSE,
        action=Action.REMOVED,
        to_provider=_R,
        to_consumer=_R,
        says=gettext_noop(
            "the default response is removed, so statuses that are not listed are no longer described"
        ),
        find=_default_removed,
        mirror="response.default.added",
        waiver=_ERRORS,
    ),
    Rule(
        id="response.default.added",
        area=Area.RESPONSE,
        action=Action.ADDED,
        to_provider=_C,
        to_consumer=_C,
        says=gettext_noop("a default response is added for all statuses that are not listed"),
        find=_default_added,
        mirror="response.default.removed",
        waiver=_ERRORS,
    ),
)
