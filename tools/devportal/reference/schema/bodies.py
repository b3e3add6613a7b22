"""Bodies by media type as rows, with their encodings and examples."""

import json
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from devportal.contract import Encoding, Example, Grounds, Header, Location, MediaType, Schema, Stability
from devportal.contract.schemas import are_alike
from devportal.reference.addresses import Anchors
from devportal.reference.history_marks import NO_HISTORY_MARKS, HistoryMark, HistoryMarks
from devportal.reference.schema.described_values import TypeLabel, ValueDescription
from devportal.reference.schema.examples import ExampleView, example_views
from devportal.reference.schema.fields import Field, FieldReader
from devportal.reference.schema.shapes import RowKind
from devportal.reference.wording import SUBSCHEMA_LABELS, ConstraintFact, encoding_facts
from devportal.translation import gettext

MAX_EXAMPLES = 12
"""How many examples of one body the samples show, and how many stand below its fields."""


@dataclass(frozen=True, slots=True, kw_only=True)
class EncodingView:
    """How one property of a form or multipart body is written; `name` is its path.

    Without a name it is an item, and `label` says which.
    """

    name: str
    label: str
    facts: tuple[ConstraintFact, ...]
    headers: tuple[Field, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Media:
    """A body in one media type, as rows; `examples` are those that the samples do not show.

    `same_as` names an earlier media type with the same schema, whose rows are not repeated.
    """

    name: str
    stability: Stability | None
    grounds: Grounds | None
    field: Field | None
    same_as: str
    item: Field | None
    examples: tuple[ExampleView, ...]
    more_examples: Field | None
    """Further examples, which may move to a separate page."""
    encodings: tuple[EncodingView, ...]

    @property
    def encodings_title(self) -> str:
        """The heading of the encodings: a form has fields, other bodies have parts."""
        is_form = self.name.startswith("application/x-www-form-urlencoded")
        return gettext("How fields are written") if is_form else gettext("How parts are written")


@dataclass(frozen=True, slots=True, kw_only=True)
class RequestContext:
    """What the parts of one request share: readers, the page's anchors, the examples shown as samples.

    `prefix` begins the anchors of all its parts. It is empty for the page's own request.
    """

    sent: FieldReader
    received: FieldReader
    anchors: Anchors
    prefix: str = ""
    owner: str = ""
    """The request in the history: `POST /v1/orders`, or the name of an event."""
    marks: HistoryMarks = NO_HISTORY_MARKS
    shown: frozenset[Location] = frozenset()
    samples_responses: bool = False
    """Whether the samples beside the request show the examples of its responses."""

    def with_samples(self, examples: Iterable[Example]) -> "RequestContext":
        """Return a copy whose samples show these examples."""
        return replace(self, shown=frozenset(example.location for example in examples))

    def marks_of(self, place: str) -> tuple[HistoryMark, ...]:
        """Return the history marks of a place in the request."""
        return self.marks.of(self.owner, place) if self.owner else ()

    def examples_not_sampled(self, media: MediaType) -> tuple[ExampleView, ...]:
        """Return the examples of a body that the samples do not show."""
        return example_views(
            (example for example in media.examples if example.location not in self.shown), media.name
        )


def body_views(
    content: tuple[MediaType, ...],
    context: RequestContext,
    anchor: str,
    reader: FieldReader,
    *,
    brief: bool = False,
) -> tuple[Media, ...]:
    """Return the bodies by media type. Anchors after the first contain the media type.

    With `brief`, shared schemas are links.
    """
    read = reader.brief if brief else reader.body
    first: list[tuple[Schema, str]] = []
    found = []
    for number, media_type in enumerate(content):
        below = f"{anchor}.{media_type.name}" if number else anchor
        schema = media_type.schema
        same_as = next((name for seen, name in first if schema and _has_same_rows(seen, schema)), "")
        if schema is not None and not same_as:
            first.append((schema, media_type.name))
        examples = context.examples_not_sampled(media_type)
        found.append(
            Media(
                name=media_type.name,
                stability=media_type.stability,
                grounds=media_type.grounds,
                field=read(schema, context.anchors, below) if schema is not None and not same_as else None,
                same_as=same_as,
                item=reader.body(media_type.item_schema, context.anchors, f"{below}.item")
                if media_type.item_schema
                else None,
                examples=examples[:MAX_EXAMPLES],
                more_examples=_further_examples(examples[MAX_EXAMPLES:], f"{below}.examples"),
                encodings=tuple(_encoding_views(media_type, context, below)),
            )
        )
    return tuple(found)


def _has_same_rows(schema: Schema, other: Schema) -> bool:
    """Say whether two schemas refer to the same one, or are objects and lists that are written the same."""
    if schema.ref is not None or other.ref is not None:
        return schema.ref == other.ref
    return bool(schema.properties or schema.items) and are_alike(schema, other)


def without_implied_members(media: Media, status: str, problems: Iterable[str]) -> Media:
    """Return a problem body without the members that its response already states: `status`, and `type` with
    one of the `problems`.

    This applies only if the body names a shared schema, whose page has those members.
    """
    field = media.field
    if field is None or not field.value.type.target:
        return media
    implied = {"status": {status}, "type": {json.dumps(problem) for problem in problems}}
    kept = tuple(child for child in field.fields if not _is_implied(child, implied.get(child.name, set())))
    return replace(media, field=field._replace(fields=kept))


def _is_implied(field: Field, values: set[str]) -> bool:
    """Say whether a member declares nothing but an `enum` within these values."""
    description = field.value
    says_more = (
        description.has_texts
        or description.has_flags
        or description.facts
        or description.examples
        or description.default is not None
    )
    return bool(description.enum) and not says_more and {value.code for value in description.enum} <= values


def header_row(header: Header, context: RequestContext, anchor: str, reader: FieldReader) -> Field:
    """Return a header of a response or of a part as a row."""
    row = mark_unresolved(reader.header(header, context.anchors, f"{anchor}.{header.name}"), header.broken)
    marks = () if context.prefix else context.marks_of(f"{anchor}.header.{header.name}")
    return row._replace(marks=marks) if marks else row


def mark_unresolved(field: Field, reference: str) -> Field:
    """Return a row with the type `unresolved` if its reference cannot be resolved."""
    if not reference:
        return field
    return field._replace(value=replace(field.value, type=TypeLabel(text=gettext("unresolved"))))


def _further_examples(examples: tuple[ExampleView, ...], anchor: str) -> Field | None:
    if not examples:
        return None
    return Field(
        name="",
        anchor=anchor,
        value=ValueDescription(title=gettext("More examples"), examples=examples),
        kind=RowKind.BODY,
    )


def inline_examples(content: tuple[MediaType, ...]) -> Iterator[Example]:
    """Yield the examples that the samples show: the first few with values in the contract."""
    for media in content:
        yield from [example for example in media.examples if example.has_value][:MAX_EXAMPLES]


def _encoding_views(
    within: MediaType | Encoding, context: RequestContext, anchor: str, path: str = ""
) -> Iterator[EncodingView]:
    """Yield the encodings of properties and of items, each followed by those within it (OAS 3.2)."""
    for label, anchor_part, encoding in _labelled_encodings(within):
        name = encoding.property_name if not label else ""
        whole = ".".join(filter(None, (path, name)))
        below = f"{anchor}.{anchor_part}"
        yield _encoding_view(encoding, whole if name else path, label, context, below)
        yield from _encoding_views(encoding, context, below, whole)


def _labelled_encodings(within: MediaType | Encoding) -> Iterator[tuple[str, str, Encoding]]:
    """Yield each encoding after its label, empty for that of a property, and its part of an anchor, which is the
    same in all languages.
    """
    for encoding in within.encodings:
        yield "", encoding.property_name, encoding
    for number, encoding in enumerate(within.prefix_encodings, start=1):
        yield gettext(SUBSCHEMA_LABELS["prefixItems"], name=number), f"item-{number}", encoding
    if within.item_encoding is not None:
        is_further = bool(within.prefix_encodings)
        label = gettext(SUBSCHEMA_LABELS["items"]) if is_further else gettext("each item")
        yield label, "each-further-item" if is_further else "each-item", within.item_encoding


def _encoding_view(
    encoding: Encoding, name: str, label: str, context: RequestContext, anchor: str
) -> EncodingView:
    return EncodingView(
        name=name,
        label=label,
        facts=encoding_facts(encoding),
        headers=tuple(header_row(header, context, anchor, context.sent) for header in encoding.headers),
    )
