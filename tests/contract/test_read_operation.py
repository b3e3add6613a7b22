"""Operations of paths, webhooks and callbacks."""

import pytest

from devportal.contract import ParameterLocation, Stability
from devportal.contract.read.read_operation import generate_operation_id
from tests.contract.inline import api, contract, operation, reading_findings

OK = "responses: {'200': {description: OK}}"


def test_an_operation_is_kept_whole() -> None:
    """Everything that is written at an operation is in the model."""
    found = operation("""\
        operationId: listThings
        summary: List things
        description: All of them
        tags: [a, b]
        deprecated: true
        x-sunset: 2027-01-31
        x-stability-level: beta
        x-scopes: [things:read]
        externalDocs: {url: https://example.com/, description: More}
        servers: [{url: https://things.example.com}]
        security: [{key: []}, {oauth: [read, write], other: []}, {}]
        x-codeSamples: [{lang: Shell, label: curl, source: curl x}, {lang: Go, source: go}, {lang: None}]
        responses: {'200': {description: OK}}
        """)

    assert (found.id, found.id_is_declared, found.method, found.path) == (
        "listThings",
        True,
        "GET",
        "/things",
    )
    assert (found.title, found.summary, found.description) == ("List things", "List things", "All of them")
    assert (found.tags, found.deprecated, found.sunset) == (("a", "b"), True, "2027-01-31")
    assert (found.stability, found.stability_is_declared) == (Stability.BETA, True)
    assert (found.scopes, found.servers[0].url) == (("things:read",), "https://things.example.com")
    assert found.external_docs is not None
    assert [[(use.scheme, use.scopes) for use in item] for item in found.security] == [
        [("key", ())],
        [("oauth", ("read", "write")), ("other", ())],
        [],
    ]
    assert [(code_sample.language, code_sample.label) for code_sample in found.code_samples] == [
        ("Shell", "curl"),
        ("Go", "Go"),
    ]


def test_scopes_may_be_called_required_scopes() -> None:
    """`x-required-scopes` of other tools means `x-scopes`, which is read first."""
    assert operation(f"x-required-scopes: [a]\n{OK}").scopes == ("a",)
    assert operation(f"x-required-scopes: [a]\nx-scopes: [b]\n{OK}").scopes == ("b",)


def test_each_method_is_an_operation() -> None:
    """All fixed methods, `query` and those of `additionalOperations` (3.2), in the order written."""
    methods = ["trace", "get", "put", "post", "delete", "options", "head", "patch", "query"]
    listed = "".join(f"    {method}: {{{OK}}}\n" for method in methods)
    text = f"paths:\n  /a:\n{listed}    additionalOperations: {{COPY: {{{OK}}}}}\n    x-other: {{{OK}}}\n"

    assert [item.method for item in api(text, version="3.2.0").operations] == [
        *(method.upper() for method in methods),
        "COPY",
    ]


def test_operations_of_a_shared_path_item_are_told_apart_by_their_keys() -> None:
    """They stand in one place, and each is listed below its own path or event."""
    read = api(
        f"""\
        paths:
          /a: {{$ref: '#/components/pathItems/P'}}
          /b: {{$ref: '#/paths/~1a'}}
          /c: {{additionalOperations: {{Copy: {{{OK}}}}}}}
        webhooks: {{w: {{$ref: '#/components/pathItems/P'}}}}
        components: {{pathItems: {{P: {{get: {{{OK}}}, additionalOperations: {{Copy: {{{OK}}}}}}}}}}}
        """,
        version="3.2.0",
    )

    assert [(item.method, str(item.key)) for item in (*read.operations, *read.webhooks[0].operations)] == [
        ("GET", "#/paths/~1a/get"),
        ("Copy", "#/paths/~1a/additionalOperations/Copy"),
        ("GET", "#/paths/~1b/get"),
        ("Copy", "#/paths/~1b/additionalOperations/Copy"),
        ("Copy", "#/paths/~1c/additionalOperations/Copy"),
        ("GET", "#/webhooks/w/get"),
        ("Copy", "#/webhooks/w/additionalOperations/Copy"),
    ]
    assert len({item.location for item in read.operations}) == 3
    assert read.operations[4].key == read.operations[4].location


