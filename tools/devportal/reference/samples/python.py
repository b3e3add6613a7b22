"""Samples for Python, with the Requests library."""

import pprint
from typing import Any

from devportal.contract import In
from devportal.reference.samples.request import PLACEHOLDER, SampleRequest


def write(request: SampleRequest) -> str:
    """Return the program."""
    imports = ["import os", "", "import requests"] if request.credential else ["import requests"]
    arguments = [repr_text(request.url), *_arguments(request)]
    verb = request.method.lower()
    known = verb in {"get", "post", "put", "patch", "delete", "head", "options"}
    call = f"requests.{verb}("
    if not known:
        call = "requests.request("
        arguments.insert(0, repr_text(request.method))
    lines = [*imports, "", f"response = {call}"]
    lines += [f"    {argument}," for argument in arguments]
    lines += ["    timeout=10,", ")", "response.raise_for_status()", "print(response.text)"]
    return "\n".join(lines)


def _arguments(request: SampleRequest) -> list[str]:
    arguments = []
    query = [f"({repr_text(name)}, {repr_text(value)})" for name, value in request.query]
    headers = [f"{repr_text(name)}: {repr_text(value)}" for name, value in request.headers]
    credential = request.credential
    if credential is not None and credential.is_basic:
        arguments.append(f'auth=tuple(os.environ["{PLACEHOLDER}"].split(":", 1))')
    elif credential is not None and credential.carrier is In.QUERY:
        query.append(f'({repr_text(credential.name)}, os.environ["{PLACEHOLDER}"])')
    elif credential is not None:
        value = f'os.environ["{PLACEHOLDER}"]'
        if credential.prefix:
            value = f"f\"{credential.prefix}{{os.environ['{PLACEHOLDER}']}}\""
        headers.insert(0, f"{repr_text(credential.name)}: {value}")
    if query:
        arguments.append(f"params=[{', '.join(query)}]")
    body = _body(request, headers)
    if headers:
        arguments.append(f"headers={{{', '.join(headers)}}}")
    return arguments + body


def _body(request: SampleRequest, headers: list[str]) -> list[str]:
    if request.has_json:
        if request.media_type != "application/json":
            headers.append(f'"Content-Type": {repr_text(request.media_type)}')
        return [f"json={_literal(request.json)}"]
    if request.form:
        pairs = [f"        ({repr_text(name)}, {repr_text(value)}),\n" for name, value in request.form]
        return [f"data=[\n{''.join(pairs)}    ]"]
    if request.parts:
        pairs = [
            f'        {repr_text(name)}: open({repr_text(value)}, "rb"),\n'
            if is_file
            else f"        {repr_text(name)}: (None, {repr_text(value)}),\n"
            for name, value, is_file in request.parts
        ]
        return [f"files={{\n{''.join(pairs)}    }}"]
    if request.media_type:
        headers.append(f'"Content-Type": {repr_text(request.media_type)}')
        return [f"data={repr_text(request.raw)}.encode()"]
    return []


def repr_text(text: str) -> str:
    """Return a Python literal in double quotes."""
    quoted = repr(text)
    if quoted.startswith("'") and '"' not in text:
        return f'"{quoted[1:-1]}"'
    return quoted


def _literal(value: Any) -> str:
    """Return a value as a Python literal, indented for an argument."""
    return _written(value, 1)


def _written(value: Any, depth: int) -> str:
    indent, end = "    " * (depth + 1), "    " * depth
    if isinstance(value, dict) and value:
        members = "".join(
            f"{indent}{repr_text(str(key))}: {_written(item, depth + 1)},\n" for key, item in value.items()
        )
        return f"{{\n{members}{end}}}"
    if isinstance(value, list) and value:
        items = "".join(f"{indent}{_written(item, depth + 1)},\n" for item in value)
        return f"[\n{items}{end}]"
    return repr_text(value) if isinstance(value, str) else pprint.pformat(value)
