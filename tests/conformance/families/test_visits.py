# ruff: noqa: D102, ARG002 - servers: their names say what they break, their methods are promises
"""Faults of what is stored, changed, moved and listed, in a contract with an envelope and without identities."""

from collections import Counter
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import Response

from devportal.conformance.families.changes import updated_resources
from devportal.conformance.families.creations import stored_resources
from devportal.conformance.families.filters import filters
from devportal.conformance.families.http import preconditions, repeat_reads
from devportal.conformance.families.idempotency import idempotency
from devportal.conformance.families.lists import list_totals, listed_resources, sorting
from devportal.conformance.families.paging import pagination
from devportal.conformance.families.states import actions
from devportal.conformance.families.validation import time_offsets
from devportal.conformance.family import Family
from tests.conformance.families.asking import run_family
from tests.conformance.families.servers.crates import CONTRACT as CRATES
from tests.conformance.families.servers.crates import Crates
from tests.conformance.families.servers.visits import CONTRACT, Refusal, Thing, Visits, titles
from tests.conformance.running import subject_of


class LosesTags(Visits):
    def stored_members(self, wish: Thing) -> Thing:
        return {name: value for name, value in wish.items() if name != "tags"}


class KeepsOneTag(Visits):
    def stored_members(self, wish: Thing) -> Thing:
        return {**wish, "tags": wish.get("tags", [])[:1]}


class RoundsFees(Visits):
    def stored_members(self, wish: Thing) -> Thing:
        return {**wish, "fee": int(wish.get("fee", 0))}


class AlwaysNorth(Visits):
    def stored_members(self, wish: Thing) -> Thing:
        return {**wish, "ward": "north"}


class TakesZeroForNone(Visits):
    def stored_members(self, wish: Thing) -> Thing:
        return {name: value for name, value in wish.items() if value or value is False}


class GoneAfterSomeReadings(Visits):
    def __init__(self) -> None:
        super().__init__()
        self.readings: Counter[int] = Counter()

    def visit_json(self, visit: Thing) -> Thing:
        self.readings[visit["id"]] += 1
        if self.readings[visit["id"]] > 4:
            raise Refusal(404, "it has expired")
        return visit


class ResetsTheRest(Visits):
    def change(self, visit: Thing, wish: Thing) -> Thing:
        return super().change(visit, {"ward": "north", "urgent": False, **wish})


class IgnoresUrgency(Visits):
    def change(self, visit: Thing, wish: Thing) -> Thing:
        return super().change(visit, {name: value for name, value in wish.items() if name != "urgent"})


class RespondsWithTheOld(Visits):
    def change(self, visit: Thing, wish: Thing) -> Thing:
        old = dict(visit)
        super().change(visit, wish)
        return old


class NeverTouches(Visits):
    def touch(self, visit: Thing) -> Thing:
        time = visit["updated_at"]
        return self.set_time(super().touch(visit), "updated_at", time)


class MovesTheCreation(Visits):
    def touch(self, visit: Thing) -> Thing:
        later = self.format_time(datetime.now(UTC) + timedelta(seconds=5))
        return self.set_time(super().touch(visit), "created_at", later)


class TurnsTimeBack(Visits):
    def touch(self, visit: Thing) -> Thing:
        earlier = self.format_time(datetime.now(UTC) - timedelta(hours=1))
        return self.set_time(super().touch(visit), "updated_at", earlier)


class NumbersAnew(Visits):
    def visit_json(self, visit: Thing) -> Thing:
        return {**visit, "id": visit["id"] + 1000 * self.versions.get(visit["id"], 0)}


class ListsCents(Visits):
    def item(self, visit: Thing) -> Thing:
        return {**visit, "fee": visit["fee"] * 10} if "fee" in visit else visit


class ListsOldStates(Visits):
    def item(self, visit: Thing) -> Thing:
        return {**visit, "status": "waiting"}


class CountsThePage(Visits):
    def total(self, visits: list[Thing], page: list[Thing]) -> int:
        return len(page)


class CountsEverything(Visits):
    def total(self, visits: list[Thing], page: list[Thing]) -> int:
        return len(self.visits)


class SmallPages(Visits):
    def default_limit(self) -> int:
        return 2


class SortsNothing(Visits):
    def sort_visits(self, visits: list[Thing], order: str) -> list[Thing]:
        return visits


class SortsOneWay(Visits):
    def sort_visits(self, visits: list[Thing], order: str) -> list[Thing]:
        return super().sort_visits(visits, order.removeprefix("-"))


class SortsNumbersAsTexts(Visits):
    def sort_visits(self, visits: list[Thing], order: str) -> list[Thing]:
        texts = [{**visit, "fee": str(visit["fee"])} for visit in visits if "fee" in visit]
        in_order = [sort_visit["id"] for sort_visit in super().sort_visits(texts, order)]
        return [self.visits[number] for number in in_order]


