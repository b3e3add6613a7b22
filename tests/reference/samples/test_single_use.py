"""Parameters that a sample does not send by default, as their values are valid once."""

from dataclasses import replace

import pytest

from devportal.contract import ParameterLocation
from devportal.reference.samples.single_use import is_single_use
from tests.reference.reading import api_from

_PARAMETER = (
    api_from(
        {
            "paths": {
                "/a": {
                    "get": {
                        "operationId": "a",
                        "parameters": [{"name": "x", "in": "header", "schema": {"type": "string"}}],
                        "responses": {},
                    }
                }
            }
        }
    )
    .operations[0]
    .parameters[0]
)


@pytest.mark.parametrize(
    "name",
    [
        *("Idempotency-Key", "Idempotence-Key", "X-Idempotency-Key", "idempotencyKey", "X-Request-Token"),
        *("X-Request-ID", "X-Correlation-Id", "X-Trace-Id", "x-b3-traceid", "traceparent", "Last-Event-ID"),
        *("If-Match", "If-None-Match", "If-Modified-Since", "X-CSRF-Token", "X-Client-Token", "Nonce"),
        *("X-Signature", "X-Timestamp"),
    ],
)
def test_some_headers_are_used_once(name: str) -> None:
    """Keys of one request, its trace, its signature, and conditions on an earlier response."""
    assert is_single_use(replace(_PARAMETER, name=name))


@pytest.mark.parametrize(
    "name",
    [
        *("cursor", "pageCursor", "next_cursor", "page_token", "nextPageToken", "continuation-token"),
        *("starting_after", "endingBefore", "clientToken", "sync_token"),
    ],
)
def test_some_query_parameters_are_used_once(name: str) -> None:
    """Places in an earlier list."""
    assert is_single_use(replace(_PARAMETER, name=name, location_in=ParameterLocation.QUERY))


@pytest.mark.parametrize(
    "name", ["page", "limit", "request_id", "event_id", "token_type", "next", "timestamp", "if", "customer"]
)
def test_other_query_parameters_are_used_again(name: str) -> None:
    """A filter by an identifier is valid as often as one likes."""
    assert not is_single_use(replace(_PARAMETER, name=name, location_in=ParameterLocation.QUERY))


@pytest.mark.parametrize("name", ["Accept-Language", "X-Api-Version", "Prefer", "X-Tenant-Id", "X-Client-Id"])
def test_other_headers_are_used_again(name: str) -> None:
    """Their examples hold for each request."""
    assert not is_single_use(replace(_PARAMETER, name=name))
