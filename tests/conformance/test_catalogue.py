"""The proof of the checks: each faulty sandbox is caught by the check named for it, and the healthy one is
clean."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from devportal.contract import Contract
from tests.apps.faults import twists
from tests.apps.faults.catalogue import FAULTS, UNCAUGHT
from tests.apps.faults.catching import failures_with_fault, known_families, whole_run
from tests.apps.faults.proxy import Fault
from tests.apps.faults.quotas import count_by
from tests.apps.faults.standing import Standing, standing
from tests.conformance.running import describe_result
from tests.contracts import own_contract

FEWEST = 120
PROVEN_ELSEWHERE = {
    "actions": "families/test_visits.py",
    "consistent-members": "families/responses/test_consistent_members.py",
    "answers": "results/test_servers.py",
    "undocumented-parts": "families/responses/test_undocumented_parts.py",
    "expected-responses": "families/responses/test_expected_responses.py",
    "jobs": "families/test_samples.py",
    "languages": "families/test_clinic.py",
    "latency": "families/responses/test_latency.py",
    "leaked-internals": "families/security/test_leaked_internals.py",
    "links": "families/responses/test_links.py",
    "list-totals": "families/test_visits.py",
    "nested-resources": "families/lists/test_nested_resources.py",
    "partial-content": "families/http/test_partial_content.py",
    "preconditions": "families/test_visits.py",
    "quota-fields": "families/responses/test_quota_fields.py",
    "read-only-members": "families/test_tickets.py",
    "sorting": "families/test_visits.py",
    "sparse-fields": "families/test_clinic.py",
    "time-offsets": "families/test_visits.py",
    "unique-values": "families/test_patrons.py",
    "valid-data": "families/test_families.py",
}
"""Checks that no faulty sandbox proves, and their tests. Those of webhooks are in `webhooks/`."""
GROUPS = (
    twists.MESSAGES,
    twists.ENDPOINT_IDS,
    twists.CALLS_IDS,
    twists.BRANDS,
    ("listEvents", "retrieveEvent"),
    ("listRates", "listCountryRates", "listCoverage", "retrieveCountryCoverage"),
    ("listNumbers", "searchAvailableNumbers"),
)
"""What belongs together, for runs that are short."""


def _rows() -> Iterator[object]:
    """Yield the faults: the first of each check in both tiers, the others of that check in the deep one."""
    seen: set[str] = set()
    for fault in FAULTS:
        reason = UNCAUGHT.get(fault.name)
        marks = [pytest.mark.xfail(reason=reason, strict=True)] if reason is not None else []
        if fault.check in seen:
            marks.append(pytest.mark.deep)
        seen.add(fault.check)
        yield pytest.param(fault, id=fault.name, marks=marks)


@pytest.fixture(scope="module")
def contract() -> Contract:
    """Return our contract."""
    return own_contract()


@pytest.fixture(scope="module")
def sandbox(contract: Contract, tmp_path_factory: pytest.TempPathFactory) -> Standing:
    """Return a sandbox that is prepared."""
    return standing(contract.api, tmp_path_factory.mktemp("standing"))


@pytest.fixture
def healthy_url(sandbox: Standing, tmp_path: Path) -> Iterator[str]:
    """Serve the sandbox as it is, and yield its address."""
    with sandbox.serving(tmp_path) as served:
        yield served.url


def test_the_catalogue_is_large_and_each_fault_has_its_name() -> None:
    """Enough faults are caught, no name is there twice, and each names a check that there is."""
    names = [fault.name for fault in FAULTS]

    assert len(FAULTS) - len(UNCAUGHT) >= FEWEST
    assert len(set(names)) == len(names)
    assert set(UNCAUGHT) <= set(names)
    assert {fault.check for fault in FAULTS if not fault.phases} <= set(known_families())


def test_each_check_has_a_fault() -> None:
    """A check that finds nothing anywhere would not be missed."""
    named = {fault.check for fault in FAULTS} | PROVEN_ELSEWHERE.keys()
    checks = {family for family in known_families() if not family.startswith("webhook-")}

    assert sorted(checks - named) == [], "add a fault for each to tests/apps/faults"
    assert sorted(PROVEN_ELSEWHERE.keys() & {fault.check for fault in FAULTS}) == []
    assert all((Path(__file__).parent / text).is_file() for text in PROVEN_ELSEWHERE.values())


@pytest.mark.conformance
@pytest.mark.parametrize("fault", [*_rows()])
def test_each_fault_is_named_by_its_check(
    fault: Fault, contract: Contract, sandbox: Standing, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The check that is named for a fault finds it, and asking again confirms it."""
    with sandbox.serving(tmp_path, fault.make()) as served:
        count_by(served.time, monkeypatch)
        failures = failures_with_fault(fault, served, contract)

    named = [member for failure in failures for member in failure.members]
    assert [failure.title for failure in named if failure.check == fault.check and failure.fails], failures


@pytest.mark.deep
@pytest.mark.conformance
@pytest.mark.parametrize("seed", range(1, 21))
def test_the_healthy_sandbox_is_clean(seed: int, healthy_url: str) -> None:
    """Whatever the seed, nothing is said of a sandbox that keeps its contract: `make conformance` has one."""
    group = GROUPS[seed % len(GROUPS)]

    result = whole_run(healthy_url, include=group, phases=("examples", "fuzzing"), seed=seed)

    assert result.is_clean, describe_result(result)
    assert not result.failures, describe_result(result)
