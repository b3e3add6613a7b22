"""What rules of parameters look at: one parameter in both contracts, and how its values are written."""

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from functools import cached_property
from typing import Any
from urllib.parse import quote

from devportal.contract import Header, Parameter, ParameterLocation
from devportal.contract.wire_format.serialisation import delimiter_of
from devportal.differ.contract_sources import schemas_of
from devportal.differ.match.media_types import MediaName, parse_media_name
from devportal.differ.match.parameters import is_sendable, schema_of
from devportal.differ.match.renames import Rename
from devportal.differ.normalise.forms import SCALARS, NormalSchema
from devportal.differ.part_pair import OperationPair
from devportal.differ.phrase import phrase
from devportal.differ.policy import Policy
from devportal.differ.rule import Verdict
from devportal.differ.schemas.number_texts import has_branch_for_every_text
from devportal.differ.schemas.position import Position, Schemas, Side
from devportal.differ.schemas.schema_descriptions import describe_schema


class ValueKind(StrEnum):
    """The kinds of values that styles write differently."""

    SCALAR = "scalar"
    ARRAY = "array"
    OBJECT = "object"


def kinds_of(form: NormalSchema) -> frozenset[ValueKind]:
    """Return the kinds of values that a form allows. A list of at most one item is written as the item."""
    if not form.types:
        return frozenset(ValueKind)
    kinds = {_value_kind(name) for name in form.types}
    if ValueKind.ARRAY in kinds and form.max_count("maxItems") <= 1:
        kinds = (kinds - {ValueKind.ARRAY}) | {ValueKind.SCALAR}
    return frozenset(kinds)


def _value_kind(name: str) -> ValueKind:
    return ValueKind.SCALAR if name in SCALARS else ValueKind(name)


def is_scalar(form: NormalSchema) -> bool:
    """Say whether a form allows only single values."""
    return bool(form.types) and form.types <= SCALARS


def is_array(form: NormalSchema) -> bool:
    """Say whether a form allows only arrays."""
    return form.types == frozenset({"array"})


def serialise_alike(
    kinds: frozenset[ValueKind], old_style: str, new_style: str, *, old_explode: bool, new_explode: bool
) -> bool:
    """Say whether each value of these kinds is written the same in two styles (OAS 3.0.3 §4.7.12.5)."""
    return all(
        _serialised_shape(kind, old_style, old_explode) == _serialised_shape(kind, new_style, new_explode)
        for kind in kinds
    )


def may_have_reserved_characters(form: NormalSchema) -> bool:
    """Say whether a single value of a form may have a reserved character (RFC 3986 §2.2); lists and objects may."""
    return _may_have_text(form, lambda text: bool(_RESERVED.intersection(text)))


def may_be_percent_encoded(form: NormalSchema) -> bool:
    """Say whether a single value of a form may have a character that is not unreserved (RFC 3986 §2.3); lists and
    objects may.
    """
    return _may_have_text(form, lambda text: quote(text, safe="") != text)


def _may_have_text(form: NormalSchema, is_meant: Callable[[str], bool]) -> bool:
    if not form.types or not form.types <= SCALARS:
        return True
    if form.values is not None:
        return any(is_meant(value) for value in form.values if isinstance(value, str))
    return "string" in form.types and form.format not in _FORMATS_OF_UNRESERVED_CHARACTERS


_RESERVED = frozenset(":/?#[]@!$&'()*+,;=")
_FORMATS_OF_UNRESERVED_CHARACTERS = frozenset({"date", "uuid", "ipv4", "hostname"})
_DELIMITERS = frozenset({"spaceDelimited", "pipeDelimited"})
_PLAIN_STYLES = frozenset({"form", "simple", *_DELIMITERS})
"""The styles that write a single value as it is."""
_EXPLODING_INTO_PAIRS = frozenset({"form", *_DELIMITERS})


def _serialised_shape(kind: ValueKind, style: str, explode: bool) -> str:  # noqa: FBT001 - as the field
    """Return the shape of a value that is written in a style; equal shapes give equal texts."""
    match kind:
        case ValueKind.SCALAR:
            return "name=value" if style in {*_EXPLODING_INTO_PAIRS, "deepObject"} else style
        case ValueKind.ARRAY if explode and style in _EXPLODING_INTO_PAIRS:
            return "name=one&name=two"
        case ValueKind.ARRAY if style == "simple":
            return "one,two"
        case ValueKind.OBJECT if explode and style in _EXPLODING_INTO_PAIRS:
            return "a=one&b=two"
        case ValueKind.OBJECT if style == "deepObject":
            return "name[a]=one&name[b]=two"
    return phrase("%(style)s exploded", style=style) if explode else style


_UNQUOTED = frozenset({"number", "integer", "boolean"})


class ParameterChangeKind(StrEnum):
    """How a parameter changed that both contracts do not have alike; `PLACED` belongs to a new placeholder."""

    ADDED = "added"
    PLACED = "placed"
    REMOVED = "removed"
    RELOCATED = "relocated"


