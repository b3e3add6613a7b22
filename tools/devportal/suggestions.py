"""The name that was probably meant by one that does not exist, for the advice of messages."""

from collections.abc import Iterable

_LIKENESS = 0.7
"""How much of two names must be the same, as difflib counts it: of `naem` and `name`, 0.75."""
_DISTANT_LIKENESS = 0.5
_LEAST_ABBREVIATION = 3
"""How many letters of a name say which one is meant."""


def closest_name(wrong: object, known: Iterable[str], *, likeness: float = 0) -> str:
    """Return the known name that is most like another one, in letters of either case; empty if none is like it.

    `likeness` says how much of both must be the same. Without it, the usual amount will do, and so will the beginning
    of the only name that has it. Of names that are equally like it, it is the same one for any order of the known.
    """
    from difflib import get_close_matches  # noqa: PLC0415 - keeps --help fast

    text = str(wrong).casefold()
    by_lower = {name.casefold(): name for name in sorted(known)}
    close = get_close_matches(text, by_lower, n=1, cutoff=likeness or _LIKENESS)
    if not close and not likeness and len(text) >= _LEAST_ABBREVIATION:
        close = [name for name in by_lower if name.startswith(text)]
    return by_lower[close[0]] if len(close) == 1 else ""


def suggest_name(wrong: object, known: Iterable[str], otherwise: str = "") -> str:
    """Return the question whether the closest known name was meant, or else another advice."""
    meant = closest_name(wrong, known)
    return f"did you mean {meant!r}?" if meant else otherwise


def suggest_names(wrong: str, known: Iterable[str], otherwise: str = "") -> str:
    """Return the question which of up to three names was meant, or else another advice: for those who know the names
    from a text, and may remember only a part.
    """
    from difflib import get_close_matches  # noqa: PLC0415 - keeps --help fast

    by_lower = {name.casefold(): name for name in known}
    close = get_close_matches(wrong.casefold(), by_lower, n=3, cutoff=_DISTANT_LIKENESS)
    return f"did you mean {' or '.join(by_lower[name] for name in close)}?" if close else otherwise
