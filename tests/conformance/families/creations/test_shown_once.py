# ruff: noqa: D102 - servers: their names say what they break, their methods are promises
"""Secrets that only the response to a creation shows."""

import json
import uuid
from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.responses import Response

from devportal.conformance.families.creations import stored_resources
from devportal.conformance.families.creations.shown_once import shown_once_probes
from tests.conformance.families.asking import titles_for_contract
from tests.conformance.families.servers.server import Refusal, Server, Thing
from tests.conformance.running import subject_of

CONTRACT = """\
openapi: 3.1.0
info: {title: Keys, version: "1"}
paths:
  /keys:
    get:
      responses: {"200": {description: Keys., content: {application/json: {schema: {type: array, items: *key}}}}}
    post:
      responses:
        "201":
          description: Made.
          content:
            application/json:
              schema:
                type: object
                properties: {id: {type: string}, token: {type: string, description: "DESCRIPTION"}}
  /keys/{id}:
    get:
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses: {"200": {description: A key., content: {application/json: {schema: *key}}},
        "404": {description: None.}}
""".replace("*key", "{type: object, properties: {id: {type: string}, hint: {type: string}}}")
SENTENCE = "It is never shown again."


def contract_with(folder: Path, description: str) -> Path:
    """Write the contract with a description of the token; return its path."""
    path = folder / "keys.yaml"
    path.write_text(CONTRACT.replace("DESCRIPTION", description), encoding="utf-8")
    return path


class Keys(Server):
    """Each method is a promise; a faulty server overrides one."""

    def __init__(self) -> None:
        self.keys: dict[str, Thing] = {}

    def respond(self, request: Request, body: bytes) -> Response:  # noqa: ARG002 - there is none
        match (request.method, *request.url.path.strip("/").split("/")):
            case "POST", "keys":
                made = {"id": uuid.uuid4().hex, "token": uuid.uuid4().hex}
                self.keys[made["id"]] = made
                return Response(json.dumps(made), 201, media_type="application/json")
            case "GET", "keys":
                shown = [self.list_item(key) for key in self.keys.values()]
                return Response(json.dumps(shown), media_type="application/json")
            case "GET", "keys", key if key in self.keys:
                return Response(json.dumps(self.read(self.keys[key])), media_type="application/json")
            case _:
                raise Refusal(404)

    def read(self, key: Thing) -> Thing:
        return {"id": key["id"], "hint": key["token"][:4]}

    def list_item(self, key: Thing) -> Thing:
        return {"id": key["id"], "token": f"{key['token'][:4]}****"}


class ShowsPrefixes(Keys):
    """The member is the beginning of a longer one, which is not shown again."""

    def respond(self, request: Request, body: bytes) -> Response:
        response = super().respond(request, body)
        if request.method == "POST":
            made = json.loads(bytes(response.body))
            return Response(
                json.dumps({**made, "key": f"{made['token']}00"}), 201, media_type="application/json"
            )
        return response

    def read(self, key: Thing) -> Thing:
        return key


class ReadsTokens(Keys):
    def read(self, key: Thing) -> Thing:
        return key


class ListsTokens(Keys):
    def list_item(self, key: Thing) -> Thing:
        return key


@pytest.mark.parametrize(
    ("server", "operation"),
    [(Keys, ""), (ShowsPrefixes, ""), (ReadsTokens, "GET /keys/{id}"), (ListsTokens, "GET /keys")],
)
def test_a_secret_is_shown_once(server: type[Keys], operation: str, tmp_path: Path) -> None:
    """A part of it, or a masked one, may be shown."""
    found = titles_for_contract(stored_resources.FAMILY, server(), contract_with(tmp_path, SENTENCE))

    assert found == ({f"{operation}: 'token' is shown again"} if operation else set())


@pytest.mark.parametrize(
    ("description", "is_promise"),
    [
        ("Shown only once.", True),
        ("Store it: it cannot be retrieved later.", True),
        ("The token is not returned again.", True),
        ("Never shown again unless it is rotated.", False),
        ("Shown in the console once it is made.", False),
        ("Shown only once the account is verified.", False),
        ("The token, shown only once, when it is made.", True),
        ("The beginning. The full key is never shown again.", False),
        ("Stands for `secret`, which is never shown again.", False),
    ],
)
def test_what_is_shown_once_is_understood(description: str, *, is_promise: bool, tmp_path: Path) -> None:
    """An exception leaves no promise."""
    subject = subject_of(contract_with(tmp_path, description))

    assert bool([*shown_once_probes(subject)]) is is_promise
