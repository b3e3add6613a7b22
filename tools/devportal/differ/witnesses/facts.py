"""Messages that show what both contracts state without a schema: a part that is missing, a media type, a
status.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from devportal.contract import ABSENT, MediaType, Parameter, ParameterLocation
from devportal.differ.contract_sources import schemas_of
from devportal.differ.match.media_types import parse_media_name
from devportal.differ.match.parameters import schema_of
from devportal.differ.message_part import MessagePart
from devportal.differ.rule import Direction, FoundChange
from devportal.differ.schemas.position import WHOLE_TEXT, Side
from devportal.differ.witness import Witness
from devportal.differ.witnesses.messages import Message, MessageWriter
from devportal.differ.witnesses.validation import TRAVELS, allowing_side


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """What a rule found in a part of a message, and how messages of the operation are written."""

    change: FoundChange
    part: MessagePart
    subject: str
    writer: MessageWriter

    @property
    def side(self) -> Side:
        """Return the side that allows the message."""
        return allowing_side(self.part.direction)

    def pick(self, pair: tuple[Any, Any]) -> tuple[Any, Any]:
        """Return those of the side that allows the message and of the other one."""
        return pair if self.side is Side.OLD else pair[::-1]

    @property
    def parameters(self) -> tuple[Parameter | None, Parameter | None]:
        """Return the parameter on the side that allows the message and on the other one."""
        return self.pick(self.part.parameters or (None, None))

    def write(self, message: Message, refusal: str) -> Iterator[Witness]:
        """Yield the message as a witness."""
        yield self.writer.write(self.part, self.subject, message, refusal=refusal)


def witness_of_fact(rule: str, fact: Fact) -> Witness | None:
    """Return the message that shows a fact, None if it has none.

    Raises UnwritableMessageError if the parts around it cannot be sampled.
    """
    find = _FACTS.get(rule)
    return next(find(fact), None) if find is not None else None


def _missing_parameter(fact: Fact) -> Iterator[Witness]:
    own, other = fact.parameters
    if other is None or not other.required:
        return
    message = Message()
    if own is not None:
        message.parameters[own.location_in, own.name] = ABSENT
    yield from fact.write(message, f"{parameter_name(other)} is missing")


def parameter_name(parameter: Parameter) -> str:
    """Return a parameter as sentences name it: `the query parameter limit`."""
    return f"the {parameter.location_in.value} parameter {parameter.name}"


def _other_path(fact: Fact) -> Iterator[Witness]:
    yield from fact.write(Message(), f"the path is {fact.part.new.path}")


def _moved_parameter(fact: Fact) -> Iterator[Witness]:
    own, other = fact.parameters
    if own is None or other is None:
        return
    message = Message()
    message.parameters[own.location_in, own.name] = _sample_parameter(fact, own)
    is_missing = other.required
    refusal = (
        f"{parameter_name(other)} is missing" if is_missing else f"{parameter_name(own)} is not described"
    )
    yield from fact.write(message, refusal)


def _unknown_parameter(fact: Fact) -> Iterator[Witness]:
    own, _ = fact.parameters
    if own is not None and not fact.part.is_event:
        message = Message()
        message.parameters[own.location_in, own.name] = _sample_parameter(fact, own)
        yield from fact.write(message, f"{parameter_name(own)} is not described")


def _sample_parameter(fact: Fact, parameter: Parameter) -> Any:
    return fact.writer.sample_parameter(fact.part.sends, fact.side, parameter)


def _several_values(fact: Fact) -> Iterator[Witness]:
    own, other = fact.parameters
    if own is None or other is None or fact.part.is_event:
        return
    value = _sample_parameter(fact, own)
    pair = [*value, *value, *value][:2] if isinstance(value, list) and value else value
    if isinstance(pair, list) and _allows(fact, own, pair):
        message = Message()
        message.parameters[own.location_in, own.name] = pair
        yield from fact.write(message, f"{parameter_name(other)} takes a single value")


def _allows(fact: Fact, parameter: Parameter, value: Any) -> bool:
    return fact.writer.validators.allows(
        fact.side,
        schemas_of(schema_of(parameter)),
        value,
        TRAVELS[fact.part.sends],
        text_depth=WHOLE_TEXT,
    )


def _empty_value(fact: Fact) -> Iterator[Witness]:
    own, _ = fact.parameters
    if own is not None and own.location_in is ParameterLocation.QUERY and not fact.part.is_event:
        message = Message()
        message.parameters[own.location_in, own.name] = ABSENT
        message.query = f"{own.name}="
        yield from fact.write(message, f"{parameter_name(own)} must not be empty")


def _missing_body(fact: Fact) -> Iterator[Witness]:
    yield from fact.write(Message(has_own_body=True, body=ABSENT), "the body is missing")


def _unknown_body(fact: Fact) -> Iterator[Witness]:
    if fact.part.is_event:
        yield from _missing_body(fact)
        return
    body = fact.part.old.request_body
    if body is not None and body.content:
        yield from fact.write(
            _with_body(fact, body.content[0], body.content[0].name), "a body is not described"
        )


def _with_body(fact: Fact, media: MediaType, name: str) -> Message:
    body = fact.writer.body_of(fact.part.direction, fact.side, media, None)
    return Message(has_own_body=True, body=body, media=name)


def _unknown_media_type(fact: Fact) -> Iterator[Witness]:
    """A message in a media type that only one side has."""
    own, other = fact.pick(_contents(fact.part))
    written = fact.change.old if fact.side is Side.OLD else fact.change.new
    media = next((item for item in own if item.name == written), None)
    if media is None:
        return
    name = _name_outside(media.name, other)
    if name:
        yield from fact.write(_with_body(fact, media, name), f"a body as {name} is not described")


def _contents(part: MessagePart) -> tuple[tuple[MediaType, ...], tuple[MediaType, ...]]:
    if part.responses is not None:
        return part.responses[0].content, part.responses[1].content
    old, new = part.old.request_body, part.new.request_body
    return (old.content if old is not None else (), new.content if new is not None else ())


_EXAMPLES = (
    "application/json",
    "text/plain",
    "text/csv",
    "application/octet-stream",
    "image/png",
    "audio/ogg",
)


def _name_outside(name: str, others: tuple[MediaType, ...]) -> str:
    """Return a media type, or one of its range, that others do not cover; empty if they do."""
    own = parse_media_name(name)
    names = (
        [example for example in _EXAMPLES if own.ranges_over(parse_media_name(example))]
        if own.is_range
        else [name]
    )
    known = [parse_media_name(media_type.name) for media_type in others]
    return next(
        (
            text
            for text in names
            if not any(
                other == parse_media_name(text) or other.covers(parse_media_name(text)) for other in known
            )
        ),
        "",
    )


def _removed_response_media_type(fact: Fact) -> Iterator[Witness]:
    """A request that asks for the media type; a reply in it if clients are the ones who respond."""
    if fact.part.is_event:
        yield from _unknown_media_type(fact)
        return
    message = Message(accept=str(fact.change.old))
    request = MessagePart(old=fact.part.old, new=fact.part.new, sends=fact.part.sends)
    yield fact.writer.write(request, fact.subject, message, refusal=f"no response comes as {fact.change.old}")


def _unknown_status(fact: Fact) -> Iterator[Witness]:
    """A response with a status that only one side has."""
    direction = fact.part.sends.opposite
    status = fact.change.old if direction is Direction.TO_PROVIDER else fact.change.new
    if isinstance(status, str):
        yield from fact.write(Message(status=status), f"the status {status} is not described")


def _status_out_of_range(fact: Fact) -> Iterator[Witness]:
    if fact.part.sends is Direction.TO_CONSUMER:
        listed = {response.status for response in fact.part.new.responses}
        first = str(fact.change.old)[:1]
        status = next((f"{first}0{number}" for number in range(10) if f"{first}0{number}" not in listed), "")
        if status:
            yield from fact.write(Message(status=status), f"the status {status} is not described")


def _missing_header(fact: Fact) -> Iterator[Witness]:
    own, other = fact.pick(fact.part.headers or (None, None))
    if other is None or not other.required or fact.part.responses is None:
        return
    message = Message()
    if own is not None:
        message.headers[own.name.lower()] = ABSENT
    yield from fact.write(message, f"the header {other.name} is missing")


_FACTS: Mapping[str, Callable[[Fact], Iterator[Witness]]] = {
    "param.added.required": _missing_parameter,
    "param.became-required": _missing_parameter,
    "param.became-optional": _missing_parameter,
    "webhook.header.removed": _missing_parameter,
    "param.path.added": _other_path,
    "param.location.changed": _moved_parameter,
    "param.renamed": _moved_parameter,
    "param.removed": _unknown_parameter,
    "param.array-to-scalar": _several_values,
    "param.allow-empty.off": _empty_value,
    "body.added.required": _missing_body,
    "body.became-required": _missing_body,
    "body.became-optional": _missing_body,
    "body.removed": _unknown_body,
    "body.media.removed": _unknown_media_type,
    "body.media.narrowed": _unknown_media_type,
    "body.media.widened": _unknown_media_type,
    "body.media.param.changed": _unknown_media_type,
    "response.body.removed": _missing_body,
    "response.media.removed": _removed_response_media_type,
    "response.media.narrowed": _unknown_media_type,
    "response.media.widened": _unknown_media_type,
    "response.success.removed": _unknown_status,
    "response.success.replaced": _unknown_status,
    "response.range.narrowed": _status_out_of_range,
    "response.header.became-optional": _missing_header,
    "response.header.became-required": _missing_header,
    "response.header.removed": _missing_header,
}
