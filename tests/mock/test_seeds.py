"""A new mock has resources at the paths that a contract shows: below several parents, values and examples."""

import base64

from devportal.contract import Api
from devportal.mock.http.credentials import Grant
from tests.contract.inline import api as api_of
from tests.mock.contracts import TOKEN, Client


def shows(name: str) -> str:
    """Return the responses of an operation that shows one."""
    return responses(f"{{$ref: '#/components/schemas/{name}'}}")


def lists(name: str) -> str:
    """Return the responses of an operation that lists some."""
    return responses(f"{{type: array, items: {{$ref: '#/components/schemas/{name}'}}}}")


def responses(schema: str) -> str:
    """Return those of an operation whose success has a schema."""
    content = f"{{application/json: {{schema: {schema}}}}}"
    return f"responses: {{'200': {{description: OK, content: {content}}}, default: {{description: No}}}}"


SKY = f"""\
paths:
  /systems:
    get: {{{lists("System")}}}
  /systems/{{systemSymbol}}:
    parameters: [{{name: systemSymbol, in: path, required: true, schema: {{type: string}}, example: X1}}]
    get: {{{shows("System")}}}
  /systems/{{systemSymbol}}/orbits/inner/moons/{{moon_id}}:
    parameters:
      - {{name: systemSymbol, in: path, required: true, schema: {{type: string, example: Z9}}}}
      - {{name: moon_id, in: path, required: true, schema: {{type: string}}, example: io}}
    get: {{{shows("Moon")}}}
  /{{format}}/stars/{{starId}}:
    parameters:
      - {{name: format, in: path, required: true, schema: {{type: string, enum: [small, large]}}}}
      - {{name: starId, in: path, required: true, schema: {{type: string}}, example: sun}}
    get: {{{shows("Star")}}}
  /folders:
    get: {{{lists("Folder")}}}
  /folders/{{id}}:
    parameters: [{{name: id, in: path, required: true, schema: {{type: string}}}}]
    get: {{{shows("Page")}}}
components:
  schemas:
    System: {{type: object, required: [symbol, x], properties: {{symbol: {{type: string}}, x: {{type: integer}}}}}}
    Moon: {{type: object, required: [name], properties: {{name: {{type: string}}}}}}
    Star: {{type: object, required: [starId], properties: {{starId: {{type: string}}}}}}
    Folder: {{type: object, required: [id], properties: {{id: {{type: string}}, title: {{type: string}}}}}}
    Page: {{type: object, required: [files], properties: {{files: {{type: array, items: {{type: string}}}}}}}}
"""


def sky() -> Client:
    """Return a client of a mock of a contract about the sky."""
    return Client(api_of(SKY))


def test_the_end_of_a_parameter_names_the_identifier() -> None:
    """`systemSymbol` of a system is its `symbol`: each has its own, and is found by it."""
    client = sky()

    symbols = [system["symbol"] for system in client.json("GET", "/systems")]

    assert "X1" in symbols
    assert len(set(symbols)) == len(symbols) > 1
    assert [client.json("GET", f"/systems/{symbol}")["symbol"] for symbol in symbols] == symbols


def test_each_example_of_a_path_is_found() -> None:
    """A resource that is several segments below another one is below the one that its own example names."""
    client = sky()

    assert client.call("GET", "/systems/Z9").status == 200
    assert client.call("GET", "/systems/Z9/orbits/inner/moons/io").status == 200
    assert client.call("GET", "/systems/Z9/orbits/inner/moons/titan").status == 404


def test_resources_are_below_each_enumerated_value() -> None:
    client = sky()

    statuses = [client.call("GET", f"/{size}/stars/sun").status for size in ("small", "large", "tiny")]

    assert statuses == [200, 200, 400]


def test_what_nothing_shows_is_where_its_path_leads() -> None:
    """A contract whose parameter and member have other types leaves no other way to it than that of its sample."""
    number = "{type: object, required: [probeId], properties: {probeId: {type: integer}}}"
    way = "[{name: probeId, in: path, required: true, schema: {type: string}}]"
    text = f"paths: {{'/probes/{{probeId}}': {{parameters: {way}, get: {{{responses(number)}}}}}}}\n"
    client = Client(api_of(text))

    assert isinstance(client.json("GET", "/probes/PROBE_ID")["probeId"], int)
    assert client.call("GET", "/probes/other").status == 404


def test_what_only_a_list_identifies_is_found() -> None:
    """The representation of one has no identifier, the items of the list have it."""
    client = sky()

    identifiers = [folder["id"] for folder in client.json("GET", "/folders")]

    assert len(set(identifiers)) == len(identifiers) > 0
    assert {client.call("GET", f"/folders/{text}").status for text in identifiers} == {200}


