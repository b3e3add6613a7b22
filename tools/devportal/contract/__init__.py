"""An OpenAPI file as a model. After this package nobody reads the raw document.

What reads and checks files is imported on demand: the processes that run Schemathesis need only the model.
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any

from devportal.contract.model import (
    Api,
    Callback,
    CodeSample,
    Encoding,
    Example,
    Group,
    Header,
    Link,
    MediaType,
    MockHint,
    OAuthFlow,
    Operation,
    Parameter,
    ParameterLocation,
    ProblemType,
    RequestBody,
    RequiredScheme,
    Requirement,
    Response,
    SecurityScheme,
    Server,
    ServerVariable,
    Tag,
    TagGroup,
    Webhook,
)
from devportal.contract.operation_names import LinkTargets
from devportal.contract.schemas import (
    ABSENT,
    Absent,
    Constraint,
    Discriminator,
    ExternalDocs,
    Grounds,
    Location,
    Property,
    Schema,
    Stability,
    Xml,
)
from devportal.contract.state_machine import StateMachine, Transition
from devportal.contract.texts import ContractUnit, ContractUnits, changed_descriptions, unit_of

if TYPE_CHECKING:
    from devportal.contract.load import Contract, load_contract, read_contract
    from devportal.contract.validate.check import check_contract

__all__ = [
    "ABSENT",
    "Absent",
    "Api",
    "Callback",
    "CodeSample",
    "Constraint",
    "Contract",
    "ContractUnit",
    "ContractUnits",
    "Discriminator",
    "Encoding",
    "Example",
    "ExternalDocs",
    "Grounds",
    "Group",
    "Header",
    "Link",
    "LinkTargets",
    "Location",
    "MediaType",
    "MockHint",
    "OAuthFlow",
    "Operation",
    "Parameter",
    "ParameterLocation",
    "ProblemType",
    "Property",
    "RequestBody",
    "RequiredScheme",
    "Requirement",
    "Response",
    "Schema",
    "SecurityScheme",
    "Server",
    "ServerVariable",
    "Stability",
    "StateMachine",
    "Tag",
    "TagGroup",
    "Transition",
    "Webhook",
    "Xml",
    "changed_descriptions",
    "check_contract",
    "load_contract",
    "read_contract",
    "unit_of",
]
_ON_DEMAND = {
    "Contract": "devportal.contract.load",
    "load_contract": "devportal.contract.load",
    "read_contract": "devportal.contract.load",
    "check_contract": "devportal.contract.validate.check",
}
"""The module of each name that is imported when it is first used."""


def __getattr__(name: str) -> Any:
    if name in _ON_DEMAND:
        return getattr(import_module(_ON_DEMAND[name]), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
