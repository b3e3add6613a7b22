# ruff: noqa: D102, ARG002 - servers: their names say what they break, their methods are promises
"""Requests that change several resources by their identifiers, with a result for each."""

from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from devportal.conformance.families.changes import updated_resources
from devportal.conformance.knowledge.subject import Subject
from tests.conformance.families.asking import boxes, run_family
from tests.conformance.families.servers.ledger import CONTRACT, Ledger
from tests.conformance.families.servers.server import Refusal, Thing

FAMILY = updated_resources.FAMILY
BULK = "PATCH /entries/relabel"


class DropsTheLast(Ledger):
    def finish(self, results: list[Thing]) -> list[Thing]:
        return results[:-1] or results


class TurnsThemAround(Ledger):
    def finish(self, results: list[Thing]) -> list[Thing]:
        return results[::-1]


class FindsEverything(Ledger):
    def is_found(self, key: str) -> bool:
        return True


class ChangesNothing(Ledger):
    def relabel(self, data: Thing, *, is_own: bool) -> list[Thing]:
        kept = dict(self.entries)
        self.entries = {key: dict(entry) for key, entry in kept.items()}
        results = super().relabel(data, is_own=is_own)
        self.entries = kept
        return results


class ChangesTheFirstOnly(Ledger):
    def relabel(self, data: Thing, *, is_own: bool) -> list[Thing]:
        kept = {key: dict(self.entries[key]) for key in data["ids"][1:] if key in self.entries}
        results = super().relabel(data, is_own=is_own)
        self.entries |= kept
        return results


class ServesEveryAccount(Ledger):
    def relabel(self, data: Thing, *, is_own: bool) -> list[Thing]:
        return super().relabel(data, is_own=True)


class RefusesTheWhole(Ledger):
    def relabel(self, data: Thing, *, is_own: bool) -> list[Thing]:
        if not all(map(self.is_found, data["ids"])):
            raise Refusal(422)
        return super().relabel(data, is_own=is_own)


def test_the_good_server_passes() -> None:
    """Each identifier has its own result."""
    log = run_family(FAMILY, Ledger(), boxes(CONTRACT))

    assert log.failures == []
    assert (FAMILY.name, BULK) not in log.untested_probes


def test_a_request_that_is_rejected_as_a_whole_is_not_tested() -> None:
    """The result says what the check would need."""
    log = run_family(FAMILY, RefusesTheWhole(), boxes(CONTRACT))

    assert log.failures == []
    assert "a result for each identifier" in log.untested_probes[FAMILY.name, BULK]


@pytest.mark.parametrize(
    ("app", "title"),
    [
        (DropsTheLast, "a bulk request has no result for each identifier"),
        (TurnsThemAround, "the results of a bulk request are in another order"),
        (FindsEverything, "a bulk request succeeds for what does not exist"),
        (ChangesNothing, "a bulk change is not read back"),
        (ChangesTheFirstOnly, "a bulk change is not read back"),
        (ServesEveryAccount, "a bulk request reaches things of another account"),
    ],
)
def test_a_wrong_result_is_found(app: type[Ledger], title: str) -> None:
    """It is missing, in another place, or does not say what was done."""
    log = run_family(FAMILY, app(), boxes(CONTRACT))

    assert title in {failure.title for failure in log.failures if failure.operation == BULK and failure.fails}


class LeavesOutWhatIsUnknown(Ledger):
    def relabel(self, data: Thing, *, is_own: bool) -> list[Thing]:
        return [result for result in super().relabel(data, is_own=is_own) if result["status"] == 200]


class ChangesLater(ChangesNothing):
    def relabel(self, data: Thing, *, is_own: bool) -> list[Thing]:
        results = super().relabel(data, is_own=is_own)
        return [{**result, "status": 202 if result["status"] == 200 else 404} for result in results]


class ListsFailures(Ledger):
    def respond_to(self, request: Request, data: Thing) -> Response:
        if not request.url.path.endswith("/relabel"):
            return super().respond_to(request, data)
        results = self.relabel(data, is_own=True)
        return JSONResponse({"failed": [result for result in results if result["status"] != 200]}, 207)


def test_unknown_identifiers_may_be_ignored_if_the_contract_says_so(tmp_path: Path) -> None:
    """The response has the results of the others, and these are compared."""
    subject = with_other_words(
        tmp_path, "Changes each entry on its own. Identifiers that do not exist are ignored."
    )

    assert run_family(FAMILY, LeavesOutWhatIsUnknown(), subject).failures == []
    assert titles(LeavesOutWhatIsUnknown(), boxes(CONTRACT)) == {
        "a bulk request has no result for each identifier"
    }
    assert titles(ChangesNothing(), subject) == {"a bulk change is not read back"}


def test_a_list_of_failures_is_not_expected_to_have_all_results(tmp_path: Path) -> None:
    """Its name says that it has some of them only."""
    contract = tmp_path / "ledger.yaml"
    start, words, rest = CONTRACT.read_text().partition("Changes each entry on its own.")
    contract.write_text(
        start + words + rest.replace("[results]", "[failed]", 1).replace("results: {", "failed: {", 1)
    )
    log = run_family(FAMILY, ListsFailures(), boxes(contract))

    assert [failure for failure in log.failures if failure.operation == BULK] == []


def test_a_change_that_is_accepted_for_later_is_not_read_back() -> None:
    """The status of its result is 202."""
    log = run_family(FAMILY, ChangesLater(), boxes(CONTRACT))

    assert [failure for failure in log.failures if failure.operation == BULK] == []
    assert "succeeds at once" in log.untested_probes[FAMILY.name, BULK]


def with_other_words(folder: Path, words: str) -> Subject:
    """Return what is tested with another description of the change."""
    contract = folder / "ledger.yaml"
    contract.write_text(CONTRACT.read_text().replace("Changes each entry on its own.", words))
    return boxes(contract)


def titles(app: Ledger, subject: Subject) -> set[str]:
    """Return the titles of the confirmed failures of the change."""
    failures = run_family(FAMILY, app, subject).failures
    return {failure.title for failure in failures if failure.operation == BULK and failure.fails}
