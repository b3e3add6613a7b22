"""A policy as a YAML or JSON file: the settings that differ from the defaults."""

import datetime as dt
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import replace
from functools import lru_cache
from importlib.resources import files
from pathlib import Path
from typing import Any

from devportal.contract import Stability
from devportal.differ.policy import Acknowledgement, DeclaredRenames, OpenSet, Policy, Softening, UnknownInput
from devportal.differ.rule import Verdict
from devportal.differ.rules.all_rules import RETIRED_RULES, rule_ids
from devportal.documents import Document, Shape, read_document
from devportal.findings import Finding, Level, in_order
from devportal.suggestions import suggest_name

_VERDICTS = {"doc": Verdict.DOCUMENTATION} | {verdict.value: verdict for verdict in Verdict}
_OPEN_SET_KEYS = ("response_enum", "response_union")
_VERDICT_KEYS = (
    "response_optional_removed",
    "first_bound",
    "operation_id",
    "placeholder_renamed",
    "default_change",
    "oauth_url",
    "success_status_added",
)
_FINGERPRINT = re.compile("[0-9a-f]{16}")
_UNCONVERTED_KEYS = ("date_time_accepts_date", "sunset_required", "deprecation_notice_days")


def load_policy(path: Path) -> tuple[Policy, tuple[Finding, ...]]:
    """Return the policy of a file and its problems. Raises UnreadableInput."""
    return parse_policy(read_document(path))


def parse_policy(document: Document) -> tuple[Policy, tuple[Finding, ...]]:
    """Return the policy of a document and its problems; with any problem, it is the default policy."""
    if document.data is None:
        return Policy(), ()
    wrong = [misfit.finding for misfit in _policy_shape().misfits(document)]
    if isinstance(document.data, dict):
        wrong += _unknown_key_findings(document)
    if wrong:
        return Policy(), in_order(wrong)
    return read_policy(document.data), ()


@lru_cache(maxsize=1)
def _policy_shape() -> Shape:
    text = files("devportal.differ").joinpath("shapes", "policy.schema.json").read_text("utf-8")
    return Shape(json.loads(text), rule="differ-policy", root="the policy")


def _unknown_key_findings(document: Document) -> Iterator[Finding]:
    """Yield problems with keys that the JSON Schema cannot check: ids of rules, and fingerprints."""
    for name in _keys(document, "rules"):
        if name not in rule_ids() and name not in RETIRED_RULES:
            message = f"{name!r} is not a rule of the differ"
            advice = suggest_name(name, rule_ids(), "`devportal diff --rules` lists them")
            yield _key_finding(document, "rules", name, message, advice)
    for name in _keys(document, "acknowledged"):
        if _FINGERPRINT.fullmatch(name) is None:
            message = f"{name!r} is not a fingerprint: one has 16 digits of 0 to 9 and a to f"
            yield _key_finding(document, "acknowledged", name, message, _fingerprint_advice(name))


def retired_rule_findings(document: Document) -> Iterator[Finding]:
    """Yield a warning for each rule that is no more: its verdict has no effect."""
    for name in _keys(document, "rules") if isinstance(document.data, dict) else ():
        if name in RETIRED_RULES:
            message = f"the rule {name!r} no longer exists, so its verdict has no effect"
            finding = _key_finding(document, "rules", name, message, f"use {RETIRED_RULES[name]} instead")
            yield replace(finding, level=Level.WARNING)


def _keys(document: Document, setting: str) -> tuple[str, ...]:
    member = document.data.get(setting)
    return tuple(member) if isinstance(member, dict) else ()


def _fingerprint_advice(name: str) -> str:
    small = name.strip().lower()
    if _FINGERPRINT.fullmatch(small):
        return f"write '{small}'"
    return "copy it from the output of `devportal diff`, where it follows the rule of each change"


def _key_finding(document: Document, setting: str, name: str, message: str, advice: str) -> Finding:
    return Finding(
        rule="differ-policy",
        level=Level.ERROR,
        place=document.place((setting, name)),
        message=message,
        help=advice,
    )


def read_policy(written: Mapping[str, Any]) -> Policy:
    """Return the policy of a mapping that fits the schema."""
    values: dict[str, Any] = {name: written[name] for name in _UNCONVERTED_KEYS if name in written}
    values |= {name: OpenSet(written[name]) for name in _OPEN_SET_KEYS if name in written}
    values |= {name: _VERDICTS[written[name]] for name in _VERDICT_KEYS if name in written}
    if "unknown_input" in written:
        values["unknown_input"] = UnknownInput(written["unknown_input"])
    if "format_enforced" in written:
        values["format_enforced"] = frozenset(written["format_enforced"])
    if "component_renamed" in written:
        values["component_renamed"] = _VERDICTS.get(written["component_renamed"])
    if "renamed" in written:
        values["renamed"] = DeclaredRenames(**written["renamed"])
    usual = Policy()
    levels = {
        Stability(name): Softening(stability_level)
        for name, stability_level in written.get("stability_levels", {}).items()
    }
    return replace(
        usual,
        stability_levels={**usual.stability_levels, **levels},
        levels={
            name: _VERDICTS.get(word)
            for name, word in written.get("rules", {}).items()
            if name not in RETIRED_RULES
        },
        acknowledged={
            fingerprint: Acknowledgement(
                reason=value["reason"],
                date=dt.date.fromisoformat(value["date"]),
                places=tuple(value["places"]) if "places" in value else None,
                until=dt.date.fromisoformat(value["until"]) if "until" in value else None,
            )
            for fingerprint, value in written.get("acknowledged", {}).items()
        },
        **values,
    )
