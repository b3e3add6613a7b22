"""What single objects say that nobody can use: each mistake once, where it was made."""

import json
from pathlib import Path

import pytest

from devportal.contract import Contract
from devportal.contract.validate.object_rules import check_objects
from devportal.contract.wording import quote_value
from devportal.findings import Level
from tests.contract.inline import contract, write

OK = "responses: {'200': {description: OK}}"


def findings_of(read: Contract) -> list[tuple[str, str, str]]:
    """Return line:column, level and message of each finding."""
    found = list(check_objects(read))
    assert all(finding.help for finding in found)
    return [
        (f"{finding.place.line}:{finding.place.column}", str(finding.level), finding.message)
        for finding in found
    ]


def messages(text: str, *, version: str = "3.1.0") -> list[str]:
    """Return level and message of each finding in a contract."""
    return [f"{level}: {message}" for _, level, message in findings_of(contract(text, version=version))]


def of_operation(text: str) -> list[str]:
    """Return level and message of each finding in an operation."""
    return messages(f"paths: {{/a: {{post: {{operationId: a, {text}}}}}}}\n")


def test_security_is_told_where_it_is_asked_for() -> None:
    """Once at the root for all operations; the empty requirement needs no scheme."""
    read = contract(f"""\
        paths:
          /a: {{get: {{{OK}}}, put: {{security: [{{apiKey: [], no: []}}], {OK}}}}}
          /b: {{get: {{security: [{{}}], {OK}}}}}
        security: [{{apiKey: []}}, {{apikey: []}}]
        components: {{securitySchemes: {{apiKey: {{type: apiKey, in: query, name: k}}}}}}
        """)

    assert findings_of(read) == [
        ("6:27", "error", "the security scheme 'apikey' is not declared"),
        ("4:84", "error", "the security scheme 'no' is not declared"),
    ]
    assert next(check_objects(read)).help == "did you mean 'apiKey'?"


@pytest.mark.parametrize(("version", "count"), [("3.1.0", 1), ("3.2.0", 0)])
def test_security_may_name_a_scheme_by_its_uri_from_3_2_on(version: str, count: int) -> None:
    """OAS 3.2.0 §4.30."""
    assert len(messages("security: [{'https://example.com/key': []}]\n", version=version)) == count


def test_an_internal_scheme_is_declared() -> None:
    """That it is not published is another matter."""
    text = "security: [{k: []}, {}]\ncomponents: {securitySchemes: {k: {type: http, x-internal: true}}}\n"

    assert messages(text) == []


def test_a_path_names_each_parameter_once() -> None:
    """The second place could have no other value."""
    rows = findings_of(contract(f"paths: {{'/a/{{x}}/{{y}}/{{x}}': {{get: {{{OK}}}}}}}\n"))

    assert rows == [("3:9", "error", "the path '/a/{x}/{y}/{x}' names the parameter 'x' more than once")]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            "{url: 'https://{a}'}",
            "error: the server 'https://{a}' has no variable 'a', which its address names",
        ),
        (
            "{url: 'https://{a}', variables: {a: {default: x}, b: {default: y}}}",
            "warning: the address of this server does not name its variable 'b'",
        ),
        (
            "{url: 'https://{a}', variables: {a: {default: x, enum: [y]}}}",
            "error: the default 'x' is none of the values under 'enum'",
        ),
        (
            r'{url: "https://{a}", variables: {a: {default: "x\r\ny"}}}',
            r"error: 'x\r\ny' has a control character, which no address holds",
        ),
        (
            r'{url: "https://{a}", variables: {a: {default: x, enum: [x, "y\0"]}}}',
            r"error: 'y\x00' has a control character, which no address holds",
        ),
    ],
)
def test_an_address_and_its_variables_agree(text: str, expected: str) -> None:
    """They name the same, and a default is among the values."""
    assert messages(f"servers: [{text}]\n") == [expected]


def test_a_default_out_of_an_enum_was_allowed() -> None:
    """OAS 3.0 only advises against it."""
    text = "servers: [{url: 'https://{a}', variables: {a: {default: x, enum: [y]}}}]\n"

    assert messages(text, version="3.0.3") == ["warning: the default 'x' is none of the values under 'enum'"]


