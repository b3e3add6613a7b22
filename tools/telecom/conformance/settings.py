"""The messaging settings of a run: `plugins: {devportal-telecom: …}` in `conformance.yaml`."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from importlib.resources import files
from typing import Any

from devportal.conformance.knowledge.subject import Subject
from telecom.compliance import OPTED_OUT_NUMBERS, REGISTERED_ROUTES

PLUGIN = "devportal-telecom"
"""The name of this distribution, the key of its settings in `plugins`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClockRequest:
    """The request that advances the clock of a sandbox; `variable` names the environment variable of its
    token."""

    url: str
    method: str = "POST"
    body: Any = None
    variable: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SegmentFields:
    """Where a contract of another shape has texts and their segments. `text` leads into the request, `count`
    and `encoding` into the response; `encodings` are its words for those of the standard.
    """

    operation: str
    text: str
    count: str
    encoding: str = ""
    encodings: Mapping[str, str] = field(default_factory=dict)
    body: Mapping[str, Any] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class TelecomSettings:
    """What the settings declare about a deployment; without the section nothing is declared.

    `messages_per_s` counts segments; None if no throughput is given. `clock` is None if time passes by
    itself. `segments` is None if the contract is this API's own.
    """

    is_sandbox: bool = False
    registered_routes: tuple[str, ...] = ()
    opted_out: tuple[str, ...] = ()
    may_use_up_quota: bool = False
    messages_per_s: float | None = None
    clock: ClockRequest | None = None
    segments: SegmentFields | None = None


def settings_of(subject: Subject) -> TelecomSettings:
    """Return the settings of a run, which conform to `schema`."""
    section: Mapping[str, Any] = subject.plugins.get(PLUGIN, {})
    is_sandbox = section.get("is_sandbox", False)
    return TelecomSettings(
        is_sandbox=is_sandbox,
        registered_routes=tuple(section.get("registered_routes", REGISTERED_ROUTES if is_sandbox else ())),
        opted_out=tuple(section.get("opted_out", OPTED_OUT_NUMBERS if is_sandbox else ())),
        may_use_up_quota=section.get("quota_probe", False),
        messages_per_s=section.get("messages_per_second"),
        clock=_parse_clock(section["clock"]) if "clock" in section else None,
        segments=SegmentFields(**section["segments"]) if "segments" in section else None,
    )


def missing_sandbox(subject: Subject) -> str:
    """Return the missing requirement if the settings do not call the deployment a sandbox, else an empty
    text."""
    if settings_of(subject).is_sandbox:
        return ""
    return f"a sandbox: set `plugins: {{{PLUGIN}: {{is_sandbox: true}}}}` in the settings"


def schema() -> Mapping[str, Any]:
    """Return the JSON Schema of the section, for the entry point `devportal.conformance.settings`."""
    text = files("telecom.conformance").joinpath("settings.schema.json").read_text("utf-8")
    document: Mapping[str, Any] = json.loads(text)
    return document


def _parse_clock(section: Mapping[str, Any]) -> ClockRequest:
    return ClockRequest(
        url=section["url"],
        method=section.get("method", "POST"),
        body=section.get("body"),
        variable=section.get("token", {}).get("env", ""),
    )
