"""Sends recorded exchanges once more: a fault that does not show again does not fail the run."""

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Any
from urllib.parse import quote

from devportal.conformance.deployment import Deployment
from devportal.conformance.exchange import Answer, Exchange, Request, json_or_none
from devportal.conformance.line import Unsendable
from devportal.conformance.masking import Mask

OURS = frozenset({"x-schemathesis-testcaseid", "user-agent"})
"""Headers of the tool, which say nothing about the request."""
SHORTEST_VALUE = 4
"""A shorter text in an answer is not taken for a value that a later request carries on."""


def replay(deployment: Deployment, mask: Mask, exchanges: Sequence[Exchange]) -> tuple[Exchange, ...] | None:
    """Return the exchanges as they go now, in their order; None where one cannot be sent again.

    A value that a request took from an earlier answer, such as the id of what was created, is taken from
    the renewed answer instead.
    """
    renewed: list[Exchange] = []
    changes: dict[str, str] = {}
    for exchange in exchanges:
        if not exchange.request.complete:
            return None
        request = mask.reveal(_changed(plain(exchange.request), changes))
        try:
            again = deployment.send(request, operation=exchange.operation, is_valid=exchange.is_valid)
        except Unsendable:
            return None
        renewed.append(again)
        changes |= _changes(exchange.answer, again.answer)
    return tuple(renewed)


def plain(request: Request) -> Request:
    """Return a request without the headers that only name the tool."""
    return replace(request, headers=tuple(pair for pair in request.headers if pair[0].lower() not in OURS))


def _changed(request: Request, changes: dict[str, str]) -> Request:
    for old, new in changes.items():
        body = request.body
        request = replace(
            request,
            url=request.url.replace(quote(old, safe=""), quote(new, safe="")),
            body=None if body is None else body.replace(old.encode(), new.encode()),
        )
    return request


def _changes(old: Answer | None, new: Answer | None) -> dict[str, str]:
    """Return the texts of an answer that differ from those at the same places of its renewal."""
    if old is None or new is None:
        return {}
    before, after = (dict(_leaves(json_or_none(one.body), ())) for one in (old, new))
    for name in ("location",):
        if (first := old.header(name)) and (second := new.header(name)):
            before[(name,)], after[(name,)] = first, second
    return {
        value: after[path]
        for path, value in before.items()
        if path in after and after[path] != value and len(value) >= SHORTEST_VALUE
    }


def _leaves(value: Any, path: tuple[str | int, ...]) -> Iterator[tuple[tuple[str | int, ...], str]]:
    match value:
        case dict():
            for key, item in value.items():
                yield from _leaves(item, (*path, key))
        case list():
            for position, item in enumerate(value):
                yield from _leaves(item, (*path, position))
        case bool() | None:
            return
        case str() | int():
            yield path, str(value)
