"""Rules of schemas for properties that travel one way only: `readOnly`, `writeOnly` (OAS 3.0.3 §4.7.24.2)."""

import re
from collections.abc import Iterator

from devportal.differ.forms import Member
from devportal.differ.pair import SchemaPair
from devportal.differ.rule import Action, Hit
from devportal.differ.rules.rows import of_objects, row
from devportal.differ.rules.schema_properties import CLOSED_REASON, is_unwelcome, member_hit
from devportal.differ.verdict import Verdict

_B, _R, _C = Verdict.BREAKING, Verdict.RISKY, Verdict.COMPATIBLE


def _on_both_sides(pair: SchemaPair) -> Iterator[tuple[Member, Member]]:
    for name, old in pair.old_permitted.items():
        new = pair.new_permitted.get(name)
        if new is not None and old.schemas and new.schemas:
            yield old, new


def _read_only_set(pair: SchemaPair) -> Iterator[Hit]:
    is_refused = pair.is_sent and is_unwelcome(pair)
    for old, new in _on_both_sides(pair):
        if new.is_read_only and not old.is_read_only:
            yield member_hit(
                pair, old, new, verdict=_B if is_refused else None, reason=CLOSED_REASON if is_refused else ""
            )


def _read_only_unset(pair: SchemaPair) -> Iterator[Hit]:
    for old, new in _on_both_sides(pair):
        if old.is_read_only and not new.is_read_only:
            is_needed = pair.is_sent and new.is_required
            yield member_hit(
                pair,
                old,
                new,
                verdict=_B if is_needed else None,
                reason="it is required, so that callers have to send it now" if is_needed else "",
            )


def _write_only_set(pair: SchemaPair) -> Iterator[Hit]:
    for old, new in _on_both_sides(pair):
        if new.is_write_only and not old.is_write_only:
            verdict = None
            if not pair.is_sent:
                verdict = _B if old.is_required else pair.policy.response_optional_removed
            yield member_hit(pair, old, new, verdict=verdict)


def _write_only_unset(pair: SchemaPair) -> Iterator[Hit]:
    for old, new in _on_both_sides(pair):
        if old.is_write_only and not new.is_write_only:
            is_shown = not pair.is_sent and _is_secret(pair, new)
            yield member_hit(
                pair,
                old,
                new,
                verdict=_R if is_shown else None,
                reason="its name or format says that it is a secret" if is_shown else "",
            )


_SECRET = re.compile(
    r"pass(word|wd|phrase|code)?$|secret|token|api_?-?key|private_?-?key|credential|^pin$", re.IGNORECASE
)


def _is_secret(pair: SchemaPair, member: Member) -> bool:
    return bool(_SECRET.search(member.name)) or pair.new_forms.of(*member.schemas).format == "password"


VISIBILITY_RULES = (
    row(
        "schema.read-only.set",
        Action.CHANGED,
        (_R, _C),
        "the property {name} is read-only from now on: what callers send in it does not count",
        of_objects(_read_only_set),
        mirror="schema.read-only.unset",
        waiver="callers may still send what they used to send, readers see no difference either way",
    ),
    row(
        "schema.read-only.unset",
        Action.CHANGED,
        (_C, _C),
        "the property {name} is no longer read-only",
        of_objects(_read_only_unset),
        mirror="schema.read-only.set",
        waiver="callers may still send what they used to send, readers see no difference either way",
    ),
    row(
        "schema.write-only.set",
        Action.CHANGED,
        (_C, _R),
        "the property {name} is write-only from now on: it is gone from what is sent back",
        of_objects(_write_only_set),
        mirror="schema.write-only.unset",
        waiver="readers may miss what is gone, callers see no difference either way",
    ),
    row(
        "schema.write-only.unset",
        Action.CHANGED,
        (_C, _C),
        "the property {name} is no longer write-only",
        of_objects(_write_only_unset),
        mirror="schema.write-only.set",
        waiver="readers may miss what is gone, callers see no difference either way",
    ),
)
