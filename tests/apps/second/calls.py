"""Calls: dialled at once, and over within moments. The last digit of the number that is called decides."""

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any

from tests.apps.second.event_log import EventLog
from tests.apps.second.numbers import Numbers
from tests.apps.second.paging import Pages, filter_rows
from tests.apps.second.refusals import Refusal
from tests.apps.second.requests import Answer, Request
from tests.apps.second.world import Shelf, World, seconds, shown_or_null, shown_time

STEP_S = 0.1
DEFAULTS = {"ring_timeout_s": 30, "machine_detection": "off", "reference": None}


@dataclass(frozen=True, slots=True, kw_only=True)
class Fate:
    """The statuses of a call after `queued`, why it ends, and the carrier's last word."""

    statuses: tuple[str, ...]
    cause: str
    sip_code: int | None


ANSWERED = Fate(
    statuses=("initiated", "ringing", "in_progress", "completed"), cause="flow_ended", sip_code=200
)
FATES: Mapping[str, Fate] = {
    "6": Fate(statuses=("initiated", "ringing", "rejected"), cause="rejected", sip_code=603),
    "7": Fate(statuses=("failed",), cause="no_route", sip_code=None),
    "8": Fate(statuses=("initiated", "ringing", "no_answer"), cause="no_answer", sip_code=487),
    "9": Fate(statuses=("initiated", "busy"), cause="busy", sip_code=486),
}
"""What becomes of calls to numbers that end with a digit; all others are answered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Call:
    """A call, and how far it is. `fate` is that of its number."""

    name: str
    rank: int
    wish: Mapping[str, Any]
    fate: Fate
    created_at: datetime
    steps: int = 0
    answered_at: datetime | None = None
    ended_at: datetime | None = None

    @property
    def status(self) -> str:
        """Return the status now."""
        return ("queued", *self.fate.statuses)[self.steps]

    @property
    def _duration_s(self) -> int | None:
        if self.ended_at is None:
            return None
        if self.answered_at is None:
            return 0
        return max(1, math.ceil((self.ended_at - self.answered_at).total_seconds()))

    def to_json(self) -> dict[str, Any]:
        """Return it as the contract shows it."""
        return {**DEFAULTS, **self.wish, **self._head(), "id": self.name}

    def record(self) -> dict[str, Any]:
        """Return its detail record, once it has ended."""
        parties = {"from": self.wish["from"], "to": self.wish["to"], "reference": self.wish.get("reference")}
        return {**parties, **self._head(), "billing_increment": "1/1", "call_id": self.name}

    def after_next_step(self, at: datetime) -> "Call":
        """Return the call after its next step."""
        status, is_last = self.fate.statuses[self.steps], self.steps + 1 == len(self.fate.statuses)
        return replace(
            self,
            steps=self.steps + 1,
            answered_at=at if status == "in_progress" else self.answered_at,
            ended_at=at if is_last else None,
        )

    def step(self, before: "Call") -> dict[str, Any]:
        """Return what is told of its last step."""
        record = self.record()
        kept = ("call_id", "direction", "from", "to", "status", "reference", "answered_by", "end_cause")
        told = {name: record[name] for name in kept}
        return {**told, "previous_status": before.status, "sequence": self.steps}

    def _head(self) -> dict[str, Any]:
        is_over = self.ended_at is not None
        is_heard = is_over and self.answered_at and self.wish.get("machine_detection", "off") != "off"
        return {
            "direction": "outbound",
            "status": self.status,
            "answered_by": "human" if is_heard else None,
            "created_at": shown_time(self.created_at),
            "answered_at": shown_or_null(self.answered_at),
            "ended_at": shown_or_null(self.ended_at),
            "duration_s": self._duration_s,
            "billed_s": self._duration_s,
            "end_cause": self.fate.cause if is_over else None,
            "sip_code": self.fate.sip_code if is_over or self.answered_at else None,
        }


class Calls:
    """The calls of all accounts."""

    def __init__(self, world: World, pages: Pages, log: EventLog, numbers: Numbers) -> None:
        self._world = world
        self._pages = pages
        self._log = log
        self._numbers = numbers
        self._shelf = Shelf[Call]()

    def start(self, request: Request) -> Answer:
        """Answer startCall."""
        account, wish = request.account, request.body
        if "voice" not in (self._numbers.features(account, wish["from"]) or ()):
            raise Refusal("caller-not-usable", f"{wish['from']} cannot call for you.", pointer="#/from")
        now, fate = self._world.now(), FATES.get(wish["to"][-1], ANSWERED)
        call = Call(
            name=self._world.new_id("call"), rank=-self._world.serial(), wish=wish, fate=fate, created_at=now
        )
        self._shelf.put(account, call.name, call)
        for number in range(len(fate.statuses)):
            at = now + seconds(STEP_S * (number + 1))
            self._world.schedule(at, partial(self._move, account, call.name))
        return Answer(status=202, body=call.to_json(), headers={"Location": f"/v1/calls/{call.name}"})

    def list_calls(self, request: Request) -> Answer:
        """Answer listCalls."""
        rows = [(call.rank, call.to_json()) for call in self._shelf.newest_first(request.account)]
        return self._pages.answer(request, filter_rows(request, rows, "status", "direction", "to"))

    def retrieve(self, request: Request) -> Answer:
        """Answer retrieveCall."""
        return Answer(status=200, body=self._shelf.get(request.account, request.subject).to_json())

    def _move(self, account: str, name: str, at: datetime) -> None:
        before = self._shelf.get(account, name)
        call = self._shelf.put(account, name, before.after_next_step(at))
        self._log.tell(account, "call.status_changed", name, call.step(before), at)
        if call.ended_at is not None:
            self._log.tell(account, "call.detail_record", name, call.record(), at)
