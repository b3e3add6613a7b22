# ruff: noqa: D102, ARG002 - methods are promises or override them: their names say it all
"""Accounts see nothing of each other; servers that differ within what is right raise no alarm."""

from dataclasses import replace

import pytest
from starlette.requests import Request
from starlette.responses import Response

from devportal.conformance.families.security import tenants
from tests.conformance.credential_sets import single_credential
from tests.conformance.families.asking import boxes, failed_operations, run_family
from tests.conformance.families.servers.boxes import MAIN, OTHER, Boxes, Caller, Refusal, Thing

FAMILY = tenants.FAMILY
ONE, SEAL, LIST = "/v1/boxes/{box_id}", "POST /v1/boxes/{box_id}/seal", "GET /v1/boxes"
OPEN = "a thing of one account is open to another"


class CountsForEach(Boxes):
    """Right: each account counts its boxes for itself, so that a number is a box of both."""

    def new_id(self, caller: Caller) -> str:
        return str(sum(1 for account, _ in self.boxes if account == caller.account) + 1)


class DeletesWhatIsNot(Boxes):
    """Right: a deletion leaves nothing behind, and says so, whether or not there was something."""

    def delete(self, request: Request, caller: Caller, body: bytes, key: str) -> Response:
        self.boxes.pop((caller.account, key), None)
        return Response(status_code=204)


class MakesWhatIsChanged(Boxes):
    """Right: who changes a box that is not there makes one of that name, for itself."""

    def change(self, request: Request, caller: Caller, body: bytes, key: str) -> Response:
        box = self.boxes.setdefault((caller.account, key), {"id": key, "state": "open"})
        box.update(self.valid(self.parse(body)))
        return self.json(box)


class SaysForbidden(Boxes):
    """Right: says 403 for what belongs to others, which the contract documents."""

    def find(self, caller: Caller, key: str) -> Thing:
        if any(name == key and account != caller.account for account, name in self.boxes):
            raise Refusal(403, "that is not yours")
        return super().find(caller, key)


class ShowsLater(Boxes):
    """Right: a new box is found a little later than it is made."""

    def find(self, caller: Caller, key: str) -> Thing:
        box = super().find(caller, key)
        box["asked"] = box.get("asked", 0) + 1
        if box["asked"] < 3:
            raise Refusal(404, "there is no such box yet")
        return box


class IgnoresReferences(Boxes):
    """Right, if careless: a label may name any box, there or not."""

    def is_known(self, caller: Caller, key: str) -> bool:
        return True


class OldestFirst(Boxes):
    """Right: its lists begin with the oldest."""

    def visible(self, caller: Caller) -> list[Thing]:
        return super().visible(caller)[::-1]


RIGHT = [
    Boxes,
    CountsForEach,
    DeletesWhatIsNot,
    MakesWhatIsChanged,
    SaysForbidden,
    ShowsLater,
    IgnoresReferences,
    OldestFirst,
]


@pytest.mark.parametrize("app", RIGHT)
def test_right_servers_are_silent(app: type[Boxes]) -> None:
    """Whatever accounts count, hide or delete in their own way, nothing crosses over."""
    log = run_family(FAMILY, app())

    assert not log.failures
    assert any(passed for _, check, _, passed in log.tallies if check == FAMILY.name)


def test_every_operation_and_list_is_tried() -> None:
    """The matrix has each operation on a box, both lists, and the label that names one."""
    log = run_family(FAMILY, Boxes())

    assert {name for name, check, _, passed in log.tallies if check == FAMILY.name and passed} == {
        f"GET {ONE}",
        f"PATCH {ONE}",
        f"DELETE {ONE}",
        SEAL,
        LIST,
        "GET /v1/moves",
        "GET /v1/moves/{move_id}",
        "POST /v1/labels",
    }


class Leaks(Boxes):
    """A base for servers that find boxes of everybody for some requests."""

    methods: tuple[str, ...] = ()

    def find(self, caller: Caller, key: str) -> Thing:
        found = [box for (_, name), box in self.boxes.items() if name == key]
        if self.method in self.methods and found:
            return found[0]
        return super().find(caller, key)

    def answer(self, request: Request, body: bytes) -> Response:
        self.method = request.url.path.rpartition("/")[2] if "seal" in request.url.path else request.method
        return super().answer(request, body)


class ReadsOfAll(Leaks):
    methods = ("GET",)


class ChangesOfAll(Leaks):
    methods = ("PATCH",)


class SealsOfAll(Leaks):
    methods = ("seal",)


class DeletesOfAll(Boxes):
    def delete(self, request: Request, caller: Caller, body: bytes, key: str) -> Response:
        account = next((account for account, name in self.boxes if name == key), caller.account)
        return super().delete(request, replace(caller, account=account), body, key)


class QuietlyDeletesOfAll(DeletesWhatIsNot):
    """Answers 204 to everything, and deletes what belongs to others."""

    def delete(self, request: Request, caller: Caller, body: bytes, key: str) -> Response:
        self.boxes.pop(("main", key), None)
        return super().delete(request, caller, body, key)


class RefusesTooLate(Boxes):
    """Says 404, and has changed the box by then."""

    def change(self, request: Request, caller: Caller, body: bytes, key: str) -> Response:
        if ("main", key) in self.boxes:
            self.boxes["main", key].update(self.valid(self.parse(body)))
        return super().change(request, caller, body, key)


