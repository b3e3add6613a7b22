"""A result as JUnit XML: a test case for each check of each operation, so that CI shows them one by one."""

from collections.abc import Iterator
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from devportal.conformance.results.coverage import coverage_tallies
from devportal.conformance.results.curl import curl_command
from devportal.conformance.results.result import Failure, OperationResult, Result, failures_of
from devportal.conformance.results.wording import body_text, printable_text, status_text, uncounted_text

WHOLE_RUN = "whole run"


def to_junit(result: Result) -> str:
    """Return the result as JUnit XML. Failures that do not make the run red are written as skipped."""
    cases = [*_test_cases(result)]
    suite = Element("testsuite")
    suite.set("name", f"conformance of {result.url} to {result.contract}")
    suite.set("timestamp", result.started_at.isoformat(timespec="seconds"))
    suite.set("time", f"{result.duration_s:.3f}")
    suite.set("tests", str(len(cases)))
    suite.set("failures", str(sum(1 for case in cases if case.find("failure") is not None)))
    suite.set("skipped", str(sum(1 for case in cases if case.find("skipped") is not None)))
    suite.set("errors", "0")
    properties = SubElement(suite, "properties")
    for name, value in (
        ("seed", str(result.seed)),
        ("profile", result.profile),
        ("stability", result.gate),
        ("schemathesis", result.schemathesis),
        ("contract_sha256", result.contract_digest),
        *((f"coverage {one.name}", f"{one.exercised}/{one.of}") for one in coverage_tallies(result)),
        *(
            ("gap", printable_text(f"{one.check} {one.operation}".strip() + f": {one.reason}"))
            for one in result.gaps
        ),
    ):
        SubElement(properties, "property", name=name, value=value)
    suite.extend(cases)
    root = Element("testsuites")
    root.append(suite)
    indent(root)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + tostring(root, encoding="unicode") + "\n"


def _test_cases(result: Result) -> Iterator[Element]:
    for operation in result.operations:
        yield from _operation_cases(operation, failures_of(result, operation))
    labels = {operation.label for operation in result.operations}
    others = [one for one in result.failures if one.operation not in labels]
    for check in dict.fromkeys(one.check for one in others):
        yield _test_case(WHOLE_RUN, check, [one for one in others if one.check == check])
    for warning in result.warnings:
        case = _test_case(WHOLE_RUN, f"warning: {warning.kind}", [])
        text = printable_text(f"{warning.message} ({', '.join(warning.subjects)})")
        SubElement(case, "failure" if warning.gates else "skipped", message=text)
        yield case


def _operation_cases(operation: OperationResult, failures: tuple[Failure, ...]) -> Iterator[Element]:
    names = dict.fromkeys([*(one.check for one in operation.checks), *(one.check for one in failures)])
    for check in names:
        yield _test_case(operation.label, check, [one for one in failures if one.check == check])


def _test_case(label: str, check: str, failures: list[Failure]) -> Element:
    case = Element("testcase", classname=label, name=check)
    red = [one for one in failures if one.fails]
    for failure in red:
        SubElement(
            case, "failure", message=printable_text(failure.title), type=failure.code or failure.check
        ).text = failure_text(failure)
    if failures and not red:
        first = failures[0]
        SubElement(
            case, "skipped", message=printable_text(f"{uncounted_text(first)}: {first.title}")
        ).text = failure_text(first)
    return case


def failure_text(failure: Failure) -> str:
    """Return what there is to say of a failure, as plain text of several lines."""
    lines = [printable_text(failure.message, 2000)]
    if failure.promise is not None:
        lines.append(f"promised: {failure.promise}")
        lines += [printable_text(failure.promise_text, 1000)] if failure.promise_text else []
    if failure.exchange is not None:
        lines.append(f"came back: {status_text(failure.exchange.status)}")
        if failure.exchange.answer is not None:
            lines.append(body_text(failure.exchange.answer))
    lines += [f"reproduce: {printable_text(curl_command(one.request), 20_000)}" for one in failure.evidence]
    lines.append(f"fingerprint: {failure.fingerprint}")
    return "\n".join(lines)
