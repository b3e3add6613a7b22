"""What schemas and their properties say of their own lives."""

from devportal.contract import Stability
from devportal.differ import fields
from devportal.differ.forms import Form, Member
from devportal.differ.lifecycle import Life, Removal
from devportal.differ.pair import SchemaPair


def life_of(form: Form) -> Life:
    """Return what a schema says of its own life; its stability is only what it says itself."""
    return Life(
        is_deprecated=any(part.deprecated for part in form.parts),
        sunset=next((part.sunset for part in reversed(form.parts) if part.sunset), ""),
        stability=next((one.stability for one in reversed(form.parts) if one.stability), Stability.STABLE),
        location=form.schema.location,
    )


def removal_of(pair: SchemaPair, member: Member) -> Removal:
    """Return the removal of a property with what it said of its life."""
    life = life_of(pair.old_forms.of(*member.schemas))
    return Removal(life=life, name=member.name, at=fields.member(member.name), policy=pair.policy)


def removals(pair: SchemaPair) -> tuple[Removal, ...]:
    """Return the properties that are gone."""
    gone = pair.properties.removed if pair.may_both_be("object") and not pair.is_wrapped else ()
    return tuple(removal_of(pair, one) for one in gone)
