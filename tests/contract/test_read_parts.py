"""The parts of operations: parameters, bodies, responses, headers, links, security schemes, servers."""

import pytest

from devportal.contract import Operation, Parameter, ParameterLocation, Response
from tests.contract.inline import api, contract, operation, reading_findings

OK = "responses: {'200': {description: OK}}"


def parameters(text: str) -> tuple[Parameter, ...]:
    """Return the parameters that are written in a list."""
    return operation(f"parameters: [{text}]\n{OK}").parameters


def response(text: str) -> Response:
    """Return the response with these members."""
    return operation(f"responses: {{'200': {{description: OK, {text}}}}}").responses[0]


def with_body(text: str) -> Operation:
    """Return an operation whose request body has this content."""
    return operation(f"requestBody: {{content: {{{text}}}}}\n{OK}")


@pytest.mark.parametrize(
    ("place", "style", "explode"),
    [
        ("path", "simple", False),
        ("header", "simple", False),
        ("query", "form", True),
        ("cookie", "form", True),
        ("querystring", "form", True),
    ],
)
def test_the_serialisation_of_a_parameter_has_its_defaults(place: str, style: str, explode: bool) -> None:  # noqa: FBT001
    """Style and explode as OAS 3.0.3 §4.7.12.2.1 says where they are not written."""
    (found,) = parameters(f"{{name: p, in: {place}, schema: {{type: string}}}}")

    assert (found.location_in, found.style, found.explode) == (ParameterLocation(place), style, explode)
    assert found.required is (place == "path")


def test_a_parameter_is_kept_whole() -> None:
    """Everything that is written at a parameter is in the model."""
    (found,) = parameters(
        "{name: p, in: query, required: true, deprecated: true, description: D, style: pipeDelimited, "
        "explode: false, allowReserved: true, allowEmptyValue: true, x-stability-level: beta, "
        "schema: {type: array, items: {type: string}}, "
        "examples: {a: {summary: S, description: D, value: [x]}, b: {externalValue: 'https://example.com/b'}}}"
    )

    assert (found.required, found.deprecated, found.description) == (True, True, "D")
    assert (found.style, found.explode) == ("pipeDelimited", False)
    assert (found.allow_reserved, found.allow_empty) == (True, True)
    assert found.schema is not None
    assert found.stability == "beta"
    assert [
        (example.name, example.value, example.summary, example.external) for example in found.examples
    ] == [
        ("a", ["x"], "S", ""),
        ("b", None, "", "https://example.com/b"),
    ]


def test_a_cookie_explodes_in_its_own_style() -> None:
    """`cookie` is a style of OAS 3.2 that explodes as `form` does."""
    (found,) = parameters("{name: p, in: cookie, style: cookie, schema: {type: array}}")

    assert (found.style, found.explode) == ("cookie", True)


def test_parts_say_when_they_end_and_what_comes_after() -> None:
    """`x-sunset` and the successor are read at parameters and headers too."""
    found = operation("""\
        parameters: [{name: p, in: query, deprecated: true, x-sunset: '2027-01-01', x-replaced-by: q}]
        responses: {'200': {description: OK, headers: {X-A: {explode: true, x-sunset: '2027-02-01'}}}}
        """)
    header = found.responses[0].headers[0]

    assert (found.parameters[0].sunset, found.parameters[0].successor) == ("2027-01-01", "q")
    assert (header.sunset, header.explode) == ("2027-02-01", True)


def test_explode_follows_a_style_that_is_written() -> None:
    """`form` explodes by default, all other styles do not."""
    (found,) = parameters("{name: p, in: query, style: deepObject, schema: {type: object}}")

    assert found.explode is False


def test_a_parameter_can_travel_in_a_media_type() -> None:
    """`content` holds one media type with schema and examples."""
    (found,) = parameters(
        "{name: p, in: query, content: {application/json: {schema: {type: object}, example: {a: 1}}}}"
    )

    assert found.schema is None
    assert found.content is not None
    assert (found.content.name, found.content.examples[0].value) == ("application/json", {"a": 1})


