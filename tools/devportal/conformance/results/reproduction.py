"""What reproduces a failure: one command, or a script that sends all of its requests in their order.

A script takes what one request needs of an earlier response, such as the identifier of a created resource,
from the new response. Secrets come from the environment.
"""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from math import ceil
from urllib.parse import quote

from devportal.conformance.deployment.exchange import Exchange, HttpResponse, Request, parse_json_or_none
from devportal.conformance.results.curl import curl_command, secret_variables
from devportal.conformance.results.result import WEBHOOK_PREFIX, Failure, Standing
from devportal.conformance.results.shell_values import Captured, is_encoded_in_urls
from devportal.conformance.run.replay import ENDS_IN_ID, SHORTEST_VALUE, text_leaves
from devportal.contract.conventions import default_conventions, matches_any_name
from devportal.reporting.printable import printable_text

LONGEST = 40_000
"""Code points of a script."""
CAPTURED_HEADERS = ("location", "etag")
ACCEPTED = 202
SURELY_UNIQUE = 8
"""A value as long is meant wherever it is in an address."""
SHORTEST_PAUSE_S, LONGEST_PAUSE_S = 0.5, 5.0
"""Shorter pauses between requests are left out, longer ones are shortened."""
_SIMPLE_NAME = re.compile(r"[A-Za-z0-9_.-]+")
_RUN, _USES_RUN = "run=$(printf %04x%04x $RANDOM $RANDOM)", "${run}"
_HELPERS = {
    # The N-th member of a name in the last response, a header of it, a text percent-encoded.
    "member": r"""member() { printf %s "$response" | tr -d '\r\n' | """
    r"""grep -oE "\"$1\" *: *(\"([^\"\\\\]|\\\\.)*\"|[-0-9.eE+]+)" | """
    r"""sed -n "$2p" | sed -E 's/^"[^"]*" *: *//; s/^"(.*)"$/\1/'; }""",
    "header": r"""header() { printf '%s\n' "$response" | tr -d '\r' | """
    r"""grep -i "^$1:" | head -n 1 | sed 's/^[^:]*: *//'; }""",
    "encoded": r"""encoded() { printf %s "$1" | od -An -tx1 -v | tr -d ' \n' | sed 's/../%&/g'; }""",
}


def reproduce_commands(failure: Failure) -> tuple[str, ...]:
    """Return what reproduces a failure: a command if one request shows it, else a script for bash. Comments
    say why it may not show.
    """
    evidence = tuple(exchange for exchange in failure.evidence if not _is_delivery(failure, exchange))
    limit = reproduction_limit(failure)
    if len(evidence) == 1 and not limit:
        command = curl_command(_with_new_keys(evidence[0].request))
        return (printable_text(f"{_RUN}; {command}" if _USES_RUN in command else command, LONGEST),)
    if not evidence:
        return (f"# {limit}",) if limit else ()
    return (printable_text("\n".join(_script_lines(failure, evidence, limit)), LONGEST),)


def reproduction_limit(failure: Failure) -> str:
    """Return why requests alone may not reproduce a failure, empty if they do."""
    if failure.check.startswith(WEBHOOK_PREFIX):
        return (
            "the deployment sends the deliveries itself: to see them again, run the command with the same "
            "`webhooks` in the settings"
        )
    if failure.check == "latency":
        return "one request does not show a percentile: send it 20 times"
    if failure.standing in (Standing.INTERMITTENT, Standing.NOT_REPRODUCED):
        return "the failure comes and goes: repeat this until it shows"
    if any(map(_are_at_once, failure.evidence, failure.evidence[1:])):
        return (
            "the requests have to arrive at the same time: repeat this if the failure does not show at once"
        )
    return ""


def _is_delivery(failure: Failure, exchange: Exchange) -> bool:
    """Return whether the deployment sent a request, to the receiver of the run."""
    return failure.check.startswith(WEBHOOK_PREFIX) and not exchange.operation


def _are_at_once(first: Exchange, second: Exchange) -> bool:
    """Return whether a request was sent again before the response to it came."""
    is_same = first.request == second.request and bool(first.sent_at and second.sent_at)
    return is_same and second.sent_at < _answered_at(first) - 0.001


