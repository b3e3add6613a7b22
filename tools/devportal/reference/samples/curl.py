"""Samples for curl, in POSIX shell."""

import json
import re
import shlex
from dataclasses import replace
from typing import assert_never
from urllib.parse import quote

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

MAX_LINE_WIDTH = 60
"""A first line of more characters is cut where samples are shown; its address moves to the next."""
_METHODS = {"GET": "", "HEAD": " --head"}


def write(request: SampleRequest) -> str:
    """Return the command."""
    method = _METHODS.get(request.method, f" --request {shlex.quote(request.method)}")
    secret = [one for one in request.query if any(isinstance(word, Secret) for word in one[1])]
    known = replace(request, query=tuple(one for one in request.query if one not in secret))
    command, address = f"curl{method}", _shell_word(known.full_url)
    lines = [f"{command} {address}"] if len(command) + len(address) < MAX_LINE_WIDTH else [command, address]
    lines += [_url_query_option(name, value) for name, value in secret]
    if request.basic is not None:
        lines.append(f"--user {_shell_word((request.basic.username, ':', request.basic.password))}")
    if request.has_certificate:
        lines.append(f"--cert {CERTIFICATE_FILE} --key {CERTIFICATE_KEY_FILE}")
    lines += [_header_option(name, value) for name, value in request.headers]
    if request.body is not None:
        lines += _body_options(request.body)
    return " \\\n  ".join(lines)


def _url_query_option(name: str, value: TextOrSecrets) -> str:
    """Return the option for a value from the environment: curl encodes it, from 7.87 on."""
    return f"--url-query {_shell_word((quote(name, safe='') + '=', *value))}"


def _header_option(name: str, value: TextOrSecrets) -> str:
    """Return the option for a header; curl wants a semicolon where there is no value."""
    is_empty = not "".join(map(str, value))
    return f"--header {shlex.quote(f'{name};') if is_empty else _shell_word((f'{name}: ', *value))}"


_PLAIN_DOUBLE_QUOTED = re.compile(r"[^\\\"$`!\x00-\x1f]*")
"""Text that means the same within double quotes."""


def _shell_word(words: TextOrSecrets) -> str:
    """Return one word for the shell, with the environment's values put in."""
    if len(words) == 1 and isinstance(words[0], str):
        return shlex.quote(words[0])
    if all(_PLAIN_DOUBLE_QUOTED.fullmatch(one) for one in words if isinstance(one, str)):
        return '"' + "".join(_double_quoted_pieces(words)) + '"'
    return "".join(
        f'"${one.variable}"' if isinstance(one, Secret) else shlex.quote(one) for one in words if one
    )


def _double_quoted_pieces(words: TextOrSecrets) -> list[str]:
    """Return the words as they stand within double quotes."""
    after = (*words[1:], "")
    return [
        one if isinstance(one, str) else _shell_variable(one, following)
        for one, following in zip(words, after, strict=True)
    ]


def _shell_variable(secret: Secret, following: str | Secret) -> str:
    runs_on = isinstance(following, str) and re.match(r"\w", following)
    return f"${{{secret.variable}}}" if runs_on else f"${secret.variable}"


def _body_options(body: Body) -> list[str]:
    match body:
        case JsonBody():
            return _data_options(body.media_type, json.dumps(body.value, ensure_ascii=False, indent=2))
        case TextBody():
            return _data_options(body.media_type, body.text)
        case FormBody():
            return [_form_field_option(quote(name, safe="[]"), value) for name, value in body.pairs]
        case MultipartBody():
            return [_form_part_option(part) for part in body.parts]
        case FileBody():
            return [
                _header_option("Content-Type", (body.media_type,)),
                f"--data-binary {shlex.quote('@' + body.name)}",
            ]
    assert_never(body)


def _form_field_option(name: str, value: str) -> str:
    """Return the option for a field of a form: curl encodes its value, but no shell can hand it NUL."""
    is_encoded = "\0" in value
    option = "--data-raw" if is_encoded else "--data-urlencode"
    return f"{option} {shlex.quote(f'{name}={quote(value) if is_encoded else value}')}"


def _data_options(media_type: str, text: str) -> list[str]:
    """Return the options for a body as it is: `--data-raw` takes no leading `@` for a file."""
    return [_header_option("Content-Type", (media_type,)), f"--data-raw {shlex.quote(text)}"]


_NEEDS_QUOTES = re.compile(r'[,;"]|^\s|\s$')
"""What ends the name of a file in a form, or is dropped from it, unless the name is in quotes."""


def _form_part_option(part: MultipartPart) -> str:
    kind = f";type={part.media_type}" if part.media_type else ""
    marked = '"' + re.sub(r'["\\]', r"\\\g<0>", part.value) + '"'
    if part.is_file:
        file = marked if _NEEDS_QUOTES.search(part.value) else part.value
        return f"--form {shlex.quote(f'{part.name}=@{file}{kind}')}"
    if not kind:
        return f"--form-string {shlex.quote(f'{part.name}={part.value}')}"
    return f"--form {shlex.quote(f'{part.name}={marked}{kind}')}"
