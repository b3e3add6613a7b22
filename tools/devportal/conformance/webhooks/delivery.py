"""The reply of a receiver and the delivery that it got: values for the checks."""

import hashlib
from dataclasses import dataclass

from devportal.conformance.deployment.exchange import Exchange, Headers, HttpResponse, Request


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """The reply of a receiver to a delivery. Without a status it closes the connection without a response."""

    status: int | None = 200
    headers: Headers = ()
    delay_s: float = 0.0

    @property
    def is_success(self) -> bool:
        """Return whether the reply accepts the delivery."""
        return self.status is not None and 200 <= self.status < 300

    @property
    def description(self) -> str:
        """The reply in messages."""
        if self.status is None:
            return "no response in time" if self.delay_s else "a closed connection"
        return f"{self.status} after {self.delay_s:g} s" if self.delay_s else str(self.status)


@dataclass(frozen=True, slots=True, kw_only=True)
class Delivery:
    """One attempt as it came in. Times are seconds since 1970; `replied_at` is 0 until a reply is sent.

    `endpoint` is the name of the endpoint, `url` its address, `event` the name of the event (empty if it has
    none), `event_id` the identifier in its headers, `resource_id` the resource that it is about.
    """

    endpoint: str
    method: str
    url: str
    headers: Headers
    body: bytes
    arrived_at: float
    replied_at: float = 0.0
    reply: Reply
    event: str = ""
    event_id: str = ""
    resource_id: str = ""
    reading: Exchange | None = None
    """The resource as the API showed it when the delivery had arrived, if that was read."""

    @property
    def is_accepted(self) -> bool:
        """Return whether the receiver's 2xx was sent."""
        return self.reply.is_success and self.replied_at > 0

    @property
    def digest(self) -> str:
        """A digest of the body."""
        return hashlib.sha256(self.body).hexdigest()[:16]

    @property
    def exchange(self) -> Exchange:
        """The delivery as evidence: the sender's request and the receiver's response."""
        status = self.reply.status
        return Exchange(
            request=Request(method=self.method, url=self.url, headers=self.headers, body=self.body),
            answer=None if status is None else HttpResponse(status=status, headers=self.reply.headers),
            unanswered=self.reply.description if status is None else "",
            sent_at=self.arrived_at,
        )


def group_attempts(deliveries: tuple[Delivery, ...]) -> list[tuple[Delivery, ...]]:
    """Return deliveries grouped by event, each in the order of arrival: those with one identifier, or with
    the same body, are attempts of one event.
    """
    grouped: list[list[Delivery]] = []
    for delivery in sorted(deliveries, key=lambda each: each.arrived_at):
        for group in grouped:
            if any(
                (delivery.event_id and delivery.event_id == other.event_id) or delivery.body == other.body
                for other in group
            ):
                group.append(delivery)
                break
        else:
            grouped.append([delivery])
    return [tuple(group) for group in grouped]
