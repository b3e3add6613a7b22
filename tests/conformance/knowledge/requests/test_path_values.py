"""The identifiers of existing resources in paths."""

import pytest

from devportal.conformance.knowledge.requests.path_values import known_path_value
from tests.reference.reading import api_from

KNOWN = {"/v1/devices/{id}": "dev_1", "/v1/users/{user_id}": "usr_1", "/v1/groups/{id}/posts/{post_id}": "7"}


@pytest.mark.parametrize(
    ("path", "value"),
    [
        ("/v1/devices/{id}", "dev_1"),
        ("/v1/devices/{id}/readings", "dev_1"),
        ("/v1/groups/{group_id}/devices/{id}", "dev_1"),
        ("/v1/groups/{group_id}/sensors/{device_id}", "dev_1"),
        ("/v1/groups/{group_id}/members/{memberUserId}", "usr_1"),
        ("/v1/groups/{id}/posts/{post_id}", "7"),
        ("/v1/groups/{group_id}/colours/{id}", None),
        ("/v1/users/{id}/friends/{friend_user_id}", None),
        ("/v1/places/{id}", None),
    ],
)
def test_a_path_names_an_existing_resource(path: str, value: str | None) -> None:
    """A path without its own known value has that of a resource which it relates to another one."""
    name = path[path.rindex("{") + 1 : path.rindex("}")]
    rules = {"name": name, "in": "path", "required": True, "schema": {"type": "string"}}
    api = api_from({"openapi": "3.1.0", "paths": {path: {"put": {"parameters": [rules], "responses": {}}}}})
    operation = api.operations[0]

    assert known_path_value(operation, operation.parameters[-1], KNOWN) == value