def test_path_level_parameters_apply_and_are_overridden_by_name_and_place() -> None:
    """An operation's parameter wins over one of its path with the same name and place (OAS 3.0.3 §4.7.9)."""
    found = api("""\
        paths:
          /a/{id}:
            parameters:
              - {name: id, in: path, required: true, description: Shared, schema: {type: string}}
              - {name: q, in: query, description: Shared, schema: {type: string}}
              - {name: q, in: header, description: Header, schema: {type: string}}
            get:
              parameters: [{name: q, in: query, description: Own, schema: {type: integer}}]
              responses: {'200': {description: OK}}
            put:
              responses: {'200': {description: OK}}
        """)
    get, put = found.operations

    assert [
        (parameter.name, parameter.location_in, parameter.description) for parameter in get.parameters
    ] == [
        ("id", ParameterLocation.PATH, "Shared"),
        ("q", ParameterLocation.QUERY, "Own"),
        ("q", ParameterLocation.HEADER, "Header"),
    ]
    assert [parameter.description for parameter in put.parameters] == ["Shared", "Shared", "Header"]


def test_servers_and_security_are_inherited_until_overridden() -> None:
    """Operation before path before root; an empty security list makes an operation public."""
    found = api("""\
        paths:
          /a: {get: {responses: {'200': {description: OK}}}}
          /b:
            servers: [{url: https://path}]
            get: {responses: {'200': {description: OK}}}
            put: {servers: [{url: https://own}], security: [], responses: {'200': {description: OK}}}
        servers: [{url: https://root}]
        security: [{key: []}]
        """)

    assert [item.servers[0].url for item in found.operations] == [
        "https://root",
        "https://path",
        "https://own",
    ]
    assert [len(item.security) for item in found.operations] == [1, 1, 0]


@pytest.mark.parametrize(
    ("security", "where"), [("{key: []}", "6:7"), ("[key]", "6:18"), ("text", "6:7"), ("[[]]", "6:18")]
)
def test_malformed_security_never_makes_an_operation_public(security: str, where: str) -> None:
    """What cannot be read counts as not written, so that the default applies, and is found."""
    text = f"""\
        paths:
          /a:
            get:
              security: {security}
              responses: {{'200': {{description: OK}}}}
        security: [{{key: []}}]
        """

    assert [use.scheme for item in contract(text).api.operations[0].security for use in item] == ["key"]
    assert [(rule, line.split(":")[0]) for rule, line, _ in reading_findings(text)] == [
        ("contract-shape", where.split(":", maxsplit=1)[0])
    ]


@pytest.mark.parametrize("version", ["3.0.3", "3.1.0"])
def test_what_stands_beside_the_reference_of_a_path_item_is_merged(version: str) -> None:
    """Operations, parameters and servers of both apply; those beside the `$ref` win."""
    found = api(
        """\
        paths:
          /a:
            $ref: '#/components/x-items/A'
            parameters: [{name: p, in: query, description: Own, schema: {type: string}}]
            get: {operationId: own, responses: {'200': {description: OK}}}
        components:
          x-items:
            A:
              servers: [{url: https://shared}]
              parameters:
                - {name: p, in: query, description: Shared, schema: {type: string}}
                - {name: q, in: query, schema: {type: string}}
              get: {operationId: shared, responses: {'200': {description: OK}}}
              put: {operationId: put, responses: {'200': {description: OK}}}
        """,
        version=version,
    )

    assert [(item.method, item.id) for item in found.operations] == [("GET", "own"), ("PUT", "put")]
    for item in found.operations:
        assert [(parameter.name, parameter.description) for parameter in item.parameters] == [
            ("p", "Own"),
            ("q", ""),
        ]
        assert item.servers[0].url == "https://shared"