def _answered_at(exchange: Exchange) -> float:
    return exchange.sent_at + (exchange.answer.elapsed_s if exchange.answer is not None else 0.0)


def _script_lines(failure: Failure, evidence: Sequence[Exchange], limit: str) -> Iterator[str]:
    plan = plan_script(evidence)
    commands = [curl_command(request) for request in plan.requests]
    yield "#!/usr/bin/env bash"
    yield f"# {' '.join(f'{failure.title}: {failure.operation}'.split()).removesuffix(':')}"
    if limit:
        yield f"# {limit}"
    yield from _definition_lines(commands, plan.captured)
    for position, (exchange, command) in enumerate(zip(evidence, commands, strict=True)):
        taken = [captured.assignment for captured in plan.captured if captured.position == position]
        following = evidence[position + 1 : position + 2]
        is_first_of_several = any(_are_at_once(exchange, later) for later in following)
        is_last_of_several = position > 0 and _are_at_once(evidence[position - 1], exchange)
        yield from _request_lines(command, taken, is_in_background=is_first_of_several)
        if is_last_of_several and not is_first_of_several:
            yield "wait"
        pauses = (_pause_s(evidence[: position + 1], exchange) for exchange in following)
        yield from (f"sleep {pause_s:g}" for pause_s in pauses if pause_s)


def _definition_lines(commands: Sequence[str], captured: Sequence[Captured]) -> Iterator[str]:
    """Yield the lines that check the environment, and define what the commands use."""
    for name in sorted({name for command in commands for name in secret_variables(command)}):
        yield f': "${{{name}:?set it to the credential that the run used}}"'
    lines = [*commands, *(capture.assignment for capture in captured)]
    for name, text in _HELPERS.items():
        if any(f"$({name} " in line for line in lines):
            yield text
    if any(_USES_RUN in command for command in commands):
        yield _RUN


def _request_lines(command: str, taken: Sequence[str], *, is_in_background: bool) -> Iterator[str]:
    if command.startswith("#"):
        yield command
    elif taken:
        yield f"response=$({command})"
        yield "printf '%s\\n\\n' \"$response\""
        yield from taken
    else:
        yield f"{command} &" if is_in_background else f"{command}; echo"


def _pause_s(before: Sequence[Exchange], following: Exchange) -> float:
    """Return how long to wait before a request; 0 unless something may happen by itself meanwhile: after 202,
    and before a request to the address of an earlier one.
    """
    last = before[-1]
    is_again = any(exchange.request.url == following.request.url for exchange in before)
    if not (is_again or last.status == ACCEPTED) or not (last.sent_at and following.sent_at):
        return 0.0
    gap_s = following.sent_at - _answered_at(last)
    return min(ceil(gap_s * 10) / 10, LONGEST_PAUSE_S) if gap_s >= SHORTEST_PAUSE_S else 0.0


@dataclass(frozen=True, slots=True, kw_only=True)
class ScriptPlan:
    """The requests of a script, with the marks of what it takes from earlier responses, and those values."""

    requests: tuple[Request, ...]
    captured: tuple[Captured, ...]


def plan_script(evidence: Sequence[Exchange]) -> ScriptPlan:
    """Return the requests of a script: a value that a response had before any request is captured from it."""
    known: dict[str, Captured] = {}
    used: dict[str, Captured] = {}
    requests = []
    for position, exchange in enumerate(evidence):
        request = _with_new_keys(exchange.request)
        for value, captured in sorted(known.items(), key=lambda item: -len(item[0])):
            marked = _mark_value(request, value, captured)
            if marked != request:
                used[value] = captured
                request = marked
        requests.append(request)
        sent = _request_text(exchange.request)
        for value, captured in _captured_values(position, exchange.answer):
            if value not in sent:
                known.setdefault(value, captured)
    return ScriptPlan(requests=tuple(requests), captured=tuple(used.values()))


def _request_text(request: Request) -> str:
    body = (request.body or b"").decode("utf-8", "replace")
    return "\n".join((request.url, body, *(value for _, value in request.headers)))