EMPTY_VALUES: Mapping[str, Any] = {"minLength": "", "minItems": [], "minProperties": {}}
"""The empty value that each minimum rules out."""


@dataclass(frozen=True, kw_only=True)
class ParameterChange:
    """A parameter that was added, removed or moved: `old` is None if it was added, `new` if it was removed."""

    kind: ParameterChangeKind
    old: Parameter | None = None
    new: Parameter | None = None
    rename: Rename | None = None
    """What a removed parameter is called now, or an added one was called before, if that is known."""
    operation: OperationPair = field(repr=False)

    @property
    def rename_reason(self) -> str:
        """Return how the parameter was called before or is called now, empty if that is not known."""
        return self.rename.reason(is_removed=self.new is None) if self.rename is not None else ""

    @property
    def policy(self) -> Policy:
        """Return the policy of the comparison."""
        return self.operation.policy


@dataclass(frozen=True, kw_only=True)
class ParameterPair:
    """One parameter in both contracts, matched by name and place; path parameters by their position."""

    old: Parameter
    new: Parameter
    operation: OperationPair = field(repr=False)

    @property
    def is_described_before(self) -> bool:
        """Say whether the old contract describes the parameter: a placeholder of a path may lack that."""
        return any(parameter is self.old for parameter in self.operation.old.parameters)

    @property
    def is_described_after(self) -> bool:
        """Say whether the new contract describes the parameter."""
        return any(parameter is self.new for parameter in self.operation.new.parameters)

    @property
    def position(self) -> Position:
        """Return the position of its value; its default is compared by the rules of parameters."""
        return Position(self.operation.sends, is_text=self._is_text, is_required=True, is_parameter=True)

    @property
    def _is_text(self) -> bool:
        content = self.new.content
        return content is None or parse_media_name(content.name).is_text

    @property
    def is_in_content(self) -> bool:
        """Say whether its value is written in a media type in one contract at least."""
        return self.old.content is not None or self.new.content is not None

    @property
    def may_allow_reserved(self) -> bool:
        """Say whether the value is percent-encoded, so that reserved characters may be left out: in a query, and
        since OAS 3.2.0 (§4.12.2) in a path.
        """
        is_in_path = self.new.location_in is ParameterLocation.PATH
        return self.new.location_in is ParameterLocation.QUERY or (
            is_in_path and not self.operation.contracts.new.openapi.startswith(("3.0", "3.1"))
        )

    @property
    def changes_notation(self) -> bool:
        """Return whether its media type changed, was added or was removed, and its values are written otherwise."""
        notations = content_media_name(self.old), content_media_name(self.new)
        if notations[0] == notations[1]:
            return False
        styles = {parameter.style for parameter in (self.old, self.new) if parameter.content is None}
        has_plain_style = styles <= {"form", "simple", "cookie"}
        return not (has_plain_style and are_written_alike(*notations, (self.old_form, self.new_form)))

    @property
    def keeps_content(self) -> bool:
        """Say whether a text that holds a media type is now a value in it, or the reverse, and values stay valid."""
        old, new = _find_held_content(self.old, self.old_form), _find_held_content(self.new, self.new_form)
        if old is None or new is None or old[0] != new[0]:
            return False
        includes = self.operation.contracts.includes
        if self.operation.is_event:
            return not old[1] or includes(new[1], Side.NEW, old[1], Side.OLD)
        return not new[1] or includes(old[1], Side.OLD, new[1], Side.NEW)

    @cached_property
    def old_form(self) -> NormalSchema:
        """Return the old schema in normal form."""
        return self.operation.contracts.includes.forms(Side.OLD).of(*schemas_of(schema_of(self.old)))

    @cached_property
    def new_form(self) -> NormalSchema:
        """Return the new schema in normal form."""
        return self.operation.contracts.includes.forms(Side.NEW).of(*schemas_of(schema_of(self.new)))

    @property
    def old_described(self) -> str:
        """Return the old schema in a few words."""
        return describe_schema(
            self.operation.contracts.includes.forms(Side.OLD), schemas_of(schema_of(self.old))
        )

    @property
    def new_described(self) -> str:
        """Return the new schema in a few words."""
        return describe_schema(
            self.operation.contracts.includes.forms(Side.NEW), schemas_of(schema_of(self.new))
        )

    @property
    def kinds(self) -> frozenset[ValueKind]:
        """Return the kinds of values that are allowed in both contracts."""
        return kinds_of(self.old_form) & kinds_of(self.new_form)

    @property
    def becomes_array(self) -> bool:
        """Say whether a list takes the place of single values."""
        return self._is_written and is_scalar(self.old_form) and is_array(self.new_form)

    @property
    def becomes_scalar(self) -> bool:
        """Say whether a single value takes the place of lists."""
        return self._is_written and is_array(self.old_form) and is_scalar(self.new_form)

    @property
    def becomes_text(self) -> bool:
        """Say whether any text takes the place of numbers or booleans, whose text it was all along."""
        kinds = self.old_form.types
        return (
            self.position.is_text
            and not self.changes_notation
            and bool(kinds)
            and kinds <= _UNQUOTED
            and self.new_form.types == frozenset({"string"})
        )

    @property
    def takes_every_text(self) -> bool:
        """Say whether no union of the new schema refuses a text."""
        return has_branch_for_every_text(self.new_form, self.operation.contracts.includes.forms(Side.NEW))

    @property
    def idle_minimums(self) -> frozenset[str]:
        """Return the minimums that differ although the side with the lower one cannot send an empty value anyway."""
        return frozenset(
            keyword for keyword, value in EMPTY_VALUES.items() if self._is_idle_minimum(keyword, value)
        )

    def _is_idle_minimum(self, keyword: str, empty_value: Any) -> bool:
        before, after = self.old_form.min_count(keyword), self.new_form.min_count(keyword)
        return before != after and not is_sendable(self.old if before < after else self.new, empty_value)

    @property
    def _is_written(self) -> bool:
        """Say whether a style says how the value is written."""
        return not self.is_in_content

    @cached_property
    def is_scalar_an_item(self) -> bool:
        """Say whether each single value of the old parameter is a list of one in the new parameter."""
        new = self.new_form
        if (
            not self._is_written_as_item(self.old, self.old_form, self.new)
            or new.min_count("minItems") > 1
            or new.max_count("maxItems") == 0
            or new.prefix_items
        ):
            return False
        worst = self.operation.contracts.schemas.worst(
            schemas_of(schema_of(self.old)), new.items, self.position
        )
        return worst is None or not worst.is_at_least(Verdict.RISKY)

    @cached_property
    def is_item_a_scalar(self) -> bool:
        """Say whether each list of the old parameter is empty or has one item, which is a value of the new one."""
        old = self.old_form
        is_short = old.max_count("maxItems") <= 1 and not old.prefix_items
        if not is_short or not self._is_written_as_item(self.new, self.new_form, self.old):
            return False
        worst = self.operation.contracts.schemas.worst(
            old.items, schemas_of(schema_of(self.new)), self.position
        )
        return worst is None or not worst.is_at_least(Verdict.RISKY)

    @property
    def is_list_one_text(self) -> bool:
        """Say whether each list of the old parameter was written as one text, which the new one takes as a value."""
        new = self.new_form
        is_one_text = self.old.style == "simple" or (self.old.style in _PLAIN_STYLES and not self.old.explode)
        takes_every_text = (
            new.types == {"string"}
            and new.values is None
            and not (new.counts or new.patterns or new.format or new.unions or new.negated or new.conditions)
        )
        return is_one_text and takes_every_text and self.new.style in _PLAIN_STYLES

    @staticmethod
    def _is_written_as_item(scalar: Parameter, form: NormalSchema, array: Parameter) -> bool:
        """Say whether each single value is written as a list of one."""
        if not {scalar.style, array.style} <= _PLAIN_STYLES:
            return False
        if array.location_in is ParameterLocation.QUERY and array.style == "form" and array.explode:
            return True
        return not _may_have_text(form, lambda text: delimiter_of(array.style) in text)


