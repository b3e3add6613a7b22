"""Operations and events as they stand in lists."""

from dataclasses import dataclass

from devportal.contract import Operation, Stability, Webhook
from devportal.reference.addresses import Addresses
from devportal.reference.wording import says_the_same


@dataclass(frozen=True, slots=True, kw_only=True)
class OperationItem:
    """An operation or event in a list; `name` is that of an event whose title does not say it."""

    uri: str
    method: str
    title: str
    path: str
    stability: Stability
    deprecated: bool
    name: str = ""

    @property
    def short(self) -> str:
        """The method in at most five letters, for narrow places."""
        return {"DELETE": "DEL", "OPTIONS": "OPT", "PATCH": "PTCH"}.get(self.method, self.method[:5])


def item_of(operation: Operation, addresses: Addresses) -> OperationItem:
    """Return an operation as it stands in a list."""
    return OperationItem(
        uri=addresses.operation(operation),
        method=operation.method,
        title=operation.title,
        path=operation.path,
        stability=operation.stability,
        deprecated=operation.deprecated,
    )


def event_item(webhook: Webhook, operation: Operation, addresses: Addresses) -> OperationItem:
    """Return an event as it stands in a list."""
    return OperationItem(
        uri=addresses.event(operation),
        method="EVENT",
        title=operation.title,
        path=webhook.name,
        name="" if says_the_same(operation.title, webhook.name) else webhook.name,
        stability=operation.stability,
        deprecated=operation.deprecated,
    )
