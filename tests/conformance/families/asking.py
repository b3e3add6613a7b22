"""One family against one server: its probes, then what it sees, without Schemathesis."""

from dataclasses import replace
from pathlib import Path

from starlette.types import ASGIApp

from devportal.conformance.deployment.client import Deployment, RequestPolicy
from devportal.conformance.deployment.credentials import VARIABLES, Credential, CredentialSet, Role
from devportal.conformance.deployment.masking import Mask
from devportal.conformance.family import Family
from devportal.conformance.knowledge.resources.existing_values import with_existing_values
from devportal.conformance.knowledge.subject import Subject
from devportal.conformance.results.result import Failure
from devportal.conformance.run.confirm import RunContext
from devportal.conformance.run.probing import LoggingSender, check_exchanges, run_probes
from devportal.conformance.run.run_log import RunLog
from tests.apps.library import Library
from tests.apps.serving import serving
from tests.conformance.families.servers.boxes import ALL, CONTRACT, EXPIRED, MAIN, OTHER, READER
from tests.conformance.running import subject_of

EVERYONE = CredentialSet(
    everyone=(
        Credential(role=Role.MAIN, secret=MAIN, name=VARIABLES[Role.MAIN], scopes=ALL),
        Credential(role=Role.OTHER_TENANT, secret=OTHER, name=VARIABLES[Role.OTHER_TENANT]),
        Credential(role=Role.LIMITED, secret=READER, name=VARIABLES[Role.LIMITED], scopes=ALL[:1]),
        Credential(role=Role.EXPIRED, secret=EXPIRED, name=VARIABLES[Role.EXPIRED]),
    )
)


def boxes(contract: Path = CONTRACT, parties: CredentialSet = EVERYONE) -> Subject:
    """Return what is tested: all operations, as everyone."""
    return replace(subject_of(contract), parties=parties)


def run_family(
    family: Family, app: ASGIApp, subject: Subject | None = None, *, reads_only: bool = False
) -> RunLog:
    """Run all probes of a family against a server and return the log."""
    subject = subject or boxes()
    mask, log = Mask.of(subject.parties), RunLog(lambda _: None)
    wait = app.wait if isinstance(app, Library) else lambda _: None
    manners = RequestPolicy(is_read_only=reads_only)
    with serving(app) as url, Deployment(manners, mask=mask, wait=wait) as deployment:
        judge = RunContext(
            subject=replace(subject, base_url=url), deployment=deployment, mask=mask, gates=lambda _: True
        )
        judge = replace(judge, subject=with_existing_values(judge.subject, LoggingSender(judge, log)))
        run_probes(family, judge, log)
        check_exchanges(family, judge, log, tuple(log.exchanges))
    return log


def failed_operations(failures: list[Failure]) -> set[tuple[str, str]]:
    """Return operation and title of each failure that fails the run."""
    return {(failure.operation, failure.title) for failure in failures if failure.fails}


def titles_for_contract(family: Family, app: ASGIApp, contract: Path) -> set[str]:
    """Return operation and title of what a family finds wrong in a server of a contract; all of it is confirmed."""
    log = run_family(family, app, boxes(contract))
    failures = [failure for failure in log.failures if failure.check == family.name]
    assert all(failure.fails for failure in failures), failures
    return {f"{failure.operation}: {failure.title}" for failure in failures}
