"""Rules of schemas for properties that are sent in one direction only: `readOnly`, `writeOnly` (OAS 3.0.3
§4.7.24.2).
"""

import re
from collections.abc import Iterator, Mapping

from devportal.differ.normalise.forms import NormalProperty, NormalSchema, refuses_unlisted_properties
from devportal.differ.phrase import phrase
from devportal.differ.rule import Action, FoundChange, Verdict
from devportal.differ.rules.rows import only_for_objects, schema_rule
from devportal.differ.rules.schema_properties import (
    CLOSED_REASON,
    UNKNOWN_REASON,
    property_change,
    refuses_removed_properties,
)
from devportal.differ.schemas.pair import SchemaPair
from devportal.translation import gettext_noop

_B, _R, _C = Verdict.BREAKING, Verdict.RISKY, Verdict.COMPATIBLE


def _on_both_sides(pair: SchemaPair) -> Iterator[tuple[NormalProperty, NormalProperty]]:
    ruled_out = pair.properties.ruled_out
    for name, old in pair.old_permitted.items():
        new = pair.new_permitted.get(name)
        if new is not None and name not in ruled_out:
            yield old, new


def _read_only_set(pair: SchemaPair) -> Iterator[FoundChange]:
    is_refused = pair.is_sent and refuses_removed_properties(pair)
    for old, new in _on_both_sides(pair):
        if pair.is_read_only(new) and not pair.is_read_only(old):
            yield property_change(
                pair, old, new, verdict=_B if is_refused else None, reason=CLOSED_REASON if is_refused else ""
            )


def _read_only_unset(pair: SchemaPair) -> Iterator[FoundChange]:
    for old, new in _on_both_sides(pair):
        if pair.is_read_only(old) and not pair.is_read_only(new):
            is_needed = pair.is_sent and new.is_required
            yield property_change(
                pair,
                old,
                new,
                verdict=_B if is_needed else None,
                reason=phrase("it is required, so clients must now send it") if is_needed else "",
            )


def _write_only_set(pair: SchemaPair) -> Iterator[FoundChange]:
    for old, new in _on_both_sides(pair):
        if pair.is_write_only(new) and not pair.is_write_only(old):
            verdict = None
            if not pair.is_sent:
                verdict = _B if old.is_required else pair.policy.response_optional_removed
            yield property_change(pair, old, new, verdict=verdict)


def _write_only_unset(pair: SchemaPair) -> Iterator[FoundChange]:
    for old, new in _on_both_sides(pair):
        if pair.is_write_only(old) and not pair.is_write_only(new):
            verdict, reason = None, ""
            if not pair.is_sent and _is_secret(pair, new):
                verdict, reason = _R, phrase("its name or format says that it is a secret")
            elif not pair.is_sent and refuses_unlisted_properties(pair.old):
                verdict, reason = _R, UNKNOWN_REASON
            yield property_change(pair, old, new, verdict=verdict, reason=reason)


def _hidden_property_changed(pair: SchemaPair) -> Iterator[FoundChange]:
    """Yield the properties that differ, and that messages of this direction have in neither contract."""
    hidden_before = _hidden_properties(pair.old_permitted, pair.old_members)
    hidden_after = _hidden_properties(pair.new_permitted, pair.new_members)
    for name in {**hidden_before, **hidden_after}:
        old, new = hidden_before.get(name), hidden_after.get(name)
        is_visible = name in pair.old_members or name in pair.new_members
        is_reported = pair.is_sent and old is None and new is not None and new.is_required
        if not (is_visible or is_reported or _are_alike(pair, old, new)):
            yield property_change(pair, old, new)


def _hidden_properties(
    permitted: Mapping[str, NormalProperty], members: Mapping[str, NormalProperty]
) -> Mapping[str, NormalProperty]:
    if len(permitted) == len(members):
        return {}
    return {name: normal_property for name, normal_property in permitted.items() if name not in members}


def _are_alike(pair: SchemaPair, old: NormalProperty | None, new: NormalProperty | None) -> bool:
    """Say whether a property allows the same before and after, in the same words."""
    if old is None or new is None:
        return old is new
    if old.is_required is not new.is_required:
        return False
    if pair.old_forms.written_digests.of(old.schemas) == pair.new_forms.written_digests.of(new.schemas):
        return True
    if not pair.is_alike(old.schemas, new.schemas):
        return False
    return _words(pair.old_forms.of(*old.schemas)) == _words(pair.new_forms.of(*new.schemas))


def _words(form: NormalSchema) -> frozenset[str]:
    return frozenset(text for part in form.parts for text in (part.title, part.description) if text)


HIDDEN_PROPERTY_RULE_ID = "schema.property.hidden.changed"

_SECRET = re.compile(
    r"pass(word|wd|phrase|code)?$|secret|token|api_?-?key|private_?-?key|credential|^pin$", re.IGNORECASE
)


def _is_secret(pair: SchemaPair, member: NormalProperty) -> bool:
    return bool(_SECRET.search(member.name)) or pair.new_forms.of(*member.schemas).format == "password"


VISIBILITY_RULES = (
    schema_rule(
        HIDDEN_PROPERTY_RULE_ID,
        Action.CHANGED,
        (Verdict.DOCUMENTATION, Verdict.DOCUMENTATION),
        gettext_noop("the property %(name)s, which is never sent in this direction, is changed"),
        only_for_objects(_hidden_property_changed),
    ),
    schema_rule(
        "schema.read-only.set",
        Action.CHANGED,
        (_R, _C),
        gettext_noop("the property %(name)s is now read-only: requests cannot set it"),
        only_for_objects(_read_only_set),
        mirror="schema.read-only.unset",
        waiver="callers may still send what they used to send, readers see no difference either way",
    ),
    schema_rule(
        "schema.read-only.unset",
        Action.CHANGED,
        (_C, _C),
        gettext_noop("the property %(name)s is no longer read-only"),
        only_for_objects(_read_only_unset),
        mirror="schema.read-only.set",
        waiver="callers may still send what they used to send, readers see no difference either way",
    ),
    schema_rule(
        "schema.write-only.set",
        Action.CHANGED,
        (_C, _R),
        gettext_noop("the property %(name)s is now write-only: responses no longer have it"),
        only_for_objects(_write_only_set),
        mirror="schema.write-only.unset",
        waiver="readers may miss what is gone, callers see no difference either way",
    ),
    schema_rule(
        "schema.write-only.unset",
        Action.CHANGED,
        (_C, _C),
        gettext_noop("the property %(name)s is no longer write-only"),
        only_for_objects(_write_only_unset),
        mirror="schema.write-only.set",
        waiver="readers may miss what is gone, callers see no difference either way",
    ),
)
