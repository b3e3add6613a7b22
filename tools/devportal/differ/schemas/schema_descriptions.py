"""Short descriptions of schemas for the sentences of changes."""

import json
from typing import Any

from devportal.contract import Schema
from devportal.differ.normalise.digest import schema_digest
from devportal.differ.normalise.forms import (
    NormalSchema,
    allows_any_value,
)
from devportal.differ.normalise.normaliser import SchemaNormaliser
from devportal.differ.phrase import Phrase, compose, list_phrase, or_phrase, phrase
from devportal.differ.schemas.position import Schemas

_MAX_LISTED_VALUES = 5


class SchemaDescription(Phrase):
    """A short description of a value, with its schemas: the words alone may hide a change.

    `digest` is the digest of the schemas without the shared ones that both contracts have.
    """

    __slots__ = ("digest", "schemas")
    digest: str
    schemas: Schemas


def describe_schema(forms: SchemaNormaliser, schemas: tuple[Schema, ...]) -> SchemaDescription:
    """Return a value in a few words: `Message`, `string, format uuid`, `array of integer`, `anything`."""
    words = _describe_in_words(forms, schemas, is_within=False)
    description = SchemaDescription(words.message, words.values, words.context)
    description.digest = schema_digest(forms.api, schemas, forms.other_contract_names)
    description.schemas = schemas
    return description


def _describe_in_words(forms: SchemaNormaliser, schemas: tuple[Schema, ...], *, is_within: bool) -> Phrase:
    form = forms.of(*schemas)
    name = form.schema.name or _referred_name(forms, form)
    if name:
        return compose("%(name)s", name=name)
    if form.allows_nothing:
        return phrase("nothing")
    if form.is_only_null:
        return compose("%(name)s", name="null")
    if form.unions and not form.declared_types:
        return phrase("one of %(number)s schemas", number=str(len(form.unions[0].branches)))
    kinds = sorted(form.types)
    if kinds == ["array"] and form.items and not is_within:
        return phrase("array of %(type)s", type=_describe_in_words(forms, form.items, is_within=True))
    words = [or_phrase([*kinds, *(["null"] if form.allows_null and kinds else [])])]
    words += [phrase("format %(format)s", format=form.format)] if form.format else []
    words += [_format_enum(form)] if form.values is not None else []
    listed = list_phrase(word for word in words if word)
    if listed:
        return compose("%(words)s", words=listed)
    keywords = [keyword for keyword in form.sources if keyword not in _ANNOTATIONS]
    if not keywords or allows_any_value(form):
        return phrase("anything")
    return phrase("anything with %(keywords)s", keywords=", ".join(sorted(keywords)))


_ANNOTATIONS = frozenset({"default", "readOnly", "writeOnly", "nullable", "xml", "discriminator"})
"""Keywords that no value is refused for."""


def _referred_name(forms: SchemaNormaliser, form: NormalSchema) -> str:
    return forms.api.resolve(form.schema).name if form.schema.ref is not None else ""


def _format_enum(form: NormalSchema) -> str:
    values = form.values or ()
    listed = list_phrase(map(_format_value, values[:_MAX_LISTED_VALUES]))
    if len(values) > _MAX_LISTED_VALUES:
        return phrase("one of %(values)s…", values=listed)
    return phrase("one of %(values)s", values=listed)


def _format_value(value: Any) -> str:
    """Return a listed value: a word as it is, every other value as JSON, with single quotes since sentences quote
    the whole.
    """
    if isinstance(value, str) and value.strip():
        return value
    return json.dumps(value, ensure_ascii=False).replace('"', "'")