@pytest.mark.parametrize("name", ["Accept", "content-type", "AUTHORIZATION"])
def test_headers_that_others_describe_are_no_parameters(name: str) -> None:
    """These three are ignored (OAS 3.0.3 §4.7.12.2)."""
    assert parameters(f"{{name: {name}, in: header, schema: {{type: string}}}}") == ()


@pytest.mark.parametrize(
    ("written", "message"),
    [
        ("{in: query}", "this parameter has no name"),
        ("{name: p}", "the parameter 'p' travels in ''"),
        ("{name: p, in: body}", "the parameter 'p' travels in 'body'"),
        ("{name: p, in: [query]}", "'in' must be text, found ['query']"),
        ("text", "expected a mapping, found 'text'"),
        ("{name: p, in: query, required: 1}", "'required' must be true or false, found 1"),
        ("{name: p, in: query, schema: 1}", "expected a schema, found 1"),
        ("{name: p, in: query, schema: null}", "expected a schema, found null"),
        ("{name: p, in: query, content: []}", "'content' must be a mapping, found []"),
        ("{name: p, in: query, content: {text/plain: 1}}", "expected a mapping, found 1"),
        ("{name: p, in: query, examples: [1]}", "'examples' must be a mapping, found [1]"),
        ("{name: p, in: query, examples: {a: 1}}", "expected a mapping, found 1"),
        (
            "{name: p, in: query, examples: {a: {summary: s}}}",
            "the example 'a' has no value, so only its text is shown",
        ),
        ("{name: p, in: query, examples: {a: {}}}", "the example 'a' has no value, so it is not shown"),
    ],
)
def test_a_malformed_parameter_is_found(written: str, message: str) -> None:
    """Each malformed parameter is reported with what is wrong, on its line."""
    text = f"paths:\n  /a:\n    get:\n      parameters: [{written}]\n      {OK}\n"
    found = reading_findings(text)

    assert message in [text for _, _, text in found]
    assert all(where.startswith("6:") for _, where, _ in found)


def test_a_lone_example_has_no_name() -> None:
    """`example` is one without a name, and `null` is a value."""
    (found,) = parameters("{name: p, in: query, schema: {type: 'null'}, example: null}")

    assert [(example.name, example.value) for example in found.examples] == [("", None)]


def test_named_examples_come_before_a_lone_one() -> None:
    """The two exclude each other (OAS 3.0.3 §4.7.12.2); the named ones stay."""
    found = with_body("application/json: {example: 1, examples: {a: {value: 2}}}").request_body

    assert found is not None
    assert [example.name for example in found.content[0].examples] == ["a"]


def test_examples_of_3_2_say_their_value_as_data_or_as_sent() -> None:
    """`dataValue` is the value, `serializedValue` the text on the wire, read back where it is JSON."""
    found = with_body(
        "application/json: {examples: {a: {dataValue: {x: 1}}, b: {serializedValue: '{\"x\": 2}'}, "
        "c: {serializedValue: plain}}}"
    ).request_body

    assert found is not None
    assert [example.value for example in found.content[0].examples] == [{"x": 1}, {"x": 2}, "plain"]
    assert [example.serialised for example in found.content[0].examples] == [None, '{"x": 2}', "plain"]


def test_shared_examples_are_followed() -> None:
    """An example under `components` is read where it is used, with the name of its use."""
    found = api(f"""\
        paths:
          /a:
            post:
              requestBody:
                content: {{a/json: {{examples: {{mine: {{$ref: '#/components/examples/E'}}}}}}}}
              {OK}
        components: {{examples: {{E: {{value: 1}}}}}}
        """).operations[0]

    assert found.request_body is not None
    example = found.request_body.content[0].examples[0]
    assert (example.name, example.value, str(example.location)) == ("mine", 1, "#/components/examples/E")


