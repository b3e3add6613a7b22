"""A message that one release allows and the other refuses, as pages and drafts show it."""

from dataclasses import dataclass

from devportal.differ import Direction
from devportal.differ.output.witness_text import contract_names, message_text, witness_sentences
from devportal.differ.witness import Witness, WitnessSearch
from devportal.translation import gettext, ngettext


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
        return WitnessView(
            summary=ngettext(
                "no witness found within %(number)s try",
                "no witness found within %(number)s tries",
                search.tries,
            )
        )
    allowed, refused = witness_sentences(search.witness, old_version, new_version)
    return WitnessView(
        summary=_summary(search.witness, old_version, new_version),
        message=message_text(search.witness),
        line=allowed.text,
        reason=refused.text,
    )


def _summary(witness: Witness, old_version: str, new_version: str) -> str:
    names = contract_names(old_version, new_version)
    old, new = names if names is not None else (gettext("the old contract"), gettext("the new contract"))
    if witness.direction is Direction.TO_PROVIDER:
        return gettext("worked in %(old)s, refused in %(new)s", old=old, new=new)
    return gettext("sent in %(new)s, never sent in %(old)s", old=old, new=new)
