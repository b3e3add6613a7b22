"""Samples for Python, with the Requests library."""

from typing import Any, assert_never

from devportal.reference.samples.request import (
    CERTIFICATE_FILE,
    CERTIFICATE_KEY_FILE,
    Body,
    FileBody,
    FormBody,
    JsonBody,
    MultipartBody,
    MultipartPart,
    SampleRequest,
    Secret,
    TextBody,
    TextOrSecrets,
)

_REQUESTS_METHODS = frozenset({"get", "post", "put", "patch", "delete", "head", "options"})


def write(request: SampleRequest) -> str:
    """Return the program."""
    arguments = [python_literal(request.url), *_call_arguments(request)]
    verb = request.method.lower()
    call = f"requests.{verb}("
    if verb not in _REQUESTS_METHODS:
        call = "requests.request("
        arguments.insert(0, python_literal(request.method))
    lines = ["import requests", "", f"response = {call}"]
    lines += [f"    {argument}," for argument in arguments]
    lines += ["    timeout=10,", ")", "response.raise_for_status()", "print(response.text)"]
    return "\n".join(["import os", "", *lines] if _has_secret(request) else lines)


def _has_secret(request: SampleRequest) -> bool:
    values = [value for _, value in (*request.query, *request.headers)]
    return request.basic is not None or any(isinstance(one, Secret) for value in values for one in value)


def _call_arguments(request: SampleRequest) -> list[str]:
    arguments = []
    if request.basic is not None:
        name, password = (
            _environment_variable(request.basic.username),
            _environment_variable(request.basic.password),
        )
        arguments.append(f"auth=({name}.encode(), {password}.encode())")  # a text would become Latin-1
    if request.has_certificate:
        arguments.append(f"cert=({python_literal(CERTIFICATE_FILE)}, {python_literal(CERTIFICATE_KEY_FILE)})")
    if request.query:
        pairs = [f"({python_literal(name)}, {_expression(value)})" for name, value in request.query]
        arguments.append(f"params=[{', '.join(pairs)}]")
    body, media_type = _body_argument(request.body) if request.body is not None else ("", "")
    headers = [f"{python_literal(name)}: {_expression(value)}" for name, value in request.headers]
    if media_type:
        headers.append(f'"Content-Type": {python_literal(media_type)}')
    if headers:
        arguments.append(_argument_list("headers=", "{", headers, "}"))
    return [*arguments, body] if body else arguments


def _argument_list(name: str, opening: str, items: list[str], closing: str) -> str:
    """Return an argument on one line where it fits, or else one line per item."""
    short = f"{name}{opening}{', '.join(items)}{closing}"
    if len(short) <= 80 and len(items) < 3:
        return short
    return f"{name}{opening}\n" + "".join(f"        {item},\n" for item in items) + f"    {closing}"


def _body_argument(body: Body) -> tuple[str, str]:
    """Return the argument for the body, and the media type to name in a header."""
    match body:
        case JsonBody(value=None):
            return 'data="null"', body.media_type  # json=None would mean no body
        case JsonBody():
            return f"json={_json_literal(body.value, 1)}", _media_type_unless(
                body.media_type, "application/json"
            )
        case TextBody():
            return f"data={_multiline_literal(body.text)}.encode()", body.media_type
        case FormBody():
            pairs = "".join(
                f"        ({python_literal(name)}, {python_literal(value)}),\n" for name, value in body.pairs
            )
            return f"data=[\n{pairs}    ]", ""
        case MultipartBody():
            parts = "".join(f"        {_file_argument(part)},\n" for part in body.parts)
            return f"files=[\n{parts}    ]", ""
        case FileBody():
            return f'data=open({python_literal(body.name)}, "rb")', body.media_type
    assert_never(body)


def _media_type_unless(media_type: str, implied: str) -> str:
    return "" if media_type == implied else media_type


def _file_argument(part: MultipartPart) -> str:
    content = f'open({python_literal(part.value)}, "rb")' if part.is_file else python_literal(part.value)
    file = python_literal(part.value) if part.is_file else "None"
    kind = f", {python_literal(part.media_type)}" if part.media_type else ""
    return f"({python_literal(part.name)}, ({file}, {content}{kind}))"


def _expression(words: TextOrSecrets) -> str:
    """Return an expression for a text with the environment's values put in."""
    if not words:
        return '""'
    return " + ".join(
        _environment_variable(one) if isinstance(one, Secret) else python_literal(one) for one in words
    )


def _environment_variable(secret: Secret) -> str:
    return f'os.environ["{secret.variable}"]'


def python_literal(text: str) -> str:
    """Return a Python literal, in double quotes where the text has none."""
    quoted = repr(text)
    if quoted.startswith("'") and '"' not in text:
        return f'"{quoted[1:-1]}"'
    return quoted


def _multiline_literal(text: str) -> str:
    """Return a text of several lines as such, unless it has what must be escaped there."""
    lines = text.split("\n")
    plain = all(line.isprintable() and "\\" not in line and '"""' not in line for line in lines)
    return f'"""{text}"""' if plain and len(lines) > 1 and not text.endswith('"') else python_literal(text)


def _json_literal(value: Any, depth: int) -> str:
    """Return a JSON value as a Python literal, indented for an argument."""
    indent, end = "    " * (depth + 1), "    " * depth
    if isinstance(value, dict) and value:
        members = "".join(
            f"{indent}{python_literal(str(key))}: {_json_literal(item, depth + 1)},\n"
            for key, item in value.items()
        )
        return f"{{\n{members}{end}}}"
    if isinstance(value, list) and value:
        items = "".join(f"{indent}{_json_literal(item, depth + 1)},\n" for item in value)
        return f"[\n{items}{end}]"
    return python_literal(value) if isinstance(value, str) else repr(value)
