"""All faults, each once, and which of them no check finds yet."""

from collections.abc import Mapping

from tests.apps.faults import (
    answers,
    changed,
    compliance,
    created,
    credentials,
    identifiers,
    inputs,
    messaging,
    pacing,
    pages,
    problems,
    quotas,
    repeated,
    states,
    telecom,
)
from tests.apps.faults.proxy import Fault

FAULTS: tuple[Fault, ...] = (
    *answers.FAULTS,
    *problems.FAULTS,
    *credentials.FAULTS,
    *identifiers.FAULTS,
    *created.FAULTS,
    *changed.FAULTS,
    *repeated.FAULTS,
    *states.FAULTS,
    *pages.FAULTS,
    *inputs.FAULTS,
    *messaging.FAULTS,
    *quotas.FAULTS,
    *pacing.FAULTS,
    *telecom.FAULTS,
    *compliance.FAULTS,
)

UNCAUGHT: Mapping[str, str] = {
    "keys-without-regard-to-case": "what makes keys unique is the owner's to say (draft-07 §2.2)",
}
"""The faults that no check finds yet, and why not."""
