# ruff: noqa: D102, ARG002 - servers: their names say what they break, their methods are promises
"""Faults of what can be created only once from the same request: a hall has one booking on a day."""

from datetime import date
from pathlib import Path
from typing import Any

import pytest
import yaml
from starlette.requests import Request
from starlette.responses import Response

from devportal.conformance.families.changes import updated_resources
from devportal.conformance.families.creations import unique_values
from devportal.conformance.families.filters import filters
from devportal.conformance.families.idempotency import idempotency
from devportal.conformance.families.lists import list_totals, listed_resources, sorting
from devportal.conformance.families.registry import FAMILIES
from devportal.conformance.families.responses import correlation
from devportal.conformance.families.states import actions
from devportal.conformance.family import Family
from tests.conformance.families.asking import titles_for_contract
from tests.conformance.families.servers.halls import CONTRACT, Halls
from tests.conformance.families.servers.server import Thing


class MakesSecondBookings(Halls):
    def book(self, data: Thing, key: str) -> Thing:
        return super().book(data, "")

    def overlaps(self, other: Thing, data: Thing) -> bool:
        return super().overlaps(other, data) and other["guest"] != data["guest"]


class CancelsNothing(Halls):
    def cancel(self, booking: Thing) -> Thing:
        return super().cancel({**booking})


class ConfirmsCancelled(Halls):
    def confirm(self, booking: Thing) -> Thing:
        if booking["status"] == "cancelled":
            booking["status"] = "requested"
        return super().confirm(booking)


class LosesTheFirstDay(Halls):
    def fits(self, booking: Thing, first: date, seats: int) -> bool:
        return date.fromisoformat(booking["first_day"]) > first and booking["seats"] >= seats


class LosesChanges(Halls):
    def change(self, booking: Thing, data: Thing) -> Thing:
        super().change({**booking}, data)
        return {**booking, **data}


class HidesNewHalls(Halls):
    def list_halls(self, request: Any) -> list[Thing]:
        return super().list_halls(request)[:1]


class SortsTheOtherWay(Halls):
    def default_order(self) -> str:
        return "first_day"


class LooksAtTheStart(Halls):
    def has_part(self, booking: Thing, part: str) -> bool:
        return bool(booking["guest"].lower().startswith(part.lower()))


class LooksAtCase(Halls):
    def has_part(self, booking: Thing, part: str) -> bool:
        return part in booking["guest"]


class ForgetsConfirmations(Halls):
    def cancel(self, booking: Thing) -> Thing:
        return {**super().cancel(booking), **self.forget(booking)}

    def forget(self, booking: Thing) -> Thing:
        booking["confirmed_at"] = None
        return booking


class RenamesArchivedHalls(Halls):
    def archive(self, hall: Thing) -> None:
        super().archive(hall)
        hall["name"] = f"{hall['name'][:50]} (old)"


class CountsConfirmedBookings(Halls):
    def count_open(self, bookings: list[Thing]) -> int:
        return sum(1 for each in bookings if each["status"] == "confirmed")


class CountsCancelledBookings(Halls):
    def count_open(self, bookings: list[Thing]) -> int:
        return len(bookings)


class TakesOverlaps(Halls):
    def overlaps(self, other: Thing, data: Thing) -> bool:
        return False


class ComparesFirstDays(Halls):
    def overlaps(self, other: Thing, data: Thing) -> bool:
        return super().overlaps(other, data) and bool(other["first_day"] == data["first_day"])


class KeepsCancelledDays(Halls):
    def overlaps(self, other: Thing, data: Thing) -> bool:
        return super().overlaps({**other, "status": "confirmed"}, data)


class IgnoresStates(Halls):
    def is_sought(self, booking: Thing, data: Thing) -> bool:
        return super().is_sought(booking, {**data, "statuses": [booking["status"]]})


class FindsTheFirstState(Halls):
    def is_sought(self, booking: Thing, data: Thing) -> bool:
        first = {"statuses": data["statuses"][:1]} if "statuses" in data else {}
        return super().is_sought(booking, {**data, **first})


class SearchesWithCase(Halls):
    def is_sought(self, booking: Thing, data: Thing) -> bool:
        return super().is_sought(booking, data) and data.get("text", "") in booking["guest"]


class FindsEverything(Halls):
    def search(self, data: Thing) -> list[Thing]:
        return super().search({**data, "limit": 90})


