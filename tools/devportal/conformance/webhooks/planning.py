"""The plan of a run: from the settings, from the contract where they are silent, and what was assumed."""

import ipaddress
import json
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any
from urllib.parse import urlsplit

from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.conformance.webhooks.discovery.deliveries import LONGEST_PAGE
from devportal.conformance.webhooks.discovery.discovery import Discovery, discover_webhooks
from devportal.conformance.webhooks.discovery.receiver_addresses import URL
from devportal.conformance.webhooks.discovery.subscription import (
    find_subscription,
    subscription_settings,
    subscription_text,
)
from devportal.conformance.webhooks.event_matching import promised_events
from devportal.conformance.webhooks.plan import Certainty, Trigger, WebhookPlan, parse_plan
from devportal.errors import InvalidSettings

UNREACHABLE = (
    "an address at which the deployment reaches this machine, as it is not on it. Write into the settings: "
    "`webhooks: {receiver: {listen: '0.0.0.0:9000', url: 'https://YOUR-TUNNEL.example.com'}}`, or give "
    "--webhook-url"
)
OTHERWISE = "If that is not so, declare it under `webhooks` in the settings"
UNSELECTED = (
    "{operation}, which subscribes the receiver, among the tested operations. Select it too, or declare "
    "`webhooks.subscribe` in the settings"
)
MOCK = "a deployment that stores what it receives: this one is a mock"


@dataclass(frozen=True, slots=True, kw_only=True)
class PlannedWebhooks:
    """The plan, None if nothing can be tested: then `missing` is what that would need, empty if the contract
    has no events. `assumption` says what was taken from the contract, empty if nothing was.
    """

    plan: WebhookPlan | None = None
    missing: str = ""
    assumption: str = ""


def plan_webhooks(subject: Subject, declared: Mapping[str, Any]) -> PlannedWebhooks:
    """Return the plan of a run. Settings come first; what they leave out is taken from the contract.

    Raises InvalidSettings for names that the contract does not have, and for settings that need more.
    """
    if "triggers" in declared:
        return _plan_of_triggers(subject, declared)
    if not promised_events(subject.api):
        if declared:
            raise InvalidSettings(
                "webhooks: the contract describes no events",
                help="describe them under `webhooks`, `x-webhooks` or `callbacks`, or leave `webhooks` out",
            )
        return PlannedWebhooks()
    if subject.keeps_nothing:
        return PlannedWebhooks(missing=MOCK)
    if not is_on_this_machine(subject.base_url) and not declared.get("receiver", {}).get("url"):
        return PlannedWebhooks(missing=UNREACHABLE)
    discovery = discover_webhooks(subject)
    if not discovery.is_found:
        return PlannedWebhooks(missing=discovery.missing)
    plan = parse_plan(subject.api, _merge_plans(discovery.settings, declared))
    return PlannedWebhooks(
        plan=_with_assumptions(plan, discovery, is_log_declared="log" in declared),
        assumption=_assumption_text(discovery),
    )


def _plan_of_triggers(subject: Subject, declared: Mapping[str, Any]) -> PlannedWebhooks:
    """Return the plan of declared triggers, with the subscription of the contract if they have no address."""
    is_addressed = "subscribe" in declared or "url" in declared.get("receiver", {})
    if is_addressed or URL in json.dumps(declared["triggers"]):
        return PlannedWebhooks(plan=parse_plan(subject.api, declared))
    subscription = find_subscription(subject)
    if subscription is None:
        unselected = find_subscription(replace(subject, operations=subject.api.operations))
        if unselected is not None:
            return PlannedWebhooks(missing=UNSELECTED.format(operation=operation_label(unselected[0])))
        raise InvalidSettings(
            "webhooks.triggers: nothing says where events are sent",
            help="add `subscribe`, write `{url}` into a trigger, or set `receiver.url` if you subscribed by hand",
        )
    operation, place = subscription
    subscribe = subscription_settings(subject, operation, place)
    return PlannedWebhooks(
        plan=parse_plan(subject.api, {"subscribe": subscribe, **declared}),
        assumption=f"{subscription_text(operation, place)}. {OTHERWISE}",
    )


def _merge_plans(found: Mapping[str, Any], declared: Mapping[str, Any]) -> dict[str, Any]:
    """Return settings with what was found beside them. Parts of a signature are added one by one."""
    merged = {**found, **declared}
    parts = [item.get("signature") for item in (found, declared)]
    if all(isinstance(part, dict) for part in parts):
        merged["signature"] = {name: value for part in parts if part for name, value in part.items()}
    return merged


def is_on_this_machine(url: str) -> bool:
    """Return whether a URL leads to a loopback address (RFC 6761 §6.3)."""
    host = (urlsplit(url).hostname or "").rstrip(".")
    if host == "localhost" or host.endswith(".localhost"):
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


def _with_assumptions(plan: WebhookPlan, discovery: Discovery, *, is_log_declared: bool) -> WebhookPlan:
    """Return the plan with why each event must come."""
    log = plan.log
    if log is not None and not is_log_declared:
        pages = [int(text) for text in log.query.values() if text.isdigit()]
        log = replace(log, most_rows=min([LONGEST_PAGE, *pages]))
    triggers = tuple(_with_certainties(trigger, discovery.certainties) for trigger in plan.triggers)
    return replace(plan, triggers=triggers, log=log)


def _with_certainties(trigger: Trigger, certainties: Mapping[tuple[str, str], Certainty]) -> Trigger:
    label = operation_label(trigger.operation)
    events = (
        replace(event, certainty=certainties.get((label, event.name), Certainty.DECLARED))
        for event in trigger.events
    )
    return replace(trigger, events=tuple(events))


def _assumption_text(discovery: Discovery) -> str:
    return f"{'; '.join(discovery.assumptions)}. {OTHERWISE}"
