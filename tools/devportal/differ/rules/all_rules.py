"""Every rule there is, whatever it looks at."""

from functools import lru_cache
from typing import Any

from devportal.differ.rule import Rule
from devportal.differ.rules.bodies import BODY_RULES
from devportal.differ.rules.body_media import BODY_CONTENT_RULES, BODY_MEDIA_RULES
from devportal.differ.rules.components import COMPONENT_RULES, UNUSED_RULES
from devportal.differ.rules.document import DOCUMENT_RULES
from devportal.differ.rules.encodings import ENCODING_RULES
from devportal.differ.rules.event_headers import EVENT_HEADER_RULES
from devportal.differ.rules.events import CALLBACK_RULES, EVENT_REQUEST_RULES, EVENT_RULES, WEBHOOK_RULES
from devportal.differ.rules.headers import (
    PART_HEADER_RULES,
    RESPONSE_HEADER_REMOVED,
    RESPONSE_HEADER_RULES,
)
from devportal.differ.rules.lifecycle import LIFECYCLE_RULES
from devportal.differ.rules.links import LINK_RULES
from devportal.differ.rules.operation_changes import OPERATION_CHANGE_RULES
from devportal.differ.rules.operations import OPERATION_RULES
from devportal.differ.rules.parameter_forms import PARAMETER_RULES
from devportal.differ.rules.parameter_values import PARAMETER_VALUE_RULES
from devportal.differ.rules.parameters import PARAMETER_CHANGE_RULES
from devportal.differ.rules.removals import REMOVAL_RULES
from devportal.differ.rules.response_media import RESPONSE_CONTENT_RULES, RESPONSE_MEDIA_RULES
from devportal.differ.rules.responses import RESPONSE_RULES
from devportal.differ.rules.schemas import SCHEMA_RULES
from devportal.differ.rules.security import GLOBAL_RULES, SECURITY_RULES
from devportal.differ.rules.security_schemes import SCHEME_RULES
from devportal.differ.rules.servers import OPERATION_SERVER_RULES, SERVER_RULES
from devportal.differ.rules.statuses import STATUS_RULES
from devportal.differ.rules.versions import VERSION_RULES

_TRIED: tuple[Rule[Any], ...] = (
    *DOCUMENT_RULES,
    *VERSION_RULES,
    *COMPONENT_RULES,
    *UNUSED_RULES,
    *SERVER_RULES,
    *OPERATION_SERVER_RULES,
    *OPERATION_CHANGE_RULES,
    *OPERATION_RULES,
    *PARAMETER_CHANGE_RULES,
    *PARAMETER_RULES,
    *PARAMETER_VALUE_RULES,
    *BODY_RULES,
    *BODY_CONTENT_RULES,
    *BODY_MEDIA_RULES,
    *ENCODING_RULES,
    *PART_HEADER_RULES,
    *STATUS_RULES,
    *RESPONSE_RULES,
    *RESPONSE_CONTENT_RULES,
    *RESPONSE_MEDIA_RULES,
    *RESPONSE_HEADER_RULES,
    *RESPONSE_HEADER_REMOVED,
    *LINK_RULES,
    *SCHEMA_RULES,
    *SECURITY_RULES,
    *GLOBAL_RULES,
    *SCHEME_RULES,
    *WEBHOOK_RULES,
    *CALLBACK_RULES,
    *EVENT_RULES,
    *EVENT_REQUEST_RULES,
    *EVENT_HEADER_RULES,
    *LIFECYCLE_RULES,
    *REMOVAL_RULES,
)
EVERY_RULE: tuple[Rule[Any], ...] = tuple({rule.id: rule for rule in _TRIED}.values())
"""Each rule once: some are tried in several places."""


@lru_cache(maxsize=1)
def rule_ids() -> frozenset[str]:
    """Return the id of every rule."""
    return frozenset(rule.id for rule in EVERY_RULE)


RETIRED_RULES = {
    "schema.property.renamed": "`schema.property.removed.optional`, `schema.property.removed.required` and "
    "`schema.property.removed`",
    "param.renamed": "`param.removed`",
}
"""The ids of rules that are no more, and the rules that judge the same changes now."""
