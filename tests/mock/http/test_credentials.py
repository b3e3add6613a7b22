"""The credentials that a mock accepts."""

from typing import Any

import pytest

from devportal.mock.http.credentials import Grant
from devportal.mock.startup import sample_call, scheme_lines
from tests.contract.inline import api
from tests.mock.contracts import Client

KEY = """
paths:
  /things:
    get:
      operationId: listThings
      security: [{key: []}]
      responses:
        '200': {description: Things}
        '401': {description: No key}
components:
  securitySchemes:
    key: {type: apiKey, in: header, name: Authorization, description: Required prefix `Token`}
""".lstrip()


def test_key_may_have_the_word_that_its_description_asks_for() -> None:
    """Clients send it; what `--token` takes works too, and no other word does."""
    grant = Grant(token="k1")
    contract = api(KEY)
    client = Client(contract, grants=(grant,))

    status = {
        value: client.call("GET", "/things", token=None, Authorization=value).status
        for value in ("Token k1", "token k1", "k1", "Bearer k1", "Token k2", "Token")
    }

    assert status == {
        "Token k1": 200,
        "token k1": 200,
        "k1": 200,
        "Bearer k1": 401,
        "Token k2": 401,
        "Token": 401,
    }
    assert "Authorization: Token k1" in sample_call(contract, "http://x", "", (grant,))
    assert [*scheme_lines(contract, (grant,))] == ["  key: header Authorization=Token k1"]


@pytest.mark.parametrize(("header", "accepted"), [("Authorization", ["k1", "Bearer k1"]), ("X-Key", ["k1"])])
def test_key_in_authorization_may_be_a_bearer_token(header: str, accepted: list[str]) -> None:
    """Contracts that do not say so mean it; the key alone is what they declare."""
    contract = api(KEY.replace("Authorization, description: Required prefix `Token`", header))
    client = Client(contract, grants=(Grant(token="k1"),))

    def status(value: str) -> int:
        headers: dict[str, Any] = {header: value}
        return client.call("GET", "/things", token=None, **headers).status

    statuses = {value: status(value) for value in ("k1", "Bearer k1", "Token k1", "Bearer k2")}

    assert [value for value, number in statuses.items() if number == 200] == accepted
