# ruff: noqa: D102, ARG002 - servers: their names say what they break, their methods are promises
"""Repeated requests do nothing twice."""

import contextlib
import threading
from typing import Any

import pytest
from starlette.responses import Response

from devportal.conformance.families.idempotency import (
    idempotency,
    idempotency_keys,
    idempotency_tenants,
)
from devportal.conformance.family import Family
from tests.apps.library import MAIN, Library, Refusal, Thing
from tests.conformance.credential_sets import single_credential
from tests.conformance.families.lending import asked_of, failure_titles, library


class ForgetsKeys(Library):
    def replay(self, tenant: str, wish: Thing, body: bytes, before: bytes, book: Thing) -> Response:
        return self.created_response(self.store(tenant, wish) if body == before else book)


class RefusesRepetitions(Library):
    def replay(self, tenant: str, wish: Thing, body: bytes, before: bytes, book: Thing) -> Response:
        raise Refusal(422, "it was used")


class TakesAnyBody(Library):
    def replay(self, tenant: str, wish: Thing, body: bytes, before: bytes, book: Thing) -> Response:
        return self.created_response(book)


class Meeting(Library):
    """Goes on with a request when another one has come meanwhile, or none for a while."""

    alone_after_s = 0.5

    def __init__(self) -> None:
        super().__init__()
        self.came, self.arrivals = 0, threading.Condition()

    def arrive(self) -> int:
        with self.arrivals:
            self.came += 1
            self.arrivals.notify_all()
            return self.came

    def pause(self) -> None:
        number = self.arrive()
        with self.arrivals:
            self.arrivals.wait_for(lambda: self.came > number, timeout=self.alone_after_s)


class Races(Meeting):
    def guard(self) -> Any:
        return contextlib.nullcontext()


class DiesOfDuplicates(Races):
    def __init__(self) -> None:
        super().__init__()
        self.unique = threading.Lock()

    def pause(self) -> None:
        if not self.unique.acquire(blocking=False):
            self.arrive()
            raise Refusal(500, "unique index")
        try:
            super().pause()
        finally:
            self.unique.release()


class LongKeysOnly(Library):
    def check_key(self, key: str) -> None:
        if len(key) < 16:
            raise Refusal(400, "no key")


class ShortColumn(Library):
    def check_key(self, key: str) -> None:
        if len(key) > 40:
            raise Refusal(500, "too long for the column")


class DiesOfCapitals(Library):
    def place(self, tenant: str, key: str) -> Any:
        if key.lower() != key and (tenant, key.lower()) in self.keys:
            raise Refusal(500, "unique index")
        return tenant, key


class OneForAll(Library):
    def place(self, tenant: str, key: str) -> Any:
        return key


class OneForAllRefuses(OneForAll):
    def replay(self, tenant: str, wish: Thing, body: bytes, before: bytes, book: Thing) -> Response:
        if book["id"] not in self.books.get(tenant, {}):
            raise Refusal(409, "it is taken")
        return super().replay(tenant, wish, body, before, book)


@pytest.mark.parametrize(
    ("app", "family", "title"),
    [
        (ForgetsKeys, idempotency.FAMILY, "a repeated request makes a second thing"),
        (RefusesRepetitions, idempotency.FAMILY, "a repeated request is rejected"),
        (TakesAnyBody, idempotency.FAMILY, "a key is taken for another body"),
        (Races, idempotency.FAMILY, "duplicates at the same time make several things"),
        (DiesOfDuplicates, idempotency.FAMILY, "duplicates at the same time are a server error"),
        (LongKeysOnly, idempotency_keys.FAMILY, "an allowed key is rejected"),
        (ShortColumn, idempotency_keys.FAMILY, "an allowed key is rejected"),
        (DiesOfCapitals, idempotency_keys.FAMILY, "a key in another case is a server error"),
        (OneForAll, idempotency_tenants.FAMILY, "another account gets the result of a key"),
        (OneForAllRefuses, idempotency_tenants.FAMILY, "a key of another account is rejected"),
    ],
    ids=lambda item: item.__name__ if isinstance(item, type) else "",
)
def test_each_wrong_server_is_found(app: type[Library], family: Family, title: str) -> None:
    """Forgotten, refused, shared and raced keys are told apart."""
    assert title in failure_titles(family, app())


class TakesEachBookOnce(Library):
    """Refuses a second book with the same title, whatever the key."""

    def store(self, tenant: str, wish: Thing) -> Thing:
        if any(book["title"] == wish.get("title") for book in self.books.get(tenant, {}).values()):
            raise Refusal(422, "we have it")
        return super().store(tenant, wish)


def test_a_request_that_is_accepted_once_says_nothing_of_its_key() -> None:
    """An ordinary key is refused with it, too."""
    assert "an allowed key is rejected" not in failure_titles(idempotency_keys.FAMILY, TakesEachBookOnce())


class BusyWithTheFirst(Meeting):
    """Refuses a request while another with its key is running."""

    alone_after_s = 0.05

    def __init__(self) -> None:
        super().__init__()
        self.running: set[str] = set()
        self.noting = threading.Lock()

    def check_key(self, key: str) -> None:
        super().check_key(key)
        with self.noting:
            if key in self.running:
                self.arrive()
                raise Refusal(409, "it is running")
            self.running.add(key)

    def created_response(self, book: Thing) -> Response:
        self.running.clear()
        return super().created_response(book)


class AnyCase(Library):
    """Takes keys without regard to case, and other bodies as new requests."""

    def place(self, tenant: str, key: str) -> Any:
        return tenant, key.lower()


@pytest.mark.parametrize("app", [Library, BusyWithTheFirst, AnyCase])
@pytest.mark.parametrize("family", [idempotency.FAMILY, idempotency_keys.FAMILY, idempotency_tenants.FAMILY])
def test_right_servers_are_left_in_peace(app: type[Library], family: Family) -> None:
    """409 while the first is running, and keys without case, are no faults."""
    log = asked_of(family, app())

    assert not log.failures
    assert log.tallies


def test_without_another_account_it_is_said_what_is_missing() -> None:
    """Nothing is asked, nothing is counted as passed, and the variable is named."""
    log = asked_of(idempotency_tenants.FAMILY, Library(), library(single_credential(MAIN)))

    assert not log.tallies
    assert [untested_check.reason for untested_check in log.untested_checks] == [
        "a credential of another account: set DEVPORTAL_OTHER_TENANT_TOKEN"
    ]
