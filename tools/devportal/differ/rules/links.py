"""Rules of links: what a response leads to (OAS 3.0.3 §4.7.20)."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from devportal.contract import ABSENT, Api, Link
from devportal.contract.operation_names import LinkTargets
from devportal.contract.path_templates import without_names
from devportal.differ.located_changes import location_or_parent
from devportal.differ.normalise.all_of import canonical_json
from devportal.differ.part_pair import ResponsePair
from devportal.differ.phrase import phrase
from devportal.differ.rule import Action, Area, FoundChange, Rule, Verdict
from devportal.translation import gettext_noop

_R, _C = Verdict.RISKY, Verdict.COMPATIBLE


def _link_removed(pair: ResponsePair) -> Iterator[FoundChange]:
    names = {link.name for link in pair.new.links}
    for link in pair.old.links:
        if link.name not in names:
            yield _link_change(pair, link, None)


def _link_added(pair: ResponsePair) -> Iterator[FoundChange]:
    names = {link.name for link in pair.old.links}
    for link in pair.new.links:
        if link.name not in names:
            yield _link_change(pair, None, link)


def _link_changed(pair: ResponsePair) -> Iterator[FoundChange]:
    new_by_name = {link.name: link for link in pair.new.links}
    for link in pair.old.links:
        other = new_by_name.get(link.name)
        if other is None or _link_key(link) == _link_key(other):
            continue
        before = _with_known_target(link, pair.operation.contracts.old)
        after = _with_known_target(other, pair.operation.contracts.new)
        if _link_key(before) != _link_key(after):
            yield replace(_link_change(pair, link, other), **_link_verdict(before, after))


def _link_verdict(old: Link, new: Link) -> dict[str, Any]:
    """Return the verdict on a link that passes on what it did and more: who follows it does so as before."""
    kept = replace(
        new, parameters=tuple(parameter for parameter in new.parameters if parameter in old.parameters)
    )
    is_more = _link_key(kept) == _link_key(old)
    return {"verdict": _C, "reason": phrase("it passes on the same values and more")} if is_more else {}


def _link_key(link: Link) -> tuple[object, ...]:
    return (
        link.operation_id,
        link.operation_ref,
        canonical_json(dict(link.parameters)),
        canonical_json(link.request_body),
        link.server.address if link.server is not None else "",
    )


def _with_known_target(link: Link, api: Api) -> Link:
    """Return a link as one by method and path that names its parameters with their places, if the contract has the
    operation: an id, a reference, and `path.id` and `id` are ways to say the same (OAS 3.0.3 §4.7.20).
    """
    target = LinkTargets(api.operations).of(link)
    if target is None:
        return link
    places: dict[str, list[str]] = {}
    for parameter in target.parameters:
        places.setdefault(parameter.name, []).append(f"{parameter.location_in}.{parameter.name}")
    parameters = (
        (places[name][0] if len(places.get(name, ())) == 1 else name, value)
        for name, value in link.parameters
    )
    address = f"{target.method} {without_names(target.path)}"
    return replace(link, operation_id="", operation_ref=address, parameters=tuple(parameters))


def _link_change(pair: ResponsePair, old: Link | None, new: Link | None) -> FoundChange:
    link = new or old
    name = link.name if link is not None else ""
    return FoundChange(
        old=_link_value(old),
        new=_link_value(new),
        at=f".link.{name}",
        old_location=location_or_parent(old.location, pair.old.location)
        if old is not None
        else pair.old.location,
        new_location=location_or_parent(new.location, pair.new.location)
        if new is not None
        else pair.new.location,
        names={"name": name},
    )


def _link_value(link: Link | None) -> object:
    if link is None:
        return ABSENT
    return {
        "operation": link.operation_id or link.operation_ref,
        **({"parameters": dict(link.parameters)} if link.parameters else {}),
        **({"requestBody": link.request_body} if link.request_body is not None else {}),
        **({"server": link.server.address} if link.server is not None else {}),
    }


_WAIVER = "a link that comes is followed by nobody yet, one that goes may be"

LINK_RULES: tuple[Rule[ResponsePair], ...] = (
    Rule(
        id="response.link.removed",
        area=Area.RESPONSE,
        action=Action.REMOVED,
        to_provider=_R,
        to_consumer=_R,
        says=gettext_noop("the link %(name)s is removed"),
        find=_link_removed,
        mirror="response.link.added",
        waiver=_WAIVER,
    ),
    Rule(
        id="response.link.changed",
        area=Area.RESPONSE,
        action=Action.CHANGED,
        to_provider=_R,
        to_consumer=_R,
        says=gettext_noop("the link %(name)s leads to %(new)s instead of %(old)s"),
        find=_link_changed,
    ),
    Rule(
        id="response.link.added",
        area=Area.RESPONSE,
        action=Action.ADDED,
        to_provider=_C,
        to_consumer=_C,
        says=gettext_noop("the link %(name)s is added"),
        find=_link_added,
        mirror="response.link.removed",
        waiver=_WAIVER,
    ),
)
