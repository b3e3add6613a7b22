"""Tests whether a deployment conforms to its contract: preflight, checks, Schemathesis, replay and reports.

Checks of a plug-in import their types from here. Each name is imported on demand, so that
`devportal.conformance.command` loads fast.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from devportal.conformance.deployment.exchange import Exchange, HttpResponse, Request
    from devportal.conformance.family import CheckDescription, CheckFailure, Family, Probe, Send
    from devportal.conformance.knowledge.subject import Subject, operation_label


__all__ = [
    "CheckDescription",
    "CheckFailure",
    "Exchange",
    "Family",
    "HttpResponse",
    "Probe",
    "Request",
    "Send",
    "Subject",
    "operation_label",
]
_MODULES = {
    "devportal.conformance.deployment.exchange": ("Exchange", "HttpResponse", "Request"),
    "devportal.conformance.family": ("CheckDescription", "CheckFailure", "Family", "Probe", "Send"),
    "devportal.conformance.knowledge.subject": ("Subject", "operation_label"),
}
_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name in _MODULE_OF:
        return getattr(import_module(_MODULE_OF[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
