"""What a change of format does to the values of a schema: whether it refuses old ones, allows new ones, or
neither."""

from enum import StrEnum

from devportal.differ.normalise.forms import NormalSchema
from devportal.differ.schemas.effective_keywords import compared_types
from devportal.differ.schemas.format_values import applies_format, holds_all_values
from devportal.differ.schemas.pair import SchemaPair
from devportal.differ.schemas.position import Position


class FormatChange(StrEnum):
    """How the format of a value changed. `WITHOUT_EFFECT` allows the same values as before."""

    NONE = "none"
    SET = "set"
    UNSET = "unset"
    WIDENED = "widened"
    NARROWED = "narrowed"
    CHANGED = "changed"
    WITHOUT_EFFECT = "without effect"


def format_change(pair: SchemaPair) -> FormatChange:
    """Return how the format changed. It is none if the change of the type says it all: an integer in place of
    a `number` of format `float` is one of them.
    """
    if pair.old.format == pair.new.format or is_format_respelled(pair):
        return FormatChange.NONE
    old = pair.old.format if applies_format(pair.old) else ""
    new = pair.new.format if applies_format(pair.new) else ""
    keeps_old = not new or _holds_all_values(pair, new, pair.old)
    keeps_new = not old or _holds_all_values(pair, old, pair.new)
    if _is_covered_by_type(pair, keeps_old=keeps_old, keeps_new=keeps_new):
        return FormatChange.NONE
    if keeps_old and keeps_new:
        return FormatChange.WITHOUT_EFFECT
    if not old:
        return FormatChange.SET
    if not new:
        return FormatChange.UNSET
    if keeps_old or keeps_new:
        return FormatChange.WIDENED if keeps_old else FormatChange.NARROWED
    return FormatChange.CHANGED


def _holds_all_values(pair: SchemaPair, format_name: str, form: NormalSchema) -> bool:
    return holds_all_values(
        format_name,
        form,
        is_text=pair.position.is_text,
        accepts_date=pair.policy.date_time_accepts_date,
    )


def _is_covered_by_type(pair: SchemaPair, *, keeps_old: bool, keeps_new: bool) -> bool:
    """Say whether integers became other numbers or the reverse, and the format adds nothing to it."""
    types = compared_types(pair)
    if types is None or not (types.old ^ types.new) & {"integer", "number"}:
        return False
    is_wider = types.is_wider and keeps_old
    is_narrower = types.is_narrower and keeps_new
    return is_wider is not is_narrower


def is_format_respelled(pair: SchemaPair) -> bool:
    """Say whether a format of 3.0 has become what 3.1 writes for it, or the reverse (OAS 3.1.0 §4.4.2, and for fields
    of forms, Considerations for File Uploads).
    """
    if pair.position.is_field and _is_file(pair.old) and _is_file(pair.new):
        return True
    old, new = ((form.format, content_besides_encoding(form, pair.position)) for form in (pair.old, pair.new))
    if pair.position.is_encoded and {old, new} == {("binary", ()), ("", ())}:
        return True
    return any((old, new) in ((short, long), (long, short)) for short, long in _SPELLINGS)


def content_besides_encoding(form: NormalSchema, position: Position) -> tuple[tuple[str, str], ...]:
    """Return what a schema says of the content of a text, without the media type if an encoding declares it."""
    if not position.is_encoded:
        return form.content
    return tuple((keyword, value) for keyword, value in form.content if keyword != "contentMediaType")


def _is_file(form: NormalSchema) -> bool:
    """Say whether a field of a form is sent as bytes: its type may be left out."""
    is_binary = (form.format, form.content) in _SPELLINGS[-1]
    return (form.types == {"string"} and is_binary) or (
        not form.types and (is_binary or not (form.format or form.content)) and not form.allows_nothing
    )


_SPELLINGS = (
    (("byte", ()), ("", (("contentEncoding", "base64"),))),
    (("base64", ()), ("", (("contentEncoding", "base64"),))),
    (("binary", ()), ("", (("contentMediaType", "application/octet-stream"),))),
)
