"""The rows about rules: one for each name that the code gives to a finding, and no other."""

import ast
import json
import re

import pytest

from devportal.errors import Place
from devportal.findings import Finding, Level
from devportal.manual.lists import check_rules, rule_areas
from devportal.markup.page import InsertProblem
from tests.house.repository import ROOT
from tests.reference.reading import api_from

from .rule_names import GivenRules

ROWS = {rule.name: rule for area in rule_areas() for rule in area.rules}
EMPTY = api_from({"openapi": "3.1.0", "info": {"title": "T", "version": "1"}, "paths": {}})


@pytest.fixture(scope="module")
def trees() -> list[ast.Module]:
    """Return the modules of the toolkit, parsed."""
    code = sorted((ROOT / "tools" / "devportal").rglob("*.py"))
    return [ast.parse(path.read_text(encoding="utf-8")) for path in code]


@pytest.fixture(scope="module")
def given_rules(trees: list[ast.Module]) -> GivenRules:
    """Return the rules of the toolkit."""
    return GivenRules(trees)


def test_every_rule_of_the_code_has_a_row(given_rules: GivenRules) -> None:
    """What a finding says in brackets can be looked up."""
    assert given_rules.names
    assert given_rules.names - ROWS.keys() == set()


def test_every_row_is_a_rule_of_the_code(trees: list[ast.Module], given_rules: GivenRules) -> None:
    """A row for what no finding says promises too much."""
    texts = {
        node.value
        for tree in trees
        for node in ast.walk(tree)
        if isinstance(node, ast.Constant) and isinstance(node.value, str)
    }

    assert ROWS.keys() - given_rules.names - texts == set()


def test_a_rule_without_a_row_would_be_found() -> None:
    """Named by the keyword, at the place of the parameter, by a constant, or by its end."""
    code = """
RULE = "contract-constant"
def told(place, rule): ...
class Graph:
    def _report_redirect(self, move, rule): ...
def check(self):
    Finding(rule="contract-keyword", place=1)
    Finding(rule=RULE)
    told(place, "contract-placed")
    self._report_redirect(move, "end")
"""

    assert GivenRules([ast.parse(code)]).names == {
        "contract-constant", "contract-keyword", "contract-placed", "redirect-end",
    }  # fmt: skip


def test_every_rule_of_the_code_has_the_form_of_one(given_rules: GivenRules) -> None:
    """Small letters with hyphens: problem matchers of CI ask for them, and so does the test above."""
    assert given_rules.misnamed == set()


def test_a_rule_of_another_form_would_be_found() -> None:
    """Capitals, one word, and what is handed on unseen; a sentence at the same place of another is none."""
    code = """
def told(place, rule): ...
def _told(place, rule, *more): ...
def check(fault, more):
    _told(place, "contract-more", *more)
    Finding(rule="LINK-nowhere")
    Finding(rule="contract_shape")
    told(place, "nowhere")
    told(place, "contract-right")
    told(place, "fix it")
    told(*fault)
"""

    assert GivenRules([ast.parse("_told(*sentence)")]).misnamed == set()
    assert GivenRules([ast.parse(code)]).misnamed == {"LINK-nowhere", "contract_shape", "nowhere", "*"}


def test_annotations_of_pipelines_know_every_rule() -> None:
    """The expression that the page on CI gives reads each from a finding as it is printed."""
    text = (ROOT / "docs" / "toolkit" / "ci.md").read_text(encoding="utf-8")
    (block,) = re.findall(r"```json title=\"\.github/devportal\.json\"\n(.*?)```", text, re.DOTALL)
    matcher = json.loads(block)
    expression = matcher["problemMatcher"][0]["pattern"][0]["regexp"]

    for name in ROWS:
        told = Finding(
            rule=name, level=Level.ERROR, place=Place(file="a b.md", line=1, column=2), message="m"
        )
        found = re.fullmatch(expression, str(told))
        assert found, name
        assert found.groups() == ("a b.md", "1", "2", "error", "m", name)


def test_each_rule_stands_once_and_is_told_in_sentences() -> None:
    """With a level, what it finds, and what to do."""
    names = [rule.name for area in rule_areas() for rule in area.rules]

    assert len(names) == len(set(names))
    for rule in ROWS.values():
        assert set(rule.level.split(" or ")) <= set(Level), rule
        assert re.fullmatch(r"[A-Z`].*\.", rule.finds), rule
        assert re.fullmatch(r"[A-Z].*\.", rule.remedy), rule


def test_rules_are_shown_by_area() -> None:
    """Each with a name that can be linked to; arguments are refused."""
    shown = check_rules(EMPTY, ())

    assert isinstance(shown, str)
    assert all(f"](#{name}){{ #{name} .dp-term }}" in shown for name in ROWS)
    assert isinstance(check_rules(EMPTY, ("contract",)), InsertProblem)
