"""Each sample of an operation has its own idempotency key."""

import pytest

from devportal.reference.samples.sample_requests import sample_requests
from tests.contract.inline import api

CONTRACT = """\
paths:
  /orders:
    post:
      parameters: [{name: Idempotency-Key, in: header, required: true, schema: SCHEMA}]
      requestBody:
        content:
          application/json:
            schema: {type: object}
            examples: {one: {value: {a: 1}}, other: {value: {a: 2}}, third: {value: {a: 3}}}
      responses: {'201': {description: Created}}
"""


@pytest.mark.parametrize(
    ("schema", "keys"),
    [
        ("{type: string, examples: [key_9]}", ["key_9", "key_0", "key_1"]),
        ("{type: string, examples: [a-0098]}", ["a-0098", "a-0099", "a-0100"]),
        ("{type: string, enum: [k1, k2]}", ["k1", "k2", "k1"]),
        ("{type: string, examples: [key]}", ["key"] * 3),
    ],
)
def test_keys_count_on(schema: str, keys: list[str]) -> None:
    """As far as the contract allows them."""
    found = api(CONTRACT.replace("SCHEMA", schema))

    requests = sample_requests(found, found.operations[0])

    sent = [dict(named.request.headers)["Idempotency-Key"] for named in requests]
    assert sent == [(key,) for key in keys]
