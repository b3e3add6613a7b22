"""The contract as reference pages: operations, groups, events, errors, schemas, code samples."""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from devportal.reference.pages.pages import operation_uris, reference_pages

__all__ = ["operation_uris", "reference_pages"]


# The page renderer is imported on first use: many callers need only other modules, such as addresses.
def __getattr__(name: str) -> Any:
    if name in __all__:
        return getattr(import_module("devportal.reference.pages.pages"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
