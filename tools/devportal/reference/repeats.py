"""Headers that several responses of a page have: told where they stand first, and only named after that.

Errors have the same headers as everything else. Written out each time, they would take the room of the fields
that readers come for.
"""

from collections.abc import Iterable, Iterator
from dataclasses import replace

from devportal.reference.views import RepeatedHeader, ResponseView


def told_once(responses: Iterable[ResponseView]) -> tuple[ResponseView, ...]:
    """Return the responses of one page; a header that one above has too is only named."""
    return tuple(_told_once(responses))


def _told_once(responses: Iterable[ResponseView]) -> Iterator[ResponseView]:
    first: dict[tuple[str, int, bool], str] = {}
    for response in responses:
        new, repeated = [], []
        for one in response.headers:
            if one.fields or one.unions or one.more:
                new.append(one)
                continue
            key = (one.name, id(one.said), one.required)  # sayings with the same values are one object
            above = first.setdefault(key, response.anchor)
            if above == response.anchor:
                new.append(one)
            else:
                repeated.append(RepeatedHeader(name=one.name, anchor=one.anchor, above=above))
        yield replace(response, headers=tuple(new), repeated=tuple(repeated))
