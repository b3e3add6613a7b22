"""Style rules that capitalise the first letter of a line."""

import re
from pathlib import Path

import pytest

import devportal

TOOLS = Path(devportal.__file__).parent
_CAPITALISED = re.compile(
    r"^(?:\.md-typeset )?(.+)::first-letter \{ text-transform: uppercase; \}", re.MULTILINE
)
_CODE = re.compile(r"^:is\((.+)\) > code \{ display: inline-block;", re.MULTILINE)


@pytest.mark.parametrize(
    "sheet", ["markup/templates/standalone.css", "site/theme/assets/devportal/portal.css"]
)
def test_code_is_never_capitalised(sheet: str) -> None:
    """An inline block has no first letter of the line around it (CSS Pseudo-Elements 4, 2.1.2)."""
    style = (TOOLS / sheet).read_text(encoding="utf-8")

    guarded = {part for found in _CODE.findall(style) for part in found.split(", ")}

    assert set(_CAPITALISED.findall(style)) == guarded
