"""Resource types and lists that contracts describe in other ways than ours."""

import pytest

from devportal.contract.conventions import default_conventions
from devportal.contract.resources import (
    Listing,
    Resource,
    find_listings,
    find_resources,
    object_properties,
)
from tests.conformance.families.servers.samples import CONTRACT
from tests.conformance.running import subject_of
from tests.contract.inline import api, contract
from tests.reference.reading import api_from


def test_a_member_behind_an_all_of_or_a_union_with_null_has_its_keywords() -> None:
    """`allOf` with one reference, and `oneOf` with a reference and null, are the schema that they wrap."""
    subject = subject_of(CONTRACT)
    schema = next(schema for schema in subject.api.schemas.values() if schema.name == "Sample")

    members = {property_.name: property_.schema for property_ in object_properties(subject.api, schema)}

    assert members["status"].enum == ("registered", "received", "finished")
    assert members["status"].read_only
    assert [property_.name for property_ in members["store"].properties] == ["freezer", "shelf"]
    assert members["store"].nullable


def test_members_that_all_branches_of_a_union_share_are_members() -> None:
    """The identifier of each kind of payment is that of a payment; what differs between kinds is not."""
    found = api("""\
        components:
          schemas:
            Payment:
              oneOf:
                - {$ref: '#/components/schemas/Card'}
                - allOf: [{$ref: '#/components/schemas/Base'}]
                  required: [iban]
                  properties: {iban: {type: string}, kind: {const: transfer}, note: {type: string}}
                - {type: 'null'}
            Card:
              allOf: [{$ref: '#/components/schemas/Base'}]
              required: [note]
              properties: {last_digits: {type: string}, kind: {const: card}, note: {type: string}}
            Base:
              required: [id]
              properties: {id: {type: string, readOnly: true}}
        """)
    payment = next(schema for schema in found.schemas.values() if schema.name == "Payment")

    members = {member.name: member.required for member in object_properties(found, payment)}

    assert set(members) == {"id", "note"}
    assert not members["note"]


def test_a_resource_that_is_a_union_has_an_identifier() -> None:
    """Else two of them would be the same one."""
    found = api("""\
        paths:
          /boats:
            post:
              responses:
                '201':
                  description: Registered
                  content: {application/json: {schema: {$ref: '#/components/schemas/Boat'}}}
          /boats/{boat_id}:
            parameters: [{name: boat_id, in: path, required: true, schema: {type: string}}]
            get:
              responses:
                '200': {description: OK, content: {application/json: {schema: {$ref: '#/components/schemas/Boat'}}}}
        components:
          schemas:
            Boat: {anyOf: [{$ref: '#/components/schemas/Sail'}, {$ref: '#/components/schemas/Motor'}]}
            Sail: {properties: {id: {type: string}, mast: {type: number}}}
            Motor: {properties: {id: {type: string}, fuel: {type: string}}}
        """)

    (boats,) = find_resources(found, default_conventions())

    assert boats.key == ("id",)


def test_a_schema_that_many_branches_lead_to_counts_once() -> None:
    """Forty levels with two branches each are a thousand billions of ways to the members of the last."""
    rows = [f"    S{level}: {{allOf: [{{$ref: '#/components/schemas/S{level + 1}'}}, " for level in range(40)]
    levels = [f"{row}{{$ref: '#/components/schemas/S{level + 1}'}}]}}\n" for level, row in enumerate(rows)]
    found = api(
        f"components:\n  schemas:\n{''.join(levels)}    S40: {{properties: {{a: {{type: string}}}}}}\n"
    )

    assert [member.name for member in object_properties(found, next(iter(found.schemas.values())))] == ["a"]


def test_the_address_of_the_next_page_is_found_in_camel_case() -> None:
    """`nextPage` is `next_page`: names are compared without regard to case and separators."""
    listing = next(
        listing for listing in subject_of(CONTRACT).listings if listing.operation.id == "listSamples"
    )

    assert listing.next == ("nextPage",)


