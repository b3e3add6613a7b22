# ruff: noqa: D102 - servers: their names say what they break, their methods are promises
"""Creations that name two resources of an account, such as the accounts of a transfer."""

import json
import uuid
from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.responses import JSONResponse, Response

from devportal.conformance.families.security.tenants import FAMILY
from tests.conformance.families.asking import titles_for_contract
from tests.conformance.families.servers.boxes import MAIN, OTHER
from tests.conformance.families.servers.server import Refusal, Server, Thing

CONTRACT = """\
openapi: 3.0.3
info: {title: Transfers, version: '1'}
security: [{token: []}]
paths:
  /accounts:
    post:
      responses:
        '201': &account {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Account'}}}}
  /accounts/{account_id}:
    parameters: [{name: account_id, in: path, required: true, schema: {type: string}}]
    get: {responses: {'200': *account, '404': {description: None.}}}
  /transfers:
    post:
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/New'}}}}
      responses: {'201': {description: ok}, '422': {description: There is no such account.}}
components:
  securitySchemes: {token: {type: http, scheme: bearer}}
  schemas:
    Account: {type: object, required: [id], properties: {id: {type: string}}}
    New:
      type: object
      required: [source_account_id, target_account_id]
      properties: {source_account_id: {type: string}, target_account_id: {type: string}}
"""


class Transfers(Server):
    """Each method is a promise; a faulty server overrides one."""

    def __init__(self) -> None:
        self.owners: dict[str, str] = {}

    def respond(self, request: Request, body: bytes) -> Response:
        account = request.headers.get("authorization", "").removeprefix("Bearer ")
        if account not in (MAIN, OTHER):
            raise Refusal(401)
        if request.url.path == "/transfers":
            transfer = json.loads(body)
            if not self.may_send(transfer, account) or not self.may_receive(transfer, account):
                raise Refusal(422)
            return JSONResponse({}, 201)
        if request.method == "POST":
            self.owners[str(uuid.uuid4())] = account
            return JSONResponse({"id": [*self.owners][-1]}, 201)
        key = request.url.path.rpartition("/")[2]
        if self.owners.get(key) != account:
            raise Refusal(404)
        return JSONResponse({"id": key})

    def may_send(self, transfer: Thing, account: str) -> bool:
        return self.owners.get(transfer["source_account_id"]) == account

    def may_receive(self, transfer: Thing, account: str) -> bool:
        return self.owners.get(transfer["target_account_id"]) == account


class SendsFromAnyAccount(Transfers):
    def may_send(self, transfer: Thing, account: str) -> bool:  # noqa: ARG002
        return transfer["source_account_id"] in self.owners


@pytest.mark.deep
@pytest.mark.parametrize(
    ("app", "titles"),
    [
        (Transfers, set()),
        (SendsFromAnyAccount, {"POST /transfers: 'source_account_id' takes things of another account"}),
    ],
)
def test_each_reference_is_tried_beside_one_of_the_account_itself(
    app: type[Transfers], titles: set[str], tmp_path: Path
) -> None:
    """A request with two references to another account is rejected for either of them."""
    contract = tmp_path / "transfers.yaml"
    contract.write_text(CONTRACT, encoding="utf-8")

    assert titles_for_contract(FAMILY, app(), contract) == titles