def content_media_name(field: Parameter | Header | None) -> MediaName | None:
    """Return the media type of the value of a parameter or header, None if it has a style."""
    if field is None or field.content is None:
        return None
    return parse_media_name(field.content.name)


def _find_held_content(field: Parameter, form: NormalSchema) -> tuple[MediaName, Schemas] | None:
    """Return the media type and the schemas of a value: those of `content`, or of what a text holds by
    `contentMediaType` and `contentSchema` (JSON Schema Validation 2020-12 §8), None if there are none.
    """
    name = content_media_name(field)
    if name is not None:
        return name, schemas_of(schema_of(field))
    held = dict(form.content)
    is_other = form.types != {"string"} or form.values is not None or form.counts or form.patterns
    if (
        is_other
        or form.allows_null
        or held.keys() != {"contentMediaType"}
        or field.style not in _PLAIN_STYLES
    ):
        return None
    return parse_media_name(held["contentMediaType"]), form.others.get("contentSchema", ())


def are_written_alike(old: MediaName | None, new: MediaName | None, forms: Iterable[NormalSchema]) -> bool:
    """Say whether single values are the same text in two media types, or in one and a plain style (None): JSON has
    quotes around texts.
    """
    names = [name for name in (old, new) if name is not None]
    plain = all(name.kind == "text/plain" for name in names)
    if not plain and not all(name.kind == "text/plain" or name.is_json for name in names):
        return False
    kinds = SCALARS if plain else _UNQUOTED
    return all(form.types and form.types <= kinds and not form.allows_null for form in forms)
