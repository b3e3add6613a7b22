"""One family against one server: its probes, then what it sees, without Schemathesis."""

from dataclasses import replace
from pathlib import Path

from starlette.types import ASGIApp

from devportal.conformance.confirm import Judge
from devportal.conformance.deployment import Deployment, Manners
from devportal.conformance.family import Family
from devportal.conformance.masking import Mask
from devportal.conformance.parties import VARIABLES, Parties, Party, Role
from devportal.conformance.probing import Sender, ask, look
from devportal.conformance.result import Failure
from devportal.conformance.run_log import RunLog
from devportal.conformance.stocking import stocked
from devportal.conformance.subject import Subject
from tests.apps.library import Library
from tests.apps.serving import serving
from tests.conformance.families.boxes import ALL, CONTRACT, EXPIRED, MAIN, OTHER, READER
from tests.conformance.running import subject_of

EVERYONE = Parties(
    everyone=(
        Party(role=Role.MAIN, secret=MAIN, name=VARIABLES[Role.MAIN], scopes=ALL),
        Party(role=Role.OTHER_TENANT, secret=OTHER, name=VARIABLES[Role.OTHER_TENANT]),
        Party(role=Role.LIMITED, secret=READER, name=VARIABLES[Role.LIMITED], scopes=ALL[:1]),
        Party(role=Role.EXPIRED, secret=EXPIRED, name=VARIABLES[Role.EXPIRED]),
    )
)


def boxes(contract: Path = CONTRACT, parties: Parties = EVERYONE) -> Subject:
    """Return what is tested: all operations, as everyone."""
    return replace(subject_of(contract), parties=parties)


def asked(
    family: Family, app: ASGIApp, subject: Subject | None = None, *, reads_only: bool = False
) -> RunLog:
    """Ask a server all questions of a family and return what was found."""
    subject = subject or boxes()
    mask, log = Mask.of(subject.parties), RunLog(lambda _: None)
    wait = app.wait if isinstance(app, Library) else lambda _: None
    manners = Manners(is_read_only=reads_only)
    with serving(app) as url, Deployment(manners, mask=mask, wait=wait) as deployment:
        judge = Judge(
            subject=replace(subject, base_url=url), deployment=deployment, mask=mask, gates=lambda _: True
        )
        judge = replace(judge, subject=stocked(judge.subject, Sender(judge, log)))
        ask(family, judge, log)
        look(family, judge, log, tuple(log.exchanges))
    return log


def told(failures: list[Failure]) -> set[tuple[str, str]]:
    """Return what makes a run red: operations and titles."""
    return {(one.operation, one.title) for one in failures if one.fails}
