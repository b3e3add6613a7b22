"""No module imports, over others, itself: not for types and not in a function either."""

from pathlib import Path

import pytest

from .module_graph import Graph, import_cycles, module_graph, rooms_of_each_other
from .repository import ROOT

FOR_TYPES = "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from house.door import Door\n"
IN_FUNCTION = "def wall():\n    from house.door import Door\n"
BY_NAME = 'TABLE = {"door": "house.door:Door"}\n'

ROOMS_OF_EACH_OTHER = """
devportal.catalog.audit devportal.catalog.records
devportal.catalog.book devportal.catalog.records
devportal.catalog.pages devportal.catalog.preview
devportal.changelog.entries devportal.changelog.proof
devportal.changelog.entries devportal.changelog.releases
devportal.changelog.proof devportal.changelog.releases
devportal.conformance.results devportal.conformance.run
devportal.conformance.run devportal.conformance.schemathesis
devportal.conformance.run devportal.conformance.webhooks
devportal.contract.internal devportal.contract.read
devportal.contract.internal devportal.contract.validate
devportal.contract.read devportal.contract.validate
devportal.contract.read devportal.contract.values
devportal.differ.pairs devportal.differ.schemas
devportal.differ.rules devportal.differ.schemas
telecom.sandbox.api telecom.sandbox.connections
telecom.sandbox.api telecom.sandbox.stores
telecom.sandbox.api telecom.sandbox.tokens
telecom.sandbox.control telecom.sandbox.monitoring
telecom.sandbox.delivery telecom.sandbox.stores
telecom.sandbox.delivery telecom.sandbox.tokens
"""
"""Rooms that import each other, module by module without a circle. The list only grows shorter."""


@pytest.fixture(scope="module")
def tools() -> Graph:
    """Return the imports of our own modules."""
    return module_graph(ROOT / "tools")


def test_modules_import_in_no_circle(tools: Graph) -> None:
    """What imports each other is one module, or wants a third one below both."""
    assert import_cycles(tools) == []


@pytest.mark.parametrize(
    "statement",
    ["import house.door", "from . import door", "from .door import Door", FOR_TYPES, IN_FUNCTION, BY_NAME],
)
def test_a_circle_is_found_however_it_is_imported(tmp_path: Path, statement: str) -> None:
    """At the start of a module, for types alone, when a function runs, or by a name in a table."""
    write_modules(tmp_path, wall=statement, door="from house.hinge import Hinge", hinge="import house.wall")

    assert import_cycles(module_graph(tmp_path)) == [["house.door", "house.hinge", "house.wall"]]


def test_what_points_one_way_is_no_circle(tmp_path: Path) -> None:
    """Many may import one, and a package what is in it."""
    write_modules(tmp_path, __init__="from house.wall import Wall", wall=FOR_TYPES, roof=FOR_TYPES, door="")

    assert import_cycles(module_graph(tmp_path)) == []


def test_rooms_import_each_other_only_where_the_list_says_so(tools: Graph) -> None:
    """A new pair means that a module is in the wrong room; a pair that is gone leaves the list."""
    found = {f"{first} {other}" for first, other in rooms_of_each_other(tools)}
    known = set(ROOMS_OF_EACH_OTHER.split("\n")) - {""}

    assert sorted(found - known) == [], "move the module that points the other way, or what it imports"
    assert sorted(known - found) == [], "remove these from the list"


def test_rooms_that_import_each_other_are_found(tmp_path: Path) -> None:
    """Over different modules, so that no module is in a circle."""
    for room, module, statement in (
        ("attic", "box", "import cellar.wine"),
        ("cellar", "stairs", "import attic.box"),
    ):
        (tmp_path / room).mkdir()
        (tmp_path / room / "__init__.py").touch()
        (tmp_path / room / f"{module}.py").write_text(statement, encoding="utf-8")
    (tmp_path / "cellar" / "wine.py").touch()

    assert rooms_of_each_other(module_graph(tmp_path)) == [("attic", "cellar")]


def write_modules(root: Path, **sources: str) -> None:
    """Write the modules of a package `house`."""
    (root / "house").mkdir()
    for name, source in sources.items():
        (root / "house" / f"{name}.py").write_text(source, encoding="utf-8")
