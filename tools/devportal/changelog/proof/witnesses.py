"""A message that one release allows and the other refuses, as pages and drafts show it."""

from dataclasses import dataclass

from devportal.differ.output.witness_text import message_text, vain_search_text, witness_sentences
from devportal.differ.witness import WitnessSearch


@dataclass(frozen=True, slots=True, kw_only=True)
class WitnessView:
    """The result of the search for a message: the message and both verdicts on it, or only that none was found.

    `summary` is `worked in 2.0.0, refused in 3.0.0`; `message` has several lines, `line` is the same as one.
    """

    summary: str
    message: str = ""
    line: str = ""
    reason: str = ""


def witness_view(search: WitnessSearch | None, old_version: str, new_version: str) -> WitnessView | None:
    """Return what to show of a search; nothing if the change needs no witness."""
    if search is None:
        return None
    if search.witness is None:
        return WitnessView(summary=vain_search_text(search))
    allowed, refused = witness_sentences(search.witness, old_version, new_version)
    return WitnessView(
        summary=f"{allowed.label}, {refused.label}",
        message=message_text(search.witness),
        line=allowed.text,
        reason=refused.text,
    )
