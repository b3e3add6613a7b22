# ruff: noqa: D102 - servers: their names say what they break, their methods are promises
"""Resources that no path has: procedures create, read, change and delete them."""

import hashlib
import json
from dataclasses import replace

import pytest
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from devportal.conformance.families.registry import FAMILIES
from devportal.contract.resources.procedures import find_called_resources, identifier_schema
from tests.conformance.families.asking import EVERYONE, run_family
from tests.conformance.families.servers.boxes import MAIN, OTHER
from tests.conformance.families.servers.server import Refusal, Server, Thing
from tests.conformance.running import subject_of_contract
from tests.contract.inline import api, contract
from tests.contract.quizzes import QUIZZES


class Quizzes(Server):
    """Each method is a promise; a faulty server overrides one."""

    def __init__(self) -> None:
        self.quizzes: dict[str, Thing] = {}
        self.owners: dict[str, str] = {}

    def respond(self, request: Request, body: bytes) -> Response:
        token = request.headers.get("authorization", "").removeprefix("Bearer ")
        if token not in (MAIN, OTHER):
            raise Refusal(401)
        return self.call(request.url.path, token, json.loads(body) if body else {})

    def call(self, path: str, token: str, data: Thing) -> Response:
        match path:
            case "/rpc/CreateQuiz":
                key = f"quiz-{hashlib.sha256(str(len(self.owners)).encode()).hexdigest()[:8]}"
                self.owners[key] = token  # also of what is deleted: no identifier is used twice
                quiz = {"quizId": key, "state": "draft", **data}
                self.store(quiz)
            case "/rpc/GetQuiz":
                quiz = self.find(token, data)
            case "/rpc/UpdateQuiz":
                quiz = {**self.find(token, data), **data}
                self.change(quiz)
            case "/rpc/PublishQuiz":
                quiz = {**self.find(token, data), "state": "open"}
                self.publish(quiz)
            case "/rpc/ListQuizzes":
                return JSONResponse({"quizzes": self.find_all(token, data)})
            case "/rpc/DeleteQuiz":
                self.delete(self.find(token, data)["quizId"])
                return Response(status_code=204)
            case _:
                raise Refusal(404)
        return JSONResponse({"quiz": quiz})

    def store(self, quiz: Thing) -> None:
        self.quizzes[quiz["quizId"]] = quiz

    def change(self, quiz: Thing) -> None:
        self.quizzes[quiz["quizId"]] = quiz

    def publish(self, quiz: Thing) -> None:
        self.quizzes[quiz["quizId"]] = quiz

    def delete(self, key: str) -> None:
        del self.quizzes[key]

    def find(self, token: str, data: Thing) -> Thing:
        key = data.get("quizId", "")
        if key not in self.quizzes or not self.is_allowed(self.owners[key], token):
            raise Refusal(404)
        return self.quizzes[key]

    def find_all(self, token: str, data: Thing) -> list[Thing]:
        visible = [
            quiz for quiz in self.quizzes.values() if self.is_allowed(self.owners[quiz["quizId"]], token)
        ]
        return [quiz for quiz in visible if data.get("state", quiz["state"]) == quiz["state"]]

    def is_allowed(self, owner: str, token: str) -> bool:
        return owner == token


class KeepsDeleted(Quizzes):
    def delete(self, key: str) -> None:
        pass


class ForgetsChanges(Quizzes):
    def change(self, quiz: Thing) -> None:
        pass


class ForgetsPublishing(Quizzes):
    def publish(self, quiz: Thing) -> None:
        pass


class LosesQuizzes(Quizzes):
    def store(self, quiz: Thing) -> None:
        self.quizzes.setdefault("", quiz)


class ShowsQuizzesOfOthers(Quizzes):
    def is_allowed(self, owner: str, token: str) -> bool:  # noqa: ARG002
        return True


