# ruff: noqa: D102 - servers: their names say what they break, their methods are promises
"""Faults of subscriptions to plans: steps that only another step allows, changed plans, filters and counts."""

import json
from pathlib import Path

import pytest
from starlette.requests import Request
from starlette.responses import Response

from devportal.conformance.families.filters import filters
from devportal.conformance.families.lists import list_totals
from devportal.conformance.families.responses import consistent_members
from devportal.conformance.families.states import actions
from devportal.conformance.family import Family
from tests.conformance.families.asking import titles_for_contract
from tests.conformance.families.servers.boxes import MAIN
from tests.conformance.families.servers.server import Refusal, Server, Thing, read_object, request_schemas
from tests.conformance.running import subject_of

STEPS = {
    "cancel": (("active", "paused"), "canceled"),
    "pause": (("active",), "paused"),
    "resume": (("paused",), "active"),
}
CONTRACT = Path(__file__).parent / "servers" / "plans.yaml"


class Subscriptions(Server):
    """Each method is a promise; a faulty server overrides one."""

    def __init__(self) -> None:
        self.subject = subject_of(CONTRACT)
        self.schemas = request_schemas(self.subject)
        self.plans: dict[str, Thing] = {}
        self.subscriptions: dict[str, Thing] = {}

    def respond(self, request: Request, body: bytes) -> Response:
        if request.headers.get("authorization") != f"Bearer {MAIN}":
            raise Refusal(401)
        kind, *rest = request.url.path.strip("/").split("/")
        respond = self.respond_to_plans if kind == "plans" else self.respond_to_subscriptions
        return respond(request, rest, body)

    def respond_to_plans(self, request: Request, rest: list[str], body: bytes) -> Response:
        if request.method == "POST":
            plan = {"id": f"plan{len(self.plans)}", "active": True, **self.read("createPlan", body)}
            self.plans[plan["id"]] = plan
            return self.json(self.show_plan(plan), 201)
        if rest:
            return self.json(self.show_plan(self.find(self.plans, rest[0])))
        plans = self.list_plans(request.query_params.get("active", ""))
        return self.json([self.show_plan(plan) for plan in plans])

    def respond_to_subscriptions(self, request: Request, rest: list[str], body: bytes) -> Response:
        if not rest and request.method == "POST":
            data = self.read("subscribe", body)
            self.find(self.plans, data["plan_id"])
            subscription = {"id": f"sub{len(self.subscriptions)}", "status": "active", **data}
            self.subscriptions[subscription["id"]] = subscription
            return self.json(subscription, 201)
        if not rest:
            plan_id, every = request.query_params.get("plan_id"), self.subscriptions.values()
            return self.json([each for each in every if plan_id in (None, each["plan_id"])])
        subscription = self.find(self.subscriptions, rest[0])
        if rest[1:] == ["change_plan"]:
            plan = self.find(self.plans, self.read("changePlan", body)["plan_id"])
            return self.json(self.change_plan(subscription, plan))
        return self.json(self.step(subscription, rest[1]) if rest[1:] else subscription)

    def step(self, subscription: Thing, name: str) -> Thing:
        before, after = STEPS[name]
        if subscription["status"] not in before:
            raise Refusal(409)
        return self.move(subscription, after)

    def json(self, value: object, status: int = 200) -> Response:
        return Response(json.dumps(value), status, media_type="application/json")

    def read(self, operation_id: str, body: bytes) -> Thing:
        return read_object(self.subject, self.schemas[operation_id], body)

    def find(self, things: dict[str, Thing], key: str) -> Thing:
        if key not in things:
            raise Refusal(404)
        return things[key]

    def show_plan(self, plan: Thing) -> Thing:
        every = [each for each in self.subscriptions.values() if each["plan_id"] == plan["id"]]
        return {**plan, "subscriptions": self.count([each["status"] for each in every])}

    def count(self, states: list[str]) -> int:
        return len(states) - states.count("canceled")

    def list_plans(self, active: str) -> list[Thing]:
        every = self.plans.values()
        return [each for each in every if not active or each["active"] is (active == "true")]

    def change_plan(self, subscription: Thing, plan: Thing) -> Thing:
        if subscription["status"] == "canceled":
            raise Refusal(409)
        subscription["plan_id"] = plan["id"]
        return subscription

    def move(self, subscription: Thing, state: str) -> Thing:
        subscription["status"] = state
        subscription["paused_at"] = self.paused_at(subscription)
        return subscription

    def paused_at(self, subscription: Thing) -> str | None:
        return "now" if subscription["status"] == "paused" else None


class ResumesNone(Subscriptions):
    def move(self, subscription: Thing, state: str) -> Thing:
        if state == "active":
            subscription["quantity"] = None
        return super().move(subscription, state)


class KeepsThePlan(Subscriptions):
    def change_plan(self, subscription: Thing, plan: Thing) -> Thing:  # noqa: ARG002
        return subscription


class ListsActiveOnesForFalse(Subscriptions):
    def list_plans(self, active: str) -> list[Thing]:
        return super().list_plans(active.replace("false", ""))


class KeepsTheTimeOfThePause(Subscriptions):
    def paused_at(self, subscription: Thing) -> str | None:
        return super().paused_at(subscription) or subscription.get("paused_at")


class CountsAll(Subscriptions):
    def count(self, states: list[str]) -> int:
        return len(states)


STEP = "POST /subscriptions/{id}"


@pytest.mark.deep
@pytest.mark.parametrize(
    ("app", "family", "expected"),
    [
        (
            KeepsTheTimeOfThePause,
            consistent_members.FAMILY,
            {
                f"{STEP}/resume: 'paused_at' has a value in a state without one",
                "GET /subscriptions/{id}: 'paused_at' has a value in a state without one",
            },
        ),
        (ResumesNone, actions.FAMILY, {f"{STEP}/resume: an action takes members away"}),
        (KeepsThePlan, actions.FAMILY, {f"{STEP}/change_plan: an action leaves 'plan_id' as it was"}),
        (
            ListsActiveOnesForFalse,
            filters.FAMILY,
            {"GET /plans: the filter 'active' lets other items through"},
        ),
        (
            CountsAll,
            list_totals.FAMILY,
            {"GET /plans/{plan_id}: 'subscriptions' is not the number of what it counts"},
        ),
    ],
)
def test_faults_of_subscriptions_are_found(
    app: type[Subscriptions], family: Family, expected: set[str]
) -> None:
    """`resume` is only allowed after `pause`, which is not allowed after `cancel`, the first action of the contract."""
    right = titles_for_contract(family, Subscriptions(), CONTRACT)
    found = titles_for_contract(family, app(), CONTRACT)

    assert not right
    assert found == expected
