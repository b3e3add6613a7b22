# ruff: noqa: D102, ARG002 - servers: their names say what they break, their methods are promises
"""Faults of chosen members, languages, days that bound times, moves, and members that a request cannot have."""

import json
from datetime import date, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from devportal.conformance.families.changes import read_only_members
from devportal.conformance.families.deletions import deleted_resources
from devportal.conformance.families.filters import filters
from devportal.conformance.families.http import languages
from devportal.conformance.families.references import unknown_ids
from devportal.conformance.families.registry import FAMILIES
from devportal.conformance.families.responses import consistent_members, sparse_fields
from devportal.conformance.families.states import actions
from devportal.conformance.families.validation import query_parameters
from devportal.conformance.family import Family
from tests.conformance.families.asking import titles_for_contract
from tests.conformance.families.servers.clinic import CONTRACT, MEMBERS, Clinic
from tests.conformance.families.servers.server import Thing
from tests.conformance.running import subject_of


class ReturnsEverything(Clinic):
    def pick(self, visit: Thing, names: set[str] | None) -> Thing:
        return visit


class ReturnsOneMore(Clinic):
    def pick(self, visit: Thing, names: set[str] | None) -> Thing:
        return super().pick(visit, names and {*names, "patient_name"})


class LosesTheStatus(Clinic):
    def pick(self, visit: Thing, names: set[str] | None) -> Thing:
        return super().pick(visit, names and names - {"status"})


class ChoosesUnknownMembers(Clinic):
    def chosen_names(self, query: dict[str, str]) -> set[str] | None:
        return MEMBERS.intersection(query["fields"].split(",")) if "fields" in query else None


class SpeaksEnglish(Clinic):
    def language(self, accepted: str) -> str:
        return "en"


class StatesEnglish(Clinic):
    def stated_language(self, language: str) -> str:
        return "en"


class MixesLanguages(Clinic):
    def language(self, accepted: str) -> str:
        return {"fr": "de", "de": "fr"}.get(accepted, "en")


class TakesEveryMember(Clinic):
    """Knows the members of a visit, and forgets which of them a request may have."""

    def read(self, operation: str, body: bytes) -> Thing:
        if operation != "changeVisit":
            return super().read(operation, body)
        data = json.loads(body)
        known = {name: value for name, value in data.items() if name in MEMBERS}
        allowed = {name: value for name, value in data.items() if name not in MEMBERS - {"patient_name"}}
        return {**known, **super().read(operation, json.dumps(allowed).encode())}


class LeavesOutTheLastDay(Clinic):
    """Takes the last day for its first moment."""

    def is_to(self, start: datetime, day: date) -> bool:
        return start.date() < day


class IgnoresTheFirstDay(Clinic):
    def is_from(self, start: datetime, day: date) -> bool:
        return True


class LeavesOutTheTime(Clinic):
    def is_until(self, start: datetime, time: datetime) -> bool:
        return start < time


class MovesAnywhere(Clinic):
    def move(self, visit: Thing, ward_id: str) -> Thing:
        visit["ward_id"] = ward_id
        return visit


class TakesVisitsWithoutDuration(Clinic):
    def add(self, data: Thing) -> Thing:
        start, end = (datetime.fromisoformat(data[name]) for name in ("starts_at", "ends_at"))
        later = (start + timedelta(hours=1)).isoformat()
        visit = super().add({**data, "ends_at": later if start == end else data["ends_at"]})
        visit["ends_at"] = data["ends_at"]
        return visit


class ForgetsMoves(Clinic):
    def move(self, visit: Thing, ward_id: str) -> Thing:
        return super().move({**visit}, ward_id)


class KeepsLetters(Clinic):
    def delete(self, key: str) -> None:
        del self.visits[key]


LIST, READ, MOVE = "GET /visits", "GET /visits/{visit_id}", "POST /visits/{visit_id}/move"
UNASKED = "'fields' does not leave out what is not asked for"
LOST = "'fields' leaves out a member that is asked for"
FORBIDDEN_NAME = "a query parameter that its enum or pattern forbids is accepted"
OTHER_LANGUAGE = "a response has another language than was asked for"


@pytest.mark.parametrize(
    ("family", "app", "failures"),
    [
        (sparse_fields, ReturnsEverything, {f"{LIST}: {UNASKED}", f"{READ}: {UNASKED}"}),
        (sparse_fields, ReturnsOneMore, {f"{LIST}: {UNASKED}", f"{READ}: {UNASKED}"}),
        (sparse_fields, LosesTheStatus, {f"{LIST}: {LOST}", f"{READ}: {LOST}"}),
        (query_parameters, ChoosesUnknownMembers, {f"{LIST}: {FORBIDDEN_NAME}", f"{READ}: {FORBIDDEN_NAME}"}),
        (languages, SpeaksEnglish, {f"{READ}: {OTHER_LANGUAGE}"}),
        (languages, StatesEnglish, {f"{READ}: Content-Language states another language"}),
        (languages, MixesLanguages, {f"{READ}: {OTHER_LANGUAGE}"}),
        (
            read_only_members,
            TakesEveryMember,
            {"PATCH /visits/{visit_id}: a client sets members that a request cannot have"},
        ),
        (filters, LeavesOutTheLastDay, {f"{LIST}: the filter 'starts_to' loses items"}),
        (filters, IgnoresTheFirstDay, {f"{LIST}: the filter 'starts_from' lets other items through"}),
        (filters, LeavesOutTheTime, {f"{LIST}: the filter 'starts_until' loses items"}),
        (unknown_ids, MovesAnywhere, {f"{MOVE}: 'ward_id' takes what does not exist"}),
        (
            deleted_resources,
            KeepsLetters,
            {
                "DELETE /visits/{visit_id}: what was stored below a deleted resource can still be read",
            },
        ),
        (
            consistent_members,
            TakesVisitsWithoutDuration,
            {"POST /visits: 'ends_at' is accepted out of order"},
        ),
        (actions, ForgetsMoves, {f"{MOVE}: an action is not read back"}),
    ],
)
def test_each_wrong_server_is_found(family: Any, app: type[Clinic], failures: set[str]) -> None:
    """Each server breaks one promise, and the failure says which."""
    assert titles_for_contract(family.FAMILY, app(), CONTRACT) == failures


@pytest.mark.parametrize(
    "family", [family for family in FAMILIES if family.probes is not None], ids=lambda item: str(item.name)
)
def test_the_right_server_is_not_accused(family: Family) -> None:
    """The right server keeps the promises of every family."""
    assert titles_for_contract(family, Clinic(), CONTRACT) == set()


@pytest.mark.parametrize(
    ("description", "is_tested"),
    [
        ("Only these members are returned, and `id`.", True),
        ("Comma-separated fields to include in the response.", True),
        ("The fields to search in.", False),
        ("Additional fields to return.", False),
        ("The fields of the form.", False),
    ],
)
def test_words_of_parameters_that_choose_members(
    description: str, tmp_path: Path, *, is_tested: bool
) -> None:
    """A parameter with a common name may say where to search, or what to add."""
    contract = tmp_path / "clinic.yaml"
    words = "Only these members are returned, and `id`."
    contract.write_text(CONTRACT.read_text(encoding="utf-8").replace(words, description), encoding="utf-8")

    assert any(True for _ in sparse_fields.probes(subject_of(contract))) is is_tested
