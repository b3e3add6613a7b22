"""Names of functions say what a function does or returns: a participle alone (`told`, `_shown`) says neither."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from .repository import ROOT

_PARTICIPLES = frozenset(
    [
        "begun",
        "borne",
        "bought",
        "bound",
        "broken",
        "brought",
        "built",
        "caught",
        "chosen",
        "dealt",
        "done",
        "drawn",
        "driven",
        "fallen",
        "felt",
        "forgotten",
        "found",
        "frozen",
        "given",
        "gone",
        "grown",
        "heard",
        "held",
        "hidden",
        "kept",
        "known",
        "laid",
        "led",
        "left",
        "lent",
        "lost",
        "made",
        "meant",
        "met",
        "paid",
        "proven",
        "said",
        "seen",
        "sent",
        "shown",
        "sold",
        "spent",
        "spoken",
        "stood",
        "stolen",
        "struck",
        "taken",
        "thought",
        "thrown",
        "told",
        "torn",
        "understood",
        "won",
        "worn",
        "woven",
        "written",
    ]
)
"""Those of irregular verbs; the others end with `ed`."""


def participles(source: str) -> Iterator[str]:
    """Yield each function or method that is named by one participle. A property is a value, and may be."""
    if not any(_is_participle(name) for name in re.findall(r"\bdef\s+(\w+)", source)):
        return  # most modules have none, and to parse all of them takes seconds
    for node in ast.walk(ast.parse(source)):
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            continue
        is_value = any(re.search(r"property", ast.unparse(expression)) for expression in node.decorator_list)
        if not is_value and _is_participle(node.name):
            yield node.name


def _is_participle(function: str) -> bool:
    name = function.strip("_")
    is_verb = name in {"feed", "need", "seed", "embed", "shed", "speed"}
    return not is_verb and (name in _PARTICIPLES or re.fullmatch(r"[a-z]{3,}ed", name) is not None)


def modules() -> list[Path]:
    return sorted(path for top in ("tools", "tests", "bench") for path in (ROOT / top).rglob("*.py"))


def test_no_function_is_named_by_a_participle_alone() -> None:
    """In the toolkit, in tests and in benchmarks. `published` is public, and has always been the gate's name."""
    found = {
        f"{path.relative_to(ROOT)}: {name}"
        for path in modules()
        for name in participles(path.read_text(encoding="utf-8"))
    }

    assert len(modules()) > 1500
    assert found == {"tools/devportal/catalog/publication.py: published"}


@pytest.mark.parametrize(
    ("source", "found"),
    [
        ("def _told(): ...", ["_told"]),
        ("class A:\n    def gathered(self): ...\n", ["gathered"]),
        ("class A:\n    @property\n    def listed(self): ...\n", []),
        ("def read(): ...\ndef seed(): ...\ndef list_changed(): ...", []),
    ],
)
def test_a_participle_is_found(source: str, found: list[str]) -> None:
    """As a function, as a method; a property is no function to its readers."""
    assert list(participles(source)) == found
