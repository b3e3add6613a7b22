"""Rules of responses: their statuses, and each as a whole."""

from collections.abc import Iterator

from devportal.contract import Response
from devportal.differ.examples import told
from devportal.differ.media_types import match_media
from devportal.differ.parts import ResponsePair
from devportal.differ.places import within
from devportal.differ.response_pair import ResponsesPair
from devportal.differ.rule import Action, Area, Hit, Rule
from devportal.differ.statuses import DEFAULT
from devportal.differ.verdict import Verdict

_B, _R, _C, _N = Verdict.BREAKING, Verdict.RISKY, Verdict.COMPATIBLE, Verdict.DOCUMENTATION
_FOR_THE_AUTHORISED = frozenset({"401", "403"})
_WITHOUT_BODY = frozenset({"204", "205", "304"})
"""Statuses whose responses have no content (RFC 9110 §15.3.5, §15.3.6, §15.4.5)."""


def _is_default(response: Response) -> bool:
    return response.status.upper() == DEFAULT


def _is_error(response: Response) -> bool:
    return not response.is_success and not _is_default(response)


def _success_removed(pair: ResponsesPair) -> Iterator[Hit]:
    for one in pair.matching.removed:
        if one.is_success:
            yield _removed_hit(pair, one)


def _success_added(pair: ResponsesPair) -> Iterator[Hit]:
    operation = pair.operation
    is_usual = len(operation.old.successes) > 1
    for one in pair.matching.added:
        if not one.is_success:
            continue
        verdict = _C if is_usual else operation.policy.success_status_added
        reason = "" if is_usual or operation.is_event else "a caller may expect the only status there was"
        yield _added_hit(pair, one, verdict=None if operation.is_event else verdict, reason=reason)


def _success_replaced(pair: ResponsesPair) -> Iterator[Hit]:
    for old, new in pair.matching.replaced:
        yield Hit(
            old=old.status,
            new=new.status,
            at=f"response.{old.status}",
            old_location=within(old.location, pair.operation.old.location),
            new_location=within(new.location, pair.operation.new.location),
            hint=f"expect {new.status} instead of {old.status}",
            stability=old.stability,
        )


def _error_removed(pair: ResponsesPair) -> Iterator[Hit]:
    for one in pair.matching.removed:
        if _is_error(one):
            yield _removed_hit(pair, one)


def _error_added(pair: ResponsesPair) -> Iterator[Hit]:
    for one in pair.matching.added:
        if not _is_error(one):
            continue
        verdict, reason = None, ""
        if not pair.operation.is_event and one.status in _FOR_THE_AUTHORISED:
            verdict, reason = _R, "callers may need credentials or rights that they did not need"
        elif not pair.operation.is_event and one.status.startswith("3"):
            verdict, reason = _R, "callers may have to follow to another address"
        yield _added_hit(pair, one, verdict=verdict, reason=reason)


def _default_removed(pair: ResponsesPair) -> Iterator[Hit]:
    for one in pair.matching.removed:
        if _is_default(one):
            yield _removed_hit(pair, one)


def _default_added(pair: ResponsesPair) -> Iterator[Hit]:
    for one in pair.matching.added:
        if _is_default(one):
            yield _added_hit(pair, one)


def _removed_hit(pair: ResponsesPair, old: Response) -> Hit:
    return Hit(
        old=old.status,
        at=f"response.{old.status}",
        old_location=within(old.location, pair.operation.old.location),
        new_location=pair.operation.new.location,
        stability=old.stability,
    )


def _added_hit(
    pair: ResponsesPair, new: Response, *, verdict: Verdict | None = None, reason: str = ""
) -> Hit:
    return Hit(
        new=new.status,
        at=f"response.{new.status}",
        old_location=pair.operation.old.location,
        new_location=within(new.location, pair.operation.new.location),
        verdict=verdict,
        reason=reason,
    )


def _body_removed(pair: ResponsePair) -> Iterator[Hit]:
    if _is_readable(pair) and pair.old.content and not pair.new.content:
        yield _hit(pair, old=_media(pair.old))


def _body_added(pair: ResponsePair) -> Iterator[Hit]:
    if _is_readable(pair) and pair.new.content and not pair.old.content:
        is_odd = pair.old.status in _WITHOUT_BODY and not pair.operation.is_event
        yield _hit(
            pair,
            new=_media(pair.new),
            verdict=_R if is_odd else None,
            reason=f"responses with the status {pair.old.status} have none" if is_odd else "",
        )


