"""A command that sends a recorded request again: to be pasted into a shell that has DEVPORTAL_TOKEN set."""

import base64
import gzip
import re
import shlex
from collections.abc import Iterator

from devportal.conformance.deployment.credentials import NAME_PATTERN
from devportal.conformance.deployment.exchange import Request
from devportal.conformance.results.shell_values import MARKS, expand_mark
from devportal.conformance.run.replay import without_tool_headers

LONGEST_BODY_BYTES = 8192
_LONGEST_TEXT = 1000
"""A longer text is compressed: thousands of characters in a terminal hide the rest of the report."""
WRITTEN_BY_CURL = frozenset({"host", "content-length", "connection", "accept-encoding"})
_PLACEHOLDERS = re.compile(
    rf"(?P<base64>\$\{{{NAME_PATTERN}%\?\}}|\$\{{{NAME_PATTERN}\}}x|\${NAME_PATTERN})_BASE64"
    rf"|(?P<value>\$\{{{NAME_PATTERN}(?:%\?|#\* |#\*:|%%:\*)\}}|\${NAME_PATTERN})"
)
"""How `masking.Placeholder` writes what stands for a secret."""


def curl_command(request: Request) -> str:
    """Return the command, or a comment in its place if the body is too long for one."""
    request = without_tool_headers(request)
    if not request.complete or len(request.body or b"") > LONGEST_BODY_BYTES:
        return f"# {request.method} {request.url} with a body too long to paste: see the JSON report"
    words = ["curl", "-sS", "-i", "--globoff", "--path-as-is"]
    words += ["-I"] if request.method == "HEAD" else ["-X", shlex.quote(request.method)]
    words.append(_shell_word(request.url))
    names = {name.lower() for name, _ in request.headers}
    for name, value in request.headers:
        if name.lower() not in WRITTEN_BY_CURL and (name.lower(), value) != ("accept", "*/*"):
            # A header without a value is written with a semicolon.
            words += ["-H", _shell_word(f"{name}: {value}" if value else f"{name};")]
    if request.body is None:
        return " ".join(words)
    if "content-type" not in names:
        words += ["-H", "'Content-Type:'"]
    text = _printable_body(request.body)
    if text is not None and (len(text) <= _LONGEST_TEXT or _PLACEHOLDERS.search(text) or MARKS.search(text)):
        return " ".join([*words, "--data-raw", _shell_word(text)])
    return f"{_piped_body(request.body)} | " + " ".join([*words, "--data-binary", "@-"])


def secret_variables(command: str) -> frozenset[str]:
    """Return the environment variables that a command needs."""
    return frozenset(re.findall(rf"\$\{{?({NAME_PATTERN})", command))


def wrap_command(command: str) -> str:
    """Return a command of several lines if it is too long for one, still to be pasted as it is."""
    if len(command) <= LONGEST_LINE:
        return command
    lines = [""]
    for option in _options(command):
        if lines[-1] and len(lines[-1]) + len(option) >= LONGEST_LINE:
            lines.append(_INDENT + option)
        else:
            lines[-1] = f"{lines[-1]} {option}" if lines[-1] else option
    return " \\\n".join(lines)


def _options(command: str) -> Iterator[str]:
    """Yield the parts of a command that belong together: an option with its value, a pipe with its command."""
    parts: list[str] = []
    for word in map(_split_word, _words(command)):
        if parts and (word.startswith("-") or word == "|"):
            yield " ".join(parts)
            parts = []
        parts.append(word)
    yield " ".join(parts)


def _words(command: str) -> Iterator[str]:
    """Yield the words of a command as they are written, with their quotes."""
    start, quote_mark = 0, ""
    for position, char in enumerate(command):
        if char in "'\"" and quote_mark in ("", char):
            quote_mark = "" if quote_mark else char
        elif char == " " and not quote_mark:
            yield command[start:position]
            start = position + 1
    yield command[start:]


def _split_word(word: str) -> str:
    """Return a word over several lines if it is too long for one and expands nothing."""
    found = _CONSTANT_WORD.fullmatch(word)
    if found is None or len(word) <= LONGEST_WORD:
        return word
    text = found["quoted"] or found["plain"]
    parts = (text[at : at + LONGEST_WORD] for at in range(0, len(text), LONGEST_WORD))
    return '"$(printf %s ' + f" \\\n{_INDENT}".join(f"'{part}'" for part in parts) + ')"'


LONGEST_LINE, LONGEST_WORD = 180, 150
"""Characters of a line of a command, and of a word in it."""
_INDENT = "        "
_CONSTANT_WORD = re.compile(r"'(?P<quoted>[^']+)'|(?P<plain>[A-Za-z0-9+/=:.,%_~@-]+)")


def _piped_body(body: bytes) -> str:
    """Return the commands that print a body, which is compressed if that makes them much shorter."""
    packed = gzip.compress(body, mtime=0)
    if len(packed) < len(body) // 2:
        return f"echo {base64.b64encode(packed).decode()} | base64 -d | gunzip"
    return f"echo {base64.b64encode(body).decode()} | base64 -d"


def _printable_body(body: bytes) -> str | None:
    """Return a body that a terminal can show and a shell can carry, None for any other."""
    try:
        text = body.decode("utf-8")
    except UnicodeDecodeError:
        return None
    return text if all(char.isprintable() for char in text) else None


def _shell_word(text: str) -> str:
    """Return a text as one shell word, in which each placeholder and each mark is the variable itself."""
    placeholders = [*_PLACEHOLDERS.finditer(text)]
    found = sorted((*placeholders, *MARKS.finditer(text)), key=lambda placeholder: placeholder.start())
    if (
        found
        and not any(placeholder["base64"] for placeholder in placeholders)
        and not set(text) & set('"`\\!')
    ):
        plain_text = _PLACEHOLDERS.sub("", text)
        if "$" not in plain_text:
            named = re.sub(rf"\$({NAME_PATTERN})(?=\w)", r"${\1}", text)
            return '"' + MARKS.sub(expand_mark, named) + '"'
    parts = []
    position = 0
    for match in found:
        before = text[position : match.start()]
        parts += [shlex.quote(before) if before else "", _expansion(match)]
        position = match.end()
    after = text[position:]
    return "".join([*parts, shlex.quote(after) if after else ""]) or "''"


def _expansion(match: re.Match[str]) -> str:
    if match.re is MARKS:
        return f'"{expand_mark(match)}"'
    if value := match["base64"]:
        return f'"$(printf %s "{value}" | base64 -w0)"'
    return f'"{match["value"]}"'
