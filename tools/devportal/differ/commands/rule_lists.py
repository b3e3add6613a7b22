"""Every rule of the differ and every key of a policy as lists: text, JSON or Markdown tables."""

import json
from collections.abc import Iterable, Iterator, Mapping
from importlib import resources
from itertools import groupby
from typing import Any

from devportal.differ import Policy, Verdict
from devportal.differ.output.wording import rule_sentence
from devportal.differ.rule import Area, Rule
from devportal.differ.rules.all_rules import EVERY_RULE
from devportal.errors import InvalidSettings
from devportal.markup import code_span, escape_markdown
from devportal.reporting import Format
from devportal.reporting.json_text import json_document

_DEFAULT_TEXTS = {
    "format_enforced": "those of JSON Schema and OpenAPI",
    "component_renamed": "`ignored`",
    "rules": "",
    "renamed": "",
    "acknowledged": "",
}
"""The default as text, if the value in the policy is not a word of the file."""


def policy_markdown() -> str:
    """Return the settings as a Markdown table, in the order of the schema."""
    usual = Policy()
    head = ("| knob | usually | what it says |", "| --- | --- | --- |")
    rows = (
        f"| {code_span(name)} | {_default_text(usual, name)} | {setting['description'].replace('|', chr(92) + '|')} |"
        for name, setting in _policy_keys().items()
    )
    return "\n".join((*head, *rows))


def _policy_keys() -> dict[str, dict[str, Any]]:
    file = resources.files("devportal.differ") / "shapes" / "policy.schema.json"
    settings: dict[str, dict[str, Any]] = json.loads(file.read_text(encoding="utf-8"))["properties"]
    return settings


def _default_text(policy: Policy, name: str) -> str:
    if name in _DEFAULT_TEXTS:
        return _DEFAULT_TEXTS[name]
    value = getattr(policy, name)
    if isinstance(value, Mapping):
        return ", ".join(code_span(f"{key}: {member}") for key, member in value.items())
    return code_span(json.dumps(value).strip('"'))


_NOTHING = "nothing"


def rules_in(form: Format) -> str:
    """Return every rule in a format. Raises InvalidSettings for one that has no such list."""
    match form:
        case Format.TEXT:
            return rules_text()
        case Format.JSON:
            return rules_json()
        case Format.MARKDOWN:
            return f"{rules_markdown()}\n"
    raise InvalidSettings(
        f"the rules are not listed as {form}", help="--rules goes with text, json and markdown"
    )


def rules_by_area() -> Iterator[tuple[Area, tuple[Rule[Any], ...]]]:
    """Yield the parts of a contract, each with its rules by their ids."""
    for area, rows in groupby(_unique_rules(), key=lambda rule: rule.area):
        yield area, tuple(rows)


def rules_text() -> str:
    """Return the rules for a terminal: id, verdicts, sentence, by area."""
    lines: list[str] = []
    for area, rows in rules_by_area():
        lines += ["", area.upper()] if lines else [area.upper()]
        for rule in rows:
            lines += [f"  {rule.id}  ({_format_verdicts(rule)})", f"    {rule_sentence(rule)}"]
    return "".join(f"{line}\n" for line in lines)


def rules_json() -> str:
    """Return the rules as JSON: a verdict is null if the rule is off in that direction."""
    return json_document(
        {
            "rules": [
                {
                    "id": rule.id,
                    "area": rule.area,
                    "action": rule.action,
                    "verdicts": {"sent": rule.to_provider, "received": rule.to_consumer},
                    "sentence": rule_sentence(rule),
                }
                for rule in _unique_rules()
            ]
        }
    )


def rules_markdown() -> str:
    """Return the rules as tables in Markdown, one for each area."""
    return "\n\n".join(
        "\n".join((f"### {area.capitalize()}", "", *_HEAD, *map(_row, rows)))
        for area, rows in rules_by_area()
    )


_HEAD = ("| rule | sent | received | what has changed |", "| --- | --- | --- | --- |")


def _row(rule: Rule[Any]) -> str:
    verdicts = f"{_verdict(rule.to_provider)} | {_verdict(rule.to_consumer)}"
    return f"| {code_span(rule.id)} | {verdicts} | {_cell(rule_sentence(rule))} |"


def _cell(text: str) -> str:
    return escape_markdown(text).replace("|", "\\|")


def _format_verdicts(rule: Rule[Any]) -> str:
    if rule.to_provider is rule.to_consumer:
        return _verdict(rule.to_provider)
    return f"sent: {_verdict(rule.to_provider)}, received: {_verdict(rule.to_consumer)}"


def _verdict(verdict: Verdict | None) -> str:
    return str(verdict) if verdict is not None else _NOTHING


def _unique_rules() -> Iterable[Rule[Any]]:
    """Return each rule once, by area and id: some are looked for in two places."""
    rows = {rule.id: rule for rule in EVERY_RULE}
    return sorted(rows.values(), key=lambda rule: (_AREAS.index(rule.area), rule.id))


_AREAS = tuple(dict.fromkeys(rule.area for rule in EVERY_RULE))