class FiltersByEither(Visits):
    def filter_visits(self, visits: list[Thing], given: Any) -> list[Thing]:
        if "ward" not in given or "urgent" not in given:
            return super().filter_visits(visits, given)
        alone = [
            super(FiltersByEither, self).filter_visits(visits, {name: given[name]})
            for name in ("ward", "urgent")
        ]
        return [visit for visit in visits if any(visit in each for each in alone)]


class FiltersByTheFirst(Visits):
    def filter_visits(self, visits: list[Thing], given: Any) -> list[Thing]:
        return super().filter_visits(visits, {"ward": given["ward"]} if "ward" in given else given)


class LosesPairs(Visits):
    def filter_visits(self, visits: list[Thing], given: Any) -> list[Thing]:
        return [] if "ward" in given and "urgent" in given else super().filter_visits(visits, given)


class ShowsOnly(Visits):
    """Shows a state that it does not store."""

    def move(self, visit: Thing, state: str) -> Thing:
        return {**visit, "status": state}


class Stays(Visits):
    def move(self, visit: Thing, state: str) -> Thing:
        return visit


class ShowsTheOldState(Visits):
    def move(self, visit: Thing, state: str) -> Thing:
        old = dict(visit)
        super().move(visit, state)
        return old


class ForgetsStates(Visits):
    """Shows a state once."""

    def visit_json(self, visit: Thing) -> Thing:
        now = dict(visit)
        visit["status"] = "waiting"
        return now


class DatesBack(Visits):
    def move(self, visit: Thing, state: str) -> Thing:
        return self.set_time(super().move(visit, state), f"{state}_at", "2020-01-01T00:00:00Z")


class DropsOffsets(Visits):
    def instant(self, text: str) -> str:
        return self.format_time(datetime.fromisoformat(text).replace(tzinfo=UTC))


class RefusesOffsets(Visits):
    def instant(self, text: str) -> str:
        if not text.endswith("Z"):
            raise Refusal(422, "no time")
        return super().instant(text)


class AdmitsEachPatientOnce(Visits):
    """Its rule is no fault: two creations that differ in a time alone are one patient."""

    def stored_members(self, wish: Thing) -> Thing:
        if any(visit["patient"] == wish.get("patient") for visit in self.visits.values()):
            raise Refusal(409, "this patient is here")
        return super().stored_members(wish)


class AdmitsOnceWithoutOffsets(AdmitsEachPatientOnce, RefusesOffsets):
    pass


class ListsTheNewestFirst(Visits):
    """Visits come seconds apart, and all are due at one time."""

    seconds = 0

    def now(self) -> str:
        self.seconds += 3
        return self.format_time(datetime.now(UTC) + timedelta(seconds=self.seconds))

    def sort_visits(self, visits: list[Thing], order: str) -> list[Thing]:
        return super().sort_visits(visits, order) if order else visits[::-1]


class IgnoresVersions(Visits):
    def check_version(self, request: Request, visit: Thing) -> None:
        return


class IgnoresOldVersions(Visits):
    """Rejects a tag that it never made, and no old one."""

    def check_version(self, request: Request, visit: Thing) -> None:
        if request.headers.get("if-match", '"1-').split("-")[0] != f'"{visit["id"]}':
            raise Refusal(412, "it has changed")


class TagsEachReading(Visits):
    count = 0

    def tag(self, visit: Thing) -> str:
        self.count += 1
        return f'"{self.count}"'


class OneTag(Visits):
    def tag(self, visit: Thing) -> str:
        return f'"{visit["id"]}"'


class IgnoresKeys(Visits):
    def run_once(self, request: Request, body: bytes, do: Callable[[], Response]) -> Response:
        return do() if request.url.path.endswith(("admit", "end")) else super().run_once(request, body, do)


class TakesAnyBody(Visits):
    def refuse_other_body(self) -> None:
        return


