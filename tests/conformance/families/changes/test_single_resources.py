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


ROLLOUTS = contract("""\
paths:
  /rollouts/{environment}:
    parameters: [{name: environment, in: path, required: true, schema: {type: string}, example: production}]
    get:
      responses:
        '200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Rollout'}}}}
        '404': {description: There is no such environment.}
    put:
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Rollout'}}}}
      responses:
        '200': {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Rollout'}}}}
        '404': {description: There is no such environment.}
components:
  schemas:
    Rollout:
      type: object
      required: [isOn, weights]
      additionalProperties: false
      properties:
        isOn: {type: boolean}
        weights:
          type: array
          items: {type: object, properties: {variation: {type: string}, weight: {type: integer}}}
          example: [{variation: up, weight: 45}, {variation: down, weight: 55}]
""")


class Rollouts:
    """An ASGI application with two environments. `replace` is a promise; a faulty server overrides it."""

    def __init__(self) -> None:
        self.rollouts: dict[str, Thing] = {
            name: {"isOn": False, "weights": []} for name in ("production", "test")
        }

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        body, name = await request.body(), request.url.path.rpartition("/")[2]
        if name not in self.rollouts:
            await JSONResponse({}, 404)(scope, receive, send)
            return
        if request.method == "PUT":
            self.replace(name, json.loads(body))
        await JSONResponse(self.rollouts[name])(scope, receive, send)

    def replace(self, name: str, rollout: Thing) -> None:
        self.rollouts[name] = rollout


class StoresNothing(Rollouts):
    def replace(self, name: str, rollout: Thing) -> None:
        pass


class RoundsWeights(Rollouts):
    def replace(self, name: str, rollout: Thing) -> None:
        weights = [{**each, "weight": each["weight"] // 10 * 10} for each in rollout["weights"]]
        self.rollouts[name] = {**rollout, "weights": weights}


class LosesTheLastWeight(Rollouts):
    def replace(self, name: str, rollout: Thing) -> None:
        self.rollouts[name] = {**rollout, "weights": rollout["weights"][:-1]}


@pytest.mark.parametrize(
    ("app", "titles"),
    [
        (Rollouts, set()),
        (StoresNothing, {"a change of a list is not read back"}),
        (RoundsWeights, {"a change of a list is not read back"}),
        (LosesTheLastWeight, {"a change of a list is not read back"}),
    ],
)
def test_a_change_of_one_of_several_that_nobody_creates_is_read_back(
    app: type[Rollouts], titles: set[str]
) -> None:
    """The contract names one of them, and a PUT without a 201 creates none."""
    log = run_family(FAMILY, app(), subject_of_contract(ROLLOUTS))

    assert {failure.title for failure in log.failures} == titles


LIMITS = contract("""\
paths:
  /accounts:
    post:
      requestBody: {content: {application/json: {schema: {type: object, properties: {name: {type: string}}}}}}
      responses:
        '201': &account {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Account'}}}}
  /accounts/{account_id}:
    parameters: &id [{name: account_id, in: path, required: true, schema: {type: string}}]
    get: {responses: {'200': *account, '404': {description: None.}}}
  /accounts/{account_id}/limits:
    parameters: *id
    get:
      responses:
        '200': &limits {description: ok, content: {application/json: {schema: {$ref: '#/components/schemas/Limits'}}}}
        '404': {description: None.}
    put:
      requestBody: {required: true, content: {application/json: {schema: {$ref: '#/components/schemas/Limits'}}}}
      responses: {'200': *limits, '404': {description: None.}}
components:
  schemas:
    Account: {type: object, required: [id], properties: {id: {type: string}, name: {type: string}}}
    Limits:
      type: object
      required: [daily, single]
      properties: {daily: {type: integer, minimum: 0}, single: {type: integer, minimum: 0}}
""")


class Limits:
    """An ASGI application: accounts with limits. `replace` is a promise; a faulty server overrides it."""

    def __init__(self) -> None:
        self.limits: dict[str, Thing] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        request = Request(scope, receive)
        body, (_, key, *rest) = await request.body(), [*request.url.path.strip("/").split("/"), "", ""][:3]
        if request.method == "POST":
            key = f"a{len(self.limits)}"
            self.limits[key] = {"daily": 1000, "single": 500}
        if key not in self.limits:
            response = JSONResponse({}, 404)
        elif not rest[0]:
            response = JSONResponse({"id": key}, 201 if request.method == "POST" else 200)
        else:
            if request.method == "PUT":
                self.replace(key, json.loads(body))
            response = JSONResponse(self.limits[key])
        await response(scope, receive, send)

    def replace(self, key: str, limits: Thing) -> None:
        self.limits[key] = limits


class MixesThemUp(Limits):
    def replace(self, key: str, limits: Thing) -> None:
        self.limits[key] = {"daily": limits["single"], "single": limits["daily"]}


class ReplacesAll(Limits):
    def replace(self, key: str, limits: Thing) -> None:  # noqa: ARG002
        self.limits = dict.fromkeys(self.limits, limits)


@pytest.mark.deep
@pytest.mark.parametrize(
    ("app", "titles"),
    [
        (Limits, set()),
        (MixesThemUp, {"a change is not read back"}),
        (ReplacesAll, {"a change of one resource changes others"}),
    ],
)
def test_a_change_below_a_resource_is_read_there_and_nowhere_else(
    app: type[Limits], titles: set[str]
) -> None:
    """Numbers that are sent differ, and another account has other limits."""
    log = run_family(FAMILY, app(), subject_of_contract(LIMITS))

    assert {failure.title for failure in log.failures} == titles
