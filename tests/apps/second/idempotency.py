"""Requests that carry a key are carried out once: the answer is kept for a day."""

import json
from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import datetime, timedelta

from tests.apps.second.refusals import Refusal
from tests.apps.second.requests import Answer, Request
from tests.apps.second.world import World

KEPT_FOR = timedelta(hours=24)
HEADER = "idempotency-key"
Place = tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Kept:
    """A request with a key. `answer` is None while it runs; `is_gone` where the answer may not be shown."""

    body: str
    at: datetime
    answer: Answer | None = None
    is_gone: bool = False


class Idempotency:
    """The keys of all accounts."""

    def __init__(self, world: World) -> None:
        self._world = world
        self._kept: dict[Place, Kept] = {}

    def run_once(self, request: Request, carry_out: Callable[[], Answer]) -> Answer:
        """Carry a request out, or return the answer that its key has already; raises Refusal."""
        key = request.headers.get(HEADER)
        if key is None or "Idempotency-Key" not in request.operation.parameters_in("header"):
            return carry_out()
        place = (request.account, request.operation.name, *request.path.values(), key.strip('"'))
        body = json.dumps(request.body, sort_keys=True)
        with self._world.lock:
            if (kept := self._stored_answer(place)) is not None:
                return _replay(kept, body)
            self._kept[place] = Kept(body=body, at=self._world.now())
        try:
            answer = carry_out()
        except BaseException:
            with self._world.lock:
                del self._kept[place]
            raise
        with self._world.lock:
            self._kept[place] = replace(self._kept[place], answer=answer)
        return answer

    def forget_secrets(self, name: str) -> None:
        """Delete the answers that show a secret of the thing with this identifier."""
        for place, kept in self._kept.items():
            shown = kept.answer.body if kept.answer else None
            if isinstance(shown, dict) and "secret" in shown and shown["id"] == name:
                self._kept[place] = replace(kept, is_gone=True)

    def _stored_answer(self, place: Place) -> Kept | None:
        kept = self._kept.get(place)
        return None if kept is None or self._world.now() - kept.at >= KEPT_FOR else kept


def _replay(kept: Kept, body: str) -> Answer:
    if kept.body != body:
        detail = "The key belongs to a request that said something else."
        raise Refusal("idempotency-key-reused", detail, pointer="#")
    if kept.is_gone:
        raise Refusal("answer-not-kept", "It was done, and its secret is not shown again.")
    if kept.answer is None:
        detail = "The request that brought this key first is not finished."
        raise Refusal("idempotency-key-in-use", detail, headers={"Retry-After": "1"})
    return kept.answer