def test_the_description_of_a_path_belongs_to_each_of_its_operations() -> None:
    """It is meant for all operations of the path (OAS 3.0.3 §4.7.9), so it follows their own."""
    found = api("""\
        paths:
          /a:
            description: Of the path
            get: {description: Own, responses: {'200': {description: OK}}}
            put: {responses: {'200': {description: OK}}}
          /b:
            summary: Short
            get: {responses: {'200': {description: OK}}}
        """)

    assert [item.description for item in found.operations] == ["Own\n\nOf the path", "Of the path", "Short"]


@pytest.mark.parametrize(
    ("written", "title"),
    [
        ("summary: Send it", "Send it"),
        ("summary: '', operationId: sendIt", "Send it"),
        ("summary: ' ', operationId: '/'", "List things"),
        ("operationId: issues/lock-for_ever", "Issues lock for ever"),
        ("description: d", "List things"),
    ],
)
def test_each_operation_has_a_title(written: str, title: str) -> None:
    """The summary, or words of the id, or method and path."""
    found = api(f"paths: {{/things: {{get: {{{written}, {OK}}}}}}}\n").operations[0]

    assert found.title == title


def test_an_operation_without_id_gets_one_of_method_and_path() -> None:
    """The made id is the same in each build and says that it was made."""
    found = api(f"paths: {{'/v1/a/{{id}}': {{get: {{{OK}}}}}}}\n").operations[0]

    assert (found.id, found.id_is_declared) == ("get-v1-a-id", False)
    assert generate_operation_id("GET", "/") == "get"
    assert generate_operation_id("POST", "/日本/a b") == "post-日本-a-b"


def test_made_ids_are_unique() -> None:
    """Paths that differ in punctuation only do not share an id, nor do they take a declared one."""
    found = api(f"""\
        paths:
          /a-b: {{get: {{{OK}}}}}
          /a/b: {{get: {{{OK}}}}}
          /a.b: {{get: {{{OK}}}}}
          /c: {{get: {{operationId: get-a-b-2, {OK}}}}}
        """)

    assert [item.id for item in found.operations] == ["get-a-b", "get-a-b-3", "get-a-b-4", "get-a-b-2"]


def test_internal_parts_never_reach_the_model() -> None:
    """`x-internal: true` removes a part wherever it stands, also behind a reference."""
    found = api("""\
        paths:
          /a:
            get: {x-internal: true, responses: {'200': {description: SECRET}}}
            put:
              parameters:
                - {name: SECRET, in: query, x-internal: true}
                - {$ref: '#/components/parameters/P'}
              responses:
                '200':
                  description: OK
                  headers: {SECRET: {x-internal: true, schema: {type: string}}}
                  content:
                    text/plain:
                      examples: {SECRET: {x-internal: true, value: SECRET}, open: {value: a}}
                    application/SECRET: {x-internal: true}
                '500': {x-internal: true, description: SECRET}
                '501': {$ref: '#/paths/~1a/put/responses/200', x-internal: true, description: SECRET}
              requestBody: {x-internal: true, description: SECRET}
              security: [{SECRET: []}, {open: []}, {open: [], SECRET: []}]
              servers: [{url: https://SECRET, x-internal: true}, {url: https://open}]
              externalDocs: {url: https://SECRET, x-internal: true}
              callbacks:
                SECRET: {x-internal: true, 'https://a': {post: {responses: {'200': {description: OK}}}}}
            post:
              requestBody:
                content:
                  multipart/form-data:
                    schema: {properties: {SECRET: {x-internal: true}, a: {}}}
                    encoding: {SECRET: {contentType: a/b}, a: {x-internal: true, contentType: SECRET/a}}
                    itemEncoding: {x-internal: true, contentType: SECRET/a}
              responses: {'200': {description: OK, links: {SECRET: {x-internal: true, description: SECRET}}}}
          /b: {parameters: [{name: SECRET, in: query, x-internal: true}], get: {responses: {}}}
          /SECRET: {x-internal: true, get: {responses: {'200': {description: OK}}}}
          /SECRET/ref: {$ref: '#/components/pathItems/P'}
        webhooks:
          SECRET: {x-internal: true, post: {responses: {'200': {description: OK}}}}
        components:
          parameters: {P: {name: SECRET, in: query, x-internal: true}}
          securitySchemes:
            SECRET: {type: apiKey, in: header, name: SECRET, x-internal: true}
            open: {type: apiKey, in: header, name: K}
          pathItems: {P: {x-internal: true, get: {responses: {'200': {description: OK}}}}}
        """)

    assert [item.method for item in found.operations] == ["PUT", "POST", "GET"]
    assert [[use.scheme for use in item] for item in found.operations[0].security] == [["open"]]
    assert "SECRET" not in repr(found)