def one_reading(parameters: str, responses: str, extra: str = "") -> Api:
    """Return a contract of one operation."""
    return api_of(
        f"paths: {{/a: {{get: {{parameters: [{parameters}], responses: {{{responses}}}}}}}}}\n{extra}"
    )


def test_a_status_of_the_company_refuses_what_nothing_else_does() -> None:
    """420 is no status of HTTP: a contract that documents it alone for errors means those of requests."""
    page = "name: page, in: query, schema: {type: integer}"
    known = "'200': {description: OK}, '401': {description: Who}"
    client = Client(one_reading(f"{{{page}}}", f"{known}, '420': {{description: Wrong}}"))
    other = Client(one_reading(f"{{{page}}}", known))

    assert client.call("GET", "/a?page=one").status == 420
    assert other.call("GET", "/a?page=one").status == 400


def test_an_empty_object_leaves_nothing_in_a_query() -> None:
    """RFC 6570 §3.2.8: an object that is required may be empty, one with required members not."""
    start = "name: filter, in: query, required: true, schema: "
    free = "{type: object, additionalProperties: {type: string}}"
    bound = "{type: object, required: [size], properties: {size: {type: integer}}}"
    answers = "'200': {description: OK}, '400': {description: Wrong}"

    found = [
        Client(one_reading(f"{{{start}{schema}}}", answers)).call("GET", "/a").status
        for schema in (free, bound)
    ]

    assert found == [200, 400]


def test_a_text_in_xml_is_a_document() -> None:
    """A drawing without an example is well-formed all the same, and an example is sent as it is."""
    drawing = "{image/svg+xml: {schema: {type: string}}}"
    own = "{image/svg+xml: {schema: {type: string}, example: '<svg><g/></svg>'}}"

    made, given = (
        Client(one_reading("", f"'200': {{description: OK, content: {content}}}")).call("GET", "/a").body
        for content in (drawing, own)
    )

    assert made.startswith(b"<")
    assert made.rstrip().endswith(b">")
    assert given == b"<svg><g/></svg>"


def test_a_token_can_be_user_and_password() -> None:
    """HTTP Basic takes them as `devportal conformance` does; another user is rejected."""
    schemes = "components: {securitySchemes: {b: {type: http, scheme: basic}}}\nsecurity: [{b: []}]\n"
    client = Client(one_reading("", "'200': {description: OK}", schemes), grants=(Grant(token="ada:secret"),))
    texts = ("ada:secret", "mock:secret", "ada:other", f"mock:{TOKEN}")

    found = [
        client.call(
            "GET", "/a", token=None, Authorization=f"Basic {base64.b64encode(text.encode()).decode()}"
        ).status
        for text in texts
    ]

    assert found == [200, 401, 401, 401]


def test_paths_may_name_an_identifier_otherwise() -> None:
    """The example of `/accounts/{accountId}/payments` is an account, though `/accounts/{id}` has no example."""
    api = api_of(f"""\
paths:
  /accounts/{{id}}:
    parameters: [{{name: id, in: path, required: true, schema: {{type: string}}}}]
    get: {{{shows("Account")}}}
  /accounts/{{accountId}}/payments:
    parameters: [{{name: accountId, in: path, required: true, schema: {{type: string}}, example: acc_7}}]
    get: {{{lists("Payment")}}}
components:
  schemas:
    Account: {{type: object, required: [id], properties: {{id: {{type: string}}}}}}
    Payment: {{type: object, properties: {{amount: {{type: integer}}}}}}
""")
    client = Client(api)

    assert client.json("GET", "/accounts/acc_7") == {"id": "acc_7"}
    assert len(client.json("GET", "/accounts/acc_7/payments")) > 0


def owner_contract(kind: str) -> str:
    """Return a contract of owners, which are created and deleted, and of what they have."""
    identified = f"{{type: object, required: [id], properties: {{id: {{type: {kind}}}}}}}"
    one = f"parameters: [{{name: ownerId, in: path, required: true, schema: {{type: {kind}}}}}]"
    return f"""\
paths:
  /owners:
    get: {{{lists("Owner")}}}
    post: {{{shows("Owner").replace("'200'", "'201'")}}}
  /owners/{{ownerId}}:
    {one}
    get: {{{shows("Owner")}}}
    delete: {{responses: {{'204': {{description: Gone}}, '404': {{description: No}}}}}}
  /owners/{{ownerId}}/cats:
    {one}
    get: {{{lists("Cat")}}}
components:
  schemas:
    Owner: {identified}
    Cat: {{type: object, required: [name], properties: {{name: {{type: string}}}}}}
"""


