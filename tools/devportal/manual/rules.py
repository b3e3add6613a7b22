"""Every rule that a finding can name, with what it finds and what to do: rows in `rules.yaml`.

The insert `check-rules` shows them. A test holds the rows against the names that the code uses.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

import yaml

from devportal.contract import Api
from devportal.manual.definitions import (
    Definition,
    code_list,
    definition_list,
    help_to_markdown,
    refuse_arguments,
)
from devportal.markup.page import InsertProblem


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleWords:
    """A rule by its name in findings: the levels that these have, what it finds, what to do. Help texts."""

    name: str
    level: str
    finds: str
    remedy: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RuleArea:
    """Rules about one thing, and the commands that tell of them."""

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
                RuleWords(name=name, level=one.get("level", "error"), finds=one["finds"], remedy=one["do"])
                for name, one in row["rules"].items()
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
        yield definition_list(map(_rule_definition, area.rules))


def _rule_definition(rule: RuleWords) -> Definition:
    return Definition(
        term=rule.name,
        anchor=rule.name,
        text=f"{help_to_markdown(rule.finds)} {help_to_markdown(rule.remedy)}",
        facts=(f"{rule.level.capitalize()}.",),
    )
