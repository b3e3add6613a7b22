"""What the checks say of a deployment of our contract: a whole run, or the part that asks for one check."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from devportal.conformance.deployment.client import Deployment, RequestPolicy
from devportal.conformance.deployment.credentials import Credential, CredentialSet, Role
from devportal.conformance.deployment.masking import Mask
from devportal.conformance.families.registry import all_families
from devportal.conformance.family import Family
from devportal.conformance.knowledge.resources.existing_values import with_existing_values
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.conformance.results.result import Failure, Result
from devportal.conformance.run.confirm import RunContext
from devportal.conformance.run.options import Gate, Options, Profile, Selection
from devportal.conformance.run.probing import LoggingSender, check_exchanges, run_probes
from devportal.conformance.run.run import run_conformance
from devportal.conformance.run.run_log import RunLog
from devportal.conformance.settings import Settings
from devportal.contract import Contract
from devportal.contract.validate.validator import Validator
from telecom.conformance import families as messaging_families
from telecom.conformance.settings import PLUGIN
from tests.apps.faults.proxy import Fault
from tests.apps.faults.standing import ADA, BOB, EXPIRED, UNSCOPED, Served
from tests.waiting import PATIENCE_S

CONTRACT = Path(__file__).parents[3] / "openapi" / "openapi.yaml"
PARTIES = CredentialSet(
    everyone=(
        Credential(role=Role.MAIN, secret=ADA, name="DEVPORTAL_TOKEN"),
        Credential(role=Role.OTHER_TENANT, secret=BOB, name="DEVPORTAL_OTHER_TENANT_TOKEN"),
        Credential(role=Role.LIMITED, secret=UNSCOPED, name="DEVPORTAL_LIMITED_TOKEN", scopes=()),
        Credential(role=Role.EXPIRED, secret=EXPIRED, name="DEVPORTAL_EXPIRED_TOKEN"),
    )
)
SHARED = ("listRateVersions", "*RateVersion", "listAuditLog", "searchAvailableNumbers")
"""Operations on what every account sees: the operator's rates, and numbers that nobody has yet."""
PLACES = {"/v1/rates/{country}": "NO", "/v1/coverage/{country}": "NO"}
MANNERS = RequestPolicy(timeout_s=PATIENCE_S, max_time_s=PATIENCE_S)


def failures_with_fault(fault: Fault, served: Served, contract: Contract) -> tuple[Failure, ...]:
    """Return the failures that the checks of a fault find in a deployment that has it."""
    if fault.phases:
        return whole_run(served.url, include=fault.operations, phases=fault.phases).failures
    families = known_families()
    asked = [families[name] for name in (*fault.beside, fault.check) if name in families]
    return part_of_run(served, contract, asked, include=fault.operations, plugins=fault.plugins)


def known_families() -> Mapping[str, Family]:
    """Return all families by name, ours and those of messaging."""
    return {family.name: family for family in (*all_families(()), *messaging_families())}


def part_of_run(
    served: Served,
    contract: Contract,
    families: Iterable[Family],
    *,
    include: tuple[str, ...],
    plugins: Mapping[str, Any] | None = None,
) -> tuple[Failure, ...]:
    """Return what some families say, asked as in a run."""
    subject = replace(subject_at(served.url, contract, include), plugins=plugins or {})
    mask = Mask.of(PARTIES)
    log = RunLog(lambda _: None)
    with Deployment(MANNERS, mask=mask, wait=served.wait) as deployment:
        judge = RunContext(subject=subject, deployment=deployment, mask=mask, gates=lambda _: True)
        judge = RunContext(
            subject=with_existing_values(subject, LoggingSender(judge, log)),
            deployment=deployment,
            mask=mask,
            gates=judge.gates,
        )
        for family in families:
            run_probes(family, judge, log)
        own = tuple(log.exchanges)
        for family in families:
            check_exchanges(family, judge, log, own)
    return tuple(log.failures)


def whole_run(
    url: str, *, include: tuple[str, ...] = (), phases: tuple[str, ...], seed: int = 1, examples: int = 5
) -> Result:
    """Return the result of a whole run with all credentials."""
    options = Options(
        url=url,
        contract=CONTRACT,
        credentials=PARTIES,
        profile=Profile(name="test", phases=phases, max_examples=examples),
        seed=seed,
        gate=Gate.ALL,
        policy=MANNERS,
        selection=Selection(include=include),
        settings=Settings(shared=() if include else SHARED, values=PLACES, plugins={PLUGIN: {}}),
    )
    return run_conformance(options, now=lambda: datetime.now(UTC))


def subject_at(url: str, contract: Contract, include: tuple[str, ...]) -> Subject:
    """Return what is tested: the operations that are included."""
    operations = contract.api.operations
    return Subject(
        contract=contract,
        operations=Selection(include=include).of(operations),
        base_url=url,
        parties=PARTIES,
        validator=Validator(contract.api),
        values=PLACES,
        shared=frozenset(map(operation_label, Selection(include=SHARED).of(operations))),
    )
