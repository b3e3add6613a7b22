"""What the request of an action says of its resource: the reason of a cancellation, the number of a shipment."""

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from devportal.conformance.knowledge.descriptions.described_rules import SHORTEST_VERB
from devportal.contract import Operation, Schema
from devportal.contract.conventions import matches_any_name
from devportal.contract.path_templates import action_name
from devportal.contract.wording import plain_letters

_REASON = "reason"


def action_members(
    action: Operation, body: Any, shape: Mapping[str, Schema], settable: Collection[str]
) -> Iterator[tuple[str, str]]:
    """Yield the members of a resource that the request of an action has texts for: those with the same name, and
    `cancellation_reason` for the `reason` of `cancel`. What clients set otherwise (`settable`) is not about the action,
    and numbers may be shares of what the resource has: the `amount` of a refund.
    """
    for sent, text in body.items() if isinstance(body, dict) else ():
        if not isinstance(text, str):
            continue
        names = [name for name in shape if matches_any_name(name, (sent,))]
        if not names and matches_any_name(sent, (_REASON,)):
            names = _names_of_reason(action, shape)
        if len(names) == 1 and names[0] not in settable:
            yield names[0], text


def _names_of_reason(action: Operation, names: Collection[str]) -> list[str]:
    """Return the members that hold the reason of an action: they begin like its verb."""
    verb = plain_letters(action_name(action.path))
    stem = verb[:-1] if verb.endswith(("e", "y")) else verb
    if len(stem) < SHORTEST_VERB:
        return []
    plain = {name: plain_letters(name) for name in names}
    return [name for name in names if plain[name].startswith(stem) and plain[name].endswith(_REASON)]
