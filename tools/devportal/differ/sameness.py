"""Which schemas of two contracts are alike down to the last reference: most of a large contract is."""

from collections.abc import Iterator

from devportal.contract import ABSENT, Api, Location, Schema
from devportal.contract.schemas import parts_of
from devportal.differ.heirs import Heirs
from devportal.differ.merging import canonical


class Sameness:
    """Knows which shared schemas differ, in themselves or in what they refer to."""

    def __init__(self, old: Api, new: Api) -> None:
        """Take both contracts, and look at their shared schemas once."""
        self._referred: dict[int, tuple[frozenset[Location], Schema]] = {}
        changed = {
            location
            for location in old.schemas.keys() | new.schemas.keys()
            if location not in old.schemas
            or location not in new.schemas
            or not _is_same(old.schemas[location], new.schemas[location])
        }
        parents = {location for location, schema in new.schemas.items() if _has_heirs(schema)}
        before, after = Heirs(old), Heirs(new)
        self._heirs = {location: frozenset(after.below(location)) for location in parents}
        changed |= {
            location for location in parents if frozenset(before.below(location)) != self._heirs[location]
        }
        self._changed = self._spread(changed, new)
        self._is_whole = old.openapi.startswith("3.0") == new.openapi.startswith("3.0")

    def holds(self, old: tuple[Schema, ...], new: tuple[Schema, ...]) -> bool:
        """Say whether nothing in these schemas differs, words included."""
        return (
            self._is_whole
            and len(old) == len(new)
            and all(map(_is_same, old, new))
            and not any(self._references(schema) & self._changed for schema in new)
        )

    def _spread(self, changed: set[Location], api: Api) -> set[Location]:
        """Return the schemas that have changed and all that refer to them, over any number of steps."""
        users: dict[Location, list[Location]] = {}
        for location, schema in api.schemas.items():
            for target in self._references(schema) | self._heirs.get(location, frozenset()):
                users.setdefault(target, []).append(location)
        found = set(changed)
        pending = list(changed)
        while pending:
            for user in users.get(pending.pop(), ()):
                if user not in found:
                    found.add(user)
                    pending.append(user)
        return found

    def _references(self, schema: Schema) -> frozenset[Location]:
        known = self._referred.get(id(schema))
        if known is None:
            known = self._referred[id(schema)] = (frozenset(_references_in(schema)), schema)
        return known[0]


def _has_heirs(schema: Schema) -> bool:
    """Say whether what extends a schema is a value of it, told by a discriminator."""
    return schema.discriminator is not None


def _references_in(schema: Schema) -> Iterator[Location]:
    for part in parts_of(schema):
        if part.ref is not None:
            yield part.ref
        if part.discriminator is not None:
            yield from (target for _, target in part.discriminator.mapping)


def _is_same(old: Schema, new: Schema) -> bool:
    """Say whether two schemas are alike, with 1 and true, which Python takes for the same, apart."""
    return old == new and all(map(_has_same_values, parts_of(old), parts_of(new)))


def _has_same_values(old: Schema, new: Schema) -> bool:
    return _values(old) == _values(new)


def _values(schema: Schema) -> tuple[str, ...] | None:
    """Return the JSON values of a schema as text."""
    if schema.const is ABSENT and schema.default is ABSENT and not schema.enum and not schema.examples:
        return None
    values = (*schema.enum, schema.const, schema.default, *schema.examples)
    return tuple("" if one is ABSENT else canonical(one) for one in values)