def test_a_job_is_created_by_the_request_that_starts_it() -> None:
    """A POST of another path that returns the resource and documents its address creates it."""
    resources = {resource.path: resource for resource in subject_of(CONTRACT).resources}

    job = resources["/jobs/{jobId}"]
    assert job.create is not None
    assert job.create.id == "startExport"
    assert job.is_started
    assert not resources["/samples/{sampleId}"].is_started


LOANS = """\
paths:
  /books/{bookId}/loans:
    parameters: [{name: bookId, in: path, required: true, schema: {type: integer}}]
    post:
      operationId: lendBook
      responses:
        '201':
          description: Lent.
          headers: {Location: {schema: {type: string}}}
          content: {application/json: {schema: {$ref: '#/components/schemas/Loan'}}}
  /loans/{loanId}:
    parameters: [{name: loanId, in: path, required: true, schema: {type: string}}]
    get:
      operationId: getLoan
      responses:
        '200': {description: Loan, content: {application/json: {schema: {$ref: '#/components/schemas/Loan'}}}}
  /loans/{loanId}/renewals:
    parameters: [{name: loanId, in: path, required: true, schema: {type: string}}]
    post:
      operationId: renewLoan
      responses:
        '201':
          description: Renewed.
          headers: {Location: {schema: {type: string}}}
          content: {application/json: {schema: {$ref: '#/components/schemas/Loan'}}}
components:
  schemas:
    Loan: {type: object, required: [id], properties: {id: {type: string}}}
"""


def test_a_resource_with_an_address_of_its_own_is_created_below_another() -> None:
    """`POST /books/{bookId}/loans` creates what `/loans/{loanId}` identifies; what is below a loan does not."""
    resources = {
        resource.path: resource for resource in find_resources(contract(LOANS).api, default_conventions())
    }

    loan = resources["/loans/{loanId}"]
    assert loan.create is not None
    assert loan.create.id == "lendBook"
    assert loan.is_started


def resources_of(text: str) -> dict[str, Resource]:
    """Return the resources of a small contract by their path."""
    return {resource.path: resource for resource in find_resources(api(text), default_conventions())}


PLANT = """\
paths:
  /plants:
    post:
      responses:
        '201': {description: Planted, content: {application/json: {schema: &plant {type: object, properties: {%s}}}}}
  /plants/{number}:
    get:
      parameters: [{name: number, in: path, required: true, schema: %s}]
      responses: {'200': {description: A plant, content: {application/json: {schema: *plant}}}}
"""


@pytest.mark.parametrize(
    ("members", "parameter", "key"),
    [
        (
            "name: {type: string}, catalogueCode: {type: string, pattern: '^P[0-9]+$'}",
            "{type: string, pattern: '^P[0-9]+$'}",
            ("catalogueCode",),
        ),
        (
            "plantNo: {type: integer, readOnly: true}, height: {type: integer}",
            "{type: integer}",
            ("plantNo",),
        ),
        ("name: {type: string}, code: {type: string}", "{type: string}", ("name",)),
        ("age: {type: integer}, height: {type: integer}", "{type: integer}", ()),
        (
            "plantNo: {type: integer, readOnly: true}, height: {type: integer, readOnly: true}",
            "{type: integer}",
            (),
        ),
        ("code: {type: string, pattern: '^Q'}", "{type: string, pattern: '^P'}", ()),
    ],
)
def test_an_identifier_with_another_name_has_the_form_of_the_parameter(
    members: str, parameter: str, key: tuple[str, ...]
) -> None:
    """The pattern of the parameter, or the only number that the server assigns. A guess is not sure."""
    plant = resources_of(PLANT % (members, parameter))["/plants/{number}"]

    assert plant.key == key
    assert not plant.is_key_sure


def test_an_envelope_is_found_by_the_form_of_the_identifier() -> None:
    """`result` holds the plant, though nothing in it is called `id`."""
    inner = (
        "success: {type: boolean}, result: {type: object, properties: {code: {type: string, pattern: '^P'}}}"
    )

    plant = resources_of(PLANT % (inner, "{type: string, pattern: '^P'}"))["/plants/{number}"]

    assert (plant.envelope, plant.key) == ("result", ("code",))


