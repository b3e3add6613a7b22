"""Characters that show a text in another order than it is written."""

import json

import pytest

from devportal.contract import check_contract, read_contract
from devportal.documents import parse_document
from devportal.findings import Level


def direction_findings(title: str, path: str = "/a") -> list[tuple[str, Level, str]]:
    """Return rule, level and place of what is wrong with the direction of texts, written as JSON."""
    document = {
        "openapi": "3.0.3",
        "info": {"title": title, "version": "1"},
        "paths": {path: {"get": {"responses": {"204": {"description": "Done."}}}}},
    }
    text = json.dumps(document, indent=1)
    findings = check_contract(read_contract(parse_document(text, name="api.json")))
    return [
        (finding.rule, finding.level, str(finding.place))
        for finding in findings
        if finding.rule == "contract-direction"
    ]


@pytest.mark.parametrize(
    "title",
    [
        "\u202egnihton",
        "a \u202d12\u202c b",
        "\u202bopen",
        "\u2067open",
        "closed\u202c",
        "\u2067\u202a\u2069\u202c",
        "\u2066a\nb\u2069",
    ],
)
def test_text_that_is_shown_in_another_order(title: str) -> None:
    """An override, and what begins an embedding or an isolate that its line does not end."""
    assert direction_findings(title) == [("contract-direction", Level.WARNING, "api.json:4:3")]


@pytest.mark.parametrize(
    "title",
    ["שלום, API", "a \u2068b\u2069 c", "\u200fא\u200e", "\u202aa\u2067b\u2069\u202c", "می\u200cشود", "📦"],
)
def test_text_that_is_as_it_is_written(title: str) -> None:
    """Scripts from right to left, marks, and what is closed where it began."""
    assert direction_findings(title) == []


@pytest.mark.parametrize("path", ["/a\u200f", "/\u2066a\u2069", "/\u202ea"])
def test_name_has_no_such_character(path: str) -> None:
    """Programs compare names by their characters, and nobody sees these."""
    assert [rule for rule, _, _ in direction_findings("T", path)] == ["contract-direction"]
