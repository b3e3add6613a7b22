"""What a record holds in the fields that its project declares: an immutable mapping that can be hashed."""

from collections.abc import Iterator, Mapping
from typing import TypeAlias, TypeVar

ValueT_co = TypeVar("ValueT_co", covariant=True)


class Values(Mapping[str, ValueT_co]):
    """Values by the names of their fields, in the order of the declaration; what is absent is left out."""

    __slots__ = ("_by_name", "_hash")

    def __init__(self, by_name: Mapping[str, ValueT_co]) -> None:
        """Take a copy of what is given."""
        self._by_name = dict(by_name)
        self._hash: int | None = None

    def __getitem__(self, name: str) -> ValueT_co:
        return self._by_name[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._by_name)

    def __len__(self) -> int:
        return len(self._by_name)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Values) and self._by_name == other._by_name

    def __hash__(self) -> int:
        if self._hash is None:
            self._hash = hash(frozenset(self._by_name.items()))
        return self._hash

    def __repr__(self) -> str:
        return f"Values({self._by_name!r})"


FieldValue: TypeAlias = "str | tuple[str, ...] | Values[str]"
"""The value of a declared field as its record has it: a text, a list of texts, or the parts of a group."""
Declared: TypeAlias = Values[FieldValue]
"""The values of all declared fields of a record."""
NOTHING: Declared = Values({})
"""No declared field at all."""