class SealedTooLate(CountsForEach):
    """Counts for each account, and reads boxes of all."""

    def find(self, caller: Caller, key: str) -> Thing:
        return super().find(replace(caller, account="main"), key)


class TellsByConflict(Boxes):
    def seal(self, request: Request, caller: Caller, body: bytes, key: str) -> Response:
        if caller.account != "main" and ("main", key) in self.boxes:
            raise Refusal(409, "it is in use")
        return super().seal(request, caller, body, key)


class BreaksOnStrangers(Boxes):
    def find(self, caller: Caller, key: str) -> Thing:
        if caller.account != "main" and ("main", key) in self.boxes:
            raise Refusal(500, "oops")
        return super().find(caller, key)


class ListsAll(Boxes):
    def visible(self, caller: Caller) -> list[Thing]:
        return list(self.boxes.values())


class FindsAll(Boxes):
    """Its list is each account's own, until it is asked for one box."""

    def page(self, request: Request, caller: Caller, body: bytes) -> Response:
        wanted = request.query_params.get("box_id")
        found = [box for (_, key), box in self.boxes.items() if key == wanted]
        return (
            self.json({"data": found, "next_cursor": None}) if found else super().page(request, caller, body)
        )


class FollowsAnyCursor(Boxes):
    """A cursor says whose list it is, and nobody asks who follows it."""

    def page(self, request: Request, caller: Caller, body: bytes) -> Response:
        account, _, number = request.query_params.get("cursor", "").partition(".")
        return super().page(request, replace(caller, account=account) if number else caller, body)


class TellsEverybody(Boxes):
    def may_list(self, caller: Caller, account: str) -> bool:
        return True


class ReadsMovesOfAll(Boxes):
    """Nobody makes moves: they come about where a box is made, and are as private as it is."""

    def may_read(self, caller: Caller, account: str) -> bool:
        return True


class LabelsAll(Boxes):
    def is_known(self, caller: Caller, key: str) -> bool:
        return any(name == key for _, name in self.boxes)


@pytest.mark.parametrize(
    ("app", "faults"),
    [
        (ReadsOfAll, {(f"GET {ONE}", OPEN)}),
        (SealedTooLate, {(f"GET {ONE}", OPEN)}),
        (ChangesOfAll, {(f"PATCH {ONE}", OPEN)}),
        (SealsOfAll, {(SEAL, OPEN)}),
        (DeletesOfAll, {(f"DELETE {ONE}", OPEN)}),
        (QuietlyDeletesOfAll, {(f"DELETE {ONE}", OPEN)}),
        (
            RefusesTooLate,
            {(f"PATCH {ONE}", "a rejected request of another account takes effect")},
        ),
        (TellsByConflict, {(SEAL, "another account can find out what exists")}),
        (BreaksOnStrangers, {(SEAL, "another account's request is not rejected")}),
        (
            ListsAll,
            {
                (LIST, "a list shows things of another account"),
                (LIST, "a list finds things of another account"),
            },
        ),
        (FindsAll, {(LIST, "a list finds things of another account")}),
        (FollowsAnyCursor, {(LIST, "a cursor shows things of another account")}),
        (TellsEverybody, {("GET /v1/moves", "a list shows things of another account")}),
        (ReadsMovesOfAll, {("GET /v1/moves/{move_id}", OPEN)}),
        (LabelsAll, {("POST /v1/labels", "'box_id' takes things of another account")}),
    ],
    ids=lambda value: value.__name__ if isinstance(value, type) else "",
)
def test_each_wrong_server_is_told(app: type[Boxes], faults: set[tuple[str, str]]) -> None:
    """What crosses over is told for its operation, confirmed by a new thing, without a secret."""
    log = run_family(FAMILY, app())

    assert faults <= failed_operations(log.failures)
    assert not any(text in repr(log.failures) for text in (MAIN, OTHER))


@pytest.mark.parametrize(
    "app", [ReadsOfAll, FindsAll, FollowsAnyCursor, LabelsAll, DeletesOfAll, ReadsMovesOfAll]
)
def test_one_fault_is_one_failure(app: type[Boxes]) -> None:
    """A server that breaks one promise is told of one."""
    assert len(failed_operations(run_family(FAMILY, app()).failures)) == 1


def test_what_is_shared_is_no_leak() -> None:
    """Things that settings name are everybody's, in every operation and list."""
    everything = frozenset(f"{operation.method} {operation.path}" for operation in boxes().operations)

    log = run_family(FAMILY, ListsAll(), replace(boxes(), shared=everything))

    assert not log.failures
    assert not log.untested_checks


def test_without_another_account_there_is_a_gap() -> None:
    """What was not tested is not called passed, and what it needs is said."""
    log = run_family(FAMILY, Boxes(), replace(boxes(), parties=single_credential(MAIN)))

    assert [
        "DEVPORTAL_OTHER_TENANT_TOKEN" in untested_check.reason for untested_check in log.untested_checks
    ] == [True]


def test_a_credential_of_nobody_proves_nothing() -> None:
    """Where the other account's credential is refused, no check of things passes."""
    app = Boxes()
    del app.tokens[OTHER]

    log = run_family(FAMILY, app)

    assert not log.failures
    assert not {name for name, check, _, _ in log.tallies if check == FAMILY.name and ONE in name}


def test_a_run_that_only_reads_makes_nothing() -> None:
    """Without things made for it there is nothing to try."""
    app = Boxes()

    log = run_family(FAMILY, app, reads_only=True)

    assert not app.boxes
    assert not log.failures
    assert not log.tallies
