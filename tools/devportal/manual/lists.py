"""Lists of what the toolkit knows: rules, settings, extensions of a contract."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import Any

import yaml

from devportal.contract import Api
from devportal.contract.validate.extensions import EXTENSIONS, Extension
from devportal.differ import Verdict
from devportal.differ.commands.rule_lists import rules_by_area
from devportal.differ.output.wording import rule_sentence
from devportal.differ.rule import Rule
from devportal.differ.witnesses.rule_classes import NEEDING_NONE, NEEDING_WITNESS
from devportal.manual.definitions import (
    Definition,
    code_list,
    definition_anchor,
    definition_list,
    help_sentence,
    help_to_markdown,
    refuse_arguments,
)
from devportal.markup import code_span
from devportal.markup.page import InsertProblem
from devportal.project.setting_kinds import SettingKind
from devportal.project.settings import setting_docstrings, setting_kinds


def portal_settings(_: Api, arguments: tuple[str, ...]) -> str | InsertProblem:
    """Return every setting in the order in which they are declared."""
    wrong = refuse_arguments("portal-settings", arguments)
    return wrong if wrong is not None else "\n".join(_setting_lines())


def _setting_lines() -> Iterator[str]:
    words = setting_docstrings()
    for name, kind in setting_kinds().items():
        yield from (f"### {code_span(name)} {{ #{name} }}", "")
        for paragraph in words[name].split("\n\n"):
            yield from (help_sentence(paragraph), "")
        yield from (" ".join(_setting_facts(kind)), "{ .dp-muted }", "")


def _setting_facts(kind: SettingKind) -> Iterator[str]:
    yield help_sentence(kind.form)
    if isinstance(kind.default, (str, bool, int)) and kind.default != "":
        default = str(kind.default).lower() if isinstance(kind.default, bool) else str(kind.default)
        yield f"Default: {code_span(default)}."


def contract_extensions(_: Api, arguments: tuple[str, ...]) -> str | InsertProblem:
    """Return every extension that is read, where it may stand, and its effect."""
    wrong = refuse_arguments("contract-extensions", arguments)
    return wrong if wrong is not None else definition_list(map(_extension_definition, EXTENSIONS))


def _extension_definition(extension: Extension) -> Definition:
    first, *others = extension.names
    return Definition(
        term=first,
        anchor=first,
        text=extension.effect,
        facts=(
            f"At: {help_to_markdown(extension.where)}.",
            *((f"Also {', '.join(map(code_span, others))}.",) if others else ()),
        ),
    )


def differ_rules(_: Api, arguments: tuple[str, ...]) -> str | InsertProblem:
    """Return every rule under a heading for its part of a contract; those of one part without, if one is named."""
    by_area = dict(rules_by_area())
    if not arguments:
        return "\n".join(_rule_lines(by_area))
    if len(arguments) > 1 or arguments[0] not in by_area:
        return InsertProblem(
            message=f"there is no part of a contract {' '.join(arguments)!r}",
            help=f"write 'differ-rules [PART]' with one of {', '.join(map(repr, by_area))}",
        )
    return definition_list(map(_rule_definition, by_area[arguments[0]]))


def _rule_lines(by_area: Mapping[str, Sequence[Rule[Any]]]) -> Iterator[str]:
    for area, rules in by_area.items():
        yield from (f"## {area.capitalize()}", "", definition_list(map(_rule_definition, rules)), "")


def _rule_definition(rule: Rule[Any]) -> Definition:
    return Definition(
        term=rule.id,
        anchor=definition_anchor(rule.id),
        text=help_sentence(rule_sentence(rule)),
        facts=tuple(_rule_facts(rule)),
    )


def _rule_facts(rule: Rule[Any]) -> Iterator[str]:
    sent, received = rule.to_provider, rule.to_consumer
    if sent is received is None:
        yield "The case decides, or the policy."
    elif sent is received:
        yield f"{_verdict_words(sent)}."
    else:
        yield f"Sent: {_verdict_words(sent)}. Received: {_verdict_words(received)}."
    if rule.mirror:
        mirrored = f"Its mirror is {rule.mirror}"
        yield (
            f"{mirrored}, which is judged otherwise: {help_to_markdown(rule.waiver)}."
            if rule.waiver
            else f"{mirrored}."
        )
    elif rule.waiver:
        yield f"The other way round it is judged otherwise: {help_to_markdown(rule.waiver)}."
    if rule.id in NEEDING_WITNESS:
        yield "A breaking change comes with a [message that shows it](diff.md#messages)."
    elif rule.id in NEEDING_NONE:
        yield f"It can be breaking without a message: {NEEDING_NONE[rule.id]}."


def _verdict_words(verdict: Verdict | None) -> str:
    """Return a verdict; only what breaks stands out."""
    if verdict is None:
        return "nothing"
    return f"**{verdict}**" if verdict is Verdict.BREAKING else str(verdict)


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleWords:
    """A rule by its name in findings: the levels that these have, what it finds, what to do. Help texts."""

    name: str
    level: str
    finds: str
    remedy: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleArea:
    """Rules on one topic, and the commands that report them."""

    title: str
    commands: tuple[str, ...]
    rules: tuple[RuleWords, ...]


@lru_cache(maxsize=1)
def rule_areas() -> tuple[RuleArea, ...]:
    """Return every rule by what it is about."""
    rows = yaml.safe_load(files("devportal.manual").joinpath("rules.yaml").read_text("utf-8"))
    return tuple(
        RuleArea(
            title=row["area"],
            commands=tuple(row["command"].split(", ")),
            rules=tuple(
                RuleWords(name=name, level=rule.get("level", "error"), finds=rule["finds"], remedy=rule["do"])
                for name, rule in row["rules"].items()
            ),
        )
        for row in rows
    )


def check_rules(_: Api, arguments: tuple[str, ...]) -> str | InsertProblem:
    """Return every rule under a heading for what it is about."""
    wrong = refuse_arguments("check-rules", arguments)
    return wrong if wrong is not None else "\n".join(_area_lines())


def _area_lines() -> Iterator[str]:
    for area in rule_areas():
        yield from (f"## {area.title}", "", f"Told by {code_list(area.commands)}.", "")
        yield definition_list(map(_check_rule_definition, area.rules))


def _check_rule_definition(rule: RuleWords) -> Definition:
    return Definition(
        term=rule.name,
        anchor=rule.name,
        text=f"{help_to_markdown(rule.finds)} {help_to_markdown(rule.remedy)}",
        facts=(f"{rule.level.capitalize()}.",),
    )
