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
    "Schemathesis judges the response to each of its cases: examples, boundaries, generated data, sequences."
)
_SHAPE = "Document the response that the deployment returns, or return a documented one."

SCHEMATHESIS_CHECKS = (
    OtherCheck(
        name="not_a_server_error",
        summary="no request causes a server error",
        words=CheckDescription(
            promise="No request returns a 5xx. 501 is correct for a method that the path does not declare.",
            test=_CASES,
            remedy="Find the request in the deployment's log. Reject such data with 4xx.",
            sources=("RFC 9110 §15.6",),
        ),
    ),
    OtherCheck(
        name="status_code_conformance",
        summary="every status is documented",
        words=CheckDescription(
            promise="The operation documents the status of each response: the status itself, its class or "
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
            promise="The `Content-Type` of a response is documented for its status.",
            test=_CASES,
            remedy=_SHAPE,
            sources=("OAS 3.0.3 §4.7.17",),
        ),
    ),
    OtherCheck(
        name="response_headers_conformance",
        summary="documented headers are present and valid",
        words=CheckDescription(
            promise="Responses have all required headers, and each documented header matches its schema.",
            test=_CASES,
            remedy=_SHAPE,
            sources=("OAS 3.0.3 §4.7.21",),
        ),
    ),
    OtherCheck(
        name="response_schema_conformance",
        summary="bodies match their schemas",
        words=CheckDescription(
            promise="The body of a response matches the schema documented for its status.",
            test=_CASES,
            remedy=_SHAPE,
            sources=("OAS 3.0.3 §4.7.24",),
        ),
    ),
    OtherCheck(
        name="positive_data_acceptance",
        summary="valid data is accepted",
        words=CheckDescription(
            promise="A valid request is accepted, or rejected for a reason that the operation documents.",
            test="Each valid generated request must return a success, a documented rejection, or a "
            "response that other checks judge.",
            remedy="Relax the validation to match the contract, narrow the contract's schema, or document "
            "the rejection.",
            sources=("OAS 3.0.3 §4.7.14",),
        ),
    ),
    OtherCheck(
        name="negative_data_rejection",
        summary="invalid data is rejected",
        words=CheckDescription(
            promise="An invalid request is rejected with 4xx.",
            test="Schemathesis violates one schema rule at a time: types, bounds, patterns, required "
            "members, unknown members of closed objects.",
            remedy="Validate requests against the contract, or widen its schema.",
            sources=("RFC 9110 §15.5",),
        ),
    ),
    OtherCheck(
        name="missing_required_header",
        summary="required headers are required",
        words=CheckDescription(
            promise="A request without a required header is rejected with 4xx.",
            test="Each required header is left out of an otherwise valid request.",
            remedy="Reject such requests, or document the header as optional.",
            sources=("OAS 3.0.3 §4.7.12",),
        ),
    ),
    OtherCheck(
        name="unsupported_method",
        summary="undeclared methods return 405",
        words=CheckDescription(
            promise="A method that the path does not declare returns 405, if the contract documents 405.",
            test="Each path receives methods that it does not declare.",
            remedy="Return 405 with `Allow` before routing falls through to 404.",
            sources=("RFC 9110 §15.5.6",),
        ),
    ),
    OtherCheck(
        name="allow_header_conformance",
        summary="`Allow` lists the declared methods",
        words=CheckDescription(
            promise="The `Allow` header of a 405, or of the response to OPTIONS, lists the methods of the "
            "path.",
            test="The header is compared with the contract.",
            remedy="Generate `Allow` from the routing table.",
            sources=("RFC 9110 §10.2.1",),
        ),
    ),
    OtherCheck(
        name="use_after_free",
        summary="deleted resources are gone",
        words=CheckDescription(
            promise="A deleted resource cannot be read.",
            test="Sequences of operations, following links of the contract (profile `nightly`).",
            remedy="Return 404 or 410 for deleted resources.",
            sources=("RFC 9110 §9.3.5",),
        ),
    ),
    OtherCheck(
        name="ensure_resource_availability",
        summary="created resources can be read",
        words=CheckDescription(
            promise="A created resource can be read by its identifier at once.",
            test="Sequences of operations, following links and `Location` (profile `nightly`).",
            remedy="Respond to a creation only when the resource can be read, or document 202 and how to "
            "wait.",
            sources=("RFC 9110 §15.3.2",),
        ),
    ),
    OtherCheck(
        name="ignored_auth",
        summary="credentials are verified",
        words=CheckDescription(
            promise="An operation that requires a credential rejects requests without one and with a wrong "
            "one.",
            test="Successful requests are sent again without the credential and with a wrong one.",
            remedy="Authenticate before anything else.",
            sources=("RFC 9110 §15.5.2",),
        ),
    ),
    OtherCheck(
        name="object_level_authorization",
        summary="resources belong to their owner",
        words=CheckDescription(
            promise="An account cannot access another account's resources.",
            test="Our own [tenants](#tenants) check does this for every operation.",
            remedy="Look up resources together with the caller's account.",
            sources=("OWASP API Security 2023, API1",),
        ),
    ),
)

AFTER_RUN_CHECKS = (
    OtherCheck(
        name="some-success",
        summary="every operation succeeded at least once",
        words=CheckDescription(
            promise="An operation that never succeeded in a run was not tested, and the run does not pass.",
            test="The statuses of all requests are counted per operation.",
            remedy="Give the run a token that may use the operation. Name existing resources under `values` "
            "in `conformance.yaml` or in the contract's examples.",
        ),
    ),
    OtherCheck(
        name="whole-run",
        summary="the run finished",
        words=CheckDescription(
            promise="Every selected operation and check was tested.",
            test="Runs that stop early and operations that cannot be tested are counted.",
            remedy="Increase `--max-time`, or follow the message about the contract.",
        ),
    ),
    OtherCheck(
        name="steadiness",
        summary="intermittent failures are failures",
        words=CheckDescription(
            promise="A deployment behaves the same each time. One intermittent failure is reported but not "
            "counted; several are.",
            test="Failures that occurred in several requests, but not when these were sent again.",
            remedy="Find out what the failing requests have in common: one of several servers, an exhausted "
            "pool, a time-out behind the service.",
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
    webhooks = tuple(webhook_check.family for webhook_check in WEBHOOK_CHECKS)
    groups: tuple[tuple[str, tuple[DocumentedCheck, ...]], ...] = (
        ("Our checks", FAMILIES),
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
            yield from (f"### {check_anchor(check.name)}", "")
            yield from (f"**Promised.** {_sentence(check.summary)} {check.words.promise}", "")
            yield from (f"**Tested.** {check.words.test}", "")
            sources = escape_markdown(", ".join(check.words.sources))
            source = f" Source: {sources}." if sources else ""
            yield from (f"**When it fails.** {check.words.remedy}{source}", "")


def _sentence(summary: str) -> str:
    return f"{escape_markdown(summary[:1].upper() + summary[1:])}."
