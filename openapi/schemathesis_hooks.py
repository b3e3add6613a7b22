"""For plain Schemathesis runs: what the contract does not say of requests is mended before they are sent.

With this, 422 on valid data stays a failure.
"""

import uuid
from typing import Any

import schemathesis


@schemathesis.hook
def before_call(
    context: schemathesis.HookContext, case: schemathesis.Case[Any], kwargs: dict[str, object]
) -> None:
    """Mend a request that is valid in all its parts."""
    del context, kwargs
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    _renew_key(case)
    _leave_out_parts_of_other_channels(case)


def _renew_key(case: schemathesis.Case[Any]) -> None:
    """Take a new idempotency key: one must not be used for two different bodies, and values are repeated."""
    if case.headers is not None and "Idempotency-Key" in case.headers:
        case.headers["Idempotency-Key"] = str(uuid.uuid4())


def _leave_out_parts_of_other_channels(case: schemathesis.Case[Any]) -> None:
    """Send media with MMS only, and RCS content with RCS only."""
    if case.operation.label == "POST /v1/messages" and isinstance(case.body, dict):
        for part, channel in (("media", "mms"), ("rcs", "rcs")):
            if case.body.get("channel") != channel:
                case.body.pop(part, None)