def test_what_is_only_listed_has_the_identifier_of_the_items() -> None:
    """Nothing creates or reads one: the list shows its members."""
    watcher = resources_of("""\
        paths:
          /watchers:
            get:
              responses:
                '200':
                  description: Watchers
                  content:
                    application/json:
                      schema: {type: array, items: {type: object, properties: {email: {type: string}}}}
          /watchers/{email}:
            put:
              parameters: [{name: email, in: path, required: true, schema: {type: string}}]
              responses: {'204': {description: Watches}}
        """)["/watchers/{email}"]

    assert watcher.key == ("email",)


def listing_of(schema: str) -> Listing:
    """Return the list that a response with a schema is."""
    response = f"{{description: Plants, content: {{application/hal+json: {{schema: {schema}}}}}}}"
    listed = api(f"paths: {{/plants: {{get: {{responses: {{'200': {response}}}}}}}}}")
    return next(iter(find_listings(listed, default_conventions())))


NEXT_LINK = "{type: object, properties: {next: {type: object, properties: {href: {type: string}}}}}"
OBJECTS = "{type: array, items: {type: object}}"
PLANTS = "plants: {type: array, items: {type: object, properties: {id: {type: integer}}}}"


@pytest.mark.parametrize(
    ("members", "items", "after"),
    [
        (
            f"_embedded: {{type: object, properties: {{{PLANTS}}}}}, _links: {NEXT_LINK}",
            ("_embedded", "plants"),
            ("_links", "next", "href"),
        ),
        (
            f"data: {{type: object, properties: {{{PLANTS}, total: {{type: integer}}, next: {{type: string}}}}}}",
            ("data", "plants"),
            ("data", "next"),
        ),
        (
            f"{PLANTS}, meta: {{type: object, properties: {{next_page_token: {{type: string}}}}}}",
            ("plants",),
            ("meta", "next_page_token"),
        ),
        (f"{PLANTS}, warnings: {OBJECTS}", ("plants",), ()),
        (f"facets: {OBJECTS}, results: {OBJECTS}, next: {{type: string}}", ("results",), ("next",)),
        (f"data: {OBJECTS}, included: {OBJECTS}", ("data",), ()),
    ],
)
def test_items_and_the_next_page_are_found_in_objects_around_them(
    members: str, items: tuple[str, ...], after: tuple[str, ...]
) -> None:
    """HAL embeds the items, envelopes hold them, and `meta` describes the page."""
    listing = listing_of(f"{{type: object, properties: {{{members}}}}}")

    assert (listing.items, listing.next) == (items, after)


@pytest.mark.parametrize(
    "members", [f"data: {{type: object}}, included: {OBJECTS}", f"leaves: {OBJECTS}, roots: {OBJECTS}"]
)
def test_lists_beside_a_resource_or_of_equal_rank_are_no_items(members: str) -> None:
    """What a document of JSON:API includes belongs to its resource, and nothing tells which of two lists is meant."""
    with pytest.raises(StopIteration):
        listing_of(f"{{type: object, properties: {{{members}}}}}")


def test_an_envelope_with_other_members_holds_no_list() -> None:
    """A profile that has roles is no list of roles."""
    profile = f"{{data: {{type: object, properties: {{{PLANTS}, name: {{type: string}}}}}}}}"

    with pytest.raises(StopIteration):
        listing_of(f"{{type: object, properties: {profile}}}")


MESSAGES = """\
paths:
  /messages/{logId}:
    parameters: [{name: logId, in: path, required: true, schema: {type: string}}]
    get:
      operationId: listMessages
      responses:
        '200':
          description: Messages
          content:
            application/json:
              schema: {type: object, properties: {messages: {type: array, items: {$ref: '#/components/schemas/M'}}}}
    post: {operationId: addMessage, responses: {'201': {description: Added}}}
    delete: {operationId: clearLog, responses: {'204': {description: Cleared}}}
  /messages/{logId}/{id}:
    parameters:
      - {name: logId, in: path, required: true, schema: {type: string}}
      - {name: id, in: path, required: true, schema: {type: string}}
    get:
      operationId: readMessage
      responses:
        '200': {description: A, content: {application/json: {schema: {$ref: '#/components/schemas/M'}}}}
components:
  schemas:
    M: {type: object, properties: {id: {type: string}, text: {type: string}}}
"""


