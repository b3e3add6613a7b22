"""Finds in the contract alone how its events are received.

The result is in the words of the settings, so that it can be shown, corrected and declared.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.conformance.webhooks.discovery.causes import (
    FoundTrigger,
    addressed_triggers,
    callback_triggers,
    related_triggers,
    trigger_settings,
)
from devportal.conformance.webhooks.discovery.deliveries import delivery_settings, log_settings
from devportal.conformance.webhooks.discovery.receiver_addresses import AddressPlace
from devportal.conformance.webhooks.discovery.subscription import (
    find_subscription,
    subscription_settings,
    subscription_text,
)
from devportal.conformance.webhooks.event_matching import event_kinds
from devportal.conformance.webhooks.plan import Certainty
from devportal.contract import Operation

PATIENCE_S = 10.0
"""How long a run waits for events that nobody declared."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Discovery:
    """What a contract says about receiving its events.

    `settings` are in the words of `webhooks` in the settings file, without `triggers` if nothing was found:
    then `missing` is what the settings must say. `certainties` say, by trigger and event, why the event
    must come. `assumptions` say what was assumed, in sentences.
    """

    settings: Mapping[str, Any] = field(default_factory=dict)
    certainties: Mapping[tuple[str, str], Certainty] = field(default_factory=dict)
    assumptions: tuple[str, ...] = ()
    missing: str = ""

    @property
    def is_found(self) -> bool:
        """Return whether a trigger was found."""
        return bool(self.settings.get("triggers"))


def discover_webhooks(subject: Subject) -> Discovery:
    """Return how the events of a contract are received, by what the tested operations show."""
    events, subscription = event_kinds(subject.api), find_subscription(subject)
    triggers = tuple(callback_triggers(subject, subscription[0] if subscription is not None else None))
    if triggers:
        return _discovery(subject, None, triggers)
    if subscription is None:
        return _discovery(subject, None, tuple(addressed_triggers(subject, events)))
    return _discovery(subject, subscription, tuple(related_triggers(subject, events, subscription[0])))


def _discovery(
    subject: Subject,
    subscription: tuple[Operation, AddressPlace] | None,
    triggers: tuple[FoundTrigger, ...],
) -> Discovery:
    if not triggers:
        return Discovery(missing=_missing_text(subject, subscription))
    # Retries are a promise that no contract has words for.
    settings: dict[str, Any] = {
        "patience_s": PATIENCE_S,
        "promises": {"retried": [], "retries_closed": False},
        "triggers": [trigger_settings(subject, trigger) for trigger in triggers],
    }
    assumptions = [trigger.description for trigger in triggers]
    if subscription is not None:
        operation, place = subscription
        settings["subscribe"] = subscription_settings(subject, operation, place)
        assumptions.insert(0, subscription_text(operation, place))
    kinds = [cause.event for trigger in triggers for cause in trigger.causes]
    settings.update(delivery_settings(subject, kinds, settings.get("subscribe", {})))
    log = (
        log_settings(subject, subscription[0] if subscription is not None else None)
        if "signature" in settings
        else None
    )
    if log is not None:
        settings["log"] = log
        assumptions.append(f"{log['operation']} is the log of deliveries")
    return Discovery(
        settings=settings,
        certainties={
            (operation_label(trigger.operation), cause.event.key): cause.certainty
            for trigger in triggers
            for cause in trigger.causes
        },
        assumptions=tuple(assumptions),
    )


def _missing_text(subject: Subject, subscription: tuple[Operation, AddressPlace] | None) -> str:
    if not subject.operations or all(operation.method == "GET" for operation in subject.operations):
        return "a run that may create resources: it is read only"
    if subscription is None:
        return (
            "`webhooks` in the settings, with `triggers` and `subscribe` or `receiver`: no selected operation "
            "takes the address of a receiver"
        )
    return (
        "`webhooks.triggers` in the settings: no selected operation creates what the payloads of the events "
        "are about"
    )
