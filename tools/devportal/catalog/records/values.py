"""The values of declared fields of a record: an immutable, hashable mapping."""

from collections.abc import Mapping
from typing import NoReturn, TypeAlias, TypeVar

ValueT = TypeVar("ValueT")


class Values(dict[str, ValueT]):
    """Values by field name, in the order of the declaration; absent values are left out.

    A dict that cannot be changed. Tables of tens of thousands of rates read each field of each rate: a
    mapping written in Python would take a third of the time of their pages.
    """

    __slots__ = ("_hash",)

    def __init__(self, by_name: Mapping[str, ValueT]) -> None:
        """Copy the values."""
        super().__init__(by_name)
        self._hash: int | None = None

    def __hash__(self) -> int:  # type: ignore[override]  # what cannot be changed can be hashed
        if self._hash is None:
            self._hash = hash(frozenset(self.items()))
        return self._hash

    def _refuse(self, *_arguments: object, **_more: object) -> NoReturn:
        raise TypeError("values of a record cannot be changed: make terms with others")

    __setitem__ = __delitem__ = __ior__ = _refuse
    clear = pop = popitem = setdefault = update = _refuse


FieldValue: TypeAlias = "str | tuple[str, ...] | Values[str]"
"""The value of a declared field in its record: a text, a list of texts, or the parts of a group."""
Declared: TypeAlias = Values[FieldValue]
"""The values of all declared fields of a record."""
NOTHING: Declared = Values({})
"""No declared fields."""
