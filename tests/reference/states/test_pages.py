"""The section on states of a schema's page; its whole form is in the golden files."""

from itertools import pairwise

import pytest
from hypothesis import given
from lxml import etree  # type: ignore[import-untyped]

from devportal.contract import StateMachine
from devportal.markup import Page
from devportal.reference.states.html import MAX_STATES, state_diagram_svg
from tests.contract.machines import machine, machines
from tests.reference.reading import api_from, pages_of, parse_html


def page_of(**schema: object) -> Page:
    """Return the page of the schema `State` with these keywords."""
    contract = {"paths": {}, "components": {"schemas": {"State": {"type": "string", **schema}}}}
    return pages_of(api_from(contract))["reference/schemas/state.md"]


def test_a_schema_without_a_machine_has_no_section() -> None:
    """Neither on its page nor in its twin nor in search."""
    page = page_of(enum=["a", "b"])

    assert "dp-states" not in page.body
    assert "## States" not in page.markdown
    assert [search_entry.anchor for search_entry in page.search] == [""]


def test_search_knows_the_section() -> None:
    """By the names of the states."""
    steps = [{"from": "a", "to": "b", "on": "x"}]
    page = page_of(enum=["a", "b"], **{"x-state-machine": {"initial": ["a"], "transitions": steps}})

    (section,) = page.search[1:]
    assert (section.title, section.text, section.anchor) == ("States of State", "a, b", "states")
    assert [
        element.tag for element in parse_html(page.body).all() if element.attributes.get("id") == "states"
    ] == ["h2"]


def test_a_machine_that_nobody_could_read_is_not_drawn() -> None:
    """Its table is there all the same."""
    states = [f"s{number}" for number in range(MAX_STATES + 1)]
    steps = [{"from": first, "to": other, "on": "x"} for first, other in pairwise(states)]
    page = page_of(enum=states, **{"x-state-machine": {"initial": states[:1], "transitions": steps}})

    assert "<svg" not in page.body
    assert page.body.count("<tr>") == len(steps) + 1


@pytest.mark.parametrize("name", ["<b>", 'a "b" & c', "日本"])
def test_names_and_labels_are_escaped(name: str) -> None:
    """Whatever a contract calls its states."""
    made = state_diagram_svg(machine(f"{name} -> x: {name}"), title=name, about={name: name}, anchor="a")

    root = etree.fromstring(made)
    texts = ["".join(item.itertext()) for item in root.iter("text")]
    assert sorted(texts) == sorted([name, "x", name])
    assert [item.text for item in root.iter("title")] == [name, name]


@given(machines())
def test_a_drawing_is_well_formed(found: StateMachine) -> None:
    """With its ids from one anchor, and nothing that a content security policy would refuse."""
    root = etree.fromstring(state_diagram_svg(found, title="T", about={}, anchor="a"))

    assert {item.get("id") for item in root.iter() if item.get("id")} == {"a-title", "a-desc"}
    assert not [item for item in root.iter() if item.get("style") or item.tag in ("style", "script")]
    assert len(list(root.iter("rect"))) == len(found.states) + len(found.finals)