def test_a_link_leads_to_an_operation(tmp_path: Path) -> None:
    """Be it an event, one of another file, or an internal one; everything else is told."""
    links = (
        "a: {operationId: other}, b: {operationId: sent}, c: {operationId: hidden}, d: {operationId: othre}"
    )
    read = write(
        tmp_path,
        {
            "api.yaml": f"""\
                openapi: 3.1.0
                info: {{title: T, version: '1'}}
                paths:
                  /a: {{get: {{responses: {{'200': {{description: OK, links: {{{links}}}}}}}}}}}
                  /b: {{$ref: b.yaml}}
                  /c: {{get: {{x-internal: true, operationId: hidden, {OK}}}}}
                webhooks: {{w: {{post: {{operationId: sent, {OK}}}}}}}
                """,
            "b.yaml": f"get: {{operationId: other, {OK}}}\n",
        },
    )
    (finding,) = check_objects(read)

    assert finding.message == "no operation has the operationId 'othre' that this link leads to"
    assert (finding.level, finding.help) == (Level.ERROR, "did you mean 'other'?")


NOT_TOKENS = ("a\r\nX-Evil: 1", "a\nb", "a\0", "a\tb", "a b", "a:b", "a\x7f", "ü")
UNSENDABLE = (*NOT_TOKENS, "")
"""What is not a token (RFC 9110 §5.6.2). A parameter without a name is reported by its shape."""


def yaml_string(name: str) -> str:
    """Return a name as a YAML string in double quotes."""
    return json.dumps(name)


@pytest.mark.parametrize(
    ("text", "name"),
    [
        (text, name)
        for text, names in {
            "parameters: [{{name: {}, in: header, schema: {{}}}}], {}": NOT_TOKENS,
            "requestBody: {{content: {{a/b: {{encoding: {{p: {{headers: {{{}: {{}}}}}}}}}}}}}}, {}": UNSENDABLE,
            "responses: {{'200': {{description: OK, headers: {{{}: {{schema: {{}}}}}}}}}}": UNSENDABLE,
        }.items()
        for name in names
    ],
)
def test_a_header_has_a_name_that_can_be_sent(text: str, name: str) -> None:
    """RFC 9110 §5.1."""
    assert of_operation(text.format(yaml_string(name), OK)) == [
        f"error: HTTP allows no header with the name {name!r}"
    ]


@pytest.mark.parametrize("name", NOT_TOKENS)
def test_a_cookie_has_a_name_that_can_be_sent(name: str) -> None:
    """RFC 6265 §4.1.1."""
    parameter = f"parameters: [{{name: {yaml_string(name)}, in: cookie, schema: {{}}}}], {OK}"

    assert of_operation(parameter) == [f"error: HTTP allows no cookie with the name {name!r}"]


def scheme(text: str) -> list[str]:
    """Return level and message of each finding in a security scheme."""
    return messages(f"components: {{securitySchemes: {{s: {{{text}}}}}}}\n")


@pytest.mark.parametrize("name", UNSENDABLE)
def test_a_security_scheme_can_be_sent(name: str) -> None:
    """RFC 9110 §11.1: the name of the scheme; and where an API key travels, the name of that."""
    assert scheme(f"type: http, scheme: {yaml_string(name)}") == [
        f"error: HTTP allows no authentication scheme with the name {name!r}"
    ]
    for place in ("header", "cookie"):
        assert scheme(f"type: apiKey, in: {place}, name: {yaml_string(name)}") == [
            f"error: HTTP allows no {place} with the name {name!r}"
        ]
    assert scheme(f"type: apiKey, in: query, name: {yaml_string(name)}") == []


@pytest.mark.parametrize("name", ["bearer", "Digest", "x-own.1"])
def test_schemes_of_any_name_are_fine(name: str) -> None:
    """All that is a token."""
    assert scheme(f"type: http, scheme: {name}") == []


@pytest.mark.parametrize("name", ["X-A", "x_a.b", "$a", "!#%&'*+^`|~1"])
def test_a_header_may_have_odd_names(name: str) -> None:
    """All that is a token; a parameter elsewhere is called as it likes."""
    header = f'{{name: "{name}", in: header, schema: {{}}}}, {{name: "ü {name}", in: query, schema: {{}}}}'

    assert of_operation(f"parameters: [{header}], {OK}") == []


