"""A union on one side that tells apart by type what the other side says in one schema of several types."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from devportal.contract import Schema
from devportal.contract.beside import is_bare
from devportal.differ.branches import BranchPairing, Wrapping
from devportal.differ.forms import Form, Union
from devportal.differ.keywords import TYPE_OF_KEYWORD
from devportal.differ.merging import collapsed
from devportal.differ.normal import Forms
from devportal.differ.wrapping import beside_unions


def gathered(union: Form, plain: Form, union_forms: Forms) -> BranchPairing | None:
    """Return the pairing of an old union with a new schema of several types, None where it is not that.

    Each branch is compared with what the plain schema says of its type.
    """
    own = union.unions[0]
    typed = _by_type(own, union_forms)
    is_told = len(plain.declared_types) > 1 and plain.values is None and not _says_more(union)
    if typed is None or not is_told or not plain.types <= typed.keys():
        return None
    return BranchPairing(
        old=own,
        new=Union(keyword=own.keyword, branches=(plain.schema,)),
        pairs=tuple(((typed[kind],), tuple(_of_type(plain, kind))) for kind in sorted(plain.types)),
        removed=tuple(branch for kind, branch in typed.items() if kind not in plain.types),
        added=(),
        wrapping=Wrapping.UNWRAPPED,
    )


def _by_type(union: Union, forms: Forms) -> dict[str, Schema] | None:
    """Return the branch for each type, None where types do not tell the branches apart."""
    found: dict[str, Schema] = {}
    for branch in union.branches:
        form = forms.of(branch)
        if form.is_only_null:
            continue
        if len(form.types) != 1 or form.types <= found.keys():
            return None
        found[next(iter(form.types))] = branch
    return found if collapsed(frozenset(found)) == found.keys() and union.discriminator is None else None


def _of_type(plain: Form, kind: str) -> Iterator[Schema]:
    """Yield what the parts of a schema say of one of its types."""
    about = "number" if kind == "integer" else kind
    for part in plain.parts:
        kept = (one for one in part.constraints if TYPE_OF_KEYWORD.get(one.keyword, about) == about)
        yield replace(part, ref=None, all_of=(), constraints=tuple(kept), **_WORDS)
    yield Schema(location=plain.location, types=(kind,))


def _says_more(form: Form) -> bool:
    """Say whether anything but types and words stands beside the union."""
    return not all(is_bare(replace(part, **_TYPES_AND_WORDS)) for part in beside_unions(form.parts))


_WORDS: dict[str, Any] = {
    "title": "",
    "description": "",
    "comment": "",
    "examples": (),
    "has_lone_example": False,
}
_TYPES_AND_WORDS = _WORDS | {"types": (), "nullable": False}