def test_an_operation_for_internal_credentials_alone_is_not_published() -> None:
    """Without its only alternative it would look public, so it goes too, and that is said."""
    text = """\
        paths:
          /a: {get: {security: [{hidden: []}], responses: {}}, put: {responses: {}}}
          /b: {get: {security: [], responses: {}}}
        security: [{hidden: []}]
        components: {securitySchemes: {hidden: {type: http, scheme: bearer, x-internal: true}}}
        """

    assert [item.path for item in contract(text).api.operations] == ["/b"]
    assert [(rule, where) for rule, where, _ in reading_findings(text)] == [
        ("contract-internal", "4:8"),
        ("contract-internal", "4:56"),
    ]


@pytest.mark.parametrize(
    ("written", "successor"),
    [
        ("x-successor-operation-id: new", "new"),
        ("x-successor: POST /v2", "new"),
        ("x-replaced-by: https://example.com/new", "https://example.com/new"),
        ("x-successorOperationId: gone", "gone"),
    ],
)
def test_a_deprecated_operation_names_its_successor(written: str, successor: str) -> None:
    """By id, by method and path, or by whatever its author found fit."""
    found = api(f"""\
        paths:
          /v1: {{post: {{deprecated: true, x-sunset: '2027-01-01', {written}, {OK}}}}}
          /v2: {{post: {{operationId: new, {OK}}}}}
        """).operations[0]

    assert (found.successor, found.sunset) == (successor, "2027-01-01")


def test_operations_inherit_the_stability_of_their_path() -> None:
    """Unmarked parts inherit; the operation's own mark wins."""
    found = api(f"""\
        paths:
          /a: {{x-stability-level: beta, get: {{{OK}}}, put: {{x-stability-level: stable, {OK}}}}}
        webhooks:
          w: {{x-stability-level: draft, post: {{{OK}}}}}
        """)

    assert [item.stability for item in found.operations] == ["beta", "stable"]
    assert found.webhooks[0].operations[0].stability == "draft"


@pytest.mark.parametrize(
    ("own", "of_path", "description"),
    [
        ("summary: {long}, description: '{long} '", "", "{long}"),
        ("summary: {long}, description: {long} Of all.", "", "{long}\n\n{long} Of all."),
        ("summary: {long}", "{long}", "{long}"),
        ("description: Own", "Own.", "Own"),
        ("summary: Short, description: ' '", "", ""),
    ],
)
def test_a_text_is_shown_once(own: str, of_path: str, description: str) -> None:
    """Generators write a long summary as description too, and what is on the path at each operation."""
    long = f"Represents one of the {'very ' * 20}many things that there are."
    path_text = of_path.format(long=long)
    found = api(f"""\
        paths:
          /a:
            description: {path_text}
            get: {{{own.format(long=long)}, {OK}}}
        """).operations[0]

    assert found.description.strip() == description.format(long=long)


def test_an_event_is_called_by_its_name_where_the_summary_is_a_sentence() -> None:
    """Many events of one contract say the same; what they say comes before their description."""
    found = api("""\
        webhooks:
          thing.made: {post: {summary: 'Something was made.', description: More., responses: {}}}
          thing.gone: {post: {summary: Thing gone, description: More., responses: {}}}
        """)

    made, gone = (webhook.operations[0] for webhook in found.webhooks)
    assert (made.title, made.description) == ("thing.made", "Something was made.\n\nMore.")
    assert (gone.title, gone.description) == ("Thing gone", "More.")


