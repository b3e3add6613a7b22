"""The words by which subscriptions and the addresses of receivers are known, in names and paths."""

from devportal.contract import Operation
from devportal.contract.wording import name_words

RECEIVER_WORDS = frozenset(
    {"callback", "callbacks", "hook", "listener", "notification", "notify", "postback"}
    | {"subscriber", "webhook"}
)
"""Words for a receiver, in names of members and parameters."""
URL_WORDS = frozenset(["address", "destination", "endpoint", "href", "link", "sink", "target", "uri", "url"])
"""Words for an address of any kind."""
URL_FORMATS = frozenset({"uri", "url", "uri-reference", "iri"})
SUBSCRIPTION_WORDS = frozenset(
    {"callback", "callbacks", "hook", "hooks", "listener", "listeners", "subscriber"}
    | {"subscribers", "subscription", "subscriptions", "webhook", "webhooks"}
)
"""Words for subscriptions, in paths, tags and names of operations."""
SECRET_NAMES = ("secret", "signing_secret", "webhook_secret", "signing_key", "shared_secret", "key")
"""Members of the response to a subscription that hold the secret that signs."""
EVENT_ID_NAMES = ("event_id", "id", "delivery_id", "notification_id")
"""Members of a payload that hold the identifier of the event."""


def is_subscription(operation: Operation) -> bool:
    """Return whether the path, a tag or the name of an operation is about subscriptions."""
    fixed = [part for part in operation.path.split("/") if part and "{" not in part]
    named = (*fixed[-1:], *operation.tags, operation.id if operation.id_is_declared else "")
    return any(SUBSCRIPTION_WORDS & set(name_words(text)) for text in named)
