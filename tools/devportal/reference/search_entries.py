"""What search knows of each kind of page of the reference."""

from devportal.contract import Api, Operation, Webhook
from devportal.pages import SearchEntry, plain_text


def operation_entry(api: Api, operation: Operation) -> SearchEntry:
    """Return the entry of an operation's page."""
    return SearchEntry(
        title=operation.title,
        text=_words(api, operation),
        tags=(f"{operation.method} {operation.path}",),
    )


def event_entry(api: Api, webhook: Webhook, operation: Operation) -> SearchEntry:
    """Return the entry of the page of a request that the provider sends."""
    return SearchEntry(
        title=operation.title,
        text=f"{webhook.name} {_words(api, operation)}",
        tags=(webhook.name,),
    )


def _words(api: Api, operation: Operation) -> str:
    """Return what search knows of an operation: method, path, id, description, names of its fields."""
    contents = [operation.request_body.content] if operation.request_body else []
    contents += [response.content for response in operation.successes]
    names = [parameter.name for parameter in operation.parameters]
    for content in contents:
        for media in content:
            if media.schema is not None:
                names += [one.name for one in api.resolve(media.schema).properties]
    words = (
        operation.method,
        operation.path,
        operation.id if operation.id_is_declared else "",
        plain_text(operation.description, limit=160),
        *dict.fromkeys(names[:60]),
    )
    return " ".join(word for word in words if word)
