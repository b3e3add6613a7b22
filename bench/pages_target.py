"""The operation whose page is measured, and the words by which its page is known."""

from dataclasses import dataclass

from devportal.contract import Api, Operation
from devportal.reference.addresses import addresses_of


@dataclass(frozen=True, slots=True, kw_only=True)
class Target:
    """An operation as every tool can show it."""

    id: str
    method: str
    path: str
    tag: str
    page: str
    """The address of its page in a site of ours."""
    words: tuple[str, ...]
    """Names of its fields or parameters: who reads the page can read them."""


def target_of(api: Api, wanted: str = "") -> Target:
    """Return the operation that is wanted, or else the first with a body, or the first. Raises SystemExit."""
    chosen = next((operation for operation in api.operations if operation.id == wanted), None)
    if wanted and chosen is None:
        raise SystemExit(f"there is no operation '{wanted}'; the first is '{api.operations[0].id}'")
    operation = chosen or next(
        (operation for operation in api.operations if _words(operation)), api.operations[0]
    )
    uri = addresses_of(api, overview="index.md").operation(operation)
    return Target(
        id=operation.id,
        method=operation.method.upper(),
        path=operation.path,
        tag=operation.tags[0] if operation.tags else "",
        page=f"{uri.removesuffix('.md')}/",
        words=_words(operation) or (operation.path,),
    )


def _words(operation: Operation) -> tuple[str, ...]:
    """Return the names of the first fields of the body of an operation, or else of its parameters."""
    body = operation.request_body
    schema = body.content[0].schema if body is not None and body.content else None
    fields = tuple(property_.name for property_ in schema.properties) if schema is not None else ()
    return fields[:3] or tuple(parameter.name for parameter in operation.parameters)[:3]
