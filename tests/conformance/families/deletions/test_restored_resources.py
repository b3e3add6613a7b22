# ruff: noqa: D102 - servers: their names say what they break, their methods are promises
"""Resources that are restored after their deletion."""

import pytest

from devportal.conformance.families.deletions import deleted_resources
from tests.conformance.families.asking import run_family
from tests.conformance.families.servers.ledger import CONTRACT, Ledger
from tests.conformance.families.servers.server import Thing
from tests.conformance.running import subject_of

FAMILY = deleted_resources.FAMILY
RESTORE = "POST /entries/{entryId}/restore"


class RestoresNothing(Ledger):
    def restore(self, entry: Thing) -> Thing:
        return entry


class ForgetsTheMemo(Ledger):
    def restore(self, entry: Thing) -> Thing:
        return super().restore({**entry, "memo": "Restored"})


class LosesThePeriod(Ledger):
    def restore(self, entry: Thing) -> Thing:
        return super().restore({name: value for name, value in entry.items() if name != "valid_from"})


class RestoresWhatIsThere(Ledger):
    def restore_existing(self, entry: Thing) -> Thing:
        return entry


class RejectsEachRestoration(Ledger):
    def restore(self, entry: Thing) -> Thing:
        return self.restore_existing(entry)


def test_the_good_server_passes() -> None:
    """A restored entry is what it was."""
    log = run_family(FAMILY, Ledger(), subject_of(CONTRACT))

    assert log.failures == []
    assert (FAMILY.name, RESTORE) not in log.untested_probes


@pytest.mark.parametrize(
    ("app", "title"),
    [
        (RestoresNothing, "a restored resource cannot be read"),
        (ForgetsTheMemo, "a restored resource has other values"),
        (LosesThePeriod, "a restored resource has other values"),
        (RestoresWhatIsThere, "what is not deleted is restored"),
    ],
)
def test_a_wrong_restoration_is_found(app: type[Ledger], title: str) -> None:
    """After the deletion, and before it."""
    log = run_family(FAMILY, app(), subject_of(CONTRACT))

    assert [(failure.operation, failure.title) for failure in log.failures if failure.fails] == [
        (RESTORE, title)
    ]


def test_a_restoration_that_is_always_rejected_is_not_tested() -> None:
    """The result says what the check would need."""
    log = run_family(FAMILY, RejectsEachRestoration(), subject_of(CONTRACT))

    assert log.failures == []
    assert "a restoration" in log.untested_probes[FAMILY.name, RESTORE]
