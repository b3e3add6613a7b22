"""Languages of responses: one that was asked for by `Accept-Language`, and that `Content-Language` states correctly.

A server may disregard `Accept-Language` (RFC 9110 §12.5.4), and what it returns may have one language only. So a
response in another language is a failure if the deployment has shown that it has the one that was asked for, or if the
contract plainly describes the header as the language of what is returned.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import partial

from devportal.conformance.deployment.exchange import Exchange
from devportal.conformance.deployment.http_connection import NO_VALID_REQUEST, Unsendable
from devportal.conformance.family import CheckDescription, CheckFailure, Family, Probe, Send
from devportal.conformance.knowledge.requests.request_variants import with_header
from devportal.conformance.knowledge.resources.created_resources import is_success, response_json
from devportal.conformance.knowledge.subject import Subject, operation_label
from devportal.contract import Location, Operation, ParameterLocation, Schema

ACCEPT_LANGUAGE, CONTENT_LANGUAGE = "Accept-Language", "Content-Language"
MOST_LANGUAGES = 3
_TAG = re.compile(r"[A-Za-z]{2,3}(?:-[A-Za-z0-9]{2,8})*")
"""A language tag (RFC 5646 §2.1) of a language with a code of two or three letters."""
_PLAIN = re.compile(
    r"\blanguage of\b|\bin (?:this|that|the (?:given|requested|chosen)) language\b", re.IGNORECASE
)
_HEDGED = re.compile(
    r"\b(?:prefer\w*|available|fall\w*\W?back|otherwise|else|if|may|might|can|where|when|best|hints?|tr(?:y|ies)|"
    r"attempts?|some|most)\b",
    re.IGNORECASE,
)
"""Words of a header that need not have an effect."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Negotiation:
    """An operation whose responses have one of several languages. `is_plain` if the contract describes the header as
    their language, without a condition.
    """

    operation: Operation
    languages: tuple[str, ...]
    location: Location
    is_plain: bool
    states_language: bool


def probes(subject: Subject) -> Iterator[Probe]:
    """Yield a probe for each reading that documents several languages."""
    for operation in subject.operations:
        negotiation = _negotiation(subject, operation) if operation.method == "GET" else None
        if negotiation is not None:
            yield Probe(
                operation=operation_label(operation), run=partial(_check_languages, subject, negotiation)
            )


def _negotiation(subject: Subject, operation: Operation) -> _Negotiation | None:
    """Return how an operation negotiates languages, None if it documents none, or only one."""
    parameter = next(
        (
            parameter
            for parameter in operation.parameters
            if parameter.location_in is ParameterLocation.HEADER
            and parameter.name.lower() == ACCEPT_LANGUAGE.lower()
        ),
        None,
    )
    if parameter is None:
        return None
    headers = [
        header
        for success in operation.successes
        for header in success.headers
        if header.name.lower() == CONTENT_LANGUAGE.lower()
    ]
    examples = (example.value for example in parameter.examples if example.has_value)
    listed = (
        *_languages(subject, parameter.schema),
        *(language for header in headers for language in _languages(subject, header.schema)),
        *(example for example in examples if isinstance(example, str)),
    )
    languages = tuple(dict.fromkeys(text for text in listed if _TAG.fullmatch(text)))
    if len({_primary(language) for language in languages}) < 2:
        return None
    description = parameter.description
    return _Negotiation(
        operation=operation,
        languages=languages[:MOST_LANGUAGES],
        location=parameter.location,
        is_plain=_PLAIN.search(description) is not None and _HEDGED.search(description) is None,
        states_language=bool(headers),
    )


def _languages(subject: Subject, schema: Schema | None) -> tuple[str, ...]:
    values = subject.api.resolve(schema).enum if schema is not None else ()
    return tuple(value for value in values if isinstance(value, str))


def _check_languages(subject: Subject, negotiation: _Negotiation, send: Send) -> Iterator[CheckFailure]:
    """Read in each language, and in the first one again: what changes by itself has no language."""
    operation = negotiation.operation
    request = subject.valid(operation)
    if request is None:
        raise Unsendable(NO_VALID_REQUEST)
    first, *others = negotiation.languages
    responses: dict[str, Exchange] = {}
    for language in (first, *others):
        exchange = send(operation, with_header(request, ACCEPT_LANGUAGE, language))
        if is_success(exchange):
            responses[language] = exchange
    stated = {language: _stated_language(exchange) for language, exchange in responses.items()}
    if len(responses) < 2 or not any(stated.values()):
        raise Unsendable("successful responses in two languages that `Content-Language` states")
    again = send(operation, with_header(request, ACCEPT_LANGUAGE, first))
    is_stable = first in responses and response_json(again) == response_json(responses[first])
    for title, message, evidence in _differences(negotiation, responses, stated, is_stable=is_stable):
        yield CheckFailure(
            title=title,
            message=message,
            operation=operation_label(operation),
            promise=negotiation.location,
            evidence=evidence,
        )
        return


def _differences(
    negotiation: _Negotiation,
    responses: Mapping[str, Exchange],
    stated: Mapping[str, str],
    *,
    is_stable: bool,
) -> Iterator[tuple[str, str, tuple[Exchange, ...]]]:
    """Yield title, message and evidence of each way in which responses are in another language than they should be."""
    known = set(stated.values())
    for language, found in stated.items():
        if found and found != _primary(language) and _primary(language) in known:
            message = (
                f"{ACCEPT_LANGUAGE}: {language} gets {CONTENT_LANGUAGE}: {found}, and another request got "
                f"{_primary(language)!r}"
            )
            yield "a response has another language than was asked for", message, tuple(responses.values())
    if len(known) > 1 or not next(iter(known)):
        return
    found = next(iter(known))
    bodies = {language: response_json(exchange) for language, exchange in responses.items()}
    differing = [
        language for language in bodies if is_stable and bodies[language] != next(iter(bodies.values()))
    ]
    if differing:
        message = (
            f"{', '.join(responses)} get different bodies, and all of them state {CONTENT_LANGUAGE}: {found}"
        )
        yield "Content-Language states another language", message, tuple(responses.values())
    elif negotiation.is_plain and negotiation.states_language:
        others = [language for language in responses if _primary(language) != found]
        message = f"{', '.join(others)} get {CONTENT_LANGUAGE}: {found}"
        yield "a response has another language than was asked for", message, tuple(responses.values())


def _stated_language(exchange: Exchange) -> str:
    """Return the primary language of a response, empty if it states none, or several."""
    value = (exchange.answer.header(CONTENT_LANGUAGE) if exchange.answer is not None else None) or ""
    return _primary(value) if "," not in value else ""


def _primary(language: str) -> str:
    """Return the language of a tag, without its script and region (RFC 5646 §2.2.1)."""
    return language.strip().partition("-")[0].lower()


FAMILY = Family(
    name="languages",
    summary="responses have the language that was asked for",
    words=CheckDescription(
        promise="A response to `Accept-Language` with a language of the contract has that language, if the deployment "
        "has it, and `Content-Language` states the language of the body.",
        test="Readings that document the header and two languages, by an `enum` or by examples, are sent in up to "
        "three of them. A response that states another one is a failure if another request gets the language that was "
        "asked for, or if the header is described as “the language of …” without a condition. Bodies that differ by "
        "language must not all state the same one.",
        remedy="Choose the language once for each request, and write `Content-Language` from what was chosen.",
        sources=("RFC 9110 §8.5", "RFC 9110 §12.5.4"),
    ),
    needs="the header `Accept-Language` with two languages in its `enum`, or in that of `Content-Language`",
    probes=probes,
    beside=True,
)
