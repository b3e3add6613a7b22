"""The insert `differ-rules`: each rule by which two contracts are compared, from its row."""

from collections.abc import Iterator
from typing import Any

from devportal.contract import Api
from devportal.differ import Verdict
from devportal.differ.rule import Rule
from devportal.diffing.rule_list import rules_by_area
from devportal.diffing.wording import told
from devportal.manual.definitions import Definition, anchor, definition_list, no_arguments, prose, sentence
from devportal.pages import code_span
from devportal.pages.inserts import Wrong


def differ_rules(_: Api, arguments: tuple[str, ...]) -> str | Wrong:
    """Return every rule under a heading for its part of a contract."""
    wrong = no_arguments("differ-rules", arguments)
    return wrong if wrong is not None else "\n".join(_lines())


def _lines() -> Iterator[str]:
    for area, rules in rules_by_area():
        yield from (f"## {area.capitalize()}", "", definition_list(map(_definition, rules)), "")


def _definition(rule: Rule[Any]) -> Definition:
    return Definition(
        term=rule.id, anchor=anchor(rule.id), text=sentence(told(rule)), facts=tuple(_facts(rule))
    )


def _facts(rule: Rule[Any]) -> Iterator[str]:
    sent, received = rule.to_provider, rule.to_consumer
    if sent is received is None:
        yield "The case decides, or the policy."
    elif sent is received:
        yield f"{_verdict(sent)}."
    else:
        yield f"Sent: {_verdict(sent)}. Received: {_verdict(received)}."
    if rule.mirror:
        mirrored = f"Its mirror is [{code_span(rule.mirror)}](#{anchor(rule.mirror)})"
        yield (
            f"{mirrored}, which is judged otherwise: {prose(rule.waiver)}." if rule.waiver else f"{mirrored}."
        )
    elif rule.waiver:
        yield f"The other way round it is judged otherwise: {prose(rule.waiver)}."


def _verdict(verdict: Verdict | None) -> str:
    return f"**{verdict}**" if verdict is not None else "nothing"