def test_a_placeholder_of_a_sample_finds_the_first_resource() -> None:
    """`/owners/OWNER_ID`, as samples have it, also above what is below it; its identifier is like any other."""
    client = Client(api_of(owner_contract("string")))

    shown = client.json("GET", "/owners/OWNER_ID")

    assert shown == client.json("GET", "/owners")[0] == client.json("GET", f"/owners/{shown['id']}")
    assert shown["id"] == "owner_123"
    assert client.call("GET", "/owners/OWNER_ID/cats").status == 200
    assert client.call("GET", "/owners/OWNER").status == client.call("GET", "/owners/owner_id").status == 404
    assert client.call("DELETE", "/owners/OWNER_ID").status == 204
    assert (
        client.call("GET", "/owners/OWNER_ID").status == client.call("GET", "/owners/owner_123").status == 404
    )


def test_a_number_in_a_sample_is_the_identifier_of_the_first_resource() -> None:
    """It is no placeholder: when that resource is gone, no other takes its place."""
    client = Client(api_of(owner_contract("integer")))
    client.json("POST", "/owners", {})

    statuses = [client.call(method, "/owners/123").status for method in ("GET", "DELETE", "GET")]

    assert statuses == [200, 204, 404]


def test_example_that_is_not_an_identifier_finds_the_first_resource() -> None:
    """Generators make up texts for the numbers in paths; an example that could be one finds only its own resource."""
    text = owner_contract("integer").replace(
        "in: path, required: true, schema: {type: integer}",
        "in: path, required: true, example: EXAMPLE, schema: {}",
    )
    made_up, number = (
        Client(api_of(text.replace("EXAMPLE", "architecto"))),
        Client(api_of(text.replace("EXAMPLE", "7"))),
    )

    assert made_up.json("GET", "/owners/architecto") == made_up.json("GET", "/owners")[0]
    assert made_up.call("GET", "/owners/other").status == 404
    assert [number.call(method, "/owners/7").status for method in ("GET", "DELETE", "GET")] == [200, 204, 404]


def test_each_operation_finds_the_example_of_its_path() -> None:
    """Also what clients can create, if the operations at its path have different examples."""
    one = "in: path, required: true, schema: {type: string"
    text = owner_contract("string").replace(
        "parameters: [{name: ownerId, " + one + "}}]\n    get: {", "get: {", 1
    )
    text = text.replace(
        "get: {responses", "get: {parameters: [{name: ownerId, " + one + ", example: ann}}], responses"
    )
    text = text.replace("delete: {", "delete: {parameters: [{name: ownerId, " + one + "}, example: bob}], ")
    client = Client(api_of(text))

    assert [client.call("GET", f"/owners/{name}").status for name in ("ann", "bob", "cy")] == [200, 200, 404]
    assert client.call("DELETE", "/owners/bob").status == 204


def test_a_list_and_an_object_in_a_path_are_found_as_samples_write_them() -> None:
    """In the style of each: an example of the contract, and what is made from a schema."""
    client = Client(
        api_of(f"""\
paths:
  /mixes/{{parts}}/marks/{{marks}}:
    parameters:
      - name: parts
        in: path
        required: true
        style: matrix
        explode: true
        schema: {{type: object, properties: {{r: {{type: integer}}, g: {{type: integer}}}}}}
        example: {{r: 100, g: 200}}
      - {{name: marks, in: path, required: true, style: label, schema: {{type: array, items: {{enum: [a]}}}}}}
    get: {{{responses("{type: object}")}}}
""")
    )

    assert client.call("GET", "/mixes/;r=100;g=200/marks/.a").status == 200
    assert client.call("GET", "/mixes/;r=1;g=200/marks/.a").status == 404


FEEDS = f"""\
paths:
  /feeds:
    get: {{{lists("Feed")}}}
    post:
      requestBody: {{content: {{application/json: {{schema: {{$ref: '#/components/schemas/Feed'}}}}}}}}
      responses: {{'201': {{description: Created}}, '409': {{description: The name is taken.}}}}
components:
  schemas:
    Feed:
      type: object
      required: [name]
      properties:
        id: {{type: string, readOnly: true}}
        name: {{type: string, pattern: '^[a-z][a-z-]+$', examples: [eur-usd]}}
"""


def test_the_sample_of_a_creation_finds_its_names_free() -> None:
    """What no two resources may share is another text in what a new mock has."""
    feeds = Client(api_of(FEEDS))
    (first,) = feeds.json("GET", "/feeds")

    assert first["name"] == "other-eur-usd"
    assert feeds.call("POST", "/feeds", {"name": "eur-usd"}).status == 201
    assert feeds.call("POST", "/feeds", {"name": "eur-usd"}).status == 409
