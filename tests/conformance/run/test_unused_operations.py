"""What never succeeded is asked for at the end of a run, in an order in which it can succeed."""

from pathlib import Path

from devportal.conformance.deployment.client import Deployment, RequestPolicy
from devportal.conformance.deployment.masking import Mask
from devportal.conformance.run.confirm import RunContext
from devportal.conformance.run.probing import LoggingSender
from devportal.conformance.run.run import retry_unused_operations
from devportal.conformance.run.run_log import RunLog
from tests.conformance.credential_sets import single_credential
from tests.conformance.running import subject_of
from tests.mock.contracts import TOKEN
from tests.mock.serving import listening_mock
from tests.waiting import PATIENCE_S

USERS = """\
openapi: 3.1.0
info: {title: Users, version: '1'}
paths:
  /users/{userId}:
    parameters: [{name: userId, in: path, required: true, schema: {type: string}}]
    delete: {responses: {'204': {description: Gone}, '404': {description: There is none}}}
  /users/{userId}/authorization:
    parameters: [{name: userId, in: path, required: true, schema: {type: string}}]
    delete: {responses: {'204': {description: Gone}, '404': {description: There is no such user}}}
    put: {responses: {'204': {description: Done}, '404': {description: There is no such user}}}
"""


def test_what_is_below_a_resource_is_deleted_before_it(tmp_path: Path) -> None:
    """Nobody can create a user, and there is one: deletions come last, that of the user at the very end."""
    path = tmp_path / "users.yaml"
    path.write_text(USERS, encoding="utf-8")
    with listening_mock(path) as url:
        subject = subject_of(path, url, TOKEN)
        log, mask = RunLog(lambda _: None), Mask.of(single_credential(TOKEN))
        with Deployment(RequestPolicy(timeout_s=PATIENCE_S, max_time_s=PATIENCE_S), mask=mask) as deployment:
            context = RunContext(subject=subject, deployment=deployment, mask=mask, gates=lambda _: True)
            retry_unused_operations(subject, LoggingSender(context, log), log)

    assert [(exchange.operation, exchange.status) for exchange in log.exchanges] == [
        ("PUT /users/{userId}/authorization", 204),
        ("DELETE /users/{userId}/authorization", 204),
        ("DELETE /users/{userId}", 204),
    ]
