"""Markdown twins of a contract in which every description is an attack."""

from typing import Any

import pytest
import yaml

from devportal.markup import Page
from tests.markup.attacks import ATTACKS

from .reading import CONTRACTS, api_from, pages_of
from .twin_laws import twin_breaches

_CONTRACT = yaml.load((CONTRACTS / "rich-3.1.yaml").read_text(encoding="utf-8"), Loader=yaml.CSafeLoader)


def with_descriptions(value: Any, text: str) -> Any:
    """Return a contract with another text in place of each description."""
    if isinstance(value, list):
        return [with_descriptions(item, text) for item in value]
    if not isinstance(value, dict):
        return value
    return {
        key: text
        if key == "description" and isinstance(other_value, str)
        else with_descriptions(other_value, text)
        for key, other_value in value.items()
    }


@pytest.mark.parametrize(
    "attack",
    [
        pytest.param(name, marks=[pytest.mark.deep] if number % 4 else [])
        for number, name in enumerate(ATTACKS)
    ],
)
def test_no_description_gets_out_of_hand(attack: str) -> None:
    """Wherever it stands, nothing in it acts, its headings fit, its links lead to twins, its code ends."""
    text = f"# High\n\n{ATTACKS[attack]}\n\n#### Low\n\n[here](#tag/x)\n\n[one]: javascript:x\n\n```\nopen"

    found = twin_breaches(pages_of(api_from(with_descriptions(_CONTRACT, text))))

    assert [text for text in found if "a link to 'x'" not in text] == []  # an author's own relative link


@pytest.mark.parametrize("where", ["body", "member", "branch"])
def test_no_day_of_an_end_gets_out_of_hand(where: str) -> None:
    """Wherever the type of a value is shown with the day on which it ends, its text is only text."""
    hostile = "x\n\n# High\n\n<img src=x onerror=alert(1)> ![a](http://other.example/a.png) [b](javascript:x)"
    value = {"type": "string", "deprecated": True, "x-sunset": hostile}
    schema = {
        "body": {**value, "type": "object"},
        "member": {"properties": {"a": value}},
        "branch": {"oneOf": [value, {"type": "integer"}]},
    }[where]
    answers = {"200": {"description": "Fine", "content": {"application/json": {"schema": schema}}}}
    contract = {"paths": {"/a": {"get": {"operationId": "a", "responses": answers}}}}

    assert twin_breaches(pages_of(api_from(contract))) == []


def test_code_behind_a_stray_backtick_stays_code() -> None:
    """Neither a description nor the method of a callback sets free what stands behind it."""
    hostile = "<img src=x onerror=alert(1)>"
    asked = {"description": "a ` b", "schema": {"type": "string", "description": "c ` d", "default": hostile}}
    answers = {"200": {"description": "e ` f", "headers": {"X-Sent": asked}}}
    called = {"{$request.body#/url}": {"additionalOperations": {hostile: {"responses": answers}}}}
    sent = {
        "parameters": [{"name": "sent", "in": "query", **asked}],
        "responses": answers,
        "callbacks": {"told": called},
    }
    contract = {"openapi": "3.2.0", "info": {"title": "T", "version": "1"}, "paths": {"/sent": {"get": sent}}}

    found = twin_breaches(pages_of(api_from(contract)))

    assert found == []


@pytest.mark.parametrize(
    ("twin", "breach"),
    [
        ("# T\n\n<script>x</script>", "HTML '<script>x</script>'"),
        ("# T\n\na <b onclick=x>", "HTML '<b onclick=x>'"),
        ("# T\n\n![a](b.png)", "an image 'a'"),
        ("# T\n\n[a](javascript:x)", "a link to 'javascript:x'"),
        ("# T\n\n[a](b.md)", "a link to 'b.md', which is not there"),
        ("# T\n\n[a]: b", "a reference to 'A'"),
        ("# T\n\n# U", "headings [1, 1]"),
        ("T", "headings []"),
        ("# T\n\n### U", "h3 after h1"),
    ],
)
def test_the_laws_of_twins_are_looked_at(twin: str, breach: str) -> None:
    """Each law goes red."""
    page = Page(uri="reference/a.md", title="T", description="", body="", markdown=twin)

    assert twin_breaches({"reference/a.md": page}) == [f"reference/a.md: {breach}"]
