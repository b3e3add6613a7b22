"""Orders that the description of a list names."""

import pytest

from devportal.conformance.families.lists import sorting
from devportal.conformance.families.lists.sort_values import sort_values
from tests.conformance.running import subject_of_contract
from tests.contract.inline import contract

PRODUCTS = """\
paths:
  /products:
    post:
      requestBody: {content: &product {application/json: {schema: {$ref: '#/components/schemas/Product'}}}}
      responses: {"201": {description: Added., content: *product}}
    get:
      description: DESCRIPTION
      responses:
        "200":
          description: All products.
          content: {application/json: {schema: {type: array, items: {$ref: '#/components/schemas/Product'}}}}
components:
  schemas:
    Product:
      type: object
      properties: {id: {type: string, readOnly: true}, price: {type: integer}, weight: {type: integer}}
"""


@pytest.mark.parametrize(
    ("description", "is_checked"),
    [
        ("Sorted by `price`, cheapest first.", True),
        ("Sorted by price, most expensive first.", True),
        ("Ordered by `weight`, heaviest first.", True),
        ("Ordered by `weight`.", True),
        ("Sorted by `price`, favourites first.", False),
        ("Can be sorted by `price`, cheapest first.", False),
    ],
)
def test_an_order_in_words(description: str, *, is_checked: bool) -> None:
    """The words for its direction are those of sizes; anything else may come first for other reasons."""
    subject = subject_of_contract(contract(PRODUCTS.replace("DESCRIPTION", f"'{description}'")))

    assert any(True for _ in sorting.probes(subject)) is is_checked


@pytest.mark.parametrize(
    ("parameter", "values"),
    [
        (
            "description: 'property,(asc|desc)', schema: {type: array, items: {type: string}, default: ['price,ASC']}",
            ("price,ASC", "id,asc", "id,desc", "price,asc", "price,desc", "weight,asc", "weight,desc"),
        ),
        ("description: 'One of `price` and `weight`.', schema: {type: string}", ("price", "weight")),
        (
            "description: 'Such as `price`. A `-` in front of it reverses the order.', schema: {type: string}",
            ("price", "-price"),
        ),
        ("schema: {type: string, default: weight}", ("weight",)),
        ("schema: {type: string, default: weight, enum: [price]}", ("price",)),
        ("description: 'See `relevance`.', schema: {type: string}", ()),
        (
            "description: 'By `price`. Lists cannot be sorted by `weight`.', schema: {type: string}",
            ("price",),
        ),
        ("description: 'Whether `price` is `asc` or `desc`.', schema: {type: string}", ()),
    ],
)
def test_values_of_a_sort_parameter(parameter: str, values: tuple[str, ...]) -> None:
    """Without an enumeration, the default, words in code and the form of Spring Data say how lists are sorted."""
    text = f"DESCRIPTION\n      parameters: [{{name: sort, in: query, {parameter}}}]"
    subject = subject_of_contract(contract(PRODUCTS.replace("DESCRIPTION", text)))
    (listing,) = subject.listings

    assert sort_values(subject, listing, listing.operation.parameters[0]) == values
