"""Values as messages quote them: a contract may hold any value, of any length."""

from typing import Any

_LONGEST = 60
"""How much of a value is quoted, in code points."""
_LONGEST_REFERENCE = 200


def quoted(value: Any) -> str:
    """Return a value as a message shows it, cut where it is long."""
    return cut(_written(value))


def quoted_reference(reference: str) -> str:
    """Return a reference as a message shows it: more of it than of other values, since its end says most."""
    return cut(repr(reference), _LONGEST_REFERENCE)


def _written(value: Any) -> str:
    """Return a value as contracts write it: `null` and `true`, where Python says `None` and `True`."""
    match value:
        case None:
            return "null"
        case bool():
            return str(value).lower()
        case list():
            return f"[{', '.join(map(_written, value))}]"
        case dict():
            return f"{{{', '.join(f'{key!r}: {_written(one)}' for key, one in value.items())}}}"
    return repr(value)


def cut(text: str, longest: int = _LONGEST) -> str:
    """Return text that fits a message: on one line, and no longer than so many code points."""
    line = " ".join(text.split())
    return line if len(line) <= longest else line[: longest - 1] + "…"
