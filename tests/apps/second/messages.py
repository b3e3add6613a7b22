"""Messages: accepted, sent after a moment, and then delivered or not. The last digit of a number decides."""

from collections.abc import Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from functools import partial
from typing import Any

from tests.apps.second.compliance import Compliance
from tests.apps.second.event_log import EventLog
from tests.apps.second.numbers import Numbers
from tests.apps.second.paging import Pages, filter_rows
from tests.apps.second.refusals import Refusal
from tests.apps.second.requests import Answer, Request
from tests.apps.second.texts import MOST_SEGMENTS, cut
from tests.apps.second.world import Shelf, World, seconds, shown_or_null, shown_time

QUEUED_S, ON_ITS_WAY_S = 0.12, 0.21
PARTS = {"media": "mms", "rcs": "rcs"}
"""The parts of a message that only one channel carries."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcome:
    """A status, and what a carrier says with it."""

    status: str
    carrier_status: str | None = None
    error_code: str | None = None


QUEUED, SENT = Outcome(status="queued"), Outcome(status="sent", carrier_status="ACCEPTD")
DELIVERED = Outcome(status="delivered", carrier_status="DELIVRD")
FATES: Mapping[str, tuple[Outcome, ...]] = {
    "6": (Outcome(status="rejected", carrier_status="REJECTD", error_code="filtered"),),
    "7": (Outcome(status="failed", error_code="no_route"),),
    "8": (SENT,),
    "9": (SENT, Outcome(status="undelivered", carrier_status="UNDELIV", error_code="unreachable_handset")),
}
"""What becomes of messages to numbers that end with a digit; to all others they are sent and delivered."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """A message, and how far it is."""

    name: str
    rank: int
    account: str
    wish: Mapping[str, Any]
    encoding: str | None
    segments: int
    created_at: datetime
    outcome: Outcome = QUEUED
    steps: int = 0
    sent_at: datetime | None = None
    finished_at: datetime | None = None

    def accepted_json(self) -> dict[str, Any]:
        """Return what the answer to the sender shows."""
        return {"segments": self.segments, "status": self.outcome.status, "id": self.name}

    def to_json(self) -> dict[str, Any]:
        """Return all of it; members that the sender left out are left out, where the contract allows."""
        optional = {name: self.wish[name] for name in ("campaign_id", *PARTS) if name in self.wish}
        return {
            **self.accepted_json(),
            **optional,
            "created_at": shown_time(self.created_at),
            "sent_at": shown_or_null(self.sent_at),
            "finished_at": shown_or_null(self.finished_at),
            "final": self.finished_at is not None,
            "to": self.wish["to"],
            "sender": self.wish.get("sender"),
            "channel": self.wish["channel"],
            "sent_as": self.wish["channel"] if self.sent_at else None,
            "body": self.wish["body"],
            "encoding": self.encoding,
            "carrier_status": self.outcome.carrier_status,
            "error_code": self.outcome.error_code,
        }

    def after_next_step(self, outcome: Outcome, at: datetime) -> "Message":
        """Return the message after its next step."""
        is_sent = outcome is SENT
        return replace(
            self,
            outcome=outcome,
            steps=self.steps + 1,
            sent_at=at if is_sent else self.sent_at,
            finished_at=None if is_sent else at,
        )


class Messages:
    """The messages of all accounts."""

    def __init__(
        self, world: World, pages: Pages, log: EventLog, numbers: Numbers, compliance: Compliance
    ) -> None:
        self._world = world
        self._pages = pages
        self._log = log
        self._numbers = numbers
        self._compliance = compliance
        self._shelf = Shelf[Message]()

    def send(self, request: Request) -> Answer:
        """Answer sendMessage."""
        account, wish = request.account, request.body
        encoding, segments = _size(wish)
        self._check_sender(account, wish)
        self._compliance.check(account, wish.get("campaign_id"))
        now = self._world.now()
        message = Message(
            name=self._world.new_id("msg"),
            rank=-self._world.serial(),
            account=account,
            wish=wish,
            encoding=encoding,
            segments=segments,
            created_at=now,
        )
        self._shelf.put(account, message.name, message)
        at = now + seconds(QUEUED_S)
        for outcome in FATES.get(wish["to"][-1], (SENT, DELIVERED)):
            self._world.schedule(at, partial(self._move, account, message.name, outcome))
            at += seconds(ON_ITS_WAY_S)
        headers = {"Location": f"/v1/messages/{message.name}"}
        return Answer(status=202, body=message.accepted_json(), headers=headers)

    def list_messages(self, request: Request) -> Answer:
        """Answer listMessages."""
        rows = [(message.rank, message.to_json()) for message in self._shelf.newest_first(request.account)]
        return self._pages.answer(request, filter_rows(request, rows, "status", "channel", "to"))

    def retrieve(self, request: Request) -> Answer:
        """Answer retrieveMessage."""
        return Answer(status=200, body=self._shelf.get(request.account, request.subject).to_json())

    def _check_sender(self, account: str, wish: Mapping[str, Any]) -> None:
        sender = wish.get("sender", "")
        if not sender.startswith("+"):
            return
        features = self._numbers.features(account, sender)
        needed = "mms" if wish["channel"] == "mms" else "sms"
        if features is None or needed not in features:
            raise Refusal("sender-not-usable", f"{sender} cannot send {needed} for you.", pointer="#/sender")

    def _move(self, account: str, name: str, outcome: Outcome, at: datetime) -> None:
        before = self._shelf.get(account, name)
        message = self._shelf.put(account, name, before.after_next_step(outcome, at))
        common = {
            "message_id": name,
            "sequence": message.steps,
            "to": message.wish["to"],
            "channel": message.wish["channel"],
            "status": outcome.status,
            "final": message.finished_at is not None,
            "error_code": outcome.error_code,
        }
        step = {**common, "previous_status": before.outcome.status}
        self._log.tell(account, "message.status_changed", name, step, at)
        if message.finished_at is not None:
            receipt = {**common, "carrier_status": outcome.carrier_status, "segments": message.segments}
            self._log.tell(account, "message.delivery_receipt", name, receipt, at)


def _size(wish: Mapping[str, Any]) -> tuple[str | None, int]:
    """Return the encoding and the segments of a message; raises Refusal where it does not fit."""
    channel = wish["channel"]
    wrong = [name for name, needed in PARTS.items() if name in wish and channel != needed]
    if wrong:
        errors = [{"pointer": f"#/{name}", "detail": f"Only {PARTS[name]} carries this."} for name in wrong]
        raise Refusal("channel-mismatch", f"{channel} does not carry all of this.", errors=errors)
    text = cut(wish["body"])
    has_to_fit = channel == "sms" or wish.get("rcs", {}).get("sms_fallback", False)
    if has_to_fit and text.segments > MOST_SEGMENTS:
        detail = f"{text.segments} segments of {text.encoding} are too many."
        raise Refusal("too-many-segments", detail, pointer="#/body")
    return (text.encoding, text.segments) if channel == "sms" else (None, 1)