def test_a_request_body_has_media_types_in_the_order_written() -> None:
    """Names, need, description and encodings are kept."""
    found = operation("""\
        requestBody:
          required: true
          description: The body
          x-stability-level: beta
          content:
            multipart/form-data:
              schema: {properties: {file: {type: string}, ids: {type: array}}}
              encoding:
                file: {contentType: 'image/png, image/jpeg', headers: {X-Part: {schema: {type: integer}}}}
                ids: {style: spaceDelimited, explode: false, allowReserved: true}
            application/jsonl: {itemSchema: {type: object}}
        responses: {'200': {description: OK}}
        """).request_body

    assert found is not None
    assert (found.required, found.description, found.stability) == (True, "The body", "beta")
    form, stream = found.content
    assert (form.name, stream.name) == ("multipart/form-data", "application/jsonl")
    assert stream.item_schema is not None
    assert stream.item_schema.types == ("object",)
    file, ids = form.encodings
    assert (file.content_type, file.explode, file.headers[0].name) == (
        "image/png, image/jpeg",
        None,
        "X-Part",
    )
    assert (ids.style, ids.explode, ids.allow_reserved) == ("spaceDelimited", False, True)


def test_encodings_of_3_2_are_for_positions_and_within_each_other() -> None:
    """The first items have encodings of their own, the further ones share one, and parts may have parts."""
    found = api(
        f"""\
        paths:
          /a:
            post:
              requestBody:
                content:
                  multipart/mixed: {{$ref: '#/components/mediaTypes/Mixed'}}
              {OK}
        components:
          mediaTypes:
            Mixed:
              x-stability-level: beta
              prefixEncoding: [{{contentType: application/json}}, {{contentType: image/png}}]
              itemEncoding:
                contentType: multipart/mixed
                encoding: {{a: {{contentType: text/plain}}}}
                prefixEncoding: [{{contentType: text/csv}}]
                itemEncoding: {{headers: {{X-A: {{schema: {{type: string}}}}}}}}
        """,
        version="3.2.0",
    ).operations[0]

    assert found.request_body is not None
    (media,) = found.request_body.content
    assert (media.name, media.stability) == ("multipart/mixed", "beta")
    assert [prefix_encoding.content_type for prefix_encoding in media.prefix_encodings] == [
        "application/json",
        "image/png",
    ]
    item = media.item_encoding
    assert item is not None
    assert [(encoding.property_name, encoding.content_type) for encoding in item.encodings] == [
        ("a", "text/plain")
    ]
    assert [prefix_encoding.content_type for prefix_encoding in item.prefix_encodings] == ["text/csv"]
    assert item.item_encoding is not None
    assert [header.name for header in item.item_encoding.headers] == ["X-A"]


def test_headers_that_lead_to_themselves_through_an_encoding_end() -> None:
    """A header has no encodings, so a circle through them is never walked."""
    found = api("""\
        paths:
          /a:
            get: {responses: {'200': {description: OK, headers: {H: {$ref: '#/components/headers/H'}}}}}
        components:
          headers:
            H: {content: {a/b: {encoding: {x: {headers: {H: {$ref: '#/components/headers/H'}}}}}}}
        """).operations[0]

    content = found.responses[0].headers[0].content
    assert content is not None
    assert content.encodings == ()


def test_responses_are_ordered_from_exact_to_default() -> None:
    """Statuses, then ranges, then `default`, however they are written; extensions are none."""
    found = operation(
        "responses: {default: {description: D}, 4XX: {description: R}, x-note: {}, 404: {description: N}, "
        "'200': {description: OK}, 2xx: {description: A}}"
    )

    assert [item.status for item in found.responses] == ["200", "404", "2xx", "4XX", "default"]
    assert [success.status for success in found.successes] == ["200", "2xx"]


