"""Every rule there is, whatever it looks at."""

from functools import lru_cache
from typing import Any

from devportal.differ.rule import Rule
from devportal.differ.rules.components import COMPONENT_RULES
from devportal.differ.rules.document import DOCUMENT_RULES
from devportal.differ.rules.events import CALLBACK_RULES, EVENT_RULES, WEBHOOK_RULES
from devportal.differ.rules.lifecycle import LIFE_RULES, REMOVAL_RULES
from devportal.differ.rules.operations import FATE_RULES, OPERATION_RULES
from devportal.differ.rules.schemas import SCHEMA_RULES
from devportal.differ.rules.security import GLOBAL_RULES, SCHEME_RULES, SECURITY_RULES
from devportal.differ.rules.servers import OPERATION_SERVER_RULES, SERVER_RULES
from devportal.differ.rules.versions import VERSION_RULES

EVERY_RULE: tuple[Rule[Any], ...] = (
    *DOCUMENT_RULES,
    *VERSION_RULES,
    *COMPONENT_RULES,
    *SERVER_RULES,
    *OPERATION_SERVER_RULES,
    *FATE_RULES,
    *OPERATION_RULES,
    *SCHEMA_RULES,
    *SECURITY_RULES,
    *GLOBAL_RULES,
    *SCHEME_RULES,
    *WEBHOOK_RULES,
    *CALLBACK_RULES,
    *EVENT_RULES,
    *LIFE_RULES,
    *REMOVAL_RULES,
)


@lru_cache(maxsize=1)
def rule_ids() -> frozenset[str]:
    """Return the id of every rule."""
    return frozenset(rule.id for rule in EVERY_RULE)
