"""Lists in pages. A cursor is the rank of the last item shown, sealed with what the list is about."""

import base64
import hashlib
import json
from collections.abc import Iterable
from typing import Any

from tests.apps.second.habits import Habits
from tests.apps.second.refusals import Refusal
from tests.apps.second.requests import Answer, Request

Item = tuple[int, dict[str, Any]]
"""The rank of an item, and what is shown of it. Ranks grow along a list and never change."""
_SEAL_BYTES, _RANK_BYTES = 9, 6


class Pages:
    """Cuts lists into pages; `seed` keeps others from making cursors."""

    def __init__(self, seed: str, habits: Habits) -> None:
        self._seed = seed.encode()
        self._habits = habits

    def page(self, request: Request, items: Iterable[Item]) -> dict[str, Any]:
        """Return the page of a list that a request asks for; raises Refusal where a cursor is foreign."""
        after = self._cursor_position(request)
        rest = [pair for pair in items if after is None or pair[0] > after]
        size = min(request.query["limit"], self._habits.largest_page)
        has_more = len(rest) > size or (self._habits.ends_with_nothing and len(rest) == size)
        return {
            "next_cursor": self._cursor(request, rest[size - 1][0]) if has_more else None,
            "data": [shown for _, shown in rest[:size]],
        }

    def answer(self, request: Request, items: Iterable[Item]) -> Answer:
        """Return the answer with that page."""
        return Answer(status=200, body=self.page(request, items))

    def _cursor_position(self, request: Request) -> int | None:
        cursor = request.query.get("cursor")
        if cursor is None:
            return None
        try:
            raw = base64.urlsafe_b64decode(cursor)
        except ValueError:
            raw = b""
        rank = int.from_bytes(raw[_SEAL_BYTES:], signed=True)
        if len(raw) != _SEAL_BYTES + _RANK_BYTES or cursor != self._cursor(request, rank):
            raise Refusal("invalid-cursor", f"{cursor!r} was not given out for this list.")
        return rank

    def _cursor(self, request: Request, rank: int) -> str:
        filters = {name: value for name, value in request.query.items() if name not in ("cursor", "limit")}
        place = [request.operation.name, request.account, dict(request.path), filters, rank]
        sealed = json.dumps(place, sort_keys=True).encode()
        seal = hashlib.blake2b(sealed, key=self._seed, digest_size=_SEAL_BYTES).digest()
        return base64.urlsafe_b64encode(seal + rank.to_bytes(_RANK_BYTES, signed=True)).decode()


def matches(shown: dict[str, Any], request: Request, *names: str) -> bool:
    """Say whether an item fits the filters that ask for the value of a member."""
    return all(shown[name] == request.query[name] for name in names if name in request.query)


def is_within(shown: dict[str, Any], request: Request) -> bool:
    """Say whether an item was created in the span that is asked for."""
    at = _comparable(shown["created_at"])
    after, before = (request.query.get(name) for name in ("created_after", "created_before"))
    return (after is None or _comparable(after) <= at) and (before is None or at < _comparable(before))


def filter_rows(request: Request, rows: Iterable[Item], *names: str) -> list[Item]:
    """Return the rows of the span that is asked for whose members fit the filters of these names."""
    return [row for row in rows if matches(row[1], request, *names) and is_within(row[1], request)]


def _comparable(time: str) -> str:
    """Return a time with six decimals, so that times compare as texts."""
    whole, _, decimals = time.removesuffix("Z").partition(".")
    return f"{whole}.{decimals:0<6}Z"