def _captured_values(position: int, answer: HttpResponse | None) -> Iterator[tuple[str, Captured]]:
    """Yield the values that a response has, each with how a script takes it from the response."""
    if answer is None:
        return
    body = answer.body.decode("utf-8", "replace").replace("\r", "").replace("\n", "")
    for path, value in text_leaves(parse_json_or_none(answer.body), ()):
        name = path[-1] if path else ""
        if isinstance(name, str) and _SIMPLE_NAME.fullmatch(name) and value:
            number = _occurrence(body, name, value)
            if number:
                yield from _captured_text(position, name, f"member {name} {number}", value)
    for header in CAPTURED_HEADERS:
        if text := answer.header(header):
            yield from _captured_text(position, header, f"header {header}", text)


def _captured_text(position: int, name: str, source: str, value: str) -> Iterator[tuple[str, Captured]]:
    """Yield a value, and the identifier at its end if it has one."""
    yield value, Captured(position=position, source=source, name=name)
    last = value.rpartition("/")[2] if name in ENDS_IN_ID and "/" in value else ""
    if last:
        yield last, Captured(position=position, source=f"{source} | sed 's:.*/::'", name=f"{name}_id")


def _occurrence(text: str, name: str, value: str) -> int:
    """Return which of the members of a name has a value, from 1; 0 if none has it unescaped."""
    pattern = rf'"{re.escape(name)}" *: *(?:"((?:[^"\\]|\\.)*)"|([-0-9.eE+]+))'
    found = [quoted or number for quoted, number in re.findall(pattern, text)]
    return found.index(value) + 1 if value in found else 0


def _mark_value(request: Request, value: str, captured: Captured) -> Request:
    """Return a request with the mark of a captured value wherever it has the value."""
    headers = tuple((name, captured.mark if text == value else text) for name, text in request.headers)
    return replace(
        request,
        url=_mark_in_url(request.url, value, captured),
        headers=headers,
        body=_mark_in_body(request.body, value, captured),
    )


def _mark_in_url(url: str, value: str, captured: Captured) -> str:
    if captured.name == "location" and len(value) > 1:
        return captured.mark if url == value else url
    encoded, is_encoded = quote(value, safe=""), is_encoded_in_urls(value)
    mark = captured.encoded_mark if is_encoded else captured.mark
    is_certain = len(value) >= SURELY_UNIQUE
    pattern = re.escape(encoded) if is_certain else rf"(?<=[/=]){re.escape(encoded)}(?=[/?&#]|$)"
    return re.sub(pattern, lambda _: mark, url)


def _mark_in_body(body: bytes | None, value: str, captured: Captured) -> bytes | None:
    if body is None or captured.name in CAPTURED_HEADERS:
        return body
    if value.isdecimal() and _NAMES_IDENTIFIER.search(captured.name):
        number = re.compile(_NUMBER_OF_IDENTIFIER.replace(b"VALUE", value.encode()))
        body = number.sub(lambda found: found[1] + captured.mark.encode(), body)
    if len(value) < SHORTEST_VALUE:
        return body
    return body.replace(f'"{value}"'.encode(), f'"{captured.mark}"'.encode())


_NAMES_IDENTIFIER = re.compile(r"(?:^i|[_-]i|I)d$")
_NUMBER_OF_IDENTIFIER = rb'("(?:[^"\\]*(?:[_-]i|I)|i)d" *: *)VALUE(?= *[,}])'
"""A member such as `"partner_id": 7`: other numbers may be equal by chance."""
_KEY_END = re.compile(r"[0-9a-f]{8}$")


def _with_new_keys(request: Request) -> Request:
    """Return a request whose idempotency key ends in characters that the shell makes up, so that a response
    to an earlier run is not returned again. Equal keys stay equal.
    """
    names = default_conventions().idempotency_key
    headers = tuple(
        (name, _KEY_END.sub(lambda _: Captured.RANDOM, value) if matches_any_name(name, names) else value)
        for name, value in request.headers
    )
    return replace(request, headers=headers)
