"""The files that consoles fetch: one for each operation, beside its page, and shared schemas for all."""

import posixpath
from collections.abc import Callable, Iterable, Iterator
from dataclasses import replace

from devportal.contract import Api, Operation, Schema
from devportal.contract.validate.json_schema import Direction
from devportal.markup import Artefact, href, url_of
from devportal.reference.addresses import addresses_of, has_authentication
from devportal.reference.console.operations import OperationData, TokenHelp, request_schemas, response_schemas
from devportal.reference.console.schemas import SharedSchemas, compact_json
from devportal.reference.samples import LANGUAGES
from devportal.reference.samples.javascript import language_modules

NO_TOKEN_HELP = TokenHelp()
CONSOLE_FILE_NAME = "console.json"
"""What the file of an operation is called; it is in the folder of the operation's page."""
SCRIPT = "assets/devportal/console.js"
"""The module of the button; it loads the others."""


def console_address(page: str) -> str:
    """Return the address of the file of an operation as seen from its page."""
    return href(page, _console_file_uri(page))


def _console_file_uri(page: str) -> str:
    return f"{page.removesuffix('.md')}/{CONSOLE_FILE_NAME}"


def console_files(
    api: Api,
    *,
    folder: str = "reference",
    overview: str = "reference/index.md",
    token_help: TokenHelp = NO_TOKEN_HELP,
) -> Iterator[Artefact]:
    """Yield the files for the pages of a contract below `folder`.

    Without a page of its own in `token_help`, readers are sent to the page of authentication.
    """
    addresses = addresses_of(api, folder=folder, overview=overview)
    sent = SharedSchemas(api, Direction.REQUEST, _operation_schemas(api, request_schemas))
    received = SharedSchemas(api, Direction.RESPONSE, _operation_schemas(api, response_schemas))
    shared = {"sent": sent, "received": received}
    for name, schemas in shared.items():
        for chunk in schemas.chunks():
            uri = f"{folder}/console/{name}-{chunk.number}.json"
            yield Artefact(uri=uri, content=chunk.content.encode("utf-8", "replace"))
    page = token_help.page or (url_of(addresses.authentication) if has_authentication(api) else "")
    data = OperationData(api=api, sent=sent, received=received, token_help=replace(token_help, page=page))
    for operation in api.operations:
        uri = _console_file_uri(addresses.operation(operation))
        to_shared = posixpath.relpath(f"{folder}/console", posixpath.dirname(uri))
        made = data.of(operation) | {"shared": to_shared}
        content = f"{compact_json(made)}\n".encode("utf-8", "replace")
        yield Artefact(uri=uri, content=content)


def language_files(folder: str = SCRIPT.removesuffix(".js")) -> Iterator[Artefact]:
    """Yield the modules of the languages that consoles write code in; `folder` has the other modules."""
    for name, content in language_modules(LANGUAGES).items():
        yield Artefact(uri=f"{folder}/languages/{name}.js", content=content.encode())


def _operation_schemas(api: Api, schemas_of: Callable[[Operation], Iterable[Schema]]) -> list[Schema]:
    """Return the schemas of all operations, each once."""
    return list({id(one): one for operation in api.operations for one in schemas_of(operation)}.values())
