"""Regular expressions match alike in every version of Python that the toolkit supports."""

import ast
import re
from collections.abc import Iterator

import pytest

from .repository import ROOT

_AFTER_GROUP = re.compile(r"[^(\\]\)(?:[*+?]|\{[\d,]+\})\+")
"""A possessive quantifier behind a group; `()*+,` lists characters of URLs."""
_ENDS_INSERTED = re.compile(r"\)?(?:[*+?]|\{[\d,]+\})\+")
"""One behind an inserted pattern, or behind a group that ends with it."""


def possessive_groups(source: str) -> Iterator[int]:
    """Yield the lines where a group, or an inserted pattern that may be one, has a possessive quantifier."""
    if not re.search(r"[*+?}]\+", source):
        return
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Constant) and isinstance(node.value, str | bytes):
            text = node.value if isinstance(node.value, str) else node.value.decode("latin-1")
            if _AFTER_GROUP.search(text):
                yield node.lineno
        elif isinstance(node, ast.JoinedStr):
            for part, following in zip(node.values, node.values[1:], strict=False):
                text = str(following.value) if isinstance(following, ast.Constant) else ""
                if isinstance(part, ast.FormattedValue) and _ENDS_INSERTED.match(text):
                    yield node.lineno


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        (r"""re.compile(r'"(?:[^"]|"")*+"')""", [1]),
        (r"""re.compile(rb'(?:\r\n)++')""", [1]),
        (r"""re.compile(rf'(?:a{{2}}|b){{2,3}}+{_TAIL}')""", [1]),
        (r"""re.compile(rf'{_PAIR}?+')""", [1]),
        (r"""re.compile(rf'(?:\s|{_PAIR})++')""", [1]),
        (r"""re.compile(rf'(?>(?:{_PAIR}[^"]*+)*)')""", []),
        (r"""quote(text, safe="!$&'()*+,;=")""", []),
        (r"""re.compile(r'\)*+')""", []),
    ],
)
def test_possessive_groups_are_recognized(source: str, lines: list[int]) -> None:
    assert [*possessive_groups(source)] == lines


def test_no_group_has_a_possessive_quantifier() -> None:
    """Python before 3.11.5 mismatches them (python/cpython#106052), Debian 12's 3.11.2 too: `(?>(?:…)*)` is right."""
    files = [*(ROOT / "tools").rglob("*.py")]

    assert len(files) > 100
    assert [
        f"{file.relative_to(ROOT)}:{line}"
        for file in files
        for line in possessive_groups(file.read_text(encoding="utf-8"))
    ] == []