def _unreadable(pair: ResponsePair) -> Iterator[Hit]:
    """A reference that cannot be followed leaves open what the response may be."""
    old, new = pair.old, pair.new
    if old.broken != new.broken:
        yield _hit(pair, old=old.broken or _media(old), new=new.broken or _media(new))


def _text_changed(pair: ResponsePair) -> Iterator[Hit]:
    old, new = pair.old, pair.new
    if old.status != new.status or old.broken or new.broken:
        return
    pairs = match_media(old.content, new.content).pairs
    is_same = (old.summary, old.description) == (new.summary, new.description)
    if (
        not is_same
        or any(told(one.examples) != told(other.examples) for one, other in pairs)
        or _links_told(old, new) != _links_told(new, old)
    ):
        yield _hit(pair)


def _links_told(response: Response, other: Response) -> dict[str, str]:
    """Return what is said of the links that two responses have in common."""
    names = {one.name for one in other.links}
    return {one.name: one.description for one in response.links if one.name in names}


def _is_readable(pair: ResponsePair) -> bool:
    return not pair.old.broken and not pair.new.broken


def _media(response: Response) -> str:
    return ", ".join(one.name for one in response.content)


def _hit(
    pair: ResponsePair,
    *,
    old: str | None = None,
    new: str | None = None,
    verdict: Verdict | None = None,
    reason: str = "",
) -> Hit:
    shown = {name: value for name, value in (("old", old), ("new", new)) if value is not None}
    return Hit(
        **shown,
        old_location=pair.old.location,
        new_location=pair.new.location,
        verdict=verdict,
        reason=reason,
        names={"status": pair.new.status},
    )


_EXPECTED = "a status that comes surprises who tests for the old one, one that goes is missed"
_ERRORS = "who handles errors handles those that come and misses none that goes"

STATUS_RULES: tuple[Rule[ResponsesPair], ...] = (
    Rule(
        id="response.success.removed",
        area=Area.RESPONSE,
        action=Action.REMOVED,
        to_provider=_B,
        to_consumer=_B,
        says="the success {old} is gone",
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
        says="the success {new} is new",
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
        says="success is told by {new} instead of {old}",
        find=_success_replaced,
    ),
    Rule(
        id="response.error.removed",
        area=Area.RESPONSE,
        action=Action.REMOVED,
        to_provider=_C,
        to_consumer=_C,
        says="the status {old} is gone",
        find=_error_removed,
        mirror="response.error.added",
    ),
    Rule(
        id="response.error.added",
        area=Area.RESPONSE,
        action=Action.ADDED,
        to_provider=_C,
        to_consumer=_C,
        says="the status {new} is new",
        find=_error_added,
        mirror="response.error.removed",
    ),
    Rule(
        id="response.default.removed",
        area=Area.RESPONSE,
        action=Action.REMOVED,
        to_provider=_R,
        to_consumer=_R,
        says="the default response is gone, and so what is known of all statuses that are not listed",
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
        says="a default response is described for all statuses that are not listed",
        find=_default_added,
        mirror="response.default.removed",
        waiver=_ERRORS,
    ),
)

_EXTRA = "a body that comes may be ignored, one that goes is missed"

RESPONSE_RULES: tuple[Rule[ResponsePair], ...] = (
    Rule(
        id="response.body.removed",
        area=Area.RESPONSE,
        action=Action.REMOVED,
        to_provider=_R,
        to_consumer=_B,
        says="the response {status} has no body any more, which was {old}",
        find=_body_removed,
        mirror="response.body.added",
        waiver=_EXTRA,
    ),
    Rule(
        id="response.body.added",
        area=Area.RESPONSE,
        action=Action.ADDED,
        to_provider=_R,
        to_consumer=_C,
        says="the response {status} has a body, {new}, where it had none",
        find=_body_added,
        mirror="response.body.removed",
        waiver=_EXTRA,
    ),
    Rule(
        id="response.unreadable",
        area=Area.RESPONSE,
        action=Action.CHANGED,
        to_provider=_R,
        to_consumer=_R,
        says="the response {status} is {new} instead of {old}, and one of them cannot be read",
        find=_unreadable,
    ),
    Rule(
        id="response.text.changed",
        area=Area.RESPONSE,
        action=Action.CHANGED,
        to_provider=_N,
        to_consumer=_N,
        says="the response {status} is described differently",
        find=_text_changed,
    ),
)
