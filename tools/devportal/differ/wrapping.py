"""A union on one side whose branch is the plain schema of the other side."""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from devportal.contract import Location, Schema
from devportal.contract.beside import is_bare
from devportal.differ.branches import Branch, BranchPairing, Wrapping
from devportal.differ.forms import Form, Union
from devportal.differ.likeness import ALIKE, core, likeness, shape, titled
from devportal.differ.normal import Forms


def unwrapping(
    union: Form, plain: Form, union_forms: Forms, plain_forms: Forms, *, is_branch: bool
) -> BranchPairing | None:
    """Return the pairing of an old union with a plain new schema, None where no branch of it is that."""
    beside = tuple(beside_unions(union.parts))
    own = union.unions[0]
    if beside and is_branch:
        return None
    if beside and core(union_forms.of(*beside)) == core(plain):
        return None
    branch = _branch_of(own, beside, plain, union_forms, plain_forms)
    if branch is None:
        return None
    single = next((part for part in plain.parts if len(part.one_of) == 1 or len(part.any_of) == 1), None)
    keyword = own.keyword if single is None else ("oneOf" if single.one_of else "anyOf")
    return BranchPairing(
        old=own,
        new=Union(
            keyword=keyword,
            branches=(plain.schema,),
            discriminator=None if single is None else single.discriminator,
        ),
        pairs=(((branch, *beside), (plain.schema,)),),
        removed=tuple(one for one in own.branches if one is not branch),
        added=(),
        wrapping=Wrapping.UNWRAPPED,
        was_union=single is not None,
    )


def beside_unions(parts: Sequence[Schema]) -> Iterator[Schema]:
    """Yield what parts say beside their unions."""
    for part in parts:
        if not (part.ref or part.all_of or part.one_of or part.any_of):
            yield part
            continue
        left = replace(part, name="", ref=None, all_of=(), one_of=(), any_of=(), discriminator=None)
        left = replace(left, nullable=left.nullable and bool(left.types))
        if not is_bare(left):
            yield left


def _branch_of(
    union: Union, beside: Branch, plain: Form, union_forms: Forms, plain_forms: Forms
) -> Schema | None:
    """Return the branch that a plain schema is: the one of its name, or else the one most like it."""
    location = plain_forms.api.resolve(plain.schema).location
    named = [one for one in union.branches if _target(one, union_forms) == location]
    if len(named) == 1 and location.pointer[:1] == ("components",):
        return named[0]
    forms = {id(one): union_forms.of(one, *beside) for one in union.branches}
    for key in (titled, shape, core):
        alike = [one for one in union.branches if key(forms[id(one)]) == key(plain)]
        if key(plain) and len(alike) == 1:
            return alike[0]
    found = {id(one): likeness(forms[id(one)], plain) for one in union.branches}
    best = max(union.branches, key=lambda one: found[id(one)])
    return best if found[id(best)] >= ALIKE else None


def _target(branch: Schema, forms: Forms) -> Location:
    return forms.api.resolve(branch).location