@pytest.mark.parametrize(
    "name",
    [
        *("json", "application/", "application/json, text/xml", "a b/c", "", "a/b; c", "a/b; c=d e", "ü/b"),
        *("a/b\r\nX-Evil: 1", "a/b\n", "a/b;\r\nX-Evil=1", 'a/b; c="\n"', "a\0/b", 'a/b; c="', "a/b;\x7f"),
        "a/b" + "; " * 60 + "x",
    ],
)
def test_content_is_of_a_media_type(name: str) -> None:
    """Anything else is never sent."""
    (message,) = of_operation(f"requestBody: {{content: {{{yaml_string(name)}: {{}}}}}}, {OK}")

    assert message == f"error: {quote_value(name)} is not a media type"


@pytest.mark.parametrize(
    "name",
    [
        *(
            "*/*",
            "text/*",
            "a/b; charset=utf-8",
            "application/vnd.a.v1+json;v=1",
            " a/b ",
            "a/b ;c=d;",
            "a/b; ;",
        ),
        *('a/b; c="d;\\" e,"', "a/b\t; c=d"),
    ],
)
def test_ranges_and_parameters_of_media_types_are_fine(name: str) -> None:
    """RFC 9110 §5.6.6, §8.3.1, §12.5.1."""
    assert of_operation(f"requestBody: {{content: {{{yaml_string(name)}: {{}}}}}}, {OK}") == []


def encoding(content_type: str) -> list[str]:
    """Return level and message of each finding in the encoding of a part."""
    part = f"{{encoding: {{p: {{contentType: {yaml_string(content_type)}}}}}}}"
    return of_operation(f"requestBody: {{content: {{multipart/form-data: {part}}}}}, {OK}")


@pytest.mark.parametrize("name", ["json", "a/b\r\nX-Evil: 1", "a/b, c", "a/b,", "a/b, c/d\0"])
def test_a_part_is_of_media_types(name: str) -> None:
    """The type of a part stands in a header of its own (OAS 3.0.3 §4.7.15)."""
    assert encoding(name) == [f"error: {name!r} is not a media type"]


@pytest.mark.parametrize("name", ["a/b", "image/png, image/*", 'a/b; c="d,e", f/g'])
def test_a_part_may_be_of_several_media_types(name: str) -> None:
    """A list with commas."""
    assert encoding(name) == []


@pytest.mark.parametrize(
    "key",
    ["no address", "{callbackUrl}", "{request.body#/url}", "$request.cookie.a", "$", "{$request.body.url}"],
)
def test_a_callback_says_where_it_is_sent_to(key: str) -> None:
    """By a runtime expression (OAS 3.1.1 §4.8.20.4), or with some in an address."""
    callback = f"callbacks: {{c: {{'{key}': {{post: {{{OK}}}}}}}}}, {OK}"

    assert of_operation(callback) == [f"warning: {key!r} is not an address that a callback can be sent to"]


@pytest.mark.parametrize(
    "key",
    [
        "$url",
        "$request.body#/a/b",
        "{$request.body#/url}?id={$request.query.id}",
        "https://example.com/{$response.header.X-Id}/{$statusCode}",
        "/done",
        "x-note",
    ],
)
def test_addresses_of_callbacks_are_fine(key: str) -> None:
    """Whole expressions, expressions in addresses, and addresses without any."""
    assert of_operation(f"callbacks: {{c: {{'{key}': {{post: {{{OK}}}}}}}}}, {OK}") == []


@pytest.mark.parametrize("text", ["{type: string, pattern: '(a'}", "{patternProperties: {'(a': {}}}"])
def test_a_pattern_that_nobody_can_read_is_found(text: str) -> None:
    """Values would not be held to it, without a word."""
    assert messages(f"components: {{schemas: {{S: {text}}}}}\n") == [
        "warning: '(a' cannot be read as a regular expression, so nothing is held to it"
    ]


@pytest.mark.parametrize(
    "pattern", ["^(?!a)b$", "(?<n>a)\\k<n>", "\\p{L}+", "(?i)a", "(?<=a)b", "[\\w-.]", ""]
)
def test_the_dialects_of_patterns_are_fine(pattern: str) -> None:
    """What one engine can read is somebody's regular expression."""
    assert messages(f"components: {{schemas: {{S: {{type: string, pattern: '{pattern}'}}}}}}\n") == []
