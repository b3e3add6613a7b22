"""The pages about the house say what is: each file and function that they name is there."""

import ast
import re
from pathlib import Path

import pytest

from .floors import floors_svg, layers
from .repository import ROOT

HOW_TO_ADD = "docs/contributing/how-to-add.md"
PAGES = (
    "docs/contributing/architecture.md",
    HOW_TO_ADD,
    "docs/contributing/testing.md",
)
ROOMS = (ROOT, ROOT / "tools" / "devportal", ROOT / "tools" / "telecom", ROOT / "tools")
DRAWING = ROOT / "docs" / "contributing" / "floors.svg"
_NAMED = re.compile(r"`([\w./-]+\.(?:py|yaml|yml|toml|js|jinja|json|md))(?::([A-Za-z_][\w.]*))?`")
_FOLDER = re.compile(r"`([\w.-]+(?:/[\w.-]+)+/)`")
_STEP = re.compile(r"`[\w./-]+[/.]\w*`|The (file|contract)\b")
_PLACEHOLDER = re.compile(r"[A-Z]{4,}|NNNN|YYYY")


def named_places(text: str) -> list[tuple[str, str]]:
    """Return each file and folder that a page names, with the function or class behind a colon."""
    found = [(file, name or "") for file, name in _NAMED.findall(text)]
    found += [(folder, "") for folder in _FOLDER.findall(text)]
    return [
        (file, name)
        for file, name in found
        if "/" in file and not file.startswith("../") and not _PLACEHOLDER.search(file)
    ]


def problem(file: str, name: str) -> str:
    """Return what is wrong with a named place, empty if nothing is."""
    paths = [room / file for room in ROOMS if (room / file).exists()]
    if not paths:
        return f"there is no {file}"
    if name and not any(defines(path, name) for path in paths):
        return f"{file} has no {name}"
    return ""


def defines(path: Path, name: str) -> bool:
    """Say whether a module has a function or class of that name, `Class.method` included."""
    body: list[ast.stmt] = ast.parse(path.read_text(encoding="utf-8")).body
    for part in name.split("."):
        found = [statement for statement in body if part in _names_of(statement)]
        if not found:
            return False
        body = getattr(found[0], "body", [])
    return True


def _names_of(statement: ast.stmt) -> set[str]:
    if isinstance(statement, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
        return {statement.name}
    targets = statement.targets if isinstance(statement, ast.Assign) else [getattr(statement, "target", None)]
    return {target.id for target in targets if isinstance(target, ast.Name)}


@pytest.mark.parametrize("page", PAGES)
def test_every_place_that_a_page_names_is_there(page: str) -> None:
    """A walk through the house leads through rooms that exist."""
    places = named_places((ROOT / page).read_text(encoding="utf-8"))

    assert len(places) > 1
    assert [found for found in (problem(*place) for place in places) if found] == []


def test_every_walk_is_a_numbered_list_of_files() -> None:
    """Each step of how-to-add begins with the file that is touched, so that the list can be counted."""
    text = (ROOT / HOW_TO_ADD).read_text(encoding="utf-8")
    walks = re.split(r"^### ", text, flags=re.MULTILINE)[1:]
    steps = {walk.partition("\n")[0]: re.findall(r"^\d+\. (.*)$", walk, re.MULTILINE) for walk in walks}

    assert len(walks) > 20
    assert [title for title, found in steps.items() if not found] == []
    assert [step for found in steps.values() for step in found if not _STEP.match(step)] == []


@pytest.mark.parametrize(
    ("file", "name", "said"),
    [
        ("contract/no_such_module.py", "", "there is no contract/no_such_module.py"),
        ("contract/load.py", "unload_contract", "contract/load.py has no unload_contract"),
        ("contract/load.py", "Contract.unload", "contract/load.py has no Contract.unload"),
        ("contract/load.py", "Contract.place", ""),
        ("contract/no_such_room/", "", "there is no contract/no_such_room/"),
    ],
)
def test_a_place_that_is_not_there_is_found(file: str, name: str, said: str) -> None:
    """A file that moved, a function that has another name."""
    assert problem(file, name) == said


def test_the_drawing_of_the_floors_is_that_of_the_layers(request: pytest.FixtureRequest) -> None:
    """What import-linter enforces is what the page shows; `make golden` draws it anew."""
    drawing = floors_svg(layers())
    if request.config.getoption("--update-golden"):
        DRAWING.write_text(drawing, encoding="utf-8")

    assert DRAWING.read_text(encoding="utf-8") == drawing


def test_another_layer_is_another_drawing() -> None:
    """A floor that is added, and two that change places, are seen."""
    floors = layers()

    assert floors_svg([["roof"], *floors]) != floors_svg(floors)
    assert floors_svg(floors[::-1]) != floors_svg(floors)
