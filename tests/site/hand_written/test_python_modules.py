"""Tests of which modules of a package are read for the pages that describe some of it."""

from collections.abc import Mapping
from pathlib import Path

import pytest

pytest.importorskip("griffe")

from devportal.site.hand_written.python_modules import needed_modules, only_modules

PAGE = "# Parcels\n\n::: parcels.api\n"


def write_package(folder: Path, modules: Mapping[str, str]) -> Path:
    """Write the package `parcels`, with these modules too; return the folder that it is in."""
    for name, text in {**_PARCELS, **modules}.items():
        path = folder / "parcels" / name
        path.parent.mkdir(parents=True, exist_ok=True)
        (path.parent / "__init__.py").touch()
        path.write_text(text, encoding="utf-8")
    return folder


_PARCELS = {
    "__init__.py": "",
    "api/__init__.py": "from parcels.scales import Scales as Scales\n",
    "scales.py": "from parcels import units, words\nfrom parcels.machines import Machine\n\n\n"
    "class Scales(Machine):\n    unit: units.Unit = words.GRAM\n",
    "machines.py": "from parcels.bases import Base\nfrom parcels.units import Unit\n\n\n"
    "class Machine(Base[Unit]):\n    pass\n",
    "bases.py": "class Base:\n    pass\n",
    "units.py": "class Unit:\n    pass\n",
    "words.py": "GRAM = 'g'\n",
    "storage.py": "from parcels.scales import Scales\n",
}
OF_PAGE = frozenset(
    {"parcels", "parcels.api", "parcels.scales", "parcels.machines", "parcels.bases", "parcels.units"}
)


def test_modules_that_define_what_is_shown_are_needed_and_those_of_bases(tmp_path: Path) -> None:
    """And no module that only an annotation or a value names, or that only uses what is shown."""
    assert needed_modules((PAGE,), {}, (write_package(tmp_path, {}),)) == OF_PAGE


@pytest.mark.parametrize(
    ("text", "further"),
    [
        pytest.param(
            "::: parcels.words.GRAM", frozenset({"parcels", "parcels.words"}), id="object of a module"
        ),
        pytest.param(
            "=== Tab\n\n    ::: parcels.words\n",
            frozenset({"parcels", "parcels.words"}),
            id="in another block",
        ),
        pytest.param("## ::: parcels.words", frozenset({"parcels", "parcels.words"}), id="as a heading"),
        pytest.param(
            PAGE + "    options:\n      show_source: true\n", OF_PAGE, id="option that shows the same"
        ),
    ],
)
def test_each_way_to_write_a_directive(text: str, further: frozenset[str], tmp_path: Path) -> None:
    """Inside of other blocks, before a heading, with options."""
    assert needed_modules((text,), {}, (write_package(tmp_path, {}),)) == further


def test_a_module_that_exports_what_is_shown_gives_it_another_name(tmp_path: Path) -> None:
    """Links can use that name; in the inventory it is there."""
    exporting = "from ..words import GRAM\nfrom .more import MORE\n__all__ = ['GRAM']\n"
    package = write_package(tmp_path, {"tools/short.py": exporting, "tools/more.py": ""})

    assert needed_modules(("::: parcels.words",), {}, (package,)) == frozenset(
        {
            "parcels",
            "parcels.tools",
            "parcels.tools.more",
            "parcels.tools.short",
            "parcels.words",
        }
    )


@pytest.mark.parametrize(
    ("texts", "settings", "modules"),
    [
        pytest.param(
            ("::: parcels.none",), {}, {"__init__.py": "raise raise"}, id="a package that is not Python"
        ),
        pytest.param(
            (PAGE,), {}, {"api/__init__.py": "from parcels.scales import *"}, id="all names of a module"
        ),
        pytest.param(
            (PAGE,), {}, {"scales.py": "from ... import units"}, id="an import from above the package"
        ),
        pytest.param((PAGE,), {"options": {"inherited_members": True}}, {}, id="inherited members"),
        pytest.param(
            (PAGE + "    options:\n      show_submodules: true\n",), {}, {}, id="submodules of a page"
        ),
        pytest.param(("::: letters",), {}, {}, id="a package that is elsewhere"),
    ],
)
def test_where_it_is_not_known_what_is_needed_all_is_read(
    texts: tuple[str, ...], settings: object, modules: Mapping[str, str], tmp_path: Path
) -> None:
    """As mkdocstrings does."""
    package = write_package(tmp_path, modules)

    assert needed_modules(texts, settings, (package,)) is None


@pytest.mark.parametrize("name", ["scales.pyi", "scales.cpython-311-x86_64-linux-gnu.so"])
def test_modules_with_stubs_and_compiled_ones_are_read_with_all_others(name: str, tmp_path: Path) -> None:
    """What is in them is not known from their imports."""
    package = write_package(tmp_path, {})
    (package / "parcels" / name).write_bytes(b"")

    assert needed_modules((PAGE,), {}, (package,)) is None


def test_only_needed_modules_are_read_in_the_block(tmp_path: Path) -> None:
    """After it all are read again."""
    griffe = pytest.importorskip("griffe")
    package = write_package(tmp_path, {})
    read = []
    for names in (OF_PAGE, None):
        with only_modules(names):
            read.append(set(griffe.load("parcels", search_paths=[package], try_relative_path=False).modules))
    read.append(set(griffe.load("parcels", search_paths=[package], try_relative_path=False).modules))

    assert read[0] == {"api", "scales", "machines", "bases", "units"}
    assert read[1] == read[2] == read[0] | {"words", "storage"}