def test_events_with_the_same_summary_are_called_by_their_names() -> None:
    """However short it is: what many are called tells none from the others."""
    found = api("""\
        webhooks:
          made: {post: {summary: Something happened, description: More., responses: {}}}
          gone: {post: {summary: something happened, responses: {}}}
          lost: {post: {summary: This event occurs when it is lost, responses: {}}}
          kept: {post: {summary: Kept, responses: {}}}
          sold: {post: {summary: '[Some](/x) one sold', description: More., responses: {}}}
          paid: {post: {summary: Some `one` sold, responses: {}}}
        """)

    events = [webhook.operations[0] for webhook in found.webhooks]
    assert [(event.title, event.description) for event in events] == [
        ("made", "Something happened\n\nMore."),
        ("gone", "something happened"),
        ("lost", "This event occurs when it is lost"),
        ("Kept", ""),
        ("sold", "[Some](/x) one sold\n\nMore."),
        ("paid", "Some `one` sold"),
    ]


def test_extensions_among_x_webhooks_are_no_events() -> None:
    """As Speakeasy writes them; an event may have such a name."""
    text = f"x-webhooks: {{x-sdk-exclude: true, x-made: {{post: {{{OK}}}}}, x-docs: {{group: a}}}}\n"

    assert [webhook.name for webhook in api(text).webhooks] == ["x-made"]
    assert reading_findings(text) == []


@pytest.mark.parametrize(
    ("key", "version"), [("webhooks", "3.1.0"), ("x-webhooks", "3.0.3"), ("x-webhooks", "3.1.0")]
)
def test_webhooks_are_events(key: str, version: str) -> None:
    """The requests of an event have its name, and no path; a reference leads to them."""
    found = api(
        f"""\
        {key}:
          thing.made:
            post: {{requestBody: {{content: {{application/json: {{}}}}}}, {OK}}}
          thing.gone:
            $ref: '#/components/pathItems/gone'
        components: {{pathItems: {{gone: {{post: {{operationId: gone, {OK}}}}}}}}}
        """,
        version=version,
    )

    assert [webhook.name for webhook in found.webhooks] == ["thing.made", "thing.gone"]
    made, gone = (webhook.operations[0] for webhook in found.webhooks)
    assert (made.id, made.path, made.title, made.method) == ("thing.made", "", "thing.made", "POST")
    assert gone.id == "gone"
    assert str(found.webhooks[1].location) == "#/components/pathItems/gone"
    assert found.operations == ()


def test_callbacks_have_an_address_and_requests() -> None:
    """A callback is a name, a runtime expression and operations; shared ones are followed."""
    found = operation("""\
        responses: {'200': {description: OK}}
        callbacks:
          done:
            x-note: {post: {}}
            '{$request.body#/url}':
              post: {summary: Tell, responses: {'200': {description: OK}}}
          shared: {$ref: '#/paths/~1things/get/callbacks/done'}
        """)

    assert [(callback.name, callback.expression) for callback in found.callbacks] == [
        ("done", "{$request.body#/url}"),
        ("shared", "{$request.body#/url}"),
    ]
    request = found.callbacks[0].operations[0]
    assert (request.title, request.method, request.path) == ("Tell", "POST", "{$request.body#/url}")


def test_events_inherit_neither_security_nor_servers() -> None:
    """Both are those of the API; a request to somebody else's address has only what it states itself."""
    found = api(f"""\
        paths:
          /a:
            post:
              callbacks:
                c:
                  '{{$url}}':
                    post: {{{OK}}}
                    put: {{security: [{{key: []}}], servers: [{{url: https://own}}], {OK}}}
              {OK}
        webhooks:
          w:
            post: {{{OK}}}
            put: {{security: [{{}}], {OK}}}
        security: [{{key: []}}]
        servers: [{{url: https://root}}]
        components: {{securitySchemes: {{key: {{type: apiKey, in: header, name: K}}}}}}
        """)
    (operation_of_api,) = found.operations
    silent, stated = operation_of_api.callbacks[0].operations
    event, public = found.webhooks[0].operations

    assert (len(operation_of_api.security), len(operation_of_api.servers)) == (1, 1)
    assert (silent.security, silent.servers, event.security, event.servers) == ((), (), (), ())
    assert ([len(item) for item in stated.security], stated.servers[0].url) == ([1], "https://own")
    assert public.security == ((),)


