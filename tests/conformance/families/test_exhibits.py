# ruff: noqa: D102 - servers: their names say what they break, their methods are promises
"""Faults of servers whose bodies are multipart and XML: in validation, storage and malformed bodies."""

from typing import Any

import pytest

from devportal.conformance.families.changes import updated_resources
from devportal.conformance.families.creations import stored_resources
from devportal.conformance.families.registry import FAMILIES
from devportal.conformance.families.validation import boundary_values, malformed_bodies, query_parameters
from devportal.conformance.family import Family
from tests.conformance.families.asking import titles_for_contract
from tests.conformance.families.servers.exhibits import CONTRACT, Exhibits
from tests.conformance.families.servers.server import Refusal, Thing


class Lenient(Exhibits):
    """Validates bodies with another value for some members, and stores what was sent."""

    others: tuple[tuple[str, str], ...] = ()

    def is_valid(self, operation: str, data: Thing) -> bool:
        others = {name: value for name, value in self.others if name in data}
        return super().is_valid(operation, {**data, **others})


class TakesAnyKind(Lenient):
    others = (("kind", "image"),)


class TakesAnyState(Lenient):
    others = (("state_of_piece", "intact"),)


class TakesLongTitles(Lenient):
    others = (("title", "Amphora"),)


class Forgiving(Exhibits):
    """Fills in what is required."""

    missing: tuple[tuple[str, str], ...] = ()

    def is_valid(self, operation: str, data: Thing) -> bool:
        is_loan = "borrower" in dict(self.missing)
        is_its = is_loan is not (operation == "addExhibit")
        return super().is_valid(operation, {**dict(self.missing), **data} if is_its else data)

    def of_exhibit(self, data: Thing) -> Thing:
        return {"title": "Unknown", **data}

    def of_loan(self, data: Thing) -> Thing:
        return {"borrower": "Unknown", **data}


class NeedsNoFile(Forgiving):
    missing = (("file", "a"),)


class NeedsNoTitle(Forgiving):
    missing = (("title", "Unknown"),)


class NeedsNoBorrower(Forgiving):
    missing = (("borrower", "Unknown"),)


class DropsYears(Exhibits):
    def of_exhibit(self, data: Thing) -> Thing:
        return {name: value for name, value in data.items() if name != "year"}


class DropsPlaces(Exhibits):
    def of_exhibit(self, data: Thing) -> Thing:
        return {name: value for name, value in data.items() if name != "place"}


class ShowsAll(Exhibits):
    def of_exhibit(self, data: Thing) -> Thing:
        return {**data, "is_shown": True}


class DropsNotes(Exhibits):
    def of_loan(self, data: Thing) -> Thing:
        return {name: value for name, value in data.items() if name != "note"}


class ShortensLoans(Exhibits):
    def of_loan(self, data: Thing) -> Thing:
        return {**data, "days": min(data["days"], 30)}


class MergesLoans(Exhibits):
    def replace(self, key: str, data: Thing) -> Thing:
        self.loans[key].update(data)
        return self.loans[key]


class FailsOnXml(Exhibits):
    def read_xml(self, operation: str, body: bytes) -> Any:
        try:
            return super().read_xml(operation, body)
        except ValueError as error:
            raise Refusal(500) from error


EXHIBITS, LOANS = "POST /exhibits", "POST /loans"
FORBIDDEN, OTHER_VALUE = (
    "what the contract forbids is accepted",
    "a value that the contract allows is stored as another",
)


@pytest.mark.parametrize(
    ("family", "app", "failure"),
    [
        (boundary_values, TakesAnyKind, f"{EXHIBITS}: {FORBIDDEN}"),
        (boundary_values, TakesLongTitles, f"{EXHIBITS}: {FORBIDDEN}"),
        (boundary_values, TakesAnyState, f"{LOANS}: {FORBIDDEN}"),
        (boundary_values, NeedsNoFile, f"{EXHIBITS}: {FORBIDDEN}"),
        (boundary_values, NeedsNoTitle, f"{EXHIBITS}: {FORBIDDEN}"),
        (boundary_values, NeedsNoBorrower, f"{LOANS}: {FORBIDDEN}"),
        (boundary_values, ShortensLoans, f"{LOANS}: {OTHER_VALUE}"),
        (
            query_parameters,
            TakesAnyKind,
            f"{EXHIBITS}: a form field that its enum or pattern forbids is accepted",
        ),
        (
            query_parameters,
            TakesAnyState,
            f"{LOANS}: an XML element that its enum or pattern forbids is accepted",
        ),
        (stored_resources, DropsYears, f"{EXHIBITS}: members of a creation are lost"),
        (stored_resources, DropsPlaces, f"{EXHIBITS}: members of a creation are lost"),
        (stored_resources, ShowsAll, f"{EXHIBITS}: members of a creation are replaced"),
        (stored_resources, DropsNotes, f"{LOANS}: members of a creation are lost"),
        (updated_resources, MergesLoans, "PUT /loans/{loan_id}: a replacement keeps what it leaves out"),
        (malformed_bodies, FailsOnXml, f"{LOANS}: XML without its end is a server error"),
    ],
)
def test_each_wrong_server_is_found(family: Any, app: type[Exhibits], failure: str) -> None:
    """Each server breaks one promise, and the failure says which."""
    assert failure in titles_for_contract(family.FAMILY, app(), CONTRACT)


@pytest.mark.parametrize(
    "family", [family for family in FAMILIES if family.probes is not None], ids=lambda item: str(item.name)
)
def test_the_right_server_is_not_accused(family: Family) -> None:
    """The right server keeps the promises of every family."""
    assert titles_for_contract(family, Exhibits(), CONTRACT) == set()
