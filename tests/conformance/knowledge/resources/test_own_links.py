"""Identifiers of resources that have them only in the link to themselves, as Spring Data REST shows them."""

import pytest

from devportal.conformance.knowledge.resources.created_resources import representation_id
from devportal.contract.conventions import default_conventions
from devportal.contract.resources import find_resources
from tests.contract.inline import api

CUSTOMERS = """
paths:
  /customers:
    post: {responses: {'201': {description: Created, content: &shown {application/hal+json: {schema: {
      type: object, properties: {name: {type: string}, _links: {type: object}}}}}}}}
  /customers/{id}:
    get:
      parameters: [{name: id, in: path, required: true, schema: {type: string}}]
      responses: {'200': {description: A customer, content: *shown}}
""".lstrip()


@pytest.mark.parametrize(
    ("href", "found"),
    [
        ("https://shop.example/api/customers/7", "7"),
        ("/customers/a%20b", "a b"),
        ("/customers/7{?projection}", "7"),
        ("/orders/7", ""),
        ("/customers", ""),
        (7, ""),
    ],
)
def test_identifier_is_in_the_link_of_a_resource_to_itself(href: object, found: str) -> None:
    """A name is none: another resource may have it."""
    (resource,) = find_resources(api(CUSTOMERS), default_conventions())

    assert resource.key == ()
    assert representation_id(resource, {"name": "Ann", "_links": {"self": {"href": href}}}) == found


@pytest.mark.parametrize(("name", "key"), [("uuid", ("uuid",)), ("slug", ("slug",)), ("number", ())])
def test_other_members_identify_resources_with_links_too(name: str, key: tuple[str, ...]) -> None:
    """Many APIs with links have identifiers beside them; a number may be that of a house."""
    contract = CUSTOMERS.replace("name: {type: string}", f"name: {{type: string}}, {name}: {{type: string}}")

    (resource,) = find_resources(api(contract), default_conventions())

    assert resource.key == key
