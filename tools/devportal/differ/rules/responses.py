"""Rules of the response for one status: its body and its texts."""

from collections.abc import Iterator
from typing import Unpack

from devportal.contract import Response
from devportal.differ.match.media_types import match_media
from devportal.differ.part_pair import ResponsePair
from devportal.differ.phrase import phrase
from devportal.differ.rule import Action, Area, FoundChange, Rule, Verdict
from devportal.differ.rules.media import media_type_names
from devportal.differ.rules.part_changes import (
    FoundChangeFields,
    change_between,
    edited_texts,
    examples_of_media,
)
from devportal.translation import gettext_noop

_B, _R, _C, _N = Verdict.BREAKING, Verdict.RISKY, Verdict.COMPATIBLE, Verdict.DOCUMENTATION
_WITHOUT_BODY = frozenset({"204", "205", "304"})
"""Statuses whose responses have no content (RFC 9110 §15.3.5, §15.3.6, §15.4.5)."""


def _body_removed(pair: ResponsePair) -> Iterator[FoundChange]:
    if _is_readable(pair) and pair.old.content and not pair.new.content:
        yield _response_change(pair, old=media_type_names(pair.old))


def _body_added(pair: ResponsePair) -> Iterator[FoundChange]:
    if _is_readable(pair) and pair.new.content and not pair.old.content:
        is_bodiless_status = pair.old.status in _WITHOUT_BODY and not pair.operation.is_event
        yield _response_change(
            pair,
            new=media_type_names(pair.new),
            verdict=_R if is_bodiless_status else None,
            reason=phrase("responses with the status %(status)s have none", status=pair.old.status)
            if is_bodiless_status
            else "",
        )


def _reference_unreadable(pair: ResponsePair) -> Iterator[FoundChange]:
    """A reference that cannot be followed leaves open what the response may be."""
    old, new = pair.old, pair.new
    if old.broken != new.broken:
        yield _response_change(
            pair, old=old.broken or media_type_names(old), new=new.broken or media_type_names(new)
        )


def _text_changed(pair: ResponsePair) -> Iterator[FoundChange]:
    old, new = pair.old, pair.new
    if old.status != new.status or old.broken or new.broken:
        return
    pairs = match_media(old.content, new.content).pairs
    texts = edited_texts(
        {**_texts(old, new), phrase("examples"): examples_of_media(first for first, _ in pairs)},
        {**_texts(new, old), phrase("examples"): examples_of_media(other for _, other in pairs)},
    )
    if texts:
        yield change_between(old, new, names={"status": pair.narrower_status, "texts": texts})


def _texts(response: Response, other: Response) -> dict[str, object]:
    return {
        phrase("summary"): response.summary,
        phrase("description"): response.description,
        phrase("descriptions of links"): _link_descriptions(response, other),
    }


def _link_descriptions(response: Response, other: Response) -> dict[str, str]:
    """Return the texts of the links that two responses have in common."""
    names = {link.name for link in other.links}
    links = (link for link in response.links if link.description)
    return {link.name: link.description for link in links if link.name in names}


def _is_readable(pair: ResponsePair) -> bool:
    return not pair.old.broken and not pair.new.broken


def _response_change(pair: ResponsePair, **fields: Unpack[FoundChangeFields]) -> FoundChange:
    return change_between(pair.old, pair.new, names={"status": pair.narrower_status}, **fields)


_WAIVER = "a body that comes may be ignored, one that goes is missed"

RESPONSE_RULES: tuple[Rule[ResponsePair], ...] = (
    Rule(
        id="response.body.removed",
        area=Area.RESPONSE,
        action=Action.REMOVED,
        to_provider=_R,
        to_consumer=_B,
        says=gettext_noop("the body of the response %(status)s, %(old)s, is removed"),
        find=_body_removed,
        mirror="response.body.added",
        waiver=_WAIVER,
    ),
    Rule(
        id="response.body.added",
        area=Area.RESPONSE,
        action=Action.ADDED,
        to_provider=_R,
        to_consumer=_C,
        says=gettext_noop("the response %(status)s now has a body, %(new)s"),
        find=_body_added,
        mirror="response.body.removed",
        waiver=_WAIVER,
    ),
    Rule(
        id="response.unreadable",
        area=Area.RESPONSE,
        action=Action.CHANGED,
        to_provider=_R,
        to_consumer=_R,
        says=gettext_noop(
            "the response %(status)s is %(new)s instead of %(old)s, and one of them cannot be read"
        ),
        find=_reference_unreadable,
    ),
    Rule(
        id="response.text.changed",
        area=Area.RESPONSE,
        action=Action.CHANGED,
        to_provider=_N,
        to_consumer=_N,
        says=gettext_noop("the documentation of the response %(status)s is changed (%(texts)s)"),
        find=_text_changed,
    ),
)
