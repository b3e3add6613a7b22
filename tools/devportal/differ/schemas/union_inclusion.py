"""Shows that a union allows all that another one, or a plain schema, does.

A branch of `anyOf` that another branch covers allows nothing in addition, so it counts as no branch. A covered
branch of `oneOf` is more than that: a value that matches two branches is refused (JSON Schema 2020-12
§10.2.1.3). On the side whose values have to stay valid, such a branch only takes values away, so it is left out
as well. On the other side, each value has to match one branch and no other.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from devportal.contract import Schema
from devportal.differ.normalise.forms import NormalSchema
from devportal.differ.normalise.normaliser import SchemaNormaliser
from devportal.differ.schemas.branch_overlap import exclude_each_other, may_cover, may_overlap

Branch = tuple[Schema, ...]
"""A branch, with the siblings of its union if those are compared with it."""
Includes = Callable[[Branch, Branch], bool]
"""Returns whether each value of the first branch is shown to be a value of the second one."""


@dataclass(frozen=True, kw_only=True)
class UnionSides:
    """Both contracts, as far as unions in them are compared: their forms, and what includes what.

    The narrow side is the one whose values have to stay valid: the old contract for what is sent, the new one
    for what is received.
    """

    old_forms: SchemaNormaliser = field(repr=False)
    new_forms: SchemaNormaliser = field(repr=False)
    is_sent: bool
    is_text: bool
    has_unevaluated: bool = False
    """Whether it matters beside a union what its branches look at (`unevaluatedProperties`)."""
    old_in_new: Includes = field(repr=False)
    new_in_old: Includes = field(repr=False)
    old_in_old: Includes = field(repr=False)
    new_in_new: Includes = field(repr=False)

    @property
    def narrow_forms(self) -> SchemaNormaliser:
        """Return the forms of the side whose values have to stay valid."""
        return self.old_forms if self.is_sent else self.new_forms

    @property
    def wide_forms(self) -> SchemaNormaliser:
        """Return the forms of the side that has to allow these values."""
        return self.new_forms if self.is_sent else self.old_forms

    def narrow_in_wide(self, narrow: Branch, wide: Branch) -> bool:
        """Return whether a branch of the wide side allows all values of one of the narrow side."""
        return (self.old_in_new if self.is_sent else self.new_in_old)(narrow, wide)

    def wide_in_narrow(self, wide: Branch, narrow: Branch) -> bool:
        """Return whether a branch of the narrow side allows all values of one of the wide side."""
        return (self.new_in_old if self.is_sent else self.old_in_new)(wide, narrow)

    def narrow_in_narrow(self, one: Branch, other: Branch) -> bool:
        """Return whether a branch of the narrow side allows all values of another one of it."""
        return (self.old_in_old if self.is_sent else self.new_in_new)(one, other)


_MAX_BRANCHES = 40
"""How many branches of a union are compared with each other."""


def covered_branches(
    branches: Sequence[Branch], forms: SchemaNormaliser, includes: Includes
) -> frozenset[int]:
    """Return the ids of the branches that another one covers; of equal branches, the last one counts."""
    covered: set[int] = set()
    if len(branches) > _MAX_BRANCHES:
        return frozenset()
    for branch in branches:
        form = forms.of(*branch)
        others = (one for one in branches if one is not branch and id(one[0]) not in covered)
        if any(_may_include(forms.of(*one), form, forms, forms) and includes(branch, one) for one in others):
            covered.add(id(branch[0]))
    return frozenset(covered)


def _may_include(
    wide: NormalSchema, narrow: NormalSchema, wide_forms: SchemaNormaliser, narrow_forms: SchemaNormaliser
) -> bool:
    """Say whether it is worth looking if a form allows all values of another; null is not looked at."""
    if wide.is_only_null or narrow.is_only_null:
        return False
    return may_cover(wide, narrow) and not exclude_each_other(wide, wide_forms, narrow, narrow_forms)


def is_shown_to_include(
    narrow: Sequence[Branch],
    wide: Sequence[Branch],
    sides: UnionSides,
    *,
    is_narrow_one_of: bool,
    is_wide_one_of: bool,
    are_apart: Callable[[Branch, Branch], bool] = lambda _, __: False,
) -> bool:
    """Return whether it is shown that the branches of the wide side allow all values of the narrow ones.

    `are_apart` says of a narrow and a wide branch that something else distinguishes them, such as a
    discriminator.
    """
    is_too_large = max(len(narrow), len(wide)) > _MAX_BRANCHES
    if is_too_large or sides.has_unevaluated or (sides.is_text and is_wide_one_of):
        return False
    covered = covered_branches(narrow, sides.narrow_forms, sides.narrow_in_narrow)
    return all(
        any(
            not are_apart(branch, one)
            and _is_covered(branch, one, sides)
            and not (is_wide_one_of and _matches_another(branch, one, narrow, wide, sides, is_narrow_one_of))
            for one in wide
        )
        for branch in narrow
        if id(branch[0]) not in covered and not sides.narrow_forms.of(*branch).is_only_null
    )


def _is_covered(narrow: Branch, wide: Branch, sides: UnionSides) -> bool:
    forms = sides.wide_forms.of(*wide), sides.narrow_forms.of(*narrow)
    return _may_include(*forms, sides.wide_forms, sides.narrow_forms) and sides.narrow_in_wide(narrow, wide)


def _matches_another(
    branch: Branch,
    covering: Branch,
    narrow: Sequence[Branch],
    wide: Sequence[Branch],
    sides: UnionSides,
    is_narrow_one_of: bool,  # noqa: FBT001 - as the field
) -> bool:
    """Return whether values of a narrow branch may match another wide branch as well.

    Values that two branches of `oneOf` on the narrow side have in common were never valid.
    """
    form = sides.narrow_forms.of(*branch)
    for other in wide:
        other_form = sides.wide_forms.of(*other)
        if other is covering or other_form.is_only_null:
            continue
        if not may_overlap(form, sides.narrow_forms, other_form, sides.wide_forms):
            continue
        was_refused = is_narrow_one_of and any(
            one is not branch and sides.wide_in_narrow(other, one) for one in narrow
        )
        if not was_refused:
            return True
    return False