def test_callbacks_that_lead_to_themselves_end() -> None:
    """An operation that is its own callback is read once."""
    found = api("""\
        paths:
          /a:
            post:
              responses: {'200': {description: OK}}
              callbacks: {again: {'{$url}': {$ref: '#/paths/~1a'}}}
        """).operations[0]

    assert found.callbacks == ()


def test_callbacks_that_lead_to_each_other_end_soon() -> None:
    """Eight callbacks that each have all of the others are not read in every order."""
    names = [f"c{number}" for number in range(8)]
    callbacks = ", ".join(f"{name}: {{$ref: '#/components/callbacks/{name}'}}" for name in names)
    shared = "".join(
        f"    {name}: {{'{{$url}}': {{post: {{callbacks: {{{callbacks}}}, {OK}}}}}}}\n" for name in names
    )
    text = (
        f"paths: {{/a: {{post: {{callbacks: {{{callbacks}}}, {OK}}}}}}}\ncomponents:\n  callbacks:\n{shared}"
    )

    assert repr(api(text)).count("'POST'") < 1000


@pytest.mark.parametrize(
    ("text", "where"),
    [
        ("paths: {/a: {get: 1}}", "3:14"),
        ("paths: {/a: {get: null}}", "3:14"),
        ("paths: {/a: [1]}", "3:9"),
        ("paths: {/a: text}", "3:9"),
        ("paths: {/a: {parameters: {}, get: {responses: {}}}}", "3:14"),
        ("paths: {/a: {get: {responses: []}}}", "3:20"),
        ("paths: {/a: {get: {responses: {'200': 1}}}}", "3:32"),
        ("paths: {/a: {get: {tags: a}}}", "3:20"),
        ("paths: {/a: {get: {tags: [1]}}}", "3:27"),
        ("paths: {/a: {get: {deprecated: 'yes'}}}", "3:20"),
        ("paths: {/a: {get: {summary: [a]}}}", "3:20"),
        ("paths: {/a: {get: {requestBody: []}}}", "3:20"),
        ("paths: {/a: {get: {callbacks: []}}}", "3:20"),
        ("paths: {/a: {get: {callbacks: {a: 1}}}}", "3:32"),
        ("paths: {/a: {get: {callbacks: {a: {b: 1}}}}}", "3:36"),
        ("paths: {/a: {get: {x-codeSamples: {}}}}", "3:20"),
        ("paths: {/a: {get: {servers: {}}}}", "3:20"),
        ("paths: {/a: {get: {externalDocs: text}}}", "3:20"),
        ("webhooks: []", "3:1"),
        ("webhooks: {a: 1}", "3:12"),
    ],
)
def test_each_malformed_part_is_a_finding_at_its_place(text: str, where: str) -> None:
    """A value of the wrong kind is reported where it stands, and read as if it were absent."""
    good = f"x-webhooks: {{fine: {{post: {{{OK}}}}}}}"

    assert [(rule, place) for rule, place, _ in reading_findings(f"{text}\n{good}\n")] == [
        ("contract-shape", where)
    ]


def test_a_level_of_stability_that_does_not_exist_is_found() -> None:
    """An unknown level is reported and counts as none."""
    text = f"paths: {{/a: {{get: {{x-stability-level: gamma, {OK}}}}}}}\n"

    assert [(rule, message) for rule, _, message in reading_findings(text)] == [
        ("contract-stability", "'gamma' is not a stability level")
    ]
    assert contract(text).api.operations[0].stability is Stability.STABLE
