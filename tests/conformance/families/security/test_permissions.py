# ruff: noqa: D102, ARG002 - methods are promises or override them: their names say it all
"""A credential does what its scopes allow, and nothing else."""

from dataclasses import replace
from pathlib import Path

import pytest
from starlette.requests import Request

from devportal.conformance.deployment.credentials import CredentialSet
from devportal.conformance.families.security import permissions
from devportal.conformance.families.security.permissions import ScopeRequirement, required_scopes
from tests.conformance.credential_sets import single_credential
from tests.conformance.families.asking import EVERYONE, boxes, failed_operations, run_family
from tests.conformance.families.servers.boxes import MAIN, READER, Boxes, Caller, Refusal

FAMILY = permissions.FAMILY


class HidesWhatIsForbidden(Boxes):
    """Right: says 404 to who may not, as if nothing was there."""

    def permit(self, caller: Caller, scope: str, request: Request) -> None:
        try:
            super().permit(caller, scope, request)
        except Refusal as refusal:
            raise Refusal(404, "there is nothing here") from refusal


class ReaderOfAnotherAccount(Boxes):
    """Right: the limited credential belongs to somebody else, who has nothing of the first."""

    def caller(self, request: Request) -> Caller:
        caller = super().caller(request)
        return replace(caller, account="third") if caller.scopes == ("boxes:read",) else caller


class NotOpenYet(Boxes):
    """Right: one operation is forbidden to everybody for another reason."""

    def permit(self, caller: Caller, scope: str, request: Request) -> None:
        if request.url.path == "/v1/moves":
            raise Refusal(403, "not in your plan")
        super().permit(caller, scope, request)


class AsksForNoScope(Boxes):
    def permit(self, caller: Caller, scope: str, request: Request) -> None:
        return


class ForgetsOneOperation(Boxes):
    def permit(self, caller: Caller, scope: str, request: Request) -> None:
        if request.method != "DELETE":
            super().permit(caller, scope, request)


class WantsTheWrongScope(Boxes):
    def permit(self, caller: Caller, scope: str, request: Request) -> None:
        super().permit(caller, "boxes:write" if request.url.path == "/v1/moves" else scope, request)


class BreaksOnRefusal(Boxes):
    def permit(self, caller: Caller, scope: str, request: Request) -> None:
        if request.method == "PATCH" and scope not in caller.scopes:
            raise Refusal(500, "oops")
        super().permit(caller, scope, request)


@pytest.mark.parametrize("app", [Boxes, HidesWhatIsForbidden, ReaderOfAnotherAccount, NotOpenYet])
def test_right_servers_are_silent(app: type[Boxes]) -> None:
    """Any refusal will do, and what is forbidden to everybody is no matter of scopes."""
    log = run_family(FAMILY, app())

    assert not log.failures
    assert {name for name, _, _, passed in log.tallies if passed} >= {"POST /v1/boxes", "GET /v1/boxes"}


@pytest.mark.parametrize(
    ("app", "faults"),
    [
        (
            AsksForNoScope,
            {
                ("POST /v1/boxes", "a credential without the scope is accepted"),
                ("PATCH /v1/boxes/{box_id}", "a credential without the scope is accepted"),
                ("POST /v1/labels", "a credential without the scope is accepted"),
            },
        ),
        (WantsTheWrongScope, {("GET /v1/moves", "a credential with the scope is forbidden")}),
        (
            BreaksOnRefusal,
            {("PATCH /v1/boxes/{box_id}", "a credential without the scope is not rejected with 403")},
        ),
    ],
    ids=lambda value: value.__name__ if isinstance(value, type) else "",
)
def test_each_wrong_server_is_told(app: type[Boxes], faults: set[tuple[str, str]]) -> None:
    """What is done without its scope, or refused in spite of it, is told for its operation."""
    log = run_family(FAMILY, app())

    assert faults <= failed_operations(log.failures)
    assert all(READER not in repr(failure) for failure in log.failures)


def test_a_deletion_without_its_scope_is_told_although_it_can_be_done_once() -> None:
    """The second asking finds nothing to delete any more: it must not hide the first."""
    log = run_family(FAMILY, ForgetsOneOperation())

    assert ("DELETE /v1/boxes/{box_id}", "a credential without the scope is accepted") in failed_operations(
        log.failures
    )


def test_scopes_of_requirements_and_beside_them_count() -> None:
    """Requirements are alternatives; within one, and beside them, all scopes are needed."""
    operation = boxes().operations[0]
    need = ScopeRequirement(alternatives=(frozenset({"a", "b"}), frozenset({"c"})))

    assert required_scopes(operation).alternatives == (frozenset({"boxes:write"}),)
    assert need.is_met(frozenset({"c"}))
    assert not need.is_met(frozenset({"a"}))
    assert not need.is_foreign(frozenset({"a"}))
    assert need.is_foreign(frozenset({"d"}))


def test_a_requirement_without_scopes_promises_nothing() -> None:
    """Whether `[]` lets a limited credential in is for the deployment to decide."""
    need = ScopeRequirement(alternatives=(frozenset(),))

    assert not need.is_met(frozenset({"a"}))
    assert not need.is_foreign(frozenset({"a"}))
    assert not need.is_named


def test_without_what_it_takes_there_is_a_gap() -> None:
    """No limited credential, or one whose scopes nobody told, leaves a gap."""
    unknown = CredentialSet(
        everyone=tuple(replace(credential, scopes=None) for credential in EVERYONE.everyone)
    )

    alone = run_family(FAMILY, Boxes(), replace(boxes(), parties=single_credential(MAIN)))
    untold = run_family(FAMILY, Boxes(), replace(boxes(), parties=unknown))

    assert [
        "DEVPORTAL_LIMITED_TOKEN" in untested_check.reason for untested_check in alone.untested_checks
    ] == [True]
    assert [
        "credentials.limited.scopes" in untested_check.reason for untested_check in untold.untested_checks
    ] == [True]


def test_a_contract_without_scopes_leaves_a_limited_credential_untested(tmp_path: Path) -> None:
    """Who accepts any token breaks no promise then, and has not passed either."""
    contract = tmp_path / "things.yaml"
    contract.write_text(
        "openapi: 3.0.3\ninfo: {title: A, version: '1'}\nsecurity: [{token: []}]\n"
        "paths: {/a: {get: {responses: {'200': {description: ok}}}}}\n"
        "components: {securitySchemes: {token: {type: http, scheme: bearer}}}\n"
    )

    log = run_family(FAMILY, Boxes(), boxes(contract))

    assert not log.tallies
    assert ["a scope in `security`" in untested_check.reason for untested_check in log.untested_checks] == [
        True
    ]
