"""The insert `contract-extensions`: what a contract can say beyond OpenAPI, and what comes of it."""

from devportal.contract import Api
from devportal.contract.extensions import EXTENSIONS, Extension
from devportal.manual.definitions import Definition, definition_list, no_arguments, prose
from devportal.pages import code_span
from devportal.pages.inserts import Wrong


def contract_extensions(_: Api, arguments: tuple[str, ...]) -> str | Wrong:
    """Return every extension that is read, where it may stand, and its effect."""
    wrong = no_arguments("contract-extensions", arguments)
    return wrong if wrong is not None else definition_list(map(_definition, EXTENSIONS))


def _definition(extension: Extension) -> Definition:
    first, *others = extension.names
    return Definition(
        term=first,
        anchor=first,
        text=extension.effect,
        facts=(
            f"At: {prose(extension.where)}.",
            *((f"Also {', '.join(map(code_span, others))}.",) if others else ()),
        ),
    )
