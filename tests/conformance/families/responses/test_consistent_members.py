# ruff: noqa: D102 - servers: their names say what they break, their methods are promises
"""Members that do not add up, or are out of order."""

import json
from dataclasses import replace
from datetime import datetime, timedelta
from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from devportal.conformance.deployment.exchange import Exchange, HttpResponse
from devportal.conformance.deployment.exchange import Request as SentRequest
from devportal.conformance.families.responses import consistent_members
from devportal.conformance.run.probing import DirectSender
from tests.conformance.families.asking import run_family
from tests.conformance.families.servers.ledger import CONTRACT, Ledger
from tests.conformance.families.servers.server import Thing
from tests.conformance.running import judging, subject_of

FAMILY = consistent_members.FAMILY


class CountsTwoLines(Ledger):
    def show(self, entry: Thing) -> Thing:
        return {**super().show(entry), "line_count": 2}


class CountsOneLineLess(Ledger):
    def show(self, entry: Thing) -> Thing:
        return {**super().show(entry), "line_count": len(entry["lines"]) - 1}


class AddsTheFirstLine(Ledger):
    def show(self, entry: Thing) -> Thing:
        return {**super().show(entry), "total_debit": entry["lines"][0]["debit"] * 2}


class AddsBothSides(Ledger):
    def show(self, entry: Thing) -> Thing:
        shown = super().show(entry)
        return {**shown, "balance": shown["total_debit"] + shown["total_credit"]}


class ChangesBeforeCreation(Ledger):
    def store(self, entry: Thing) -> Thing:
        earlier = datetime.fromisoformat(entry["created_at"]) - timedelta(hours=1)
        return super().store({**entry, "updated_at": earlier.isoformat()})


class ChecksNoPeriod(Ledger):
    def check_period(self, data: Thing) -> None:
        pass


class ChecksPeriodsThatAreSent(Ledger):
    def check_period(self, data: Thing) -> None:
        if "id" not in data:
            super().check_period(data)


POST, PATCH = "POST /entries", "PATCH /entries/{entryId}"
OUT_OF_ORDER = "'valid_until' is accepted out of order"


def failures_of(app: Ledger) -> set[tuple[str, str]]:
    """Return operation and title of what the family finds wrong with a server, all of it confirmed."""
    log = run_family(FAMILY, app, subject_of(CONTRACT))
    assert log.tallies
    assert all(failure.fails for failure in log.failures)
    return {(failure.operation, failure.title) for failure in log.failures}


def test_the_good_server_passes() -> None:
    """Its members add up; a page may count entries that it does not show."""
    log = run_family(FAMILY, Ledger(), subject_of(CONTRACT))

    assert (log.failures, log.untested_probes) == ([], {})


@pytest.mark.parametrize(
    ("app", "operation", "title"),
    [
        (CountsTwoLines, POST, "'line_count' is not what its description says"),
        (CountsOneLineLess, POST, "'line_count' is not what its description says"),
        (AddsTheFirstLine, POST, "'total_debit' is not what its description says"),
        (AddsBothSides, POST, "'balance' is not what its description says"),
        (ChangesBeforeCreation, POST, "'updated_at' must not be before 'created_at'"),
        (ChecksNoPeriod, POST, OUT_OF_ORDER),
        (ChecksNoPeriod, PATCH, OUT_OF_ORDER),
        (ChecksPeriodsThatAreSent, PATCH, OUT_OF_ORDER),
    ],
)
def test_what_does_not_agree_is_found(app: type[Ledger], operation: str, title: str) -> None:
    """In responses, and in what is accepted."""
    assert (operation, title) in failures_of(app())


def test_a_message_quotes_the_sentence_and_both_values() -> None:
    """It says what came, what the other members give, and why that is wrong."""
    log = run_family(FAMILY, CountsOneLineLess(), subject_of(CONTRACT))

    message = next(failure.message for failure in log.failures if failure.operation == POST)
    assert message == (
        "'line_count' is 3, but its other members give 4. The contract says: \"The number of `lines`\""
    )


