"""What a form leaves open: everything, values of a type, properties that it does not list."""

from dataclasses import fields
from operator import attrgetter

from devportal.contract import Location, Schema
from devportal.differ.forms import Form

_NOT_SAID = frozenset(
    {"schema", "parts", "is_const", "default", "discriminator", "declared_types", "listed", "xml", "dialect"}
)  # fmt: skip
"""What decides nothing on its own."""

_says = attrgetter(*(one.name for one in fields(Form) if one.name not in _NOT_SAID))
_NOTHING = _says(Form(schema=Schema(location=Location("", ())), parts=()))


def says_nothing(form: Form) -> bool:
    """Say whether any value keeps a form."""
    return bool(_says(form) == _NOTHING) and not is_broken(form)


def is_broken(form: Form) -> bool:
    """Say whether a part of a form cannot be looked at, as its reference leads nowhere."""
    return any(part.broken for part in form.parts)


def may_be(form: Form, kind: str) -> bool:
    """Say whether a value of a form may be of a type."""
    return not form.is_nothing and (not form.types or kind in form.types)


def refuses_unknown(form: Form) -> bool:
    """Say whether a form refuses properties that no part of it lists."""
    return form.is_closed or any(one.verdict is False for one in form.others.get("unevaluatedProperties", ()))
