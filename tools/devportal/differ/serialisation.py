"""How values of parameters and form fields are written, as far as it depends on their style (RFC 6570)."""

from enum import StrEnum

from devportal.differ.forms import Form


class Kind(StrEnum):
    """The kinds of values that styles write differently."""

    SCALAR = "scalar"
    ARRAY = "array"
    OBJECT = "object"


_SCALARS = frozenset({"string", "number", "integer", "boolean"})


def kinds_of(form: Form) -> frozenset[Kind]:
    """Return the kinds of values that a form allows. A list of at most one item is written as the item."""
    if not form.types:
        return frozenset(Kind)
    found = {_kind(name) for name in form.types}
    if Kind.ARRAY in found and form.max_items is not None and form.max_items <= 1:
        found = (found - {Kind.ARRAY}) | {Kind.SCALAR}
    return frozenset(found)


def _kind(name: str) -> Kind:
    return Kind.SCALAR if name in _SCALARS else Kind(name)


def is_scalar(form: Form) -> bool:
    """Say whether a form allows only single values."""
    return bool(form.types) and form.types <= _SCALARS


def is_array(form: Form) -> bool:
    """Say whether a form allows only arrays."""
    return form.types == frozenset({"array"})


def prints_alike(
    kinds: frozenset[Kind], old_style: str, new_style: str, *, old_explode: bool, new_explode: bool
) -> bool:
    """Say whether each value of these kinds is written the same in two styles (OAS 3.0.3 §4.7.12.5)."""
    return all(
        _written(kind, old_style, old_explode) == _written(kind, new_style, new_explode) for kind in kinds
    )


_DELIMITERS = frozenset({"spaceDelimited", "pipeDelimited"})
_EXPLODING_INTO_PAIRS = frozenset({"form", *_DELIMITERS})


def _written(kind: Kind, style: str, explode: bool) -> str:  # noqa: FBT001 - as the field
    """Return the shape of a value that is written in a style; equal shapes give equal texts."""
    match kind:
        case Kind.SCALAR:
            return "name=value" if style in {*_EXPLODING_INTO_PAIRS, "deepObject"} else style
        case Kind.ARRAY if explode and style in _EXPLODING_INTO_PAIRS:
            return "name=one&name=two"
        case Kind.ARRAY if style == "simple":
            return "one,two"
        case Kind.OBJECT if explode and style in _EXPLODING_INTO_PAIRS:
            return "a=one&b=two"
        case Kind.OBJECT if style == "deepObject":
            return "name[a]=one&name[b]=two"
    return f"{style} exploded" if explode else style