class TurnsResultsAround(Halls):
    def summarise(self, results: list[Thing]) -> Thing:
        return super().summarise(results[::-1])


class StopsAtTheUnknown(Halls):
    def summarise(self, results: list[Thing]) -> Thing:
        known = [each["cancelled"] for each in results]
        return super().summarise(results[: known.index(False) + 1] if False in known else results)


class NamesRequestsItself(Halls):
    def request_id(self, given: str) -> str:
        return super().request_id("")


class LooksAtTheFirstFeature(Halls):
    def has_features(self, hall: Thing, wanted: list[str]) -> bool:
        return super().has_features(hall, wanted[:1])


class WantsNothingElse(Halls):
    def has_features(self, hall: Thing, wanted: list[str]) -> bool:
        return super().has_features(hall, wanted) and (not wanted or len(hall["features"]) == 1)


class TogglesArchived(Halls):
    def archive(self, hall: Thing) -> None:
        hall["archived"] = not hall["archived"]


class TakesAnyBody(Halls):
    def refuse_key(self) -> Thing:
        return next(iter(self.bookings.values()))


SEARCH = "POST /bookings/search"
OVERLAP = "POST /bookings: a period that overlaps another one is accepted"
COUNT = "GET /halls/{hall_id}: 'open_bookings' is not the number of what it counts"


@pytest.mark.parametrize(
    ("family", "app", "failures"),
    [
        (
            idempotency,
            MakesSecondBookings,
            {
                "POST /bookings: a repeated request makes a second thing",
                "POST /bookings: duplicates at the same time make several things",
            },
        ),
        (actions, CancelsNothing, {"POST /bookings/{booking_id}/cancel: an action is not read back"}),
        (
            actions,
            ConfirmsCancelled,
            {"POST /bookings/{booking_id}/confirm: an operation is accepted in another state"},
        ),
        (filters, LosesTheFirstDay, {"GET /bookings: the filter 'from' loses items"}),
        (filters, LooksAtTheStart, {"GET /bookings: the filter 'guest_contains' loses items"}),
        (filters, LooksAtCase, {"GET /bookings: the filter 'guest_contains' loses items"}),
        (sorting, SortsTheOtherWay, {"GET /bookings: a list is not in the default order of 'sort'"}),
        (idempotency, TakesAnyBody, {"POST /bookings: a key is taken for another body"}),
        (
            actions,
            ForgetsConfirmations,
            {"POST /bookings/{booking_id}/cancel: an action changes 'confirmed_at', which it keeps"},
        ),
        (
            actions,
            RenamesArchivedHalls,
            {"POST /halls/{hall_id}/archive: an action changes 'name', which it keeps"},
        ),
        (
            actions,
            TogglesArchived,
            {"POST /halls/{hall_id}/archive: an action that is repeated undoes itself"},
        ),
        (list_totals, CountsConfirmedBookings, {COUNT}),
        (list_totals, CountsCancelledBookings, {COUNT}),
        (unique_values, TakesOverlaps, {OVERLAP}),
        (unique_values, ComparesFirstDays, {OVERLAP}),
        (unique_values, KeepsCancelledDays, {"POST /bookings: what is 'cancelled' still takes its place"}),
        (filters, IgnoresStates, {f"{SEARCH}: the filter 'statuses' lets other items through"}),
        (filters, FindsTheFirstState, {f"{SEARCH}: the filter 'statuses' loses items"}),
        (filters, SearchesWithCase, {f"{SEARCH}: the filter 'text' loses items"}),
        (filters, FindsEverything, {f"{SEARCH}: a page holds more items than were asked for"}),
        (
            updated_resources,
            TurnsResultsAround,
            {"POST /bookings/cancel: the results of a bulk request are in another order"},
        ),
        (
            updated_resources,
            StopsAtTheUnknown,
            {"POST /bookings/cancel: a bulk request has no result for each identifier"},
        ),
        (correlation, NamesRequestsItself, {"GET /halls: the X-Request-Id of a request is not returned"}),
        (filters, LooksAtTheFirstFeature, {"GET /halls: the filter 'feature' lets other items through"}),
        (filters, WantsNothingElse, {"GET /halls: the filter 'feature' loses items"}),
        (updated_resources, LosesChanges, {"PATCH /bookings/{booking_id}: a change is not read back"}),
        (listed_resources, HidesNewHalls, {"GET /halls: what was created is not in its list"}),
    ],
)
def test_each_wrong_server_is_found(family: Any, app: type[Halls], failures: set[str]) -> None:
    """Each server breaks one promise, and the failure says which."""
    assert titles_for_contract(family.FAMILY, app(), CONTRACT) == failures