class FindsAnything(Quizzes):
    def find(self, token: str, data: Thing) -> Thing:  # noqa: ARG002
        key = data.get("quizId", "")
        return self.quizzes.get(key) or {"quizId": key, "name": "", "state": "draft"}


@pytest.mark.parametrize(
    ("app", "failures"),
    [
        (Quizzes, set()),
        (KeepsDeleted, {("deleted-things", "what was deleted can still be read")}),
        (ForgetsChanges, {("changed-things", "a change is not read back")}),
        (ForgetsPublishing, {("actions", "an action is not read back")}),
        (LosesQuizzes, {("created-things", "what was created cannot be read")}),
        (ShowsQuizzesOfOthers, {("tenants", "a thing of one account is open to another")}),
        (FindsAnything, {("unknown-ids", "an unknown identifier finds something")}),
    ],
)
def test_faults_of_procedures_are_found(app: type[Quizzes], failures: set[tuple[str, str]]) -> None:
    """The checks of resources call procedures as they send requests to paths."""
    subject = replace(subject_of_contract(contract(QUIZZES)), parties=EVERYONE)
    names = {"actions", "changed-things", "created-things", "deleted-things", "tenants", "unknown-ids"}
    server = app()

    logs = [run_family(family, server, subject) for family in FAMILIES if family.name in names]

    found = {(failure.check, failure.title) for log in logs for failure in log.failures if failure.fails}
    assert found >= failures
    assert bool(found) == bool(failures), found


def test_procedures_of_one_noun_are_about_one_resource() -> None:
    """Its path is that of the procedures, with the identifier; all that take the identifier call it."""
    model = api(QUIZZES)

    (resource,) = find_called_resources(model)

    assert (resource.path, resource.key, resource.envelope) == ("/rpc/{quizId}", ("quizId",), "quiz")
    assert resource.create is not None
    assert resource.create.path == "/rpc/CreateQuiz"
    assert [operation.path for operation in resource.changes] == ["/rpc/UpdateQuiz"]
    assert [operation.path for operation in resource.calls] == [
        "/rpc/GetQuiz",
        "/rpc/UpdateQuiz",
        "/rpc/PublishQuiz",
        "/rpc/DeleteQuiz",
    ]
    schema = identifier_schema(model, resource)
    assert schema is not None
    assert model.resolve(schema).name == "QuizId"


@pytest.mark.parametrize(
    ("create", "read"),
    [
        ("/quizzes.create", "/quizzes.get"),
        ("/quiz/create", "/quiz/info"),
        ("/v1/registerQuiz", "/v1/describeQuiz"),
    ],
)
def test_verbs_are_at_either_end_of_a_name(create: str, read: str) -> None:
    """As many APIs name their procedures."""
    text = QUIZZES.replace("/rpc/CreateQuiz", create).replace("/rpc/GetQuiz", read)

    (resource,) = find_called_resources(api(text))

    assert resource.read is not None
    assert resource.read.path == read


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("/rpc/CreateQuiz", "/rpc/CreateTest"),
        ("/rpc/GetQuiz", "/rpc/SolveQuiz"),
        ("quizId", "id"),
        ("NewQuiz'}, example", "QuizChange'}, example"),
    ],
)
def test_other_procedures_are_about_no_resource(old: str, new: str) -> None:
    """Another noun, no known verb, an identifier of anything, and one that the creation takes."""
    assert find_called_resources(api(QUIZZES.replace(old, new))) == ()


def test_each_procedure_is_called_for_what_another_account_created() -> None:
    """Its identifier is in the body: other members may be varied, and it stays."""
    subject = replace(subject_of_contract(contract(QUIZZES)), parties=EVERYONE)
    tenants = next(family for family in FAMILIES if family.name == "tenants")

    log = run_family(tenants, ShowsQuizzesOfOthers(), subject)

    opened = {failure.operation for failure in log.failures if "is open to another" in failure.title}
    assert opened == {f"POST /rpc/{name}Quiz" for name in ("Get", "Update", "Publish", "Delete")}
