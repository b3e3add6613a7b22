"""A line of the audit log in the form that the toolkit writes, read by one regular expression.

A log grows for ever, and nearly all of its lines have this form. Whatever else a line may be (other spaces,
escapes, members in another order, or wrong) is not judged here: `devportal.catalog.audit_text` reads it as
the JSON that it is, and says what is wrong. A law of the tests: what is read here, it reads alike.
"""

import re
from datetime import datetime

from devportal.catalog.audit import DENIED, AuditEntry, line_sha256
from devportal.catalog.lifecycle import Action, Role, State
from devportal.catalog.ref import RecordRef
from devportal.errors import Place

_TIME = r"[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}Z"
_ACTOR = r"(?=.{1,80}\")[a-z0-9]+(?:[._-][a-z0-9]+)*"
_RECORD = r"(?:rates|coverage)/[a-z0-9]+(?:-[a-z0-9]+)*@[1-9][0-9]{0,5}"
_REASON = r"[^\"\\\x00-\x1f\ud800-\udfff]{0,2000}"
_SHA256 = r"[0-9a-f]{64}"
_LINE = re.compile(
    rf'\{{"at": "({_TIME})", "actor": "({_ACTOR})", "role": "([a-z]+)", "action": "([a-z]+)", '
    rf'"record": "({_RECORD})", "from": (null|"[a-z]+"), "to": "([a-z]+)", "reason": "({_REASON})", '
    rf'"content_sha256": "({_SHA256})", "previous_sha256": "({_SHA256})"(, "outcome": "{DENIED}")?\}}'
)
_ROLES = {role.value: role for role in Role}
_ACTIONS = {action.value: action for action in Action}
_TO = {state.value: state for state in State}
_FROM: dict[str, State | None] = {f'"{state.value}"': state for state in State} | {"null": None}


class LineReader:
    """Reads the lines of one log; what they have in common (actors, versions, hashes) is kept once."""

    def __init__(self, name: str) -> None:
        """Start with nothing read of a log that messages call `name`."""
        self._name = name
        self._refs: dict[str, RecordRef] = {}
        texts: dict[str, str] = {}
        self._shared = texts.setdefault

    def entry(self, line: str, number: int) -> AuditEntry | None:
        """Return the entry of a line, by its number from 1; None where it has to be read with more care."""
        match = _LINE.fullmatch(line)
        if match is None:
            return None
        at, actor, role, action, record, before, after, reason, content, previous, denied = match.groups()
        shared = self._shared
        try:
            return AuditEntry(
                at=datetime.fromisoformat(at),
                actor=shared(actor, actor),
                role=_ROLES[role],
                action=_ACTIONS[action],
                record=self._ref(record),
                from_state=_FROM[before],
                to_state=_TO[after],
                reason=shared(reason, reason),
                content_sha256=shared(content, content),
                previous_sha256=previous,
                denied=denied is not None,
                line_sha256=line_sha256(line),
                place=Place(file=self._name, line=number, column=1),
            )
        except (KeyError, ValueError):
            return None

    def _ref(self, record: str) -> RecordRef:
        found = self._refs.get(record)
        if found is None:
            found = self._refs[record] = RecordRef.parse(record)
        return found