def test_a_response_is_kept_whole() -> None:
    """Summary (3.2), description, headers, content and links are in the model."""
    found = response("""summary: Short, x-stability-level: stable,
          headers: {X-A: {required: true, deprecated: true, description: H, example: 1,
            schema: {type: integer}}, X-B: {content: {text/plain: {schema: {type: string}}}}},
          content: {application/json: {schema: {type: object}, examples: {a: {value: {}}}}},
          links: {next: {operationId: listThings, description: L, requestBody: b,
            parameters: {after: $response.body#/last, n: 1}}, far: {operationRef: '#/paths/~1things/get'}}
        """)

    assert (found.summary, found.description, found.stability) == ("Short", "OK", "stable")
    first, second = found.headers
    assert (first.name, first.required, first.deprecated, first.description) == ("X-A", True, True, "H")
    assert first.examples[0].value == 1
    assert second.content is not None
    assert (second.content.name, found.content[0].examples[0].name) == ("text/plain", "a")
    near, far = found.links
    assert (near.name, near.operation_id, near.description, near.request_body) == (
        "next",
        "listThings",
        "L",
        "b",
    )
    assert near.parameters == (("after", "$response.body#/last"), ("n", 1))
    assert far.operation_ref == "#/paths/~1things/get"
    assert (near.target, str(far.target)) == (None, "#/paths/~1things/get")


def test_a_link_may_lead_to_another_server_and_another_contract() -> None:
    """A server of its own is kept; a reference to somebody else's contract is a link, and no fault."""
    found = response("""links: {far: {operationRef: 'https://example.com/api.yaml#/paths/~1a/get',
        server: {url: 'https://example.com'}, x-stability-level: beta},
        gone: {operationRef: '#/paths/~1no/get'}}""")
    far, gone = found.links

    assert far.server is not None
    assert (far.server.url, far.target, far.stability) == ("https://example.com", None, "beta")
    assert gone.target is None


def test_a_server_variable_without_a_default_has_its_first_value_or_stays() -> None:
    """The default is required (OAS 3.0.3 §4.7.6); without one the address must not lose its part."""
    found = api("""\
        servers:
          - url: 'https://{region}.example.com/{tenant}/{undeclared}'
            name: Production
            variables: {region: {enum: [eu, us]}, tenant: {description: Yours}}
        """).servers[0]

    assert (found.name, found.address) == ("Production", "https://eu.example.com/{tenant}/{undeclared}")


def test_servers_have_variables_with_defaults() -> None:
    """The address has each variable at its default and no slash at its end."""
    found = api("""\
        servers:
          - url: 'https://{host}:{port}/v1/'
            description: Main
            variables:
              host: {default: api.example.com, enum: [api.example.com, eu.example.com], description: Region}
              port: {default: 8443}
          - {description: no address}
        """).servers

    assert [(server.url, server.address) for server in found] == [
        ("https://{host}:{port}/v1/", "https://api.example.com:8443/v1")
    ]
    assert found[0].variables[0].enum == ("api.example.com", "eu.example.com")


def test_a_requirement_names_a_security_scheme_by_its_uri() -> None:
    """As OAS 3.2 allows; what leads elsewhere keeps its name."""
    found = api(
        """\
        security: [{'#/components/securitySchemes/ward~1key': [read]}, {ward/key: []}, {'#/info': []}]
        components: {securitySchemes: {ward/key: {type: apiKey, in: header, name: X-Key}}}
        """,
        version="3.2.0",
    ).security

    names = [[(use.scheme, use.scopes) for use in requirement] for requirement in found]
    assert names == [[("ward/key", ("read",))], [("ward/key", ())], [("#/info", ())]]