def test_late_responses_are_compared_too() -> None:
    """What an entry adds up after a change is shown late in a run, when many others have been read."""
    subject, path = subject_of(CONTRACT), "/entries/{entryId}"
    exchanges = tuple(
        Exchange(
            request=SentRequest(method="GET", url=f"http://127.0.0.1:1/entries/{number}"),
            answer=HttpResponse(status=200, body=json.dumps(entry).encode()),
            operation=f"GET {path}",
        )
        for number in range(80)
        for entry in [{"id": number, "lines": [], "line_count": 1 if number == 79 else 0}]
    )

    assert FAMILY.sees is not None
    (failure,) = FAMILY.sees(subject, exchanges)
    assert failure.evidence == exchanges[-1:]


class Searches(Ledger):
    """Its search shows one page, and how many entries it found."""

    def __init__(self, members: Thing) -> None:
        super().__init__()
        self.members = members

    def respond_to(self, request: Request, data: Thing) -> Response:
        if request.url.path.endswith("/search"):
            return JSONResponse({"entries": [], "all": 1, **self.members})
        return super().respond_to(request, data)


SEARCH = """
  /entries/search:
    post:
      requestBody: {{content: {{application/json: {{schema: {{type: object, properties: {{{sent}}}}}}}}}}}
      responses:
        '200':
          description: Entries.
          content:
            application/json:
              schema:
                type: object
                properties:
                  entries: {{type: array, items: {{$ref: '#/components/schemas/Entry'}}}}
                  all: {{type: integer, description: The number of `entries`.}}
"""
BY_PAGE = "page_size: {type: integer}, page_token: {type: string}"


@pytest.mark.parametrize(
    ("sent", "shown", "is_compared"),
    [
        (BY_PAGE, {}, False),
        ("page: {type: integer}, size: {type: integer}", {}, False),
        ("memo: {type: string}", {"has_more": False}, False),
        ("size: {type: integer}", {}, True),
    ],
)
def test_pages_of_a_search_may_count_more_than_they_show(
    sent: str, shown: Thing, tmp_path: Path, *, is_compared: bool
) -> None:
    """The request asks for a page in its body, or the response is one by its members."""
    contract = tmp_path / "ledger.yaml"
    contract.write_text(
        CONTRACT.read_text().replace(
            "\n  /entries/batch:\n", f"{SEARCH.format(sent=sent)}  /entries/batch:\n"
        )
    )
    subject = subject_of(contract)
    search = next(operation for operation in subject.operations if operation.path == "/entries/search")

    with judging(Searches(shown)) as context:
        request = replace(subject, base_url=context.subject.base_url).valid(search)
        assert request is not None
        exchange = DirectSender(context.deployment)(search, request)

    assert exchange.is_success
    assert bool([*consistent_members.find_failures(subject, (exchange,))]) is is_compared


class StampsEntries(Ledger):
    """It ignores the times that a client sends."""

    def check_entry(self, data: Thing) -> None:
        super().check_entry({name: value for name, value in data.items() if not name.endswith("_at")})

    def post(self, data: Thing) -> Thing:
        return super().post({**data, "opened_at": self.now(), "closed_at": self.now()})


def test_an_order_of_members_that_only_the_server_sets_is_not_demanded_of_clients(tmp_path: Path) -> None:
    """A request may have read-only members, which a server ignores (OAS 3.0.3 §4.7.24.1)."""
    contract = tmp_path / "ledger.yaml"
    stamps = (
        "        opened_at: {type: string, format: date-time, readOnly: true}\n"
        "        closed_at: {type: string, format: date-time, readOnly: true, description: 'It must not be before "
        "`opened_at`.'}\n"
    )
    contract.write_text(CONTRACT.read_text().replace("properties: &sent\n", f"properties: &sent\n{stamps}"))

    assert run_family(FAMILY, StampsEntries(), subject_of(contract)).failures == []
