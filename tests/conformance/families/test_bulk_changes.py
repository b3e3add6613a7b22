# ruff: noqa: D102, ARG002 - servers: their names say what they break, their methods are promises
"""Requests that change several resources by their identifiers, with a result for each."""

import pytest

from devportal.conformance.families import updated_resources
from tests.conformance.families.asking import boxes, run_family
from tests.conformance.families.ledger import CONTRACT, Ledger, Refusal, Thing

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
