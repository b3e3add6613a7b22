"""What is said of an answer: nothing that was not looked at is right, or wrong."""

from pathlib import Path
from typing import Any

import pytest

from .node import ask, run

NUMBERS = {"items": {"type": ["integer"]}}
MODEL = "model/gltf+json"
CUT = "The response is larger than 64 MB. The rest was not read, and the body was not checked."


def verdict(folder: Path, content: dict[str, Any], **answer: Any) -> dict[str, Any]:
    """Return what is said of an answer to an operation whose bodies are described."""
    operation = {"method": "GET", "responses": {"200": content}}
    (said,) = run("answering.mjs", {"folder": str(folder), "operation": operation, "answers": [answer]})
    assert isinstance(said, dict)
    return said


def no_differences(*left_open: str) -> dict[str, Any]:
    """Return the verdict if nothing differs."""
    return {"faults": [], "places": [], "open": [*left_open]}


@pytest.mark.parametrize("text", ['[1, "x", "', '[1, "x"]', "[1]"])
def test_answer_that_is_cut_is_not_accused(text: str, folder: Path) -> None:
    """Neither of what is missing nor of what its beginning would be by itself."""
    said = verdict(folder, {"application/json": NUMBERS}, type="application/json", text=text, end="large")

    assert said == no_differences(CUT)


def test_answer_that_is_no_json_is_told(folder: Path) -> None:
    """All of it came."""
    said = verdict(folder, {"application/json": NUMBERS}, type="application/json", text='[1, "')

    assert len(said["faults"]) == 1
    assert said["faults"][0].startswith("The body is not valid JSON: ")
    assert said["open"] == []


def test_any_type_that_is_written_as_json_is_read(folder: Path) -> None:
    """RFC 6839 §3.1: a suffix says so, whatever stands before it."""
    said = verdict(folder, {MODEL: NUMBERS}, type=f"{MODEL}; v=1", text='["x"]')

    assert said["places"] == [{"place": "/0", "message": '"x" is not an integer'}]


@pytest.mark.parametrize("kind", [MODEL, "image/png"])
def test_body_that_was_not_read_is_told(kind: str, folder: Path) -> None:
    """What is not text to the console is not checked, and keeps no contract by that."""
    assert verdict(folder, {kind: NUMBERS}, type=kind, size=9) == no_differences(
        f"Bodies of type {kind} are not checked against a schema."
    )
    assert verdict(folder, {kind: True}, type=kind, size=9) == no_differences()


VERSIONS = {"application/json;v=1": 1, 'application/json; V="2"': 2, "application/json": 0, "text/*": 3}


@pytest.mark.parametrize(
    ("content", "kind", "expected"),
    [
        (VERSIONS, "application/json; v=2", 2),
        (VERSIONS, "application/json;charset=utf-8;v=1", 1),
        (VERSIONS, "Application/JSON", 0),
        (VERSIONS, "application/json; v=3", 0),
        (VERSIONS, "text/plain; v=1", 3),
        ({"application/json;v=1": 1, "application/json;v=1;w=2": 2}, "application/json;w=2;v=1", 2),
        ({"application/json;v=1": 1, "*/*": 2}, "application/json;v=2", 1),
        ({"application/json;v=1": 1}, "image/png", None),
    ],
)
def test_parameters_tell_media_types_apart(
    content: dict[str, int], kind: str, expected: int | None, folder: Path
) -> None:
    """The one with the most of them that the answer has too; where none fits, the type by itself counts."""
    given = {"module": "verdict", "asked": [["mediaOf", content, kind]]}
    (answer,) = ask(folder, "calls", given)

    assert content.get(answer.get("value")) == expected