class ShowsListsOfStates(Halls):
    def search(self, data: Thing) -> list[Thing]:
        return [{**found, "status": [found["status"]]} for found in super().search(data)]


def test_values_of_another_type_are_not_searched_for() -> None:
    """Other checks report them."""
    assert titles_for_contract(filters.FAMILY, ShowsListsOfStates(), CONTRACT) == set()


class ConfirmsTwice(Halls):
    def confirm(self, booking: Thing) -> Thing:
        return super().confirm(booking) if booking["status"] != "confirmed" else booking


def test_states_behind_a_later_action_are_tried(tmp_path: Path) -> None:
    """The first action of the contract may lead to a state without others."""
    contract = tmp_path / "halls.yaml"
    before, mark, rest = CONTRACT.read_text(encoding="utf-8").partition("  /bookings/{booking_id}/confirm:")
    confirm, other_mark, rest = rest.partition("  /bookings/{booking_id}/cancel:")
    cancel, end, rest = rest.partition("components:")
    turned = f"{before}{other_mark}{cancel}{mark}{confirm}{end}{rest}"
    contract.write_text(turned, encoding="utf-8")

    assert titles_for_contract(actions.FAMILY, ConfirmsTwice(), contract) == {
        "POST /bookings/{booking_id}/confirm: an operation is accepted in another state"
    }
    assert titles_for_contract(actions.FAMILY, Halls(), contract) == set()


class HasOneBooking(Halls):
    def overlaps(self, other: Thing, data: Thing) -> bool:
        return bool(other["hall_id"] == data["hall_id"] and other["status"] != "cancelled")


class HasOneBookingForever(Halls):
    def overlaps(self, other: Thing, data: Thing) -> bool:
        return bool(other["hall_id"] == data["hall_id"])


@pytest.mark.parametrize(
    ("app", "failures"),
    [
        (HasOneBooking, set()),
        (TakesOverlaps, {"POST /bookings: a second one is accepted"}),
        (HasOneBookingForever, {"POST /bookings: what is 'cancelled' still takes its place"}),
    ],
)
def test_there_may_be_one_only(app: type[Halls], failures: set[str], tmp_path: Path) -> None:
    """A contract need not mention periods."""
    contract = tmp_path / "halls.yaml"
    words = "A booking that overlaps one of the hall that is not `cancelled` is rejected with 409."
    others = "A hall has one booking that is not `cancelled`: a second one is rejected with 409."
    contract.write_text(CONTRACT.read_text(encoding="utf-8").replace(words, others), encoding="utf-8")

    assert titles_for_contract(unique_values.FAMILY, app(), contract) == failures


@pytest.mark.parametrize(
    "family", [family for family in FAMILIES if family.probes is not None], ids=lambda item: str(item.name)
)
def test_the_right_server_is_not_accused(family: Family) -> None:
    """The right server keeps the promises of every family."""
    assert titles_for_contract(family, Halls(), CONTRACT) == set()


class SearchesByQuery(Halls):
    def respond(self, request: Request, body: bytes) -> Response:
        if request.method == "QUERY":
            return self.respond_beside("POST", ["bookings", "search"], body)
        return super().respond(request, body)


class FindsEverythingByQuery(SearchesByQuery, FindsEverything):
    pass


@pytest.mark.parametrize(
    "app", [pytest.param(SearchesByQuery, marks=pytest.mark.deep), FindsEverythingByQuery]
)
def test_a_query_of_a_collection_is_a_search(app: type[Halls], tmp_path: Path) -> None:
    """The method QUERY (OAS 3.2.0 §4.8) has its conditions in its body, as a POST of `/bookings/search` has."""
    document = yaml.safe_load(CONTRACT.read_text(encoding="utf-8"))
    search = document["paths"].pop("/bookings/search")["post"]
    document["paths"]["/bookings"]["query"] = search
    contract = tmp_path / "halls.yaml"
    contract.write_text(yaml.safe_dump({**document, "openapi": "3.2.0"}, sort_keys=False), encoding="utf-8")

    found = {
        title for title in titles_for_contract(filters.FAMILY, app(), contract) if title.startswith("QUERY")
    }
    assert bool(found) is (app is FindsEverythingByQuery)
