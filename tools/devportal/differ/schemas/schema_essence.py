"""What a change of a schema allows beyond the two values that it shows: a part of its fingerprint."""

from dataclasses import replace

from devportal.contract import Schema
from devportal.differ.normalise.all_of import allows_everything
from devportal.differ.rule import FoundChange
from devportal.differ.schemas.pair import SchemaPair
from devportal.differ.schemas.schema_descriptions import SchemaDescription

_WHOLE = (
    "schema.boolean.",
    "schema.type.",
    "schema.enum.set",
    "schema.enum.unset",
    "schema.const.set",
    "schema.const.unset",
    "schema.one-of.to.",
    "schema.any-of.to.",
    "schema.discriminator.",
    "schema.branch.",
    "schema.if.",
    "schema.all-of.",
    "schema.unevaluated.",
    "schema.xml.",
)
"""Rules whose two values leave open what the schemas allow, by the beginnings of their ids."""
_CONTAINMENT = ("schema.min-contains.", "schema.max-contains.")
_ADDITIONAL = ("schema.additional.", "schema.property-names.")
"""Rules about properties that a schema does not list: it matters which ones it lists."""


def schema_essence(rule_id: str, change: FoundChange, pair: SchemaPair) -> str:
    """Return digests of what the values of a change only describe or name, and what its rule adds to them; empty if
    the values say it all.
    """
    old, new = pair.old_forms.digests, pair.new_forms.digests
    described = [change.essence] if change.essence else []
    described += [
        digests.of(value.schemas)
        for digests, value in ((old, change.old), (new, change.new))
        if isinstance(value, SchemaDescription)
    ]
    if rule_id.startswith(_WHOLE):
        described += [old.of(_saying_parts(pair.old.parts)), new.of(_saying_parts(pair.new.parts))]
    elif rule_id.startswith(_CONTAINMENT):
        described += [
            old.of(tuple(containment.schema for containment in pair.old.containments)),
            new.of(tuple(containment.schema for containment in pair.new.containments)),
        ]
    elif rule_id.startswith(_ADDITIONAL):
        described += [
            old.of(sorted((*pair.old.members, *pair.old.pattern_members))),
            new.of(sorted((*pair.new.members, *pair.new.pattern_members))),
        ]
    return " ".join(described)


def _saying_parts(parts: tuple[Schema, ...]) -> tuple[Schema, ...]:
    """Return the parts without those that only refer to others, so that a reference and an `allOf` around it are
    the same.
    """
    return tuple(part for part in parts if not allows_everything(replace(part, ref=None, all_of=())))
