"""The lists in which a contract shows the deliveries to a receiver: a row for each event, with its last attempt."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any

from devportal.conformance.webhooks.event_matching import TYPE_WORDS
from devportal.conformance.webhooks.receiver_words import URL_WORDS
from devportal.contract import Schema
from devportal.contract.conventions import matches_any_name
from devportal.contract.values.instants import time_value
from devportal.contract.wording import name_words
from devportal.documents import member_at, with_member_at
from devportal.mock.events.delivery_writer import Delivery
from devportal.mock.http.exchange import Moment
from devportal.mock.mock import Mock
from devportal.mock.resources.plan import ResourceType
from devportal.mock.resources.store import Record, Scope, State
from devportal.serving.retries import is_taken

_TAKEN = frozenset({"delivered", "succeeded", "success", "successful", "sent", "ok", "completed", "taken"})
_WAITING = frozenset({"pending", "retrying", "queued", "scheduled", "waiting", "processing"})
_FAILED = frozenset({"failed", "failure", "error", "exhausted", "undelivered", "dead"})
"""States of deliveries, by the words that contracts have for them."""
_COUNTS = ("attempts", "attempt", "tries", "attempt_count", "attempt_number", "attempts_count", "retries")
_STATUSES = ("status_code", "response_status", "http_status", "response_code", "response_status_code", "code")
_EVENT_IDS = ("event_id", "event", "webhook_id", "message_id", "notification_id")


@dataclass(frozen=True, slots=True, kw_only=True)
class Attempt:
    """An attempt to deliver something: its number from 1, the status of the response, None without one, and whether
    there is another one.
    """

    delivery: Delivery
    number: int
    status: int | None
    is_last: bool


class DeliveryLog:
    """Writes attempts into the lists that show them."""

    def __init__(self, mock: Mock) -> None:
        """Take the mock whose contract has the lists."""
        self._mock = mock
        self._types = tuple(type_ for type_ in mock.plan.types if type_.is_delivery_log)
        self._rows: dict[tuple[str, Scope, str], str] = {}

    def rows(self, attempt: Attempt, state: State, moment: Moment) -> Iterator[Record]:
        """Yield the rows that show an attempt, each as it is from now on: none for lists of other receivers."""
        for kind in self._types:
            scope = self._scope(kind, attempt.delivery)
            if scope is not None:
                yield self._row(kind, scope, attempt, state, moment)

    @staticmethod
    def _scope(kind: ResourceType, delivery: Delivery) -> Scope | None:
        """Return where a list has its rows for a delivery, None if it is that of others."""
        if not kind.scope_names:
            return ()
        own = delivery.subscription
        return own if own is not None and len(own) == len(kind.scope_names) else None

    def _row(
        self, kind: ResourceType, scope: Scope, attempt: Attempt, state: State, moment: Moment
    ) -> Record:
        key = kind.path, scope, f"{attempt.delivery.event_id} {attempt.delivery.url}"
        before = state.find(kind.path, scope, self._rows.get(key, ""))
        sample = self._mock.records.sample_members(kind)
        members: dict[str, Any] = dict(before.members if before is not None else sample)
        shape = self._mock.records.members_of(kind)
        for name, member in tuple(members.items()):
            schema = shape.get(name)
            fact = _fact(name, schema, member, attempt, moment, is_new=before is None)
            is_allowed = schema is None or self._mock.representations.is_valid(schema, fact)
            if fact is not None and is_allowed and name not in kind.key[:1]:
                members[name] = fact
        members |= self._mock.records.parent_members(kind, scope)
        if before is not None:
            return replace(before, members=members, version=before.version + 1)
        new = self._mock.records.identifiers.make(kind, scope, state, moment)
        if kind.key and member_at(members, kind.key) is not None:
            members = with_member_at(members, kind.key, new)
        self._rows[key] = str(new)
        return Record(type=kind.path, scope=scope, id=str(new), members=members, serial=moment.serial)


def _fact(
    name: str, schema: Schema | None, member: Any, attempt: Attempt, moment: Moment, *, is_new: bool
) -> Any:
    """Return what a member of a row says of an attempt, None if it says something else."""
    words = set(name_words(name))
    if matches_any_name(name, _EVENT_IDS) and isinstance(member, str):
        return attempt.delivery.event_id if "id" in words else attempt.delivery.event
    if matches_any_name(name, _COUNTS) and isinstance(member, int):
        return attempt.number
    if isinstance(member, int) and (matches_any_name(name, _STATUSES) or "status" in words):
        return attempt.status
    if schema is not None and (state := _state(schema, attempt)):
        return state
    if isinstance(member, str) and words & TYPE_WORDS:
        return attempt.delivery.event
    if isinstance(member, str) and words & URL_WORDS:
        return attempt.delivery.url
    is_time = schema is not None and schema.format == "date-time" and isinstance(member, str)
    if is_time and schema is not None and (is_new or not words & {"created"}):
        return time_value(schema, member, moment.now, lambda _: True)
    return None


def _state(schema: Schema, attempt: Attempt) -> str:
    """Return the value of an enumeration that names the outcome of an attempt, empty if it has none."""
    outcome = _TAKEN if is_taken(attempt.status) else _FAILED if attempt.is_last else _WAITING
    values = [item for item in schema.enum if isinstance(item, str)]
    return next((value for value in values if set(name_words(value)) & outcome), "")
