"""The files that consoles fetch: one for each operation, beside its page, and shared schemas for all."""

import posixpath
from collections.abc import Callable, Iterable, Iterator

from devportal.contract import Api, Operation, Schema
from devportal.contract.validate.json_schema import Direction
from devportal.language import direction_of
from devportal.markup import Artefact, href, url_of
from devportal.project.settings import Settings
from devportal.reference.addresses import has_authentication
from devportal.reference.console.operations import OperationData, request_schemas, response_schemas
from devportal.reference.console.schemas import SharedSchemas, compact_json
from devportal.reference.reference import reference_of
from devportal.reference.samples import languages_named
from devportal.reference.samples.javascript import language_modules
from devportal.translation import current_interface, gettext_html

CONSOLE_FILE_NAME = "console.json"
"""What the file of an operation is called; it is in the folder of the operation's page."""
SCRIPT = "assets/devportal/console.js"
"""The module of the button; it loads the others."""

_SIGNED_IN = """<!doctype html>
<html lang="{language}" dir="{direction}">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="robots" content="noindex">
<meta name="referrer" content="no-referrer">
<title>{title}</title>
<script src="signed-in.js"></script>
<p>{words}</p>
</html>
"""
"""The page that a server of OAuth 2 sends readers back to, in a separate window."""


def console_address(page: str) -> str:
    """Return the address of the file of an operation as seen from its page."""
    return href(page, _console_file_uri(page))


def _console_file_uri(page: str) -> str:
    return f"{page.removesuffix('.md')}/{CONSOLE_FILE_NAME}"


def console_files(api: Api, settings: Settings = Settings()) -> Iterator[Artefact]:
    """Yield the files for the pages of a contract.

    Without a page of the settings about tokens, readers are sent to that of authentication.
    """
    folder = settings.reference_folder
    reference = reference_of(api, settings)
    sent = SharedSchemas(api, Direction.REQUEST, _operation_schemas(api, request_schemas))
    received = SharedSchemas(api, Direction.RESPONSE, _operation_schemas(api, response_schemas))
    shared = {"sent": sent, "received": received}
    for name, schemas in shared.items():
        for chunk in schemas.chunks():
            uri = f"{folder}/console/{name}-{chunk.number}.json"
            yield Artefact(uri=uri, content=chunk.content.encode("utf-8", "replace"))
    problems = {type_uri: url_of(page) for type_uri, page in reference.addresses.problems.items()}
    if problems:
        yield Artefact(uri=f"{folder}/console/problems.json", content=f"{compact_json(problems)}\n".encode())
    authentication = url_of(reference.addresses.authentication) if has_authentication(api) else ""
    token = {"page": settings.token_page or authentication, "sandbox": settings.sandbox_token}
    token = {name: text for name, text in token.items() if text}
    data = OperationData(reference=reference, token=token, sent=sent, received=received)
    for operation in api.operations:
        uri = _console_file_uri(reference.addresses.operation(operation))
        to_shared = posixpath.relpath(f"{folder}/console", posixpath.dirname(uri))
        made = data.of(operation) | {"shared": to_shared}
        content = f"{compact_json(made)}\n".encode("utf-8", "replace")
        yield Artefact(uri=uri, content=content)


def signed_in_page() -> Artefact:
    """Return the page that ends a sign-in; its script hands the result to the console."""
    language = current_interface().language
    page = _SIGNED_IN.format(
        language=language,
        direction=direction_of(language),
        title=gettext_html("Signed in"),
        words=gettext_html("You can close this window and return to the portal."),
    ).replace(' dir="ltr"', "")
    return Artefact(uri=f"{SCRIPT.removesuffix('.js')}/signed-in.html", content=page.encode())


def language_files(
    settings: Settings = Settings(), *, folder: str = SCRIPT.removesuffix(".js")
) -> Iterator[Artefact]:
    """Yield the modules of the languages that consoles write code in; `folder` has the other modules."""
    for name, content in language_modules(languages_named(settings.sample_languages)).items():
        yield Artefact(uri=f"{folder}/languages/{name}.js", content=content.encode())


def _operation_schemas(api: Api, schemas_of: Callable[[Operation], Iterable[Schema]]) -> list[Schema]:
    """Return the schemas of all operations, each once."""
    return list(
        {id(schema): schema for operation in api.operations for schema in schemas_of(operation)}.values()
    )
