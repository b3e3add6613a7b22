"""Changes by the operations of SCIM."""

from typing import Any

import pytest

from devportal.mock.json_values import UnusablePatch
from devportal.mock.operations.scim_patch import scim_patch
from tests.contract.inline import api
from tests.mock.contracts import Client

MESSAGE = "urn:ietf:params:scim:api:messages:2.0:PatchOp"
HOME, WORK = {"type": "home", "value": "a@example.org"}, {"type": "work", "value": "b@example.org"}
USER = {"userName": "ann", "name": {"familyName": "Lee"}, "emails": [HOME, WORK]}
COMPANY = "urn:ietf:params:scim:schemas:extension:enterprise:2.0:User"


@pytest.mark.parametrize(
    ("operation", "changed"),
    [
        ({"op": "replace", "path": "userName", "value": "bob"}, {"userName": "bob"}),
        ({"op": "Replace", "path": "USERNAME", "value": "bob"}, {"userName": "bob"}),
        (
            {"op": "add", "path": "name.givenName", "value": "A"},
            {"name": {"familyName": "Lee", "givenName": "A"}},
        ),
        (
            {"op": "add", "value": {"name": {"givenName": "A"}}},
            {"name": {"familyName": "Lee", "givenName": "A"}},
        ),
        (
            {"op": "add", "path": "emails", "value": [dict(reversed(WORK.items())), {"value": "c"}]},
            {"emails": [HOME, WORK, {"value": "c"}]},
        ),
        ({"op": "replace", "path": "emails", "value": [WORK]}, {"emails": [WORK]}),
        ({"op": "remove", "path": 'emails[type eq "HOME"]'}, {"emails": [WORK]}),
        (
            {"op": "replace", "path": 'emails[type eq "work"].value', "value": "c"},
            {"emails": [HOME, WORK | {"value": "c"}]},
        ),
        ({"op": "replace", "path": "name.FAMILYNAME", "value": "Ray"}, {"name": {"familyName": "Ray"}}),
        ({"op": "remove", "path": "emails", "value": [{"value": "a@example.org"}]}, {"emails": [WORK]}),
        ({"op": "remove", "path": "urn:ietf:params:scim:schemas:core:2.0:User:emails"}, {"emails": None}),
        ({"op": "add", "path": f"{COMPANY}:department", "value": "IT"}, {COMPANY: {"department": "IT"}}),
        (
            {"op": "add", "path": f"{COMPANY}:manager.value", "value": "7"},
            {COMPANY: {"manager": {"value": "7"}}},
        ),
        ({"op": "add", "value": {COMPANY: {"department": "IT"}}}, {COMPANY: {"department": "IT"}}),
    ],
)
def test_what_operations_change(operation: dict[str, Any], changed: dict[str, Any]) -> None:
    """As RFC 7644 §3.5.2 has them; null stands for a member that is gone."""
    found = scim_patch(USER, {"Operations": [operation]})

    assert found == {name: value for name, value in {**USER, **changed}.items() if value is not None}


@pytest.mark.parametrize(
    "operation",
    [
        {"op": "move", "path": "userName"},
        {"op": "remove"},
        {"op": "add", "value": "bob"},
        {"op": "remove", "path": "emails[type is odd]"},
        {"op": "replace", "path": 'emails[type eq "other"].value', "value": "c"},
        {"op": "remove", "path": "userName[value pr]"},
        {"op": "remove", "path": ""},
        {"op": "remove", "path": "a" * 1_001},
    ],
)
def test_what_cannot_be_applied(operation: dict[str, Any]) -> None:
    """It is refused."""
    with pytest.raises(UnusablePatch):
        scim_patch(USER, {"Operations": [operation]})


def test_a_user_is_changed() -> None:
    """By the body that the contract describes, which has no member of a user."""
    client = Client(
        api("""\
paths:
  /Users:
    post:
      requestBody: {content: {application/json: {schema: {$ref: '#/components/schemas/User'}}}}
      responses: {'201': {description: A, content: {application/json: {schema:
        {$ref: '#/components/schemas/User'}}}}}
  /Users/{id}:
    patch:
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      requestBody: {content: {application/json: {schema: {type: object}}}}
      responses:
        '200': {description: A, content: {application/json: {schema: {$ref: '#/components/schemas/User'}}}}
        '400': {description: N}
components:
  schemas:
    User: {type: object, properties: {id: {type: string, readOnly: true}, userName: {type: string},
      active: {type: boolean}}}
""")
    )
    user = client.json("POST", "/Users", {"userName": "ann", "active": True})
    operation = {"op": "replace", "path": "active", "value": False}
    body = {"schemas": [MESSAGE], "Operations": [operation]}

    assert client.json("PATCH", f"/Users/{user['id']}", body) == user | {"active": False}
    operation["value"] = "no"
    assert client.call("PATCH", f"/Users/{user['id']}", body).status == 400