CREATED, CHANGED = stored_resources.FAMILY, updated_resources.FAMILY
LISTED, TOTALS = listed_resources.FAMILY, list_totals.FAMILY
PAIR = "the filters 'ward' and 'urgent' do not combine"
FAULTS: tuple[tuple[type[Visits], Family, str], ...] = (
    (LosesTags, CREATED, "members of a creation are lost"),
    (KeepsOneTag, CREATED, "members of a creation are lost"),
    (RoundsFees, CREATED, "members of a creation are replaced"),
    (AlwaysNorth, CREATED, "members of a creation are replaced"),
    (TakesZeroForNone, CREATED, "members of a creation are lost"),
    (GoneAfterSomeReadings, repeat_reads.FAMILY, "a thing comes and goes"),
    (ResetsTheRest, CHANGED, "a change loses what it does not name"),
    (IgnoresUrgency, CHANGED, "a change ignores a member"),
    (RespondsWithTheOld, CHANGED, "the response to a change shows another value"),
    (NeverTouches, CHANGED, "a change does not move 'updated_at'"),
    (MovesTheCreation, CHANGED, "a change moves the creation time"),
    (TurnsTimeBack, CHANGED, "a change turns 'updated_at' back"),
    (NumbersAnew, CHANGED, "a change gives another identifier"),
    (ListsCents, LISTED, "a list shows other values than a reading"),
    (ListsOldStates, LISTED, "a list shows other values than a reading"),
    (CountsThePage, TOTALS, "'meta.total' is not the number of items"),
    (CountsEverything, TOTALS, "'meta.total' is not the number of items"),
    (SmallPages, pagination.FAMILY, "a page holds fewer items than the default"),
    (SortsNothing, sorting.FAMILY, "'sort' does not sort the list"),
    (SortsOneWay, sorting.FAMILY, "'sort' does not sort the list"),
    (SortsNumbersAsTexts, sorting.FAMILY, "'sort' does not sort the list"),
    (ListsTheNewestFirst, sorting.FAMILY, "a list is not oldest first"),
    (FiltersByEither, filters.FAMILY, PAIR),
    (FiltersByTheFirst, filters.FAMILY, PAIR),
    (LosesPairs, filters.FAMILY, PAIR),
    (ShowsOnly, actions.FAMILY, "an action is not read back"),
    (Stays, actions.FAMILY, "an action leaves the state as it was"),
    (ShowsTheOldState, actions.FAMILY, "the response to an action shows the old state"),
    (ForgetsStates, actions.FAMILY, "the state goes back after an action"),
    (MovesTheCreation, actions.FAMILY, "an action moves the creation time"),
    (DatesBack, actions.FAMILY, "the time of a state is before an earlier one"),
    (DropsOffsets, time_offsets.FAMILY, "the offset of 'due' is lost"),
    (RefusesOffsets, time_offsets.FAMILY, "the offset of 'due' is rejected"),
    (IgnoresVersions, preconditions.FAMILY, "a change of another version is not rejected"),
    (IgnoresOldVersions, preconditions.FAMILY, "a change of another version is not rejected"),
    (TagsEachReading, repeat_reads.FAMILY, "an ETag changes without a change"),
    (OneTag, repeat_reads.FAMILY, "one tag for two versions"),
    (IgnoresKeys, idempotency.FAMILY, "a repeated request is rejected"),
    (TakesAnyBody, idempotency.FAMILY, "a key is taken for another body"),
)


@pytest.mark.parametrize(("app", "family", "title"), FAULTS)
def test_each_fault_is_found_once(app: type[Visits], family: Family, title: str) -> None:
    """Each faulty server has one failure, under its title."""
    assert titles(family, app()) == {title}


@pytest.mark.parametrize(
    "family",
    {id(other_family): other_family for _, other_family, _ in FAULTS}.values(),
    ids=lambda item: item.name,
)
def test_the_right_server_is_left_alone(family: Family) -> None:
    """Each family tests the right server, and finds nothing."""
    assert titles(family, Visits()) == set()


class RejectsChanges(Visits):
    def check_version(self, request: Request, visit: Thing) -> None:
        raise Refusal(422, "visits are closed")


def test_a_change_that_is_rejected_for_its_data_proves_nothing_about_versions() -> None:
    """A tag that no version has is rejected like any other: whether versions are compared is not known."""
    log = run_family(preconditions.FAMILY, RejectsChanges(), subject_of(CONTRACT))

    assert (
        log.untested_probes[preconditions.FAMILY.name, "PATCH /v1/visits/{visit_id}"]
        == "a change that the deployment accepts"
    )
    assert not log.failures


def test_what_is_unique_is_no_matter_of_offsets() -> None:
    """Where a patient is admitted once, other patients tell whether an offset is understood."""
    assert titles(time_offsets.FAMILY, AdmitsEachPatientOnce()) == set()
    assert titles(time_offsets.FAMILY, AdmitsOnceWithoutOffsets()) == {"the offset of 'due' is rejected"}


@pytest.mark.parametrize(
    ("family", "reason"),
    [
        (TOTALS, "documents its number of items"),
        (sorting.FAMILY, "a parameter such as `sort`"),
        (actions.FAMILY, "names a value of the state"),
        (preconditions.FAMILY, "`If-Match`"),
        (time_offsets.FAMILY, "a `date-time` from the client"),
    ],
)
def test_a_contract_without_the_feature_is_not_tested(family: Family, reason: str) -> None:
    """What a contract does not have is not tested, and the reason says what it would need."""
    log = run_family(family, Crates(), subject_of(CRATES))

    assert not log.tallies
    assert reason in family.needs
