"""Shows that a union allows all that another one, or a plain schema, does.

A branch of `anyOf` that another branch covers allows nothing in addition, so it counts as no branch. A covered
branch of `oneOf` is more than that: a value that matches two branches is refused (JSON Schema 2020-12
§10.2.1.3). On the side whose values have to stay valid, such a branch only takes values away, so it is left out
as well. On the other side, each value has to match one branch and no other.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from devportal.contract import Schema
from devportal.differ.normalise.forms import NormalSchema
from devportal.differ.normalise.normaliser import SchemaNormaliser
from devportal.differ.rule import Verdict
from devportal.differ.schemas.unions.branch_overlap import (
    are_disjoint,
    exclude_each_other,
    may_cover,
    may_overlap,
)
from devportal.differ.schemas.unions.pieces import pieces_of

Branch = tuple[Schema, ...]
"""A branch, with the siblings of its union if those are compared with it."""


class Includes(Protocol):
    """Returns whether the change from the first branch to the second one is at most as grave as a verdict.

    If it is at most compatible, each value of the first branch is shown to be a value of the second one.
    """

    def __call__(self, narrow: Branch, wide: Branch, *, gravest: Verdict = Verdict.COMPATIBLE) -> bool:
        """Return whether that is shown."""
        ...


@dataclass(frozen=True, kw_only=True)
class UnionSides:
    """Both contracts, for comparisons of their unions: their forms, and what includes what.

    The narrow side is the one whose values have to stay valid: the old contract for what is sent, the new one
    for what is received.
    """

    old_forms: SchemaNormaliser = field(repr=False)
    new_forms: SchemaNormaliser = field(repr=False)
    is_sent: bool
    is_text: bool
    old_siblings: Branch = ()
    new_siblings: Branch = ()
    """The rules beside unions: they may list properties that branches leave open."""
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

    @property
    def narrow_siblings(self) -> Branch:
        """Return the rules beside the unions whose values have to stay valid."""
        return self.old_siblings if self.is_sent else self.new_siblings

    @property
    def wide_siblings(self) -> Branch:
        """Return the rules beside the unions that have to allow these values."""
        return self.new_siblings if self.is_sent else self.old_siblings

    @property
    def narrow_in_wide(self) -> Includes:
        """Return what shows that a branch of the wide side allows all values of one of the narrow side."""
        return self.old_in_new if self.is_sent else self.new_in_old

    @property
    def wide_in_narrow(self) -> Includes:
        """Return what shows that a branch of the narrow side allows all values of one of the wide side."""
        return self.new_in_old if self.is_sent else self.old_in_new

    @property
    def narrow_in_narrow(self) -> Includes:
        """Return what shows that a branch of the narrow side allows all values of another one of it."""
        return self.old_in_old if self.is_sent else self.new_in_new


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
        others = (member for member in branches if member is not branch and id(member[0]) not in covered)
        if any(
            _may_include(forms.of(*item), form, forms, forms) and includes(branch, item) for item in others
        ):
            covered.add(id(branch[0]))
    return frozenset(covered)


def _may_include(
    wide: NormalSchema, narrow: NormalSchema, wide_forms: SchemaNormaliser, narrow_forms: SchemaNormaliser
) -> bool:
    """Say whether it is worth looking if a form allows all values of another; null is not looked at."""
    if wide.is_only_null or narrow.is_only_null:
        return False
    return may_cover(wide, narrow) and not exclude_each_other(wide, wide_forms, narrow, narrow_forms)


def gravest_verdict(
    narrow: Sequence[Branch],
    wide: Sequence[Branch],
    sides: UnionSides,
    *,
    is_narrow_one_of: bool,
    is_wide_one_of: bool,
    are_apart: Callable[[Branch, Branch], bool] = lambda _, __: False,
    is_narrow_distinguished: bool = False,
) -> Verdict | None:
    """Return the gravest verdict that can come of any change between the narrow and the wide branches.

    It is compatible if the wide branches are shown to allow all values of the narrow ones, risky if changes
    between them are at most risky, and None if neither is shown. `are_apart` says of a narrow and a wide branch
    that something else distinguishes them, such as a discriminator. `is_narrow_distinguished` holds for all narrow
    branches: then none covers another one.
    """
    is_too_large = max(len(narrow), len(wide)) > _MAX_BRANCHES
    if is_too_large or sides.has_unevaluated:
        return None
    pieces = [
        (piece, branch)
        for branch in narrow
        for piece in pieces_of(branch, sides.narrow_forms)
        if not (form := sides.narrow_forms.of(*piece)).is_only_null and not form.allows_nothing
    ]
    whole_pieces = [(*piece, *sides.narrow_siblings) for piece, _ in pieces]
    covered = (
        frozenset()
        if is_narrow_distinguished
        else covered_branches(whole_pieces, sides.narrow_forms, sides.narrow_in_narrow)
    )
    pieces = [(piece, branch) for piece, branch in pieces if id(piece[0]) not in covered]
    is_ambiguous = sides.is_text and is_wide_one_of and not all(_is_word(piece) for piece, _ in pieces)
    if not pieces or len(pieces) > _MAX_BRANCHES or is_ambiguous:
        return None
    for verdict in (Verdict.COMPATIBLE, Verdict.RISKY):
        likely = [
            (piece, branch, [item for item in wide if _may_cover(piece, item, sides, verdict)])
            for piece, branch in pieces
        ]
        likely.sort(key=lambda item: len(item[2]))
        if all(
            any(
                not are_apart(branch, candidate)
                and sides.narrow_in_wide(piece, candidate, gravest=verdict)
                and not (
                    is_wide_one_of and _may_match_another(piece, _without(wide, candidate), beside, sides)
                )
                for candidate in candidates
            )
            for piece, branch, candidates in likely
            for beside in [_without(narrow, branch) if is_narrow_one_of else []]
        ):
            return verdict
    return None


def _is_word(piece: Branch) -> bool:
    """Say whether a piece is a text that, without its quotes, is still no number and no truth value."""
    value = piece[0].const
    return isinstance(value, str) and value[:1].isalpha() and value not in ("true", "false", "null")


def _without(branches: Sequence[Branch], branch: Branch) -> list[Branch]:
    return [other for other in branches if other is not branch]


def _may_cover(narrow: Branch, wide: Branch, sides: UnionSides, gravest: Verdict) -> bool:
    """Say whether it is worth looking if the change from one branch to the other is at most as grave as a verdict."""
    own, other = sides.narrow_forms.of(*narrow), sides.wide_forms.of(*wide)
    if gravest is Verdict.COMPATIBLE:
        return _may_include(other, own, sides.wide_forms, sides.narrow_forms)
    required = {name for name, member in other.members.items() if member.is_required}
    return (
        not are_disjoint(other, own)
        and not other.is_only_null
        and all(name in own.members and own.members[name].is_required for name in required)
        and not exclude_each_other(other, sides.wide_forms, own, sides.narrow_forms)
    )


def _may_match_another(
    piece: Branch, wide: Sequence[Branch], narrow: Sequence[Branch], sides: UnionSides
) -> bool:
    """Return whether values of a narrow branch may match one of the other wide branches as well.

    Values that another branch of `oneOf` on the narrow side allows as well were never valid.
    """
    form = sides.narrow_forms.of(*piece)
    for other in wide:
        other_form = sides.wide_forms.of(*other)
        is_met = not other_form.is_only_null and may_overlap(
            form, sides.narrow_forms, other_form, sides.wide_forms
        )
        whole = (*other, *sides.wide_siblings)
        if is_met and not any(
            sides.wide_in_narrow(whole, (*item, *sides.narrow_siblings)) for item in narrow
        ):
            return True
    return False
