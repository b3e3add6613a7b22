"""The part of a message that a change was found in, so that a message with the change can be written."""

from dataclasses import dataclass, replace

from devportal.contract import Header, MediaType, Operation, Parameter, Response
from devportal.differ.rule import Direction


@dataclass(frozen=True, slots=True, kw_only=True)
class MessagePart:
    """A part of the messages of an operation or event in both contracts.

    `sends` is the direction of the request. Without `responses`, the part is one of the request. Each pair
    has the old and the new definition; one of them is None if only one contract has the part.
    """

    old: Operation
    new: Operation
    sends: Direction
    parameters: tuple[Parameter | None, Parameter | None] | None = None
    responses: tuple[Response, Response] | None = None
    headers: tuple[Header | None, Header | None] | None = None
    media: tuple[MediaType, MediaType] | None = None
    new_event: str = ""
    """What an event is called in the new contract, which is the one that sends it."""
    is_item: bool = False
    """Whether the part is an item of a body that is a sequence (`itemSchema`, OAS 3.2)."""

    @property
    def direction(self) -> Direction:
        """Return the direction in which the message travels."""
        return self.sends if self.responses is None else self.sends.opposite

    @property
    def is_event(self) -> bool:
        """Say whether the provider sends the request: a webhook, or a callback."""
        return self.sends is Direction.TO_CONSUMER

    def of_parameter(self, old: Parameter | None, new: Parameter | None) -> "MessagePart":
        """Return the part for a parameter of the request."""
        return replace(self, parameters=(old, new))

    def of_response(self, old: Response, new: Response) -> "MessagePart":
        """Return the part for the responses with one status."""
        return replace(self, responses=(old, new))

    def of_header(self, old: Header | None, new: Header | None) -> "MessagePart":
        """Return the part for a header of a response, or of a part of the body."""
        return replace(self, headers=(old, new))

    def of_media(self, old: MediaType, new: MediaType) -> "MessagePart":
        """Return the part for the body in one media type."""
        return replace(self, media=(old, new))
