"""Example values of the members of objects that are plain texts, numbers or booleans, each made once for a contract.

Most members are, and a contract repeats them: `id` and `created_at` have one value for each schema and owner.
"""

from typing import Any, NamedTuple

from devportal.contract.model import Api
from devportal.contract.schemas import ABSENT, Property, Schema
from devportal.contract.values.name_hints import value_for_name
from devportal.contract.values.name_words import Owner
from devportal.contract.values.per_contract import PerContract
from devportal.contract.values.scalars import SCALARS, declared_value, is_plain_scalar, scalars
from devportal.contract.values.schema_contents import has_only_scalars, has_parts, schema_contents

_Key = tuple[int, str, Owner | None, str]


class ScalarMember(NamedTuple):
    """The value of a member, and how much of the budget of values it takes."""

    value: Any
    cost: int


_DECLARED_COST = 1
_MADE_COST = 2
"""One for the schema, one for the value that is made of it."""


class ScalarMembers:
    """The values of such members in one contract, by schema, name and owner of the member."""

    def __init__(self, api: Api) -> None:
        self._api = api
        self._contents = schema_contents(api)
        self._members: dict[_Key, ScalarMember | None] = {}

    def get(self, property_: Property, owner: Owner | None) -> ScalarMember | None:
        """Return the value of a member; None if its schema is more than a type with constraints and an example.

        Without an owner, the name of the member says nothing.
        """
        schema = property_.schema
        if self._api.marks and schema.location in self._api.marks:
            return None
        key = (self._contents.number(schema), property_.name, owner, schema.location.file)
        try:
            return self._members[key]
        except KeyError:  # a key is hashed once: the names of all members of the owner are in it
            made = self._members[key] = self._make(property_, owner)
            return made

    def _make(self, property_: Property, owner: Owner | None) -> ScalarMember | None:
        schema = property_.schema
        if schema.ref is not None or schema.broken or schema.verdict is not None or has_parts(schema):
            return None
        if not has_only_scalars(schema):
            return None
        if (declared := declared_value(schema)) is not ABSENT:
            return None if _may_be_json(declared) else ScalarMember(declared, _DECLARED_COST)
        kind = schema.types[0] if schema.types else ""
        if kind not in SCALARS or not is_plain_scalar(schema, kind):
            return None
        value = next(scalars(kind, schema))
        if owner is not None:
            value = value_for_name(self._api, property_.name, schema, value, fits=_is_allowed, owner=owner)
        return ScalarMember(value, _MADE_COST)


def _may_be_json(value: Any) -> bool:
    """Say whether a value may be JSON in a text, which may be sent as the value that it holds."""
    return isinstance(value, str) and value.lstrip()[:1] in ("{", "[")


def _is_allowed(_schema: Schema, _value: Any) -> bool:
    """Say that a value fits: the schema of a plain scalar has no parts that could exclude it."""
    return True


scalar_members = PerContract(ScalarMembers)
