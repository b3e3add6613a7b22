"""Patterns without needless escapes mean in a browser, with the `u` flag, what they meant without it."""

import json
import subprocess

import pytest

from devportal.contract.regex import without_needless_escapes
from tests.javascript import node

MATCHED = """
const [before, after, texts] = JSON.parse(require("fs").readFileSync(0, "utf8"));
const [old, made] = [new RegExp(before), new RegExp(after, "u")];
console.log(JSON.stringify(texts.map((text) => [old.test(text), made.test(text)])));
"""
"""What a pattern matches without the flag, and what one that is written anew matches with it."""


@pytest.mark.parametrize(
    ("pattern", "expected"),
    [
        (r"^[\p{L}]+\-\d+$", r"^[\p{L}]+-\d+$"),
        (r"^\_\@\ \é\:$", "^_@ é:$"),
        (r"^[\_\@\-\ \'\"]$", r"""^[_@\- '"]$"""),
        (r"^a{1\,2}$", r"^a{1\x2c2}$"),
        (r"[\,]", "[,]"),
        (r"[\w-.]", r"[\w\-.]"),
        (r"[a-\d]", r"[a\-\d]"),
        (r"[\w-\p{Lu}-]\d-\d", r"[\w\-\p{Lu}\-]\d-\d"),
        (r"\\-\[-\]\.\/", r"\\-\[-\]\.\/"),
        (r"[^\]\-]\-", r"[^\]\-]-"),
        (r"^(?<y>\d)\k<y>\u{41}\cA\x41$", r"^(?<y>\d)\k<y>\u{41}\cA\x41$"),
        (r"\A\d+\Z", r"\A\d+\Z"),
        ("a\\", "a\\"),
        ("", ""),
    ],
)
def test_needless_escapes_go(pattern: str, expected: str) -> None:
    """Only those; letters may mean something to others, and stay as they are."""
    assert without_needless_escapes(pattern) == expected
    assert without_needless_escapes(expected) == expected


@pytest.mark.parametrize(
    ("pattern", "texts"),
    [
        (r"^\_\@\ \é\:\,$", ["_@ é:,", "_@ é:"]),
        (r"^[\w-.]+$", ["a-.", "a:"]),
        (r"^[a-\d]+$", ["a-1", "b"]),
        (r"^[\s-\w\-\@]+$", [" -a@", "."]),
        (r"^\d\-\d$", ["1-1", "1.1"]),
        (r"^[\!\#\%\&\'\"\`\~\;\<\>\=]+$", ["!#%&'\"`~;<>=", "\\"]),
        (r"^\!\#\%\&\'\"\`\~\;\<\>\=$", ["!#%&'\"`~;<>=", "\\"]),
    ],
)
def test_a_pattern_means_what_it_meant(pattern: str, texts: list[str]) -> None:
    """The first text matches both, the second neither."""
    given = json.dumps([pattern, without_needless_escapes(pattern), texts])
    done = subprocess.run([node(), "-e", MATCHED], input=given, capture_output=True, text=True, check=True)

    assert json.loads(done.stdout) == [[True, True], [False, False]]
