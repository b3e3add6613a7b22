"""One family against one server of `library.yaml`."""

from dataclasses import replace
from pathlib import Path

from starlette.types import ASGIApp

from devportal.conformance.deployment.credentials import VARIABLES, Credential, CredentialSet, Role
from devportal.conformance.family import Family
from devportal.conformance.knowledge.subject import Subject
from devportal.conformance.run.run_log import RunLog
from tests.apps.library import MAIN, OTHER
from tests.conformance.families.asking import run_family
from tests.conformance.running import subject_of

CONTRACT = Path(__file__).parents[2] / "apps" / "library.yaml"
BOTH = CredentialSet(
    everyone=(
        Credential(role=Role.MAIN, secret=MAIN, name=VARIABLES[Role.MAIN]),
        Credential(role=Role.OTHER_TENANT, secret=OTHER, name=VARIABLES[Role.OTHER_TENANT]),
    )
)


def library(parties: CredentialSet = BOTH) -> Subject:
    """Return what is tested: the whole library."""
    return replace(subject_of(CONTRACT), parties=parties)


def failure_titles(family: Family, app: ASGIApp, subject: Subject | None = None) -> set[str]:
    """Return the titles of the failures that a family finds and confirms."""
    return {failure.title for failure in asked_of(family, app, subject).failures if failure.fails}


def asked_of(family: Family, app: ASGIApp, subject: Subject | None = None) -> RunLog:
    """Ask a server all questions of a family and return what was found."""
    return run_family(family, app, subject or library())
