"""Every rule of the differ as a list: text, JSON, or tables in Markdown."""

from collections.abc import Iterable, Iterator
from itertools import groupby
from typing import Any

from devportal.differ import Verdict
from devportal.differ.rule import Area, Rule
from devportal.differ.rules.every import EVERY_RULE
from devportal.diffing.formats import Format
from devportal.diffing.json_text import json_document
from devportal.diffing.wording import told
from devportal.errors import InvalidSettings
from devportal.pages import code_span, escaped

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
    for area, rows in groupby(_unique(), key=lambda rule: rule.area):
        yield area, tuple(rows)


def rules_text() -> str:
    """Return the rules for a terminal: id, verdicts, sentence, by area."""
    lines: list[str] = []
    for area, rows in rules_by_area():
        lines += ["", area.upper()] if lines else [area.upper()]
        for rule in rows:
            lines += [f"  {rule.id}  ({_both(rule)})", f"    {told(rule)}"]
    return "".join(f"{line}\n" for line in lines)


def rules_json() -> str:
    """Return the rules as JSON: a verdict is null where nothing is found in that direction."""
    return json_document(
        {
            "rules": [
                {
                    "id": rule.id,
                    "area": rule.area,
                    "action": rule.action,
                    "verdicts": {"sent": rule.to_provider, "received": rule.to_consumer},
                    "sentence": told(rule),
                }
                for rule in _unique()
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
    return f"| {code_span(rule.id)} | {verdicts} | {_cell(told(rule))} |"


def _cell(text: str) -> str:
    return escaped(text).replace("|", "\\|")


def _both(rule: Rule[Any]) -> str:
    if rule.to_provider is rule.to_consumer:
        return _verdict(rule.to_provider)
    return f"sent: {_verdict(rule.to_provider)}, received: {_verdict(rule.to_consumer)}"


def _verdict(verdict: Verdict | None) -> str:
    return str(verdict) if verdict is not None else _NOTHING


def _unique() -> Iterable[Rule[Any]]:
    """Return each rule once, by area and id: some are looked for in two places."""
    rows = {rule.id: rule for rule in EVERY_RULE}
    return sorted(rows.values(), key=lambda rule: (_AREAS.index(rule.area), rule.id))


_AREAS = tuple(dict.fromkeys(rule.area for rule in EVERY_RULE))
