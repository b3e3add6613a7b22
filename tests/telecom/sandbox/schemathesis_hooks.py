"""For plain Schemathesis runs: a new idempotency key for each valid request that has one.

A contract cannot say that a key must not be used for two different bodies, and Schemathesis uses one value
for many, which the API rightly refuses with 422. With this, 422 on valid data stays a failure.
"""

import uuid
from typing import Any

import schemathesis


@schemathesis.hook
def before_call(
    context: schemathesis.HookContext, case: schemathesis.Case[Any], kwargs: dict[str, object]
) -> None:
    """Replace the key of a request that is valid in all its parts."""
    del context, kwargs
    is_valid = case.meta is not None and case.meta.generation.mode.is_positive
    if is_valid and case.headers is not None and "Idempotency-Key" in case.headers:
        case.headers["Idempotency-Key"] = str(uuid.uuid4())
