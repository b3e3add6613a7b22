"""Lists every check of a conformance run with its documentation: ours, Schemathesis', and those made after a
run.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from typing import Protocol

from devportal.conformance.families.registry import FAMILIES, plugin_families
from devportal.conformance.family import CheckDescription
from devportal.conformance.results.wording import check_anchor
from devportal.conformance.webhooks.checks import WEBHOOK_CHECKS
from devportal.contract import Api
from devportal.markup import escape_markdown
from devportal.markup.page import InsertProblem


@dataclass(frozen=True, slots=True, kw_only=True)
class OtherCheck:
    """A check by its name in results, with its documentation."""

    name: str
    summary: str
    words: CheckDescription


_CASES = (
    "Schemathesis judges the answer to each of its cases: examples, boundaries, generated data, sequences."
)
_SHAPE = "Document what the deployment answers, or let it answer what is documented."

SCHEMATHESIS_CHECKS = (
    OtherCheck(
        name="not_a_server_error",
        summary="no answer is a server error",
        words=CheckDescription(
            promise="Whatever a client sends, the answer is no 5xx. 501 to a method that the path does not "
            "declare is right.",
            test=_CASES,
            remedy="See the log of the deployment for the request that is shown; refuse such data with 4xx.",
            sources=("RFC 9110 §15.6",),
        ),
    ),
    OtherCheck(
        name="status_code_conformance",
        summary="every status is documented",
        words=CheckDescription(
            promise="The status of an answer is one that the operation documents, as such, as a class or by "
            "`default`.",
            test=_CASES,
            remedy=_SHAPE,
            sources=("OAS 3.0.3 §4.7.16",),
        ),
    ),
    OtherCheck(
        name="content_type_conformance",
        summary="every media type is documented",
        words=CheckDescription(
            promise="The `Content-Type` of an answer is one that is documented for its status.",
            test=_CASES,
            remedy=_SHAPE,
            sources=("OAS 3.0.3 §4.7.17",),
        ),
    ),
    OtherCheck(
        name="response_headers_conformance",
        summary="documented headers are there and fit",
        words=CheckDescription(
            promise="Required headers of an answer are there, and each documented one fits its schema.",
            test=_CASES,
            remedy=_SHAPE,
            sources=("OAS 3.0.3 §4.7.21",),
        ),
    ),
    OtherCheck(
        name="response_schema_conformance",
        summary="bodies fit their schemas",
        words=CheckDescription(
            promise="The body of an answer fits the schema that is documented for its status.",
            test=_CASES,
            remedy=_SHAPE,
            sources=("OAS 3.0.3 §4.7.24",),
        ),
    ),
    OtherCheck(
        name="positive_data_acceptance",
        summary="valid data is accepted",
        words=CheckDescription(
            promise="A request that keeps the contract is accepted, or refused for a reason that the "
            "operation documents.",
            test="Each generated request that is valid must get a success, a documented refusal, or an "
            "answer that other checks judge.",
            remedy="Loosen the validation to what the contract says, narrow the contract's schema, or "
            "document the refusal.",
            sources=("OAS 3.0.3 §4.7.14",),
        ),
    ),
    OtherCheck(
        name="negative_data_rejection",
        summary="invalid data is refused",
        words=CheckDescription(
            promise="A request that breaks the contract is refused with 4xx.",
            test="Schemathesis breaks one rule of a schema at a time: types, bounds, patterns, required "
            "members, unknown members of closed objects.",
            remedy="Validate what comes in against the contract, or widen its schema.",
            sources=("RFC 9110 §15.5",),
        ),
    ),
    OtherCheck(
        name="missing_required_header",
        summary="a required header is asked for",
        words=CheckDescription(
            promise="A request without a required header is refused with 4xx.",
            test="Each required header is left out, the rest of the request being valid.",
            remedy="Refuse such requests, or document the header as optional.",
            sources=("OAS 3.0.3 §4.7.12",),
        ),
    ),
    OtherCheck(
        name="unsupported_method",
        summary="undeclared methods get 405",
        words=CheckDescription(
            promise="A method that the path does not declare gets 405, where the contract promises 405.",
            test="Each path is asked with methods that it does not declare.",
            remedy="Answer 405 with `Allow` before routing falls through to 404.",
            sources=("RFC 9110 §15.5.6",),
        ),
    ),
    OtherCheck(
        name="allow_header_conformance",
        summary="`Allow` lists what the path declares",
        words=CheckDescription(
            promise="The `Allow` header of a 405, or of the answer to OPTIONS, lists the methods of the "
            "path.",
            test="The header is compared with the contract.",
            remedy="Make `Allow` from the same table as the routes.",
            sources=("RFC 9110 §10.2.1",),
        ),
    ),
    OtherCheck(
        name="use_after_free",
        summary="what is deleted is gone",
        words=CheckDescription(
            promise="After a thing is deleted, it cannot be read.",
            test="Sequences of operations, following links of the contract (profile `nightly`).",
            remedy="Answer 404 or 410 for what was deleted.",
            sources=("RFC 9110 §9.3.5",),
        ),
    ),
    OtherCheck(
        name="ensure_resource_availability",
        summary="what is made can be read",
        words=CheckDescription(
            promise="A thing that was made can be read by its identifier at once.",
            test="Sequences of operations, following links and `Location` (profile `nightly`).",
            remedy="Answer a creation only when the thing can be read, or document 202 and how to wait.",
            sources=("RFC 9110 §15.3.2",),
        ),
    ),
    OtherCheck(
        name="ignored_auth",
        summary="credentials are looked at",
        words=CheckDescription(
            promise="An operation that demands a credential refuses requests without one, and with a "
            "wrong one.",
            test="Requests that succeeded are sent again without the credential, and with another one.",
            remedy="Let the authentication run before everything else.",
            sources=("RFC 9110 §15.5.2",),
        ),
    ),
    OtherCheck(
        name="object_level_authorization",
        summary="things are their owner's",
        words=CheckDescription(
            promise="One account does not reach the things of another.",
            test="Our own [tenants](#tenants) check does this for every operation.",
            remedy="Look things up together with the account of the caller.",
            sources=("OWASP API Security 2023, API1",),
        ),
    ),
)

AFTER_RUN_CHECKS = (
    OtherCheck(
        name="some-success",
        summary="every operation succeeded at least once",
        words=CheckDescription(
            promise="A run that never saw an operation succeed has not tested it, and is not green.",
            test="The statuses of all requests of the run are counted for each operation.",
            remedy="Give the run a token that may use the operation, and name things that are there under "
            "`values` in `conformance.yaml` or in the contract's examples.",
        ),
    ),
    OtherCheck(
        name="whole-run",
        summary="the run came to its end",
        words=CheckDescription(
            promise="Everything that was selected was tested.",
            test="A run that stops early, and operations that cannot be tested, are counted.",
            remedy="Give a longer `--max-time`, or see what the message says about the contract.",
        ),
    ),
    OtherCheck(
        name="steadiness",
        summary="faults that come and go are faults",
        words=CheckDescription(
            promise="A deployment answers alike each time. One hiccup is reported and not counted; many are.",
            test="Faults that showed in several requests, and not again when these were sent once more.",
            remedy="Look for what the failing moments have in common: one of several servers, a pool "
            "that runs out, a time-out behind the service.",
        ),
    ),
)


class DocumentedCheck(Protocol):
    """A check that has documentation."""

    @property
    def name(self) -> str:
        """Its name in results."""

    @property
    def summary(self) -> str:
        """The promise in a few words."""

    @property
    def words(self) -> CheckDescription:
        """The documentation of the check."""


def checks_by_group(plugins: Iterable[str]) -> tuple[tuple[str, tuple[DocumentedCheck, ...]], ...]:
    """Return the checks grouped by title: ours first, then those of the given plug-ins."""
    webhooks = tuple(one.family for one in WEBHOOK_CHECKS)
    groups: tuple[tuple[str, tuple[DocumentedCheck, ...]], ...] = (
        ("Checks of our own", FAMILIES),
        ("Webhooks", webhooks),
        ("Of this API", plugin_families(plugins)),
        ("Schemathesis", SCHEMATHESIS_CHECKS),
        ("After a run", AFTER_RUN_CHECKS),
    )
    return tuple((title, checks) for title, checks in groups if checks)


def conformance_checks(api: Api, arguments: tuple[str, ...]) -> str | InsertProblem:
    """Return the documentation of every check: its promise, how it tests, and what to do when it fails."""
    if arguments:
        return InsertProblem(
            message=f"the insert 'conformance-checks' has no part {' '.join(arguments)!r}",
            help="write nothing behind it",
        )
    return "\n".join(_check_list_lines(api.plugins))


def _check_list_lines(plugins: Iterable[str]) -> Iterator[str]:
    for title, checks in checks_by_group(plugins):
        yield from (f"## {title}", "")
        for check in checks:
            yield from (f"### {check_anchor(check.name)}", "", f"{_sentence(check.summary)}", "")
            yield from (f"**Promised.** {check.words.promise}", "", f"**Tested.** {check.words.test}", "")
            yield from (f"**When it fails.** {check.words.remedy}", "")
            if check.words.sources:
                yield from (f"**Source.** {escape_markdown(', '.join(check.words.sources))}.", "")


def _sentence(summary: str) -> str:
    return f"{escape_markdown(summary[:1].upper() + summary[1:])}."
