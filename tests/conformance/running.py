"""Runs of the test contract against the servers in `tests/apps`."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from datetime import UTC, datetime
from pathlib import Path

from starlette.types import ASGIApp

from devportal.conformance.deployment.client import Deployment, RequestPolicy
from devportal.conformance.deployment.exchange import Exchange, Request
from devportal.conformance.deployment.masking import Mask
from devportal.conformance.knowledge.subject import Subject
from devportal.conformance.results.result import Failure, Result
from devportal.conformance.run.confirm import RunContext
from devportal.conformance.run.options import Gate, Options, Profile
from devportal.conformance.run.run import run_conformance
from devportal.conformance.schemathesis.events import Case, SchemathesisOutcome
from devportal.conformance.schemathesis.process import start_schemathesis
from devportal.contract import Contract, Operation
from devportal.contract.validate.validator import Validator
from tests.apps.parcels import TOKEN
from tests.apps.serving import serving
from tests.conformance.credential_sets import single_credential
from tests.contracts import contract_at
from tests.waiting import PATIENCE_S

CONTRACT = Path(__file__).parent.parent / "apps" / "parcels.yaml"
SILENT_AFTER_S = 2.0
"""When a server that says nothing is given up: all others answer within milliseconds."""
NOW = datetime(2026, 11, 21, 9, 30, tzinfo=UTC)


def run(
    url: str,
    *,
    token: str = TOKEN,
    contract: Path = CONTRACT,
    seed: int = 1,
    gate: Gate = Gate.ALL,
    phases: tuple[str, ...] = ("examples", "coverage", "fuzzing"),
    max_examples: int = 8,
    timeout_s: float = PATIENCE_S,
) -> Result:
    """Run with a small profile; `timeout_s` is for servers that do not answer some of the requests."""
    profile = Profile(name="test", phases=phases, max_examples=max_examples)
    options = Options(
        url=url,
        contract=contract,
        credentials=single_credential(token),
        profile=profile,
        seed=seed,
        gate=gate,
        policy=RequestPolicy(timeout_s=timeout_s, max_time_s=PATIENCE_S),
    )
    return run_conformance(options, now=lambda: NOW)


class SendInOrder(ABC):
    """A deployment in place of a real one: it responds to requests one after the other, and never waits."""

    @abstractmethod
    def __call__(self, operation: Operation | None, request: Request) -> Exchange:
        """Return the exchange of a request."""

    def at_once(self, operation: Operation | None, requests: Sequence[Request]) -> tuple[Exchange, ...]:
        """Return the exchanges of requests, in their order."""
        return tuple(self(operation, request) for request in requests)

    def wait(self, seconds: float) -> None:  # noqa: B027 - that is all it does
        """Let no time pass."""


def subject_of(contract: Path = CONTRACT, url: str = "http://127.0.0.1:1", token: str = TOKEN) -> Subject:
    """Return what a run of a contract tests: all of its operations."""
    return subject_of_contract(contract_at(contract), url, token)


def subject_of_contract(loaded: Contract, url: str = "http://127.0.0.1:1", token: str = TOKEN) -> Subject:
    """Return what a run of a contract tests that is read already."""
    return Subject(
        contract=loaded,
        operations=loaded.api.operations,
        base_url=url,
        parties=single_credential(token),
        validator=Validator(loaded.api),
    )


@contextmanager
def judging(app: ASGIApp) -> Iterator[RunContext]:
    """Serve an application for the time of a `with` block; yields what confirms failures of all its operations."""
    with serving(app) as url, Deployment(RequestPolicy(timeout_s=PATIENCE_S), mask=Mask()) as deployment:
        yield RunContext(
            subject=subject_of(url=url), deployment=deployment, mask=Mask(), gates=lambda _: True
        )


def blocking_failures(result: Result) -> list[Failure]:
    """Return the failures that fail a run."""
    return [failure for failure in result.failures if failure.fails]


def describe_result(result: Result) -> str:
    """Return the failures and warnings of a result, for the message of an assertion."""
    lines = [
        f"{failure.operation}: {failure.check} {failure.code}: {failure.title}: {failure.message}"
        for failure in result.failures
    ]
    return "\n".join([*lines, *(f"{warning.kind}: {warning.subjects}" for warning in result.warnings)])


def run_schemathesis(
    subject: Subject, options: Options, *, on_case: Callable[[Case], None]
) -> SchemathesisOutcome:
    """Run Schemathesis on the selected operations; `on_case` is called with each case as it comes.

    Raises EnvironmentProblem if it is not installed or cannot start, DeploymentError if it ends without a
    result.
    """
    with start_schemathesis(subject, options, max_time_s=options.policy.max_time_s) as run:
        for case in run.remaining_cases():
            on_case(case)
        return run.outcome()
