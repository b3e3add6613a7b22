"""Every knob of the policy with what holds where nothing is said, as a table: from its schema."""

import json
from collections.abc import Mapping
from importlib import resources
from typing import Any

from devportal.differ import Policy
from devportal.pages import code_span

_OWN_WORDS = {
    "format_enforced": "those of JSON Schema and OpenAPI",
    "component_renamed": "`ignored`",
    "rules": "",
    "acknowledged": "",
}
"""What is usual where the policy's own value is no word of the file."""


def policy_markdown() -> str:
    """Return the knobs as a table in Markdown, in the order of the schema."""
    usual = Policy()
    head = ("| knob | usually | what it says |", "| --- | --- | --- |")
    rows = (
        f"| {code_span(name)} | {_usual(usual, name)} | {knob['description'].replace('|', chr(92) + '|')} |"
        for name, knob in _knobs().items()
    )
    return "\n".join((*head, *rows))


def _knobs() -> dict[str, dict[str, Any]]:
    file = resources.files("devportal.differ") / "shapes" / "policy.schema.json"
    knobs: dict[str, dict[str, Any]] = json.loads(file.read_text(encoding="utf-8"))["properties"]
    return knobs


def _usual(policy: Policy, name: str) -> str:
    if name in _OWN_WORDS:
        return _OWN_WORDS[name]
    value = getattr(policy, name)
    if isinstance(value, Mapping):
        return ", ".join(code_span(f"{key}: {one}") for key, one in value.items())
    return code_span(json.dumps(value).strip('"'))
