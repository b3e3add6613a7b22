"""For plain Schemathesis runs: what a contract cannot say of valid requests is mended before they are sent.

With this, 422 on valid data stays a failure.
"""

import uuid
from typing import Any

import schemathesis

OWN_NUMBER = "+12025550140"
RECEIVER = "http://127.0.0.1:9/webhooks"
ENDPOINT_PATHS = ("/v1/webhook-endpoints", "/v1/webhook-endpoints/{webhook_endpoint_id}")


@schemathesis.hook
def before_call(
    context: schemathesis.HookContext, case: schemathesis.Case[Any], kwargs: dict[str, object]
) -> None:
    """Mend a request that is valid in all its parts."""
    del context, kwargs
    if case.meta is None or not case.meta.generation.mode.is_positive:
        return
    _renew_key(case)
    _start_at_first_page(case)
    _call_from_own_number(case)
    _leave_out_parts_of_other_channels(case)
    _send_webhooks_to_this_machine(case)


def _renew_key(case: schemathesis.Case[Any]) -> None:
    """Take a new idempotency key: one must not be used for two different bodies, and values are repeated."""
    if case.headers is not None and "Idempotency-Key" in case.headers:
        case.headers["Idempotency-Key"] = str(uuid.uuid4())


def _start_at_first_page(case: schemathesis.Case[Any]) -> None:
    """Leave the cursor out: it is valid only where the page before has given it."""
    if case.query is not None:
        case.query.pop("cursor", None)


def _call_from_own_number(case: schemathesis.Case[Any]) -> None:
    """Call from a number of the account: from any other it is a conflict, and no call would start."""
    if case.operation.label == "POST /v1/calls" and isinstance(case.body, dict):
        case.body["from"] = OWN_NUMBER


def _leave_out_parts_of_other_channels(case: schemathesis.Case[Any]) -> None:
    """Send media with MMS only, and RCS content with RCS only."""
    if case.operation.label == "POST /v1/messages" and isinstance(case.body, dict):
        for part, channel in (("media", "mms"), ("rcs", "rcs")):
            if case.body.get("channel") != channel:
                case.body.pop(part, None)


def _send_webhooks_to_this_machine(case: schemathesis.Case[Any]) -> None:
    """Let webhooks go to where the sandbox may send them: any other address is refused."""
    of_endpoint = case.operation.label.endswith(ENDPOINT_PATHS)
    if of_endpoint and isinstance(case.body, dict) and "url" in case.body:
        case.body["url"] = RECEIVER
