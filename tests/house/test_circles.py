"""No module imports, over others, itself: not for types and not in a function either."""

from pathlib import Path

import pytest

from .module_graph import circles, module_graph
from .repository import ROOT

FOR_TYPES = "from typing import TYPE_CHECKING\n\nif TYPE_CHECKING:\n    from house.door import Door\n"
IN_FUNCTION = "def wall():\n    from house.door import Door\n"
BY_NAME = 'TABLE = {"door": "house.door:Door"}\n'


def test_modules_import_in_no_circle() -> None:
    """What imports each other is one module, or wants a third one below both."""
    assert circles(module_graph(ROOT / "tools")) == []


@pytest.mark.parametrize(
    "statement",
    ["import house.door", "from . import door", "from .door import Door", FOR_TYPES, IN_FUNCTION, BY_NAME],
)
def test_a_circle_is_found_however_it_is_imported(tmp_path: Path, statement: str) -> None:
    """At the start of a module, for types alone, when a function runs, or by a name in a table."""
    write_modules(tmp_path, wall=statement, door="from house.hinge import Hinge", hinge="import house.wall")

    assert circles(module_graph(tmp_path)) == [["house.door", "house.hinge", "house.wall"]]


def test_what_points_one_way_is_no_circle(tmp_path: Path) -> None:
    """Many may import one, and a package what is in it."""
    write_modules(tmp_path, __init__="from house.wall import Wall", wall=FOR_TYPES, roof=FOR_TYPES, door="")

    assert circles(module_graph(tmp_path)) == []


def write_modules(root: Path, **sources: str) -> None:
    """Write the modules of a package `house`."""
    (root / "house").mkdir()
    for name, source in sources.items():
        (root / "house" / f"{name}.py").write_text(source, encoding="utf-8")
