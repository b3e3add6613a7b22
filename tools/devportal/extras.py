"""The extras of the distribution: what is heavy and not needed by all, and what to do if it is missing.

`pip install devportal` leaves these packages out. What uses one asks `require_extra` first, so that a user
reads which extra to install instead of a traceback. `pyproject.toml` lists the same packages (decision 0047).
"""

from collections.abc import Mapping
from enum import StrEnum
from importlib.util import find_spec
from types import MappingProxyType

from devportal.errors import MissingExtra


class Extra(StrEnum):
    """The extras, by the names that `pip install 'devportal[...]'` takes."""

    CONFORMANCE = "conformance"
    MCP = "mcp"
    MOCK = "mock"
    PDF = "pdf"
    RATES = "rates"
    VALIDATE = "validate"


PACKAGES_BY_EXTRA: Mapping[Extra, Mapping[str, str]] = MappingProxyType(
    {
        Extra.CONFORMANCE: {
            "certifi": "certifi",
            "cryptography": "cryptography",
            "httpx": "httpx",
            "schemathesis": "schemathesis",
        },
        Extra.MCP: {"mcp": "mcp"},
        Extra.MOCK: {"httptools": "httptools", "starlette": "starlette", "uvicorn": "uvicorn"},
        Extra.PDF: {"fpdf": "fpdf2"},
        Extra.RATES: {"ahocorasick_rs": "ahocorasick-rs", "PIL": "pillow"},
        Extra.VALIDATE: {
            "jsonschema_path": "jsonschema-path",
            "openapi_spec_validator": "openapi-spec-validator",
        },
    }
)
"""The distributions of each extra, by the module that is imported from each."""


def missing_packages(extra: Extra) -> tuple[str, ...]:
    """Return the distributions of an extra that are not installed. Nothing is imported for that."""
    return tuple(name for module, name in PACKAGES_BY_EXTRA[extra].items() if find_spec(module) is None)


def require_extra(extra: Extra, *, needed_by: str) -> None:
    """Raise MissingExtra, in the name of what needs it, unless the packages of an extra are installed."""
    missing = missing_packages(extra)
    if missing:
        raise MissingExtra(f"{needed_by} needs {', '.join(missing)}: run pip install 'devportal[{extra}]'")
