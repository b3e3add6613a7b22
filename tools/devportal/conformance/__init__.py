"""A deployment against the contract: preflight, Schemathesis, checks, replay, verdict, reports.

What the checks of a plug-in are written with can be imported from here. Each name is imported on demand, so
that `devportal.conformance.command` loads fast.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from devportal.conformance.exchange import Answer, Exchange, Request
    from devportal.conformance.family import Family, Fault, Probe, Send, Words
    from devportal.conformance.subject import Subject, label

__all__ = [
    "Answer",
    "Exchange",
    "Family",
    "Fault",
    "Probe",
    "Request",
    "Send",
    "Subject",
    "Words",
    "label",
]
_MODULES = {
    "devportal.conformance.exchange": ("Answer", "Exchange", "Request"),
    "devportal.conformance.family": ("Family", "Fault", "Probe", "Send", "Words"),
    "devportal.conformance.subject": ("Subject", "label"),
}
_MODULE_OF = {name: module for module, names in _MODULES.items() for name in names}


def __getattr__(name: str) -> Any:
    if name in _MODULE_OF:
        return getattr(import_module(_MODULE_OF[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