def test_security_schemes_of_each_kind_are_kept() -> None:
    """API key, HTTP, OAuth 2, OpenID Connect and mutual TLS, with flows, scopes and carriers."""
    found = api("""\
        components:
          securitySchemes:
            key: {type: apiKey, in: header, name: X-Key, description: D, x-stability-level: beta}
            token: {type: http, scheme: bearer, bearerFormat: JWT, x-scopes: {read: Reads}}
            tls: {type: mutualTLS}
            oidc: {type: openIdConnect, openIdConnectUrl: https://id.example.com}
            oauth:
              type: oauth2
              flows:
                authorizationCode:
                  authorizationUrl: https://a
                  tokenUrl: https://t
                  refreshUrl: https://r
                  scopes: {read: Reads, write: ''}
                clientCredentials: {tokenUrl: https://t, scopes: {}}
                deviceAuthorization: {deviceAuthorizationUrl: https://d, tokenUrl: https://t, scopes: {}}
                x-note: {tokenUrl: none}
              oauth2MetadataUrl: https://m
              deprecated: true
              x-sunset: '2027-01-01'
            alias: {$ref: '#/components/securitySchemes/key'}
        """).security_schemes
    by_name = {security_scheme.name: security_scheme for security_scheme in found}

    assert (by_name["key"].carrier, by_name["key"].parameter, by_name["key"].stability) == (
        "header",
        "X-Key",
        "beta",
    )
    assert (by_name["token"].scheme, by_name["token"].bearer_format) == ("bearer", "JWT")
    assert by_name["token"].scopes == (("read", "Reads"),)
    assert by_name["tls"].kind == "mutualTLS"
    assert by_name["oidc"].openid_url == "https://id.example.com"
    code, credentials, device = by_name["oauth"].flows
    assert (device.kind, device.device_authorization_url) == ("deviceAuthorization", "https://d")
    assert (by_name["oauth"].oauth_metadata_url, by_name["oauth"].deprecated) == ("https://m", True)
    assert by_name["oauth"].sunset == "2027-01-01"
    assert (code.kind, code.authorization_url, code.token_url, code.refresh_url) == (
        "authorizationCode",
        "https://a",
        "https://t",
        "https://r",
    )
    assert (code.scopes, credentials.scopes) == ((("read", "Reads"), ("write", "")), ())
    assert by_name["alias"].parameter == "X-Key"


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("components: []", "9:1"),
        ("components: {securitySchemes: []}", "9:14"),
        ("components: {securitySchemes: {a: 1}}", "9:32"),
        ("components: {securitySchemes: {a: {type: oauth2, flows: []}}}", "9:50"),
        ("components: {schemas: []}", "9:14"),
        ("servers: {}", "9:1"),
        ("servers: [{url: 'https://{a}', variables: []}]", "9:32"),
        ("servers: [{url: 'https://{a}', variables: {a: {enum: [1]}}}]", "9:55"),
        ("tags: {}", "9:1"),
        ("security: {}", "9:1"),
        ("externalDocs: []", "9:1"),
    ],
)
def test_each_malformed_part_of_the_root_is_a_finding_at_its_place(text: str, where: str) -> None:
    """A value of the wrong kind is reported where it stands; the operations are read all the same."""
    assert [(rule, place) for rule, place, _ in reading_findings(text)] == [("contract-shape", where)]
    assert len(contract(text).api.operations) == 1


def test_a_shared_part_is_read_once() -> None:
    """All references to a parameter, response or header lead to the same schemas."""
    found = api(
        """paths:
  /a: {get: {parameters: [{$ref: '#/components/parameters/P'}], responses: {'200': {$ref: '#/components/responses/R'}}}}
  /b: {get: {parameters: [{$ref: '#/components/parameters/P'}], responses: {'2XX': {$ref: '#/components/responses/R'}}}}
components:
  parameters: {P: {name: p, in: query, schema: {type: string}}}
  headers: {H: {schema: {type: string}}}
  responses:
    R:
      description: OK
      headers: {One: {$ref: '#/components/headers/H'}, Other: {$ref: '#/components/headers/H'}}
"""
    )

    first, second = found.operations
    assert first.parameters[0] is second.parameters[0]
    assert [item.responses[0].status for item in found.operations] == ["200", "2XX"]
    assert first.responses[0].headers is second.responses[0].headers
    (one, other) = first.responses[0].headers
    assert (one.name, other.name, one.schema is other.schema) == ("One", "Other", True)


def test_a_text_beside_a_reference_is_that_of_one_use() -> None:
    """From 3.1 on it replaces the text of the shared part there, and nowhere else (OAS 3.1.0 §4.8.23)."""
    found = api(
        """paths:
  /a: {get: {parameters: [{$ref: '#/components/parameters/P', description: Own}], responses: {}}}
  /b: {get: {parameters: [{$ref: '#/components/parameters/P'}], responses: {}}}
components:
  parameters: {P: {name: p, in: query, description: Shared, schema: {type: string}}}
""",
        version="3.1.0",
    )

    assert [item.parameters[0].description for item in found.operations] == ["Own", "Shared"]
