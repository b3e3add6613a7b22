"""What of a request body has samples: a few of its media types, and of each a few examples."""

from collections.abc import Iterator
from dataclasses import dataclass

from devportal.contract import Example, MediaType, Operation
from devportal.contract.validate.header_values import is_json
from devportal.reference.samples.serialisation import scalar_text
from devportal.reference.samples.xml import is_xml
from devportal.reference.schema.examples import body_value

MAX_MEDIA_TYPES = 3
MAX_EXAMPLES = 6
MAX_LENGTH = 20_000
"""How many media types of a body have samples; how many examples of the first, and how many characters these
bodies have in all; also how many a body has that is made from a schema, which may hold an example of any
length.

Each stands on the page once per language, and a command line takes no more than 128 KiB. What is longer is
sent from a file; the page shows it with the fields.
"""
_FURTHER_EXAMPLES = 2
_FURTHER_LENGTH = 5_000
"""The same for each further media type: there it is to be seen how a body is written, and less what."""
_METHODS_WITHOUT_BODY = frozenset({"GET", "HEAD", "TRACE"})
"""Methods whose body has no meaning (RFC 9110 §9.3); clients refuse to send one."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SampledMediaType:
    """A media type that has samples, with the examples that have one of their own.

    `room` is how many characters a body has at most that is made for it.
    """

    media_type: MediaType
    examples: tuple[Example, ...]
    room: int


def sampled_media_types(operation: Operation) -> tuple[SampledMediaType, ...]:
    """Return the media types of the samples: JSON first, then forms, multipart, XML, and others."""
    return tuple(
        _select_examples(one, MAX_EXAMPLES, MAX_LENGTH)
        if number == 0
        else _select_examples(one, _FURTHER_EXAMPLES, _FURTHER_LENGTH)
        for number, one in enumerate(_request_media_types(operation))
    )


def embedded_examples(media_type: MediaType) -> tuple[Example, ...]:
    """Return the examples whose values are in the contract."""
    return tuple(one for one in media_type.examples if not one.external)


def _request_media_types(operation: Operation) -> tuple[MediaType, ...]:
    if operation.request_body is None or operation.method in _METHODS_WITHOUT_BODY:
        return ()
    return tuple(_distinct_media_types(sorted(operation.request_body.content, key=_media_type_rank)))[
        :MAX_MEDIA_TYPES
    ]


def _distinct_media_types(content: list[MediaType]) -> Iterator[MediaType]:
    """Yield media types without ranges and without those that are another name for one before; a first one
    is there in any case.
    """
    seen = set()
    for number, one in enumerate(content):
        shared = (
            (_media_type_rank(one), one.schema.ref) if one.schema is not None and one.schema.ref else None
        )
        is_another_name = shared in seen and not embedded_examples(one)
        if number == 0 or not (is_another_name or "*" in one.name):
            yield one
        if shared is not None:
            seen.add(shared)


def _media_type_rank(media_type: MediaType) -> int:
    name = media_type.name.partition(";")[0].strip().lower()
    kinds = (
        is_json(name),
        name == "application/x-www-form-urlencoded",
        name.startswith("multipart/"),
        is_xml(name),
        True,
    )
    return kinds.index(True)


def _select_examples(media_type: MediaType, most: int, room: int) -> SampledMediaType:
    left, shown = room, []
    for one in embedded_examples(media_type)[:most]:
        length = len(scalar_text(body_value(one, media_type.name)))
        if length <= left:
            left -= length
            shown.append(one)
    return SampledMediaType(media_type=media_type, examples=tuple(shown), room=room)
