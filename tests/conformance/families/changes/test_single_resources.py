# ruff: noqa: D102 - servers: their names say what they break, their methods are promises
"""Resources of one address, such as settings, that a PUT replaces."""

import json
from dataclasses import replace
from typing import Any

import pytest
from starlette.requests import Request
from starlette.responses import JSONResponse
from starlette.types import Receive, Scope, Send

from devportal.conformance.deployment.client import Deployment, RequestPolicy
from devportal.conformance.deployment.exchange import Request as HttpRequest
from devportal.conformance.deployment.masking import Mask
from devportal.conformance.families.changes.updated_resources import FAMILY
from devportal.conformance.knowledge.resources.single_resources import restored_addresses
from devportal.conformance.run.probing import DirectSender
from tests.apps.serving import serving
from tests.conformance.families.asking import run_family
from tests.conformance.running import subject_of_contract
from tests.contract.inline import contract

Thing = dict[str, Any]
CONTRACT = contract("""\
paths:
  /settings:
    get:
      responses:
        '200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Settings'}}}}
    put:
      summary: Replace the settings
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Settings'}}}}
      responses:
        '200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Settings'}}}}
components:
  schemas:
    Settings:
      type: object
      required: [currency, threshold]
      additionalProperties: false
      properties:
        currency: {type: string, enum: [EUR, NOK]}
        threshold: {type: integer, minimum: 0, maximum: 100, example: 5}
        language: {type: string, enum: [en, nb]}
        footer: {type: string, example: Thanks}
""")


class Settings:
    """An ASGI application. `replace` is a promise; a faulty server overrides it."""

    def __init__(self) -> None:
        self.settings: Thing = {"currency": "NOK", "threshold": 7, "footer": "Hello"}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        body = await request.body()
        if request.method == "PUT":
            self.replace(json.loads(body))
        await JSONResponse(self.settings)(scope, receive, send)

    def replace(self, settings: Thing) -> None:
        self.settings = settings


class HasDefaults(Settings):
    def replace(self, settings: Thing) -> None:
        self.settings = {"language": "en", "footer": "Thanks", **settings}


class Merges(Settings):
    def replace(self, settings: Thing) -> None:
        self.settings = {**self.settings, **settings}


class KeepsFooters(Settings):
    def replace(self, settings: Thing) -> None:
        self.settings = {"footer": self.settings.get("footer"), **settings}


@pytest.mark.parametrize(
    ("app", "kept"),
    [
        (Settings, ""),
        (HasDefaults, ""),
        (Merges, "footer, language"),
        (KeepsFooters, "footer"),
    ],
)
def test_a_replacement_removes_what_it_leaves_out(app: type[Settings], kept: str) -> None:
    """Defaults that the contract does not have are no failure. What was there is restored."""
    server = app()
    before = server.settings

    log = run_family(FAMILY, server, subject_of_contract(CONTRACT))

    assert [failure.title for failure in log.failures] == ["a replacement keeps what it leaves out"] * bool(
        kept
    )
    assert all(failure.message.endswith(f": {kept}") for failure in log.failures)
    assert {name: server.settings[name] for name in before} == before


def test_a_run_sets_resources_of_one_address_back() -> None:
    """Whatever changes them in between."""
    server = HasDefaults()
    before = server.settings
    changed = HttpRequest(method="PUT", url="", body=b'{"currency": "EUR", "threshold": 99}')

    with serving(server) as url, Deployment(RequestPolicy(), mask=Mask()) as deployment:
        send = DirectSender(deployment)
        with restored_addresses(subject_of_contract(CONTRACT, url), send):
            send(None, replace(changed, url=f"{url}/settings"))
            threshold = server.settings["threshold"]

    assert threshold == 99
    assert {name: server.settings[name] for name in before} == before
