r"""Regular expressions of a contract as browsers read them with the `u` flag: without needless escapes.

Without the flag `\-` is a hyphen anywhere (ECMA 262, Annex B.1.2). With it, only what would mean something
else may be escaped (§22.2.1, IdentityEscape), and a class of characters begins no range; but with it alone
`\p{L}` are letters, and a pattern sees whole characters.
"""

import re

_PIECE = re.compile(
    r"""
    (?P<set> \\[dDsSwW] | \\[pP]\{[^}]*\} ) (?P<after> -? )  # a class of characters, and a hyphen after it
    | - (?P<before> (?= \\[dDsSwW] | \\[pP]\{ ) )            # a hyphen before one
    | \\ (?P<idle> [^\w^$\\.*+?()\[\]{}|/] | _ )             # what means itself without the backslash
    | \\. | [\[\]]
    """,
    re.VERBOSE | re.DOTALL | re.ASCII,
)


def without_needless_escapes(pattern: str) -> str:
    """Return a pattern that means the same, with the `u` flag if it can be read so at all."""
    in_class = False

    def rewritten(found: re.Match[str]) -> str:
        nonlocal in_class
        text = found.group()
        if text in "[]":
            in_class = text == "["
        if (idle := found["idle"]) is not None:
            return _unescaped(idle, in_class=in_class)
        if in_class and (found["after"] or found["before"] is not None):
            return f"{found['set'] or ''}\\-"
        return text

    return _PIECE.sub(rewritten, pattern)


def _unescaped(character: str, *, in_class: bool) -> str:
    """Return an escaped character without its backslash, unless it would then mean something else."""
    if character == "-" and in_class:
        return r"\-"
    return r"\x2c" if character == "," and not in_class else character  # `a{1\,2}` is no repetition
