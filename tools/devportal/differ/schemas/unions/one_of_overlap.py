"""Whether a branch of `oneOf` overlaps more with another branch than before."""

from collections.abc import Iterator

from devportal.differ.normalise.forms import NormalSchema, property_schemas
from devportal.differ.schemas.pair import SchemaPair
from devportal.differ.schemas.position import Schemas, Side
from devportal.differ.schemas.unions.branch_overlap import is_free_form, listed_properties

BranchPair = tuple[Schemas, Schemas]
"""A branch as it was and as it is, with what applies beside its union."""


def overlaps_more(pair: SchemaPair, branch: BranchPair, other: BranchPair) -> bool:
    """Return whether a branch now allows values that only another one allowed, if the two overlapped before.

    For requests that is seen from the new side, where such values are refused; for responses from the old
    side.
    """
    few, many = (Side.OLD, Side.NEW) if pair.is_sent else (Side.NEW, Side.OLD)
    few_forms, many_forms = (pair.old_forms if side is Side.OLD else pair.new_forms for side in (few, many))
    narrow, wide = few_forms.of(*_branch_on(branch, few)), many_forms.of(*_branch_on(branch, many))
    other_form = few_forms.of(*_branch_on(other, few))

    def takes_more(had: Schemas, has: Schemas, theirs: Schemas) -> bool:
        if not had:
            return False
        return not pair.includes(has, many, had, few) and not pair.includes(theirs, few, had, few)

    if not wide.types <= {"object"} or not wide.members or narrow.unions or wide.unions:
        return takes_more(_branch_on(branch, few), _branch_on(branch, many), _branch_on(other, few))
    names = listed_properties(other_form, few_forms)
    return (
        _requires_less(narrow, wide, other_form)
        or _refuses_less(narrow, wide, other_form, names)
        or any(takes_more(*schemas) for schemas in _parts_of_all(narrow, wide, other_form, names))
    )


def _parts_of_all(
    narrow: NormalSchema, wide: NormalSchema, other: NormalSchema, names: frozenset[str]
) -> Iterator[tuple[Schemas, Schemas, Schemas]]:
    """Yield the schemas that three forms have for the same properties: listed ones, those of a pattern, others.

    `names` are those of the properties that the third form or a branch of it lists, if it lists any.
    """
    shared = narrow.members.keys() & wide.members.keys()
    if names or not is_free_form(other):
        shared &= names
    for name in sorted(shared):
        yield property_schemas(narrow, name), property_schemas(wide, name), property_schemas(other, name)
    if not any(form.is_closed for form in (narrow, wide, other)):
        for pattern, schemas in narrow.pattern_members.items():
            yield (
                schemas,
                wide.pattern_members.get(pattern, wide.additional),
                other.pattern_members.get(pattern, other.additional),
            )
        yield narrow.additional, wide.additional, other.additional


def _branch_on(changed: BranchPair, side: Side) -> Schemas:
    return changed[0] if side is Side.OLD else changed[1]


def _requires_less(narrow: NormalSchema, wide: NormalSchema, other: NormalSchema) -> bool:
    """Say whether a property need not be there any more that the other branch does not ask for either."""
    return any(
        member.is_required and not _requires_property(wide, name) and not _requires_property(other, name)
        for name, member in narrow.members.items()
    )


def _requires_property(form: NormalSchema, name: str) -> bool:
    return name in form.members and form.members[name].is_required


def _refuses_less(
    narrow: NormalSchema, wide: NormalSchema, other: NormalSchema, names: frozenset[str]
) -> bool:
    """Say whether a property of the other branch was refused and no longer is."""
    new_names = names - narrow.members.keys()
    if not narrow.is_closed:
        return False
    if not wide.is_closed:
        return bool(new_names) or (not names and is_free_form(other))
    return bool(new_names & wide.members.keys())
