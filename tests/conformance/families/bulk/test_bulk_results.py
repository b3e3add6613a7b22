# ruff: noqa: D102 - servers: their names say what they break, their methods are promises
"""Results of a bulk creation, one for each item."""

import pytest

from devportal.conformance.families.creations import stored_resources
from tests.conformance.families.asking import run_family
from tests.conformance.families.servers.ledger import CONTRACT, Ledger
from tests.conformance.families.servers.server import Thing
from tests.conformance.running import subject_of

FAMILY = stored_resources.FAMILY
BULK = "POST /entries/batch"


class DropsTheLast(Ledger):
    def finish(self, results: list[Thing]) -> list[Thing]:
        return results[:-1] or results


class NumbersThemAllZero(Ledger):
    def finish(self, results: list[Thing]) -> list[Thing]:
        return [{**result, "index": 0} for result in results]


class TurnsThemAround(Ledger):
    def finish(self, results: list[Thing]) -> list[Thing]:
        return results[::-1]


class RepeatsTheFirst(Ledger):
    def finish(self, results: list[Thing]) -> list[Thing]:
        return [
            {**result, **({"entry": results[0]["entry"]} if "entry" in result else {})} for result in results
        ]


class ShowsOneMemo(Ledger):
    def finish(self, results: list[Thing]) -> list[Thing]:
        memo = next(result["entry"]["memo"] for result in results if "entry" in result)
        for entry in self.entries.values():
            entry["memo"] = memo
        return [
            {**result, "entry": {**result["entry"], "memo": memo}} if "entry" in result else result
            for result in results
        ]


class SaysThatAllFailed(Ledger):
    def finish(self, results: list[Thing]) -> list[Thing]:
        return [{**result, "status": 422} for result in results]


class SucceedsWithAnError(Ledger):
    def finish(self, results: list[Thing]) -> list[Thing]:
        return [{**result, "error": {"reason": "none"}} for result in results]


class ForgetsTheSecond(Ledger):
    def result(self, index: int, item: Thing) -> Thing:
        result = super().result(index, item)
        if index == 1 and "entry" in result:
            del self.entries[result["entry"]["id"]]
        return result


class TakesAnything(Ledger):
    def check_entry(self, data: Thing) -> None:
        data.setdefault("memo", "")
        data.setdefault("lines", [])


class CountsFromOne(Ledger):
    def result(self, index: int, item: Thing) -> Thing:
        return super().result(index + 1, item)


class RefusesTheWhole(Ledger):
    def result(self, index: int, item: Thing) -> Thing:
        self.check_entry(item)
        return super().result(index, item)


class ShowsEmptyErrors(Ledger):
    def finish(self, results: list[Thing]) -> list[Thing]:
        return [{"error": {"code": 0, "reason": None}, **result} for result in results]


class ShowsWhatIsInConflict(Ledger):
    def finish(self, results: list[Thing]) -> list[Thing]:
        return [{**result, "status": 409} if result["index"] == 1 else result for result in results]


@pytest.mark.parametrize(
    "app", [Ledger, CountsFromOne, RefusesTheWhole, ShowsEmptyErrors, ShowsWhatIsInConflict]
)
def test_correct_results_pass(app: type[Ledger]) -> None:
    """Positions count from zero or one, an invalid item may reject the whole request, an error without values is no
    error, and a 409 may show the resource that is in its way.
    """
    log = run_family(FAMILY, app(), subject_of(CONTRACT))

    assert [failure.title for failure in log.failures] == []
    assert (FAMILY.name, BULK) not in log.untested_probes


@pytest.mark.parametrize(
    ("app", "title"),
    [
        (DropsTheLast, "a bulk response has another number of results"),
        (NumbersThemAllZero, "the results of a bulk request do not name its items"),
        (TurnsThemAround, "the results of a bulk request are in another order"),
        (RepeatsTheFirst, "two items of a bulk creation are one"),
        (ShowsOneMemo, "a result shows another item"),
        (SaysThatAllFailed, "a result with an error shows what was created"),
        (SucceedsWithAnError, "a successful result has an error"),
        (ForgetsTheSecond, "an item of a bulk creation cannot be read"),
        (TakesAnything, "an invalid item of a bulk creation is accepted"),
    ],
)
def test_wrong_results_are_found(app: type[Ledger], title: str) -> None:
    """They are compared with the request, with each other, and with what is stored."""
    log = run_family(FAMILY, app(), subject_of(CONTRACT))

    found = {failure.title for failure in log.failures if failure.operation == BULK and failure.fails}
    assert found == {title}


class HasCodes(Ledger):
    def finish(self, results: list[Thing]) -> list[Thing]:
        return [{**result, "status": 1000 if result["status"] == 201 else 4000} for result in results]


def test_codes_of_an_api_are_not_statuses() -> None:
    """A code such as 1000 may stand for success."""
    log = run_family(FAMILY, HasCodes(), subject_of(CONTRACT))

    assert log.failures == []
    assert (FAMILY.name, BULK) in log.untested_probes