def test_a_path_that_ends_in_a_parameter_can_be_a_collection() -> None:
    """It lists what the paths below it identify, and nothing lists or creates it."""
    resources = find_resources(api(MESSAGES), default_conventions())

    assert [resource.path for resource in resources] == ["/messages/{logId}/{id}"]
    assert resources[0].create is not None
    assert resources[0].create.id == "addMessage"
    assert resources[0].listing is not None
    assert resources[0].listing.items == ("messages",)


def test_a_resource_with_lists_in_it_is_none() -> None:
    """Where its collection is described, the parameter identifies a resource, whatever is below it."""
    logs = "paths:\n  /messages: {post: {operationId: addLog, responses: {'201': {description: Added}}}}\n"

    resources = find_resources(api(MESSAGES.replace("paths:\n", logs)), default_conventions())

    assert [resource.path for resource in resources] == ["/messages/{logId}", "/messages/{logId}/{id}"]


@pytest.mark.parametrize(
    ("parameters", "header", "member", "limit"),
    [
        (("page", "size"), "", "name", "size"),
        (("after", "size"), "", "name", "size"),
        (("size",), "Link", "name", "size"),
        (("page", "limit", "size"), "", "name", "limit"),
        (("size",), "", "name", None),
        (("page", "size"), "", "size", None),
    ],
)
def test_the_size_of_pages_may_be_a_parameter_of_that_name(
    parameters: tuple[str, ...], header: str, member: str, limit: str | None
) -> None:
    """A list without pages, and one whose items have a size, may filter by it."""
    query = [{"name": name, "in": "query", "schema": {"type": "integer"}} for name in parameters]
    item = {"type": "object", "properties": {"id": {"type": "string"}, member: {"type": "integer"}}}
    response = {
        "description": "Shoes",
        "headers": {header: {"schema": {"type": "string"}}} if header else {},
        "content": {"application/json": {"schema": {"type": "array", "items": item}}},
    }
    found = api_from({"paths": {"/shoes": {"get": {"parameters": query, "responses": {"200": response}}}}})

    (listing,) = find_listings(found, default_conventions())
    assert (listing.limit.name if listing.limit is not None else None) == limit


def test_unions_of_unions_are_read_once_each() -> None:
    """The branches of a union may be the same unions at each level: their number must not double."""
    last = 60
    unions = "".join(
        f"    {name}{level}: {{oneOf: [{{$ref: '#/components/schemas/A{level + 1}'}}, "
        f"{{$ref: '#/components/schemas/B{level + 1}'}}]}}\n"
        for level in range(last)
        for name in "AB"
    )
    objects = "".join(f"    {name}{last}: {{properties: {{id: {{type: string}}}}}}\n" for name in "AB")
    found = api(f"components:\n  schemas:\n{unions}{objects}")
    first = next(schema for schema in found.schemas.values() if schema.name == "A0")

    assert [member.name for member in object_properties(found, first)] == ["id"]


def test_members_of_a_parent_that_each_branch_extends_count_once() -> None:
    """A parent with a discriminator lists its children, whose `allOf` leads back to it."""
    found = api("""
components:
  schemas:
    Pet:
      properties: {id: {type: string}}
      oneOf: [{$ref: '#/components/schemas/Cat'}, {$ref: '#/components/schemas/Dog'}]
    Cat: {allOf: [{$ref: '#/components/schemas/Pet'}, {properties: {name: {type: string}}}]}
    Dog: {allOf: [{$ref: '#/components/schemas/Pet'}, {properties: {name: {type: string}}}]}
""")
    names = {
        schema.name: [member.name for member in object_properties(found, schema)]
        for schema in found.schemas.values()
    }

    assert names["Pet"] == ["id", "name"]
    assert names["Cat"] == ["id", "name"]
