"""A schema in a few words, as a finding shows what was there before and what is there now."""

from devportal.contract import Schema
from devportal.differ.essence import essence
from devportal.differ.forms import Form
from devportal.differ.normal import Forms

_MOST_VALUES = 5


class Described(str):
    """A value in a few words, with the digest of all that is said of it: words alone may hide a change."""

    __slots__ = ("essence",)
    essence: str


def described(forms: Forms, schemas: tuple[Schema, ...]) -> Described:
    """Return a value in a few words: `Message`, `string, format uuid`, `array of integer`, `anything`."""
    told = Described(_described(forms, schemas, is_within=False))
    told.essence = essence(forms.api, schemas, forms.elsewhere)
    return told


def _described(forms: Forms, schemas: tuple[Schema, ...], *, is_within: bool) -> str:
    form = forms.of(*schemas)
    name = form.schema.name or _name(forms, form)
    if name:
        return name
    if form.is_nothing:
        return "nothing"
    if form.unions and not form.declared_types:
        return f"one of {len(form.unions[0].branches)} schemas"
    kinds = sorted(form.types)
    if kinds == ["array"] and form.items and not is_within:
        return f"array of {_described(forms, form.items, is_within=True)}"
    told = [" or ".join([*kinds, *(["null"] if form.allows_null and kinds else [])])]
    told += [f"format {form.format}"] if form.format else []
    told += [_values(form)] if form.values is not None else []
    return ", ".join(one for one in told if one) or "anything"


def _name(forms: Forms, form: Form) -> str:
    return forms.api.resolve(form.schema).name if form.schema.ref is not None else ""


def _values(form: Form) -> str:
    values = [str(value) for value in form.values or ()]
    return f"one of {', '.join(values[:_MOST_VALUES])}" + ("…" if len(values) > _MOST_VALUES else "")
